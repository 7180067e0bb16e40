/** Bodies of objects and popups, from placed shapes and the mapping. */
import { labelSizes } from '../../../lib/draw/public-map.ts';
import {
  type Body,
  ConvertError,
  type ConvertedObject,
  type ConvertedPopup,
  type LegendEntry,
  type Mapping,
} from '../conversion.ts';
import { conversionDefaults } from '../conversion-defaults.ts';
import type { Notes } from '../notes.ts';
import type { PlacedItem, PlacedShape } from '../place/place-items.ts';
import { type FileData, shortened } from '../read/file-data.ts';
import type { Slices } from '../slices.ts';
import { numberReader } from './describe-columns.ts';
import { escapeHtml, fillTemplate } from './fill-template.ts';
import { valueColors } from './value-colors.ts';

const nameMax = 200;
const keyMax = 200;
/** Style of new objects. A pin and the radius of 20 of other spots would hide a map with hundreds of them. */
const spotStyle = { radius: 8, pin: false, stroke_color: '#ffffff', stroke_width: 1 } as const;
const polyStyle = { pin: false, opacity: 0.6, stroke_color: '#ffffff', stroke_width: 1 } as const;
/** Without a fill, a line has the colour that fills are by default. */
const lineStyle = { pin: false, stroke_color: '#3b82f6' } as const;
/** Members that an exported object does not have while they have their default: the update of an object that has changed sets them back. */
const unexported = {
  ...{ x: 0, y: 0, coords: [], interactive: true, category: '', properties: {}, icon: '' },
  ...{ label: 'auto', label_size: labelSizes.usual, closed: true, arrow: 'none', holes: [] },
} as const;

export interface Built {
  readonly objects: ConvertedObject[];
  readonly popups: ConvertedPopup[];
  readonly legend: readonly LegendEntry[] | undefined;
}

/** @throws {ConvertError} "columns" if the mapping names a column that the file does not have, or two rows have one key */
export async function buildObjects(
  placed: readonly PlacedItem[],
  data: FileData,
  mapping: Mapping,
  notes: Notes,
  slices: Slices,
): Promise<Built> {
  checkColumns(mapping, data.columns);
  const colors =
    mapping.color &&
    valueColors(mapping.color, textsOf(placed, mapping.color.column), numberReader(data, mapping.color.column), notes);
  const radiusOf = mapping.radius && radiusReader(mapping.radius, placed, data);
  const columns = new Set(data.columns);
  const keys = new Map<string, string>();
  const drafts: Draft[] = [];
  for (const [i, placedItem] of placed.entries()) {
    const { item, shapes } = placedItem;
    const key = keyOf(placedItem, mapping, keys, notes);
    const popups = item.popups ?? popupOf(placedItem, mapping, columns);
    const color = colors?.colorOf(item.values.get(mapping.color?.column ?? ''));
    const add = (body: Body, styles: readonly string[], rank: number): void => {
      drafts.push({ object: { body, styles, row: item.row, at: item.at }, popups, rank });
    };
    await slices.next(i / placed.length);
    if (item.members !== undefined) {
      // Its geometry is off the map, as a note says.
      if (shapes.length === item.shapes.length) add(exportedBody(item.members, shapes[0], color, key), [], 0);
      continue;
    }
    const radius = radiusOf?.(item.values.get(mapping.radius?.column ?? ''));
    for (const [part, shape] of shapes.entries()) {
      const partKey = key === undefined || part === 0 ? key : `${key}/${part + 1}`;
      const style = styleOf(shape, item.style);
      const own = {
        name: nameOf(placedItem, mapping),
        ...colorMember(shape.kind === 'line', color),
        ...radiusMember(shape, radius),
      };
      const body = { ...placeOf(shape), ...style, ...own, ...(partKey === undefined ? {} : { key: partKey }) };
      add(
        body,
        Object.keys(style).filter((name) => !(name in own)),
        ranks[shape.kind],
      );
    }
  }
  const isExport = data.items.some(({ members }) => members !== undefined);
  return { ...inOrder(isExport ? drafts : drafts.toSorted((one, other) => one.rank - other.rank)), legend: colors?.legend };
}

/** An object with its popups. */
interface Draft {
  readonly object: ConvertedObject;
  readonly popups: readonly Body[];
  /** Objects of a higher rank are drawn above those of a lower one. */
  readonly rank: number;
}

/** Areas cover lines, and both cover spots: what is smaller lies above. An exported document has an order of its own. */
const ranks = { poly: 0, line: 1, spot: 2 } as const;

const inOrder = (drafts: readonly Draft[]): Pick<Built, 'objects' | 'popups'> => ({
  objects: drafts.map(({ object }) => object),
  popups: drafts.flatMap(({ popups }, object) => popups.map((body) => ({ object, body }))),
});

/** The colour of a line is that of its outline. */
function colorMember(isLine: boolean, color: string | undefined): Body {
  if (color === undefined) return {};
  return isLine ? { stroke_color: color } : { color };
}

const radiusMember = (shape: PlacedShape, radius: number | undefined): Body =>
  shape.kind === 'spot' && radius !== undefined ? { radius } : {};

function checkColumns({ name, key, color, radius }: Mapping, columns: readonly string[]): void {
  for (const [member, column] of Object.entries({ name, key, color: color?.column, radius: radius?.column }))
    if (column !== undefined && !columns.includes(column)) {
      const known = columns
        .slice(0, 20)
        .map((each) => `"${each.slice(0, 40)}"`)
        .join(', ');
      throw new ConvertError(
        'columns',
        `The file has no column "${column.slice(0, 40)}" for ${member}. Its columns are: ${known || 'none'}.`,
      );
    }
}

const textsOf = (placed: readonly PlacedItem[], column: string): (string | undefined)[] =>
  placed.filter(({ shapes }) => shapes.length > 0).map(({ item }) => item.values.get(column));

function radiusReader(
  { column, least = conversionDefaults.radius.least, most = conversionDefaults.radius.most }: NonNullable<Mapping['radius']>,
  placed: readonly PlacedItem[],
  data: FileData,
): (text: string | undefined) => number | undefined {
  const numberOf = numberReader(data, column);
  let greatest = 0;
  for (const text of textsOf(placed, column)) greatest = Math.max(greatest, numberOf(text) ?? 0);
  if (greatest === 0)
    throw new ConvertError('columns', `The column "${column}" has no numbers above 0: no radius can show them.`);
  return (text) => {
    const value = numberOf(text);
    return value === undefined ? undefined : Math.max(least, most * Math.sqrt(Math.max(0, value) / greatest));
  };
}

function nameOf({ item }: PlacedItem, mapping: Mapping): string {
  const name = mapping.name === undefined ? undefined : item.values.get(mapping.name)?.trim();
  return shortened(name || item.at, nameMax);
}

/** The key of an item; all its objects have it, with a number from the second on. */
function keyOf(placed: PlacedItem, mapping: Mapping, keys: Map<string, string>, notes: Notes): string | undefined {
  const { item, shapes } = placed;
  const text = mapping.key === undefined ? undefined : item.values.get(mapping.key)?.trim();
  if (mapping.key === undefined || (shapes.length === 0 && item.members === undefined)) return undefined;
  if (!text) {
    notes.add('no-key', item.at, `The column "${mapping.key}" is empty: the next import creates the object again.`);
    return undefined;
  }
  if (text.length > keyMax - 10)
    throw new ConvertError('columns', `The key in ${item.at} has more than ${keyMax - 10} characters. Choose another column.`);
  const labelled = item.row === undefined ? item.at : `"${nameOf(placed, mapping)}" (${item.at})`;
  const other = keys.get(text);
  if (other !== undefined)
    throw new ConvertError(
      'columns',
      `${other} and ${labelled} have one key, "${text}", in the column "${mapping.key}". Keys must differ: choose another column or correct the file.`,
    );
  keys.set(text, labelled);
  return text;
}

function popupOf({ item }: PlacedItem, { popupTitle, popupContent }: Mapping, columns: ReadonlySet<string>): Body[] {
  if (popupTitle === undefined && popupContent === undefined) return [];
  // The title of a popup is shown as text, its content as HTML.
  const title = fillTemplate(popupTitle ?? '', columns, item.values, (text) => text).trim();
  const content = fillTemplate(popupContent ?? '', columns, item.values, escapeHtml);
  // A title alone repeats the name of the object.
  const isEmpty = content.trim() === '' && (popupContent !== undefined || title === '');
  return isEmpty ? [] : [{ ...(title === '' ? {} : { title }), content }];
}

/** All that says where a shape is, also what is as usual: the shape of an object that is updated may have been another one. */
function placeOf(shape: PlacedShape): Body {
  if (shape.kind === 'spot') return { type: 'spot', ...shape.at };
  const holes = shape.kind === 'line' ? [] : shape.holes;
  return { type: 'poly', coords: shape.corners, closed: shape.kind !== 'line', holes };
}

function styleOf(shape: PlacedShape, given: PlacedItem['item']['style'] = {}): Body {
  if (shape.kind === 'spot') return { ...spotStyle, ...given, ...(shape.radius === undefined ? {} : { radius: shape.radius }) };
  if (shape.kind === 'poly') return { ...polyStyle, ...given };
  const { stroke_color, stroke_opacity } = given;
  return {
    ...lineStyle,
    ...(stroke_color === undefined ? {} : { stroke_color }),
    stroke_width: shape.width,
    ...(stroke_opacity === undefined ? {} : { stroke_opacity }),
  };
}

/** The body of an exported object: its members, and where they do not have the place, its geometry. */
function exportedBody(members: Body, shape: PlacedShape | undefined, color: string | undefined, key: string | undefined): Body {
  const place = shape === undefined ? {} : placeOf(shape);
  const body: Body = { ...unexported, ...place, ...members };
  const isLine = body['type'] === 'poly' && body['closed'] === false;
  return { ...body, ...colorMember(isLine, color), ...(key === undefined ? {} : { key }) };
}

/** Bodies of objects and popups, from placed shapes and the mapping. */
import { labelSizes } from '../../../lib/draw/public-map.ts';
import { escapeHtml } from '../../../lib/html/escape-html.ts';
import {
  type Body,
  type Column,
  ConvertError,
  type ConvertedCategory,
  type ConvertedObject,
  type ConvertedPopup,
  type KnownCategory,
  type LegendEntry,
  type Mapping,
} from '../conversion.ts';
import { conversionDefaults } from '../conversion-defaults.ts';
import type { Notes } from '../notes.ts';
import type { PlacedItem, PlacedShape } from '../place/place-items.ts';
import type { FileData, Item } from '../read/file-data.ts';
import { quoted, shortened } from '../short-text.ts';
import type { Slices } from '../slices.ts';
import { categoriesOf, ownColours } from './categories.ts';
import { numberReader } from './describe-columns.ts';
import { fillTemplate } from './fill-template.ts';
import { propertyReader } from './properties.ts';
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
  readonly categories: readonly ConvertedCategory[];
  /** Names of the properties. */
  readonly properties: readonly string[];
  /** Keys of rows that make no object. */
  readonly keysLeftOut: readonly string[];
}

/** Facts about the file and the project. */
interface Known {
  readonly columns: readonly Column[];
  readonly categories: readonly KnownCategory[];
}

/** @throws {ConvertError} "columns" if the mapping names a column that the file does not have, or two rows have one key */
export async function buildObjects(
  placed: readonly PlacedItem[],
  data: FileData,
  mapping: Mapping,
  known: Known,
  notes: Notes,
  slices: Slices,
): Promise<Built> {
  // The notes of a file without elements say more than a missing column.
  if (data.items.length > 0) checkColumns(mapping, data.columns);
  const readers = readersOf(placed, data, mapping, known, notes);
  const keys = new Map<string, string>();
  const drafts: Draft[] = [];
  const keysLeftOut: string[] = [];
  for (const [i, placedItem] of placed.entries()) {
    const { item, shapes } = placedItem;
    const key = keyOf(placedItem, mapping, readers.columns, keys, notes);
    const popups = item.popups ?? popupOf(placedItem, mapping, readers.columns);
    await slices.next(i / placed.length);
    if (item.members !== undefined) {
      const body = exportedBody(item.members, shapes[0], readers.colorOf(item), key);
      // Otherwise its geometry is off the map, as a note says.
      if (shapes.length === item.shapes.length)
        drafts.push({ object: { body, styles: [], row: item.row, at: item.at }, popups, rank: 0 });
      continue;
    }
    if (shapes.length === 0) {
      const left = mapping.key === undefined ? '' : (item.values.get(mapping.key)?.trim() ?? '');
      if (left !== '') keysLeftOut.push(left);
      continue;
    }
    const members = readers.membersOf(item);
    for (const [part, shape] of shapes.entries()) {
      const partKey = key === undefined || part === 0 ? key : `${key}/${part + 1}`;
      const style = styleOf(shape, item.style);
      const look = lookOf(shape, members.category, readers.hasOwnCategories ? item.style : undefined);
      const set = { ...look, ...members.body };
      if (members.color !== undefined) Object.assign(set, colorMember(shape.kind === 'line', members.color));
      if (members.radius !== undefined) Object.assign(set, radiusMember(shape, members.radius));
      const body = Object.assign(placeOf(shape), style, item.click, set, partKey === undefined ? undefined : { key: partKey });
      const styles = Object.keys(style).filter((name) => !(name in set));
      const looks = members.color === undefined ? Object.keys(look) : [];
      const object = { body, styles, ...(looks.length === 0 ? {} : { looks }), row: item.row, at: item.at };
      drafts.push({ object, popups, rank: ranks[shape.kind] });
    }
  }
  const isExport = data.items.some(({ members }) => members !== undefined);
  const { legend, categories, properties } = readers;
  const inRanks = isExport ? drafts : drafts.toSorted((one, other) => one.rank - other.rank);
  return { ...inOrder(inRanks), legend, categories, properties, keysLeftOut };
}

/** The members of an item that its columns set, by the mapping. */
function readersOf(placed: readonly PlacedItem[], data: FileData, mapping: Mapping, known: Known, notes: Notes) {
  const { color, category, radius } = mapping;
  const colors = color && valueColors(color, textsOf(placed, color.column), numberReader(data, color.column), notes);
  const radiusOf = radius && radiusReader(radius, placed, data);
  const hasOwnCategories = category !== undefined && category.column === data.category;
  const fromFile = hasOwnCategories ? ownColours(category.column, data.items) : [];
  const knownNames = new Set(known.categories.map(({ name }) => name));
  const named = [...known.categories, ...fromFile.filter(({ name }) => !knownNames.has(name))];
  const categories = category && categoriesOf(category, textsOf(placed, category.column), named, notes);
  const properties = propertyReader(data, mapping, known.columns, notes);
  const columns = new Set(data.columns);
  const colorOf = ({ values }: Item) => colors?.colorOf(values.get(color?.column ?? ''));
  const hasIcons = categories?.list.some(({ icon }) => icon !== '') === true;
  return {
    ...{
      columns,
      colorOf,
      hasOwnCategories,
      legend: colors?.legend,
      categories: categories?.list ?? [],
      properties: properties?.names ?? [],
    },
    membersOf: (item: Item) => {
      const of = categories?.of(item.values.get(category?.column ?? ''));
      return {
        color: colorOf(item),
        category: of && { color: of.color, ...(hasIcons ? { icon: of.icon } : {}) },
        radius: radiusOf?.(item.values.get(radius?.column ?? '')),
        body: {
          name: nameOf(item, mapping, columns),
          ...(of === undefined ? {} : { category: of.name }),
          ...(properties === undefined ? {} : { properties: properties.of(item) }),
        },
      };
    },
  };
}

/** The members of an object that follow its category. @param own style, which stays */
function lookOf(
  { kind }: PlacedShape,
  { color, icon }: { readonly color?: string | undefined; readonly icon?: string | undefined } = {},
  own: Item['style'] | undefined,
): Body {
  const look = { ...colorMember(kind === 'line', color), ...(icon === undefined ? {} : { icon }) };
  if (own === undefined) return look;
  return Object.fromEntries(Object.entries(look).filter(([name]) => own[name] === undefined));
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

function checkColumns({ name, key, category, fields = [], color, radius }: Mapping, columns: readonly string[]): void {
  const isTemplate = name !== undefined && fillTemplate(name, new Set(columns), new Map(), () => '') !== name;
  const mapped = { name: isTemplate ? undefined : name, key, category: category?.column, color: color?.column };
  const named = Object.entries({ ...mapped, radius: radius?.column });
  for (const [member, column] of [...named, ...fields.map((field) => ['a field', field.column] as const)])
    if (column !== undefined && !columns.includes(column)) {
      const known = quoted(columns, 20);
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

function nameOf(item: Item, { name = '' }: Mapping, columns: ReadonlySet<string>): string {
  const text = columns.has(name) ? item.values.get(name) : fillTemplate(name, columns, item.values, (value) => value);
  return shortened(text?.trim() || otherName(item) || item.at, nameMax);
}

/** A title where the name of a row is empty. */
const otherName = ({ values }: Item): string | undefined =>
  ['title', 'Title', 'label', 'Bezeichnung'].map((column) => values.get(column)?.trim()).find(Boolean);

/** The key of an item; all its objects have it, with a number from the second on. */
function keyOf(
  { item, shapes }: PlacedItem,
  mapping: Mapping,
  columns: ReadonlySet<string>,
  keys: Map<string, string>,
  notes: Notes,
): string | undefined {
  const text = mapping.key === undefined ? undefined : item.values.get(mapping.key)?.trim();
  if (mapping.key === undefined || (shapes.length === 0 && item.members === undefined)) return undefined;
  if (!text) {
    notes.add('no-key', item.at, `The column "${mapping.key}" is empty: the next import creates the object again.`);
    return undefined;
  }
  if (text.length > keyMax - 10)
    throw new ConvertError('columns', `The key in ${item.at} has more than ${keyMax - 10} characters. Choose another column.`);
  const labelled = item.row === undefined ? item.at : `"${nameOf(item, mapping, columns)}" (${item.at})`;
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
  const htmlOf = (text: string, column: string): string => item.contents?.get(column) ?? escapeHtml(text);
  const content = fillTemplate(popupContent ?? '', columns, item.values, htmlOf);
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

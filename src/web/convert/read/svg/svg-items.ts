/** The items that the shapes and texts of an SVG become, with their names. */
import type { Element } from '@xmldom/xmldom';
import type { Notes } from '../../notes.ts';
import { ColumnNames, type Item } from '../file-data.ts';
import { nameAt } from '../read-geojson.ts';
import type { DrawnShape, DrawnText, SvgReader } from './svg-drawing.ts';
import { labelsOf } from './svg-labels.ts';
import type { Size } from './svg-matrix.ts';
import { anyNameOf, childText } from './svg-names.ts';

interface Items {
  readonly items: readonly Item[];
  readonly columns: readonly string[];
  /** Elements that the background does not have: they became items or names. */
  readonly taken: readonly Element[];
}

/** A text as the console makes it: a spot of which only the name is visible. What is below it reacts to the pointer. */
const textLook = {
  ...{ radius: 10, pin: false, opacity: 0, hover_opacity: 0, stroke_width: 0, hover_stroke_width: 0 },
  ...{ label: 'always', interactive: false },
} as const;

/** Pixels of the longer side of a picture that a map shows at once, and sizes of texts in them. */
const shownSide = 1000;
const [textLeast, textMost] = [8, 48];

/** Yields from time to time. */
export function* itemsOf(reader: SvgReader, size: Size, notes: Notes): Generator<undefined, Items> {
  const columns = new ColumnNames(notes);
  const { names, labels, covered, used } = yield* labelsOf(reader.shapes, reader.texts, size);
  const items: Item[] = [];
  for (const [i, shape] of reader.shapes.entries()) {
    const values = columns.valuesOf(valuesOf(shape, names[i]));
    const label = labels.get(shape);
    const style = label === undefined ? shape.style : { ...shape.style, label };
    const { shapes, click } = shape;
    items.push({ at: nameAt(shape.number, values), values, shapes, style, ...(click === undefined ? {} : { click }) });
    yield;
  }
  const isShown = new Set(covered);
  const shown = reader.texts.filter((text) => isShown.has(text) || (text.isForeign && !used.has(text)));
  for (const [i, text] of shown.entries()) items.push(textItem(text, reader.count + i + 1, size, columns));
  const texts = reader.texts.filter((text) => isShown.has(text) || used.has(text));
  return { items, columns: columns.list(), taken: [...reader.shapes, ...texts].map(({ owner }) => owner) };
}

function textItem(
  { text, owner, layer, centre, size, click }: DrawnText,
  number: number,
  picture: Size,
  columns: ColumnNames,
): Item {
  const values = columns.valuesOf({ name: text, id: owner.getAttribute('id') || undefined, layer });
  const shown = size * Math.min(1, shownSide / Math.max(picture.width, picture.height));
  const label_size = Math.round(Math.min(textMost, Math.max(textLeast, shown)));
  return {
    ...{ at: nameAt(number, values), values, shapes: [{ kind: 'point', at: [centre.x, centre.y] }] },
    style: { ...textLook, label_size },
    ...(click === undefined ? {} : { click }),
  };
}

function valuesOf({ element, owner, layer }: DrawnShape, name: string | undefined): Record<string, unknown> {
  const data: [string, string][] = [];
  const { attributes } = element;
  for (let i = 0; i < attributes.length; i++) {
    const attribute = attributes[i] as { name: string; value: string };
    if (attribute.name.startsWith('data-') && attribute.name !== 'data-name')
      data.push([attribute.name.slice(5), attribute.value]);
  }
  return {
    name: name ?? anyNameOf(owner) ?? anyNameOf(element),
    id: owner.getAttribute('id') ?? undefined,
    layer,
    class: element.getAttribute('class') ?? undefined,
    description: childText(owner, 'desc'),
    ...Object.fromEntries(data),
  };
}

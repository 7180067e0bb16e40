/** Reads SVG: each shape becomes an item, and the rest of the picture a background. */
import type { Element } from '@xmldom/xmldom';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';
import { ColumnNames, type FileData, type Item, type Shape } from '../file-data.ts';
import { nameAt } from '../read-geojson.ts';
import { childElements, parseXml } from '../xml/parse-xml.ts';
import { backgroundOf, cleanSvg, linkOf } from './svg-background.ts';
import { lengthOf, type Matrix, matrixOf, multiply, type Viewport, viewportOf } from './svg-matrix.ts';
import { cornersMax, type Outline, outerRings, outlinesOf, pathOf, tooManyCorners } from './svg-outline.ts';
import { type Declared, isHidden, type Paint, paintOf, type Rules, rulesOf, styleIn } from './svg-style.ts';

/** More are a drawing, not rooms that people point at; a small file can name many by `use`. */
const shapesMax = 20_000;
/** Characters of all paths, each as often as it is used. */
const pathCharactersMax = 8 * 1024 * 1024;
/** Elements in elements; deeper ones are left out. */
const depthMax = 100;
const groups = new Set('svg g a switch'.split(' '));
const shapeNames = new Set('path rect circle ellipse line polyline polygon'.split(' '));
const inkscape = 'http://www.inkscape.org/namespaces/inkscape';

/** What applies to an element from outside. */
interface Context {
  readonly matrix: Matrix;
  readonly style: Declared;
  readonly viewport: Viewport;
  readonly layer: string | undefined;
  readonly depth: number;
  /** Elements `use` around it. */
  readonly uses: readonly Element[];
}

export async function readSvg(
  text: string,
  tolerance: (size: FileData['size']) => number,
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  const document = parseXml(text);
  const root = document.documentElement as Element;
  cleanSvg(root, notes);
  const viewport = viewportOf(root, undefined);
  const size = { width: viewport.width, height: viewport.height };
  const reader = new SvgReader(root, tolerance(size), notes);
  let done = 0;
  for (const _ of reader.read(viewport)) await slices.next(Math.min(0.99, done++ / 5000));
  const background = withinDepth(() => backgroundOf(document, reader.converted, size), notes);
  return {
    unit: 'pixels',
    items: reader.items,
    columns: reader.columns.list(),
    read: reader.count,
    size,
    ...(background === undefined ? {} : { background }),
  };
}

/** What is made of a document, unless its elements are nested too deeply to be written. */
function withinDepth<T>(make: () => T, notes: Notes): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    notes.leaveOut('depth', '', 'The rest of the picture is nested too deeply for a background.');
    return undefined;
  }
}

class SvgReader {
  readonly items: Item[] = [];
  readonly columns: ColumnNames;
  readonly converted: Element[] = [];
  /** Shapes, with those that were left out. */
  count = 0;
  /** Of the paths and outlines read so far, each time that they are used. */
  #characters = 0;
  #corners = 0;
  readonly #root: Element;
  readonly #tolerance: number;
  readonly #notes: Notes;
  readonly #byId = new Map<string, Element>();
  readonly #rules: Rules;

  constructor(root: Element, tolerance: number, notes: Notes) {
    this.#root = root;
    this.#tolerance = tolerance;
    this.#notes = notes;
    this.columns = new ColumnNames(notes);
    const sheets: string[] = [];
    const waiting: Element[] = [root];
    for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
      const id = element.getAttribute('id');
      if (id && !this.#byId.has(id)) this.#byId.set(id, element);
      if (element.localName === 'style') sheets.push(element.textContent ?? '');
      for (const child of childElements(element)) waiting.push(child);
    }
    this.#rules = rulesOf(sheets);
  }

  read(viewport: Viewport): Generator<undefined> {
    const style = styleIn({}, this.#root, this.#rules);
    return this.#children(this.#root, { matrix: viewport.matrix, style, viewport, layer: undefined, depth: 0, uses: [] });
  }

  /** Yields after each shape. */
  *#children(parent: Element, context: Context): Generator<undefined> {
    if (context.depth > depthMax) {
      this.#notes.leaveOut(
        'depth',
        nameAt(this.items.length, new Map()),
        `Elements nested deeper than ${depthMax} are left out.`,
      );
      return;
    }
    for (const child of [...childElements(parent)]) yield* this.#element(child, context);
  }

  *#element(element: Element, outer: Context): Generator<undefined> {
    const name = element.localName ?? '';
    const isShape = shapeNames.has(name);
    if (!isShape && !groups.has(name) && name !== 'use') return;
    const style = styleIn(outer.style, element, this.#rules);
    if (isHidden(style) && (isShape || style.display === 'none')) {
      this.#notes.leaveOut('hidden', labelOf(element) ?? `<${name}>`, 'It is hidden in the picture.');
      return;
    }
    const matrix = multiply(outer.matrix, matrixOf(element.getAttribute('transform') ?? ''));
    const context = { ...outer, style, matrix, depth: outer.depth + 1 };
    if (isShape) {
      this.#shape(element, context);
      yield;
    } else if (name === 'use') yield* this.#use(element, context);
    else
      yield* this.#children(
        element,
        name === 'svg' ? innerViewport(element, context) : { ...context, layer: layerOf(element) ?? outer.layer },
      );
  }

  *#use(element: Element, context: Context): Generator<undefined> {
    const target = this.#byId.get((linkOf(element) ?? '').trim().slice(1));
    if (target === undefined || context.uses.includes(element) || context.uses.length > 8) {
      this.#notes.leaveOut(
        'use',
        labelOf(element) ?? '<use>',
        'It uses an element that is not in the file, or that uses itself.',
      );
      return;
    }
    const [x, y] = ['x', 'y'].map((name) => Number.parseFloat(element.getAttribute(name) ?? '0') || 0) as [number, number];
    const inner = { ...context, matrix: multiply(context.matrix, [1, 0, 0, 1, x, y]), uses: [...context.uses, element] };
    if (target.localName === 'symbol') yield* this.#children(target, innerViewport(target, inner));
    else yield* this.#element(target, inner);
  }

  #shape(element: Element, { matrix, style, viewport, layer, uses }: Context): void {
    if (++this.count > shapesMax) throw new ConvertError('too-large', `The picture has more than ${shapesMax} shapes. Split it.`);
    const own = uses[0] ?? element;
    const values = this.columns.valuesOf(valuesOf(element, own, layer));
    const at = nameAt(this.count, values);
    const [paint, stroke] = (['fill', 'stroke'] as const).map((kind) => paintOf(style, kind, (id) => this.#gradientColor(id)));
    const fill = element.localName === 'line' ? undefined : paint;
    const given = (lengthOf(style['stroke-width'] ?? '1', viewport.width) ?? 1) * scaleOf(matrix);
    const width = Number.isFinite(given) ? Math.max(0, given) : 0;
    const d = pathOf(element, viewport);
    if (d === undefined) return;
    if (fill === undefined && (stroke === undefined || width === 0)) {
      this.#notes.leaveOut('invisible', at, 'It has neither fill nor outline.');
      return;
    }
    this.#characters += d.length;
    if (this.#characters > pathCharactersMax)
      throw new ConvertError(
        'too-large',
        `The paths of the picture have more than ${pathCharactersMax} characters. Simplify or split it.`,
      );
    const { outlines, isCut } = outlinesOf(d, matrix, this.#tolerance);
    this.#corners += outlines.reduce((sum, { points }) => sum + points.length, 0);
    if (this.#corners > cornersMax) throw new ConvertError('too-large', tooManyCorners);
    if (isCut) this.#notes.add('path', at, 'Its path has an error; the part before it is used.');
    const circle = element.localName === 'circle' ? circleOf(element, matrix, viewport) : undefined;
    const shapes = circle === undefined ? shapesOf(outlines, style, fill !== undefined, width) : [circle];
    if (shapes.length === 0) {
      this.#notes.leaveOut('bad-geometry', at, 'It has too few corners, or coordinates that are no numbers.');
      return;
    }
    this.items.push({ at, values, shapes, style: styleOfPaints(fill, stroke, width) });
    this.converted.push(own);
  }

  /** The first colour of a gradient, also of one that it refers to. */
  #gradientColor(id: string, depth = 0): string | undefined {
    const gradient = this.#byId.get(id);
    if (gradient === undefined || depth > 5) return undefined;
    for (const stop of childElements(gradient)) {
      if (stop.localName !== 'stop') continue;
      const inStyle = /(?:^|;)\s*stop-color\s*:\s*([^;]+)/.exec(stop.getAttribute('style') ?? '')?.[1];
      return (inStyle ?? stop.getAttribute('stop-color') ?? 'black').trim();
    }
    return this.#gradientColor((linkOf(gradient) ?? '').trim().slice(1), depth + 1);
  }
}

function innerViewport(element: Element, context: Context): Context {
  const viewport = viewportOf(element, context.viewport);
  const [x, y] = ['x', 'y'].map((name) => Number.parseFloat(element.getAttribute(name) ?? '0') || 0) as [number, number];
  return { ...context, viewport, matrix: multiply(multiply(context.matrix, [1, 0, 0, 1, x, y]), viewport.matrix) };
}

const layerOf = (element: Element): string | undefined =>
  element.getAttributeNS(inkscape, 'groupmode') === 'layer'
    ? (element.getAttributeNS(inkscape, 'label') ?? undefined)
    : undefined;

/** The text of the child `title`, the label of Inkscape, or the id. */
function labelOf(element: Element): string | undefined {
  return childText(element, 'title') || element.getAttributeNS(inkscape, 'label') || element.getAttribute('id') || undefined;
}

function childText(element: Element, name: string): string | undefined {
  for (const child of childElements(element)) if (child.localName === name) return child.textContent?.trim().slice(0, 10_000);
  return undefined;
}

/** @param own the element `use`, if the element is used */
function valuesOf(element: Element, own: Element, layer: string | undefined): Record<string, unknown> {
  const data = [...element.attributes].filter(({ name }) => name.startsWith('data-') && name !== 'data-name');
  return {
    name: labelOf(own) ?? labelOf(element),
    id: own.getAttribute('id') ?? undefined,
    layer,
    class: element.getAttribute('class') ?? undefined,
    description: childText(own, 'desc'),
    ...Object.fromEntries(data.map(({ name, value }) => [name.slice(5), value])),
  };
}

const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c));

/** A circle that the matrix leaves round. */
function circleOf(element: Element, matrix: Matrix, viewport: Viewport): Shape | undefined {
  const [a, b, c, d, e, f] = matrix;
  const scale = scaleOf(matrix);
  const isRound = Math.abs(a * c + b * d) < 1e-6 * scale * scale && Math.abs(Math.hypot(a, b) - Math.hypot(c, d)) < 1e-6 * scale;
  const box = outlinesOf(pathOf(element, viewport) ?? '', [1, 0, 0, 1, 0, 0], 1).outlines[0]?.points;
  if (!isRound || box === undefined) return undefined;
  const xs = box.map(([x]) => x);
  const ys = box.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return { kind: 'circle', at: [a * x + c * y + e, b * x + d * y + f], radius: ((right - left) / 2) * scale };
}

/** A fill closes all outlines; without one, those that are open are lines. */
function shapesOf(outlines: readonly Outline[], style: Declared, isFilled: boolean, width: number): Shape[] {
  const rule = isFilled && style['fill-rule'] !== 'evenodd' ? 'nonzero' : 'evenodd';
  const rings = outerRings(isFilled ? outlines : outlines.filter(({ isClosed }) => isClosed), rule);
  const lines = isFilled ? [] : outlines.filter(({ isClosed }) => !isClosed);
  return [
    ...rings.map(({ ring, holes }): Shape => ({ kind: 'ring', ring, holes })),
    ...lines.map(({ points }): Shape => ({ kind: 'line', line: points, width })),
  ];
}

function styleOfPaints(fill: Paint | undefined, stroke: Paint | undefined, width: number): NonNullable<Item['style']> {
  return {
    color: fill?.color ?? stroke?.color ?? '#000000',
    opacity: fill?.opacity ?? 0,
    ...(stroke === undefined || width === 0
      ? { stroke_width: 0 }
      : { stroke_color: stroke.color, stroke_width: width, stroke_opacity: stroke.opacity }),
  };
}

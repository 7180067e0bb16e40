/** Walks through the elements of an SVG, with the transformations and styles around them, and collects its shapes and texts. */
import type { Element } from '@xmldom/xmldom';
import { type Box, cornersBox, union } from '../../../../lib/geo/polygon.ts';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { Item, Shape } from '../file-data.ts';
import { childElements } from '../xml/parse-xml.ts';
import { linkOf, placeOf } from './svg-background.ts';
import { BoundsFinder, boxOf } from './svg-bounds.ts';
import type { NamedGroup, Unnamed } from './svg-labels.ts';
import { lengthOf, type Matrix, moved, multiply, type Size, scaleOf, type Viewport, viewportOf } from './svg-matrix.ts';
import { anyNameOf, layerOf, nameOf } from './svg-names.ts';
import { circleOf, cornersMax, type Outline, outerRings, outlinesOf, pathOf, tooManyCorners } from './svg-outline.ts';
import { isHidden, type Paint, paintOf, type Style, Styles } from './svg-style.ts';
import { foreignTextOf, type PlacedText, textOf } from './svg-texts.ts';
import { matrixIn } from './svg-transform.ts';

/** More are a drawing, not rooms that people point at; a small file can name many by `use`. */
const shapesMax = 20_000;
/** More are no labels. */
const textsMax = 5000;
/** Characters of all paths, each as often as it is used. */
const pathCharactersMax = 8 * 1024 * 1024;
/** Elements that are looked at, each as often as it is used. */
const visitsMax = 500_000;
/** Elements in elements; deeper ones are left out. */
const depthMax = 100;
const groups = new Set('svg g a switch'.split(' '));
const shapeNames = new Set('path rect circle ellipse line polyline polygon'.split(' '));
const others = new Set('use text image foreignObject'.split(' '));

export type Click = NonNullable<Item['click']>;

/** A picture, and what was in it before it was cleaned. */
export interface Drawing {
  readonly root: Element;
  readonly sheets: readonly string[];
  readonly clicks: ReadonlyMap<Element, Click>;
  /** Elements that the background does not have. */
  readonly removed: Set<Element>;
}

/** Facts around an element that apply to it. */
interface Context {
  readonly matrix: Matrix;
  readonly style: Style;
  readonly view: Size;
  readonly layer: string | undefined;
  readonly group: NamedGroup | undefined;
  readonly click: Click | undefined;
  readonly depth: number;
  /** Elements `use` around it, and what the first one shows. */
  readonly uses: readonly Element[];
  readonly target: Element | undefined;
}

/** A shape, or a text, of which the rest of the picture is the background. */
interface Taken {
  /** The element itself, or that which uses it. */
  readonly owner: Element;
  readonly layer: string | undefined;
  readonly click: Click | undefined;
}

export interface DrawnShape extends Unnamed, Taken {
  /** Its number in the picture, from 1. */
  readonly number: number;
  readonly element: Element;
  readonly style: NonNullable<Item['style']>;
}

export interface DrawnText extends PlacedText, Taken {
  /** True for HTML, which no background has. */
  readonly isForeign: boolean;
}

export class SvgReader {
  readonly shapes: DrawnShape[] = [];
  readonly texts: DrawnText[] = [];
  /** Shapes, with those that were left out. */
  count = 0;
  /** The box around everything that is drawn. */
  bounds: Box | undefined;
  /** Characters and corners of the paths and outlines read so far, each time that they are used. */
  #characters = 0;
  #corners = 0;
  readonly #drawing: Drawing;
  readonly #tolerance: number;
  readonly #notes: Notes;
  readonly #byId = new Map<string, Element>();
  readonly #styles: Styles;
  readonly #bounds: BoundsFinder;
  #visits = 0;

  /** @param tolerance pixels between a curve and its lines, at most */
  constructor(drawing: Drawing, tolerance: number, notes: Notes) {
    this.#drawing = drawing;
    this.#tolerance = tolerance;
    this.#notes = notes;
    this.#styles = new Styles(drawing.sheets);
    this.#bounds = new BoundsFinder(this.#styles);
    const waiting: Element[] = [drawing.root];
    for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
      const id = element.getAttribute('id');
      if (id && !this.#byId.has(id)) this.#byId.set(id, element);
      for (const child of childElements(element)) waiting.push(child);
    }
  }

  /** Yields after each shape. */
  *read({ matrix, ...view }: Viewport): Generator<undefined> {
    const style = this.#styles.of({}, this.#drawing.root);
    const nothing = { layer: undefined, group: undefined, click: undefined, target: undefined };
    yield* this.#children(this.#drawing.root, { ...nothing, matrix, style, view, depth: 0, uses: [] });
    this.#styles.report(this.#notes);
  }

  *#children(parent: Element, context: Context): Generator<undefined> {
    if (context.depth > depthMax) {
      this.#notes.leaveOut('depth', placeOf(parent), `Elements nested deeper than ${depthMax} are left out.`);
      return;
    }
    if (parent.localName === 'switch') yield* this.#choice(parent, context);
    else
      for (const child of childElements(parent)) {
        if (++this.#visits > visitsMax)
          throw new ConvertError(
            'too-large',
            `The picture has more than ${visitsMax} elements, with those that are used again. Split it.`,
          );
        if (!this.#drawing.removed.has(child) || child.localName === 'foreignObject') yield* this.#element(child, context);
      }
  }

  /** Browsers show one element of a `switch`. */
  *#choice(parent: Element, context: Context): Generator<undefined> {
    const drawn = [...childElements(parent)].filter(({ localName }) => isDrawn(localName ?? ''));
    const shown = drawn.find(
      (each) =>
        !each.getAttribute('systemLanguage') &&
        !each.getAttribute('requiredExtensions') &&
        (each.localName !== 'foreignObject' || this.#foreignText(each, context) !== undefined),
    );
    for (const each of drawn) if (each !== (shown ?? drawn[0])) this.#drawing.removed.add(each);
    const chosen = shown ?? drawn.find(({ localName }) => localName !== 'foreignObject');
    if (chosen !== undefined) yield* this.#element(chosen, context);
  }

  *#element(element: Element, outer: Context): Generator<undefined> {
    const name = element.localName ?? '';
    if (!isDrawn(name)) return;
    const isShape = shapeNames.has(name);
    const style = this.#styles.of(outer.style, element);
    if (isHidden(style) && (isShape || style.display === 'none')) {
      // Hidden texts and pictures stay in the background, as hidden as they are.
      if (!others.has(name) || name === 'use')
        this.#notes.leaveOut('hidden', anyNameOf(element) ?? `<${name}>`, 'It is hidden in the picture.');
      return;
    }
    const own = matrixIn(style, { x: 0, y: 0, ...outer.view }, () => this.#bounds.find(element, outer.view));
    const context = { ...outer, style, matrix: multiply(outer.matrix, own), depth: outer.depth + 1 };
    if (isShape) {
      this.#shape(element, context);
      yield;
    } else if (name === 'use') yield* this.#use(element, context);
    else if (name === 'image') this.#add(imageBox(element, context));
    else if (groups.has(name)) yield* this.#children(element, this.#inGroup(element, context));
    else this.#text(element, context);
  }

  #inGroup(element: Element, context: Context): Context {
    const inner = element.localName === 'svg' ? this.#inViewport(element, context, element) : context;
    const layer = layerOf(element);
    const name = layer === undefined ? nameOf(element) : undefined;
    const click = this.#drawing.clicks.get(element) ?? context.click;
    const group = layer === undefined ? context.group : undefined;
    return {
      ...inner,
      click,
      layer: layer ?? context.layer,
      group: name === undefined || context.depth === 0 ? group : { name, outer: group },
    };
  }

  /** @param sized the element that says the size: itself, or `use` */
  #inViewport(element: Element, context: Context, sized: Element): Context {
    const { view, matrix } = context;
    const side = (name: 'width' | 'height'): number =>
      lengthOf(sized.getAttribute(name), view[name]) ?? lengthOf(element.getAttribute(name), view[name]) ?? view[name];
    const { matrix: inner, ...size } = viewportOf(element, { width: side('width'), height: side('height') });
    return { ...context, view: size, matrix: multiply(multiply(matrix, shiftOf(element, view)), inner) };
  }

  *#use(element: Element, context: Context): Generator<undefined> {
    const target = this.#byId.get((linkOf(element) ?? '').trim().slice(1));
    if (target === undefined || context.uses.includes(element) || context.uses.length > 8) {
      const detail = 'It uses an element that is not in the file, or that uses itself.';
      this.#notes.leaveOut('use', anyNameOf(element) ?? '<use>', detail);
      return;
    }
    const inner = {
      ...context,
      matrix: multiply(context.matrix, shiftOf(element, context.view)),
      uses: [...context.uses, element],
      target: context.target ?? target,
    };
    if (target.localName !== 'symbol' && target.localName !== 'svg') yield* this.#element(target, inner);
    else {
      const style = this.#styles.of(context.style, target);
      if (style.display !== 'none') yield* this.#children(target, this.#inViewport(target, { ...inner, style }, element));
    }
  }

  #shape(element: Element, { matrix, style, view, layer, uses, group, click, target }: Context): void {
    if (++this.count > shapesMax) throw new ConvertError('too-large', `The picture has more than ${shapesMax} shapes. Split it.`);
    const owner = uses[0] ?? element;
    const d = pathOf(element, view);
    if (d === undefined) return;
    const at = (): string => `element ${this.count}${nameAfter(anyNameOf(owner) ?? anyNameOf(element))}`;
    const [paint, outline] = (['fill', 'stroke'] as const).map((kind) => paintOf(style, kind, (id) => this.#serverOf(id)));
    const fill = element.localName === 'line' ? undefined : paint;
    const stroke = outline === 'pattern' ? { color: '#9ca3af', opacity: 1 } : outline;
    const scale = style['vector-effect'] === 'non-scaling-stroke' ? 1 : scaleOf(matrix);
    const given = (lengthOf(style['stroke-width'] ?? '1', Math.hypot(view.width, view.height) / Math.SQRT2) ?? 1) * scale;
    const width = Number.isFinite(given) ? Math.max(0, given) : 0;
    if (fill === undefined && (stroke === undefined || width === 0)) {
      this.#notes.leaveOut('invisible', at(), 'It has neither fill nor outline.');
      return;
    }
    const outlines = this.#outlines(d, matrix, at);
    const box = boxOf(outlines);
    this.#add(box);
    if (fill === 'pattern') {
      this.#notes.leaveOut('pattern', at(), 'A pattern or a picture fills it: it stays in the background.');
      return;
    }
    const circle = element.localName === 'circle' ? circleOf(element, matrix, view) : undefined;
    const shapes = circle === undefined ? shapesOf(outlines, style, fill !== undefined, width) : [circle];
    if (shapes.length === 0 || box === undefined) {
      this.#notes.leaveOut('bad-geometry', at(), 'It has too few corners, or coordinates that are no numbers.');
      return;
    }
    const weak = target === undefined ? undefined : (nameOf(target) ?? nameOf(element));
    const names = { own: nameOf(owner), weak, group };
    const look = { style: styleOfPaints(fill, stroke, width), shapes, box };
    this.shapes.push({ ...names, ...look, number: this.count, element, owner, layer, click });
  }

  #outlines(d: string, matrix: Matrix, at: () => string): readonly Outline[] {
    this.#characters += d.length;
    if (this.#characters > pathCharactersMax) {
      const most = `${pathCharactersMax} characters`;
      throw new ConvertError('too-large', `The paths of the picture have more than ${most}. Simplify or split it.`);
    }
    const { outlines, isCut } = outlinesOf(d, matrix, this.#tolerance);
    for (const { points } of outlines) this.#corners += points.length;
    if (this.#corners > cornersMax) throw new ConvertError('too-large', tooManyCorners);
    if (isCut) this.#notes.add('path', at(), 'Its path has an error; the part before it is used.');
    return outlines;
  }

  #text(element: Element, context: Context): void {
    const { style, matrix, view, uses, layer, click } = context;
    const isForeign = element.localName === 'foreignObject';
    const paints = (['fill', 'stroke'] as const).map((kind) => paintOf(style, kind, (id) => this.#serverOf(id)));
    const isVisible = isForeign || paints.some((paint) => paint === 'pattern' || (paint?.opacity ?? 0) > 0);
    if (isHidden(style) || !isVisible || this.texts.length > textsMax) return;
    const text = isForeign ? this.#foreignText(element, context) : textOf(element, style, matrix, view);
    if (isForeign && text === undefined)
      this.#notes.leaveOut('script', placeOf(element), '<foreignObject> is left out: the picture may not run or load anything.');
    if (text === undefined) return;
    const { x, y } = text.centre;
    this.#add({ left: x, right: x, top: y, bottom: y });
    if (this.texts.length === textsMax)
      this.#notes.add('texts', '', `More than ${textsMax} texts: the others stay in the background.`);
    this.texts.push({ ...text, owner: uses[0] ?? element, layer, click, isForeign });
  }

  #foreignText(element: Element, { style, matrix, view }: Context): PlacedText | undefined {
    return foreignTextOf(element, this.#styles.of(style, element), matrix, view);
  }

  #add(box: Box | undefined): void {
    if (box !== undefined) this.bounds = this.bounds === undefined ? box : union(this.bounds, box);
  }

  /** The first colour of a gradient, also of one that it refers to; or a pattern. */
  #serverOf(id: string, depth = 0): string | 'pattern' | undefined {
    const server = this.#byId.get(id);
    if (server === undefined || depth > 5) return undefined;
    if (server.localName === 'pattern') return 'pattern';
    for (const stop of childElements(server)) {
      if (stop.localName !== 'stop') continue;
      const { color, 'stop-color': stopColor = 'black' } = this.#styles.of({}, stop);
      return /^currentcolor$/i.test(stopColor) ? (color ?? 'black') : stopColor;
    }
    return this.#serverOf((linkOf(server) ?? '').trim().slice(1), depth + 1);
  }
}

const isDrawn = (name: string): boolean => shapeNames.has(name) || groups.has(name) || others.has(name);

const nameAfter = (name: string | undefined): string => (name === undefined ? '' : `, ${name.slice(0, 60)}`);

const shiftOf = (element: Element, { width, height }: Size): Matrix => [
  ...([1, 0, 0, 1] as const),
  lengthOf(element.getAttribute('x'), width) ?? 0,
  lengthOf(element.getAttribute('y'), height) ?? 0,
];

function imageBox(element: Element, { view, matrix }: Context): Box | undefined {
  const across = (name: string): number => lengthOf(element.getAttribute(name), view.width) ?? 0;
  const down = (name: string): number => lengthOf(element.getAttribute(name), view.height) ?? 0;
  const [x, y] = [across('x'), down('y')];
  const corners = [x, x + across('width')].flatMap((left) => [y, y + down('height')].map((top) => moved(matrix, left, top)));
  const pixels = corners.map(([left, top]) => ({ x: left, y: top }));
  return pixels.every((pixel) => Number.isFinite(pixel.x + pixel.y)) ? cornersBox(pixels) : undefined;
}

/** A fill closes all outlines; without one, those that are open are lines. */
function shapesOf(outlines: readonly Outline[], style: Style, isFilled: boolean, width: number): Shape[] {
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

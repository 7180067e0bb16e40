/** Texts of SVG: what they say, and where. */
import type { Element, Node } from '@xmldom/xmldom';
import type { Pixel } from '../../../../lib/geo/geo.ts';
import { childElements, isElement } from '../xml/parse-xml.ts';
import { lengthOf, type Matrix, moved, type Size } from './svg-matrix.ts';
import { fontSizeOf, type Style } from './svg-style.ts';

export interface PlacedText {
  readonly text: string;
  /** Where the text begins, ends or has its middle, as it says; in pixels. */
  readonly anchor: Pixel;
  readonly centre: Pixel;
  /** Size of its letters, in pixels. */
  readonly size: number;
}

/** Width of a letter, and the height of its middle above the line, on average; in sizes of the font. */
const letterWidth = 0.55;
const middleHeight = 0.35;
/** Characters of a text, and elements in elements of it. */
const textMax = 2000;
const depthMax = 20;

interface Line {
  text: string;
  readonly x: number;
  readonly y: number;
  /** To the last letter whose place is given. */
  readonly width: number;
}

/** The lines of an element `text`: an element `tspan` with a place of its own begins one. */
class Lines {
  readonly lines: Line[] = [];
  readonly #view: Size;
  readonly #font: number;
  #hasPath = false;

  constructor(view: Size, font: number) {
    this.#view = view;
    this.#font = font;
  }

  get areOnPath(): boolean {
    return this.#hasPath;
  }

  read(element: Element, depth = 0): void {
    if (element.localName === 'textPath') this.#hasPath = true;
    const [x, y] = [this.#numbers(element, 'x', this.#view.width), this.#numbers(element, 'y', this.#view.height)];
    const [dx = 0] = this.#numbers(element, 'dx', this.#view.width);
    const [dy = 0] = this.#numbers(element, 'dy', this.#view.height);
    const last = this.lines.at(-1);
    if (last === undefined || x.length > 0 || y.length > 0 || dy !== 0) {
      const width = x.length > 1 ? Math.max(...x) - Math.min(...x) : 0;
      this.lines.push({ text: '', x: (x[0] ?? last?.x ?? 0) + dx, y: (y[0] ?? last?.y ?? 0) + dy, width });
    }
    for (let node: Node | null = element.firstChild; node !== null; node = node.nextSibling) {
      const line = this.lines.at(-1) as Line;
      if (isElement(node)) {
        if (/^(?:tspan|a|textPath|tref)$/.test(node.localName ?? '') && depth < depthMax) this.read(node, depth + 1);
      } else if ((node.nodeType === 3 || node.nodeType === 4) && line.text.length < textMax)
        line.text += (node.nodeValue ?? '').slice(0, textMax);
    }
  }

  #numbers(element: Element, name: string, whole: number): number[] {
    const text = element.getAttribute(name)?.trim().slice(0, 5000);
    if (!text) return [];
    const factor = (each: string): number | undefined =>
      /em$/i.test(each) ? Number.parseFloat(each) * this.#font : lengthOf(each, whole);
    return text
      .split(/[\s,]+/)
      .map(factor)
      .filter((number) => number !== undefined);
  }
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** @param view what percentages refer to @returns `undefined` for a text without letters, and for one along a path */
export function textOf(element: Element, style: Style, matrix: Matrix, view: Size): PlacedText | undefined {
  const font = fontSizeOf(style);
  const lines = new Lines(view, font);
  lines.read(element);
  const filled = lines.lines.map((line) => ({ ...line, text: collapsed(line.text) })).filter(({ text }) => text !== '');
  const [first] = filled;
  if (lines.areOnPath || first === undefined) return undefined;
  const width = Math.max(...filled.map((line) => Math.max(line.width, line.text.length * letterWidth * font)));
  const shift = { middle: 0, end: -width / 2 }[style['text-anchor'] ?? ''] ?? width / 2;
  const y = (first.y + (filled.at(-1) as Line).y) / 2 - riseOf(style) * font;
  return placed(filled.map(({ text }) => text).join(' '), [first.x, y], [first.x + shift, y], font, matrix);
}

/** The height of the middle of letters above the line. */
function riseOf(style: Style): number {
  const line = style['dominant-baseline'] ?? '';
  if (/^(?:middle|central)$/.test(line)) return 0;
  return /hanging|before|text-top/.test(line) ? -middleHeight : middleHeight;
}

function placed(text: string, anchor: readonly number[], centre: readonly number[], font: number, matrix: Matrix) {
  const [[ax, ay], [x, y]] = [anchor, centre].map((point) => moved(matrix, point[0] as number, point[1] as number)) as [
    readonly [number, number],
    readonly [number, number],
  ];
  const size = font * Math.hypot(matrix[2], matrix[3]);
  if (![ax, ay, x, y, size].every(Number.isFinite)) return undefined;
  return { text: text.slice(0, textMax), anchor: { x: ax, y: ay }, centre: { x, y }, size };
}

/**
 * The text of HTML in a picture, which draw.io, Lucidchart and others write: where the element is, or what stands beside it for programs that
 * show no HTML.
 *
 * @returns `undefined` if it has no letters or no place
 */
export function foreignTextOf(element: Element, style: Style, matrix: Matrix, view: Size): PlacedText | undefined {
  const text = collapsed(htmlText(element));
  if (text === '') return undefined;
  const font = fontSizeOf(style);
  const isWhole = /%/.test(element.getAttribute('width') ?? '');
  const centre = isWhole ? (besideCentre(element, style, view) ?? paddedCentre(element)) : boxCentre(element, view);
  return centre === undefined ? undefined : placed(text, centre, centre, font, matrix);
}

function htmlText(node: Node, depth = 0): string {
  if (node.nodeType === 3 || node.nodeType === 4) return node.nodeValue ?? '';
  const name = isElement(node) ? (node.localName ?? '') : '';
  if (depth > depthMax || /^(?:script|style)$/i.test(name)) return '';
  let text = '';
  for (let child = node.firstChild; child !== null && text.length < textMax; child = child.nextSibling)
    text += htmlText(child, depth + 1);
  return /^(?:div|p|br|li|tr|td|h\d)$/i.test(name) ? ` ${text} ` : text;
}

function boxCentre(element: Element, { width, height }: Size): readonly [number, number] | undefined {
  const side = (name: string, whole: number): number => lengthOf(element.getAttribute(name), whole) ?? 0;
  const [w, h] = [side('width', width), side('height', height)];
  return w > 0 && h > 0 ? [side('x', width) + w / 2, side('y', height) + h / 2] : undefined;
}

/** The centre of the text or picture that stands in a `switch` with the HTML. */
function besideCentre(element: Element, style: Style, view: Size): readonly [number, number] | undefined {
  const parent = element.parentNode;
  if (!isElement(parent) || parent.localName !== 'switch') return undefined;
  for (const other of childElements(parent)) {
    if (other.localName === 'image') return boxCentre(other, view);
    const anchor = other.getAttribute('text-anchor');
    const own = anchor === null ? style : { ...style, 'text-anchor': anchor };
    const { centre } = (other.localName === 'text' ? textOf(other, own, [1, 0, 0, 1, 0, 0], view) : undefined) ?? {};
    if (centre !== undefined) return [centre.x, centre.y];
  }
  return undefined;
}

/** Places HTML as draw.io does in an element that is as large as the picture: by margins of the text in the middle of its lines. */
function paddedCentre(element: Element): readonly [number, number] | undefined {
  for (const child of childElements(element)) {
    const css = child.getAttribute('style')?.slice(0, 2000) ?? '';
    const px = (name: string): number => Number(new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([\\d.]+)px`).exec(css)?.[1]);
    const centre = [px('margin-left') + px('width') / 2, px('padding-top')] as const;
    if (centre.every(Number.isFinite)) return centre;
  }
  return undefined;
}

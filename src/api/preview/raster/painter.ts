/** Paints the shapes of a drawing on pixels, one row of a shape after another. */
import type { Rgb } from '../../../lib/draw/css-colour.ts';
import type { Drawing, Figure, Shape, Stroke } from '../drawn-artboard.ts';
import { blended, costOf, type Ink, Inks, packed, type Source } from './ink.ts';
import { addOutline } from './outline.ts';
import { Scanner } from './scanner.ts';
import { addStroke } from './stroke.ts';

/** Work between two pauses: pixels that are scanned or painted. */
const stepWork = 100_000;

/** Work of a pixel that fill and stroke cover both, in a blend mode. */
const jointCost = 16;

export class Painter {
  /** See {@link Ink}: red, green and blue from the lowest bits on, rows from top to bottom. */
  readonly pixels: Uint32Array;
  readonly #width: number;
  readonly #fill: Scanner;
  readonly #stroke: Scanner;
  /** Of the pixels that fill and stroke cover whole. */
  readonly #both: Uint8Array;
  readonly #inks = new Inks();
  #work = 0;

  constructor({ width, height }: Drawing) {
    this.#width = width;
    this.pixels = new Uint32Array(width * height);
    this.#fill = new Scanner(width, height);
    this.#stroke = new Scanner(width, height);
    this.#both = new Uint8Array(width);
  }

  /** Paints all pixels. Yields between steps of a bounded size. */
  *clear(background: Rgb): Generator<void, void> {
    for (let at = 0; at < this.pixels.length; at += stepWork) {
      this.pixels.fill(packed(background), at, at + stepWork);
      yield;
    }
  }

  /** Paints a shape on what is there. Yields between steps of a bounded size. */
  *paint({ figure, layers, opacity, stroke }: Shape): Generator<void, void> {
    yield* this.#outline(figure, layers.length > 0, stroke);
    const fills = layers.map(({ rgb, mode }): Source => ({ rgb, opacity, mode }));
    const mode = fills[0]?.mode;
    const line = stroke === undefined ? [] : [{ rgb: stroke.rgb, opacity: stroke.opacity, mode }];
    const [fillInks, lineInks] = [fills.map((source) => this.#inks.of(source)), line.map((source) => this.#inks.of(source))];
    const joint = mode === undefined || line[0] === undefined ? undefined : new Joint(fills[0] as Source, line[0], this.#inks);
    const [fill, edge, cost] = [this.#fill, this.#stroke, costOf(mode)];
    const bottom = Math.max(fill.edges.bottom, edge.edges.bottom);
    for (let row = Math.min(fill.edges.top, edge.edges.top); row < bottom; row++) {
      while (!fill.scan(row)) yield;
      while (!edge.scan(row)) yield;
      const at = row * this.#width;
      // What fill and stroke both cover is blended once; without a mode, one above the other is the same.
      if (joint !== undefined) this.#coverJoint(joint, at);
      for (const ink of fillInks) this.#cover(ink, fill, at, cost);
      for (const ink of lineInks) this.#cover(ink, edge, at, cost);
      if (this.#work + fill.cells + edge.cells < stepWork) continue;
      this.#work = fill.cells = edge.cells = 0;
      yield;
    }
  }

  *#outline(figure: Figure, isFilled: boolean, stroke: Stroke | undefined): Generator<void, void> {
    this.#fill.clear(figure.kind === 'rings');
    this.#stroke.clear(false);
    if (isFilled) yield* addOutline(this.#fill.edges, figure);
    if (stroke !== undefined) yield* addStroke(this.#stroke.edges, figure, stroke.width);
    // Even if nothing of it is in the picture.
    this.#work += this.#fill.edges.height;
  }

  #cover(ink: Ink, { coverage, left, right }: Scanner, at: number, cost: number): void {
    this.#work += cost * (right - left);
    ink.cover(this.pixels, at, coverage, left, right);
  }

  /** Covers the pixels that both fill and stroke cover, and takes them from both. */
  #coverJoint(joint: Joint, at: number): void {
    const [fill, line, both] = [this.#fill, this.#stroke, this.#both];
    const [left, right] = [Math.max(fill.left, line.left), Math.min(fill.right, line.right)];
    for (let x = left; x < right; x++) {
      const [below, above] = [fill.coverage[x] as number, line.coverage[x] as number];
      const isWhole = below === 255 && above === 255;
      both[x] = isWhole ? 255 : 0;
      if (below === 0 || above === 0) continue;
      fill.coverage[x] = line.coverage[x] = 0;
      if (isWhole) continue;
      this.pixels[at + x] = joint.blended(this.pixels[at + x] as number, below / 255, above / 255);
    }
    if (left >= right) return;
    this.#work += jointCost * (right - left);
    joint.ink.cover(this.pixels, at, both, left, right);
  }
}

/** A stroke above a fill, which are blended together. */
class Joint {
  /** Of both, where both cover all of a pixel. */
  readonly ink: Ink;
  readonly #fill: Source;
  readonly #stroke: Source;

  constructor(fill: Source, stroke: Source, inks: Inks) {
    this.#fill = fill;
    this.#stroke = stroke;
    this.ink = inks.of(this.#source(1, 1));
  }

  /** @param below the part of the pixel that the fill covers @param above the part that the stroke covers */
  blended(pixel: number, below: number, above: number): number {
    return blended(pixel, this.#source(below, above));
  }

  #source(below: number, above: number): Source {
    const top = this.#stroke.opacity * above;
    const bottom = this.#fill.opacity * below * (1 - top);
    const opacity = top + bottom;
    const channel = (i: 0 | 1 | 2): number =>
      opacity === 0 ? 0 : (this.#stroke.rgb[i] * top + this.#fill.rgb[i] * bottom) / opacity;
    return { rgb: [channel(0), channel(1), channel(2)], opacity, mode: this.#fill.mode };
  }
}

/**
 * How much of each pixel a figure covers, row by row. Each edge adds the area on its right side to the pixels of a row, signed by its
 * direction, so that the sum from the left to a pixel is how often the figure winds around it, and fractions at its edges.
 */
import { Edges } from './edges.ts';

/** Pixels that edges add to between two pauses within a row. */
const stepCells = 100_000;

export class Scanner {
  readonly edges: Edges;
  /** From 0 to 255, for the pixels of the row from `left` to before `right`; the others are not covered. */
  readonly coverage: Uint8Array;
  left = 0;
  right = 0;
  /** Pixels that were added to or converted, in all rows: a measure of work. */
  cells = 0;
  /** An even number of windings is outside. */
  #isEvenOdd = false;
  /** What the sum changes by at each pixel of the row. */
  readonly #changes: Float64Array;
  /** The edges of the row: those before `#done` are part of it, those before `#kept` also of the next. */
  #active = new Int32Array(256);
  #activeCount = 0;
  #done = 0;
  #kept = 0;
  #isBegun = false;
  /** The first and the last changed pixel of the row. */
  #from: number;
  #to = -1;

  constructor(width: number, height: number) {
    this.edges = new Edges(width, height);
    this.coverage = new Uint8Array(width);
    this.#changes = new Float64Array(width + 2);
    this.#from = width;
  }

  /** Begins another figure, without edges yet. */
  clear(isEvenOdd: boolean): void {
    this.edges.clear();
    this.#isEvenOdd = isEvenOdd;
    this.#activeCount = 0;
  }

  /** Scans a row, of which the one before was scanned, or the top of the edges. Returns false if it has to be called again to end the row. */
  scan(row: number): boolean {
    this.left = this.right = 0;
    if (row < this.edges.top || row >= this.edges.bottom) return true;
    if (!this.#isBegun) this.#begin(row);
    const { ends } = this.edges;
    const pause = this.cells + stepCells;
    while (this.#done < this.#activeCount) {
      if (this.cells > pause) return false;
      const edge = this.#active[this.#done++] as number;
      this.#add(edge, row);
      const bottom = Math.max(ends[4 * edge + 1] as number, ends[4 * edge + 3] as number);
      if (bottom > row + 1) this.#active[this.#kept++] = edge;
    }
    this.#activeCount = this.#kept;
    this.#isBegun = false;
    if (this.#from <= this.#to) this.#convert();
    return true;
  }

  #begin(row: number): void {
    this.#isBegun = true;
    this.#done = this.#kept = 0;
    const { first, next, count } = this.edges;
    if (this.#active.length < count) {
      const active = new Int32Array(next.length);
      active.set(this.#active.subarray(0, this.#activeCount));
      this.#active = active;
    }
    for (let edge = first[row] as number; edge >= 0; edge = next[edge] as number) this.#active[this.#activeCount++] = edge;
  }

  /** Adds the part of an edge that is in a row. */
  #add(edge: number, row: number): void {
    const { ends } = this.edges;
    const at = 4 * edge;
    const x0 = ends[at] as number;
    const y0 = ends[at + 1] as number;
    const y1 = ends[at + 3] as number;
    const top = Math.max(Math.min(y0, y1), row);
    const bottom = Math.min(Math.max(y0, y1), row + 1);
    const slope = ((ends[at + 2] as number) - x0) / (y1 - y0);
    const a = x0 + (top - y0) * slope;
    const b = x0 + (bottom - y0) * slope;
    const left = Math.max(0, Math.min(a, b));
    const right = Math.min(this.edges.width, Math.max(a, b));
    const height = y0 < y1 ? bottom - top : top - bottom;
    const first = Math.floor(left);
    const end = Math.max(first + 1, Math.ceil(right));
    if (end === first + 1) this.#addToOne(first, (left + right) / 2 - first, height);
    else this.#addToMany(left, right, height);
    if (first < this.#from) this.#from = first;
    if (end > this.#to) this.#to = end;
    this.cells += 2 + end - first;
  }

  /** @param middle of the edge in the pixel: 0 at its left side, 1 at its right side */
  #addToOne(at: number, middle: number, height: number): void {
    const changes = this.#changes;
    changes[at] = (changes[at] as number) + height * (1 - middle);
    changes[at + 1] = (changes[at + 1] as number) + height * middle;
  }

  #addToMany(left: number, right: number, height: number): void {
    const changes = this.#changes;
    const perPixel = height / (right - left);
    const end = Math.ceil(right);
    // The area on the right side of the edge, in the pixel before.
    let before = 0;
    for (let at = Math.floor(left); at < end; at++) {
      const from = Math.max(left, at);
      const to = Math.min(right, at + 1);
      // What is in this pixel covers a part of it, and what is left of it covers it whole.
      const area = perPixel * ((to - from) * (at + 1 - (from + to) / 2) + from - left);
      changes[at] = (changes[at] as number) + area - before;
      before = area;
    }
    changes[end] = (changes[end] as number) + height - before;
  }

  #convert(): void {
    const changes = this.#changes;
    const { coverage } = this;
    const { width } = this.edges;
    const last = Math.min(width - 1, this.#to);
    let sum = 0;
    let covered = 0;
    for (let x = this.#from; x <= last; x++) {
      const change = changes[x] as number;
      if (change !== 0) {
        sum += change;
        covered = this.#isEvenOdd ? evenOdd(sum) : nonZero(sum);
      }
      coverage[x] = covered;
    }
    changes.fill(0, this.#from, this.#to + 1);
    this.left = this.#from;
    this.right = last + 1;
    // Edges right of the picture are left out: the rest of the row is as its last pixel.
    if (covered > 0 && this.right < width) {
      coverage.fill(covered, this.right, width);
      this.right = width;
    }
    this.cells += this.right - this.left;
    this.#from = width;
    this.#to = -1;
  }
}

const nonZero = (sum: number): number => (Math.min(1, Math.abs(sum)) * 255 + 0.5) | 0;

function evenOdd(sum: number): number {
  const rest = Math.abs(sum) % 2;
  return ((rest > 1 ? 2 - rest : rest) * 255 + 0.5) | 0;
}

/** Edges of a figure, cut to the picture. */

export class Edges {
  readonly width: number;
  readonly height: number;
  /** x and y of the start and the end of each edge. */
  ends = new Float32Array(4 * 256);
  /** The newest edge that begins in each row; -1 for none. */
  readonly first: Int32Array;
  /** The edge before each that begins in the same row; -1 for none. */
  next = new Int32Array(256);
  count = 0;
  /** The rows with edges, from `top` to before `bottom`. */
  top: number;
  bottom = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.first = new Int32Array(height).fill(-1);
    this.top = height;
  }

  clear(): void {
    if (this.top < this.bottom) this.first.fill(-1, this.top, this.bottom);
    this.top = this.height;
    this.bottom = 0;
    this.count = 0;
  }

  /** Adds an edge with ends anywhere. */
  add(x0: number, y0: number, x1: number, y1: number): void {
    const { height } = this;
    if (y0 === y1 || (y0 <= 0 && y1 <= 0) || (y0 >= height && y1 >= height)) return;
    const slope = (x1 - x0) / (y1 - y0);
    const startY = Math.min(height, Math.max(0, y0));
    const endY = Math.min(height, Math.max(0, y1));
    this.#cut(startY === y0 ? x0 : x0 + (startY - y0) * slope, startY, endY === y1 ? x1 : x0 + (endY - y0) * slope, endY);
  }

  /** Moves what is left of the picture to its left side, and drops what is right of it: neither changes which pixels the figure covers. */
  #cut(fromX: number, fromY: number, toX: number, toY: number): void {
    const { width } = this;
    let [x0, y0, x1, y1] = [fromX, fromY, toX, toY];
    if (x0 < 0 && x1 < 0) {
      this.#store(0, y0, 0, y1);
      return;
    }
    if (x0 >= width && x1 >= width) return;
    if (x0 < 0 || x1 < 0) {
      const y = y0 - (x0 * (y1 - y0)) / (x1 - x0);
      if (x0 < 0) {
        this.#store(0, y0, 0, y);
        [x0, y0] = [0, y];
      } else {
        this.#store(0, y, 0, y1);
        [x1, y1] = [0, y];
      }
    }
    if (x0 > width || x1 > width) {
      const y = y0 + ((width - x0) * (y1 - y0)) / (x1 - x0);
      if (x0 > width) [x0, y0] = [width, y];
      else [x1, y1] = [width, y];
    }
    this.#store(x0, y0, x1, y1);
  }

  #store(x0: number, y0: number, x1: number, y1: number): void {
    if (this.count === this.next.length) this.#grow();
    const { ends, first, count } = this;
    const at = 4 * count;
    ends[at] = x0;
    ends[at + 1] = y0;
    ends[at + 2] = x1;
    ends[at + 3] = y1;
    const top = Math.min(ends[at + 1] as number, ends[at + 3] as number);
    const bottom = Math.max(ends[at + 1] as number, ends[at + 3] as number);
    // It is as flat as 32 bits can tell.
    if (top === bottom) return;
    const row = Math.floor(top);
    this.next[count] = first[row] as number;
    first[row] = count;
    this.count++;
    if (row < this.top) this.top = row;
    this.bottom = Math.max(this.bottom, Math.ceil(bottom));
  }

  #grow(): void {
    const [ends, next] = [new Float32Array(2 * this.ends.length), new Int32Array(2 * this.next.length)];
    ends.set(this.ends);
    next.set(this.next);
    [this.ends, this.next] = [ends, next];
  }
}

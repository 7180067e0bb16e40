/** Draws a picture that is larger than its place on the screen from copies that keep its lines. */
import { type Copy, fittedCopy, halvedCopies, type Pixels, type Rectangle } from './halved-copies.ts';

interface PictureCopiesOptions {
  /** A better copy can be drawn. */
  onReady(): void;
  /** True if copies of the picture are being made. */
  onPreparing(isPreparing: boolean): void;
}

/** A pause lasts at most this long, in milliseconds: some pages are never idle. */
const pauseMaxMs = 100;
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: pauseMaxMs });
    else setTimeout(resolve);
  });

export class PictureCopies {
  readonly #options: PictureCopiesOptions;
  /** By their number of halvings; `undefined` until they are made. */
  #halved: ReadonlyMap<number, Copy> | undefined;
  #isHalving = false;
  /** The visible part in pixels of the screen, for one place. */
  #fitted: { readonly key: string; readonly copy: Copy; readonly part: Rectangle } | undefined;
  /** The place for which a copy is being made. */
  #fitting = '';
  #isDisposed = false;

  constructor(options: PictureCopiesOptions) {
    this.#options = options;
  }

  /** True if a better copy is being made. */
  get isBusy(): boolean {
    return this.#isHalving || this.#fitting !== '';
  }

  /** @param isMoving whether the place changes in each frame */
  draw(context: CanvasRenderingContext2D, picture: Pixels, place: Rectangle, isMoving: boolean): void {
    const ratio = picture.width / place.width;
    if (!(ratio > 1) || !Number.isFinite(ratio)) {
      context.drawImage(picture.image, place.x, place.y, place.width, place.height);
      return;
    }
    const part = partOf(place, context.canvas);
    const key = [place.x, place.y, place.width, place.height, part.width, part.height].map((px) => px.toFixed(2)).join(' ');
    if (this.#fitted?.key === key) {
      context.drawImage(this.#fitted.copy.image, this.#fitted.part.x, this.#fitted.part.y);
      return;
    }
    const { image } = this.#copyFor(picture, Math.floor(Math.log2(ratio)));
    context.drawImage(image, place.x, place.y, place.width, place.height);
    if (isMoving || part.width < 1 || part.height < 1) return;
    if (ratio >= 2 && this.#halved === undefined) void this.#halve(picture);
    else void this.#fit(picture, place, part, key);
  }

  /** The copy with this number of halvings, or the next larger one. */
  #copyFor(picture: Pixels, halvings: number): Pixels {
    let found: Pixels = picture;
    for (const [times, copy] of this.#halved ?? []) if (times <= halvings && copy.width < found.width) found = copy;
    return found;
  }

  async #halve(picture: Pixels): Promise<void> {
    if (this.#isHalving) return;
    this.#isHalving = true;
    this.#options.onPreparing(true);
    try {
      const halved = await halvedCopies(picture, pause, () => !this.#isDisposed);
      if (this.#isDisposed) for (const { image } of halved.values()) image.width = 0;
      else this.#halved = halved;
    } catch {
      // A picture without pixels, or too large for a canvas: it is drawn as it is.
      this.#halved = new Map();
    }
    this.#isHalving = false;
    this.#options.onPreparing(false);
    this.#changed();
  }

  async #fit(picture: Pixels, place: Rectangle, part: Rectangle, key: string): Promise<void> {
    if (this.#fitting === key) return;
    this.#fitting = key;
    const ratio = picture.width / place.width;
    // Each pixel of the screen is the average of sixteen or four, each between pixels of a copy of about their size.
    const halvings = ratio >= 4 ? 2 : 1;
    const source = this.#copyFor(picture, Math.floor(Math.log2(ratio)) - halvings);
    const copy = await fittedCopy(source, place, part, halvings, pause, () => this.#fitting === key);
    if (this.#fitting !== key) return;
    this.#fitting = '';
    if (copy === undefined) return;
    if (this.#fitted !== undefined) this.#fitted.copy.image.width = 0;
    this.#fitted = { key, copy, part };
    this.#changed();
  }

  #changed(): void {
    if (!this.#isDisposed) this.#options.onReady();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#fitting = '';
    for (const { image } of [...(this.#halved?.values() ?? []), ...(this.#fitted ? [this.#fitted.copy] : [])]) image.width = 0;
    this.#halved = undefined;
    this.#fitted = undefined;
  }
}

/** The whole pixels of a canvas that a place touches. */
function partOf(place: Rectangle, { width, height }: { readonly width: number; readonly height: number }): Rectangle {
  const [x, y] = [Math.max(0, Math.floor(place.x)), Math.max(0, Math.floor(place.y))];
  const [right, bottom] = [
    Math.min(width, Math.ceil(place.x + place.width)),
    Math.min(height, Math.ceil(place.y + place.height)),
  ];
  return { x, y, width: right - x, height: bottom - y };
}

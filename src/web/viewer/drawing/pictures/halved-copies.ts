/**
 * Smaller copies of a picture, each made by averaging: a browser that scales a large picture to the screen reads four of its pixels for each of the
 * screen, so that thin lines vanish. Everything is drawn in slices, in the pauses of the page, and nothing reads pixels: the picture may be that of
 * another host. A worker could not take such a picture.
 */

/** A picture or a copy of it. */
export interface Pixels {
  readonly image: CanvasImageSource;
  readonly width: number;
  readonly height: number;
}

/** A copy, whose canvas can be read from. */
export type Copy = Pixels & { readonly image: HTMLCanvasElement };

/** Resolves in a pause of the page. */
export type Pause = () => Promise<void>;

/** Pixels that are drawn in one slice; pixels of the largest copy that is kept. */
const [sliceMax, copyMax] = [2 ** 20, 2 ** 24];
/** No copy of a smaller one is made, in pixels of its longer side. */
const smallest = 128;

function canvasOf(width: number, height: number): [Copy, CanvasRenderingContext2D] | undefined {
  const image = Object.assign(document.createElement('canvas'), { width, height });
  const context = image.getContext('2d');
  // Other qualities have filters of the browser's own; this one averages exactly four pixels of a picture that is halved.
  if (context !== null) context.imageSmoothingQuality = 'low';
  return context === null ? undefined : [{ image, width, height }, context];
}

/** A copy of half the size; `undefined` if it was not made to the end. @param goesOn asked after each slice */
async function halved(of: Pixels, pause: Pause, goesOn: () => boolean): Promise<Copy | undefined> {
  const made = canvasOf(Math.ceil(of.width / 2), Math.ceil(of.height / 2));
  if (made === undefined) return undefined;
  const [copy, context] = made;
  const rows = Math.max(1, Math.floor(sliceMax / copy.width));
  for (let y = 0; y < copy.height; y += rows) {
    const height = Math.min(2 * rows, of.height - 2 * y);
    context.drawImage(of.image, 0, 2 * y, of.width, height, 0, y, copy.width, Math.ceil(height / 2));
    await pause();
    if (!goesOn()) return undefined;
  }
  return copy;
}

/** Copies of a half, a quarter and so on, as far as they are kept: the first ones of a very large picture are not. By their number of halvings. */
export async function halvedCopies(picture: Pixels, pause: Pause, goesOn: () => boolean): Promise<Map<number, Copy>> {
  const copies = new Map<number, Copy>();
  let from = picture;
  for (let halvings = 1; Math.max(from.width, from.height) > smallest; halvings++) {
    const copy = await halved(from, pause, goesOn);
    if (copy === undefined) break;
    const isLarge = copy.width * copy.height > copyMax;
    // Its memory is that of the canvas.
    if (from !== picture && !copies.has(halvings - 1)) (from.image as HTMLCanvasElement).width = 0;
    if (!isLarge) copies.set(halvings, copy);
    from = copy;
  }
  return copies;
}

/** A rectangle in pixels of a canvas. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The part of a picture that is on the screen, in the screen's pixels: drawn several times as large, and halved again.
 *
 * @param place of the whole picture on the screen
 * @param part whole pixels of the screen
 * @param halvings how often
 */
export async function fittedCopy(
  { image }: Pixels,
  place: Rectangle,
  part: Rectangle,
  halvings: number,
  pause: Pause,
  goesOn: () => boolean,
): Promise<Copy | undefined> {
  const times = 2 ** halvings;
  const rows = Math.max(1, Math.floor(sliceMax / (part.width * times * times)));
  const made = canvasOf(part.width, part.height);
  const steps = Array.from({ length: halvings }, (_, at) => canvasOf(part.width * (times / 2 ** at), rows * (times / 2 ** at)));
  if (made === undefined) return undefined;
  const [copy, context] = made;
  for (let y = 0; y < part.height; y += rows) {
    const [first, ...rest] = [...steps.map((step) => step?.[1]), context];
    if (first === undefined) return undefined;
    first.clearRect(0, 0, part.width * times, rows * times);
    const [left, top] = [(place.x - part.x) * times, (place.y - part.y - y) * times];
    first.drawImage(image, left, top, place.width * times, place.height * times);
    let from = first;
    for (const [at, to] of rest.entries()) {
      if (to === undefined) return undefined;
      const [width, height] = [part.width * (times / 2 ** (at + 1)), rows * (times / 2 ** (at + 1))];
      const isLast = to === context;
      if (!isLast) to.clearRect(0, 0, width, height);
      to.drawImage(from.canvas, 0, 0, 2 * width, 2 * height, 0, isLast ? y : 0, width, height);
      from = to;
    }
    await pause();
    if (!goesOn()) return undefined;
  }
  return copy;
}

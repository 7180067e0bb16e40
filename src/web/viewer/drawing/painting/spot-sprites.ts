/**
 * Pictures of spots that many objects share. To draw thousands of circles as paths takes a browser several times as long as to copy a picture
 * of each kind of circle.
 */
import type { Paint } from '../object-feature.ts';

/** Steps of the radius, in device pixels. */
const radiusStep = 0.25;
/** Larger spots are drawn as paths, in device pixels. */
const radiusMax = 32;
/** Pictures that are kept. */
const spritesMax = 4096;

interface Sprite {
  readonly picture: HTMLCanvasElement;
  /** From the corner of the picture to the centre of the spot, in device pixels. */
  readonly centre: number;
  /** Radius of the spot in the picture, in device pixels. */
  readonly radius: number;
}

/** Draws one spot. */
type DrawSpot = (
  canvas: CanvasRenderingContext2D,
  at: { x: number; y: number; radius: number },
  paint: Paint,
  lineWidth: number,
) => void;

/** The pictures of one paint. */
interface PaintSprites {
  readonly byRadius: Map<number, Sprite>;
  latest: Sprite;
}

export class SpotSprites {
  readonly #draw: DrawSpot;
  readonly #sprites = new Map<Paint['key'], PaintSprites>();
  #count = 0;

  constructor(draw: DrawSpot) {
    this.#draw = draw;
  }

  /**
   * The picture of a spot; `undefined` if it is too large for one.
   *
   * @param moving whether the view moves: during a zoom the radius changes in each frame, so the latest picture is good enough, to be scaled
   */
  find(radius: number, lineWidth: number, paint: Paint, moving: boolean): Sprite | undefined {
    if (radius + lineWidth > radiusMax || radius <= 0) return undefined;
    const ofPaint = this.#sprites.get(paint.key);
    const made = Math.max(1, Math.round(radius / radiusStep)) * radiusStep;
    const known = ofPaint?.byRadius.get(made) ?? (moving ? ofPaint?.latest : undefined);
    if (known !== undefined) return known;
    const sprite = this.#make(made, (lineWidth * made) / radius, paint);
    if (sprite === undefined) return undefined;
    if (++this.#count > spritesMax) {
      this.#sprites.clear();
      this.#count = 1;
    }
    const kept = this.#sprites.get(paint.key);
    if (kept === undefined) this.#sprites.set(paint.key, { byRadius: new Map([[made, sprite]]), latest: sprite });
    else {
      kept.byRadius.set(made, sprite);
      kept.latest = sprite;
    }
    return sprite;
  }

  #make(radius: number, lineWidth: number, paint: Paint): Sprite | undefined {
    const centre = Math.ceil(radius + lineWidth / 2) + 1;
    const picture = document.createElement('canvas');
    picture.width = 2 * centre;
    picture.height = 2 * centre;
    const canvas = picture.getContext('2d');
    if (canvas === null) return undefined;
    this.#draw(canvas, { x: centre, y: centre, radius }, paint, lineWidth);
    return { picture, centre, radius };
  }
}

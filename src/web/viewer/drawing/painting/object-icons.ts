/**
 * The icons of objects: paths that the map names, and pictures by their address, which are loaded once. A small icon is drawn from a picture of
 * its size, because many objects share few icons.
 */
import { isDark } from '../../../../lib/draw/contrast.ts';
import { addressOf } from '../../../../lib/draw/link-rules.ts';
import { isIconName } from '../../../../lib/draw/public-map.ts';
import type { MapIcon } from '../map-document.ts';
import type { Paint } from '../object-feature.ts';
import type { Canvas } from './drawn-shape.ts';

/** Where an icon is drawn, in device pixels: a square around a point. */
interface IconPlace {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Larger icons are drawn directly, in device pixels. */
const spriteMax = 96;
/** Sprites that are kept, and pictures that are loaded. */
const [spritesMax, picturesMax] = [1024, 512];

/** `undefined`: it is being loaded; `null`: it cannot be. */
type Loaded = HTMLImageElement | null | undefined;

export type IconState = 'loading' | 'incomplete' | 'complete';

/** Only pictures that pages may read. */
export type CrossOrigin = 'anonymous';

export class ObjectIcons {
  readonly #onLoaded: () => void;
  #named: ReadonlyMap<string, MapIcon> = new Map();
  readonly #paths = new WeakMap<MapIcon, Path2D>();
  readonly #loaded = new Map<string, Loaded>();
  readonly #sprites = new Map<string, HTMLCanvasElement>();

  readonly #crossOrigin: CrossOrigin | undefined;

  /** @param onLoaded called when a picture can be drawn, or turns out not to exist */
  constructor(onLoaded: () => void, crossOrigin?: CrossOrigin) {
    this.#crossOrigin = crossOrigin;
    this.#onLoaded = onLoaded;
  }

  set named(icons: ReadonlyMap<string, MapIcon>) {
    this.#named = icons;
    this.#sprites.clear();
  }

  /** Pictures are still being loaded, or some of them cannot be drawn. */
  get state(): IconState {
    const pictures = [...this.#loaded.values()];
    return pictures.includes(undefined) ? 'loading' : pictures.includes(null) ? 'incomplete' : 'complete';
  }

  /** True if it is known that an icon cannot be drawn. Loads nothing. */
  isMissing(icon: string): boolean {
    if (isIconName(icon)) return !this.#named.has(icon);
    return this.#loaded.get(icon) === null || (!this.#loaded.has(icon) && this.#addressOf(icon) === undefined);
  }

  /** Draws an icon, or nothing while it is being loaded. @param ink colour of a named icon */
  draw(canvas: Canvas, icon: string, { x, y, side }: IconPlace, ink: string): void {
    const size = Math.max(1, Math.round(side));
    if (size > spriteMax) {
      this.#drawDirectly(canvas, icon, { x, y, side }, ink);
      return;
    }
    const key = `${icon} ${ink} ${size}`;
    let sprite = this.#sprites.get(key);
    if (sprite === undefined) {
      sprite = Object.assign(document.createElement('canvas'), { width: size, height: size });
      const context = sprite.getContext('2d');
      if (context === null || !this.#drawDirectly(context, icon, { x: size / 2, y: size / 2, side: size }, ink)) return;
      if (this.#sprites.size >= spritesMax) this.#sprites.clear();
      this.#sprites.set(key, sprite);
    }
    canvas.drawImage(sprite, Math.round(x - size / 2), Math.round(y - size / 2));
  }

  /** Returns whether there was anything to draw. */
  #drawDirectly(canvas: Canvas, icon: string, { x, y, side }: IconPlace, ink: string): boolean {
    const named = this.#named.get(icon);
    const picture = named === undefined ? this.#pictureOf(icon) : undefined;
    if (named === undefined && (picture === undefined || picture === null)) return false;
    canvas.save();
    canvas.translate(x, y);
    if (named !== undefined) {
      canvas.scale(side / named.size, side / named.size);
      canvas.translate(-named.size / 2, -named.size / 2);
      canvas.fillStyle = ink;
      canvas.fill(this.#pathOf(named));
    } else if (picture) {
      // A vector picture may have no size.
      const [width, height] = [picture.naturalWidth || 1, picture.naturalHeight || 1];
      const scale = side / Math.max(width, height);
      canvas.imageSmoothingQuality = 'high';
      canvas.drawImage(picture, (-width * scale) / 2, (-height * scale) / 2, width * scale, height * scale);
    }
    canvas.restore();
    return true;
  }

  #pathOf(icon: MapIcon): Path2D {
    const known = this.#paths.get(icon) ?? new Path2D(icon.path);
    this.#paths.set(icon, known);
    return known;
  }

  #addressOf(icon: string): string | undefined {
    return isIconName(icon) || this.#loaded.size >= picturesMax ? undefined : addressOf(icon, 'picture', document.baseURI);
  }

  #pictureOf(icon: string): Loaded {
    if (this.#loaded.has(icon)) return this.#loaded.get(icon);
    const address = this.#addressOf(icon);
    if (address === undefined) return null;
    this.#loaded.set(icon, undefined);
    const picture = new Image();
    picture.referrerPolicy = 'strict-origin-when-cross-origin';
    picture.crossOrigin = this.#crossOrigin ?? null;
    picture.src = address;
    const done = (result: Loaded) => {
      this.#loaded.set(icon, result);
      this.#onLoaded();
    };
    picture.decode().then(
      () => done(picture),
      () => done(null),
    );
    return undefined;
  }
}

/** White or black, whichever has more contrast with a fill on light paper. */
export const inkOn = ({ fill: { rgb }, fillOpacity }: Paint): string =>
  isDark(rgb.map((channel) => channel * fillOpacity + 1 - fillOpacity)) ? '#fff' : '#000';

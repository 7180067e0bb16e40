/** The part of an artboard that is in view: fits all of it, brings an object into view, zooms. */
import { type Extent, getCenter, getHeight, getWidth } from 'ol/extent.js';
import type OlMap from 'ol/Map.js';
import View from 'ol/View.js';
import type { ArtboardFrame } from './artboard-frame.ts';

/** Top, right, bottom, left, in pixels. */
export type Padding = readonly [top: number, right: number, bottom: number, left: number];

/** Space of elements in a lower corner, in pixels. A fitted artboard stays beside them if it would be below them. */
export interface CoveredCorner {
  readonly width: number;
  readonly height: number;
  readonly isLeft: boolean;
}

/** On a narrower map, a corner may cover the artboard: its size matters more. */
const narrowPx = 480;

/** Margin around a fitted artboard, and around an object that is brought into view, in pixels. */
const fitPadding = 12;
const focusPadding = 20;
/** An object that is brought into view takes at most this share of it. */
const focusShare = 0.6;
const fullMs = 250;

export class Viewport {
  readonly #map: OlMap;
  readonly #animates: () => boolean;
  #frame: ArtboardFrame | undefined;
  #padding: Padding = [0, 0, 0, 0];
  #corner: CoveredCorner = { width: 0, height: 0, isLeft: false };
  /** Whether the artboard was fitted and the view has not been moved since: a new size fits it again. */
  #fitted = false;
  #wantsFit = false;

  /** @param animates whether movements take time; asked before each */
  constructor(map: OlMap, animates: () => boolean) {
    this.#map = map;
    this.#animates = animates;
    map.on('change:size', () => {
      if (this.#wantsFit || this.#fitted) this.fit(false);
    });
    map.on('movestart', () => {
      this.#fitted = false;
    });
  }

  /** Makes the view of an artboard. */
  show(frame: ArtboardFrame): void {
    this.#frame = frame;
    this.#map.setView(viewOf(frame));
  }

  /** Shows the whole artboard, now or once the map has a size. */
  fit(animate: boolean): void {
    if (this.#frame === undefined) return;
    const size = this.#map.getSize();
    if (size === undefined || size[0] === 0 || size[1] === 0) {
      this.#wantsFit = true;
      return;
    }
    this.#wantsFit = false;
    const least = fittingIn(
      this.#padding.map((side) => side + fitPadding),
      size,
    );
    const padding = this.#frame.keepsSize ? least : this.#besideCorner(least, size, this.#frame.extent);
    const duration = animate ? this.#duration : 0;
    this.#map.getView().fit(this.#frame.extent, { size, padding, duration });
    this.#fitted = true;
  }

  /** Padding with which the artboard is not below the corner. */
  #besideCorner(least: readonly number[], [width = 0, height = 0]: number[], extent: Extent): number[] {
    const [top = 0, right = 0, bottom = 0, left = 0] = least;
    const [freeWidth, freeHeight] = [width - left - right, height - top - bottom];
    const scale = Math.min(freeWidth / getWidth(extent), freeHeight / getHeight(extent));
    const corner = this.#corner;
    const side = corner.isLeft ? left : right;
    const isBeside = side + (freeWidth - scale * getWidth(extent)) / 2 >= corner.width;
    const isAbove = bottom + (freeHeight - scale * getHeight(extent)) / 2 >= corner.height;
    if (width < narrowPx || isBeside || isAbove) return [...least];
    const needed = corner.width + fitPadding;
    return corner.isLeft ? [top, right, bottom, needed] : [top, needed, bottom, left];
  }

  get #duration(): number {
    return this.#animates() ? fullMs : 0;
  }

  setPadding(padding: Padding, corner: CoveredCorner = this.#corner): void {
    const { width, height, isLeft } = this.#corner;
    const isSame = corner.width === width && corner.height === height && corner.isLeft === isLeft;
    if (isSame && padding.every((side, at) => side === this.#padding[at])) return;
    this.#padding = padding;
    this.#corner = corner;
    if (this.#fitted) this.fit(false);
  }

  /** Moves the view, and changes its zoom only if needed, so that a box is in it. */
  reveal(box: Extent, covered: Padding = [0, 0, 0, 0]): void {
    const view = this.#map.getView();
    const size = this.#map.getSize();
    const resolution = view.getResolution();
    if (size === undefined || resolution === undefined) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = box;
    const [padTop, padRight, padBottom, padLeft] = this.#padding.map(
      (side, at) => side + (covered[at] as number),
    ) as unknown as Padding;
    const free = {
      width: Math.max(1, (size[0] ?? 1) - padLeft - padRight - focusPadding),
      height: Math.max(1, (size[1] ?? 1) - padTop - padBottom - focusPadding),
    };
    // From the centre of the view to the centre of what is free, in pixels; y up.
    const [across, up] = [(padLeft - padRight) / 2, (padBottom - padTop) / 2];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view.calculateExtent([free.width, free.height]);
    const [dx, dy] = [across * resolution, up * resolution];
    const isInside = { x: left >= x1 + dx && right <= x2 + dx, y: bottom >= y1 + dy && top <= y2 + dy };
    if (isInside.x && isInside.y) return;
    const needed = Math.max((right - left) / free.width, (top - bottom) / free.height);
    const zooms = needed > resolution;
    // Beyond its limit a view has no tiles, and searches endlessly for them: a larger object is shown in part.
    const next = zooms ? Math.min(needed / focusShare, view.getMaxResolution()) : resolution;
    const [x = 0, y = 0] = getCenter(box);
    const [nowX = x, nowY = y] = view.getCenter() ?? [];
    this.#fitted = false;
    view.cancelAnimations();
    view.animate({
      center: [isInside.x && !zooms ? nowX : x - across * next, isInside.y && !zooms ? nowY : y - up * next],
      resolution: next,
      duration: this.#duration,
    });
  }

  /** Zooms in by a factor of 2 to 8, so that a box fills the view as far as possible. */
  zoomInto(box: Extent): void {
    const view = this.#map.getView();
    const [width = 1, height = 1] = this.#map.getSize() ?? [];
    const resolution = view.getResolution();
    if (resolution === undefined) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = box;
    const needed = Math.max((right - left) / (width * focusShare), (top - bottom) / (height * focusShare));
    this.#fitted = false;
    view.cancelAnimations();
    view.animate({
      center: getCenter(box),
      resolution: Math.max(resolution / 8, Math.min(resolution / 2, needed)),
      duration: this.#duration,
    });
  }

  zoomBy(levels: number): void {
    const view = this.#map.getView();
    this.#fitted = false;
    view.cancelAnimations();
    view.animate({ zoom: (view.getZoom() ?? 0) + levels, duration: this.#duration });
  }
}

function viewOf({ projection, extent, limits, scale, keepsSize, minResolution, maxResolution }: ArtboardFrame): View {
  return new View({
    projection,
    center: getCenter(extent),
    resolution: scale,
    minResolution,
    maxResolution,
    extent: limits,
    constrainOnlyCenter: !keepsSize,
    showFullExtent: true,
    enableRotation: false,
  });
}

/** Padding that leaves at least half of a small map. */
const fittingIn = (padding: readonly number[], size: readonly number[]): number[] =>
  padding.map((side, at) => Math.min(side, (size[at % 2 === 0 ? 1 : 0] as number) / 4));

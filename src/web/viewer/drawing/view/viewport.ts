/** The part of an artboard that is in view: fits all of it, brings an object into view, zooms. */
import type { Coordinate } from 'ol/coordinate.js';
import { type Extent, getCenter, getHeight, getWidth } from 'ol/extent.js';
import type OlMap from 'ol/Map.js';
import View from 'ol/View.js';
import type { ArtboardFrame } from '../artboard-frame.ts';
import { type FirstView, zoomFactor } from './first-view.ts';

/** Top, right, bottom, left, in pixels. */
export type Padding = readonly [top: number, right: number, bottom: number, left: number];

const noPadding: Padding = [0, 0, 0, 0];

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
  #padding: Padding = noPadding;
  #corner: CoveredCorner = { width: 0, height: 0, isLeft: false };
  /** The view that was fitted: while it is not moved, a new size fits it again. */
  #fitted: { readonly centre: Coordinate | undefined; readonly resolution: number | undefined } | undefined;
  /** What is to be shown once the map has a size. */
  #wanted: 'all' | 'first' | undefined;
  /** What the artboard was shown with. */
  #shown: 'all' | 'first' = 'all';
  #firstView: (() => FirstView) | undefined;
  /** Space that is covered besides the padding, as the last reveal has named it. */
  #also: Padding = noPadding;

  /** @param animates whether movements take time; asked before each */
  constructor(map: OlMap, animates: () => boolean) {
    this.#map = map;
    this.#animates = animates;
    map.on('change:size', () => {
      if (this.#wanted !== undefined || this.#isFitted) this.#showAll(this.#wanted ?? this.#shown, false);
    });
  }

  /** Makes the view of an artboard. @param firstView asked each time */
  show(frame: ArtboardFrame, firstView: () => FirstView): void {
    this.#frame = frame;
    this.#firstView = firstView;
    this.#map.setView(viewOf(frame));
  }

  /** Shows the first view of the artboard, now or once the map has a size. */
  first(): void {
    this.#showAll('first', false);
  }

  /** Shows the whole artboard, or all of its objects, now or once the map has a size. */
  fit(animate: boolean): void {
    this.#showAll('all', animate);
  }

  #showAll(what: 'all' | 'first', animate: boolean): void {
    if (this.#frame === undefined || this.#firstView === undefined) return;
    const size = this.#map.getSize();
    if (size === undefined || size[0] === 0 || size[1] === 0) {
      this.#wanted = what;
      return;
    }
    this.#wanted = undefined;
    const least = fittingIn(
      this.#padding.map((side) => side + fitPadding),
      size,
    );
    const padding = this.#frame.keepsSize ? least : this.#besideCorner(least, size, this.#frame.extent);
    const view = this.#map.getView();
    const { box, minResolution, centre, part, resolution } = this.#firstView();
    const duration = animate ? this.#duration : 0;
    const fitted = () => {
      this.#fitted = { centre: view.getCenter(), resolution: view.getResolution() };
    };
    view.fit(box, { size, padding, minResolution, duration, callback: (isDone) => isDone && duration > 0 && fitted() });
    if (what === 'first') {
      if (part !== undefined) view.fit(part, { size, padding: least });
      else if (resolution !== undefined) view.setResolution(resolution(view.getResolution() as number));
      if (part === undefined && centre !== undefined) view.setCenter(this.#inTheMiddle(centre, view.getResolution() as number));
    }
    this.#shown = what;
    if (duration === 0) fitted();
  }

  get #isFitted(): boolean {
    const view = this.#map.getView();
    const { centre, resolution } = this.#fitted ?? {};
    const now = view.getCenter();
    return resolution === view.getResolution() && now !== undefined && now.every((value, at) => value === centre?.[at]);
  }

  /** The centre of the view with which a point is in the middle of what is not covered. */
  #inTheMiddle([x = 0, y = 0]: Coordinate, resolution: number): Coordinate {
    const [top, right, bottom, left] = this.covered;
    return [x - ((left - right) / 2) * resolution, y - ((bottom - top) / 2) * resolution];
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
    if (this.#isFitted) this.#showAll(this.#shown, false);
  }

  /** Space at the edges that other elements cover, in pixels. */
  get covered(): Padding {
    return this.#padding.map((side, at) => side + (this.#also[at] as number)) as unknown as Padding;
  }

  /** Nothing is covered besides the padding any more. */
  uncover(): void {
    this.#also = noPadding;
  }

  /** Moves the view, and changes its zoom only if needed, so that a box is in it. */
  reveal(box: Extent, covered: Padding = noPadding): void {
    this.#also = covered;
    const view = this.#map.getView();
    const size = this.#map.getSize();
    const resolution = view.getResolution();
    if (size === undefined || resolution === undefined) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = box;
    const [padTop, padRight, padBottom, padLeft] = this.covered;
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
    view.cancelAnimations();
    view.animate({
      center: getCenter(box),
      resolution: Math.max(resolution / 8, Math.min(resolution / 2, needed)),
      duration: this.#duration,
    });
  }

  /** Moves the view so that the middle of a box is in that of what is not covered. */
  centreOn(box: Extent, resolution: number, covered: Padding = noPadding): void {
    const view = this.#map.getView();
    this.#also = covered;
    view.cancelAnimations();
    view.animate({ center: this.#inTheMiddle(getCenter(box), resolution), resolution, duration: this.#duration });
  }

  /** Zooms by a number of steps. */
  zoomBy(steps: number): void {
    const view = this.#map.getView();
    view.cancelAnimations();
    view.animate({ zoom: (view.getZoom() ?? 0) + steps * Math.log2(zoomFactor), duration: this.#duration });
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

/** The outlines of land and borders, as `.ci/outlines.mjs` writes them, and what draws them. Both are loaded after the first picture. */
import type { Extent } from 'ol/extent.js';

/** On the map of the world in Web Mercator, a square with its corner in the north-west. */
export interface OutlineData {
  /** Units of the world in each direction. */
  readonly side: number;
  /** Steps `dx, dy` of each line, the first one from 0, 0. They may lead beyond the edge of the world. */
  readonly arcs: readonly (readonly number[])[];
  /** Number of the lines between two countries, which come first. */
  readonly borders: number;
  /** Rings of land, and of lakes in it, by their lines; `~i` is the line `i` backwards. */
  readonly land: readonly (readonly number[])[];
}

/** A rectangle on the canvas, in its pixels. */
export interface CanvasBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface OutlinePlace {
  readonly box: CanvasBox;
  /** The outlines in a box, in metres of Web Mercator. */
  readonly extent: Extent;
  /** Pixels of the canvas per CSS pixel. */
  readonly pixelRatio: number;
  /** True if the page is dark. */
  readonly isDark: boolean;
}

export type PaintOutlines = (canvas: CanvasRenderingContext2D, place: OutlinePlace) => void;

/** Calls a function with what draws the outlines, once that is loaded. Not at all if it cannot be. */
export type LoadOutlines = (use: (paint: PaintOutlines) => void) => void;

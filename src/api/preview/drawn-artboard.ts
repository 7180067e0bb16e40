/**
 * The drawing of an artboard in the pixels of a preview: background and shapes. SVG and PNG are written from it. Its size is bounded: the
 * largest shapes are drawn, with as many corners as can be seen.
 */
import { type Colour, parseColour, type Rgb } from '../../lib/draw/css-colour.ts';
import type { Pixel } from '../../lib/geo/geo.ts';
import { cornersBox } from '../../lib/geo/polygon.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { MapObject } from '../../model/resources/object.ts';
import { objects as objectResource } from '../../model/resources.ts';
import { blendLayers, type Layer } from './blend-layers.ts';
import { previewObjectsMax } from './preview-limits.ts';

/** Maximum number of corners of all polygons together. */
const cornersMax = 60_000;
/** Objects, or corners, that are looked at in one step. */
const stepObjects = 64;
export const stepCorners = 10_000;
/** The height is at most this many times the width. */
const heightRatioMax = 2;
/** Distance beyond which nothing is drawn, in pixels of the preview: larger numbers lose precision. */
const farPixels = 100_000;

/** Size of an artboard whose own size is not positive. */
const sizeDefault = { width: 800, height: 600 };
/** Sides of an artboard, in its pixels; others count as the nearest of these. */
const lengths = { least: 0.001, most: 1e9 } as const;
/** In place of a picture or a map. */
const backdrop = { image: '#e5e7eb', osm: '#dce8f2' } as const;

export interface Drawing extends Size {
  readonly background: Rgb;
  /** From bottom to top. */
  readonly shapes: readonly Shape[];
}

export interface Shape {
  readonly figure: Figure;
  /** The fill, from bottom to top; none for a line. */
  readonly layers: readonly Layer[];
  /** Of each layer of the fill, from 0 to 1. */
  readonly opacity: number;
  /** Above the fill, and in the same blend mode; a shape of several layers has none. */
  readonly stroke: Stroke | undefined;
}

export type Figure =
  | { readonly kind: 'circle'; readonly x: number; readonly y: number; readonly radius: number }
  /** An open line. */
  | { readonly kind: 'line'; readonly points: Points }
  /** What its outline winds around is inside. */
  | { readonly kind: 'polygon'; readonly points: Points }
  /** What an odd number of rings contains is inside. */
  | { readonly kind: 'rings'; readonly rings: readonly Points[] };

/** x and y of each point in turn. */
export type Points = readonly number[];

export interface Stroke {
  readonly rgb: Rgb;
  readonly width: number;
  readonly opacity: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  /** Pixels of the preview for a pixel of the artboard. */
  readonly scale: number;
}

/** A shape that may be drawn. */
interface Candidate {
  /** Position in the artboard. */
  readonly at: number;
  readonly object: MapObject;
  /** Area in pixels of the artboard. */
  readonly area: number;
}

/**
 * Makes the drawing of an artboard. Yields between steps of a bounded size.
 *
 * @param width in pixels; the height follows from the artboard
 */
export function* drawingOf(artboard: Artboard, objects: Iterable<MapObject>, width: number): Generator<void, Drawing> {
  const box = boxOf(artboard, width);
  const largest = yield* largestOf(objects);
  const drawn: { readonly at: number; readonly shape: Shape }[] = [];
  let corners = 0;
  let step = 0;
  // The largest come first, so that the limit of corners costs small shapes.
  for (const { at, object } of largest) {
    const figure = object.type === 'spot' ? circle(object, box) : polygon(object, box, cornersMax - corners);
    if (figure !== undefined) {
      corners += cornersIn(figure);
      drawn.push({ at, shape: painted(object, figure, box) });
    }
    step += stepCorners / stepObjects + cornersOf(object);
    if (step < stepCorners) continue;
    step = 0;
    yield;
  }
  const shapes = drawn.sort((a, b) => a.at - b.at).map(({ shape }) => shape);
  return { width: box.width, height: box.height, background: backgroundOf(artboard), shapes };
}

function boxOf(artboard: Artboard, width: number): Box {
  const isSized = artboard.width > 0 && artboard.height > 0;
  const clamp = (length: number): number => Math.min(lengths.most, Math.max(lengths.least, length));
  const size = isSized ? { width: clamp(artboard.width), height: clamp(artboard.height) } : sizeDefault;
  const height = (width / size.width) * size.height;
  const heightMax = heightRatioMax * width;
  const shrink = height > heightMax ? heightMax / height : 1;
  const pixels = (length: number): number => Math.max(1, Math.round(length));
  return { width: pixels(width * shrink), height: pixels(height * shrink), scale: (width / size.width) * shrink };
}

function backgroundOf({ type, bg_color: colour }: Artboard): Rgb {
  return parseColour(type === 'color' ? colour : backdrop[type])?.rgb ?? [1, 1, 1];
}

/** The largest objects, in descending order of their size. */
function* largestOf(objects: Iterable<MapObject>): Generator<void, Candidate[]> {
  const bySize = (a: Candidate, b: Candidate): number => b.area - a.area || a.at - b.at;
  let found: Candidate[] = [];
  let at = 0;
  let step = 0;
  for (const object of objects) {
    const area = areaOf(object);
    if (area > 0) found.push({ at, object, area });
    at++;
    if (found.length >= 2 * previewObjectsMax) found = found.sort(bySize).slice(0, previewObjectsMax);
    step += stepCorners / stepObjects + cornersOf(object);
    if (step < stepCorners) continue;
    step = 0;
    yield;
  }
  return found.sort(bySize).slice(0, previewObjectsMax);
}

/** Corners of its ring and its holes. */
const cornersOf = ({ coords, holes = [] }: MapObject): number => holes.reduce((sum, { length }) => sum + length, coords.length);

/** Area of the box around an object; 0 for one that cannot be drawn. */
function areaOf({ type, radius, coords }: MapObject): number {
  if (type === 'spot') return radius > 0 ? 4 * radius * radius : 0;
  if (coords.length < 2) return 0;
  const { left, right, top, bottom } = cornersBox(coords);
  // A line has no area, but it is visible.
  return Math.max(right - left, 1) * Math.max(bottom - top, 1);
}

/** The lines of a figure; none for a circle. */
export function pointsOf(figure: Figure): readonly Points[] {
  if (figure.kind === 'circle') return [];
  return figure.kind === 'rings' ? figure.rings : [figure.points];
}

/** Points of a figure; 0 for a circle. */
export const cornersIn = (figure: Figure): number => pointsOf(figure).reduce((sum, { length }) => sum + length / 2, 0);

/** A length in pixels of the preview, of which a tenth can be seen; `undefined` if it is too far away. */
function pixel(value: number, { scale }: Box): number | undefined {
  const scaled = value * scale;
  return Math.abs(scaled) <= farPixels ? Math.round(scaled * 10) / 10 : undefined;
}

function circle(object: MapObject, box: Box): Figure | undefined {
  const [x, y, radius] = [pixel(object.x, box), pixel(object.y, box), pixel(object.radius, box)];
  if (x === undefined || y === undefined || radius === undefined) return undefined;
  return { kind: 'circle', x, y, radius: Math.max(radius, 0.5) };
}

/** A polygon with its holes, or a line; `undefined` if it has more corners than may be drawn. */
function polygon({ coords, holes = [], closed = true }: MapObject, box: Box, cornersLeft: number): Figure | undefined {
  const points = visibleIn(coords, box, cornersLeft);
  if (points === undefined) return undefined;
  if (!closed) return { kind: 'line', points };
  let corners = points.length / 2;
  const rings = [points];
  for (const hole of holes) {
    const ring = visibleIn(hole, box, cornersLeft - corners);
    if (ring === undefined) return undefined;
    corners += ring.length / 2;
    if (ring.length > 4) rings.push(ring);
  }
  return rings.length === 1 ? { kind: 'polygon', points } : { kind: 'rings', rings };
}

/** The corners but those that fall on the pixel of the one before; `undefined` if there are more than may be drawn. */
function visibleIn(coords: readonly Pixel[], box: Box, cornersLeft: number): Points | undefined {
  const points: number[] = [];
  let [beforeX, beforeY] = [Number.NaN, Number.NaN];
  for (const corner of coords) {
    const [x, y] = [pixel(corner.x, box), pixel(corner.y, box)];
    if (x === undefined || y === undefined) return undefined;
    if (Math.abs(x - beforeX) < 0.5 && Math.abs(y - beforeY) < 0.5) continue;
    if (points.length >= 2 * cornersLeft) return undefined;
    points.push(x, y);
    [beforeX, beforeY] = [x, y];
  }
  return points;
}

const defaults = objectResource.create('', {}, { type: 'spot' });
const colourOf = (text: string, member: 'color' | 'stroke_color'): Colour =>
  parseColour(text) ?? (parseColour(String(defaults[member])) as Colour);

const opacityOf = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

function painted(object: MapObject, figure: Figure, box: Box): Shape {
  // A line has no fill, and no blend mode in a preview.
  if (figure.kind === 'line') return { figure, layers: [], opacity: 1, stroke: strokeOf(object, box) };
  const fill = colourOf(object.color, 'color');
  const opacity = opacityOf(object.opacity * fill.alpha);
  const layers = blendLayers(object.blend_mode, fill.rgb, opacity);
  return { figure, layers, opacity, stroke: layers.length === 1 ? strokeOf(object, box) : undefined };
}

function strokeOf(object: MapObject, box: Box): Stroke | undefined {
  const width = object.stroke_width > 0 ? pixel(object.stroke_width, box) : undefined;
  if (width === undefined) return undefined;
  const { rgb, alpha } = colourOf(object.stroke_color, 'stroke_color');
  return { rgb, width: Math.max(width, 0.1), opacity: opacityOf(object.stroke_opacity * alpha) };
}

/**
 * An artboard as SVG, for cards: background and shapes only. It contains no text of the project and no address, and is made of numbers
 * alone: no value of a project can become markup. Its cost is bounded: the largest shapes are drawn, with as many corners as can be seen.
 */
import { type Colour, hexOf, parseColour } from '../../lib/draw/css-colour.ts';
import type { Pixel } from '../../lib/geo/geo.ts';
import { cornersBox } from '../../lib/geo/polygon.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { MapObject } from '../../model/resources/object.ts';
import { objects as objectResource } from '../../model/resources.ts';
import { blendLayers, blendStyle } from './blend-layers.ts';
import { previewObjectsMax } from './preview-limits.ts';

/** Maximum number of corners of all polygons together. */
const cornersMax = 60_000;
/** Objects, or corners, that are looked at in one step. */
const stepObjects = 64;
const stepCorners = 10_000;
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

interface Box {
  readonly width: number;
  readonly height: number;
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
 * Draws an artboard. Yields between steps of a bounded size.
 *
 * @param width in pixels; the height follows from the artboard
 */
export function* previewSvg(artboard: Artboard, objects: Iterable<MapObject>, width: number): Generator<void, string> {
  const box = boxOf(artboard, width);
  const largest = yield* largestOf(objects);
  const drawn: { readonly at: number; readonly text: string }[] = [];
  let corners = 0;
  let step = 0;
  // The largest come first, so that the limit of corners costs small shapes.
  for (const { at, object } of largest) {
    const shape = object.type === 'spot' ? spot(object, box) : polygon(object, box, cornersMax - corners);
    if (shape !== undefined) {
      corners += shape.corners;
      drawn.push({ at, text: painted(object, shape.element, box) });
    }
    step += stepCorners / stepObjects + cornersOf(object);
    if (step < stepCorners) continue;
    step = 0;
    yield;
  }
  const shapes = drawn.sort((a, b) => a.at - b.at).map(({ text }) => text);
  const { width: w, height: h } = box;
  const body = shapes.join('');
  const style = body.includes(' class=') ? `<style>${blendStyle}</style>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${style}<rect width="${w}" height="${h}" fill="${backgroundOf(artboard)}"/>${body}</svg>`;
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

function backgroundOf({ type, bg_color: colour }: Artboard): string {
  if (type !== 'color') return backdrop[type];
  const parsed = parseColour(colour);
  return parsed === undefined ? '#ffffff' : hexOf(parsed.rgb);
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

interface Shape {
  /** The start of its element, without its paint: `<circle cx="1" cy="2" r="3"`. */
  readonly element: string;
  readonly corners: number;
}

/** A number in the SVG, in pixels of the preview; `undefined` if it is too far away. */
function pixel(value: number, { scale }: Box): number | undefined {
  const scaled = value * scale;
  return Math.abs(scaled) <= farPixels ? Math.round(scaled * 10) / 10 : undefined;
}

function spot({ x, y, radius }: MapObject, box: Box): Shape | undefined {
  const [cx, cy, r] = [pixel(x, box), pixel(y, box), pixel(radius, box)];
  if (cx === undefined || cy === undefined || r === undefined) return undefined;
  return { element: `<circle cx="${cx}" cy="${cy}" r="${Math.max(r, 0.5)}"`, corners: 0 };
}

/** A polygon with its holes, or a line; `undefined` if it has more corners than may be drawn. */
function polygon({ coords, holes = [], closed = true }: MapObject, box: Box, cornersLeft: number): Shape | undefined {
  const outline = pointsOf(coords, box, cornersLeft);
  if (outline === undefined) return undefined;
  if (!closed) return { element: `<polyline points="${outline.join(' ')}"`, corners: outline.length };
  let corners = outline.length;
  const rings = [outline];
  for (const hole of holes) {
    const points = pointsOf(hole, box, cornersLeft - corners);
    if (points === undefined) return undefined;
    corners += points.length;
    if (points.length > 2) rings.push(points);
  }
  if (rings.length === 1) return { element: `<polygon points="${outline.join(' ')}"`, corners };
  const path = rings.map((points) => `M${points.join('L')}Z`).join('');
  return { element: `<path fill-rule="evenodd" d="${path}"`, corners };
}

/** The corners but those that fall on the pixel of the one before; `undefined` if there are more than may be drawn. */
function pointsOf(coords: readonly Pixel[], box: Box, cornersLeft: number): string[] | undefined {
  const points: string[] = [];
  let [beforeX, beforeY] = [Number.NaN, Number.NaN];
  for (const corner of coords) {
    const [x, y] = [pixel(corner.x, box), pixel(corner.y, box)];
    if (x === undefined || y === undefined) return undefined;
    if (Math.abs(x - beforeX) < 0.5 && Math.abs(y - beforeY) < 0.5) continue;
    if (points.length >= cornersLeft) return undefined;
    points.push(`${x},${y}`);
    [beforeX, beforeY] = [x, y];
  }
  return points;
}

const defaults = objectResource.create('', {}, { type: 'spot' });
const colourOf = (text: string, member: 'color' | 'stroke_color'): Colour =>
  parseColour(text) ?? (parseColour(String(defaults[member])) as Colour);

const opacityOf = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** The elements of a shape: one, or several on top of each other for a blend mode that the browser does not have. */
function painted(object: MapObject, element: string, box: Box): string {
  // A line has no fill, and no blend mode in a preview.
  if (object.type === 'poly' && object.closed === false) return `${element} fill="none"${strokeOf(object, box)}/>`;
  const fill = colourOf(object.color, 'color');
  const opacity = opacityOf(object.opacity * fill.alpha);
  const layers = blendLayers(object.blend_mode, fill.rgb, opacity);
  return layers
    .map(({ rgb, name }, i) => {
      const paint = ` fill="${hexOf(rgb)}"${opacity === 1 ? '' : ` fill-opacity="${opacity}"`}`;
      const outline = i === layers.length - 1 && layers.length === 1 ? strokeOf(object, box) : '';
      return `${element}${paint}${outline}${name === undefined ? '' : ` class="${name}"`}/>`;
    })
    .join('');
}

function strokeOf({ stroke_color: text, stroke_width: width, stroke_opacity: shown }: MapObject, box: Box): string {
  const pixels = width > 0 ? pixel(width, box) : undefined;
  if (pixels === undefined) return '';
  const { rgb, alpha } = colourOf(text, 'stroke_color');
  const opacity = opacityOf(shown * alpha);
  return ` stroke="${hexOf(rgb)}" stroke-width="${Math.max(pixels, 0.1)}"${opacity === 1 ? '' : ` stroke-opacity="${opacity}"`}`;
}

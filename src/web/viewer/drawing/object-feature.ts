/** An object of the map as an OpenLayers feature: its geometry in the view, and its colours as the canvas takes them. */

import Feature from 'ol/Feature.js';
import Circle from 'ol/geom/Circle.js';
import type Geometry from 'ol/geom/Geometry.js';
import LineString from 'ol/geom/LineString.js';
import Polygon from 'ol/geom/Polygon.js';
import { sameJson } from '../../../lib/change/same-json.ts';
import { type Blend, blendOf } from '../../../lib/draw/blend-modes.ts';
import type { ArtboardFrame } from './artboard-frame.ts';
import { type Colour, colourOf } from './colours.ts';
import { labelPoint, middleOf } from './labels/label-point.ts';
import { type Corner, documentDefaults, type MapObject } from './map-document.ts';

/** One set of colours: fill and outline. */
export interface Paint {
  readonly fill: Colour;
  /** From 0 to 1. */
  readonly fillOpacity: number;
  readonly stroke: Colour;
  readonly strokeOpacity: number;
  /** Pixels of the artboard. */
  readonly strokeWidth: number;
  /** Equal for equal paints, with the same relation of outline and radius. */
  readonly key: string;
}

/** How an object is drawn. */
export interface Look {
  readonly normal: Paint;
  readonly hover: Paint;
  readonly blend: Blend;
}

const share = (value: number): number => Math.max(0, Math.min(1, value));

const paint = (
  [color, opacity, strokeColor, strokeOpacity, strokeWidth]: readonly [string, number, string, number, number],
  fallbacks: readonly [string, string],
  radius: number,
): Paint => {
  const fill = colourOf(color, fallbacks[0]);
  const stroke = colourOf(strokeColor, fallbacks[1]);
  const fillOpacity = share(opacity) * fill.alpha;
  const strokeAlpha = share(strokeOpacity) * stroke.alpha;
  const width = Math.max(0, strokeWidth);
  const key = `${fill.css} ${fillOpacity} ${width === 0 ? '' : `${stroke.css} ${strokeAlpha} ${width / radius}`}`;
  return { fill, fillOpacity, stroke, strokeOpacity: strokeAlpha, strokeWidth: width, key };
};

const { color, stroke_color, hover_color, hover_stroke_color } = documentDefaults.object;

/** True if an object is a line. */
export const isLine = ({ type, closed }: Pick<MapObject, 'type' | 'closed'>): boolean => type !== 'spot' && !closed;

/** A line without a width under the pointer keeps its own: nothing vanishes there. */
const hoverWidth = (object: MapObject): number =>
  isLine(object) && object.hover_stroke_width <= 0 ? object.stroke_width : object.hover_stroke_width;

const lookOf = (object: MapObject): Look => ({
  normal: paint(
    [object.color, object.opacity, object.stroke_color, object.stroke_opacity, object.stroke_width],
    [color, stroke_color],
    object.radius,
  ),
  hover: paint(
    [object.hover_color, object.hover_opacity, object.hover_stroke_color, object.hover_stroke_opacity, hoverWidth(object)],
    [hover_color, hover_stroke_color],
    object.radius,
  ),
  blend: blendOf(object.blend_mode),
});

/** The geometry in the view; `undefined` for a polygon without an edge, and for a line of one point. */
function geometryOf({ type, x, y, radius, coords, holes, closed }: MapObject, frame: ArtboardFrame): Geometry | undefined {
  if (type === 'spot') return new Circle(frame.toView({ x, y }), Math.max(0, radius) * frame.scale);
  if (coords.length < 2) return undefined;
  if (!closed || coords.length === 2) return new LineString(coords.map((corner) => frame.toView(corner)));
  const rings = [coords, ...holes.filter(({ length }) => length >= 3)];
  return new Polygon(rings.map((ring) => [...ring, ring[0] as Corner].map((corner) => frame.toView(corner))));
}

export class ObjectFeature extends Feature<Geometry> {
  #object: MapObject;
  #look: Look | undefined;
  #labelPoint: Corner | undefined;
  /** Position in the order of drawing. */
  order: number;
  /** True if visitors do not see it: it is neither drawn nor found. */
  isHidden = false;

  constructor(object: MapObject, order: number, frame: ArtboardFrame) {
    super(geometryOf(object, frame));
    this.setId(object.id);
    this.#object = object;
    this.order = order;
  }

  get object(): MapObject {
    return this.#object;
  }

  get look(): Look {
    this.#look ??= lookOf(this.#object);
    return this.#look;
  }

  /** Where its name is written, in pixels of the artboard; `undefined` for an object without a shape. */
  get labelPoint(): Corner | undefined {
    const { type, coords, holes, closed } = this.#object;
    if (type === 'spot') return this.#object;
    if (closed && coords.length >= 3) this.#labelPoint ??= labelPoint(coords, holes);
    else if (coords.length >= 2) this.#labelPoint ??= middleOf(coords);
    return this.#labelPoint;
  }

  /** Takes a new version of the same object. Whether its geometry has changed. @param isSilent no event says so */
  update(object: MapObject, frame: ArtboardFrame, isSilent = false): boolean {
    const before = this.#object;
    this.#object = object;
    this.#look = undefined;
    const { type, x, y, radius, coords, holes, closed } = object;
    const same = before.type === type && before.x === x && before.y === y && before.radius === radius && before.closed === closed;
    if (same && sameCorners(before.coords, coords) && sameRings(before.holes, holes)) return false;
    this.#labelPoint = undefined;
    this.set(this.getGeometryName(), geometryOf(object, frame), isSilent);
    return true;
  }
}

/** Whether two versions of an object are equal. */
export const sameObject = (a: MapObject, b: MapObject): boolean =>
  a === b ||
  (plainMembers.every((name) => Object.is(a[name], b[name])) &&
    sameCorners(a.coords, b.coords) &&
    sameRings(a.holes, b.holes) &&
    sameJson(a.properties, b.properties));

const plainMembers = Object.keys(documentDefaults.object) as (keyof typeof documentDefaults.object)[];

const sameCorners = (a: readonly Corner[], b: readonly Corner[]): boolean =>
  a === b || (a.length === b.length && a.every(({ x, y }, at) => x === b[at]?.x && y === b[at]?.y));

const sameRings = (a: MapObject['holes'], b: MapObject['holes']): boolean =>
  a === b || (a.length === b.length && a.every((ring, at) => sameCorners(ring, b[at] ?? [])));

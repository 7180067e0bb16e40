/** An object of the map as an OpenLayers feature: its geometry in the view, and its colours as the canvas takes them. */
import Feature from 'ol/Feature.js';
import Circle from 'ol/geom/Circle.js';
import type Geometry from 'ol/geom/Geometry.js';
import LineString from 'ol/geom/LineString.js';
import Polygon from 'ol/geom/Polygon.js';
import { type Blend, blendOf } from '../../../lib/draw/blend-modes.ts';
import type { ArtboardFrame } from './artboard-frame.ts';
import { type Colour, colourOf } from './colours.ts';
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

const lookOf = (object: MapObject): Look => ({
  normal: paint(
    [object.color, object.opacity, object.stroke_color, object.stroke_opacity, object.stroke_width],
    [color, stroke_color],
    object.radius,
  ),
  hover: paint(
    [object.hover_color, object.hover_opacity, object.hover_stroke_color, object.hover_stroke_opacity, object.hover_stroke_width],
    [hover_color, hover_stroke_color],
    object.radius,
  ),
  blend: blendOf(object.blend_mode),
});

/** The geometry in the view; `undefined` for a polygon without an edge. */
function geometryOf({ type, x, y, radius, coords }: MapObject, frame: ArtboardFrame): Geometry | undefined {
  if (type === 'spot') return new Circle(frame.toView({ x, y }), Math.max(0, radius) * frame.scale);
  if (coords.length < 2) return undefined;
  const corners = coords.map((corner) => frame.toView(corner));
  return coords.length === 2 ? new LineString(corners) : new Polygon([[...corners, corners[0] as number[]]]);
}

export class ObjectFeature extends Feature<Geometry> {
  #object: MapObject;
  #look: Look | undefined;
  /** Position in the order of drawing. */
  order: number;
  /** Whether visitors do not see it: it is neither drawn nor found. */
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

  /** Takes a new version of the same object. Whether its geometry has changed. */
  update(object: MapObject, frame: ArtboardFrame): boolean {
    const before = this.#object;
    this.#object = object;
    this.#look = undefined;
    const { type, x, y, radius, coords } = object;
    const same = before.type === type && before.x === x && before.y === y && before.radius === radius;
    if (same && sameCorners(before.coords, coords)) return false;
    this.setGeometry(geometryOf(object, frame));
    return true;
  }
}

/** Whether two versions of an object are equal. */
export const sameObject = (a: MapObject, b: MapObject): boolean =>
  a === b ||
  (Object.keys(a) as (keyof MapObject)[]).every((name) =>
    name === 'coords' ? sameCorners(a.coords, b.coords) : Object.is(a[name], b[name]),
  );

const sameCorners = (a: readonly Corner[], b: readonly Corner[]): boolean =>
  a === b || (a.length === b.length && a.every(({ x, y }, at) => x === b[at]?.x && y === b[at]?.y));

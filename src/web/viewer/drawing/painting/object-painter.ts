/**
 * The style renderer of objects. One renderer draws all of them in their order, decides at drawing time which one is under the pointer, and
 * blends each with what is below. So a change of colours needs no new list of drawing instructions, only a new frame.
 */
import type { Coordinate } from 'ol/coordinate.js';
import Circle from 'ol/geom/Circle.js';
import LineString from 'ol/geom/LineString.js';
import Point from 'ol/geom/Point.js';
import type { State } from 'ol/render.js';
import Style, { type StyleFunction } from 'ol/style/Style.js';
import type { Colour } from '../colours.ts';
import { isLine, ObjectFeature, type Paint } from '../object-feature.ts';
import { drawBlended } from './blended-paint.ts';
import { type Canvas, fill, isArea, type Shape, type Spot, thinnest, trace } from './drawn-shape.ts';
import { inkOn, type ObjectIcons } from './object-icons.ts';
import { SpotSprites } from './spot-sprites.ts';

/** The state of the map that the renderer needs. */
export interface PaintContext {
  /** Pixels of the screen per pixel of the artboard, without the device's pixel ratio. */
  zoom(): number;
  /** True if spots and outlines stay within their own size. */
  readonly keepsSize: boolean;
  /** True if the object has its hover style. */
  isHovered(feature: ObjectFeature): boolean;
  /** True if it is not drawn in its place. */
  isLeftOut(feature: ObjectFeature): boolean;
  /** True if many objects share few paints, so that pictures of spots are worth their while. */
  sharesPaints(): boolean;
  /** True if the view is being moved or zoomed. */
  isMoving(): boolean;
  readonly icons: ObjectIcons;
  /** The scale of the icons of polygons and lines, which do not grow with the map. */
  iconScale(): number;
  /** The feature's point for its name, in the view. */
  labelPoint(feature: ObjectFeature): Coordinate | undefined;
}

/** A drop in a spot of radius 1, its tip in the lower half. */
const pinPath = 'M0 .55C-.5 0-.42-.55 0-.55S.5 0 0 .55Z';
let pin: Path2D | undefined;

/** An icon takes this share of the diameter of a spot, from a radius on, in CSS pixels. */
const [iconShare, iconFrom] = [0.6, 7];
/** Side of the icon of a polygon or a line, in CSS pixels. */
export const areaIconPx = 20;
/** Distance of the icon from the point of the name below it, in CSS pixels. */
const areaIconGapPx = 11;

/** The style of all objects of a layer. */
export function objectStyle(context: PaintContext): StyleFunction {
  const shape = shapeStyle(context);
  const withIcon = [shape, iconStyle(context)];
  return (feature) => (hasIconAbove(feature) ? withIcon : shape);
}

/** True if an object has its icon above its name; spots have it in their middle. */
export const hasIconAbove = (feature: unknown): boolean =>
  feature instanceof ObjectFeature && feature.object.icon !== '' && feature.object.type !== 'spot';

/** The icons of polygons and lines. */
export function iconStyle(context: PaintContext): Style {
  return new Style({
    geometry: (feature) => {
      const at = feature instanceof ObjectFeature ? context.labelPoint(feature) : undefined;
      return at && new Point(at);
    },
    renderer: (coordinates, { feature, context: canvas, pixelRatio, resolution }) => {
      if (!(feature instanceof ObjectFeature) || context.isLeftOut(feature)) return;
      const scale = context.iconScale();
      const up = iconUpPx(feature, resolution / pixelRatio, scale);
      if (up === undefined) return;
      const [x = 0, y = 0] = coordinates as Coordinate;
      const { normal, hover } = feature.look;
      const side = areaIconPx * scale * pixelRatio;
      const place = { x, y: y - up * pixelRatio, side };
      context.icons.draw(canvas, feature.object.icon, place, inkOn(context.isHovered(feature) ? hover : normal));
    },
    hitDetectionRenderer: () => undefined,
  });
}

/**
 * How far the middle of the icon of a polygon or a line is above the point of its name, in CSS pixels: a polygon without room for both has the icon
 * in its place. `undefined` if there is no room for it.
 *
 * @param resolution units of the view per CSS pixel
 * @param scale of the icon
 */
export function iconUpPx(feature: ObjectFeature, resolution: number, scale: number): number | undefined {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = feature.getGeometry()?.getExtent() ?? [];
  const [width, height] = [(x2 - x1) / resolution / scale, (y2 - y1) / resolution / scale];
  const above = (areaIconGapPx + areaIconPx / 2) * scale;
  if (isLine(feature.object)) return Math.max(width, height) >= 2 * areaIconPx ? above : undefined;
  if (Math.min(width, height) < 2 * areaIconPx) return undefined;
  if (height >= 2 * (areaIconGapPx + areaIconPx)) return above;
  return feature.object.label === 'always' ? undefined : 0;
}

export function shapeStyle(context: PaintContext): Style {
  return new Style({
    renderer: (coordinates, state) => {
      const { feature } = state;
      if (!(feature instanceof ObjectFeature) || context.isLeftOut(feature)) return;
      const size = sizeAt(context, state.pixelRatio);
      const shape = shapeIn(coordinates, state, context, state.pixelRatio);
      const { normal, hover, blend } = feature.look;
      const paint = context.isHovered(feature) ? hover : normal;
      if (blend === 'source-over' && 'radius' in shape && context.sharesPaints())
        drawSprite(state.context, shape, paint, size, context.isMoving());
      else if (typeof blend === 'string') drawDirectly(state.context, shape, paint, size, blend);
      else drawBlended(state.context, shape, paint, size, blend);
      if (!('radius' in shape)) return;
      const { pin: hasPin, icon } = feature.object;
      if (icon !== '' && !context.icons.isMissing(icon)) {
        const side = 2 * iconShare * shape.radius;
        if (shape.radius >= iconFrom * state.pixelRatio)
          context.icons.draw(state.context, icon, { ...shape, side }, inkOn(paint));
        return;
      }
      // A spot that becomes white under the pointer has its pin in its own colour.
      const pinColour = paint === hover && isWhite(hover.fill) ? normal.fill.css : '#fff';
      if (hasPin || icon !== '') drawPin(state.context, shape, pinColour);
    },
    hitDetectionRenderer: (coordinates, state) => {
      const { feature, context: canvas } = state;
      if (!(feature instanceof ObjectFeature)) return;
      // Coordinates are in CSS pixels here, whatever the pixel ratio.
      const shape = shapeIn(coordinates, state, context, 1);
      const width = feature.look.normal.strokeWidth * sizeAt(context, 1);
      canvas.fillStyle = '#000';
      canvas.strokeStyle = '#000';
      trace(canvas, shape, width);
      if (isArea(shape)) fill(canvas, shape);
      if (width >= thinnest) {
        canvas.lineWidth = width;
        canvas.stroke();
      }
    },
  });
}

/** Device pixels per pixel of the artboard, for sizes. */
const sizeAt = ({ zoom, keepsSize }: PaintContext, pixelRatio: number): number =>
  (keepsSize ? Math.min(1, zoom()) : zoom()) * pixelRatio;

/** The shape of a feature from the coordinates that the renderer gets. */
export function shapeIn(coordinates: unknown, { geometry, feature }: State, context: PaintContext, pixelRatio: number): Shape {
  if (geometry instanceof Circle) {
    const [[x = 0, y = 0] = [], [right = 0, bottom = 0] = []] = coordinates as Coordinate[];
    const radius = Math.hypot(right - x, bottom - y);
    return { x, y, radius: context.keepsSize ? (radius * sizeAt(context, pixelRatio)) / (context.zoom() * pixelRatio) : radius };
  }
  if (!(geometry instanceof LineString)) return { rings: coordinates as Coordinate[][], closed: true, arrow: 'none' };
  const object = feature instanceof ObjectFeature && isLine(feature.object) ? feature.object : undefined;
  return { rings: [coordinates as Coordinate[]], closed: false, arrow: object?.arrow ?? 'none' };
}

function drawDirectly(canvas: Canvas, shape: Shape, paint: Paint, size: number, operation: GlobalCompositeOperation): void {
  const lineWidth = paint.strokeWidth * size;
  const fills = paint.fillOpacity > 0 && isArea(shape);
  const strokes = lineWidth >= thinnest && paint.strokeOpacity > 0;
  if (!fills && !strokes) return;
  trace(canvas, shape, lineWidth);
  canvas.globalCompositeOperation = operation;
  if (fills) {
    canvas.globalAlpha = paint.fillOpacity;
    canvas.fillStyle = paint.fill.css;
    fill(canvas, shape);
  }
  if (strokes) {
    canvas.globalAlpha = paint.strokeOpacity;
    canvas.strokeStyle = paint.stroke.css;
    canvas.lineWidth = lineWidth;
    canvas.lineJoin = 'round';
    canvas.stroke();
  }
  canvas.globalAlpha = 1;
  canvas.globalCompositeOperation = 'source-over';
}

/** A picture is not scaled for a smaller difference of the radius, in device pixels. */
const spriteTolerance = 0.2;

const sprites = new SpotSprites((canvas, at, paint, lineWidth) =>
  drawDirectly(canvas, at, paint, paint.strokeWidth === 0 ? 1 : lineWidth / paint.strokeWidth, 'source-over'),
);

function drawSprite(canvas: Canvas, shape: Spot, paint: Paint, size: number, moving: boolean): void {
  const { x, y, radius } = shape;
  const sprite = sprites.find(radius, paint.strokeWidth * size, paint, moving);
  if (sprite !== undefined) {
    const { picture, centre } = sprite;
    const scale = Math.abs(radius - sprite.radius) < spriteTolerance ? 1 : radius / sprite.radius;
    // At whole pixels, and in its own size: a browser copies it several times faster.
    if (scale === 1) canvas.drawImage(picture, Math.round(x - centre), Math.round(y - centre));
    else canvas.drawImage(picture, x - centre * scale, y - centre * scale, 2 * centre * scale, 2 * centre * scale);
  } else drawDirectly(canvas, shape, paint, size, 'source-over');
}

/** True if a white pin on a colour is hardly visible. */
const isWhite = ({ rgb }: Colour): boolean => Math.min(...rgb) > 0.85;

function drawPin(canvas: Canvas, { x, y, radius }: Spot, colour: string): void {
  if (radius < 2) return;
  pin ??= new Path2D(pinPath);
  canvas.save();
  canvas.translate(x, y);
  canvas.scale(radius, radius);
  canvas.fillStyle = colour;
  canvas.fill(pin);
  canvas.restore();
}

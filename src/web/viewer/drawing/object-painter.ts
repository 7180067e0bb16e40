/**
 * The style renderer of objects. One renderer draws all of them in their order, decides at drawing time which one is under the pointer, and
 * blends each with what is below. So a change of colours needs no new list of drawing instructions, only a new frame.
 */
import type { Coordinate } from 'ol/coordinate.js';
import Circle from 'ol/geom/Circle.js';
import LineString from 'ol/geom/LineString.js';
import type { State } from 'ol/render.js';
import Style from 'ol/style/Style.js';
import type { Step } from '../../../lib/draw/blend-modes.ts';
import { hexOf } from '../../../lib/draw/css-colour.ts';
import type { Colour } from './colours.ts';
import { ObjectFeature, type Paint } from './object-feature.ts';
import { SpotSprites } from './spot-sprites.ts';

/** What the renderer must know of the map. */
export interface PaintContext {
  /** Pixels of the screen per pixel of the artboard, without the device's pixel ratio. */
  zoom(): number;
  /** Whether spots and outlines stay within their own size. */
  readonly keepsSize: boolean;
  /** Whether the object has its hover style. */
  isHovered(feature: ObjectFeature): boolean;
  /** Whether it is not drawn in its place. */
  isLeftOut(feature: ObjectFeature): boolean;
  /** Whether many objects share few paints, so that pictures of spots are worth their while. */
  sharesPaints(): boolean;
  /** Whether the view is being moved or zoomed. */
  isMoving(): boolean;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** A shape in device pixels. */
type Shape = Spot | { readonly corners: readonly Coordinate[]; readonly closed: boolean };

type Canvas = Pick<State, 'context'>['context'];

const fullTurn = 2 * Math.PI;

/** A drop in a spot of radius 1, its tip in the lower half. */
const pinPath = 'M0 .55C-.5 0-.42-.55 0-.55S.5 0 0 .55Z';
let pin: Path2D | undefined;

/** Outlines that are thinner than this are invisible, in device pixels. */
const thinnest = 0.02;

/** The style of all objects of a layer. */
export function objectStyle(context: PaintContext): Style {
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
      // A spot that becomes white under the pointer has its pin in its own colour.
      const pinColour = paint === hover && isWhite(hover.fill) ? normal.fill.css : '#fff';
      if (feature.object.pin && 'radius' in shape) drawPin(state.context, shape, pinColour);
    },
    hitDetectionRenderer: (coordinates, state) => {
      const { feature, context: canvas } = state;
      if (!(feature instanceof ObjectFeature)) return;
      // Coordinates are in CSS pixels here, whatever the pixel ratio.
      const shape = shapeIn(coordinates, state, context, 1);
      const width = feature.look.normal.strokeWidth * sizeAt(context, 1);
      canvas.fillStyle = '#000';
      canvas.strokeStyle = '#000';
      trace(canvas, shape);
      if (isArea(shape)) canvas.fill();
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
export function shapeIn(coordinates: unknown, { geometry }: State, context: PaintContext, pixelRatio: number): Shape {
  if (geometry instanceof Circle) {
    const [[x = 0, y = 0] = [], [right = 0, bottom = 0] = []] = coordinates as Coordinate[];
    const radius = Math.hypot(right - x, bottom - y);
    return { x, y, radius: context.keepsSize ? (radius * sizeAt(context, pixelRatio)) / (context.zoom() * pixelRatio) : radius };
  }
  if (geometry instanceof LineString) return { corners: coordinates as Coordinate[], closed: false };
  return { corners: (coordinates as Coordinate[][])[0] ?? [], closed: true };
}

const isArea = (shape: Shape): boolean => 'radius' in shape || shape.closed;

/** Makes the shape the current path. */
export function trace(canvas: Canvas, shape: Shape): void {
  canvas.beginPath();
  if ('radius' in shape) {
    canvas.arc(shape.x, shape.y, shape.radius, 0, fullTurn);
    return;
  }
  const { corners, closed } = shape;
  for (let at = 0; at < corners.length; at++) {
    const [x = 0, y = 0] = corners[at] as Coordinate;
    if (at === 0) canvas.moveTo(x, y);
    else canvas.lineTo(x, y);
  }
  if (closed) canvas.closePath();
}

function drawDirectly(canvas: Canvas, shape: Shape, paint: Paint, size: number, operation: GlobalCompositeOperation): void {
  const lineWidth = paint.strokeWidth * size;
  const fills = paint.fillOpacity > 0 && isArea(shape);
  const strokes = lineWidth >= thinnest && paint.strokeOpacity > 0;
  if (!fills && !strokes) return;
  trace(canvas, shape);
  canvas.globalCompositeOperation = operation;
  if (fills) {
    canvas.globalAlpha = paint.fillOpacity;
    canvas.fillStyle = paint.fill.css;
    canvas.fill();
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

/** Whether a white pin on a colour is hardly visible. */
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

function drawBlended(canvas: Canvas, shape: Shape, paint: Paint, size: number, steps: readonly Step[]): void {
  const lineWidth = paint.strokeWidth * size;
  if (isArea(shape)) {
    composeIn(canvas, shape, 0, paint.fill, paint.fillOpacity, steps, (scratch) => {
      trace(scratch, shape);
      scratch.fill();
    });
  }
  if (lineWidth < thinnest) return;
  composeIn(canvas, shape, lineWidth, paint.stroke, paint.strokeOpacity, steps, (scratch) => {
    trace(scratch, shape);
    scratch.lineWidth = lineWidth;
    scratch.lineJoin = 'round';
    scratch.stroke();
  });
}

let scratch: CanvasRenderingContext2D | null | undefined;

/**
 * Runs the steps on a copy of the backdrop in the shape's box, keeps the shape of it, and draws that with the opacity. On an opaque backdrop
 * the result is (1 − opacity) · backdrop + opacity · blend, also at soft edges. Where there is no backdrop, it is the colour itself.
 */
function composeIn(
  canvas: Canvas,
  shape: Shape,
  lineWidth: number,
  colour: Colour,
  opacity: number,
  steps: readonly Step[],
  draw: (scratch: Canvas) => void,
): void {
  const box = boxOf(shape, lineWidth, canvas.canvas);
  if (box === undefined || opacity <= 0) return;
  scratch ??= document.createElement('canvas').getContext('2d');
  if (scratch === null) return;
  const { x, y, width, height } = box;
  if (scratch.canvas.width < width) scratch.canvas.width = width;
  if (scratch.canvas.height < height) scratch.canvas.height = height;
  const backdrop = () => scratch?.drawImage(canvas.canvas, x, y, width, height, 0, 0, width, height);
  scratch.setTransform(1, 0, 0, 1, 0, 0);
  scratch.globalAlpha = 1;
  scratch.globalCompositeOperation = 'copy';
  backdrop();
  for (const { operation, colour: channelOf } of steps) {
    const [red, green, blue] = colour.rgb;
    scratch.globalCompositeOperation = operation;
    scratch.fillStyle = hexOf([channelOf(red), channelOf(green), channelOf(blue)]);
    scratch.fillRect(0, 0, width, height);
  }
  scratch.globalCompositeOperation = 'destination-in';
  backdrop();
  scratch.globalCompositeOperation = 'destination-over';
  scratch.fillStyle = colour.css;
  scratch.fillRect(0, 0, width, height);
  scratch.globalCompositeOperation = 'destination-in';
  scratch.globalAlpha = opacity;
  scratch.fillStyle = '#000';
  scratch.strokeStyle = '#000';
  scratch.setTransform(1, 0, 0, 1, -x, -y);
  draw(scratch);
  canvas.drawImage(scratch.canvas, 0, 0, width, height, x, y, width, height);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The whole pixels of the canvas that a shape touches; `undefined` if there are none. */
function boxOf(shape: Shape, lineWidth: number, canvas: { readonly width: number; readonly height: number }): Box | undefined {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
  const include = (x: number, y: number, by: number): void => {
    left = Math.min(left, x - by);
    top = Math.min(top, y - by);
    right = Math.max(right, x + by);
    bottom = Math.max(bottom, y + by);
  };
  if ('radius' in shape) include(shape.x, shape.y, shape.radius);
  else for (const [x = 0, y = 0] of shape.corners) include(x, y, 0);
  const margin = lineWidth / 2 + 1;
  const x = Math.max(0, Math.floor(left - margin));
  const y = Math.max(0, Math.floor(top - margin));
  const width = Math.min(canvas.width, Math.ceil(right + margin)) - x;
  const height = Math.min(canvas.height, Math.ceil(bottom + margin)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

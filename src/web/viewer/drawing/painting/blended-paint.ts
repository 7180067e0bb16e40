/** Blend modes that a canvas does not have: steps on a copy of what is below an object. */
import type { Step } from '../../../../lib/draw/blend-modes.ts';
import { hexOf } from '../../../../lib/draw/css-colour.ts';
import type { Colour } from '../colours.ts';
import type { Paint } from '../object-feature.ts';
import { type Canvas, fill, isArea, pixelsOf, type Shape, thinnest, trace } from './drawn-shape.ts';

export function drawBlended(canvas: Canvas, shape: Shape, paint: Paint, size: number, steps: readonly Step[]): void {
  const lineWidth = paint.strokeWidth * size;
  if (isArea(shape)) {
    composeIn(canvas, shape, 0, paint.fill, paint.fillOpacity, steps, (scratch) => {
      trace(scratch, shape);
      fill(scratch, shape);
    });
  }
  if (lineWidth < thinnest) return;
  composeIn(canvas, shape, lineWidth, paint.stroke, paint.strokeOpacity, steps, (scratch) => {
    trace(scratch, shape, lineWidth);
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
  const box = pixelsOf(shape, lineWidth, canvas.canvas);
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

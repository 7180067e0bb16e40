/** A layer that draws the rectangle of an artboard, or that of the map around it. */
import type { Coordinate } from 'ol/coordinate.js';
import Feature from 'ol/Feature.js';
import { fromExtent } from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import type { State } from 'ol/render.js';
import VectorSource from 'ol/source/Vector.js';
import Style from 'ol/style/Style.js';
import type { ArtboardFrame } from '../artboard-frame.ts';
import type { CanvasBox } from './outlines-contract.ts';

type Draw = (canvas: State['context'], box: CanvasBox, pixelRatio: number) => void;

export function area({ limits }: ArtboardFrame, draw: Draw): VectorLayer {
  const style = new Style({
    renderer: (coordinates, { context, pixelRatio }) => {
      const corners = (coordinates as Coordinate[][])[0] ?? [];
      const xs = corners.map(([x = 0]) => x);
      const ys = corners.map(([, y = 0]) => y);
      context.save();
      draw(context, { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }, pixelRatio);
      context.restore();
    },
    hitDetectionRenderer: () => undefined,
  });
  return new VectorLayer({ source: new VectorSource({ features: [new Feature(fromExtent(limits))], wrapX: false }), style });
}

export const filled =
  (css: string): Draw =>
  (canvas, { left, top, right, bottom }) => {
    canvas.fillStyle = css;
    canvas.fillRect(left, top, right - left, bottom - top);
  };

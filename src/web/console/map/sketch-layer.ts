/** Draws what a tool shows above the artboard: the outline of a new shape, the selection rectangle, guides, the cursor. */
import Feature from 'ol/Feature.js';
import LineString from 'ol/geom/LineString.js';
import PointGeometry from 'ol/geom/Point.js';
import Polygon from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import type Style from 'ol/style/Style.js';
import type { Point } from '../shapes/shape.ts';
import type { Sketch } from '../tools/tool.ts';
import { brushStyle, cursorStyle, frameHandle, frameStyle, guideStyle, handle, sketchStyle } from './map-styles.ts';

export class SketchLayer {
  readonly #source = new VectorSource<Feature>({ wrapX: false });
  readonly #toView: (point: Point) => number[];
  readonly layer = new VectorLayer({ source: this.#source, updateWhileAnimating: true, updateWhileInteracting: true });

  constructor(toView: (point: Point) => number[]) {
    this.#toView = toView;
  }

  show({ outline, frame, brush, guides = [], cursor, handle: corner }: Sketch): void {
    const at = this.#toView;
    const features: Feature[] = [];
    const add = (geometry: Feature['getGeometry'] extends () => infer G ? G : never, style: Style | Style[]) => {
      const feature = new Feature(geometry);
      feature.setStyle(style);
      features.push(feature);
    };
    if (outline !== undefined) {
      const corners = outline.corners.map(at);
      const [first] = corners;
      if (first !== undefined && outline.isClosed && corners.length > 2) add(new Polygon([[...corners, first]]), sketchStyle);
      else if (corners.length > 1) add(new LineString(corners), sketchStyle);
      for (const each of corners) add(new PointGeometry(each), handle);
    }
    if (frame !== undefined) {
      const corners = frame.corners.map(at);
      const [first = [], second = []] = corners;
      add(new Polygon([[...corners, first]]), frameStyle);
      const middle = first.map((part, axis) => (part + (second[axis] as number)) / 2);
      add(new LineString([middle, at(frame.turn)]), frameStyle);
      for (const each of corners) add(new PointGeometry(each), frameHandle);
      add(new PointGeometry(at(frame.turn)), handle);
    }
    if (brush !== undefined) {
      const { left, top, right, bottom } = brush;
      const corners = [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
        { x: left, y: top },
      ];
      add(new Polygon([corners.map(at)]), brushStyle);
    }
    for (const [from, to] of guides) add(new LineString([at(from), at(to)]), guideStyle);
    if (corner !== undefined) add(new PointGeometry(at(corner)), handle);
    if (cursor !== undefined) add(new PointGeometry(at(cursor)), cursorStyle);
    if (features.length === 0 && this.#source.isEmpty()) return;
    this.#source.clear(true);
    this.#source.addFeatures(features);
    this.#source.changed();
  }
}

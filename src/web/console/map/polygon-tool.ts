/** Draws a polygon corner by corner. It becomes an object when it ends. */
import Polygon from 'ol/geom/Polygon.js';
import Draw from 'ol/interaction/Draw.js';
import Snap from 'ol/interaction/Snap.js';
import { type EditorModel, roundedPoint } from '../editor/editor-model.ts';
import type { Drawing } from './drawing-module.ts';
import { sketchStyle } from './map-styles.ts';

/** Objects up to which new corners snap to others. */
const snapMax = 3000;

export class PolygonTool {
  readonly #model: EditorModel;
  readonly #drawing: Drawing;
  #draw: Draw | undefined;
  #snap: Snap | undefined;

  constructor(model: EditorModel, drawing: Drawing) {
    this.#model = model;
    this.#drawing = drawing;
  }

  start(): void {
    const { map, objects } = this.#drawing;
    const draw = new Draw({ type: 'Polygon', stopClick: true, style: sketchStyle });
    draw.on('drawend', ({ feature }) => {
      const geometry = feature.getGeometry();
      if (!(geometry instanceof Polygon)) return;
      const corners = (geometry.getCoordinates()[0] ?? []).slice(0, -1);
      const coords = corners.map((corner) => roundedPoint(this.#drawing.toArtboard(corner)));
      void this.#model.addObject({ type: 'poly', coords, pin: false, opacity: 0.6 }).then(() => {
        this.#model.tool.value = 'select';
      });
    });
    this.#draw = draw;
    map.addInteraction(draw);
    if (objects.getFeatures().length > snapMax) return;
    this.#snap = new Snap({ source: objects, pixelTolerance: 8 });
    map.addInteraction(this.#snap);
  }

  stop(): void {
    const { map } = this.#drawing;
    if (this.#draw !== undefined) map.removeInteraction(this.#draw);
    if (this.#snap !== undefined) map.removeInteraction(this.#snap);
    this.#draw = undefined;
    this.#snap = undefined;
  }

  /** Ends the polygon. Whether the tool is in use. */
  finish(): boolean {
    this.#draw?.finishDrawing();
    return this.#draw !== undefined;
  }

  /** Cancels the polygon. `false` if there was none. */
  cancel(): boolean {
    if (this.#draw === undefined || this.#draw.getOverlay().getSource()?.getFeatures().length === 0) return false;
    this.#draw.abortDrawing();
    return true;
  }
}

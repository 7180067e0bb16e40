/** Marks what is selected on the map: several objects, and handles at the corners of one polygon or line that can be changed. */
import type Feature from 'ol/Feature.js';
import type Geometry from 'ol/geom/Geometry.js';
import LineString from 'ol/geom/LineString.js';
import Polygon from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import { isText as isTextObject } from '../../../lib/draw/public-map.ts';
import type { Drawing, MapLabels } from './drawing-module.ts';
import { cornersStyle, selectedStyle } from './map-styles.ts';

export class SelectionLayer {
  readonly #drawing: Drawing;
  readonly #labels: MapLabels;
  /** The selected polygon or line whose corners can be moved. */
  #reshaped: Feature<Geometry> | undefined;
  readonly #source = new VectorSource<Feature<Geometry>>({ wrapX: false });
  readonly layer = new VectorLayer({
    source: this.#source,
    style: (feature) => (feature === this.#reshaped ? cornersStyle : selectedStyle),
    updateWhileAnimating: true,
    updateWhileInteracting: true,
  });

  /** @param labels the names, of which that of a selected text is marked */
  constructor(drawing: Drawing, labels: MapLabels) {
    this.#drawing = drawing;
    this.#labels = labels;
  }

  /** Draws the marks where their objects are now: of many moved objects no event says so. */
  follow(): void {
    const features = this.#source.getFeatures();
    this.#source.clear(true);
    this.#source.addFeatures(features);
  }

  /** @param isEditable whether the user can change an object */
  show(ids: readonly string[], isEditable: (id: string) => boolean): void {
    const features = ids
      .flatMap((id) => this.#drawing.featureOf(id) ?? [])
      .filter((feature) => feature.getGeometry() !== undefined);
    this.#source.clear(true);
    const [only, ...others] = features;
    const id = only === undefined || others.length > 0 ? undefined : String(only.getId());
    const isText = only !== undefined && isTextObject(only.object);
    this.#labels.mark(isText ? id : undefined);
    this.#drawing.focus(isText ? undefined : id);
    const geometry = only?.getGeometry();
    const hasCorners = geometry instanceof Polygon || geometry instanceof LineString;
    this.#reshaped = id !== undefined && hasCorners && isEditable(id) ? only : undefined;
    if (others.length > 0 || this.#reshaped !== undefined) this.#source.addFeatures(features);
  }
}

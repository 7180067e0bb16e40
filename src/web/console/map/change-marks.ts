/** Marks what differs between two states of a project: a ring around each object that was created, changed or deleted, and where it was before. */
import Feature from 'ol/Feature.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import type { Change, ChangeMark } from '../editor/workspace.ts';
import { type Drawing, type MapObject, readObject } from './drawing-module.ts';
import { geometryOn, radiusOnScreen } from './ghost-layer.ts';

type Kind = Change | 'before';

/** Also without colours: deleted is dashed, the former place is dotted. The same colours as in the style sheet. */
const lines: Readonly<Record<Kind, { readonly color: string; readonly dash?: number[] }>> = {
  created: { color: '#15803d' },
  changed: { color: '#b45309' },
  deleted: { color: '#b42318', dash: [8, 5] },
  before: { color: '#b45309', dash: [2, 5] },
};

/** Distance of the ring from a spot, and its least radius, in pixels of the screen. */
const [gapPx, radiusMinPx] = [4, 8];

export class ChangeMarks {
  readonly layer: VectorLayer<VectorSource<Feature>>;
  readonly #source = new VectorSource<Feature>({ wrapX: false });
  readonly #drawing: Drawing;
  readonly #styles = new Map<string, Style[]>();

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
    this.layer = new VectorLayer({
      source: this.#source,
      style: (feature, resolution) => this.#styleOf(feature, resolution),
    });
  }

  /** Marks the objects that are drawn. */
  show(marks: ReadonlyMap<string, ChangeMark>): void {
    this.#source.clear(true);
    const features: Feature[] = [];
    for (const [id, { change, before }] of marks) {
      const object = this.#drawing.featureOf(id)?.object;
      if (object === undefined) continue;
      if (before !== undefined) features.push(...this.#featureOf(readObject(before), 'before'));
      features.push(...this.#featureOf(object, change));
    }
    this.#source.addFeatures(features);
    this.#source.changed();
  }

  #featureOf(object: MapObject, kind: Kind): Feature[] {
    const geometry = geometryOn(this.#drawing, object);
    if (geometry === undefined) return [];
    const feature = new Feature(geometry);
    feature.setProperties({ kind, radius: object.type === 'spot' ? object.radius : undefined }, true);
    return [feature];
  }

  #styleOf(feature: { get(name: string): unknown }, resolution: number): Style[] {
    const kind = feature.get('kind') as Kind;
    const radius = feature.get('radius') as number | undefined;
    const pixels =
      radius === undefined
        ? 0
        : Math.max(radiusMinPx, Math.round(radiusOnScreen(this.#drawing, radius, resolution) * 2) / 2 + gapPx);
    const key = `${kind} ${pixels}`;
    let styles = this.#styles.get(key);
    if (styles === undefined) {
      const { color, dash } = lines[kind];
      // A dark line on a light one is visible on every background.
      const strokes = [
        new Stroke({ color: '#ffffff', width: 6 }),
        new Stroke({ color, width: 3, ...(dash === undefined ? {} : { lineDash: dash }) }),
      ];
      styles = strokes.map((stroke) =>
        pixels === 0 ? new Style({ stroke }) : new Style({ image: new CircleStyle({ radius: pixels, stroke }) }),
      );
      if (this.#styles.size > 2000) this.#styles.clear();
      this.#styles.set(key, styles);
    }
    return styles;
  }
}

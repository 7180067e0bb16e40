/**
 * The objects of an artboard as features: which there are, their order, and what all of them have in common, which decides how they are drawn and
 * how they are searched.
 */
import type { Coordinate } from 'ol/coordinate.js';
import { buffer, createEmpty, type Extent, extend, extendCoordinate } from 'ol/extent.js';
import Circle from 'ol/geom/Circle.js';
import VectorSource from 'ol/source/Vector.js';
import { isText, labelSizes } from '../../../lib/draw/public-map.ts';
import type { ArtboardFrame } from './artboard-frame.ts';
import { type HitOptions, isHit } from './hit.ts';
import { isUsableId, type MapObject } from './map-document.ts';
import type { Differences } from './object-differences.ts';
import { ObjectFeature } from './object-feature.ts';
import type { Disc } from './view/stand-alone.ts';

/** From this number of objects on, they are drawn into an image that moves with the view and is drawn again when it rests. */
const denseFrom = 8_000;
/** Spots are drawn from pictures if there are this many objects, with at most this many different paints. */
const sharingFrom = 1000;
const paintsMax = 512;
/** From this number of changed objects on, the index of the source is made again, which is faster than an event for each. */
const manyFrom = 100;

/** True if an object is shown. */
export type ObjectFilter = (object: MapObject) => boolean;

export class DrawnObjects {
  /** Each feature has the identifier of its object, if that is usable. */
  readonly source = new VectorSource<ObjectFeature>({ wrapX: false });
  /** Least size of a name, in CSS pixels. */
  leastLabelPx = 0;
  #isDense = false;
  #sharesPaints = false;
  /** Of all objects, in pixels of the artboard. */
  #widestStroke = 0;
  #hasLabels = false;
  #shows: ObjectFilter | undefined;

  /** Whether they are drawn into an image. */
  get isDense(): boolean {
    return this.#isDense;
  }

  /** Whether many objects share few paints. */
  get sharesPaints(): boolean {
    return this.#sharesPaints;
  }

  /** True if an object perhaps has a name that is always written. */
  get hasLabels(): boolean {
    return this.#hasLabels;
  }

  /** The scale of icons and groups, which do not grow with the map: they keep their proportion to the usual size of a name. */
  get iconScale(): number {
    return Math.max(1, this.leastLabelPx / labelSizes.usual);
  }

  featureOf(id: string): ObjectFeature | undefined {
    const found: unknown = this.source.getFeatureById(id);
    return found instanceof ObjectFeature ? found : undefined;
  }

  /** Hides objects for which a function returns false, now and after each change of them. Returns whether that changes anything. */
  setFilter(shows: ObjectFilter | undefined): boolean {
    this.#shows = shows;
    let isChanged = false;
    for (const feature of this.source.getFeatures()) {
      const before = feature.isHidden;
      isChanged = this.#filter(feature).isHidden !== before || isChanged;
    }
    return isChanged;
  }

  #filter(feature: ObjectFeature): ObjectFeature {
    feature.isHidden = this.#shows?.(feature.object) === false;
    return feature;
  }

  #featureFor(object: MapObject, order: number, frame: ArtboardFrame): ObjectFeature {
    return this.#filter(new ObjectFeature(object, order, frame));
  }

  /** The box of all objects that are shown, with the centres of spots; `undefined` if there is none. */
  get shownBox(): Extent | undefined {
    const box = createEmpty();
    for (const feature of this.source.getFeatures()) {
      const geometry = feature.isHidden ? undefined : feature.getGeometry();
      if (geometry instanceof Circle) extendCoordinate(box, geometry.getCenter());
      else if (geometry !== undefined) extend(box, geometry.getExtent());
    }
    return box[0] === Number.POSITIVE_INFINITY ? undefined : box;
  }

  /** All other spots that are shown. */
  spotsBeside(feature: ObjectFeature): Disc[] {
    return this.source.getFeatures().flatMap((other) => (other === feature ? [] : discOf(other)));
  }

  /** Replaces all objects. */
  show(objects: readonly MapObject[], frame: ArtboardFrame): void {
    this.source.clear(true);
    this.source.addFeatures(uniquelyNamed(objects.map((object, order) => this.#featureFor(object, order, frame))));
    this.#measure();
  }

  /** Applies what another version of the objects changes. */
  apply({ created, changed, gone }: Differences, frame: ArtboardFrame): void {
    // A source has changed after these, also without features.
    if (gone.length > 0) this.source.removeFeatures(gone);
    this.#updateAll(changed, frame);
    if (created.length > 0) this.source.addFeatures(created.map(({ object, order }) => this.#featureFor(object, order, frame)));
    this.#measure();
  }

  /** Takes new versions of objects that are drawn. */
  putAll(objects: readonly MapObject[], frame: ArtboardFrame): void {
    const changed = objects.flatMap((object) => {
      const feature = this.featureOf(object.id);
      return feature === undefined ? [] : [{ feature, object }];
    });
    this.#updateAll(changed, frame);
    for (const { feature } of changed) this.#widen(feature);
    if (this.#isDense) this.source.changed();
  }

  #updateAll(changed: Differences['changed'], frame: ArtboardFrame): void {
    const isSilent = changed.length >= manyFrom;
    let isMoved = false;
    for (const { feature, object } of changed) {
      isMoved = feature.update(object, frame, isSilent) || isMoved;
      this.#filter(feature);
    }
    if (!isSilent || !isMoved) return;
    const features = this.source.getFeatures();
    this.source.clear(true);
    this.source.addFeatures(features);
  }

  /** Takes a new version of an object, or the object if it is new: at the end, or before the object at `order`. */
  put(object: MapObject, frame: ArtboardFrame, order?: number): void {
    const feature = this.featureOf(object.id);
    if (feature === undefined) {
      const last = this.source.getFeatures().reduce((most, { order: at }) => Math.max(most, at), -1);
      const created = this.#featureFor(object, order === undefined ? last + 1 : order - 0.5, frame);
      this.#widen(created);
      this.source.addFeature(created);
      return;
    }
    const moved = feature.update(object, frame);
    this.#filter(feature);
    this.#widen(feature);
    if (order !== undefined) feature.order = order;
    if (!moved && (this.#isDense || order !== undefined)) feature.changed();
  }

  /** Gives them another order. Identifiers that are not listed come last. */
  reorder(ids: readonly string[]): void {
    const places = new Map(ids.map((id, at) => [id, at]));
    for (const feature of this.source.getFeatures()) feature.order = places.get(String(feature.getId())) ?? ids.length;
    this.source.changed();
  }

  /**
   * The topmost feature at a coordinate of the view. The index of the source finds it: OpenLayers' own search visits every object.
   *
   * @param counts whether a feature is searched
   * @param isAbove whether a feature is above all others
   */
  topAt(
    at: Coordinate,
    options: HitOptions,
    counts: (feature: ObjectFeature) => boolean,
    isAbove: (feature: ObjectFeature) => boolean,
  ): ObjectFeature | undefined {
    const orderOf = (feature: ObjectFeature): number => (isAbove(feature) ? Number.POSITIVE_INFINITY : feature.order);
    const margin = Math.max((this.#widestStroke / 2) * options.sizeScale + options.tolerance, options.lineReach);
    let top: ObjectFeature | undefined;
    this.source.forEachFeatureInExtent(buffer([...at, ...at], margin), (feature) => {
      if (counts(feature) && (top === undefined || orderOf(feature) > orderOf(top)) && isHit(feature, at, options)) top = feature;
    });
    return top;
  }

  /** Finds out what all of them have in common. */
  #measure(): void {
    const features = this.source.getFeatures();
    this.#widestStroke = 0;
    this.#hasLabels = false;
    for (const feature of features) this.#widen(feature);
    const paints = features.length < sharingFrom ? 0 : new Set(features.map(({ look: { normal } }) => normal.key)).size;
    this.#sharesPaints = paints > 0 && paints <= paintsMax;
    // Blending needs the backdrop, which such an image does not have.
    this.#isDense = features.length >= denseFrom && features.every(({ look: { blend } }) => blend === 'source-over');
  }

  #widen({ object: { label }, look: { normal } }: ObjectFeature): void {
    this.#hasLabels ||= label === 'always';
    this.#widestStroke = Math.max(this.#widestStroke, normal.strokeWidth);
  }
}

/** A source takes each identifier once, and no name that every object has; a document from elsewhere may have both. */
function uniquelyNamed(features: readonly ObjectFeature[]): ObjectFeature[] {
  const seen = new Set<string>();
  for (const feature of features) {
    const id = String(feature.getId());
    if (seen.has(id) || !isUsableId(id)) feature.setId(undefined);
    seen.add(id);
  }
  return [...features];
}

/** A spot that is shown, in the view. */
export function discOf(feature: ObjectFeature): Disc[] {
  const geometry = feature.getGeometry();
  if (feature.isHidden || isText(feature.object) || !(geometry instanceof Circle)) return [];
  const [x = 0, y = 0] = geometry.getCenter();
  return [{ x, y, radius: Math.max(0, feature.object.radius) }];
}

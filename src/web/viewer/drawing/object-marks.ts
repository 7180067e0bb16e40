/** Objects that are drawn in another way than the rest: the one under the pointer, the one with the ring, and the spots of groups. */
import type BaseLayer from 'ol/layer/Base.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import VectorSource from 'ol/source/Vector.js';
import type { DrawnObjects } from './drawn-objects.ts';
import { markStyle } from './mark-painter.ts';
import type { ObjectFeature } from './object-feature.ts';
import type { PaintContext } from './object-painter.ts';

export class ObjectMarks {
  readonly #map: OlMap;
  readonly #objects: DrawnObjects;
  /** Those that are drawn above all objects. */
  readonly #raised = new VectorSource<ObjectFeature>({ wrapX: false });
  #hovered: ObjectFeature | undefined;
  #focused: ObjectFeature | undefined;
  /** Spots that are drawn as part of a group. */
  #grouped: ReadonlySet<ObjectFeature> = new Set();

  constructor(map: OlMap, objects: DrawnObjects) {
    this.#map = map;
    this.#objects = objects;
  }

  /** Whether an object has its hover style in its place among the others. */
  isHoveredInPlace(feature: ObjectFeature): boolean {
    return feature === this.#hovered && !this.#objects.isDense;
  }

  isGrouped(feature: ObjectFeature): boolean {
    return this.#grouped.has(feature);
  }

  hover(feature: ObjectFeature | undefined): void {
    if (feature === this.#hovered) return;
    this.#hovered = feature;
    this.draw();
  }

  focus(feature: ObjectFeature | undefined): void {
    if (feature === this.#focused) return;
    this.#focused = feature;
    this.draw();
  }

  group(features: ReadonlySet<ObjectFeature>): void {
    this.#grouped = features;
    if (this.#objects.isDense) this.#objects.source.changed();
    this.draw();
  }

  /** Takes hover and focus from an object, without drawing. */
  forget(feature: ObjectFeature): void {
    if (feature === this.#hovered) this.#hovered = undefined;
    if (feature === this.#focused) this.#focused = undefined;
  }

  /** Takes hover and focus from all objects, without drawing. */
  clear(): void {
    this.#hovered = undefined;
    this.#focused = undefined;
    this.#raised.clear(true);
  }

  /** Draws the marks again, after a change of them or of the objects. */
  draw(): void {
    const hovered = this.#hovered !== undefined && this.#isHoveredAbove(this.#hovered) ? [this.#hovered] : [];
    const raised = new Set([...hovered, this.#focused]);
    this.#raised.clear(true);
    for (const feature of raised) if (feature?.getGeometry() !== undefined) this.#raised.addFeature(feature);
    this.#raised.changed();
    this.#map.render();
  }

  /** A layer above the objects. @param context of the objects */
  layer(context: PaintContext): BaseLayer {
    return new VectorLayer({
      source: this.#raised,
      style: markStyle(context, {
        isFocused: (feature) => feature === this.#focused,
        isHovered: (feature) => this.#isHoveredAbove(feature),
      }),
      updateWhileAnimating: true,
      updateWhileInteracting: true,
    });
  }

  /** An image cannot change as quickly as the pointer, and a spot of a group is not drawn in its place. */
  #isHoveredAbove(feature: ObjectFeature): boolean {
    return feature === this.#hovered && (this.#objects.isDense || this.#grouped.has(feature));
  }
}

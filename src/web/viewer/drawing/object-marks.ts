/**
 * Objects that are drawn in another way than the rest: the one under the pointer, the chosen one, the one with the ring, and the spots of groups.
 */
import type BaseLayer from 'ol/layer/Base.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import VectorSource from 'ol/source/Vector.js';
import type { DrawnObjects } from './drawn-objects.ts';
import type { ObjectFeature } from './object-feature.ts';
import { markStyle } from './painting/mark-painter.ts';
import type { PaintContext } from './painting/object-painter.ts';

export class ObjectMarks {
  readonly #map: OlMap;
  readonly #objects: DrawnObjects;
  /** Those that are drawn above all objects. */
  readonly #raised = new VectorSource<ObjectFeature>({ wrapX: false });
  #hovered: ObjectFeature | undefined;
  #focused: ObjectFeature | undefined;
  #chosen: ObjectFeature | undefined;
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

  /** The chosen object is drawn by itself. */
  isGrouped(feature: ObjectFeature): boolean {
    return this.#grouped.has(feature) && feature !== this.#chosen;
  }

  get chosen(): ObjectFeature | undefined {
    return this.#chosen;
  }

  /** True if an object is not drawn in its place among the others. An image that lacks the chosen one could not show it in time afterwards. */
  isLeftOut(feature: ObjectFeature): boolean {
    return feature.isHidden || this.#grouped.has(feature) || (feature === this.#chosen && !this.#objects.isDense);
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

  choose(feature: ObjectFeature | undefined): void {
    if (feature === this.#chosen) return;
    this.#chosen = feature;
    this.draw();
  }

  group(features: ReadonlySet<ObjectFeature>): void {
    this.#grouped = features;
    if (this.#objects.isDense) this.#objects.source.changed();
    this.draw();
  }

  /** Takes all marks from an object, without drawing. */
  forget(feature: ObjectFeature): void {
    if (feature === this.#hovered) this.#hovered = undefined;
    if (feature === this.#focused) this.#focused = undefined;
    if (feature === this.#chosen) this.#chosen = undefined;
  }

  /** Takes all marks from all objects, without drawing. */
  clear(): void {
    this.#hovered = undefined;
    this.#focused = undefined;
    this.#chosen = undefined;
    this.#raised.clear(true);
  }

  /** Draws the marks again, after a change of them or of the objects. */
  draw(): void {
    const hovered = this.#hovered !== undefined && this.#isHoveredAbove(this.#hovered) ? [this.#hovered] : [];
    const raised = new Set([...hovered, this.#chosen, this.#focused]);
    this.#raised.clear(true);
    for (const feature of raised) if (feature?.getGeometry() !== undefined && !feature.isHidden) this.#raised.addFeature(feature);
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
        // A spot of a group appears while it is marked.
        isDrawn: (feature) => this.#isHoveredAbove(feature) || this.#grouped.has(feature) || feature === this.#chosen,
      }),
      renderOrder: (a, b) => Number(a === this.#chosen) - Number(b === this.#chosen),
      updateWhileAnimating: true,
      updateWhileInteracting: true,
    });
  }

  /** An image cannot change as quickly as the pointer, and a spot of a group is not drawn in its place. */
  #isHoveredAbove(feature: ObjectFeature): boolean {
    const isAbove = this.#objects.isDense || this.#grouped.has(feature) || feature === this.#chosen;
    return feature === this.#hovered && isAbove;
  }
}

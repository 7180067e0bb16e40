/** The layers of a map that draw an artboard: its background, its objects and their marks. An editor adds others. */
import type BaseLayer from 'ol/layer/Base.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorImageLayer from 'ol/layer/VectorImage.js';
import type OlMap from 'ol/Map.js';
import type { StyleFunction } from 'ol/style/Style.js';
import type { ArtboardFrame } from './artboard-frame.ts';
import type { DrawnObjects } from './drawn-objects.ts';
import type { MapIcon } from './map-document.ts';
import type { ObjectFeature } from './object-feature.ts';
import type { ObjectMarks } from './object-marks.ts';
import { type CrossOrigin, type IconState, ObjectIcons } from './painting/object-icons.ts';
import { objectStyle, type PaintContext } from './painting/object-painter.ts';

/** The image of many objects is larger than the view by this factor, so that a pan shows no empty border at first. */
const denseRatio = 1.4;

export class DrawingLayers {
  readonly #map: OlMap;
  readonly #objects: DrawnObjects;
  readonly #marks: ObjectMarks;
  readonly #icons: ObjectIcons;
  #shown: readonly BaseLayer[] = [];
  #objectLayer: BaseLayer | undefined;

  constructor(map: OlMap, objects: DrawnObjects, marks: ObjectMarks, crossOrigin?: CrossOrigin) {
    this.#icons = new ObjectIcons(() => this.#redraw(), crossOrigin);
    this.#map = map;
    this.#objects = objects;
    this.#marks = marks;
  }

  /** Replaces all layers of the map. */
  show(background: readonly BaseLayer[], frame: ArtboardFrame): void {
    const context = this.#contextOf(frame);
    this.#objectLayer = this.#createObjectLayer(context);
    this.#replace([...background, this.#objectLayer, this.#marks.layer(context)]);
  }

  /** Draws the objects into an image, or directly again. Other layers stay. */
  replaceObjects(frame: ArtboardFrame): void {
    const former = this.#objectLayer as BaseLayer;
    const layer = this.#createObjectLayer(this.#contextOf(frame));
    this.#objectLayer = layer;
    this.#shown = this.#shown.map((each) => (each === former ? layer : each));
    const layers = this.#map.getLayers();
    layers.setAt(layers.getArray().indexOf(former), layer);
    former.dispose();
  }

  /** Draws the objects again, also in an image, for another reason than a change of them. */
  #redraw(): void {
    if (this.#objects.isDense) this.#objects.source.changed();
    this.#map.render();
  }

  get iconState(): IconState {
    return this.#icons.state;
  }

  set namedIcons(icons: ReadonlyMap<string, MapIcon>) {
    this.#icons.named = icons;
    this.#redraw();
  }

  dispose(): void {
    this.#replace([]);
  }

  /** The sources outlive the layers: they would keep every layer that still listens to them. */
  #replace(layers: readonly BaseLayer[]): void {
    const before = this.#shown;
    this.#shown = layers;
    this.#map.setLayers([...layers]);
    for (const layer of before) layer.dispose();
  }

  #createObjectLayer(context: PaintContext): BaseLayer {
    const style = objectStyle(context);
    const options = {
      source: this.#objects.source,
      renderOrder: (a: unknown, b: unknown) => (a as ObjectFeature).order - (b as ObjectFeature).order,
    };
    if (!this.#objects.isDense) return new VectorLayer({ ...options, style });
    // An image is made again when other objects are left out of it, so these need no instructions.
    const drawn: StyleFunction = (feature, resolution) =>
      this.#marks.isLeftOut(feature as ObjectFeature) ? undefined : style(feature, resolution);
    return new VectorImageLayer({ ...options, style: drawn, imageRatio: denseRatio });
  }

  #contextOf({ scale, keepsSize, toView }: ArtboardFrame): PaintContext {
    const view = () => this.#map.getView();
    return {
      zoom: () => scale / (view().getResolution() ?? scale),
      keepsSize,
      isHovered: (feature) => this.#marks.isHoveredInPlace(feature),
      isLeftOut: (feature) => this.#marks.isLeftOut(feature),
      sharesPaints: () => this.#objects.sharesPaints,
      isMoving: () => view().getAnimating() || view().getInteracting(),
      icons: this.#icons,
      iconScale: () => this.#objects.iconScale,
      labelPoint: ({ labelPoint }) => labelPoint && toView(labelPoint),
    };
  }
}

/**
 * Draws one artboard of a project with OpenLayers, finds the object under a point, and follows changes of single objects. The element
 * shows a map with it; an editor adds the interactions of OpenLayers to {@link Drawing.map} and {@link Drawing.objects}.
 */
import type { Coordinate } from 'ol/coordinate.js';
import { type Extent, getCenter } from 'ol/extent.js';
import type Geometry from 'ol/geom/Geometry.js';
import Polygon from 'ol/geom/Polygon.js';
import type Interaction from 'ol/interaction/Interaction.js';
import type BaseLayer from 'ol/layer/Base.js';
import OlMap from 'ol/Map.js';
import type { Pixel } from 'ol/pixel.js';
import type VectorSource from 'ol/source/Vector.js';
import { type ArtboardFrame, frameOf } from './artboard-frame.ts';
import { openStreetMapTiles } from './backdrop.ts';
import { backgroundLayers } from './background.ts';
import { CrossFade } from './cross-fade.ts';
import { DrawingLayers } from './drawing-layers.ts';
import { DrawnObjects, type ObjectFilter } from './drawn-objects.ts';
import type { Corner, MapArtboard, MapObject } from './map-document.ts';
import { differences } from './object-differences.ts';
import type { ObjectFeature } from './object-feature.ts';
import { ObjectMarks } from './object-marks.ts';
import { type CoveredCorner, type Padding, Viewport } from './viewport.ts';

/** @param isOther whether all objects may be others: another artboard, another version of it, or another filter */
type ChangeListener = (isOther: boolean) => void;

interface DrawingOptions {
  /** Address of tiles with `{z}`, `{x}` and `{y}`; `none` for a plain grid. Default: OpenStreetMap. */
  readonly tiles?: string;
  /** Interactions of the map. Default: none. */
  readonly interactions?: Interaction[];
  /** Called once per artboard for an image or for tiles that do not load. */
  onProblem?(problem: 'image' | 'tiles'): void;
  /** Whether movements take time; asked before each. Default: they do. */
  animates?(): boolean;
}

export class Drawing {
  /** The map of OpenLayers. */
  readonly map: OlMap;
  /** The features of all objects of the artboard, each an {@link ObjectFeature}. */
  readonly objects: VectorSource<ObjectFeature>;
  readonly #drawn = new DrawnObjects();
  readonly #marks: ObjectMarks;
  readonly #layers: DrawingLayers;
  readonly #options: DrawingOptions;
  readonly #viewport: Viewport;
  readonly #fade: CrossFade;
  #artboard: MapArtboard | undefined;
  #frame: ArtboardFrame | undefined;
  readonly #listeners = new Set<ChangeListener>();

  /** @param target the element that the map fills */
  constructor(target: HTMLElement, options: DrawingOptions = {}) {
    this.#options = options;
    this.objects = this.#drawn.source;
    this.map = new OlMap({ target, controls: [], interactions: options.interactions ?? [], layers: [] });
    this.#marks = new ObjectMarks(this.map, this.#drawn);
    this.#layers = new DrawingLayers(this.map, this.#drawn, this.#marks);
    this.#viewport = new Viewport(this.map, () => this.#animates);
    this.#fade = new CrossFade(this.map);
  }

  get #animates(): boolean {
    return this.#options.animates?.() !== false;
  }

  /** The artboard that is drawn; `undefined` before the first. */
  get artboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Whether spots and outlines are drawn into an image. */
  get isDense(): boolean {
    return this.#drawn.isDense;
  }

  /** Whether the background comes from a tile server, whose data must be credited. */
  get showsTiles(): boolean {
    return this.#artboard?.type === 'osm' && this.#options.tiles !== 'none';
  }

  /**
   * Draws an artboard. The view stays if the same artboard was drawn before with the same frame; otherwise the whole artboard is shown.
   */
  show(artboard: MapArtboard): void {
    this.#fade.end();
    const before = this.#artboard;
    const frame = frameOf(artboard);
    const keepsView = before !== undefined && before.id === artboard.id && sameFrame(before, artboard);
    this.#artboard = artboard;
    this.#marks.clear();
    if (!keepsView) {
      this.#frame = frame;
      this.#viewport.show(frame);
    }
    const used = this.#frame as ArtboardFrame;
    const wasDense = this.isDense;
    this.#drawn.show(artboard.objects, used);
    if (!keepsView || !sameBackground(before, artboard) || this.isDense !== wasDense)
      this.#layers.show(this.#backgroundOf(artboard, used), used);
    if (!keepsView) this.fit(false);
    this.#notify(true);
  }

  /**
   * Draws another version of the artboard that is drawn, in which some objects are different, new or gone: only they are redrawn, and fade if
   * movements take time. View, hover and focus stay. Draws it whole if something else differs.
   *
   * @returns whether there was a difference
   */
  update(artboard: MapArtboard): boolean {
    const before = this.#artboard;
    const frame = this.#frame;
    const isSame = before?.id === artboard.id && sameFrame(before, artboard) && sameBackground(before, artboard);
    if (frame === undefined || !isSame) {
      this.show(artboard);
      return true;
    }
    this.#artboard = artboard;
    const changes = differences(this.objects.getFeatures(), artboard.objects);
    const { created, changed, gone, isReordered } = changes;
    if (created.length + changed.length + gone.length === 0 && !isReordered) return false;
    if (this.#animates) this.#fade.begin();
    for (const feature of gone) this.#marks.forget(feature);
    const wasDense = this.isDense;
    this.#drawn.apply(changes, frame);
    if (this.isDense !== wasDense) this.#layers.replaceObjects(frame);
    // Other colours need no new drawing instructions, except in an image.
    else if (this.isDense || isReordered) this.objects.changed();
    this.#marks.draw();
    this.#notify();
    return true;
  }

  /**
   * Hides the objects for which a function returns false; `undefined` shows all. It is called for each new version of an object, too. Hidden
   * objects are not drawn, found, named or grouped, and have no box.
   */
  setFilter(shows: ObjectFilter | undefined): void {
    if (!this.#drawn.setFilter(shows)) return;
    if (this.isDense) this.objects.changed();
    this.#marks.draw();
    this.#notify(true);
  }

  /**
   * Draws an object above all others, where it is found first and keeps its name; `undefined` for none. It stays chosen until another one is, or
   * {@link show} draws other objects.
   */
  choose(id: string | undefined): void {
    this.#marks.choose(id === undefined ? undefined : this.featureOf(id));
    this.#notify();
  }

  isChosen(feature: ObjectFeature): boolean {
    return this.#marks.isChosen(feature);
  }

  /** Calls a function after each change of the objects that are drawn. Returns a function that ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(isOther = false): void {
    for (const listener of this.#listeners) listener(isOther);
  }

  /** Spots that are drawn as part of a group: they appear only while they are marked, and no pixel hits them. */
  setGrouped(features: ReadonlySet<ObjectFeature>): void {
    this.#marks.group(features);
  }

  isGrouped(feature: ObjectFeature): boolean {
    return this.#marks.isGrouped(feature);
  }

  #backgroundOf(artboard: MapArtboard, frame: ArtboardFrame): BaseLayer[] {
    const { tiles = openStreetMapTiles, onProblem } = this.#options;
    return backgroundLayers(artboard, frame, {
      tiles,
      // A problem of an artboard that is no longer shown is of no interest.
      onProblem: (problem) => {
        if (this.#artboard?.id === artboard.id) onProblem?.(problem);
      },
    });
  }

  /** Shows the whole artboard, now or once the map has a size. */
  fit(animate = true): void {
    this.#viewport.fit(animate);
  }

  /** Space that other elements cover: the artboard is fitted into the rest. @param corner see {@link CoveredCorner} */
  setPadding(padding: Padding, corner?: CoveredCorner): void {
    this.#viewport.setPadding(padding, corner);
  }

  /**
   * Moves the view, and changes its zoom only if needed, so that an object is in it.
   *
   * @param covered space that other elements cover, in addition to the padding
   */
  reveal(id: string, covered?: Padding): void {
    const geometry = this.#shapeOf(id);
    if (geometry !== undefined) this.#viewport.reveal(geometry.getExtent(), covered);
  }

  /** Zooms in, so that a box of the view fills the map as far as possible. */
  zoomInto(box: Extent): void {
    this.#viewport.zoomInto(box);
  }

  /** Zooms by a number of levels. */
  zoomBy(levels: number): void {
    this.#viewport.zoomBy(levels);
  }

  /**
   * The topmost interactive object at a pixel of the map.
   *
   * @param tolerance distance from an object at which it still counts, in pixels
   */
  objectAt(pixel: Pixel, tolerance = 0): MapObject | undefined {
    const frame = this.#frame;
    const resolution = this.map.getView().getResolution();
    const at = this.map.getCoordinateFromPixel(pixel) as Coordinate | null;
    if (frame === undefined || resolution === undefined || at === null) return undefined;
    const { scale, keepsSize } = frame;
    const radiusShare = keepsSize ? Math.min(1, resolution / scale) : 1;
    const options = { sizeScale: scale * radiusShare, radiusShare, tolerance: tolerance * resolution };
    const isFound = (feature: ObjectFeature) => feature.object.interactive && !feature.isHidden && !this.isGrouped(feature);
    return this.#drawn.topAt(at, options, isFound, (feature) => this.isChosen(feature))?.object;
  }

  featureOf(id: string): ObjectFeature | undefined {
    return this.#drawn.featureOf(id);
  }

  /** Draws an object in its hover style; `undefined` for none. */
  hover(id: string | undefined): void {
    this.#marks.hover(id === undefined ? undefined : this.featureOf(id));
  }

  /** Draws a ring around an object; `undefined` for none. */
  focus(id: string | undefined): void {
    this.#marks.focus(id === undefined ? undefined : this.featureOf(id));
  }

  /** Draws a new version of an object of this artboard, or the object if it is new: at its end, or before the object at `order`. */
  put(object: MapObject, order?: number): void {
    if (this.#frame === undefined) return;
    this.#drawn.put(object, this.#frame, order);
    this.#marks.draw();
    this.#notify();
  }

  /** Removes an object. */
  remove(id: string): void {
    const feature = this.featureOf(id);
    if (feature === undefined) return;
    this.#marks.forget(feature);
    this.#marks.draw();
    this.objects.removeFeature(feature);
    this.#notify();
  }

  /** Draws the objects in another order. Identifiers that are not listed come last. */
  reorder(ids: readonly string[]): void {
    this.#drawn.reorder(ids);
  }

  /** The artboard in the view, its scale, and whether it is a map. */
  get measures(): Pick<ArtboardFrame, 'extent' | 'scale' | 'keepsSize'> {
    return this.#frame as ArtboardFrame;
  }

  /** A coordinate of the view in pixels of the artboard. */
  toArtboard(coordinate: Coordinate): Corner {
    return (this.#frame as ArtboardFrame).toArtboard(coordinate);
  }

  /** A point of the artboard as a coordinate of the view. */
  toView(corner: Corner): Coordinate {
    return (this.#frame as ArtboardFrame).toView(corner);
  }

  /** `undefined` for an object without a shape, or a hidden one. */
  #shapeOf(id: string): Geometry | undefined {
    const feature = this.featureOf(id);
    return feature?.isHidden === false ? feature.getGeometry() : undefined;
  }

  /** A point of an object in the view: its centre, or a point inside of a polygon; `undefined` for an object without a shape. */
  anchorOf(id: string): Coordinate | undefined {
    const geometry = this.#shapeOf(id);
    if (geometry === undefined) return undefined;
    return geometry instanceof Polygon ? geometry.getInteriorPoint().getCoordinates() : getCenter(geometry.getExtent());
  }

  /** The box of an object on the map, in pixels; `undefined` while nothing is drawn, and for an object without a shape. */
  boxOf(id: string): { left: number; top: number; right: number; bottom: number } | undefined {
    const extent = this.#shapeOf(id)?.getExtent();
    if (extent === undefined) return undefined;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = extent;
    const a = this.map.getPixelFromCoordinate([x1, y2]);
    const b = this.map.getPixelFromCoordinate([x2, y1]);
    return a === null || b === null
      ? undefined
      : { left: a[0] as number, top: a[1] as number, right: b[0] as number, bottom: b[1] as number };
  }

  /** Frees everything. The target is empty afterwards. */
  dispose(): void {
    this.#fade.end();
    this.map.setTarget();
    this.#layers.dispose();
    this.map.dispose();
    this.objects.clear(true);
    this.#marks.clear();
  }
}

const frameMembers = ['type', 'width', 'height', 'osm_lat', 'osm_lng', 'osm_zoom'] as const;
const backgroundMembers = ['bg_color', 'image_url'] as const;
const sameFrame = (a: MapArtboard, b: MapArtboard): boolean =>
  frameMembers.every((name) => a[name] === b[name]) && JSON.stringify(a.bounds) === JSON.stringify(b.bounds);
const sameBackground = (a: MapArtboard, b: MapArtboard): boolean => backgroundMembers.every((name) => a[name] === b[name]);

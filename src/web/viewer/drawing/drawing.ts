/**
 * Draws one artboard of a project with OpenLayers, finds the object under a point, and follows changes of single objects. The element
 * shows a map with it; an editor adds the interactions of OpenLayers to {@link Drawing.map} and {@link Drawing.objects}.
 */
import type Interaction from 'ol/interaction/Interaction.js';
import { type ArtboardFrame, frameOf } from './artboard-frame.ts';
import { backgroundLayers } from './background.ts';
import { CrossFade } from './cross-fade.ts';
import { DrawingLayers } from './drawing-layers.ts';
import type { ObjectFilter } from './drawn-objects.ts';
import { MapGround } from './ground/map-ground.ts';
import type { LoadOutlines } from './ground/outlines-contract.ts';
import type { FallbackTile } from './ground/tile-requests.ts';
import { type TileSource, tileSourceFor } from './ground/tile-source.ts';
import type { MapArtboard, MapIcon, MapObject, MapStart } from './map-document.ts';
import { differences } from './object-differences.ts';
import type { ObjectFeature } from './object-feature.ts';
import type { CrossOrigin, IconState } from './painting/object-icons.ts';
import { ArtboardView } from './view/artboard-view.ts';
import { firstView, type ViewBox } from './view/first-view.ts';

/** `all`: another artboard, or another version of it; `filter`: other objects are hidden; `some`: single objects, or their marks. */
type ChangeListener = (what: 'all' | 'filter' | 'some') => void;

interface DrawingOptions {
  /** Asked for each tile that does not load. */
  readonly fallbackTile?: FallbackTile | undefined;
  /** Pixels of the canvas per CSS pixel. Default: those of the screen. */
  readonly pixelRatio?: number;
  /** `anonymous`: the canvas can be read, and pictures of sites that do not allow it are left out. */
  readonly crossOrigin?: CrossOrigin;
  /** Loads the outlines of land and borders, once, if an artboard on a map is drawn. Default: there are none. */
  readonly loadOutlines?: LoadOutlines;
  /** Interactions of the map. Default: none. */
  readonly interactions?: Interaction[];
  /** Called once per artboard for an image or for tiles that do not load. */
  onProblem?(problem: 'image' | 'tiles'): void;
  /** Called when the copies of a large image are being made, from which it will be drawn, and when they are. */
  onPreparing?(isPreparing: boolean): void;
  /** True if the view of a map on Earth fits its objects, not its artboard. */
  readonly fitsObjects?: boolean;
  /** Whether movements take time; asked before each. Default: they do. */
  animates?(): boolean;
}

export class Drawing extends ArtboardView {
  readonly #layers: DrawingLayers;
  readonly #options: DrawingOptions;
  readonly #fade: CrossFade;
  readonly #ground: MapGround;
  #artboard: MapArtboard | undefined;
  readonly #listeners = new Set<ChangeListener>();

  /** The first view of one of the artboards, instead of what fits. */
  start: MapStart | undefined;
  /** The part of an artboard that is shown first, before {@link start}. */
  part: { readonly artboardId: string; readonly box: ViewBox } | undefined;

  /** @param target the element that the map fills */
  constructor(target: HTMLElement, options: DrawingOptions = {}) {
    super(target, options.interactions ?? [], () => options.animates?.() !== false, options.pixelRatio);
    this.#options = options;
    this.#layers = new DrawingLayers(this.map, this.drawn, this.marks, options.crossOrigin);
    this.#fade = new CrossFade(this.map);
    this.#ground = new MapGround(this.map, target, options);
  }

  /** The artboard that is drawn; `undefined` before the first. */
  get artboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Whether spots and outlines are drawn into an image. */
  get isDense(): boolean {
    return this.drawn.isDense;
  }

  /** The source of the tiles that are shown, which must be credited; `undefined` without tiles. */
  get shownTiles(): TileSource | undefined {
    if (this.#artboard?.type !== 'osm') return undefined;
    const source = tileSourceFor(this.#ground.sources, this.#artboard.tiles);
    return source.url === 'none' ? undefined : source;
  }

  get tiles(): readonly TileSource[] {
    return this.#ground.sources;
  }

  /** Other sources of tiles, of which the first is the default. The artboard that is drawn follows. */
  set tiles(sources: readonly TileSource[]) {
    const before = this.shownTiles?.url;
    this.#ground.sources = sources;
    if (this.#artboard?.type === 'osm' && this.shownTiles?.url !== before) this.#drawLayers(this.#artboard);
  }

  /**
   * Draws an artboard. The view stays if the same artboard was drawn before with the same frame; otherwise it is {@link start}, or what fits.
   */
  show(artboard: MapArtboard): void {
    this.#fade.end();
    const before = this.#artboard;
    const frame = frameOf(artboard);
    const keepsView = before !== undefined && before.id === artboard.id && sameFrame(before, artboard);
    this.#artboard = artboard;
    this.marks.clear();
    if (!keepsView) {
      this.frame = frame;
      const start = this.start?.artboardId === artboard.id ? this.start : undefined;
      const fitsObjects = this.#options.fitsObjects === true && frame.keepsSize;
      this.viewport.show(frame, () =>
        firstView(frame, {
          objects: fitsObjects ? this.drawn.shownBox : undefined,
          start,
          part: this.part?.artboardId === artboard.id ? this.part.box : undefined,
        }),
      );
    }
    const used = this.frame as ArtboardFrame;
    const wasDense = this.isDense;
    this.drawn.show(artboard.objects, used);
    if (!keepsView || !sameBackground(before, artboard) || this.isDense !== wasDense) this.#drawLayers(artboard);
    if (!keepsView) this.viewport.first();
    this.#notify('all');
  }

  /**
   * Draws another version of the artboard that is drawn, in which some objects are different, new or gone: only they are redrawn, and fade if
   * movements take time. View, hover and focus stay. Draws it whole if something else differs.
   *
   * @returns whether there was a difference
   */
  update(artboard: MapArtboard): boolean {
    const before = this.#artboard;
    const frame = this.frame;
    const isSame = before?.id === artboard.id && sameFrame(before, artboard) && sameBackground(before, artboard);
    if (frame === undefined || !isSame) {
      this.show(artboard);
      return true;
    }
    this.#artboard = artboard;
    const changes = differences(this.objects.getFeatures(), artboard.objects);
    const { created, changed, gone, isReordered } = changes;
    if (created.length + changed.length + gone.length === 0 && !isReordered) return false;
    if (this.animates()) this.#fade.begin();
    for (const feature of gone) this.marks.forget(feature);
    const wasDense = this.isDense;
    this.drawn.apply(changes, frame);
    if (this.isDense !== wasDense) this.#layers.replaceObjects(frame);
    // Other colours need no new drawing instructions, except in an image.
    else if (this.isDense || isReordered) this.objects.changed();
    this.marks.draw();
    this.#notify();
    return true;
  }

  /**
   * Hides the objects for which a function returns false; `undefined` shows all. It is called for each new version of an object, too. Hidden
   * objects are not drawn, found, named or grouped, and have no box.
   */
  setFilter(shows: ObjectFilter | undefined): void {
    if (!this.drawn.setFilter(shows)) return;
    if (this.isDense) this.objects.changed();
    this.marks.draw();
    this.#notify('filter');
  }

  /** Names are not smaller, in CSS pixels, whatever the size of an object says; icons that do not grow with the map grow with them. */
  get leastLabelPx(): number {
    return this.drawn.leastLabelPx;
  }

  set leastLabelPx(px: number) {
    if (px === this.drawn.leastLabelPx) return;
    this.drawn.leastLabelPx = px;
    if (this.isDense) this.objects.changed();
    this.marks.draw();
    this.#notify('all');
  }

  /**
   * Draws an object above all others, where it is found first and keeps its name; `undefined` for none. It stays chosen until another one is, or
   * {@link show} draws other objects.
   */
  choose(id: string | undefined): void {
    this.marks.choose(id === undefined ? undefined : this.featureOf(id));
    if (id === undefined) this.viewport.uncover();
    this.#notify();
  }

  /** The state of the pictures that are icons. */
  get iconState(): IconState {
    return this.#layers.iconState;
  }

  /** The icons that objects can name. */
  set icons(icons: ReadonlyMap<string, MapIcon>) {
    this.#layers.namedIcons = icons;
  }

  /** Calls a function after each change of the objects that are drawn. Returns a function that ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(what: Parameters<ChangeListener>[0] = 'some'): void {
    for (const listener of this.#listeners) listener(what);
  }

  /** Spots that are drawn as part of a group: they appear only while they are marked, and no pixel hits them. */
  setGrouped(features: ReadonlySet<ObjectFeature>): void {
    this.marks.group(features);
  }

  #drawLayers(artboard: MapArtboard): void {
    const { onProblem, onPreparing } = this.#options;
    const frame = this.frame as ArtboardFrame;
    const background = backgroundLayers(artboard, frame, {
      crossOrigin: this.#options.crossOrigin,
      ground: this.#ground,
      // A problem of an artboard that is no longer shown is of no interest.
      onProblem: (problem) => {
        if (this.#artboard?.id === artboard.id) onProblem?.(problem);
      },
      onPreparing: (isPreparing) => onPreparing?.(isPreparing),
    });
    this.#layers.show(background, frame);
  }

  /** Draws an object in its hover style; `undefined` for none. */
  hover(id: string | undefined): void {
    this.marks.hover(id === undefined ? undefined : this.featureOf(id));
  }

  /** Draws a ring around an object; `undefined` for none. */
  focus(id: string | undefined): void {
    this.marks.focus(id === undefined ? undefined : this.featureOf(id));
  }

  /** Draws a new version of an object of this artboard, or the object if it is new: at its end, or before the object at `order`. */
  put(object: MapObject, order?: number): void {
    if (this.frame === undefined) return;
    this.drawn.put(object, this.frame, order);
    this.marks.draw();
    this.#notify();
  }

  /** Draws new versions of objects of this artboard. */
  putAll(objects: readonly MapObject[]): void {
    if (this.frame === undefined) return;
    this.drawn.putAll(objects, this.frame);
    this.marks.draw();
    this.#notify();
  }

  /** Removes an object. */
  remove(id: string): void {
    const feature = this.featureOf(id);
    if (feature === undefined) return;
    this.marks.forget(feature);
    this.marks.draw();
    this.objects.removeFeature(feature);
    this.#notify();
  }

  /** Draws the objects in another order. Identifiers that are not listed come last. */
  reorder(ids: readonly string[]): void {
    this.drawn.reorder(ids);
  }

  /** Frees everything. The target is empty afterwards. */
  dispose(): void {
    this.#fade.end();
    this.#ground.dispose();
    this.map.setTarget();
    this.#layers.dispose();
    this.map.dispose();
    this.objects.clear(true);
    this.marks.clear();
  }
}

const frameMembers = ['type', 'width', 'height', 'osm_lat', 'osm_lng', 'osm_zoom'] as const;
const backgroundMembers = ['bg_color', 'image_url', 'tiles'] as const;
const sameFrame = (a: MapArtboard, b: MapArtboard): boolean =>
  frameMembers.every((name) => a[name] === b[name]) && JSON.stringify(a.bounds) === JSON.stringify(b.bounds);
const sameBackground = (a: MapArtboard, b: MapArtboard): boolean => backgroundMembers.every((name) => a[name] === b[name]);

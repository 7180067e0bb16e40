/**
 * The artboard of the editor on a canvas: shows the project as it is with unsaved changes, and turns gestures into changes. A drag moves
 * only what is selected; only a selected polygon has handles.
 */
import { effect, untracked } from '@preact/signals';
import Collection from 'ol/Collection.js';
import type { Coordinate } from 'ol/coordinate.js';
import { click, primaryAction } from 'ol/events/condition.js';
import type Feature from 'ol/Feature.js';
import type Geometry from 'ol/geom/Geometry.js';
import Polygon from 'ol/geom/Polygon.js';
import DragPan from 'ol/interaction/DragPan.js';
import Modify from 'ol/interaction/Modify.js';
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js';
import PinchZoom from 'ol/interaction/PinchZoom.js';
import Translate from 'ol/interaction/Translate.js';
import VectorLayer from 'ol/layer/Vector.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import VectorSource from 'ol/source/Vector.js';
import { type EditorModel, type Point, roundedPoint } from '../editor/editor-model.ts';
import type { MapKeys } from '../editor/keyboard.ts';
import type { StoreChange } from '../project/project-store.ts';
import type { Members } from '../project/resource-kinds.ts';
import { loadedAddress } from '../server/server-root.ts';
import { Drawing, type MapArtboard, readArtboard, readObject } from './drawing-module.ts';
import { GhostLayer, type ImportPreview } from './ghost-layer.ts';
import { cornersStyle, handle, selectedStyle } from './map-styles.ts';
import { ObjectMoves } from './object-moves.ts';
import { PolygonTool } from './polygon-tool.ts';

/** Pixels around the pointer in which an object counts as hit: fingers and small spots. */
const hitTolerance = 4;

interface MapCanvasOptions {
  /** Address of tiles with `{z}`, `{x}` and `{y}`; `none` for a plain grid. */
  readonly tiles?: string;
  /** Called when tiles are shown, or not any more. */
  onTiles(shown: boolean): void;
  onProblem(problem: 'image' | 'tiles'): void;
}

export class MapCanvas implements MapKeys {
  readonly drawing: Drawing;
  readonly #model: EditorModel;
  readonly #options: MapCanvasOptions;
  readonly #selected = new Collection<Feature<Geometry>>();
  readonly #reshaped = new Collection<Feature<Geometry>>();
  readonly #selection = new VectorSource<Feature<Geometry>>({ wrapX: false });
  readonly #selectionLayer = new VectorLayer({
    source: this.#selection,
    style: (feature) => (this.#reshaped.getArray().includes(feature as Feature<Geometry>) ? cornersStyle : selectedStyle),
    updateWhileAnimating: true,
    updateWhileInteracting: true,
  });
  readonly #translate: Translate;
  readonly #modify: Modify;
  readonly #polygons: PolygonTool;
  readonly #moves: ObjectMoves;
  readonly #disposers: (() => void)[] = [];
  readonly #ghosts: GhostLayer;
  #preview: ImportPreview | undefined;
  #shownArtboard: unknown;

  constructor(target: HTMLElement, model: EditorModel, options: MapCanvasOptions) {
    this.#model = model;
    this.#options = options;
    const animates = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.drawing = new Drawing(target, {
      ...(options.tiles === undefined ? {} : { tiles: options.tiles }),
      interactions: [new DragPan(), new PinchZoom(), new MouseWheelZoom()],
      onProblem: (problem) => options.onProblem(problem),
      animates,
    });
    const { map } = this.drawing;
    this.#ghosts = new GhostLayer(this.drawing);
    this.#translate = new Translate({ features: this.#selected, hitTolerance, condition: primaryAction });
    this.#modify = new Modify({
      features: this.#reshaped,
      style: handle,
      pixelTolerance: 12,
      deleteCondition: (event) => click(event) && event.originalEvent.altKey,
    });
    this.#moves = new ObjectMoves(
      model,
      this.drawing,
      (id) => this.#redraw(id),
      () => this.#showEffects(),
    );
    this.#polygons = new PolygonTool(model, this.drawing);
    this.#translate.on('translatestart', ({ features }) => this.#moves.begin(features.getArray()));
    this.#translate.on('translateend', ({ features }) => this.#moves.end(features.getArray()));
    this.#modify.on('modifystart', ({ features }) => this.#moves.begin(features.getArray() as Feature<Geometry>[]));
    this.#modify.on('modifyend', ({ features }) => this.#moves.end(features.getArray() as Feature<Geometry>[]));
    map.addInteraction(this.#translate);
    map.addInteraction(this.#modify);
    map.on('click', (event) => this.#onClick(event as MapBrowserEvent<PointerEvent>));
    map.on('pointermove', (event) => this.#onMove(event as MapBrowserEvent<PointerEvent>));
    this.#disposers.push(
      model.store.onChange((change) => this.#onChange(change)),
      effect(() => {
        const id = model.artboardId.value;
        untracked(() => this.endNudge());
        this.#showArtboard(id);
      }),
      effect(() => {
        const ids = model.selection.value;
        untracked(() => this.endNudge());
        this.#showSelection(ids);
      }),
      effect(() => this.#useTool(model.tool.value)),
      effect(() => {
        const preview = model.preview.value;
        untracked(() => this.#showPreview(preview));
      }),
      effect(() => {
        model.liveView.effects.value;
        untracked(() => this.#showEffects());
      }),
    );
    model.map = this;
  }

  // What is shown

  #showArtboard(id: string): void {
    const artboard = this.#model.store.shown(id);
    if (artboard === undefined) return;
    this.#shownArtboard = artboard;
    this.drawing.show(this.#artboardAt(id));
    const layers = this.drawing.map.getLayers();
    for (const layer of [this.#selectionLayer, this.#ghosts.layer]) {
      layers.remove(layer);
      layers.push(layer);
    }
    this.#showGhosts();
    this.#options.onTiles(this.drawing.showsTiles);
    this.#showSelection(this.#model.selection.peek());
  }

  /** Draws what actions do now, and what they do not do any more; during a gesture, which works with what is drawn, once it has ended. */
  #showEffects(): void {
    const id = this.#model.artboardId.peek();
    if (this.drawing.artboard?.id !== id || this.#moves.isActive) return;
    if (this.drawing.update(this.#artboardAt(id))) this.#showSelection(this.#model.selection.peek());
  }

  /** An artboard with its objects as they are shown; those that are being moved as they are drawn. */
  #artboardAt(id: string): MapArtboard {
    const { store, liveView } = this.#model;
    const ids = [...store.ids({ kind: 'object', artboardId: id }), ...liveView.createdIds('object', id)];
    const objects = ids.map((each) => (this.#moves.has(each) ? this.drawing.featureOf(each)?.object : liveView.shown(each)));
    const next = this.#preview?.artboardId === id ? this.#preview.artboard : {};
    const artboard: Members = { ...store.shown(id), ...next };
    const image_url = loadedAddress(String(artboard['image_url'] ?? ''));
    return readArtboard({ ...artboard, image_url, objects }, this.#settings);
  }

  #onChange(change: StoreChange): void {
    const artboardId = this.#model.artboardId.peek();
    if (change.is === 'loaded') this.#showArtboard(artboardId);
    else if (change.is === 'many') this.#showMany(artboardId);
    else if (change.is === 'ordered') {
      if (change.collection.artboardId === artboardId) this.drawing.reorder(this.#model.store.ids(change.collection));
    } else if (change.ref.kind === 'project') this.#showBounds();
    else if (change.ref.kind === 'artboard') {
      if (change.ref.id === artboardId && change.is === 'put' && this.#model.store.shown(artboardId) !== this.#shownArtboard)
        this.#showArtboard(artboardId);
    } else if (change.ref.kind === 'object' && change.ref.artboardId === artboardId) {
      if (change.is === 'removed') {
        this.drawing.remove(change.ref.id);
        this.#showSelection(this.#model.selection.peek());
      } else if (!this.#moves.has(change.ref.id)) this.#redraw(change.ref.id);
    }
  }

  #showMany(artboardId: string): void {
    if (this.#model.store.shown(artboardId) !== this.#shownArtboard) this.#showArtboard(artboardId);
    else if (this.drawing.update(this.#artboardAt(artboardId))) this.#showSelection(this.#model.selection.peek());
    this.#showBounds();
  }

  /** Shows what an import would create, or ends that. */
  #showPreview(preview: ImportPreview | undefined): void {
    const before = this.#preview;
    this.#preview = preview;
    if (preview === undefined) this.#ghosts.clear();
    const id = this.#model.artboardId.peek();
    if (before?.artboardId === id || preview?.artboardId === id) this.#showArtboard(id);
  }

  #showGhosts(): void {
    if (this.#preview?.artboardId !== this.drawing.artboard?.id || this.#preview === undefined) return;
    this.#ghosts.show(this.#preview.objects);
    this.#ghosts.fit(this.drawing.measures.extent);
  }

  get #settings(): unknown {
    const { store } = this.#model;
    return store.shown(store.id)?.['settings'];
  }

  /** The settings of the project have how far the map can be moved. */
  #showBounds(): void {
    const { id, bounds } = this.drawing.artboard ?? {};
    const next = readArtboard({}, this.#settings).bounds;
    if (id !== undefined && JSON.stringify(next) !== JSON.stringify(bounds)) this.#showArtboard(id);
  }

  #redraw(id: string): void {
    const value = this.#model.liveView.shown(id);
    if (value === undefined) return;
    const isNew = this.drawing.featureOf(id) === undefined;
    this.drawing.put(readObject(value));
    // A new feature was perhaps selected before it was drawn.
    if (isNew && this.#model.selection.peek().includes(id)) this.#showSelection(this.#model.selection.peek());
  }

  #showSelection(ids: readonly string[]): void {
    const features = ids
      .flatMap((id) => this.drawing.featureOf(id) ?? [])
      .filter((feature) => feature.getGeometry() !== undefined);
    const movable = features.filter((feature) => !this.#model.liveView.isLocked(String(feature.getId())));
    this.#selection.clear(true);
    const [only, ...others] = features;
    this.drawing.focus(others.length === 0 ? (only?.getId() as string | undefined) : undefined);
    this.#selected.clear();
    this.#reshaped.clear();
    if (this.#model.canWrite) {
      this.#selected.extend(movable);
      if (only !== undefined && movable.length === 1 && others.length === 0 && only.getGeometry() instanceof Polygon)
        this.#reshaped.push(only);
    }
    if (others.length > 0 || this.#reshaped.getLength() > 0) this.#selection.addFeatures(features);
    this.drawing.map.render();
  }

  // Gestures

  #onClick(event: MapBrowserEvent<PointerEvent>): void {
    const tool = this.#model.tool.peek();
    if (tool === 'poly') return;
    if (tool === 'spot') {
      void this.#placeSpot(event.coordinate);
      return;
    }
    const { ctrlKey, metaKey, shiftKey } = event.originalEvent;
    const id = this.drawing.objectAt(event.pixel, hitTolerance)?.id;
    const { selection } = this.#model;
    if (id === undefined) {
      if (!(ctrlKey || metaKey || shiftKey)) this.#model.select([]);
    } else if (ctrlKey || metaKey || shiftKey) {
      const { value } = selection;
      this.#model.select(
        value.includes(id) ? value.filter((each) => each !== id) : [...this.#model.selectedObjects.map((ref) => ref.id), id],
      );
    } else this.#model.select([id]);
  }

  #onMove(event: MapBrowserEvent<PointerEvent>): void {
    if (event.dragging || this.#model.tool.peek() !== 'select') return;
    const id = this.drawing.objectAt(event.pixel, hitTolerance)?.id;
    const element = this.drawing.map.getTargetElement();
    if (element !== null && element !== undefined)
      element.style.cursor =
        id === undefined ? '' : this.#selected.getArray().some((feature) => feature.getId() === id) ? 'move' : 'pointer';
  }

  async #placeSpot(at: Coordinate): Promise<void> {
    await this.#model.addObject({ type: 'spot', ...roundedPoint(this.drawing.toArtboard(at)) });
  }

  // Tools

  #useTool(tool: EditorModel['tool']['value']): void {
    this.#polygons.stop();
    const isSelect = tool === 'select' && this.#model.canWrite;
    this.#translate.setActive(isSelect);
    this.#modify.setActive(isSelect);
    const element = this.drawing.map.getTargetElement();
    if (element !== null && element !== undefined) element.style.cursor = tool === 'select' ? '' : 'crosshair';
    if (tool === 'poly') this.#polygons.start();
  }

  /** While Space is held, a drag moves the map whatever is below the pointer. */
  holdSpace(isHeld: boolean): void {
    const isSelect = this.#model.tool.peek() === 'select' && this.#model.canWrite;
    this.#translate.setActive(isSelect && !isHeld);
    this.#modify.setActive(isSelect && !isHeld);
  }

  // Keys

  nudge(by: Point): void {
    this.#moves.nudge(this.#selected.getArray(), by);
  }

  endNudge(): void {
    this.#moves.endNudge();
  }

  pan(by: Point): void {
    const view = this.drawing.map.getView();
    const [x = 0, y = 0] = view.getCenter() ?? [];
    const step = ((view.getResolution() ?? 1) * (this.drawing.map.getSize()?.[0] ?? 0)) / 10;
    view.setCenter([x + by.x * step, y - by.y * step]);
  }

  zoomBy(levels: number): void {
    this.drawing.zoomBy(levels);
  }

  fit(): void {
    this.drawing.fit();
  }

  finish(): boolean {
    if (this.#polygons.finish()) return true;
    if (this.#model.tool.peek() !== 'spot') return false;
    void this.#placeSpot(this.drawing.map.getView().getCenter() ?? [0, 0]);
    return true;
  }

  cancel(): boolean {
    return this.#polygons.cancel();
  }

  // For commands

  centre(): Point {
    return this.drawing.toArtboard(this.drawing.map.getView().getCenter() ?? [0, 0]);
  }

  reveal(id: string): void {
    this.drawing.reveal(id);
  }

  focus(): void {
    this.drawing.map.getTargetElement()?.focus();
  }

  dispose(): void {
    this.endNudge();
    for (const dispose of this.#disposers) dispose();
    if (this.#model.map === this) this.#model.map = undefined;
    this.drawing.dispose();
  }
}

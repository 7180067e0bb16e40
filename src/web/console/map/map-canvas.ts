/**
 * The artboard of the editor on a canvas: shows the project as it is with unsaved changes, and turns gestures into changes. A drag moves
 * only what is selected; only a selected polygon has handles.
 */
import { effect, untracked } from '@preact/signals';
import Collection from 'ol/Collection.js';
import type { Coordinate } from 'ol/coordinate.js';
import { click, primaryAction } from 'ol/events/condition.js';
import type Feature from 'ol/Feature.js';
import Circle from 'ol/geom/Circle.js';
import type Geometry from 'ol/geom/Geometry.js';
import MultiPoint from 'ol/geom/MultiPoint.js';
import Polygon from 'ol/geom/Polygon.js';
import DragPan from 'ol/interaction/DragPan.js';
import Draw from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js';
import PinchZoom from 'ol/interaction/PinchZoom.js';
import Snap from 'ol/interaction/Snap.js';
import Translate from 'ol/interaction/Translate.js';
import VectorLayer from 'ol/layer/Vector.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import type { EditorModel, Point } from '../editor/editor-model.ts';
import type { MapKeys } from '../editor/keyboard.ts';
import { setTyped } from '../forms/use-draft.ts';
import type { StoreChange } from '../project/project-store.ts';
import { type Members, membersOf } from '../project/resource-kinds.ts';
import { Drawing, ObjectFeature, readArtboard, readObject } from './drawing-module.ts';

/** Pixels around the pointer in which an object counts as hit: fingers and small spots. */
const hitTolerance = 4;
/** Milliseconds without a key after which a move by keys is saved. */
const nudgeRestMs = 400;
/** Objects up to which new corners snap to others. */
const snapMax = 3000;
const accent = '#1d4ed8';

const outline = (colour: string, width: number) => new Style({ stroke: new Stroke({ color: colour, width }) });

/** A dark line between two light ones is visible on every background. */
const selectedStyle = [outline('#ffffff', 6), outline(accent, 2.5)];

const handle = new Style({
  image: new CircleStyle({ radius: 6, fill: new Fill({ color: '#ffffff' }), stroke: new Stroke({ color: accent, width: 2 }) }),
});

/** Corners up to which all of them have a handle; beyond, only those near the pointer. */
const handlesMax = 500;

/** A handle at each corner. */
const cornersStyle = new Style({
  geometry: (feature) => {
    const geometry = feature.getGeometry();
    const corners = geometry instanceof Polygon ? (geometry.getCoordinates()[0] ?? []).slice(0, -1) : [];
    return new MultiPoint(corners.length <= handlesMax ? corners : []);
  },
  image: handle.getImage() as CircleStyle,
});

const sketchStyle = [
  new Style({ fill: new Fill({ color: 'rgba(29, 78, 216, 0.15)' }), stroke: new Stroke({ color: '#ffffff', width: 4 }) }),
  new Style({ stroke: new Stroke({ color: accent, width: 2 }), image: handle.getImage() as CircleStyle }),
];

export interface MapCanvasOptions {
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
  #draw: Draw | undefined;
  #snap: Snap | undefined;
  /** Objects that the user moves or reshapes at the moment: what the server says about them waits. */
  readonly #busy = new Map<string, Members>();
  /** What keys move, since they last rested. */
  #nudged: readonly Feature<Geometry>[] = [];
  #nudgeTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #disposers: (() => void)[] = [];
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
    this.#translate = new Translate({ features: this.#selected, hitTolerance, condition: primaryAction });
    this.#modify = new Modify({
      features: this.#reshaped,
      style: handle,
      pixelTolerance: 12,
      deleteCondition: (event) => click(event) && event.originalEvent.altKey,
    });
    this.#translate.on('translatestart', ({ features }) => this.#begin(features.getArray()));
    this.#translate.on('translateend', ({ features }) => this.#end(features.getArray()));
    this.#modify.on('modifystart', ({ features }) => this.#begin(features.getArray() as Feature<Geometry>[]));
    this.#modify.on('modifyend', ({ features }) => this.#end(features.getArray() as Feature<Geometry>[]));
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
    );
    model.map = this;
  }

  // What is shown

  #showArtboard(id: string): void {
    const artboard = this.#model.store.shown(id);
    if (artboard === undefined) return;
    const objects = this.#model.store.members({ kind: 'object', artboardId: id });
    this.#shownArtboard = artboard;
    this.drawing.show(readArtboard({ ...artboard, objects }));
    const layers = this.drawing.map.getLayers();
    layers.remove(this.#selectionLayer);
    layers.push(this.#selectionLayer);
    this.#options.onTiles(this.drawing.showsTiles);
    this.#showSelection(this.#model.selection.peek());
  }

  #onChange(change: StoreChange): void {
    const artboardId = this.#model.artboardId.peek();
    if (change.is === 'loaded') this.#showArtboard(artboardId);
    else if (change.is === 'ordered') {
      if (change.collection.artboardId === artboardId) this.drawing.reorder(this.#model.store.ids(change.collection));
    } else if (change.ref.kind === 'artboard') {
      if (change.ref.id === artboardId && change.is === 'put' && this.#model.store.shown(artboardId) !== this.#shownArtboard)
        this.#showArtboard(artboardId);
    } else if (change.ref.kind === 'object' && change.ref.artboardId === artboardId) {
      if (change.is === 'removed') {
        this.drawing.remove(change.ref.id);
        this.#showSelection(this.#model.selection.peek());
      } else if (!this.#busy.has(change.ref.id)) this.#redraw(change.ref.id);
    }
  }

  #redraw(id: string): void {
    const value = this.#model.store.shown(id);
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
    this.#selection.clear(true);
    const [only, ...others] = features;
    this.drawing.focus(others.length === 0 ? (only?.getId() as string | undefined) : undefined);
    this.#selected.clear();
    this.#reshaped.clear();
    if (this.#model.canWrite) {
      this.#selected.extend(features);
      if (only !== undefined && others.length === 0 && only.getGeometry() instanceof Polygon) this.#reshaped.push(only);
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
        id === undefined ? '' : this.#model.canWrite && this.#model.selection.peek().includes(id) ? 'move' : 'pointer';
  }

  async #placeSpot(at: Coordinate): Promise<void> {
    const { x, y } = this.drawing.toArtboard(at);
    await this.#model.addObject({ type: 'spot', x: rounded(x), y: rounded(y) });
  }

  #begin(features: readonly Feature<Geometry>[]): void {
    for (const feature of features) {
      const id = String(feature.getId());
      const value = this.#model.store.shown(id);
      if (value !== undefined && !this.#busy.has(id)) this.#busy.set(id, value);
    }
  }

  #end(features: readonly Feature<Geometry>[]): void {
    const changes = new Map<string, Members>();
    for (const feature of features) {
      if (!(feature instanceof ObjectFeature)) continue;
      const id = String(feature.getId());
      const shape = this.drawing.shapeOf(feature);
      if (shape !== undefined) changes.set(id, 'coords' in shape ? shape : withoutRadius(shape, feature));
    }
    void this.#commit(changes);
  }

  /** Saves new places and shapes: one step, whether of one object or of many. */
  async #commit(changes: ReadonlyMap<string, Members>): Promise<void> {
    const { edits, store } = this.#model;
    // Another user may have moved them during the gesture: it is based on what they were at its beginning.
    const operations = [...changes].map(([id, to]) => {
      const began = this.#busy.get(id) ?? store.shown(id) ?? {};
      return { op: 'patch', id, from: membersOf(began, Object.keys(to)), to } as const;
    });
    const [first, ...others] = operations;
    if (first === undefined) return;
    if (others.length === 0) {
      this.#busy.delete(first.id);
      edits.change(first.id, first.to, first.from);
      return;
    }
    await edits.run(operations);
    for (const id of changes.keys()) {
      this.#busy.delete(id);
      // What was refused returns to its place.
      this.#redraw(id);
    }
  }

  // Tools

  #useTool(tool: EditorModel['tool']['value']): void {
    const { map } = this.drawing;
    this.#removeDraw();
    const isSelect = tool === 'select' && this.#model.canWrite;
    this.#translate.setActive(isSelect);
    this.#modify.setActive(isSelect);
    const element = map.getTargetElement();
    if (element !== null && element !== undefined) element.style.cursor = tool === 'select' ? '' : 'crosshair';
    if (tool !== 'poly') return;
    const draw = new Draw({ type: 'Polygon', stopClick: true, style: sketchStyle });
    draw.on('drawend', ({ feature }) => {
      const geometry = feature.getGeometry();
      if (!(geometry instanceof Polygon)) return;
      const corners = (geometry.getCoordinates()[0] ?? []).slice(0, -1).map((corner) => this.drawing.toArtboard(corner));
      const coords = corners.map(({ x, y }) => ({ x: rounded(x), y: rounded(y) }));
      void this.#model.addObject({ type: 'poly', coords, pin: false, opacity: 0.6 }).then(() => {
        this.#model.tool.value = 'select';
      });
    });
    this.#draw = draw;
    map.addInteraction(draw);
    if (this.drawing.objects.getFeatures().length > snapMax) return;
    this.#snap = new Snap({ source: this.drawing.objects, pixelTolerance: 8 });
    map.addInteraction(this.#snap);
  }

  #removeDraw(): void {
    const { map } = this.drawing;
    if (this.#draw !== undefined) map.removeInteraction(this.#draw);
    if (this.#snap !== undefined) map.removeInteraction(this.#snap);
    this.#draw = undefined;
    this.#snap = undefined;
  }

  /** While Space is held, a drag moves the map whatever is below the pointer. */
  holdSpace(isHeld: boolean): void {
    const isSelect = this.#model.tool.peek() === 'select' && this.#model.canWrite;
    this.#translate.setActive(isSelect && !isHeld);
    this.#modify.setActive(isSelect && !isHeld);
  }

  // Keys

  nudge(by: Point): void {
    const features = this.#selected.getArray();
    if (features.length === 0) return;
    if (this.#nudged.length === 0) {
      this.#nudged = [...features];
      this.#begin(features);
      // It is not saved before the keys rest.
      setTyped(this, () => this.endNudge());
    }
    const [x0 = 0, y0 = 0] = this.drawing.toView({ x: 0, y: 0 });
    const [x1 = 0, y1 = 0] = this.drawing.toView(by);
    for (const feature of features) feature.getGeometry()?.translate(x1 - x0, y1 - y0);
    clearTimeout(this.#nudgeTimer);
    this.#nudgeTimer = setTimeout(() => this.endNudge(), nudgeRestMs);
  }

  endNudge(): void {
    clearTimeout(this.#nudgeTimer);
    const nudged = this.#nudged;
    if (nudged.length === 0) return;
    this.#nudged = [];
    setTyped(this, undefined);
    this.#end(nudged);
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
    if (this.#draw !== undefined) {
      this.#draw.finishDrawing();
      return true;
    }
    if (this.#model.tool.peek() !== 'spot') return false;
    void this.#placeSpot(this.drawing.map.getView().getCenter() ?? [0, 0]);
    return true;
  }

  cancel(): boolean {
    if (this.#draw === undefined || this.#draw.getOverlay().getSource()?.getFeatures().length === 0) return false;
    this.#draw.abortDrawing();
    return true;
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

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** A drag of a spot changes its place, and never its radius. */
function withoutRadius({ x, y }: { readonly x: number; readonly y: number }, feature: ObjectFeature): Members {
  return feature.getGeometry() instanceof Circle ? { x, y } : {};
}

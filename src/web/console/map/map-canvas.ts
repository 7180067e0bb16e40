/**
 * The artboard of the editor on a canvas: shows the project as it is with unsaved changes, and turns gestures into changes. A drag moves
 * only what is selected; only a selected polygon or line has handles.
 */

import { effect, untracked } from '@preact/signals';
import DragPan from 'ol/interaction/DragPan.js';
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js';
import PinchZoom from 'ol/interaction/PinchZoom.js';
import { unByKey } from 'ol/Observable.js';
import { metresPerPixel } from '../../../lib/geo/geo.ts';
import type { TileSource } from '../../viewer/drawing/ground/tile-source.ts';
import type { MapKeys } from '../commands/keyboard.ts';
import type { StoreChange } from '../document/project-store.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { ImportPreview, MapView } from '../editor/workspace.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { loadedAddress } from '../server/server-root.ts';
import type { Point } from '../shapes/shape.ts';
import type { ToolEvent } from '../tools/tool.ts';
import { ChangeMarks } from './change-marks.ts';
import { Drawing, type MapArtboard, MapLabels, readArtboard, readObject, sameObject } from './drawing-module.ts';
import { GhostLayer } from './ghost-layer.ts';
import { showIcons } from './icon-sets.ts';
import { loadIcons } from './load-icons.ts';
import { loadOutlines } from './map-outlines.ts';
import { ObjectMoves } from './object-moves.ts';
import { pointerEvents } from './pointer-events.ts';
import { coveredBy } from './room-for-tools.ts';
import { SelectionLayer } from './selection-layer.ts';
import { shownNames, toggleNames } from './shown-names.ts';
import { SketchLayer } from './sketch-layer.ts';
import { ToolRunner } from './tool-runner.ts';

interface MapCanvasOptions {
  /** Sources of tiles, of which the first is the default. */
  readonly tiles: readonly TileSource[];
  /** Called with the source of the tiles that are shown; `undefined` without tiles. */
  onTiles(shown: TileSource | undefined): void;
  onProblem(problem: 'image' | 'tiles'): void;
}

function layerOfNames(target: HTMLElement): HTMLElement {
  const names = document.createElement('div');
  names.className = 'map-names';
  names.ariaHidden = 'true';
  target.append(names);
  return names;
}

/** The boxes of the visible tools next to a map, in its pixels. */
function toolsBeside(map: HTMLElement) {
  const origin = map.getBoundingClientRect();
  return [...(map.parentElement?.querySelectorAll('.tools') ?? [])]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .map(({ left, top, right, bottom }) => ({
      ...{ left: left - origin.left, top: top - origin.top },
      ...{ right: right - origin.left, bottom: bottom - origin.top },
    }));
}

/** Fits artboards beside the tools, also when the size of the map changes. */
function makeRoomForTools(drawing: Drawing, target: HTMLElement): void {
  const makeRoom = () => drawing.setPadding(coveredBy(toolsBeside(target), target.getBoundingClientRect()));
  makeRoom();
  drawing.map.on('change:size', makeRoom);
}

export class MapCanvas implements MapKeys {
  readonly drawing: Drawing;
  readonly #model: EditorModel;
  readonly #options: MapCanvasOptions;
  readonly #selection: SelectionLayer;
  readonly #moves: ObjectMoves;
  readonly #sketch: SketchLayer;
  readonly #tools: ToolRunner;
  #isSpaceHeld = false;
  readonly #disposers: (() => void)[] = [];
  readonly #ghosts: GhostLayer;
  readonly #marks: ChangeMarks;
  readonly #labels: MapLabels;
  #preview: ImportPreview | undefined;
  #shownArtboard: unknown;

  constructor(target: HTMLElement, model: EditorModel, options: MapCanvasOptions) {
    this.#model = model;
    this.#options = options;
    const animates = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.drawing = new Drawing(target, {
      interactions: [
        new DragPan({ condition: ({ originalEvent }) => (originalEvent as PointerEvent).button !== 2 }),
        new PinchZoom(),
        new MouseWheelZoom(),
      ],
      loadOutlines,
      onProblem: (problem) => options.onProblem(problem),
      animates,
    });
    this.drawing.tiles = options.tiles;
    makeRoomForTools(this.drawing, target);
    this.#labels = new MapLabels(this.drawing, layerOfNames(target));
    this.#selection = new SelectionLayer(this.drawing, this.#labels);
    this.#ghosts = new GhostLayer(this.drawing);
    this.#marks = new ChangeMarks(this.drawing);
    this.#moves = new ObjectMoves(
      model.document,
      this.drawing,
      (id) => this.#redraw(id),
      () => this.#selection.follow(),
      () => this.#showEffects(),
    );
    this.#sketch = new SketchLayer((point) => this.drawing.toView(point));
    this.#tools = new ToolRunner(model, this.drawing, this.#moves, this.#sketch, (pixel) => this.#labels.textAt(pixel));
    const pointers = pointerEvents({
      toArtboard: (coordinate) => this.drawing.toArtboard(coordinate),
      send: (event) => this.#tools.send(event),
      isHand: () => this.#isSpaceHeld,
      canWrite: model.document.canWrite,
    });
    this.drawing.map.addInteraction(pointers);
    this.#disposers.push(
      model.document.store.onChange((change) => this.#onChange(change)),
      showIcons(model.document.store, loadIcons, (icons) => {
        this.drawing.icons = icons;
      }),
      effect(() => {
        const id = model.selection.artboardId.value;
        untracked(() => this.endNudge());
        this.#showArtboard(id);
      }),
      effect(() => {
        const ids = model.selection.ids.value;
        untracked(() => this.endNudge());
        this.#showSelection(ids);
      }),
      effect(() => {
        const tool = model.workspace.tool.value;
        untracked(() => this.#tools.use(tool));
      }),
      effect(() => {
        const preview = model.workspace.preview.value;
        untracked(() => this.#showPreview(preview));
      }),
      effect(() => this.#marks.show(model.workspace.marks.value)),
      effect(() => {
        this.#labels.mode = shownNames(model);
      }),
      effect(() => this.#showTrial(model.workspace.trial.value?.ids ?? [])),
      effect(() => {
        model.document.liveView.effects.value;
        untracked(() => this.#showEffects());
      }),
    );
    model.workspace.map = this;
  }

  // What is shown

  /** Returns what shows the objects as they are again. */
  #showTrial(ids: readonly string[]): () => void {
    const redraw = () => {
      for (const id of ids) this.#redraw(id);
    };
    untracked(redraw);
    return () => untracked(redraw);
  }

  #showArtboard(id: string): void {
    const artboard = this.#model.document.store.shown(id);
    if (artboard === undefined) return;
    this.#shownArtboard = artboard;
    this.drawing.show(this.#artboardAt(id));
    const layers = this.drawing.map.getLayers();
    for (const layer of [this.#marks.layer, this.#selection.layer, this.#ghosts.layer, this.#sketch.layer]) {
      layers.remove(layer);
      layers.push(layer);
    }
    this.#showGhosts();
    this.#marks.show(this.#model.workspace.marks.peek());
    this.#options.onTiles(this.drawing.shownTiles);
    this.#showSelection(this.#model.selection.ids.peek());
  }

  /** Draws what actions do now, and what they do not do any more; during a gesture, which works with what is drawn, once it has ended. */
  #showEffects(): void {
    const id = this.#model.selection.artboardId.peek();
    if (this.drawing.artboard?.id !== id || this.#moves.isActive) return;
    if (this.drawing.update(this.#artboardAt(id))) this.#showSelection(this.#model.selection.ids.peek());
  }

  /** An artboard with its objects as they are shown; those that are being moved as they are drawn. */
  #artboardAt(id: string): MapArtboard {
    const { store, liveView } = this.#model.document;
    const ids = [...store.ids({ kind: 'object', artboardId: id }), ...liveView.createdIds('object', id)];
    const objects = ids.map((each) => (this.#moves.has(each) ? this.drawing.featureOf(each)?.object : liveView.shown(each)));
    const next = this.#preview?.artboardId === id ? this.#preview.artboard : {};
    const artboard: Members = { ...store.shown(id), ...next };
    const image_url = loadedAddress(String(artboard['image_url'] ?? ''));
    return readArtboard({ ...artboard, image_url, objects }, settingsOf(this.#model.document.store));
  }

  #onChange(change: StoreChange): void {
    const artboardId = this.#model.selection.artboardId.peek();
    if (change.is === 'loaded') this.#showArtboard(artboardId);
    else if (change.is === 'many') this.#showMany(artboardId);
    else if (change.is === 'ordered') {
      if (change.collection.artboardId === artboardId) this.drawing.reorder(this.#model.document.store.ids(change.collection));
    } else if (change.ref.kind === 'project') this.#showBounds();
    else if (change.ref.kind === 'artboard') {
      if (
        change.ref.id === artboardId &&
        change.is === 'put' &&
        this.#model.document.store.shown(artboardId) !== this.#shownArtboard
      )
        this.#showArtboard(artboardId);
    } else if (change.ref.kind === 'object' && change.ref.artboardId === artboardId) {
      if (change.is === 'removed') {
        this.drawing.remove(change.ref.id);
        this.#showSelection(this.#model.selection.ids.peek());
      } else if (!this.#moves.has(change.ref.id)) this.#redraw(change.ref.id);
    }
  }

  #showMany(artboardId: string): void {
    if (this.#model.document.store.shown(artboardId) !== this.#shownArtboard) this.#showArtboard(artboardId);
    else if (this.drawing.update(this.#artboardAt(artboardId))) this.#showSelection(this.#model.selection.ids.peek());
    this.#showBounds();
  }

  /** Shows what an import would create, or ends that. */
  #showPreview(preview: ImportPreview | undefined): void {
    const before = this.#preview;
    this.#preview = preview;
    if (preview === undefined) this.#ghosts.clear();
    const id = this.#model.selection.artboardId.peek();
    if (before?.artboardId === id || preview?.artboardId === id) this.#showArtboard(id);
  }

  #showGhosts(): void {
    if (this.#preview?.artboardId !== this.drawing.artboard?.id || this.#preview === undefined) return;
    this.#ghosts.show(this.#preview.objects);
    this.#ghosts.fit(this.drawing.measures.extent);
  }

  /** The settings of the project have how far the map can be moved. */
  #showBounds(): void {
    const { id, bounds } = this.drawing.artboard ?? {};
    const next = readArtboard({}, settingsOf(this.#model.document.store)).bounds;
    if (id !== undefined && JSON.stringify(next) !== JSON.stringify(bounds)) this.#showArtboard(id);
  }

  #redraw(id: string): void {
    const value = this.#model.document.liveView.shown(id);
    if (value === undefined) return;
    const drawn = this.drawing.featureOf(id)?.object;
    const isNew = drawn === undefined;
    const trial = this.#model.workspace.trial.peek();
    const next = readObject(trial?.ids.includes(id) === true ? { ...value, ...trial.members } : value);
    // The map has drawn already where a gesture has moved objects.
    if (drawn !== undefined && sameObject(drawn, next)) return;
    this.drawing.put(next);
    // A new feature was perhaps selected before it was drawn.
    if (isNew && this.#model.selection.ids.peek().includes(id)) this.#showSelection(this.#model.selection.ids.peek());
  }

  #showSelection(ids: readonly string[]): void {
    this.#selection.show(ids, (id) => this.#model.document.isEditable(id));
    this.#tools.refresh();
    this.drawing.map.render();
  }

  // Keys

  /** While Space is held, a drag moves the map whatever is below the pointer. */
  holdSpace(isHeld: boolean): void {
    this.#isSpaceHeld = isHeld;
  }

  send(event: ToolEvent): boolean {
    return this.#tools.send(event);
  }

  /** Draws at typed places. */
  place(places: readonly Point[]): void {
    this.#tools.place(places);
  }

  /** Keeps an element at a place, until the returned function is called. */
  pinAt(place: Point, element: HTMLElement): () => void {
    const { map } = this.drawing;
    const put = () => {
      const [x = 0, y = 0] = (map.getPixelFromCoordinate(this.drawing.toView(place)) as number[] | null) ?? [];
      Object.assign(element.style, { left: `${Math.round(x)}px`, top: `${Math.round(y)}px` });
    };
    put();
    const listening = map.on('postrender', put);
    return () => unByKey(listening);
  }

  nudge(by: Point): void {
    const { selection, document } = this.#model;
    const ids = selection.selectedObjects.map(({ id }) => id).filter((id) => document.isEditable(id));
    this.#moves.nudge(ids, by);
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

  toggleNames(): void {
    toggleNames(this.#model);
  }

  // For commands

  centre(): Point {
    return this.drawing.toArtboard(this.drawing.map.getView().getCenter() ?? [0, 0]);
  }

  view(): MapView {
    const { map, measures } = this.drawing;
    const view = map.getView();
    const whole = measures.keepsSize ? metresPerPixel : view.getResolutionForExtent(measures.extent, map.getSize());
    const [left = 0, bottom = 0, right = 0, top = 0] = view.calculateExtent(map.getSize());
    const [from, to] = [this.drawing.toArtboard([left, top]), this.drawing.toArtboard([right, bottom])];
    return { centre: this.centre(), from, to, zoom: Math.log2(whole / (view.getResolution() ?? whole)) };
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
    this.#labels.dispose();
    if (this.#model.workspace.map === this) this.#model.workspace.map = undefined;
    this.drawing.dispose();
  }
}

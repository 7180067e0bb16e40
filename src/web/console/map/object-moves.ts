/** Moves and new shapes of objects by drags and keys: saved when they end, based on what the objects were at their beginning. */
import type Feature from 'ol/Feature.js';
import Circle from 'ol/geom/Circle.js';
import type Geometry from 'ol/geom/Geometry.js';
import type { EditorModel, Point } from '../editor/editor-model.ts';
import { setTyped } from '../forms/use-draft.ts';
import { type Members, membersOf } from '../project/resource-kinds.ts';
import { type Drawing, ObjectFeature } from './drawing-module.ts';

/** Milliseconds without a key after which a move by keys is saved. */
const nudgeRestMs = 400;

type Features = readonly Feature<Geometry>[];

export class ObjectMoves {
  readonly #model: EditorModel;
  readonly #drawing: Drawing;
  readonly #redraw: (id: string) => void;
  readonly #onRest: () => void;
  /** Objects that the user moves or reshapes at the moment: what the server says about them waits. */
  readonly #busy = new Map<string, Members>();
  /** What keys move, since they last rested. */
  #nudged: Features = [];
  #nudgeTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param redraw draws an object as it is in the store
   * @param onRest called when no object is moved any more
   */
  constructor(model: EditorModel, drawing: Drawing, redraw: (id: string) => void, onRest: () => void) {
    this.#model = model;
    this.#drawing = drawing;
    this.#redraw = redraw;
    this.#onRest = onRest;
  }

  /** Whether any object is being moved. */
  get isActive(): boolean {
    return this.#busy.size > 0;
  }

  /** Whether an object is being moved. */
  has(id: string): boolean {
    return this.#busy.has(id);
  }

  begin(features: Features): void {
    for (const feature of features) {
      const id = String(feature.getId());
      const value = this.#model.store.shown(id);
      if (value !== undefined && !this.#busy.has(id)) this.#busy.set(id, value);
    }
  }

  end(features: Features): void {
    const changes = new Map<string, Members>();
    for (const feature of features) {
      const id = String(feature.getId());
      const shape = feature instanceof ObjectFeature ? this.#drawing.shapeOf(feature) : undefined;
      if (shape === undefined) this.#busy.delete(id);
      else changes.set(id, 'coords' in shape ? shape : withoutRadius(shape, feature));
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
    if (first !== undefined && others.length === 0) {
      this.#busy.delete(first.id);
      edits.change(first.id, first.to, first.from);
    } else if (first !== undefined) {
      await edits.run(operations);
      for (const id of changes.keys()) {
        this.#busy.delete(id);
        // What was refused returns to its place.
        this.#redraw(id);
      }
    }
    if (!this.isActive) this.#onRest();
  }

  /** Moves by pixels of the artboard, until the keys rest. */
  nudge(features: Features, by: Point): void {
    if (features.length === 0) return;
    if (this.#nudged.length === 0) {
      this.#nudged = [...features];
      this.begin(features);
      // It is not saved before the keys rest.
      setTyped(this, () => this.endNudge());
    }
    const [x0 = 0, y0 = 0] = this.#drawing.toView({ x: 0, y: 0 });
    const [x1 = 0, y1 = 0] = this.#drawing.toView(by);
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
    this.end(nudged);
  }
}

/** A drag of a spot changes its place, and never its radius. */
function withoutRadius({ x, y }: Point, feature: Feature<Geometry>): Members {
  return feature.getGeometry() instanceof Circle ? { x, y } : {};
}

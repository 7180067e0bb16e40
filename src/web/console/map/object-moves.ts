/** New shapes of objects by gestures and keys: drawn while they change, saved when they end, based on what the objects were at their beginning. */

import { membersOf } from '../../../lib/change/diff.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { isPolygon, movedBy, type Point, roundedShape, type Shape, type Shapes, shapeOf, shapesOf } from '../shapes/shape.ts';
import { setTyped } from '../ui/use-draft.ts';
import { type Drawing, type MapObject, sameObject } from './drawing-module.ts';

/** Milliseconds without a key after which a move by keys is saved. */
const nudgeRestMs = 400;

interface Nudge {
  readonly began: Shapes;
  readonly by: Point;
}

export class ObjectMoves {
  readonly #document: ProjectDocument;
  readonly #drawing: Drawing;
  readonly #redraw: (id: string) => void;
  readonly #onMoved: () => void;
  readonly #onRest: () => void;
  /** Objects that the user moves or reshapes at the moment: what the server says about them waits. */
  readonly #busy = new Map<string, Members>();
  /** What keys move, since they last rested. */
  #nudge: Nudge | undefined;
  #nudgeTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param redraw draws an object as it is in the store
   * @param onMoved called when objects are drawn at other places
   * @param onRest called when no object is moved any more
   */
  constructor(
    document: ProjectDocument,
    drawing: Drawing,
    redraw: (id: string) => void,
    onMoved: () => void,
    onRest: () => void,
  ) {
    this.#document = document;
    this.#drawing = drawing;
    this.#redraw = redraw;
    this.#onMoved = onMoved;
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

  /** Draws objects as a gesture changes them. */
  show(shapes: Shapes): void {
    const moved: MapObject[] = [];
    for (const [id, shape] of shapes) {
      const value = this.#document.store.shown(id);
      const drawn = this.#drawing.featureOf(id)?.object;
      if (value === undefined || drawn === undefined) continue;
      if (!this.#busy.has(id)) this.#busy.set(id, value);
      const next = { ...drawn, ...shape };
      if (!sameObject(drawn, next)) moved.push(next);
    }
    if (moved.length === 0) return;
    this.#drawing.putAll(moved);
    this.#onMoved();
  }

  /** Gives a gesture up: what it has changed returns to its place. */
  cancel(ids: Iterable<string>): void {
    for (const id of ids) if (this.#busy.delete(id)) this.#redraw(id);
    this.#rest();
  }

  /** Saves new places and shapes: one step, whether of one object or of many. */
  async end(shapes: Shapes): Promise<void> {
    this.show(shapes);
    const { edits, store } = this.#document;
    // Another user may have moved them during the gesture: it is based on what they were at its beginning.
    const edit = edits.begin();
    for (const [id, shape] of shapes) {
      const began = this.#busy.get(id) ?? store.shown(id) ?? {};
      const members = membersOfShape(roundedShape(shape), began);
      edit.put(id, members, membersOf(began, Object.keys(members)));
    }
    const saved = edits.run(edit);
    // An object that is as it was, and later one that is refused, returns to its place.
    this.cancel(shapes.keys());
    await saved;
  }

  #rest(): void {
    if (!this.isActive) this.#onRest();
  }

  /** Moves by pixels of the artboard, until the keys rest. */
  nudge(ids: readonly string[], by: Point): void {
    if (this.#nudge === undefined) {
      const began = shapesOf(ids, (id) => {
        const value = this.#document.store.shown(id);
        return value && shapeOf(value);
      });
      if (began.size === 0) return;
      this.#nudge = { began, by: { x: 0, y: 0 } };
      // It is not saved before the keys rest.
      setTyped(this, () => this.endNudge());
    }
    const { began, by: before } = this.#nudge;
    this.#nudge = { began, by: { x: before.x + by.x, y: before.y + by.y } };
    this.show(nudged(this.#nudge));
    clearTimeout(this.#nudgeTimer);
    this.#nudgeTimer = setTimeout(() => this.endNudge(), nudgeRestMs);
  }

  endNudge(): void {
    clearTimeout(this.#nudgeTimer);
    const nudge = this.#nudge;
    if (nudge === undefined) return;
    this.#nudge = undefined;
    setTyped(this, undefined);
    void this.end(nudged(nudge));
  }
}

const nudged = ({ began, by }: Nudge): Shapes => new Map([...began].map(([id, shape]) => [id, movedBy(shape, by)]));

/** A move of a spot changes its place, and not its radius. */
function membersOfShape(shape: Shape, began: Members): Members {
  if (isPolygon(shape)) {
    const { coords, holes } = shape;
    return { coords, ...(holes === undefined ? {} : { holes }) };
  }
  const { x, y, radius } = shape;
  return radius === began['radius'] ? { x, y } : { x, y, radius };
}

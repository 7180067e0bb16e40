/** The steps that can be undone and redone: each is the list of operations that takes it back. */
import type { CollectionRef, Members, ResourceRef } from './resource-kinds.ts';

/** Between which members of its collection a resource was, or is to be. */
export interface Place {
  /** The collection at that time, or the part of it around the resource. */
  readonly order: readonly string[];
  readonly index: number;
}

/** A change that can be carried out on what the server has, or refused because something else has changed. */
export type EditOperation =
  | {
      readonly op: 'patch';
      readonly id: string;
      readonly from: Members;
      readonly to: Members;
      /** Of an artboard: its objects stay where they are on Earth. */
      readonly keepsPlaces?: boolean | undefined;
    }
  | { readonly op: 'remove'; readonly id: string }
  | {
      readonly op: 'create';
      readonly at: CollectionRef;
      /** A new one by default; that of a deleted resource brings it back. */
      readonly id?: string;
      /** Without its identifier; an artboard with its objects, which have theirs. */
      readonly value: Members;
      /** Without it the last. */
      readonly place?: Place | undefined;
    }
  /** Gives a resource another place in its collection. */
  | { readonly op: 'place'; readonly id: string; readonly place: Place }
  /** Moves an object to another artboard; without `place` it is the last there. */
  | { readonly op: 'move'; readonly id: string; readonly artboardId: string; readonly place?: Place | undefined };

/** Gives resources the places that they have in an order: one operation for each. */
export const placesIn = (order: readonly string[], ids: ReadonlySet<string>): EditOperation[] =>
  order.flatMap((id, index) => (ids.has(id) ? [{ op: 'place', id, place: { order, index } } as const] : []));

export interface Step {
  readonly operations: readonly EditOperation[];
  /** The resource to show after it. */
  readonly focus?: ResourceRef | undefined;
}

/** Steps that are kept. */
const stepsMax = 100;

/** The steps that `undo` takes back, or that `redo` makes again. */
export type Direction = 'undo' | 'redo';

export class History {
  #steps: Readonly<Record<Direction, Step[]>> = { undo: [], redo: [] };

  get counts(): Readonly<Record<Direction, number>> {
    return { undo: this.#steps.undo.length, redo: this.#steps.redo.length };
  }

  /** A step was made: it can be undone, and what was undone before cannot be redone any more. */
  push(inverse: Step): void {
    this.put('undo', inverse);
    this.#steps.redo.length = 0;
  }

  /** The project is in another state, about which no step is. */
  clear(): void {
    this.#steps = { undo: [], redo: [] };
  }

  take(direction: Direction): Step | undefined {
    return this.#steps[direction].pop();
  }

  /** Adds a step, or puts one back. */
  put(direction: Direction, step: Step): void {
    const steps = this.#steps[direction];
    steps.push(step);
    if (steps.length > stepsMax) steps.shift();
  }
}

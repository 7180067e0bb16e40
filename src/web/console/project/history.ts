/** The steps that can be undone and redone: each is the list of operations that takes it back. */
import type { CollectionRef, Members, ResourceRef } from './resource-kinds.ts';
import { linked } from './text-links.ts';

/** A member that refers to a resource that is created again under another identifier. */
export interface FormerReference {
  readonly id: string;
  readonly member: string;
}

/** Between which members of its collection a resource was, or is to be. */
export interface Place {
  /** The collection at that time; empty for one that is too large. */
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
      /** Without identifier; an artboard with its objects, which have none either. */
      readonly value: Members;
      /** The identifier that it had before it was deleted. */
      readonly formerId?: string;
      /** For an artboard: the former identifiers of its objects. */
      readonly formerObjectIds?: readonly string[];
      readonly references?: readonly FormerReference[] | undefined;
      /** `formerId` is the original of a copy: later operations of the step refer to the copy instead, and nothing else does. */
      readonly isCopy?: boolean;
      /** Without it the last. */
      readonly place?: Place | undefined;
    }
  | { readonly op: 'order'; readonly at: CollectionRef; readonly from: readonly string[]; readonly to: readonly string[] };

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

  /** Deleted resources have come back under other identifiers: those, by the former ones. */
  rename(renamedIds: ReadonlyMap<string, string>): void {
    if (renamedIds.size === 0) return;
    const text = (value: string): string => renamedIds.get(value) ?? value;
    // Many operations share one order.
    const orders = new Map<readonly string[], readonly string[]>();
    const inOrder = (order: readonly string[]): readonly string[] => {
      const known = orders.get(order) ?? order.map(text);
      orders.set(order, known);
      return known;
    };
    const step = ({ operations, focus }: Step): Step => ({
      operations: operations.map((operation) => renamed(operation, renamedIds, inOrder)),
      focus: focus && { ...inCollection(focus, renamedIds), id: text(focus.id) },
    });
    this.#steps = { undo: this.#steps.undo.map(step), redo: this.#steps.redo.map(step) };
  }
}

function renamed(
  operation: EditOperation,
  ids: ReadonlyMap<string, string>,
  inOrder: (order: readonly string[]) => readonly string[],
): EditOperation {
  const text = (value: string): string => ids.get(value) ?? value;
  const members = (value: Members): Members =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (typeof member === 'string') return [name, linked(text(member), ids)];
        if (Array.isArray(member) && member.some((each) => ids.has(each))) return [name, member.map(text)];
        return [name, member];
      }),
    );
  switch (operation.op) {
    case 'patch':
      return { ...operation, id: text(operation.id), from: members(operation.from), to: members(operation.to) };
    case 'remove':
      return { ...operation, id: text(operation.id) };
    case 'create':
      return {
        ...operation,
        at: inCollection(operation.at, ids),
        value: members(operation.value),
        place: operation.place && { ...operation.place, order: inOrder(operation.place.order) },
        references: operation.references?.map((reference) => ({ ...reference, id: text(reference.id) })),
      };
    case 'order':
      return { ...operation, at: inCollection(operation.at, ids), from: inOrder(operation.from), to: inOrder(operation.to) };
  }
}

/** In the artboard under its present identifier. */
const inCollection = <Ref extends CollectionRef | ResourceRef>(ref: Ref, ids: ReadonlyMap<string, string>): Ref => ({
  ...ref,
  artboardId: ref.artboardId && (ids.get(ref.artboardId) ?? ref.artboardId),
});

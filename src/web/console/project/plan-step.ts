/** A step as one batch: its operations in order, each with the version that it is based on, and the orders of collections after it. */
import type { Place } from './history.ts';
import type { BatchOperation } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import type { Ready } from './ready-step.ts';
import { type CollectionRef, collectionKey, type ResourceRef } from './resource-kinds.ts';

export interface Plan {
  readonly sent: readonly BatchOperation[];
  /** Index of the result of the first operation. */
  readonly first: number;
  /** New orders of collections. */
  readonly orders: Iterable<{ readonly at: CollectionRef; readonly ids: readonly string[] }>;
}

export function planOf(store: ProjectStore, operations: readonly Ready[]): Plan {
  const guarded = guardedBy(store, operations);
  const checks = [...guarded.values()].map(
    (at): BatchOperation => ({ method: 'PATCH', at, body: {}, version: store.versionOf(at.id) }),
  );
  const orders = new NewOrders(store, operations);
  const sent = operations.map((operation) => sentFor(store, operation, guarded, orders));
  return { sent: [...checks, ...sent], first: checks.length, orders: orders.changed };
}

interface NewOrder {
  readonly at: CollectionRef;
  readonly ids: string[];
  /** The same identifiers. */
  readonly present: Set<string>;
}

/** The orders of the collections that operations change: at first without what gets a place in them. */
class NewOrders {
  readonly #orders = new Map<string, NewOrder>();

  constructor(store: ProjectStore, operations: readonly Ready[]) {
    const leaving = new Set(operations.filter(leavesPlace).map(({ id }) => id));
    for (const at of operations.flatMap(collectionsOf)) {
      const key = collectionKey(at);
      if (this.#orders.has(key)) continue;
      const ids = store.ids(at).filter((id) => !leaving.has(id));
      this.#orders.set(key, { at, ids, present: new Set(ids) });
    }
  }

  get changed(): Iterable<NewOrder> {
    return this.#orders.values();
  }

  /** Gives a resource its place. @returns the one that it comes before; `null` for none */
  place(at: CollectionRef, id: string, place: Place | undefined): string | null {
    const order = this.#orders.get(collectionKey(at)) as NewOrder;
    const { ids, present } = order;
    const index = place === undefined ? ids.length : indexIn(order, place);
    ids.splice(index, 0, id);
    present.add(id);
    return ids[index + 1] ?? null;
  }
}

const leavesPlace = ({ op }: Ready): boolean => op === 'place' || op === 'move' || op === 'remove';

/** The collections whose orders an operation changes, but for resources at their end. */
function collectionsOf(operation: Ready): CollectionRef[] {
  switch (operation.op) {
    case 'create':
      return operation.place === undefined ? [] : [operation.at];
    case 'place':
      return [operation.ref as CollectionRef];
    case 'move':
      return [{ kind: 'object', artboardId: operation.artboardId }];
    default:
      return [];
  }
}

/** Where a place is among the present members: after the nearest former one before it, or before the nearest one after it. */
function indexIn({ ids, present }: NewOrder, { order, index }: Place): number {
  for (let before = index - 1; before >= 0; before--) {
    const id = order[before] as string;
    if (present.has(id)) return ids.indexOf(id) + 1;
  }
  for (let after = index + 1; after < order.length; after++) {
    const id = order[after] as string;
    if (present.has(id)) return ids.indexOf(id);
  }
  return ids.length;
}

/**
 * The artboards, and the project, that several operations change, by identifier. They change with what is in them: their version counts
 * before the operations of the batch.
 */
function guardedBy(store: ProjectStore, operations: readonly Ready[]): ReadonlyMap<string, ResourceRef> {
  if (operations.length < 2) return new Map();
  const changed = operations.flatMap((operation) => (operation.op === 'patch' ? (store.refOf(operation.id) ?? []) : []));
  return new Map(changed.filter(({ kind }) => kind === 'artboard' || kind === 'project').map((at) => [at.id, at]));
}

/** Makes the operation that is sent. @param guarded resources whose version was checked before */
function sentFor(
  store: ProjectStore,
  operation: Ready,
  guarded: ReadonlyMap<string, unknown>,
  orders: NewOrders,
): BatchOperation {
  const { id } = operation;
  switch (operation.op) {
    case 'patch': {
      const at = store.refOf(id) as ResourceRef;
      const version = guarded.has(id) ? undefined : store.versionOf(id);
      return { method: 'PATCH', at, body: operation.to, version, keepsPlaces: operation.keepsPlaces };
    }
    case 'remove':
      return { method: 'DELETE', at: store.refOf(id) as ResourceRef, version: store.versionOf(id) };
    case 'create': {
      const { at, value, place } = operation;
      const before = place === undefined ? undefined : orders.place(at, id, place);
      return { method: 'POST', at, id, body: value, before };
    }
    case 'place':
      return { method: 'PATCH', at: operation.ref, before: orders.place(operation.ref as CollectionRef, id, operation.place) };
    case 'move': {
      const { artboardId, place } = operation;
      const before = orders.place({ kind: 'object', artboardId }, id, place);
      return { method: 'PATCH', at: operation.ref, before, toArtboard: artboardId };
    }
  }
}

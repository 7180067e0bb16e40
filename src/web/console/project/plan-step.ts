/** A step as one batch: its operations in order, the references to what it creates, and the orders of collections. */
import type { Place } from './history.ts';
import type { BatchOperation } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { parentOf, type Ready } from './ready-step.ts';
import {
  type CollectionRef,
  collectionKey,
  collectionOf,
  type Members,
  type ResourceRef,
  referencesOf,
} from './resource-kinds.ts';

export interface Plan {
  readonly sent: readonly BatchOperation[];
  /** For each operation: the index of its result; -1 without one. */
  readonly results: readonly number[];
  /** Results of writes to resources that refer to something that came back, and to parents. */
  readonly others: readonly { readonly index: number; readonly ref: ResourceRef }[];
  /** New orders of collections; `{name}` stands for the identifier of a result. */
  readonly orders: readonly { readonly at: CollectionRef; readonly ids: readonly string[] }[];
}

export function planOf(store: ProjectStore, operations: readonly Ready[], renamed: ReadonlyMap<string, string>): Plan {
  const places = placesIn(operations);
  const guarded = guardedBy(store, operations);
  const sent: BatchOperation[] = [
    // Changes nothing: the whole batch is refused if the order below is not that of the server any more.
    ...[...places.values()].map(
      ({ at, version }): BatchOperation => ({
        method: 'PATCH',
        at: parentOf(store, at),
        body: {},
        version,
      }),
    ),
    ...[...guarded.values()].map((at): BatchOperation => ({ method: 'PATCH', at, body: {}, version: store.versionOf(at.id) })),
  ];
  const results: number[] = [];
  /** Former identifiers and the names of their results. */
  const names = new Map<string, string>([...renamed]);
  for (const [i, operation] of operations.entries()) {
    results.push(sent.length);
    const as = `n${i}`;
    sent.push(sentFor(store, operation, { as, names, guarded }));
    if (operation.op !== 'create') continue;
    const ids = places.get(collectionKey(operation.at))?.ids ?? [];
    ids.splice(indexIn(ids, operation.place, names), 0, `{${as}}`);
    if (operation.formerId !== undefined) names.set(operation.formerId, `{${as}}`);
  }
  const others: { index: number; ref: ResourceRef }[] = [];
  const write = (at: ResourceRef, body: Members) => {
    others.push({ index: sent.length, ref: at });
    sent.push({ method: 'PATCH', at, body });
  };
  for (const { holder, body } of referringTo(store, operations, names)) write(holder, body);
  const removed = new Set(operations.flatMap((operation) => (operation.op === 'remove' ? [operation.id] : [])));
  const orders = [...places.values()].map(({ at, ids: all }) => {
    const ids = all.filter((id) => !removed.has(id));
    write(parentOf(store, at), { [collectionOf[at.kind]]: ids.map((id) => ({ id })) });
    return { at, ids };
  });
  return { sent, results, others, orders };
}

/** A collection in which something is created at a place. */
interface Ordered {
  readonly at: CollectionRef;
  /** Of its parent, as read. */
  readonly version: string;
  /** Its members in their order, with what is created. */
  readonly ids: string[];
}

/** By key. */
function placesIn(operations: readonly Ready[]): ReadonlyMap<string, Ordered> {
  const places = new Map<string, Ordered>();
  for (const operation of operations) {
    if (operation.op !== 'create' || operation.present === undefined || places.has(collectionKey(operation.at))) continue;
    const { at, present } = operation;
    places.set(collectionKey(at), { at, version: present.version, ids: [...present.ids] });
  }
  return places;
}

/** Where a place is among the present members: after the nearest former one before it, or before the nearest one after it. */
function indexIn(ids: readonly string[], place: Place | undefined, names: ReadonlyMap<string, string>): number {
  if (place === undefined) return ids.length;
  const { order, index } = place;
  const at = (id: string): number => ids.indexOf(names.get(id) ?? id);
  const isPresent = (id: string): boolean => at(id) !== -1;
  const before = order.slice(0, index).findLast(isPresent);
  if (before !== undefined) return at(before) + 1;
  const after = order.slice(index).find(isPresent);
  return after === undefined ? ids.length : at(after);
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

interface Naming {
  /** The name of the result. */
  readonly as: string;
  readonly names: ReadonlyMap<string, string>;
  /** Resources whose version was checked before. */
  readonly guarded: ReadonlyMap<string, unknown>;
}

/** What one operation sends. */
function sentFor(store: ProjectStore, operation: Ready, { as, names, guarded }: Naming): BatchOperation {
  switch (operation.op) {
    case 'patch': {
      const at = store.refOf(operation.id) as ResourceRef;
      const version = guarded.has(at.id) ? undefined : store.versionOf(operation.id);
      return { method: 'PATCH', at, body: withNames(at.kind, operation.to, names), version, keepsPlaces: operation.keepsPlaces };
    }
    case 'remove':
      return { method: 'DELETE', at: store.refOf(operation.id) as ResourceRef, version: store.versionOf(operation.id) };
    case 'create': {
      const { artboardId } = operation.at;
      const at = { ...operation.at, artboardId: artboardId && (names.get(artboardId) ?? artboardId) };
      return { method: 'POST', at, body: withNames(at.kind, operation.value, names), as };
    }
    case 'order': {
      const elements = operation.to.map((id) => ({ id }));
      const at = parentOf(store, operation.at);
      return { method: 'PATCH', at, body: { [collectionOf[operation.at.kind]]: elements }, version: operation.version };
    }
  }
}

/** The resources that refer to something that comes back, and the references to its new identifier. */
function referringTo(
  store: ProjectStore,
  operations: readonly Ready[],
  names: ReadonlyMap<string, string>,
): { readonly holder: ResourceRef; readonly body: Members }[] {
  return operations.flatMap((operation) => {
    if (operation.op !== 'create' || operation.formerId === undefined) return [];
    const { formerId, references = [] } = operation;
    return references.flatMap(({ id, member }) => {
      const holder = store.refOf(id);
      const pointed = pointedAt(store.stored(id)?.[member], formerId, names.get(formerId) as string);
      return holder === undefined || pointed === undefined ? [] : [{ holder, body: { [member]: pointed } }];
    });
  });
}

/** A reference, or a list of them, that names another resource; `undefined` if it did not name the former one. */
function pointedAt(value: unknown, former: string, name: string): unknown {
  if (value === former) return name;
  if (Array.isArray(value) && value.includes(former)) return value.map((id) => (id === former ? name : id));
  return undefined;
}

function withNames(kind: ResourceRef['kind'], body: Members, names: ReadonlyMap<string, string>): Members {
  if (names.size === 0) return body;
  const made: Record<string, unknown> = { ...body };
  for (const { member } of referencesOf(kind)) {
    const value = made[member];
    if (typeof value === 'string') made[member] = names.get(value) ?? value;
    else if (Array.isArray(value)) made[member] = value.map((id) => names.get(id as string) ?? id);
  }
  return made;
}

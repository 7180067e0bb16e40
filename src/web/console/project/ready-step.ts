/**
 * What a step needs to know before it is sent: versions, places in orders, and what brings a deleted resource back. What another user has
 * changed or deleted since is left out, and becomes a conflict.
 */
import type { Conflict } from './conflicts.ts';
import type { EditOperation, FormerReference, Place } from './history.ts';
import { merge } from './merge.ts';
import { isRefusal, type ProjectApi } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import {
  type CollectionRef,
  collectionKey,
  type Members,
  membersOf,
  type Resource,
  type ResourceRef,
  referencesOf,
} from './resource-kinds.ts';

/** The requests of a step. */
export interface StepApi extends Pick<ProjectApi, 'read' | 'list' | 'batch'> {
  /** Removes what another user has deleted from the store. */
  deleted(id: string): void;
}

/** Resources that a step changes, as the user saw them. */
export type Seen = ReadonlyMap<string, { readonly ref: ResourceRef; readonly value: Resource }>;

export function seenBy(store: ProjectStore, operations: readonly EditOperation[]): Seen {
  const changed = operations.flatMap((operation) => (operation.op === 'patch' ? (store.refOf(operation.id) ?? []) : []));
  return new Map(changed.map((ref) => [ref.id, { ref, value: store.shown(ref.id) as Resource }]));
}

/** Members of a collection up to which a resource that comes back gets its place in the order back. */
const orderedMax = 2000;

/** An operation with what it needs to know of the server's state. */
export type Ready =
  /** `before`: the members as they are before the request, whose result may come with the feed first. */
  | (Extract<EditOperation, { op: 'patch' }> & { readonly before: Members })
  | (Extract<EditOperation, { op: 'remove' }> & { readonly inverse: Extract<EditOperation, { op: 'create' }> | undefined })
  | (Extract<EditOperation, { op: 'create' }> & { readonly present?: Present })
  | (Extract<EditOperation, { op: 'order' }> & { readonly version: string });

/** A collection as the server has it, for a member that gets its place in it back. */
export interface Present {
  readonly ids: readonly string[];
  /** Of the parent, which changes with the collection. */
  readonly version: string;
}

/** A part of a step that can be sent, and what the user has to decide about. */
export interface ReadyPart {
  readonly ready: readonly Ready[];
  readonly conflicts: readonly Conflict[];
}

/** Reads unknown versions. Leaves out what another user has deleted, and members that another user has changed to another value. */
export async function readied(
  store: ProjectStore,
  api: StepApi,
  operations: readonly EditOperation[],
  { seen, orders }: { readonly seen: Seen; readonly orders: Orders },
): Promise<ReadyPart> {
  const conflicts: Conflict[] = [];
  const ready: Ready[] = [];
  const collections = new Map<string, Present>();
  const removed = operations.flatMap((operation) => (operation.op === 'remove' ? [operation.id] : []));
  const removals = new Removals(store, removed, orders);
  for (const operation of operations) {
    if (operation.op === 'create') {
      const { at, place } = operation;
      const isLast = place === undefined || place.index >= place.order.length - 1;
      ready.push(isLast ? operation : { ...operation, present: await presentIn(store, api, at, collections) });
      continue;
    }
    if (operation.op === 'order') {
      ready.push(readyOrder(operation, await presentIn(store, api, operation.at, collections)));
      continue;
    }
    const { id } = operation;
    const ref = await withVersion(store, api, id);
    if (operation.op === 'remove') {
      if (ref !== undefined) ready.push({ ...operation, inverse: removals.inverseOf(id) });
      continue;
    }
    if (ref === undefined) {
      const was = seen.get(id);
      if (was !== undefined) conflicts.push({ is: 'deleted', ref: was.ref, mine: { ...was.value, ...operation.to } });
      continue;
    }
    const theirs = store.stored(id) as Resource;
    const changes = Object.entries(operation.to).map(
      ([member, mine]) => [member, { base: operation.from[member], mine }] as const,
    );
    const { send, conflicts: members } = merge(new Map(changes), theirs);
    if (members.length > 0) conflicts.push({ is: 'changed', ref, members });
    const names = Object.keys(send);
    if (names.length > 0) ready.push({ ...operation, to: send, before: membersOf(theirs, names) });
  }
  return { ready, conflicts };
}

/** A resource whose version is known; `undefined` if another user has deleted it. */
async function withVersion(store: ProjectStore, api: StepApi, id: string): Promise<ResourceRef | undefined> {
  const ref = store.refOf(id);
  if (ref === undefined || store.versionOf(id) !== undefined) return ref;
  try {
    const { value, version } = await api.read(ref);
    store.put(ref, value, version);
  } catch (error) {
    if (!isRefusal(error, 'not_found')) throw error;
    api.deleted(id);
  }
  return store.refOf(id);
}

async function presentIn(store: ProjectStore, api: StepApi, at: CollectionRef, known: Map<string, Present>): Promise<Present> {
  const key = collectionKey(at);
  const before = known.get(key);
  if (before !== undefined) return before;
  const { version } = await api.read(parentOf(store, at));
  const present = { version, ids: await api.list(at) };
  known.set(key, present);
  return present;
}

/** The parent of a collection: an artboard, or the project. */
export const parentOf = (store: ProjectStore, { artboardId }: CollectionRef): ResourceRef =>
  artboardId === undefined ? { kind: 'project', id: store.id } : { kind: 'artboard', id: artboardId };

/**
 * An order is written as a list of all members, and a member that is not in it would be deleted: it is read first, and written only if
 * nothing has changed meanwhile.
 */
function readyOrder(
  operation: Extract<EditOperation, { op: 'order' }>,
  { ids, version }: Present,
): Extract<Ready, { op: 'order' }> {
  const known = new Set(ids);
  const wanted = operation.to.filter((id) => known.has(id));
  const listed = new Set(wanted);
  return { ...operation, from: ids, to: [...wanted, ...ids.filter((id) => !listed.has(id))], version };
}

/** The orders of collections before a step has deleted anything in them, by key; empty for those that are too large. */
export type Orders = Map<string, readonly string[]>;

/** Resources that are deleted together: what brings each of them back. */
export class Removals {
  readonly #store: ProjectStore;
  /** Members anywhere in the project that hold one of their identifiers. */
  readonly #references: ReadonlyMap<string, FormerReference[]>;
  readonly #orders: Orders;

  constructor(store: ProjectStore, ids: readonly string[], orders: Orders = new Map()) {
    this.#store = store;
    this.#orders = orders;
    this.#references = referencesTo(store, ids);
  }

  inverseOf(id: string): Extract<EditOperation, { op: 'create' }> | undefined {
    const store = this.#store;
    const ref = store.refOf(id);
    const stored = store.stored(id);
    if (ref === undefined || ref.kind === 'project' || stored === undefined) return undefined;
    const { id: _, ...value } = stored;
    const at: CollectionRef = { kind: ref.kind, artboardId: ref.artboardId };
    const references = this.#references.get(id) ?? [];
    const base = { op: 'create', at, formerId: id, references, place: this.#placeOf(id, at) } as const;
    if (ref.kind !== 'artboard') return { ...base, value };
    const formerObjectIds = [...store.ids({ kind: 'object', artboardId: id })];
    const objects = formerObjectIds.map((each) => {
      const { id: __, ...object } = store.stored(each) as Resource;
      return object;
    });
    return { ...base, value: { ...value, objects }, formerObjectIds };
  }

  #placeOf(id: string, at: CollectionRef): Place {
    const key = collectionKey(at);
    const ids = this.#store.ids(at);
    const order = this.#orders.get(key) ?? (ids.length > orderedMax ? [] : [...ids]);
    this.#orders.set(key, order);
    return { order, index: order.indexOf(id) };
  }
}

/** One walk through the project for all of them. */
function referencesTo(store: ProjectStore, ids: readonly string[]): Map<string, FormerReference[]> {
  const found = new Map(ids.map((id): [string, FormerReference[]] => [id, []]));
  if (found.size === 0) return found;
  for (const { ref, value } of store.all()) {
    for (const { member } of referencesOf(ref.kind)) {
      const held = value[member];
      for (const id of Array.isArray(held) ? new Set(held) : [held]) found.get(id as string)?.push({ id: ref.id, member });
    }
  }
  return found;
}

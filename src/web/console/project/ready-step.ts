/**
 * What a step needs to know before it is sent: versions, places in orders, and what brings a deleted resource back. A step whose members
 * another user has changed since is refused as a whole.
 */
import type { EditOperation, FormerReference, Place } from './history.ts';
import type { MemberConflict } from './merge.ts';
import { isRefusal, type ProjectApi } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import {
  type CollectionRef,
  collectionKey,
  type Members,
  type Resource,
  type ResourceRef,
  referencesOf,
  sameValue,
} from './resource-kinds.ts';

/** Another user has changed what a step wants to change. Nothing was done. */
export class StaleStepError extends Error {
  readonly conflicts: readonly { readonly ref: ResourceRef; readonly members: readonly MemberConflict[] }[];

  constructor(conflicts: StaleStepError['conflicts']) {
    super('the step is based on values that have changed');
    this.conflicts = conflicts;
  }
}

/** The requests of a step. */
export type StepApi = Pick<ProjectApi, 'read' | 'list' | 'batch'>;

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

/** Reads unknown versions, leaves out what is gone, and refuses a step whose members have changed. */
export async function readied(
  store: ProjectStore,
  api: StepApi,
  operations: readonly EditOperation[],
  orders: Orders,
): Promise<Ready[]> {
  const conflicts: { ref: ResourceRef; members: MemberConflict[] }[] = [];
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
    const ref = store.refOf(operation.id);
    if (ref === undefined) continue;
    if (store.versionOf(operation.id) === undefined) {
      try {
        const { value, version } = await api.read(ref);
        store.put(ref, value, version);
      } catch (error) {
        if (!isRefusal(error, 'not_found')) throw error;
        store.remove(operation.id);
        continue;
      }
    }
    if (operation.op === 'patch') {
      const theirs = store.stored(operation.id) as Resource;
      const members = Object.keys(operation.to)
        .filter(
          (member) => !sameValue(theirs[member], operation.from[member]) && !sameValue(theirs[member], operation.to[member]),
        )
        .map((member) => ({ member, base: operation.from[member], mine: operation.to[member], theirs: theirs[member] }));
      if (members.length > 0) conflicts.push({ ref, members });
      const before = Object.fromEntries(Object.keys(operation.to).map((member) => [member, theirs[member]]));
      ready.push({ ...operation, before });
    } else ready.push({ ...operation, inverse: removals.inverseOf(operation.id) });
  }
  if (conflicts.length > 0) throw new StaleStepError(conflicts);
  return ready;
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

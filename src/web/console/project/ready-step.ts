/**
 * Finds out what a step needs before it is sent: versions, former places, and what brings a deleted resource back. Whatever another user has
 * changed or deleted since is left out, and becomes a conflict.
 */
import type { Conflict } from './conflicts.ts';
import type { EditOperation, Place } from './history.ts';
import { merge } from './merge.ts';
import { isRefusal, type ProjectApi } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { type CollectionRef, collectionKey, type Members, membersOf, type Resource, type ResourceRef } from './resource-kinds.ts';

/** The requests of a step. */
export interface StepApi extends Pick<ProjectApi, 'read' | 'batch'> {
  /** Removes what another user has deleted from the store. */
  deleted(id: string): void;
}

/** Resources that a step changes, as the user saw them. */
export type Seen = ReadonlyMap<string, { readonly ref: ResourceRef; readonly value: Resource }>;

export function seenBy(store: ProjectStore, operations: readonly EditOperation[]): Seen {
  const changed = operations.flatMap((operation) => (operation.op === 'patch' ? (store.refOf(operation.id) ?? []) : []));
  return new Map(changed.map((ref) => [ref.id, { ref, value: store.shown(ref.id) as Resource }]));
}

/** An operation with what it needs to know of the server's state. */
export type Ready =
  /** `before`: the members as they are before the request, whose result may come with the feed first. */
  | (Extract<EditOperation, { op: 'patch' }> & { readonly before: Members })
  | (Extract<EditOperation, { op: 'remove' }> & { readonly inverse: Extract<EditOperation, { op: 'create' }> | undefined })
  | (Extract<EditOperation, { op: 'create' }> & { readonly id: string })
  /** `former`: the place before the request. */
  | (Extract<EditOperation, { op: 'place' | 'move' }> & { readonly ref: ResourceRef; readonly former: Place });

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
  for (const operation of operations) {
    if (operation.op === 'create') {
      const { id } = operation;
      if (id === undefined) throw new Error('an operation of a step has no identifier');
      // Another user may have brought it back.
      if (!store.has(id)) ready.push({ ...operation, id });
      continue;
    }
    const { id } = operation;
    if (operation.op === 'place' || operation.op === 'move') {
      // Nothing is overwritten, so the version does not matter.
      const present = store.refOf(id);
      if (present !== undefined) ready.push({ ...operation, ref: present, former: orders.placeOf(present) });
      continue;
    }
    const ref = await withVersion(store, api, id);
    if (operation.op === 'remove') {
      if (ref !== undefined) ready.push({ ...operation, inverse: inverseOf(store, ref, orders) });
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

/** The orders of collections before a step has changed anything in them. */
export class Orders {
  readonly #store: ProjectStore;
  readonly #orders = new Map<string, { readonly order: readonly string[]; readonly indexes: ReadonlyMap<string, number> }>();

  constructor(store: ProjectStore) {
    this.#store = store;
  }

  placeOf(ref: ResourceRef): Place {
    const at = ref as CollectionRef;
    const key = collectionKey(at);
    let known = this.#orders.get(key);
    if (known === undefined) {
      const order = [...this.#store.ids(at)];
      known = { order, indexes: new Map(order.map((id, index) => [id, index])) };
      this.#orders.set(key, known);
    }
    const { order, indexes } = known;
    return { order, index: indexes.get(ref.id) ?? order.length };
  }
}

/** Makes the operation that brings a resource back; `undefined` for the project. */
export function inverseOf(
  store: ProjectStore,
  ref: ResourceRef,
  orders: Orders,
): Extract<EditOperation, { op: 'create' }> | undefined {
  const stored = store.stored(ref.id);
  if (ref.kind === 'project' || stored === undefined) return undefined;
  const { id, ...value } = stored;
  const at: CollectionRef = { kind: ref.kind, artboardId: ref.artboardId };
  const inverse = { op: 'create', at, id, place: orders.placeOf(ref) } as const;
  if (ref.kind !== 'artboard') return { ...inverse, value };
  const objects = store.ids({ kind: 'object', artboardId: id }).map((each) => store.stored(each) as Resource);
  return { ...inverse, value: { ...value, objects } };
}

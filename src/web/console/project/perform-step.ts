/**
 * Carries a step out: its operations become one batch, each with the version that it is based on. The result has the step that takes it
 * back. A step whose members another user has changed since is refused as a whole.
 */
import type { EditOperation, FormerReference, Step } from './history.ts';
import type { MemberConflict } from './merge.ts';
import { type BatchOperation, batchMax, isRefusal, type ProjectApi } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import {
  type CollectionRef,
  collectionKey,
  collectionOf,
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

export interface Performed {
  readonly inverse: Step;
  /** The resources that it created, in order. */
  readonly created: readonly ResourceRef[];
  /** Former identifiers of resources that came back, and their new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** A step with too many operations for one request was refused after its first part. */
  readonly stopped?: { readonly rest: Step; readonly error: unknown };
}

const roundsMax = 5;
/** Members of a collection up to which a resource that comes back gets its place in the order back. */
const orderedMax = 2000;

export async function carryOut(store: ProjectStore, api: StepApi, step: Step): Promise<Performed> {
  const inverse: EditOperation[] = [];
  const created: ResourceRef[] = [];
  const renamed = new Map<string, string>();
  const focus = step.focus === undefined ? {} : { focus: step.focus };
  let stopped: Performed['stopped'];
  for (let at = 0; at < step.operations.length; at += batchMax / 2) {
    const part = step.operations.slice(at, at + batchMax / 2);
    try {
      const done = await carryOutPart(store, api, part, renamed);
      inverse.unshift(...done.inverse);
      created.push(...done.created);
    } catch (error) {
      if (at === 0) throw error;
      stopped = { rest: { operations: step.operations.slice(at), ...focus }, error };
      break;
    }
  }
  await pointToRenamed(store, api, renamed);
  return { inverse: { operations: inverse, ...focus }, created, renamed, ...(stopped === undefined ? {} : { stopped }) };
}

/** Objects of an artboard that came back have new identifiers, which only its response has: what refers to them is changed afterwards. */
async function pointToRenamed(store: ProjectStore, api: StepApi, renamed: ReadonlyMap<string, string>): Promise<void> {
  if (renamed.size === 0) return;
  const sent: Extract<BatchOperation, { method: 'PATCH' | 'DELETE' }>[] = [];
  for (const { ref, value } of store.all()) {
    const body: Record<string, unknown> = {};
    for (const { member } of referencesOf(ref.kind)) {
      const held = value[member];
      const next = Array.isArray(held) ? held.map((id) => renamed.get(id) ?? id) : (renamed.get(held as string) ?? held);
      if (!sameValue(held, next)) body[member] = next;
    }
    if (Object.keys(body).length > 0) sent.push({ method: 'PATCH', at: ref, body });
  }
  for (let at = 0; at < sent.length; at += batchMax) {
    const part = sent.slice(at, at + batchMax);
    const { value, version } = await api.batch(part);
    for (const [i, { at: ref }] of part.entries()) store.put(ref, value[i] as Resource, version);
  }
}

interface Part {
  readonly inverse: readonly EditOperation[];
  readonly created: readonly ResourceRef[];
}

async function carryOutPart(
  store: ProjectStore,
  api: StepApi,
  operations: readonly EditOperation[],
  renamed: Map<string, string>,
): Promise<Part> {
  for (let round = 1; ; round++) {
    const ready = await readied(store, api, operations);
    const plan = planOf(store, ready, renamed);
    if (plan.sent.length === 0) return { inverse: [], created: [] };
    try {
      const { value: results, version } = await api.batch(plan.sent);
      return finish(store, ready, plan, results, version, renamed);
    } catch (error) {
      if (!isRefusal(error, 'precondition_failed') || round === roundsMax) throw error;
      for (const operation of ready) if ('id' in operation) store.forgetVersion(operation.id);
    }
  }
}

/** An operation with what it needs to know of the server's state. */
type Ready =
  /** `before`: the members as they are before the request, whose result may come with the feed first. */
  | (Extract<EditOperation, { op: 'patch' }> & { readonly before: Members })
  | (Extract<EditOperation, { op: 'remove' }> & { readonly inverse: Extract<EditOperation, { op: 'create' }> | undefined })
  | (Extract<EditOperation, { op: 'create' }> & { readonly place?: Place })
  | (Extract<EditOperation, { op: 'order' }> & { readonly version: string });

/** A collection as the server has it, for a member that gets its place in it back. */
interface Place {
  readonly present: readonly string[];
  /** Of the parent, which changes with the collection. */
  readonly version: string;
}

/** Reads unknown versions, leaves out what is gone, and refuses a step whose members have changed. */
async function readied(store: ProjectStore, api: StepApi, operations: readonly EditOperation[]): Promise<Ready[]> {
  const conflicts: { ref: ResourceRef; members: MemberConflict[] }[] = [];
  const ready: Ready[] = [];
  const places = new Map<string, Place>();
  for (const operation of operations) {
    if (operation.op === 'create') {
      const isPlaced = operation.index !== undefined && store.ids(operation.at).length > 0;
      ready.push(isPlaced ? { ...operation, place: await placeIn(store, api, operation.at, places) } : operation);
      continue;
    }
    if (operation.op === 'order') {
      ready.push(await readyOrder(store, api, operation));
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
    } else ready.push({ ...operation, inverse: removalOf(store, operation.id) });
  }
  if (conflicts.length > 0) throw new StaleStepError(conflicts);
  return ready;
}

async function placeIn(store: ProjectStore, api: StepApi, at: CollectionRef, known: Map<string, Place>): Promise<Place> {
  const key = collectionKey(at);
  const before = known.get(key);
  if (before !== undefined) return before;
  const { version } = await api.read(parentOf(store, at));
  const place = { version, present: await api.list(at) };
  known.set(key, place);
  return place;
}

/** The parent of a collection: an artboard, or the project. */
const parentOf = (store: ProjectStore, { artboardId }: CollectionRef): ResourceRef =>
  artboardId === undefined ? { kind: 'project', id: store.id } : { kind: 'artboard', id: artboardId };

/**
 * An order is written as a list of all members, and a member that is not in it would be deleted: it is read first, and written only if
 * nothing has changed meanwhile.
 */
async function readyOrder(
  store: ProjectStore,
  api: StepApi,
  operation: Extract<EditOperation, { op: 'order' }>,
): Promise<Extract<Ready, { op: 'order' }>> {
  const { version } = await api.read(parentOf(store, operation.at));
  const present = await api.list(operation.at);
  const known = new Set(present);
  const wanted = operation.to.filter((id) => known.has(id));
  const listed = new Set(wanted);
  return { ...operation, from: present, to: [...wanted, ...present.filter((id) => !listed.has(id))], version };
}

interface Plan {
  readonly sent: readonly BatchOperation[];
  /** For each operation: the index of its result; -1 without one. */
  readonly results: readonly number[];
  /** Results of writes to resources that refer to something that came back, and to parents. */
  readonly others: readonly { readonly index: number; readonly ref: ResourceRef }[];
  /** New orders of collections; `{name}` stands for the identifier of a result. */
  readonly orders: readonly { readonly at: CollectionRef; readonly ids: readonly string[] }[];
}

function planOf(store: ProjectStore, operations: readonly Ready[], renamed: ReadonlyMap<string, string>): Plan {
  const sent: BatchOperation[] = [];
  const results: number[] = [];
  const others: { index: number; ref: ResourceRef }[] = [];
  const places = new Map<string, { at: CollectionRef; place: Place; ids: string[] }>();
  for (const operation of operations) {
    if (operation.op !== 'create' || operation.place === undefined || places.has(collectionKey(operation.at))) continue;
    const { at, place } = operation;
    places.set(collectionKey(at), { at, place, ids: [...place.present] });
    // Changes nothing: the whole batch is refused if the order below is not that of the server any more.
    sent.push({ method: 'PATCH', at: parentOf(store, at), body: {}, version: place.version });
  }
  /** Former identifiers and the names of their results. */
  const names = new Map<string, string>([...renamed]);
  for (const [i, operation] of operations.entries()) {
    results.push(sent.length);
    switch (operation.op) {
      case 'patch': {
        const at = store.refOf(operation.id) as ResourceRef;
        sent.push({ method: 'PATCH', at, body: withNames(at.kind, operation.to, names), version: store.versionOf(operation.id) });
        break;
      }
      case 'remove':
        sent.push({ method: 'DELETE', at: store.refOf(operation.id) as ResourceRef, version: store.versionOf(operation.id) });
        break;
      case 'create': {
        const as = `n${i}`;
        const at = {
          ...operation.at,
          ...(operation.at.artboardId === undefined
            ? {}
            : { artboardId: names.get(operation.at.artboardId) ?? operation.at.artboardId }),
        };
        sent.push({ method: 'POST', at, body: withNames(at.kind, operation.value, names), as });
        if (operation.formerId !== undefined) names.set(operation.formerId, `{${as}}`);
        places.get(collectionKey(operation.at))?.ids.splice(operation.index ?? Number.POSITIVE_INFINITY, 0, `{${as}}`);
        break;
      }
      case 'order': {
        const elements = operation.to.map((id) => ({ id }));
        const at = parentOf(store, operation.at);
        sent.push({ method: 'PATCH', at, body: { [collectionOf[operation.at.kind]]: elements }, version: operation.version });
        break;
      }
    }
  }
  for (const operation of operations) {
    if (operation.op !== 'create' || operation.formerId === undefined) continue;
    const name = names.get(operation.formerId) as string;
    for (const { id, member } of operation.references ?? []) {
      const holder = store.refOf(id);
      const value = store.stored(id)?.[member];
      if (holder === undefined) continue;
      const pointed = pointedAt(value, operation.formerId, name);
      if (pointed === undefined) continue;
      others.push({ index: sent.length, ref: holder });
      sent.push({ method: 'PATCH', at: holder, body: { [member]: pointed } });
    }
  }
  const orders = [...places.values()].map(({ at, ids }) => {
    others.push({ index: sent.length, ref: parentOf(store, at) });
    sent.push({ method: 'PATCH', at: parentOf(store, at), body: { [collectionOf[at.kind]]: ids.map((id) => ({ id })) } });
    return { at, ids };
  });
  return { sent, results, others, orders };
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

/** Takes the results into the store, and makes the operations that take them back. */
function finish(
  store: ProjectStore,
  operations: readonly Ready[],
  { results, others, orders }: Plan,
  values: readonly (Resource | undefined)[],
  version: string,
  renamed: Map<string, string>,
): Part {
  const inverse: EditOperation[] = [];
  const created: ResourceRef[] = [];
  for (const [i, operation] of operations.entries()) {
    const value = values[results[i] as number];
    switch (operation.op) {
      case 'patch': {
        const ref = store.refOf(operation.id);
        inverse.unshift({ op: 'patch', id: operation.id, from: operation.to, to: operation.before });
        // Another user may have deleted it since.
        if (ref !== undefined) store.put(ref, value as Resource, version);
        break;
      }
      case 'remove': {
        if (operation.inverse !== undefined) inverse.unshift(operation.inverse);
        store.remove(operation.id);
        break;
      }
      case 'create': {
        const made = value as Resource;
        const { artboardId } = operation.at;
        const parent = artboardId === undefined ? undefined : (renamed.get(artboardId) ?? artboardId);
        const ref: ResourceRef = {
          kind: operation.at.kind,
          id: made.id,
          ...(parent === undefined ? {} : { artboardId: parent }),
        };
        store.put(ref, made, version);
        created.push(ref);
        inverse.unshift({ op: 'remove', id: made.id });
        if (operation.formerId !== undefined && operation.isCopy !== true) renamed.set(operation.formerId, made.id);
        const { objects = [] } = made as { readonly objects?: readonly Resource[] };
        for (const [at, former] of (operation.formerObjectIds ?? []).entries()) {
          const id = objects[at]?.id;
          if (id !== undefined) renamed.set(former, id);
        }
        break;
      }
      case 'order':
        inverse.unshift({ op: 'order', at: operation.at, from: operation.to, to: operation.from });
        store.reorder(operation.at, operation.to);
        break;
    }
  }
  for (const { index, ref } of others) {
    const value = values[index];
    if (value !== undefined) store.put(ref, value, version);
  }
  const named = (id: string): string => {
    const at = /^\{n(\d+)\}$/.exec(id)?.[1];
    return at === undefined ? id : (values[results[Number(at)] as number] as Resource).id;
  };
  for (const { at, ids } of orders) store.reorder(at, ids.map(named));
  return { inverse, created };
}

/** The operation that brings a resource back after it was deleted. */
function removalOf(store: ProjectStore, id: string): Extract<EditOperation, { op: 'create' }> | undefined {
  const ref = store.refOf(id);
  const stored = store.stored(id);
  if (ref === undefined || ref.kind === 'project' || stored === undefined) return undefined;
  const { id: _, ...value } = stored;
  const at: CollectionRef = { kind: ref.kind, artboardId: ref.artboardId };
  const order = store.ids(at);
  const index = order.indexOf(id);
  const base = { op: 'create', at, formerId: id, references: referencesTo(store, id) } as const;
  const placed = index < order.length - 1 && order.length <= orderedMax ? { index } : {};
  if (ref.kind !== 'artboard') return { ...base, ...placed, value };
  const formerObjectIds = [...store.ids({ kind: 'object', artboardId: id })];
  const objects = formerObjectIds.map((each) => {
    const { id: __, ...object } = store.stored(each) as Resource;
    return object;
  });
  return { ...base, ...placed, value: { ...value, objects }, formerObjectIds };
}

/** Members anywhere in the project that hold an identifier. */
export function referencesTo(store: ProjectStore, id: string): FormerReference[] {
  const found: FormerReference[] = [];
  for (const { ref, value } of store.all()) {
    for (const { member } of referencesOf(ref.kind)) {
      const held = value[member];
      if (held === id || (Array.isArray(held) && held.includes(id))) found.push({ id: ref.id, member });
    }
  }
  return found;
}

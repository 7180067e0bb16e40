/**
 * Carries a step out: its operations become one batch, each with the version that it is based on. The result has the step that takes it
 * back, and what the user has to decide about: the rest is carried out.
 */
import { sameJson } from '../../../lib/json/same-json.ts';
import type { Conflict } from './conflicts.ts';
import type { EditOperation, Step } from './history.ts';
import { type Plan, planOf } from './plan-step.ts';
import { type BatchOperation, batchMax, isRefusal } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { type Orders, type Ready, type ReadyPart, readied, type Seen, type StepApi, seenBy } from './ready-step.ts';
import { type Resource, type ResourceRef, referencesOf } from './resource-kinds.ts';
import { relinked } from './text-links.ts';

export interface Performed {
  readonly inverse: Step;
  /** The resources that it created, in order. */
  readonly created: readonly ResourceRef[];
  /** Former identifiers of resources that came back, and their new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly conflicts: readonly Conflict[];
  /** A step with too many operations for one request was refused after its first part. */
  readonly stopped: { readonly rest: Step; readonly error: unknown } | undefined;
}

const roundsMax = 5;

/** @param seen what the user saw when the step was made */
export async function carryOut(
  store: ProjectStore,
  api: StepApi,
  step: Step,
  seen: Seen = seenBy(store, step.operations),
): Promise<Performed> {
  const inverse: EditOperation[] = [];
  const created: ResourceRef[] = [];
  const conflicts: Conflict[] = [];
  const ids = { renamed: new Map<string, string>(), copies: new Map<string, string>() };
  const orders: Orders = new Map();
  let stopped: Performed['stopped'];
  for (let at = 0; at < step.operations.length; at += batchMax / 2) {
    const part = step.operations.slice(at, at + batchMax / 2);
    try {
      const done = await carryOutPart(store, api, part, { ids, seen, orders });
      inverse.unshift(...done.inverse);
      created.push(...done.created);
      conflicts.push(...done.conflicts);
    } catch (error) {
      if (at === 0) throw error;
      stopped = { rest: { operations: step.operations.slice(at), focus: step.focus }, error };
      break;
    }
  }
  await pointToNew(store, api, ids, created);
  return { inverse: { operations: inverse, focus: step.focus }, created, renamed: ids.renamed, conflicts, stopped };
}

/**
 * What came back has new identifiers, and so have copies: what refers to the former ones is changed afterwards, as only the response has the
 * new ones. Copies of links lead to copies.
 */
async function pointToNew(store: ProjectStore, api: StepApi, { renamed, copies }: NewIds, created: readonly ResourceRef[]) {
  const sent: Extract<BatchOperation, { method: 'PATCH' | 'DELETE' }>[] = [];
  const isCopy = new Set(copies.size === 0 ? [] : created.map(({ id }) => id));
  for (const { ref, value } of renamed.size + isCopy.size === 0 ? [] : store.all()) {
    const body: Record<string, unknown> = { ...relinked(ref.kind, value, isCopy.has(ref.id) ? copies : renamed) };
    for (const { member } of renamed.size === 0 ? [] : referencesOf(ref.kind)) {
      const held = value[member];
      const next = Array.isArray(held) ? held.map((id) => renamed.get(id) ?? id) : (renamed.get(held as string) ?? held);
      if (!sameJson(held, next)) body[member] = next;
    }
    if (Object.keys(body).length > 0) sent.push({ method: 'PATCH', at: ref, body });
  }
  for (let at = 0; at < sent.length; at += batchMax) {
    const part = sent.slice(at, at + batchMax);
    const { value, version } = await api.batch(part);
    for (const [i, { at: ref }] of part.entries()) {
      store.put(ref, value[i] as Resource, version);
      // An artboard changes with its objects.
      if (ref.artboardId !== undefined) store.forgetVersion(ref.artboardId);
    }
  }
}

/** New identifiers by former ones: of what came back, and of copies. */
interface NewIds {
  readonly renamed: Map<string, string>;
  readonly copies: Map<string, string>;
}

interface Part {
  readonly inverse: readonly EditOperation[];
  readonly created: readonly ResourceRef[];
}

async function carryOutPart(
  store: ProjectStore,
  api: StepApi,
  operations: readonly EditOperation[],
  { ids, ...known }: { readonly ids: NewIds; readonly seen: Seen; readonly orders: Orders },
): Promise<Part & Pick<ReadyPart, 'conflicts'>> {
  for (let round = 1; ; round++) {
    const { ready, conflicts } = await readied(store, api, operations, known);
    const plan = planOf(store, ready, new Map([...ids.renamed, ...ids.copies]));
    if (plan.sent.length === 0) return { inverse: [], created: [], conflicts };
    try {
      const moved = ready.flatMap((operation) =>
        operation.op === 'patch' && operation.keepsPlaces === true ? [operation.id] : [],
      );
      const { value: results, version } = await store.withMoves(moved, () => api.batch(plan.sent));
      return { ...finish(store, ready, plan, results, version, ids), conflicts };
    } catch (error) {
      learn(store, api, ready, plan, round, error);
    }
  }
}

/** Prepares the next round after a refusal: what was changed is read again, what was deleted is left out. */
function learn(store: ProjectStore, api: StepApi, ready: readonly Ready[], { sent }: Plan, round: number, error: unknown): void {
  const isGone = isRefusal(error, 'not_found');
  if (!isGone && !(isRefusal(error, 'precondition_failed') && round < roundsMax)) throw error;
  const at = sent[error.index ?? -1]?.at;
  const id = at !== undefined && 'id' in at ? at.id : '';
  if (isGone) {
    if (!store.has(id)) throw error;
    api.deleted(id);
    return;
  }
  // Another user has changed several.
  const changed = round > 2 ? ready.flatMap((operation) => ('id' in operation ? operation.id : [])) : [id];
  for (const each of changed) store.forgetVersion(each);
}

/** Takes the results into the store, and makes the operations that take them back. */
function finish(
  store: ProjectStore,
  operations: readonly Ready[],
  { results, others, orders }: Plan,
  values: readonly (Resource | undefined)[],
  version: string,
  { renamed, copies }: NewIds,
): Part {
  const inverse: EditOperation[] = [];
  const created: ResourceRef[] = [];
  for (const [i, operation] of operations.entries()) {
    const value = values[results[i] as number];
    switch (operation.op) {
      case 'patch': {
        const ref = store.refOf(operation.id);
        const { id, to, before, keepsPlaces } = operation;
        inverse.unshift({ op: 'patch', id, from: to, to: before, keepsPlaces });
        // Another user may have deleted it since.
        if (ref !== undefined) store.put(ref, value as Resource, version);
        break;
      }
      case 'remove': {
        if (operation.inverse !== undefined) {
          // What was moved, by another resource in its place: that is what others refer to.
          const formerId = renamed.get(operation.id) ?? operation.id;
          inverse.unshift({ ...operation.inverse, formerId });
        }
        store.remove(operation.id, version);
        break;
      }
      case 'create': {
        const made = value as Resource;
        const { artboardId } = operation.at;
        const parent = artboardId === undefined ? undefined : (copies.get(artboardId) ?? renamed.get(artboardId) ?? artboardId);
        const ref: ResourceRef = {
          kind: operation.at.kind,
          id: made.id,
          artboardId: parent,
        };
        store.put(ref, made, version);
        created.push(ref);
        // What is on a copied artboard goes with it.
        if (artboardId === undefined || !copies.has(artboardId)) inverse.unshift({ op: 'remove', id: made.id });
        if (operation.formerId !== undefined) (operation.isCopy === true ? copies : renamed).set(operation.formerId, made.id);
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

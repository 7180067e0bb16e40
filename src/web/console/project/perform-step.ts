/**
 * Carries a step out: its operations become one batch, each with the version that it is based on. The result has the step that takes it
 * back, and what the user has to decide about: the rest is carried out.
 */
import { ProblemError } from '../../client/client.ts';
import type { Conflict } from './conflicts.ts';
import type { EditOperation, Step } from './history.ts';
import { type Plan, planOf } from './plan-step.ts';
import { batchMax } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { Orders, type Ready, type ReadyPart, readied, type Seen, type StepApi, seenBy } from './ready-step.ts';
import type { CollectionRef, Resource, ResourceRef } from './resource-kinds.ts';

export interface Performed {
  readonly inverse: Step;
  /** The resources that it created, or moved to another artboard, in order. */
  readonly created: readonly ResourceRef[];
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
  const orders = new Orders(store);
  let stopped: Performed['stopped'];
  for (let at = 0; at < step.operations.length; at += batchMax / 2) {
    const part = step.operations.slice(at, at + batchMax / 2);
    try {
      const done = await carryOutPart(store, api, part, { seen, orders });
      inverse.unshift(...done.inverse);
      created.push(...done.created);
      conflicts.push(...done.conflicts);
    } catch (error) {
      if (at === 0) throw error;
      stopped = { rest: { operations: step.operations.slice(at), focus: step.focus }, error };
      break;
    }
  }
  return { inverse: { operations: inverse, focus: step.focus }, created, conflicts, stopped };
}

interface Part {
  readonly inverse: readonly EditOperation[];
  readonly created: readonly ResourceRef[];
}

async function carryOutPart(
  store: ProjectStore,
  api: StepApi,
  operations: readonly EditOperation[],
  known: { readonly seen: Seen; readonly orders: Orders },
): Promise<Part & Pick<ReadyPart, 'conflicts'>> {
  for (let round = 1; ; round++) {
    const { ready, conflicts } = await readied(store, api, operations, known);
    if (ready.length === 0) return { inverse: [], created: [], conflicts };
    const plan = planOf(store, ready);
    try {
      const moved = ready.flatMap((operation) =>
        operation.op === 'patch' && operation.keepsPlaces === true ? [operation.id] : [],
      );
      const { value: results, version } = await store.moves.during(moved, () => api.batch(plan.sent));
      return { ...finish(store, ready, plan, results, version), conflicts };
    } catch (error) {
      await learn(store, api, ready, plan, round, error);
    }
  }
}

/** Prepares the next round after a refusal: what was changed, or brought back, is read again, what was deleted is left out. */
async function learn(
  store: ProjectStore,
  api: StepApi,
  ready: readonly Ready[],
  { sent }: Plan,
  round: number,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ProblemError) || round === roundsMax) throw error;
  const refused = sent[error.index ?? -1];
  const id = refused === undefined ? '' : 'id' in refused ? refused.id : refused.at.id;
  switch (error.code) {
    case 'not_found':
      if (!store.has(id)) throw error;
      api.deleted(id);
      return;
    case 'not_in_collection':
      if (!store.has(refused?.before ?? '')) throw error;
      api.deleted(refused?.before as string);
      return;
    case 'identifier_in_use': {
      const ref: ResourceRef = { ...(refused?.at as CollectionRef), id };
      const { value, version } = await api.read(ref);
      store.put(ref, value, version);
      return;
    }
    case 'precondition_failed': {
      // Another user has changed several.
      const changed = round > 2 ? ready.map((operation) => operation.id) : [id];
      for (const each of changed) store.forgetVersion(each);
      return;
    }
    default:
      throw error;
  }
}

/** Takes the results into the store, and makes the operations that take them back. */
function finish(
  store: ProjectStore,
  operations: readonly Ready[],
  { first, orders }: Plan,
  values: readonly (Resource | undefined)[],
  version: string,
): Part {
  const inverse: EditOperation[] = [];
  const created: ResourceRef[] = [];
  const artboards = new Set<string | undefined>();
  for (const [i, operation] of operations.entries()) {
    const value = values[first + i] as Resource;
    const { id } = operation;
    switch (operation.op) {
      case 'patch': {
        const ref = store.refOf(id);
        const { to, before, keepsPlaces } = operation;
        inverse.unshift({ op: 'patch', id, from: to, to: before, keepsPlaces });
        // Another user may have deleted it since.
        if (ref !== undefined) store.put(ref, value, version);
        break;
      }
      case 'remove':
        if (operation.inverse !== undefined) inverse.unshift(operation.inverse);
        store.remove(id, version);
        break;
      case 'create': {
        const ref: ResourceRef = { ...operation.at, id };
        store.put(ref, value, version);
        created.push(ref);
        // Objects on a new artboard go with it.
        if (!artboards.has(ref.artboardId)) inverse.unshift({ op: 'remove', id });
        if (ref.kind === 'artboard') artboards.add(id);
        break;
      }
      case 'place':
        inverse.unshift({ op: 'place', id, place: operation.former });
        break;
      case 'move': {
        const ref: ResourceRef = { kind: 'object', id, artboardId: operation.artboardId };
        inverse.unshift({ op: 'move', id, artboardId: operation.ref.artboardId as string, place: operation.former });
        store.move(ref, value, version);
        created.push(ref);
        break;
      }
    }
  }
  for (const { at, ids } of orders) store.reorder(at, ids);
  return { inverse, created };
}

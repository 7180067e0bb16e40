/**
 * Sends the batches of an import, one after the other, and makes the step that takes them back. The readers of the store see the changes
 * when all of them are written, or taken back.
 */
import { sameJson } from '../../../lib/change/same-json.ts';
import { ProblemError } from '../../client/client.ts';
import type { ImportBatch, ImportOperation } from '../../convert/converter.ts';
import { refusalText } from '../server/refusal-text.ts';
import type { EditOperation, Step } from './history.ts';
import { patchBetween } from './merge.ts';
import type { Versioned } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { inverseOf, Orders } from './ready-step.ts';
import { isPlain, type Members, membersOf, type Resource, type ResourceRef } from './resource-kinds.ts';

/** Sends a batch until the server answers. */
export type SendBatch = (batch: ImportBatch) => Promise<Versioned<(Resource | undefined)[]>>;

export interface ImportRun {
  readonly signal: AbortSignal;
  /** @param done operations that are written */
  onProgress(done: number): void;
  /** What was written is taken back now. */
  onUndo(): void;
}

export type ImportOutcome =
  | { readonly is: 'written'; readonly created: readonly ResourceRef[] }
  | { readonly is: 'cancelled' }
  /** `operation`: the one that the server refused, if it was one. */
  | { readonly is: 'refused'; readonly reason: string; readonly operation?: ImportOperation | undefined };

export interface Imported {
  readonly inverse: Step;
  readonly outcome: ImportOutcome;
}

export async function performImport(
  store: ProjectStore,
  send: SendBatch,
  batches: readonly ImportBatch[],
  { signal, onProgress, onUndo }: ImportRun,
): Promise<Imported> {
  // In the order of the operations; the inverse is the other way round.
  const inverse: EditOperation[] = [];
  const created: ResourceRef[] = [];
  const ended = (outcome: ImportOutcome): Imported => {
    if (outcome.is !== 'written') onUndo();
    return { inverse: { operations: inverse.reverse() }, outcome };
  };
  const waiting = [...batches];
  const orders = new Orders(store);
  // The state before the first one becomes a version.
  let first: Pick<ImportBatch, 'keep_version'> = { keep_version: true };
  const begin = () => {
    const batch = waiting.shift();
    if (batch === undefined) return undefined;
    const operations = batch.operations.filter((operation) => changes(store, operation));
    const count = batch.operations.length;
    if (operations.length === 0) return { operations, planned: [], answer: Promise.resolve({ value: [], version: '' }), count };
    const answer = send({ operations, ...first });
    first = {};
    return { operations, planned: readied(store, operations, orders), answer, count };
  };
  let sent = begin();
  let done = 0;
  while (sent !== undefined) {
    const { operations, planned, count } = sent;
    let answer: Awaited<typeof sent.answer>;
    try {
      answer = await sent.answer;
    } catch (error) {
      return ended({ is: 'refused', ...explained(error), operation: refusedOperation(error, operations) });
    }
    // The server works on the next one while the page takes this one.
    sent = signal.aborted ? undefined : begin();
    store.together(() => take(store, planned, answer, { inverse, created }));
    done += count;
    onProgress(done);
  }
  // They have changed with what is in them.
  for (const { ref } of store.all()) if (ref.kind === 'artboard' || ref.kind === 'project') store.forgetVersion(ref.id);
  return ended(signal.aborted ? { is: 'cancelled' } : { is: 'written', created });
}

/** Writes settings of the project, and leaves alone what others change in them meanwhile. */
export function settingsOperation(before: Members, after: Members): ImportOperation {
  const operation = { method: 'PATCH', path: '/' } as const;
  const patch = patchBetween(before, after);
  return patch ? { ...operation, body: { settings: patch }, merge: true } : { ...operation, body: { settings: after } };
}

/** Not a PATCH with what is there already: it would make no new version. */
function changes(store: ProjectStore, { method, path, body = {}, merge }: ImportOperation): boolean {
  if (merge === true) return Object.values(body).some((patch) => !isPlain(patch) || Object.keys(patch).length > 0);
  const stored = method === 'PATCH' ? store.stored(refAt(store, path).id) : undefined;
  return stored === undefined || Object.entries(body).some(([name, value]) => !sameJson(stored[name], value));
}

/** Takes the results of a batch into the store. */
function take(
  store: ProjectStore,
  planned: readonly Planned[],
  { value: values, version }: Versioned<(Resource | undefined)[]>,
  { inverse, created }: { readonly inverse: EditOperation[]; readonly created: ResourceRef[] },
): void {
  for (const [i, { ref, taken, isPatch }] of planned.entries()) {
    const value = values[i];
    if (ref.id === '' && value !== undefined) {
      const made = { ...ref, id: value.id };
      store.put(made, value, version);
      created.push(made);
      inverse.push({ op: 'remove', id: value.id });
    } else {
      if (value === undefined) store.remove(ref.id, version);
      else store.put(ref, value, version);
      if (taken !== undefined) inverse.push(isPatch && value !== undefined ? fromResult(taken, value) : taken);
    }
  }
}

/** An operation with the resource that it is about, which has no identifier before it is created, and what takes it back. */
interface Planned {
  readonly ref: ResourceRef;
  readonly taken: EditOperation | undefined;
  /** The operation is a merge patch: its body is not what the resource has then. */
  readonly isPatch?: boolean;
}

/** The inverse of a merge patch starts from what the patch made. */
const fromResult = (taken: EditOperation, value: Resource): EditOperation =>
  taken.op === 'patch' ? { ...taken, from: membersOf(value, Object.keys(taken.from)) } : taken;

function readied(store: ProjectStore, operations: readonly ImportOperation[], orders: Orders): Planned[] {
  const refs = operations.map(({ path }) => refAt(store, path));
  return operations.map(({ method, body = {}, merge }, i): Planned => {
    const ref = refs[i] as ResourceRef;
    if (method === 'POST') return { ref, taken: undefined };
    if (method === 'DELETE') return { ref, taken: inverseOf(store, ref, orders) };
    const before = membersOf(store.stored(ref.id) ?? {}, Object.keys(body));
    return { ref, taken: { op: 'patch', id: ref.id, from: body, to: before }, isPatch: merge === true };
  });
}

const objectPath = /^\/artboards\/([^/]+)\/objects(?:\/([^/]+))?$/;
const memberPath = /^\/(artboards|popups)(?:\/([^/]+))?$/;

/** The resource at a path of an import: the project, an artboard, an object or a popup. */
function refAt(store: ProjectStore, path: string): ResourceRef {
  const [, artboardId, objectId = ''] = objectPath.exec(path) ?? [];
  if (artboardId !== undefined)
    return { kind: 'object', id: decodeURIComponent(objectId), artboardId: decodeURIComponent(artboardId) };
  const [, collection, id = ''] = memberPath.exec(path) ?? [];
  if (collection === undefined) return { kind: 'project', id: store.id };
  return { kind: collection === 'popups' ? 'popup' : 'artboard', id: decodeURIComponent(id) };
}

/** The reason of a refusal: the first wrong value of a batch, without its place in the batch. */
function explained(error: unknown): { readonly reason: string } {
  if (!(error instanceof ProblemError)) return { reason: String(error) };
  return { reason: refusalText(error) };
}

/** The operation that was refused; `undefined` if it was the batch as a whole. */
function refusedOperation(error: unknown, operations: readonly ImportOperation[]): ImportOperation | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  const index = error.index ?? /^\/operations\/(\d+)/.exec(error.errors[0]?.pointer ?? '')?.[1];
  return index === undefined ? undefined : operations[Number(index)];
}

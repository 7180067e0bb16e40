/**
 * Decides a batch: several writes to one project in one transaction. Each write is decided on the result of those before it, and may name
 * members that these created. All of them become one record, or none does.
 */
import { type FieldError, pointerTo } from '../../lib/field-error.ts';
import { type BodyCheck, check, countElements, FieldErrorList, isObject } from '../../model/bodies/check-body.ts';
import { type CollectionPath, collectionKey } from '../../model/collection-path.ts';
import { everyNamedIn } from '../../model/references/every-reference.ts';
import { withReferences } from '../../model/references/references.ts';
import type { Resource } from '../../model/resource.ts';
import type { Body, Value } from '../../model/value.ts';
import { findProject, findProjectWithFiles } from '../../store/find.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import {
  type Command,
  type Conflict,
  type Context,
  type Decision,
  type Done,
  type Precondition,
  type ResponseToStore,
  resourceAt,
  type Strictness,
  type Target,
} from '../command.ts';
import { decide, newestIn } from './decide.ts';
import { responseChange } from './idempotency.ts';
import { holdingResource } from './integrity/dangling-references.ts';
import { type NewlyDangling, newlyDangling } from './integrity/integrity.ts';
import { errorsInBody, targetOf } from './integrity/integrity-errors.ts';
import { Overlay } from './overlay.ts';
import { isPatch, resolvePatch } from './resolve-patch.ts';

/** One write of a batch. Its target and its body may have the name of an earlier result, `{a}`, in place of an identifier. */
export interface BatchCommand {
  /** Its index in the document; entries that are not operations are missing here. */
  readonly index: number;
  readonly command: Command;
  /** The name by which later operations refer to the result; `undefined` for none. */
  readonly as: string | undefined;
}

export interface Batch {
  readonly accountId: string;
  readonly projectId: string;
  readonly operations: readonly BatchCommand[];
  /** Precondition on the project's version. */
  readonly precondition?: Precondition | undefined;
  /** Whether the batch fails if it as a whole would create a dangling reference. */
  readonly strict?: Strictness | undefined;
  /** Whether the state before becomes an automatic version, as before the replacement of a whole collection. */
  readonly keepsVersion?: boolean | undefined;
  /** Public part of the key of the request; '' or omitted for none. */
  readonly by?: string | undefined;
}

/** How the results of a batch are presented. */
export interface BatchShow<T> {
  /**
   * Makes the result of an operation from the overlay right after it, as in a response to it alone. If it throws, the batch fails with
   * nothing changed.
   *
   * @param index index of the operation
   */
  result(state: State, written: Target, action: Command['action'], index: number): Generator<void, T>;
  /** Set if the response must be stored for repetitions of the request. */
  readonly remember?: ResponseToStore<readonly T[]> | undefined;
}

/** The result of {@link decideBatch}. */
type BatchDecision<T> =
  /** `at`: index of the operation that failed; `undefined` if the project itself is missing or stale. */
  | { readonly outcome: 'missing' | 'stale'; readonly version: number; readonly at: number | undefined }
  | { readonly outcome: 'invalid'; readonly version: number; readonly fieldErrors: readonly FieldError[] }
  | { readonly outcome: 'conflict'; readonly version: number; readonly at: number; readonly conflict: Conflict }
  | (Omit<Done, 'target'> & { readonly results: readonly T[] });

/** The outcome of a batch; `version` is the LSN of its record, or of the project if nothing changed. */
export type BatchOutcome<T> =
  | { readonly outcome: 'missing' | 'stale'; readonly at: number | undefined }
  | { readonly outcome: 'invalid'; readonly fieldErrors: readonly FieldError[] }
  /** `conflict`: with a pointer from the root of the document. */
  | { readonly outcome: 'conflict'; readonly at: number; readonly conflict: Conflict }
  | { readonly outcome: 'done'; readonly results: readonly T[]; readonly version: number };

/** The name of a result in place of an identifier. */
const nameOfResult = /^\{([A-Za-z_]\w*)\}$/;

/** Checks all bodies against their resources, with pointers from the root of the document. Call it before the lock is taken. */
export function* checkBatch({ operations }: Batch, fieldErrors: FieldErrorList, also?: BodyCheck): Generator<void> {
  for (const { index, command } of operations) {
    if (command.action === 'delete' || isPatch(command)) continue;
    const found = new FieldErrorList();
    yield* check(resourceAt(command.target), command.action, command.body, found, also);
    addAll(fieldErrors, bodyAt(index), found);
    if (index % 64 === 63) yield;
  }
}

/** Counts the elements in all bodies; each operation counts as one. */
export function countBatch({ operations }: Batch): number {
  return operations.reduce((sum, { command }) => {
    return sum + 1 + (command.action === 'delete' ? 0 : countElements(resourceAt(command.target), command.body));
  }, 0);
}

/**
 * Decides a batch on an overlay. The caller holds the project's lock.
 *
 * @param fieldErrors errors found in the document so far
 */
export function* decideBatch<T>(
  state: State,
  batch: Batch,
  fieldErrors: FieldErrorList,
  context: Context,
  show: BatchShow<T>,
): Generator<void, BatchDecision<T>> {
  const { accountId, projectId, operations, precondition } = batch;
  // The version of a project is at least that of everything in it.
  const { value: project, version } = findProject(state, accountId, projectId);
  if (project === undefined) return { outcome: 'missing', version, at: undefined };
  if (precondition?.(version) === false) return { outcome: 'stale', version, at: undefined };
  if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
  const overlay = new Overlay(state, accountId, projectId);
  const merged = new MergedChanges();
  const { changes } = merged;
  const names = new Map<string, string>();
  const results: T[] = [];
  const steps: Step[] = [];
  let replaces = batch.keepsVersion === true;
  for (const [i, { command, as }] of operations.entries()) {
    const asked = resolved(command, names, i, fieldErrors);
    if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
    const found = new FieldErrorList();
    const named = isPatch(asked) ? yield* resolvePatch(overlay.state, asked, found, context.bodyCheck) : asked;
    const decision: Decision = yield* decide(overlay.state, named, found, context);
    if (decision.outcome === 'missing' || decision.outcome === 'stale') return { outcome: decision.outcome, version, at: i };
    if (decision.outcome === 'conflict') {
      const { code, pointer, detail } = decision.conflict;
      // Identifiers of files and versions are not free either, and both are beside the document.
      const seen = newestIn(project, version);
      return { outcome: 'conflict', version: seen, at: i, conflict: { code, pointer: operationAt(i) + pointer, detail } };
    }
    if (decision.outcome === 'invalid') {
      addAll(fieldErrors, (decision.isOfOperation ? operationAt : bodyAt)(i), new FieldErrorList(decision.fieldErrors));
      return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
    }
    overlay.apply(decision.changes);
    replaces ||= decision.replaces === true;
    if (batch.strict !== undefined) steps.push({ command: named, done: decision });
    merged.add(decision.changes);
    results.push(yield* show.result(overlay.state, decision.target, command.action, i));
    if (as !== undefined) names.set(as, idOf(decision.target));
    yield;
  }
  if (batch.strict !== undefined) {
    const { publicUrl } = batch.strict;
    for (const left of yield* newlyDangling(project, changes, publicUrl))
      yield* addDangling(fieldErrors, steps, project, left, publicUrl);
    if (fieldErrors.size > 0) {
      const seen = findProjectWithFiles(state, accountId, projectId);
      return { outcome: 'invalid', version: seen.version, fieldErrors: fieldErrors.toArray() };
    }
  }
  if (show.remember === undefined) return { outcome: 'done', version, changes, results, replaces };
  const json = show.remember.write(overlay.state, results);
  // The response to a batch that changes nothing is stored as well: a repetition might change something.
  const shown = changes.length === 0 ? version : undefined;
  const response = yield* responseChange(state, accountId, show.remember, json, context, shown);
  return { outcome: 'done', version, changes: [...changes, response], results, replaces };
}

const operationAt = (i: number): string => pointerTo('/operations', i);
const bodyAt = (i: number): string => `${operationAt(i)}/body`;

function addAll(fieldErrors: FieldErrorList, at: string, found: FieldErrorList): void {
  for (const { pointer, detail } of found.toArray()) fieldErrors.add(at + pointer, detail);
}

/** A position in a list of values. */
interface Slot {
  readonly values: Value[];
  readonly at: number;
}

/**
 * Merges the changes of all operations into those of one record: for a member that was written several times, only the last value. A member that was
 * deleted or moved meanwhile is another one: it is written again.
 */
class MergedChanges {
  readonly changes: Change[] = [];
  /** By collection, and then by identifier. */
  readonly #written = new Map<string, Map<string, Slot>>();

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.op === 'put') {
        const values: Value[] = [];
        const written = this.#writtenIn(change.path);
        for (const value of change.values) put(written, value, values);
        if (values.length > 0) this.changes.push({ ...change, values });
        continue;
      }
      if (change.op === 'delete') {
        for (const id of change.ids) this.#writtenIn(change.path).delete(id);
        if (change.path.collection === 'artboards')
          for (const parentId of change.ids)
            this.#written.delete(collectionKey({ ...change.path, collection: 'objects', parentId }));
      }
      if (change.op === 'move') {
        for (const parentId of [change.fromArtboard, change.path.parentId])
          this.#writtenIn({ ...change.path, parentId }).delete(change.value.id);
      }
      this.changes.push(change);
    }
  }

  #writtenIn(path: CollectionPath): Map<string, Slot> {
    const name = collectionKey(path);
    const present = this.#written.get(name);
    if (present !== undefined) return present;
    const made = new Map<string, Slot>();
    this.#written.set(name, made);
    return made;
  }
}

function put(written: Map<string, Slot>, value: Value, values: Value[]): void {
  const before = written.get(value.id);
  if (before !== undefined) before.values[before.at] = value;
  else written.set(value.id, { values, at: values.push(value) - 1 });
}

/** An operation of a strict batch, with names of results resolved, and its decision. */
interface Step {
  readonly command: Command;
  readonly done: Done;
}

/** Adds the error of a dangling reference, with a pointer to the operation that causes it, as for that operation alone. */
function* addDangling(
  fieldErrors: FieldErrorList,
  steps: readonly Step[],
  project: StoredProject,
  left: NewlyDangling,
  publicUrl: string | undefined,
): Generator<void> {
  const i = left.deletedFrom === undefined ? setBy(steps, left, publicUrl) : deletedBy(steps, project, left);
  const { command, done } = steps[i] as Step;
  if (command.action !== 'delete') {
    addAll(
      fieldErrors,
      bodyAt(i),
      new FieldErrorList(yield* errorsInBody([left], command.body as Body, done.target, done.changes)),
    );
    return;
  }
  const { collection, id, naming } = left;
  const from = holdingResource(collection).noun;
  fieldErrors.add(
    operationAt(i),
    `would leave "${naming.member}" of the ${from} ${id} dangling: it refers to ${targetOf(naming)}, which is deleted too`,
  );
}

/** Index of the step that set the reference. */
function setBy(steps: readonly Step[], { collection, id, naming }: NewlyDangling, publicUrl: string | undefined): number {
  const resource = holdingResource(collection);
  let by = -1;
  for (const [i, { done }] of steps.entries()) {
    for (const change of done.changes) {
      const values = change.op === 'put' ? change.values : 'value' in change ? [change.value] : [];
      const value = values.find((one) => one.id === id);
      if (value === undefined) continue;
      if (!everyNamedIn(resource, value, publicUrl)(naming)) by = -1;
      else if (by === -1) by = i;
    }
  }
  return by;
}

/** Index of the step that deletes the reference's target, or the artboard that holds the target. */
function deletedBy(steps: readonly Step[], project: StoredProject, { deletedId }: NewlyDangling): number {
  const holds = (artboard: string) => project.collection('objects', artboard)?.get(deletedId) !== undefined;
  const deletes = (change: Change) =>
    change.op === 'delete' &&
    (change.ids.includes(deletedId) || (change.path.collection === 'artboards' && change.ids.some(holds)));
  return steps.findLastIndex(({ done }) => done.changes.some(deletes));
}

function idOf(target: Target): string {
  return target.kind === 'project' ? target.projectId : target.id;
}

/** The command with the names of results replaced by identifiers. */
function resolved(command: Command, names: ReadonlyMap<string, string>, i: number, fieldErrors: FieldErrorList): Command {
  const { target } = command;
  const identifier = (text: string, at: string): string => {
    const name = nameOfResult.exec(text)?.[1];
    if (name === undefined) return text;
    const id = names.get(name);
    if (id === undefined) fieldErrors.add(at, `refers to "{${name}}", but no earlier operation has this "as"`);
    return id ?? text;
  };
  const inPath = (text: string): string => identifier(text, `${operationAt(i)}/path`);
  const found: Target =
    target.kind === 'project'
      ? target
      : { ...target, path: { ...target.path, parentId: inPath(target.path.parentId) }, id: inPath(target.id) };
  if (command.action === 'delete') return { ...command, target: found };
  const body = withIdentifiers(resourceAt(target), command.body as Body, bodyAt(i), identifier);
  const { placement } = command;
  if (placement === undefined) return { ...command, target: found, body };
  const named = <Id extends string | null | undefined>(id: Id, member: string): Id =>
    typeof id === 'string' ? (identifier(id, `${operationAt(i)}/${member}`) as Id) : id;
  const { before, toArtboard } = placement;
  const placed = { before: named(before, 'before'), toArtboard: named(toArtboard, 'to_artboard') };
  return { ...command, target: found, body, placement: placed };
}

/** Maps every identifier in a body and in the elements of its collections. Returns the same body if nothing changes. */
function withIdentifiers(resource: Resource, body: Body, at: string, identifier: (text: string, at: string) => string): Body {
  let made = withReferences(resource, body, (text, { pointer }) => identifier(text, at + pointer));
  const { id } = body;
  if (typeof id === 'string') {
    const real = identifier(id, pointerTo(at, 'id'));
    if (real !== id) made = { ...made, id: real };
  }
  for (const { name, resource: held } of resource.collections) {
    const elements = body[name];
    if (!Array.isArray(elements)) continue;
    const here = pointerTo(at, name);
    const renamed = elements.map((element: unknown, i) =>
      isObject(element) ? withIdentifiers(held, element, pointerTo(here, i), identifier) : element,
    );
    if (renamed.some((element, i) => element !== elements[i])) made = { ...made, [name]: renamed };
  }
  return made;
}

/**
 * Decides what a command changes: a pure function from the state, the command and a context to changes or a rejection.
 *
 * It is a generator because large collections are compared in slices; the caller holds the project's lock meanwhile. The body was checked
 * against its schema before. Checks that need the state (which identifiers exist) are made here.
 */

import type { FieldErrorList } from '../../model/bodies/check-body.ts';
import type { Body, Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
import { findAccount, findArtboard, findCollection, findMember, findProject, findProjectWithFiles } from '../../store/find.ts';
import type { Change } from '../../store/operations/operations.ts';
import { collectionIn } from '../../store/operations/shared/changed-parts.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { type Command, type Context, type Decision, type Precondition, projectOf, resourceAt, type Target } from '../command.ts';
import { ChangeBuilder } from './change-builder.ts';
import { checkCorners } from './check-corners.ts';
import { checkIdentities } from './check-identities.ts';
import { checkKeys } from './check-keys.ts';
import { idInUse } from './given-ids.ts';
import { responseChange } from './idempotency.ts';
import { strictErrors } from './integrity/integrity-errors.ts';
import { keepPlaces } from './keep-places.ts';
import { giveUpName } from './map-names.ts';
import { Overlay } from './overlay.ts';
import { decideMove, placeConflict, preparePlace } from './place-decision.ts';
import { placeObjects } from './place-objects.ts';
import { isPatch, resolvePatch } from './resolve-patch.ts';

/** @param fieldErrors errors found in the body so far; this step adds its own */
export function* decide(state: State, asked: Command, fieldErrors: FieldErrorList, context: Context): Generator<void, Decision> {
  const command = isPatch(asked) ? yield* resolvePatch(state, asked, fieldErrors, context.bodyCheck) : asked;
  const decision = yield* decideChanges(state, command, fieldErrors, context);
  if (decision.outcome !== 'done') return decision;
  const { accountId, projectId } = projectOf(command.target);
  if (command.strict !== undefined) {
    const { value: project, version } = findProjectWithFiles(state, accountId, projectId);
    const dangling = yield* strictErrors(project, command, decision);
    // A rejection depends on the whole project, and on its files.
    if (dangling.length > 0) return { outcome: 'invalid', version: Math.max(version, decision.version), fieldErrors: dangling };
  }
  if (command.action === 'delete' || command.remember === undefined) return decision;
  const overlay = new Overlay(state, accountId, projectId);
  overlay.apply(decision.changes);
  const json = command.remember.write(overlay.state, decision.target);
  const response = yield* responseChange(state, accountId, command.remember, json, context);
  return { ...decision, changes: [...decision.changes, response] };
}

function* decideChanges(
  state: State,
  command: Command,
  fieldErrors: FieldErrorList,
  context: Context,
): Generator<void, Decision> {
  if (command.action === 'create') return yield* decideCreate(state, command, fieldErrors, context);
  const { target, precondition } = command;
  // A generator for nothing would cost each write as much as its check.
  const unsorted = unsortedAt(state, target);
  if (unsorted !== undefined) yield* unsorted.indexRanks();
  const { present, version } = findTarget(state, target);
  if (present === undefined) return { outcome: 'missing', version };
  if (isStale(state, target, precondition, version)) return { outcome: 'stale', version };
  if (command.action === 'delete') return { outcome: 'done', version, changes: deletion(state, target, context), target };
  yield* checkIdentities(present.project, resourceAt(target), present.value, command.body, fieldErrors);
  if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
  const toArtboard = command.placement?.toArtboard;
  return target.kind === 'member' && toArtboard !== undefined && toArtboard !== target.path.parentId
    ? yield* decideMove({ ...present, command, target, toArtboard, version }, fieldErrors)
    : yield* decideUpdate(command, present, version, fieldErrors, context);
}

function* decideCreate(
  state: State,
  command: BodyWrite,
  fieldErrors: FieldErrorList,
  context: Context,
): Generator<void, Decision> {
  const { target, precondition, ids } = command;
  // A generator for nothing would cost each write as much as its check.
  const unsorted = unsortedAt(state, target);
  if (unsorted !== undefined) yield* unsorted.indexRanks();
  const { project, missing, version: found, listVersion } = findHolder(state, target);
  if (missing) return { outcome: 'missing', version: found };
  if (isStale(state, target, precondition, listVersion)) return { outcome: 'stale', version: listVersion };
  if (fieldErrors.size > 0) return { outcome: 'invalid', version: found, fieldErrors: fieldErrors.toArray() };
  const placed = yield* placeObjects(target, project, command.body as Body, fieldErrors);
  yield* checkKeys(target, project, placed.body, fieldErrors);
  yield* checkCorners(target, project, placed.body, fieldErrors);
  const version = Math.max(found, placed.version);
  if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
  const before = command.placement?.before ?? null;
  const conflict =
    (target.kind === 'project' || before === null ? undefined : placeConflict(project, target, before)) ??
    (ids === undefined || project === undefined ? undefined : yield* idInUse(project, ids));
  if (conflict !== undefined) return { outcome: 'conflict', version, conflict };
  const builder = new ChangeBuilder(context);
  const created = yield* builder.create(target, placed.body, command.fixed, ids);
  if (before !== null && created.kind === 'member') {
    yield* preparePlace(project, created, before);
    builder.place(created, before);
  }
  return { outcome: 'done', version, changes: builder.changes, target: created };
}

function* decideUpdate(
  command: BodyWrite,
  { project, value }: Present,
  found: number,
  fieldErrors: FieldErrorList,
  context: Context,
): Generator<void, Decision> {
  const { target, placement, keepPlaces: keepsPlaces } = command;
  const placed = yield* placeObjects(target, project, command.body as Body, fieldErrors);
  let version = Math.max(found, placed.version, yield* checkKeys(target, project, placed.body, fieldErrors));
  yield* checkCorners(target, project, placed.body, fieldErrors);
  if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
  const builder = new ChangeBuilder(context);
  yield* builder.update(target, project, value, placed.body);
  if (keepsPlaces === true && target.kind === 'member' && target.path.collection === 'artboards') {
    const moved = yield* keepPlaces(project, target.path, value, placed.body, fieldErrors);
    if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
    if (moved !== undefined) builder.changes.push(moved);
  }
  if (placement?.before !== undefined && target.kind === 'member') {
    const { before } = placement;
    const collection = project.collection(target.path.collection, target.path.parentId);
    version = Math.max(version, collection?.version ?? 0);
    const conflict = placeConflict(project, target, before);
    if (conflict !== undefined) return { outcome: 'conflict', version, conflict };
    if (before !== target.id && collection?.comesBefore(target.id, before) !== true) {
      yield* preparePlace(project, target, before);
      builder.place(target, before);
    }
  }
  const { collections } = resourceAt(target);
  const replaces = collections.some(({ name }) => Object.hasOwn(placed.body, name));
  return { outcome: 'done', version, changes: builder.changes, target, ...(replaces && { replaces }) };
}

/** The collection of a write if its members are not in the order of their identifiers: then a search needs an index. */
function unsortedAt(state: State, target: Target): Collection | undefined {
  const collection = target.kind === 'member' ? collectionIn(state, target.path) : undefined;
  return collection?.sorted === false ? collection : undefined;
}

/** LSN of the newest change of a project, and of the collections beside its document. */
export function newestIn(project: StoredProject, version: number): number {
  const beside = ['files', 'versions'] as const;
  const versions = beside.map((name) => project.collection(name, '')?.version ?? 0);
  return Math.max(version, project.version, ...versions);
}

function isStale(state: State, target: Target, precondition: Precondition | undefined, version: number): boolean {
  if (precondition === undefined) return false;
  if (target.kind === 'project' || target.path.collection !== 'objects') return !precondition(version);
  return !precondition(version, Math.max(version, findArtboard(state, target.path).version));
}

type BodyWrite = Extract<Command, { readonly body: unknown }>;

/** The resource that a write changes, as it is. */
interface Present {
  readonly project: StoredProject;
  readonly value: Value;
}

interface Holder {
  readonly missing: boolean;
  /** The project of a new member. */
  readonly project: StoredProject | undefined;
  readonly version: number;
  readonly listVersion: number;
}

/** Whether the holder of a new resource is missing, and the version of the list that the resource is added to. */
function findHolder(state: State, target: Target): Holder {
  if (target.kind === 'project') {
    const { value, version } = findAccount(state, target.accountId);
    // An account with a key is durable, so the decision waits for nothing.
    const needed = value === undefined ? version : 0;
    return { missing: value === undefined, project: undefined, version: needed, listVersion: version };
  }
  const { value, version } = findCollection(state, target.path);
  value?.collection?.prepare();
  return { missing: value === undefined, project: value?.project, version, listVersion: version };
}

function findTarget(
  state: State,
  target: Target,
): { present: { project: StoredProject; value: Value } | undefined; version: number } {
  if (target.kind === 'project') {
    const { value: project, version } = findProject(state, target.accountId, target.projectId);
    return { present: project && { project, value: project.value }, version };
  }
  const { value, version } = findMember(state, target.path, target.id);
  value?.project.collection(target.path.collection, target.path.parentId)?.prepare(target.id);
  return { present: value && { project: value.project, value: value.member.value }, version };
}

function deletion(state: State, target: Target, { now }: Context): Change[] {
  if (target.kind === 'member') return [{ op: 'delete', path: target.path, ids: [target.id] }];
  const { accountId, projectId } = target;
  return [{ op: 'delete-project', accountId, projectId }, ...giveUpName(state, target, now)];
}

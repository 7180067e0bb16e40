/**
 * Decides what a command changes: pure, from the state, the command and a context to changes or a rejection. Nothing is touched here.
 *
 * A generator, because a collection of thousands is compared in slices; the caller holds the project's lock meanwhile. The body was
 * checked against its schema before; what only the state can tell (which identifiers there are) is checked here.
 */

import type { Change } from '../model/change.ts';
import type { FaultList } from '../model/check.ts';
import type { Body, Value } from '../model/value.ts';
import type { Project } from '../store/project.ts';
import { findAccount, findCollection, findMember, findProject } from '../store/queries.ts';
import type { State } from '../store/state.ts';
import { ChangeBuilder } from './change-builder.ts';
import { type Command, type Context, type Decision, type Done, resourceAt, type Target } from './command.ts';
import { checkIdentities } from './identities.ts';
import { strictFaults } from './strict-faults.ts';

/** @param faults what was found in the body so far; faults of this step are added */
export function* decide(state: State, command: Command, faults: FaultList, context: Context): Generator<void, Decision> {
  const { action, target } = command;
  if (action === 'create') {
    const holder = findHolder(state, target);
    if (holder.missing) return { outcome: 'missing', version: holder.version };
    if (faults.size > 0) return { outcome: 'invalid', version: holder.version, faults: faults.toArray() };
    const builder = new ChangeBuilder(context);
    const created = yield* builder.create(target, command.body as Body);
    const done: Done = { outcome: 'done', version: holder.version, changes: builder.changes, target: created };
    return command.strict === true ? yield* unlessDangling(state, command, done) : done;
  }
  const { present, version } = findTarget(state, target);
  if (present === undefined) return { outcome: 'missing', version };
  if (action === 'delete') {
    const done: Done = { outcome: 'done', version, changes: [deletion(target)], target };
    return command.strict === true ? yield* unlessDangling(state, command, done) : done;
  }
  yield* checkIdentities(present.project, resourceAt(target), present.value, command.body, faults);
  if (faults.size > 0) return { outcome: 'invalid', version, faults: faults.toArray() };
  const builder = new ChangeBuilder(context);
  yield* builder.update(target, present.project, present.value, command.body as Body);
  const done: Done = { outcome: 'done', version, changes: builder.changes, target };
  return command.strict === true ? yield* unlessDangling(state, command, done) : done;
}

/** What was decided, unless it would make dangling references that were not there before. */
function* unlessDangling(state: State, command: Command, done: Done): Generator<void, Decision> {
  const { accountId, projectId } = command.target.kind === 'project' ? command.target : command.target.path;
  const { value: project, version } = findProject(state, accountId, projectId);
  const faults = yield* strictFaults(project, command, done);
  // A refusal tells of the whole project.
  return faults.length === 0 ? done : { outcome: 'invalid', version: Math.max(version, done.version), faults };
}

/** What must be there for something to be created in it. */
function findHolder(state: State, target: Target): { missing: boolean; version: number } {
  if (target.kind === 'project') {
    const { value, version } = findAccount(state, target.accountId);
    // An account that is there was durable before it had a key.
    return value === undefined ? { missing: true, version } : { missing: false, version: 0 };
  }
  const { value, version } = findCollection(state, target.path);
  value?.collection?.prepare();
  return { missing: value === undefined, version };
}

function findTarget(state: State, target: Target): { present: { project: Project; value: Value } | undefined; version: number } {
  if (target.kind === 'project') {
    const { value: project, version } = findProject(state, target.accountId, target.projectId);
    return { present: project && { project, value: project.value }, version };
  }
  const { value, version } = findMember(state, target.path, target.id);
  value?.project.collection(target.path.collection, target.path.parentId)?.prepare(target.id);
  return { present: value && { project: value.project, value: value.member.value }, version };
}

function deletion(target: Target): Change {
  return target.kind === 'project'
    ? { op: 'delete-project', accountId: target.accountId, projectId: target.projectId }
    : { op: 'delete', path: target.path, ids: [target.id] };
}

/** Resolves a merge patch under the lock of its project: it depends on what is there, and so does the check of its body. */
import { type BodyCheck, check, type FieldErrorList } from '../../model/bodies/check-body.ts';
import { bodyOfPatch } from '../../model/bodies/merge-patch.ts';
import type { Body } from '../../model/value.ts';
import { findMember, findProject } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import { type Command, resourceAt } from '../command.ts';

/**
 * The command with the body of an ordinary update; the same command if it has no patch, or if its target is missing.
 *
 * @param fieldErrors receives the errors of the resulting body
 * @param also the host's check of bodies
 */
export function* resolvePatch(
  state: State,
  command: Command,
  fieldErrors: FieldErrorList,
  also: BodyCheck | undefined,
): Generator<void, Command> {
  if (command.action !== 'update' || command.isPatch !== true) return command;
  const { target } = command;
  const current =
    target.kind === 'project'
      ? findProject(state, target.accountId, target.projectId).value?.value
      : findMember(state, target.path, target.id).value?.member.value;
  if (current === undefined) return command;
  const resource = resourceAt(target);
  const body = bodyOfPatch(resource, current, command.body as Body, ({ pointer, detail }) => fieldErrors.add(pointer, detail));
  yield* check(resource, 'update', body, fieldErrors, also);
  return { ...command, body, isPatch: false };
}

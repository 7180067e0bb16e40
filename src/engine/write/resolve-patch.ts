/** Resolves a merge patch under the lock of its project: it depends on what is there, and so does the check of its body. */
import { pointerTo } from '../../lib/field-error.ts';
import { parsingJson } from '../../lib/json/json.ts';
import { type BodyCheck, check, type FieldErrorList, isObject } from '../../model/bodies/check-body.ts';
import { bodyOfPatch } from '../../model/bodies/merge-patch.ts';
import type { Body } from '../../model/value.ts';
import { findMember, findProject } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import { type Command, type PatchLimits, resourceAt } from '../command.ts';

/** JSON of this size is within the other limits of a body, whatever it contains. */
const unlimitedBytes = 16 * 1024;

type Patch = Extract<Command, { action: 'create' | 'update' }> & { readonly patch: PatchLimits };

export const isPatch = (command: Command): command is Patch => command.action === 'update' && command.patch !== undefined;

/**
 * The command with the body of an ordinary update; the same command if its target is missing.
 *
 * @param fieldErrors receives the errors of the resulting body
 * @param also the host's check of bodies
 */
export function* resolvePatch(
  state: State,
  command: Patch,
  fieldErrors: FieldErrorList,
  also: BodyCheck | undefined,
): Generator<void, Command> {
  const { target, patch } = command;
  const current =
    target.kind === 'project'
      ? findProject(state, target.accountId, target.projectId).value?.value
      : findMember(state, target.path, target.id).value?.member.value;
  if (current === undefined) return command;
  const resource = resourceAt(target);
  const body = bodyOfPatch(resource, current, command.body as Body, ({ pointer, detail }) => fieldErrors.add(pointer, detail));
  yield* check(resource, 'update', body, fieldErrors, also);
  for (const { name, encoding } of resource.fields)
    if (encoding === 'object' && isObject(body[name])) yield* checkSize(name, body[name], patch, fieldErrors);
  return { ...command, body, patch: undefined };
}

/** A merged structure has no more than a body may have. Clients can send back what a GET shows, and import an export. */
function* checkSize(name: string, merged: Body, { bytesMax }: PatchLimits, fieldErrors: FieldErrorList): Generator<void> {
  const json = Buffer.from(JSON.stringify(merged));
  const pointer = pointerTo('', name);
  if (json.length > bytesMax) {
    fieldErrors.add(
      pointer,
      `would have ${json.length} bytes with this patch, and may have ${bytesMax} (--body-mb): remove some of it`,
    );
  } else if (json.length > unlimitedBytes) {
    const { failure } = yield* parsingJson(json);
    if (failure !== undefined) fieldErrors.add(pointer, `would be too much with this patch: ${failure}`);
  }
}

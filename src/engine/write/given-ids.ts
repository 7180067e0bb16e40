/** Identifiers that clients choose, in operations of a batch: which are allowed, and which are free. */
import { pointerTo } from '../../lib/field-error.ts';
import { idTime } from '../../lib/text/ids.ts';
import { sliceElements } from '../../model/bodies/check-body.ts';
import { article } from '../../model/noun.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Conflict, GivenIds } from '../command.ts';

/** How far the time in an identifier may be ahead of the server's clock, in milliseconds: its own identifiers must come after all that there are. */
const aheadMaxMs = 5 * 60 * 1000;

/** Says what is wrong with an identifier; `undefined` if nothing is. @param now milliseconds since 1970 */
export function idProblem(id: unknown, now: number): string | undefined {
  const time = typeof id === 'string' ? idTime(id) : undefined;
  if (time === undefined)
    return 'must be a UUID of version 7 (RFC 9562) in lower case, such as 019b76da-a800-7000-8000-000000000001; it begins with the time in milliseconds';
  return time > now + aheadMaxMs
    ? `is of ${new Date(time).toISOString()}, more than five minutes ahead of the clock of the server: set your clock`
    : undefined;
}

/** The first of the identifiers that is not free, with its pointer in the operation. @param project as it is; the earlier operations are in it */
export function* idInUse(project: StoredProject, ids: GivenIds): Generator<void, Conflict | undefined> {
  const wanted = new Map<string, string>();
  const conflict = (pointer: string, detail: string): Conflict => ({ code: 'identifier_in_use', pointer, detail });
  const given = [['/id', ids.id] as const, ...(ids.objects ?? []).map((id, i) => [objectPointer(i), id] as const)];
  for (const [pointer, id] of given) {
    if (id === undefined) continue;
    if (wanted.has(id)) return conflict(pointer, 'occurs twice in this operation: choose another one');
    wanted.set(id, pointer);
  }
  let seen = 0;
  const taken = (id: string, what: string): Conflict =>
    conflict(wanted.get(id) as string, `is the identifier of ${what}: choose another one, or change what has it`);
  if (wanted.has(project.id)) return taken(project.id, 'the project');
  for (const { collection } of project.collections()) {
    yield* collection.indexRanks();
    for (const id of wanted.keys()) {
      if (++seen % sliceElements === 0) yield;
      if (collection.get(id) !== undefined) return taken(id, `${article(collection.resource.noun)} of the project`);
    }
  }
  return undefined;
}

const objectPointer = (at: number): string => pointerTo(pointerTo('/body/objects', at), 'id');

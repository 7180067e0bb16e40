/**
 * The errors of a strict write: one for each reference that it would leave dangling. The pointer names
 *
 *     the reference in the body                              if the reference is in the body
 *     the array in the body that leaves out the target       if the referring member is not in the body
 *     the reference in the project's current document        for a deletion, which has no body
 */
import { type FieldError, pointerTo } from '../../../lib/field-error.ts';
import { sliceElements } from '../../../model/bodies/check-body.ts';
import { article } from '../../../model/noun.ts';
import { filesPath } from '../../../model/references/file-references.ts';
import type { Naming } from '../../../model/references/references.ts';
import type { Resource } from '../../../model/resource.ts';
import type { Body, Value } from '../../../model/value.ts';
import type { Change } from '../../../store/operations/operations.ts';
import type { StoredProject } from '../../../store/stored-project.ts';
import { type Command, type Done, resourceAt, type Target } from '../../command.ts';
import { type Holding, holdingResource } from './dangling-references.ts';
import { type NewlyDangling, newlyDangling } from './integrity.ts';

/** A resource in a body: created or changed by the request. */
interface BodyPart {
  readonly pointer: string;
  readonly body: Body;
}

/**
 * Checks a strict write. Returns no errors if it creates no dangling reference.
 *
 * @param project as it is now; `undefined` when the write creates it
 */
export function* strictErrors(
  project: StoredProject | undefined,
  command: Command,
  { changes, target }: Done,
): Generator<void, readonly FieldError[]> {
  const left = yield* newlyDangling(project, changes, command.strict?.publicUrl);
  if (left.length === 0) return [];
  return command.action === 'delete'
    ? left.map(errorOfDeletion)
    : yield* errorsInBody(left, command.body as Body, target, changes);
}

/** The errors of references that a body leaves dangling. @param changes the changes decided from the body */
export function* errorsInBody(
  left: readonly NewlyDangling[],
  body: Body,
  target: Target,
  changes: readonly Change[],
): Generator<void, readonly FieldError[]> {
  const places = yield* placesIn(target, body, changes);
  return left.map((one) => errorIn(places, one));
}

function errorOfDeletion({ pointer, naming }: NewlyDangling): FieldError {
  return { pointer, detail: `refers to ${targetOf(naming)}` };
}

function errorIn(places: ReadonlyMap<string, BodyPart>, left: NewlyDangling): FieldError {
  const { collection, id, naming, deletedFrom } = left;
  const noun = nounOf(naming.collection);
  const place = places.get(id);
  if (deletedFrom === undefined || place?.body[naming.member] !== undefined) {
    const pointer = `${place?.pointer ?? ''}${naming.pointer}`;
    if (deletedFrom !== undefined) return { pointer, detail: `refers to ${article(noun)} that this request deletes` };
    if (naming.collection === 'files')
      return { pointer, detail: `has the address of ${targetOf(naming)}, which this project does not have` };
    return { pointer, detail: `must be the id of ${article(noun)} in this project, or ""` };
  }
  // Only a collection that is sent whole can leave a member out, so its holder is in the body.
  const holder = places.get(deletedFrom.parentId)?.pointer ?? '';
  return {
    pointer: pointerTo(holder, deletedFrom.collection),
    detail: `leaves out the ${noun} ${naming.id}, to which "${naming.member}" of the ${nounOf(collection)} ${id} refers`,
  };
}

const nounOf = (collection: Holding): string => holdingResource(collection).noun;

/** What a reference names, for messages. */
export const targetOf = ({ collection, id }: Naming): string =>
  collection === 'files' ? `the file ${filesPath}${id}/…` : `the ${nounOf(collection)} ${id}`;

/** The parts of a body that are created or changed, by identifier. */
function* placesIn(target: Target, body: Body, changes: readonly Change[]): Generator<void, ReadonlyMap<string, BodyPart>> {
  const put = new Map<string, readonly Value[]>();
  for (const change of changes) {
    if (change.op === 'put') put.set(`${change.path.parentId}/${change.path.collection}`, change.values);
  }
  const places = new Map<string, BodyPart>();
  if (target.kind === 'member') places.set(target.id, { pointer: '', body });
  yield* addHeld(resourceAt(target), target.kind === 'member' ? target.id : '', { pointer: '', body }, put, places);
  return places;
}

/** Adds the elements of a body. An element without `id` has the id of the next value in the changes, which are in the order of the body. */
function* addHeld(
  resource: Resource,
  holderId: string,
  { pointer, body }: BodyPart,
  put: ReadonlyMap<string, readonly Value[]>,
  places: Map<string, BodyPart>,
): Generator<void> {
  for (const { name, resource: held } of resource.collections) {
    const elements = (body[name] ?? []) as readonly Body[];
    const values = put.get(`${holderId}/${name}`) ?? [];
    let next = 0;
    for (const [i, element] of elements.entries()) {
      const id = (element['id'] ?? values[next]?.id) as string;
      if (values[next]?.id === id) next++;
      const place: BodyPart = { pointer: pointerTo(pointerTo(pointer, name), i), body: element };
      places.set(id, place);
      yield* addHeld(held, id, place, put, places);
      if (places.size % sliceElements === 0) yield;
    }
  }
}

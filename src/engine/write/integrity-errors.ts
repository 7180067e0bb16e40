/**
 * What a strict write is refused with: for each reference that it would leave dangling a fault, with a pointer to
 *
 *     the reference in the body                                   where it stands there
 *     the array in the body that leaves out what is referred to    where what refers is not in the body
 *     the reference in the document of the project as it is        where there is no body: for a deletion
 */
import { type FieldError, pointerTo } from '../../lib/field-error.ts';
import type { Change } from '../../model/change.ts';
import { article, sliceElements } from '../../model/check-body.ts';
import type { ApiVersion, CollectionName, Resource } from '../../model/resource.ts';
import { resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { type Command, type Done, resourceAt, type Target } from '../command.ts';
import { type NewlyDangling, newlyDangling } from './integrity.ts';

/** Something in a body: a resource that the request creates or changes. */
interface Place {
  readonly pointer: string;
  readonly body: Body;
}

/**
 * No faults when the write may be made.
 *
 * @param project as it is now; `undefined` when the write creates it
 */
export function* strictFaults(
  project: StoredProject | undefined,
  command: Command,
  { changes, target }: Done,
  compat: ApiVersion,
): Generator<void, readonly FieldError[]> {
  const left = yield* newlyDangling(project, changes, compat);
  if (left.length === 0) return [];
  return command.action === 'delete'
    ? left.map(faultOfDeletion)
    : yield* faultsInBody(left, command.body as Body, target, changes);
}

/** The faults of references that a body leaves dangling. @param changes what the body comes to */
export function* faultsInBody(
  left: readonly NewlyDangling[],
  body: Body,
  target: Target,
  changes: readonly Change[],
): Generator<void, readonly FieldError[]> {
  const places = yield* placesIn(target, body, changes);
  return left.map((one) => faultIn(places, one));
}

function faultOfDeletion({ pointer, naming }: NewlyDangling): FieldError {
  return { pointer, detail: `refers to the ${nounOf(naming.collection)} ${naming.id}` };
}

function faultIn(places: ReadonlyMap<string, Place>, left: NewlyDangling): FieldError {
  const { collection, id, naming, deletedFrom } = left;
  const noun = nounOf(naming.collection);
  const place = places.get(id);
  if (deletedFrom === undefined || place?.body[naming.member] !== undefined) {
    const pointer = `${place?.pointer ?? ''}${naming.pointer}`;
    if (deletedFrom !== undefined) return { pointer, detail: `refers to ${article(noun)} that this request deletes` };
    return { pointer, detail: `must be the id of ${article(noun)} in this project, or ""` };
  }
  // Only a collection that is sent whole leaves something out, so what holds it is in the body.
  const holder = places.get(deletedFrom.parentId)?.pointer ?? '';
  return {
    pointer: pointerTo(holder, deletedFrom.collection),
    detail: `leaves out the ${noun} ${naming.id}, to which "${naming.member}" of the ${nounOf(collection)} ${id} refers`,
  };
}

const nounOf = (collection: CollectionName): string => resourceOf[collection].noun;

/** By identifier, everything in a body that is created or changed. */
function* placesIn(target: Target, body: Body, changes: readonly Change[]): Generator<void, ReadonlyMap<string, Place>> {
  const put = new Map<string, readonly Value[]>();
  for (const change of changes) {
    if (change.op === 'put') put.set(`${change.path.parentId}/${change.path.collection}`, change.values);
  }
  const places = new Map<string, Place>();
  if (target.kind === 'member') places.set(target.id, { pointer: '', body });
  yield* addHeld(resourceAt(target), target.kind === 'member' ? target.id : '', { pointer: '', body }, put, places);
  return places;
}

/** An element without `id` is the next one that is put: what is created is put in the order of the body, among what is changed. */
function* addHeld(
  resource: Resource,
  holderId: string,
  { pointer, body }: Place,
  put: ReadonlyMap<string, readonly Value[]>,
  places: Map<string, Place>,
): Generator<void> {
  for (const { name, resource: held } of resource.collections) {
    const elements = (body[name] ?? []) as readonly Body[];
    const values = put.get(`${holderId}/${name}`) ?? [];
    let next = 0;
    for (const [i, element] of elements.entries()) {
      const id = (element['id'] ?? values[next]?.id) as string;
      if (values[next]?.id === id) next++;
      const place: Place = { pointer: pointerTo(pointerTo(pointer, name), i), body: element };
      places.set(id, place);
      yield* addHeld(held, id, place, put, places);
      if (places.size % sliceElements === 0) yield;
    }
  }
}

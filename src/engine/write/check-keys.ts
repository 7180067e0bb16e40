/** Checks that two objects of one artboard do not get one key. An empty key is none. */
import { pointerTo } from '../../lib/field-error.ts';
import { type FieldErrorList, sliceElements } from '../../model/bodies/check-body.ts';
import type { Body, Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Target } from '../command.ts';

/** What a message about a key says of an object. `id` is `undefined` for a new one. */
export interface NamedObject {
  readonly id: string | undefined;
  readonly name: string;
}

/** Characters of a name or a key in a message. */
const shownMax = 64;

const hasKey = (body: Body): boolean => body['key'] !== undefined && body['key'] !== '';

/**
 * Adds an error at each key that another object of the same artboard has, or gets by the same body.
 *
 * @param project as it is; `undefined` if the write creates it
 * @param body checked, also its identifiers
 * @returns LSN of the objects on which the result depends, besides the target; 0 if there are none
 */
export function* checkKeys(
  target: Target,
  project: StoredProject | undefined,
  body: Body,
  fieldErrors: FieldErrorList,
): Generator<void, number> {
  if (target.kind === 'project') {
    const sent = (body['artboards'] ?? []) as readonly Body[];
    for (const [i, artboard] of sent.entries()) {
      yield* checkList(project, artboard['id'] as string | undefined, artboard, pointerTo('/artboards', i), fieldErrors);
    }
    return 0;
  }
  const { collection, parentId } = target.path;
  if (collection === 'artboards') yield* checkList(project, target.id === '' ? undefined : target.id, body, '', fieldErrors);
  if (collection !== 'objects' || !hasKey(body)) return 0;
  const objects = project?.collection('objects', parentId);
  if (objects === undefined) return 0;
  yield* objects.indexKeys();
  const other = objects.idOfKey(body['key'] as string);
  if (other !== undefined && other !== target.id) {
    const id = target.id === '' ? undefined : target.id;
    const name = nameOf(body, id === undefined ? undefined : objects.get(id)?.value);
    fieldErrors.add(
      '/key',
      keyTaken(body['key'] as string, { id: other, name: nameOf({}, objects.get(other)?.value) }, { id, name }),
    );
  }
  return objects.version;
}

/** What is wrong with a key that two objects would have. */
export function keyTaken(key: string, one: NamedObject, other: NamedObject): string {
  return `would be the key of two objects of the artboard, "${shown(key)}": of ${described(one)} and of ${described(other)}. Update the first, or choose another key`;
}

/** Checks the objects that an artboard's body sends as a whole collection. @param id of the artboard; `undefined` for a new one */
function* checkList(
  project: StoredProject | undefined,
  id: string | undefined,
  { objects: sent }: Body,
  at: string,
  fieldErrors: FieldErrorList,
): Generator<void> {
  if (!Array.isArray(sent) || !(yield* hasSomeKey(sent))) return;
  const present = id === undefined ? undefined : project?.collection('objects', id);
  const named = new Map<string, NamedObject>();
  for (const [i, object] of (sent as readonly Body[]).entries()) {
    if (i % sliceElements === sliceElements - 1) yield;
    const current = currentOf(object, present);
    const key = (object['key'] ?? current?.['key'] ?? '') as string;
    if (key === '') continue;
    const one: NamedObject = { id: current?.id, name: nameOf(object, current) };
    const before = named.get(key);
    if (before === undefined) named.set(key, one);
    else fieldErrors.add(pointerTo(pointerTo(pointerTo(at, 'objects'), i), 'key'), keyTaken(key, before, one));
    if (fieldErrors.full) return;
  }
}

function* hasSomeKey(objects: readonly Body[]): Generator<void, boolean> {
  for (const [i, object] of objects.entries()) {
    if (hasKey(object)) return true;
    if (i % sliceElements === sliceElements - 1) yield;
  }
  return false;
}

const currentOf = ({ id }: Body, present: Collection | undefined): Value | undefined =>
  id === undefined ? undefined : present?.get(id as string)?.value;

const nameOf = (body: Body, current: Value | undefined): string =>
  (body['name'] ?? current?.['name'] ?? 'Untitled Object') as string;

const described = ({ id, name }: NamedObject): string =>
  id === undefined ? `the new "${shown(name)}"` : `"${shown(name)}" (${shown(id)})`;

const shown = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

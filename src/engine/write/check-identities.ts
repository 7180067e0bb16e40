/**
 * Checks of a body that need the state: a read-only member must have its current value, and an `id` in a collection must be that of one of
 * its members, and occur once.
 */
import { pointerTo } from '../../lib/field-error.ts';
import { type FieldErrorList, isObject, sliceElements } from '../../model/bodies/check-body.ts';
import { article } from '../../model/noun.ts';
import type { CollectionName, Resource } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';
import type { StoredProject } from '../../store/stored-project.ts';

export function* checkIdentities(
  project: StoredProject,
  resource: Resource,
  current: Value,
  body: unknown,
  fieldErrors: FieldErrorList,
): Generator<void> {
  if (!isObject(body)) return;
  for (const name of resource.readOnly) {
    if (Object.hasOwn(body, name) && body[name] !== current[name]) {
      fieldErrors.add(pointerTo('', name), 'is read-only: omit it, or send its current value');
    }
  }
  const holderId = resource.collections.some(({ name }) => name === 'objects') ? current.id : '';
  yield* checkHeld(project, resource, holderId, body, '', fieldErrors);
}

function* checkHeld(
  project: StoredProject,
  resource: Resource,
  holderId: string,
  body: Readonly<Record<string, unknown>>,
  at: string,
  fieldErrors: FieldErrorList,
): Generator<void> {
  for (const { name, resource: held } of resource.collections) {
    const elements = body[name];
    if (Array.isArray(elements)) yield* checkElements(project, name, held, holderId, elements, pointerTo(at, name), fieldErrors);
  }
}

function* checkElements(
  project: StoredProject,
  name: CollectionName,
  resource: Resource,
  holderId: string,
  elements: readonly unknown[],
  at: string,
  fieldErrors: FieldErrorList,
): Generator<void> {
  const collection = project.collection(name, holderId);
  const seen = new Set<unknown>();
  for (let i = 0; i < elements.length && !fieldErrors.full; i++) {
    if (i % sliceElements === sliceElements - 1) yield;
    const element = elements[i];
    if (!isObject(element) || !Object.hasOwn(element, 'id')) continue;
    const { id } = element;
    const here = pointerTo(at, i);
    if (typeof id !== 'string' || collection?.get(id) === undefined) {
      const what = article(resource.noun);
      fieldErrors.add(pointerTo(here, 'id'), `is not the id of ${what} in this collection: omit it to create ${what}`);
    } else if (seen.has(id)) {
      fieldErrors.add(pointerTo(here, 'id'), 'occurs twice in this collection: send each member once');
    } else {
      seen.add(id);
      yield* checkHeld(project, resource, id, element, here, fieldErrors);
    }
  }
}

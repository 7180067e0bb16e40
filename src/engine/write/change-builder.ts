/**
 * Builds the changes of a create or an update, including the collections in the body: each of these replaces the present collection, in the
 * order of the body. All changes go into one list, and so into one record.
 */

import { sliceElements } from '../../model/bodies/check-body.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import { type Resource, sameValue } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Context, GivenIds, Target } from '../command.ts';

/** The resource that holds a collection: a project (`parentId` is '') or a member. */
interface Holder {
  readonly accountId: string;
  readonly projectId: string;
  readonly parentId: string;
}

const nothingFixed: Body = {};

export class ChangeBuilder {
  readonly changes: Change[] = [];
  readonly #context: Context;
  #elements = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * @param given members that the server sets, of a member of a collection
   * @param ids that the client has chosen, and that are free
   * @returns the target with its new identifier
   */
  *create(target: Target, body: Body, given: Body = nothingFixed, ids: GivenIds = {}): Generator<void, Target> {
    const id = this.#idOf(ids.id);
    if (target.kind === 'project') {
      const { accountId } = target;
      const fixed = { user_id: accountId, created: new Date(this.#context.now).toISOString() };
      this.changes.push({ op: 'put-project', accountId, value: projects.create(id, fixed, body), created: true });
      yield* this.#createHeld(projects, body, { accountId, projectId: id, parentId: '' });
      return { ...target, projectId: id };
    }
    const resource = resourceOf[target.path.collection];
    this.changes.push({ op: 'put', path: target.path, values: [resource.create(id, given, body)], created: true });
    yield* this.#createHeld(resource, body, { ...target.path, parentId: id }, ids.objects);
    return { ...target, id };
  }

  /** An identifier: the one that the client has chosen, or a new one. */
  #idOf(given: string | undefined): string {
    if (given === undefined) return this.#context.newId();
    this.#context.noteId(given);
    return given;
  }

  /** Places a member that is in the state, or that was created by these changes. */
  place({ path, id }: Extract<Target, { kind: 'member' }>, before: string | null): void {
    this.changes.push({ op: 'place', path, id, before });
  }

  *update(target: Target, project: StoredProject, current: Value, body: Body): Generator<void> {
    if (target.kind === 'project') {
      const { accountId, projectId } = target;
      const value = projects.merge(current, body);
      if (!sameValue(projects, current, value)) this.changes.push({ op: 'put-project', accountId, value, created: false });
      yield* this.#updateHeld(projects, project, body, { accountId, projectId, parentId: '' });
      return;
    }
    const resource = resourceOf[target.path.collection];
    const value = resource.merge(current, body);
    if (!sameValue(resource, current, value))
      this.changes.push({ op: 'put', path: target.path, values: [value], created: false });
    yield* this.#updateHeld(resource, project, body, { ...target.path, parentId: target.id });
  }

  /** @param ids of the elements, that the client has chosen */
  *#createHeld(resource: Resource, body: Body, holder: Holder, ids?: GivenIds['objects']): Generator<void> {
    for (const { name, resource: held } of resource.collections) {
      const elements = body[name] as readonly Body[] | undefined;
      if (elements === undefined || elements.length === 0) continue;
      const path: CollectionPath = { ...pathOf(holder), collection: name };
      const values: Value[] = [];
      this.changes.push({ op: 'put', path, values, created: true });
      for (const [i, element] of elements.entries()) yield* this.#createElement(held, path, element, values, ids?.[i]);
    }
  }

  *#createElement(
    resource: Resource,
    path: CollectionPath,
    element: Body,
    values: Value[],
    given?: string,
  ): Generator<void, string> {
    const id = this.#idOf(given);
    values.push(resource.create(id, nothingFixed, element));
    yield* this.#createHeld(resource, element, { ...path, parentId: id });
    if (++this.#elements % sliceElements === 0) yield;
    return id;
  }

  *#updateHeld(resource: Resource, project: StoredProject, body: Body, holder: Holder): Generator<void> {
    for (const { name } of resource.collections) {
      const elements = body[name] as readonly Body[] | undefined;
      if (elements !== undefined) yield* this.#replace(project, { ...pathOf(holder), collection: name }, elements);
    }
  }

  /** Replaces a collection by an array: deletions first, then changed and new members, then the order if it differs. */
  *#replace(project: StoredProject, path: CollectionPath, elements: readonly Body[]): Generator<void> {
    const resource = resourceOf[path.collection];
    const collection = project.collection(path.collection, path.parentId);
    const named = new Set(elements.map(({ id }) => id).filter((id) => id !== undefined));
    const before = collection === undefined ? [] : Array.from(collection.capture(), ({ value }) => value.id);
    const deleted = before.filter((id) => !named.has(id));
    if (deleted.length > 0) this.changes.push({ op: 'delete', path, ids: deleted });
    const updated: Value[] = [];
    const added: Value[] = [];
    // These changes precede those of the collections inside their members.
    const at = this.changes.length;
    this.changes.push({ op: 'put', path, values: updated, created: false }, { op: 'put', path, values: added, created: true });
    const order: string[] = [];
    const created: string[] = [];
    for (const element of elements) {
      if (element['id'] === undefined) {
        const id = yield* this.#createElement(resource, path, element, added);
        created.push(id);
        order.push(id);
        continue;
      }
      const current = collection?.get(element['id'] as string)?.value;
      if (current === undefined) throw new Error('an id that was checked names no member');
      const value = resource.merge(current, element);
      if (!sameValue(resource, current, value)) updated.push(value);
      order.push(current.id);
      yield* this.#updateHeld(resource, project, element, { ...path, parentId: current.id });
      if (++this.#elements % sliceElements === 0) yield;
    }
    if (added.length === 0) this.changes.splice(at + 1, 1);
    if (updated.length === 0) this.changes.splice(at, 1);
    // The order without an `order` change: the members that stay in their present order, then the new ones.
    const natural = before.filter((id) => named.has(id)).concat(created);
    if (order.some((id, i) => id !== natural[i])) this.changes.push({ op: 'order', path, ids: order });
  }
}

function pathOf({ accountId, projectId, parentId }: Holder) {
  return { accountId, projectId, parentId };
}

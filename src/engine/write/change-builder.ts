/**
 * Builds the changes of a create or an update, including the collections in the body: each of these replaces the present collection, in the
 * order of the body. All changes go into one list, and so into one record.
 */

import { sameJson } from '../../lib/change/same-json.ts';
import { sliceElements } from '../../model/bodies/check-body.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { Resource } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
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
      if (!sameJson(current, value)) this.changes.push({ op: 'put-project', accountId, value, created: false });
      yield* this.#updateHeld(projects, project, body, { accountId, projectId, parentId: '' });
      return;
    }
    const resource = resourceOf[target.path.collection];
    const value = resource.merge(current, body);
    if (!sameJson(current, value)) this.changes.push({ op: 'put', path: target.path, values: [value], created: false });
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
      const add = (value: Value): void => void values.push(value);
      for (const [i, element] of elements.entries()) yield* this.#createElement(held, path, element, add, ids?.[i]);
    }
  }

  *#createElement(
    resource: Resource,
    path: CollectionPath,
    element: Body,
    add: (value: Value) => void,
    given?: string,
  ): Generator<void> {
    const id = this.#idOf(given);
    add(resource.create(id, nothingFixed, element));
    yield* this.#createHeld(resource, element, { ...path, parentId: id });
    if (++this.#elements % sliceElements === 0) yield;
  }

  *#updateHeld(resource: Resource, project: StoredProject, body: Body, holder: Holder): Generator<void> {
    for (const { name } of resource.collections) {
      const elements = body[name] as readonly Body[] | undefined;
      if (elements !== undefined) yield* this.#replace(project, { ...pathOf(holder), collection: name }, elements);
    }
  }

  /** Replaces a collection by an array. */
  *#replace(project: StoredProject, path: CollectionPath, elements: readonly Body[]): Generator<void> {
    const resource = resourceOf[path.collection];
    const collection = project.collection(path.collection, path.parentId);
    const named = new Set(elements.map(({ id }) => id as string).filter((id) => id !== undefined));
    const replaced = new ReplacedMembers(path, collection, named, this.changes);
    replaced.deleteOthers();
    replaced.begin();
    for (const element of elements) {
      if (element['id'] === undefined) {
        yield* this.#createElement(resource, path, element, (value) => replaced.put(value));
        continue;
      }
      const current = collection?.get(element['id'] as string)?.value;
      if (current === undefined) throw new Error('an id that was checked names no member');
      replaced.put(resource.merge(current, element));
      yield* this.#updateHeld(resource, project, element, { ...path, parentId: current.id });
      if (++this.#elements % sliceElements === 0) yield;
    }
    replaced.end();
  }
}

function pathOf({ accountId, projectId, parentId }: Holder) {
  return { accountId, projectId, parentId };
}

/**
 * The changes that give a collection other members: deletions first, then changed and new members, then the order if it differs. What is in the
 * collections inside new members follows after them.
 */
export class ReplacedMembers {
  readonly #path: CollectionPath;
  readonly #collection: Collection | undefined;
  readonly #changes: Change[];
  /** Identifiers of the members that stay, in their present order. */
  readonly #kept: readonly string[];
  readonly #deleted: readonly string[];
  readonly #updated: Value[] = [];
  readonly #added: Value[] = [];
  readonly #order: string[] = [];
  /** Index of the first put. */
  #at = 0;

  /**
   * @param collection as it is; `undefined` if it has no members
   * @param ids of all members that it is to have, apart from those that are created
   * @param changes that these are added to
   */
  constructor(path: CollectionPath, collection: Collection | undefined, ids: ReadonlySet<string>, changes: Change[]) {
    this.#path = path;
    this.#collection = collection;
    this.#changes = changes;
    const present = collection === undefined ? [] : Array.from(collection.capture(), ({ value }) => value.id);
    this.#kept = present.filter((id) => ids.has(id));
    this.#deleted = present.filter((id) => !ids.has(id));
  }

  deleteOthers(): void {
    if (this.#deleted.length > 0) this.#changes.push({ op: 'delete', path: this.#path, ids: this.#deleted });
  }

  /** Adds the puts, which precede those of the collections inside their members. */
  begin(): void {
    this.#at = this.#changes.length;
    this.#changes.push(
      { op: 'put', path: this.#path, values: this.#updated, created: false },
      { op: 'put', path: this.#path, values: this.#added, created: true },
    );
  }

  /** A member as it is to be, after those before it. */
  put(value: Value): void {
    const present = this.#collection?.get(value.id)?.value;
    if (present === undefined) this.#added.push(value);
    else if (!sameJson(present, value)) this.#updated.push(value);
    this.#order.push(value.id);
  }

  /** Removes the puts without values, and adds the order, unless the members are in it: those that stay, then the new ones. */
  end(): void {
    if (this.#added.length === 0) this.#changes.splice(this.#at + 1, 1);
    if (this.#updated.length === 0) this.#changes.splice(this.#at, 1);
    const natural = [...this.#kept, ...this.#added.map(({ id }) => id)];
    if (this.#order.some((id, i) => id !== natural[i])) this.#changes.push({ op: 'order', path: this.#path, ids: this.#order });
  }
}

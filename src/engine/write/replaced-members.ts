/**
 * The changes that give a collection other members: deletions first, then changed and new members, then the order if it differs. What is in the
 * collections inside new members follows after them.
 */
import { sameJson } from '../../lib/json/same-json.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
import type { Change } from '../../store/operations/operations.ts';

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

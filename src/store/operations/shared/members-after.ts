/** The members of a state after the first changes of a record, without a change of the state. */
import { type CollectionPath, collectionKey } from '../../../model/collection-path.ts';
import type { Value } from '../../../model/value.ts';
import type { Collection } from '../../collection.ts';
import type { State } from '../../state.ts';
import { collectionIn } from './changed-parts.ts';

/** A collection as a record has changed it so far. */
interface Changed {
  /** `undefined` for a member that is not there any more. */
  readonly values: Map<string, Value | undefined>;
  /** True if all that was there before the record is gone. */
  isDropped: boolean;
}

export class MembersAfter {
  readonly state: State;
  readonly #isAlone: boolean;
  /** By {@link collectionKey}: a record is one of one account. */
  readonly #changed = new Map<string, Changed>();

  /** @param state before the record @param isAlone whether the record has one change only: nothing is noted then */
  constructor(state: State, isAlone = false) {
    this.state = state;
    this.#isAlone = isAlone;
  }

  /** The collection as it was before the record. */
  before(path: CollectionPath): Collection | undefined {
    return collectionIn(this.state, path);
  }

  get(path: CollectionPath, id: string): Value | undefined {
    const changed = this.#isAlone ? undefined : this.#changed.get(collectionKey(path));
    if (changed?.values.has(id)) return changed.values.get(id);
    return changed?.isDropped ? undefined : this.before(path)?.get(id)?.value;
  }

  /** Puts a member, or takes it away. */
  set(path: CollectionPath, id: string, value: Value | undefined): void {
    if (!this.#isAlone) this.#changedAt(path).values.set(id, value);
  }

  /** Takes all members away. @returns those that were there */
  *drop(path: CollectionPath): Generator<Value, void> {
    const changed = this.#changedAt(path);
    const present = changed.isDropped ? [] : (this.before(path)?.capture() ?? []);
    for (const { value } of present) if (!changed.values.has(value.id)) yield value;
    for (const value of changed.values.values()) if (value !== undefined) yield value;
    changed.values.clear();
    changed.isDropped = true;
  }

  #changedAt(path: CollectionPath): Changed {
    const name = collectionKey(path);
    const present = this.#changed.get(name);
    if (present !== undefined) return present;
    const made: Changed = { values: new Map(), isDropped: false };
    this.#changed.set(name, made);
    return made;
  }
}

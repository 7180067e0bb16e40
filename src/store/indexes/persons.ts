/** The people of all accounts, by identifier and by account. */
import type { Person } from '../../model/people/person.ts';

const none: ReadonlyMap<string, Person> = new Map();

export class Persons {
  readonly #all = new Map<string, Person>();
  readonly #byAccount = new Map<string, Map<string, Person>>();

  get(id: string): Person | undefined {
    return this.#all.get(id);
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  /** The people of an account, the oldest first; also those that were removed. */
  of(accountId: string): ReadonlyMap<string, Person> {
    return this.#byAccount.get(accountId) ?? none;
  }

  values(): Iterable<Person> {
    return this.#all.values();
  }

  put(person: Person): void {
    const { id, accountId } = person;
    const own = this.#byAccount.get(accountId) ?? new Map<string, Person>();
    this.#byAccount.set(accountId, own);
    own.set(id, person);
    this.#all.set(id, person);
  }

  delete(id: string): void {
    const accountId = this.#all.get(id)?.accountId ?? '';
    const own = this.#byAccount.get(accountId);
    this.#all.delete(id);
    own?.delete(id);
    if (own?.size === 0) this.#byAccount.delete(accountId);
  }

  /** Deletes all people of an account. */
  deleteAccount(accountId: string): void {
    for (const id of this.of(accountId).keys()) this.#all.delete(id);
    this.#byAccount.delete(accountId);
  }
}

/** Reads: queries of the state, whose results are returned only when everything that they depend on is durable. */

import { continueLater, runCooperatively } from '../lib/async/cooperative.ts';
import type { Journal } from '../storage/wal/journal.ts';
import type { Versioned } from '../store/find.ts';
import type { State } from '../store/state.ts';
import { Locks } from './lock.ts';
import type { Writer } from './write/write.ts';

export class Reader {
  readonly #state: State;
  readonly #journal: Journal;
  readonly #writer: Writer;
  /** One for each account that has a search which takes longer than a slice. */
  readonly #searches = new Locks();

  /** @param writer after it failed, reads fail too: memory may have changes that the log does not have */
  constructor(state: State, journal: Journal, writer: Writer) {
    this.#state = state;
    this.#journal = journal;
    this.#writer = writer;
  }

  /** Returns the result of a query; synchronously when everything that it read is durable. */
  read<T>(query: (state: State) => Versioned<T>): Versioned<T> | Promise<Versioned<T>> {
    this.#writer.refuseWhenFailed();
    return this.#whenDurable(query(this.#state));
  }

  /**
   * Returns the result of a query of many members. It runs in slices, between which other requests run. It uses up to 200 bytes of
   * memory per member until it ends. An account has one such search in memory: searches that need a second slice run one after another.
   */
  search<T>(accountId: string, query: (state: State) => Generator<void, Versioned<T>>): Versioned<T> | Promise<Versioned<T>> {
    this.#writer.refuseWhenFailed();
    const found = runCooperatively(query(this.#state), (rest) => this.#inTurn(accountId, rest));
    return found instanceof Promise ? found.then((seen) => this.#whenDurable(seen)) : this.#whenDurable(found);
  }

  #whenDurable<T>(seen: Versioned<T>): Versioned<T> | Promise<Versioned<T>> {
    const wait = this.#journal.durable(seen.version);
    return wait === undefined ? seen : wait.then(() => seen);
  }

  async #inTurn<T>(accountId: string, rest: Generator<void, T>): Promise<T> {
    const wait = this.#searches.acquire(accountId);
    if (wait !== undefined) await wait;
    try {
      return await continueLater(rest);
    } finally {
      this.#searches.release(accountId);
    }
  }
}

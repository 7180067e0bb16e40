/**
 * Finds out the shard of a key from memory. The database is asked for an unknown key: in batches, and about each key at most once a second, so
 * hostile keys cost it little. A key that another node has just created is found this way.
 */

import { Deferred } from '../../lib/async/deferred.ts';
import type { KeyRow } from '../database/directory.ts';

/** Milliseconds in which lookups become one query, and after which an unknown key may be looked up again. */
const batchMs = 50;
const againMs = 1_000;
/** Keys in one query, keys that wait for one, and unknown keys that are remembered. */
const batchMax = 100;
const waitingMax = 1_000;
const unknownMax = 10_000;

/** Too many unknown keys wait. */
export class LookupOverloadError extends Error {
  override readonly name = 'LookupOverloadError';
}

export class KeyDirectory {
  readonly #find: (ids: readonly string[]) => Promise<readonly KeyRow[]>;
  readonly #shards = new Map<string, number>();
  /** When a key was not found, by `performance.now()`; oldest first. */
  readonly #unknown = new Map<string, number>();
  readonly #waiting = new Map<string, Deferred<number | undefined>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param find the rows of these keys in the database */
  constructor(find: (ids: readonly string[]) => Promise<readonly KeyRow[]>) {
    this.#find = find;
  }

  add(rows: readonly KeyRow[]): void {
    for (const { id, shard } of rows) this.#shards.set(id, shard);
  }

  /** Number of known keys. */
  get size(): number {
    return this.#shards.size;
  }

  /** The shard of a key that is known; `undefined` for any other. */
  known(id: string): number | undefined {
    return this.#shards.get(id);
  }

  /** Whether the database has said within a second that there is no such key. */
  isUnknown(id: string): boolean {
    const at = this.#unknown.get(id);
    return at !== undefined && performance.now() - at < againMs;
  }

  /** The shard of a key; `undefined` if there is no such key. Rejects if the database is away, or if too many unknown keys wait. */
  async shardOf(id: string): Promise<number | undefined> {
    const known = this.#shards.get(id);
    if (known !== undefined || this.isUnknown(id)) return known;
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) return await waiting.promise;
    if (this.#waiting.size >= waitingMax) throw new LookupOverloadError('too many unknown keys are looked up');
    const found = new Deferred<number | undefined>();
    this.#waiting.set(id, found);
    this.#timer ??= setTimeout(() => void this.#lookUp(), batchMs);
    return await found.promise;
  }

  async #lookUp(): Promise<void> {
    const batch = [...this.#waiting].slice(0, batchMax);
    try {
      this.add(await this.#find(batch.map(([id]) => id)));
      for (const [id, found] of batch) {
        const shard = this.#shards.get(id);
        if (shard === undefined) this.#forget(id);
        found.resolve(shard);
      }
    } catch (error) {
      for (const [, found] of batch) found.reject(error as Error);
    }
    for (const [id] of batch) this.#waiting.delete(id);
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(() => void this.#lookUp(), batchMs);
  }

  #forget(id: string): void {
    this.#unknown.delete(id);
    this.#unknown.set(id, performance.now());
    const [oldest] = this.#unknown.keys();
    if (this.#unknown.size > unknownMax && oldest !== undefined) this.#unknown.delete(oldest);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const found of this.#waiting.values()) found.reject(new Error('the node stops'));
    this.#waiting.clear();
  }
}

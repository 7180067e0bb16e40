/**
 * Finds out from memory which shard has a key, or a name of a published map. The database is asked for an unknown one: in batches, and about each at
 * most once a second, so hostile requests cost it little. What another node has just created is found this way.
 */

import { Deferred } from '../../lib/async/deferred.ts';
import type { ShardRow } from '../database/directory.ts';

/** Milliseconds in which lookups become one query, and after which an unknown value may be looked up again. */
const batchMs = 50;
const againMs = 1_000;
/** Values in one query, those that wait for one, and unknown ones that are remembered. */
const batchMax = 100;
const waitingMax = 1_000;
const unknownMax = 10_000;

/** Too many unknown values wait. */
export class LookupOverloadError extends Error {
  override readonly name = 'LookupOverloadError';
}

interface Known {
  readonly shard: number;
  /** When the database said so, by `performance.now()`. */
  readonly at: number;
}

export class ShardDirectory {
  readonly #find: (ids: readonly string[]) => Promise<readonly ShardRow[]>;
  readonly #knownMs: number;
  readonly #shards = new Map<string, Known>();
  /** When a value was not found, by `performance.now()`; oldest first. */
  readonly #unknown = new Map<string, number>();
  readonly #waiting = new Map<string, Deferred<number | undefined>>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param find the rows of these values in the database
   * @param knownMs milliseconds after which a known value is looked up again, while its last answer counts: for what can move to another shard
   */
  constructor(find: (ids: readonly string[]) => Promise<readonly ShardRow[]>, knownMs = Number.POSITIVE_INFINITY) {
    this.#find = find;
    this.#knownMs = knownMs;
  }

  add(rows: readonly ShardRow[]): void {
    const at = performance.now();
    for (const { id, shard } of rows) this.#shards.set(id, { shard, at });
  }

  /** Number of known values. */
  get size(): number {
    return this.#shards.size;
  }

  /** The shard of a value that is known; `undefined` for any other. */
  known(id: string): number | undefined {
    const known = this.#shards.get(id);
    if (known !== undefined && performance.now() - known.at >= this.#knownMs) this.#lookUpAgain(id);
    return known?.shard;
  }

  /** True if the database has said within a second that there is no such value. */
  isUnknown(id: string): boolean {
    const at = this.#unknown.get(id);
    return at !== undefined && performance.now() - at < againMs;
  }

  /** The shard of a value; `undefined` if no shard has it. Rejects if the database is away, or if too many unknown values wait. */
  async shardOf(id: string): Promise<number | undefined> {
    const known = this.known(id);
    if (known !== undefined || this.isUnknown(id)) return known;
    return await this.#wait(id);
  }

  async #wait(id: string): Promise<number | undefined> {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) return await waiting.promise;
    if (this.#waiting.size >= waitingMax) throw new LookupOverloadError('too many unknown keys or names are looked up');
    const found = new Deferred<number | undefined>();
    this.#waiting.set(id, found);
    this.#timer ??= setTimeout(() => void this.#lookUp(), batchMs);
    return await found.promise;
  }

  /** The last answer counts for another while if there is none now. */
  #lookUpAgain(id: string): void {
    const known = this.#shards.get(id) as Known;
    this.#shards.set(id, { ...known, at: performance.now() });
    void this.#wait(id).catch(() => undefined);
  }

  async #lookUp(): Promise<void> {
    const batch = [...this.#waiting].slice(0, batchMax);
    const askedAt = performance.now();
    try {
      this.add(await this.#find(batch.map(([id]) => id)));
      for (const [id, found] of batch) {
        // One that was added meanwhile may be newer than the answer.
        if ((this.#shards.get(id)?.at ?? 0) <= askedAt) this.#forget(id);
        found.resolve(this.#shards.get(id)?.shard);
      }
    } catch (error) {
      for (const [, found] of batch) found.reject(error as Error);
    }
    for (const [id] of batch) this.#waiting.delete(id);
    this.#timer = this.#waiting.size === 0 ? undefined : setTimeout(() => void this.#lookUp(), batchMs);
  }

  #forget(id: string): void {
    this.#shards.delete(id);
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

/**
 * The work on files of an owner's log: each flush is first appended to the database, and then written as a frame to the cache. So a record is
 * durable for the log when the database has acknowledged it, and the cache holds nothing else.
 *
 *     Wal --flush--> ClusterWorker --append--> database
 *                         '-- acknowledged --> WalThreads: frame in the cache --> report
 *
 * All other ops go straight to the threads of the cache.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deletion } from '../../lib/files/files.ts';
import type { FlusherStart, Op } from '../../storage/wal/write/flusher.ts';
import type { LargeOrder } from '../../storage/wal/write/large-record.ts';
import type { SpareOrder, WriteThrottle } from '../../storage/wal/write/preallocate.ts';
import type { FlusherEvents, WalWorker } from '../../storage/wal/write/wal-worker.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import type { BatchBytes } from '../database/owner-statements.ts';
import { rowBytesMax } from '../database/tables.ts';
import { chainAfter, digestOf, lengthOf, splitPayload } from './batches.ts';
import type { OwnerSession } from './owner-session.ts';

/** Milliseconds between attempts to store large records while the database is away. */
const retryMs = 200;

export class ClusterWorker implements WalWorker {
  readonly #session: OwnerSession;
  readonly #bulk: BulkStore;
  readonly #cache: WalWorker;
  #halves: readonly Buffer[] = [];
  #events: FlusherEvents | undefined;
  /** The prepared large record: its parts are in the database. */
  #large: BatchBytes | undefined;
  /** Large records whose parts are stored, or being stored, and whose row is not acknowledged. */
  readonly #deposits = new Set<string>();
  /** The append under way. */
  #appending: Promise<void> = Promise.resolve();
  #hasFailed = false;
  /** Work on the database that is under way, oldest first; `since` by `performance.now()`. */
  readonly #waits = new Set<{ readonly since: number }>();

  /** @param cache works on the files of the cache */
  constructor(session: OwnerSession, bulk: BulkStore, cache: WalWorker) {
    this.#session = session;
    this.#bulk = bulk;
    this.#cache = cache;
  }

  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void {
    this.#halves = halves.map((half) => Buffer.from(half));
    this.#events = {
      report: (report) => {
        if (!this.#hasFailed) events.report(report);
      },
      failure: (error) => {
        if (this.#hasFailed) return;
        this.#hasFailed = true;
        events.failure(error);
      },
    };
    this.#cache.start(start, halves, this.#events);
  }

  send(op: Op): void {
    if (op.kind !== 'flush' && op.kind !== 'commitLarge') {
      this.#cache.send(op);
      return;
    }
    this.#appending = this.#waiting(this.#append(op)).then(
      () => {
        if (!this.#hasFailed) this.#cache.send(op);
      },
      (error: Error) => this.#events?.failure(error),
    );
  }

  async #append(op: Op & { kind: 'flush' | 'commitLarge' }): Promise<void> {
    if (op.kind === 'commitLarge') {
      const large = this.#large;
      if (large === undefined) throw new Error('a large record is committed after it was stored in the database');
      await this.#appendBatch(1, large);
      this.#large = undefined;
      return;
    }
    const half = this.#halves[op.half] as Buffer;
    const payload = half.subarray(op.start, op.start + op.bytes);
    for (const { bytes, count } of splitPayload(payload, rowBytesMax)) {
      if (bytes.byteLength <= rowBytesMax) {
        // The queue reuses its memory only after the report.
        await this.#appendBatch(count, { payload: bytes });
      } else {
        await this.#appendBatch(count, await this.#deposit(bytes));
      }
    }
  }

  /** Stores records in rows of their own. */
  async #deposit(...pieces: readonly Uint8Array[]): Promise<BatchBytes> {
    const id = randomUUID();
    this.#deposits.add(id);
    const put = () => this.#bulk.putParts(this.#session.shard, id, ...pieces);
    const rows = await retried(put, () => this.#session.ended);
    return { payload: digestOf(...pieces), deposit: { id, rows }, putAgain: async () => void (await put()) };
  }

  async #appendBatch(count: number, bytes: BatchBytes): Promise<void> {
    const before = this.#session.acknowledged;
    const end = { lsn: before.lsn + count, chain: chainAfter(before.chain, bytes.payload) };
    await this.#session.append({ firstLsn: before.lsn + 1, before, end }, bytes);
    if (bytes.deposit !== undefined) this.#deposits.delete(bytes.deposit.id);
  }

  /** Large records that have parts in the database and no row yet. */
  get deposits(): readonly string[] {
    return [...this.#deposits];
  }

  /** Milliseconds that work on the database has taken so far; `undefined` if none is under way. */
  get waitingMs(): number | undefined {
    const [oldest] = this.#waits;
    return oldest && performance.now() - oldest.since;
  }

  async #waiting<T>(work: Promise<T>): Promise<T> {
    const wait = { since: performance.now() };
    this.#waits.add(wait);
    try {
      return await work;
    } finally {
      this.#waits.delete(wait);
    }
  }

  /** Ends the flusher of the cache, after the append under way. */
  async stop(): Promise<void> {
    await this.#appending;
    await this.#cache.stop();
  }

  makeSpare(order: SpareOrder, throttle: WriteThrottle): Promise<boolean> {
    return this.#cache.makeSpare(order, throttle);
  }

  /** Stores the record in the database, too: its append is then one row. */
  async makeLarge(order: LargeOrder, throttle: WriteThrottle): Promise<number | undefined> {
    const crc = await this.#cache.makeLarge(order, throttle);
    if (crc === undefined) return undefined;
    const record = Buffer.from(order.record);
    this.#large = await this.#waiting(this.#deposit(lengthOf(record), record));
    return crc;
  }

  trim(paths: readonly string[]): Promise<Deletion> {
    return this.#cache.trim(paths);
  }

  async removeLarge(path: string): Promise<Deletion> {
    const large = this.#large;
    this.#large = undefined;
    if (large?.deposit !== undefined) {
      this.#deposits.delete(large.deposit.id);
      // If this fails, the parts stay, and are deleted after a later snapshot.
      this.#bulk.removeParts(large.deposit.id).catch(() => undefined);
    }
    return await this.#cache.removeLarge(path);
  }

  async close(): Promise<void> {
    await this.#cache.close();
  }
}

/** Retries work on the database, which may be away, until the session ends. */
async function retried<T>(work: () => Promise<T>, ended: () => Error | undefined): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      const end = ended();
      if (end !== undefined) throw end;
      await delay(retryMs);
    }
  }
}

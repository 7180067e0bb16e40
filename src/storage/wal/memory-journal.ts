/**
 * The journal of a process without a data folder: its records are in memory and are lost when it ends. Records that are appended in one turn
 * become durable at the end of the turn, so writers wait, and continue in the same order, as with a disk. No file, no thread, no timer.
 */
import { Deferred } from '../../lib/async/deferred.ts';
import { RecordTooLargeError, StoppedError } from '../../lib/errors.ts';
import { largeRecordBytesMax, recordBytesMax, segmentBytesDefault } from './format/segment.ts';
import type { Journal, Lsn, PreparedRecord } from './journal.ts';
import { MemoryLog } from './memory-log.ts';
import { CommitMetrics, type WalStats } from './write/wal-stats.ts';

interface Prepared extends PreparedRecord {
  readonly record: Buffer;
  readonly over: Deferred<void>;
}

export class MemoryJournal implements Journal {
  // The same limits as on disk, so that a test in memory does not accept what a server refuses.
  readonly recordBytesMax = recordBytesMax(segmentBytesDefault);
  readonly preparedBytesMax = largeRecordBytesMax;
  /** There are no segments. */
  readonly sealed: readonly never[] = [];
  /** Nothing is written. */
  readonly noSpace = undefined;
  readonly #log: MemoryLog;
  readonly #batches: CommitMetrics;
  #durableLsn: Lsn;
  #sealedLsn: Lsn = 0;
  /** Resolves at the end of the turn in which records were appended. */
  #turn: Deferred<void> | undefined;
  #prepared: Prepared | undefined;
  /** Resolves when no prepared record is pending. */
  #preparedDone: Promise<void> = Promise.resolve();
  /** Bytes of the records that were appended in the turn. */
  #turnBytes = 0;
  #stopped: StoppedError | undefined;

  /** @param onDurable is called with the newest LSN, once for all records that became durable together */
  constructor(log = new MemoryLog(), onDurable?: (lsn: Lsn) => void) {
    this.#log = log;
    this.#batches = new CommitMetrics(log.lineage, onDurable);
    this.#durableLsn = log.nextLsn - 1;
  }

  get lineage(): string {
    return this.#log.lineage;
  }

  get nextLsn(): Lsn {
    return this.#log.nextLsn;
  }

  get durableLsn(): Lsn {
    return this.#durableLsn;
  }

  /** No syncs and no disk space: those members are constant. */
  get stats(): WalStats {
    const none = { queueBytes: 0, frames: 0, bytes: 0, syncs: 0, segments: 0 };
    return { ...none, ...this.#batches.stats, spare: 'none', noSpace: undefined, stalled: undefined, spareIsLate: false };
  }

  append(record: Uint8Array): Lsn {
    this.#refuseWhenStopped();
    if (record.byteLength > this.recordBytesMax) {
      throw new RecordTooLargeError(`a record of ${record.byteLength} bytes exceeds the maximum of ${this.recordBytesMax}`);
    }
    return this.#add(Buffer.from(record));
  }

  async prepare(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord> {
    this.#refuseWhenStopped();
    if (byteLength > this.preparedBytesMax) {
      throw new RecordTooLargeError(`a record of ${byteLength} bytes exceeds the maximum of ${this.preparedBytesMax}`);
    }
    const turn = this.#preparedDone;
    const over = new Deferred<void>();
    this.#preparedDone = over.promise;
    await turn;
    try {
      this.#refuseWhenStopped();
      const record = Buffer.alloc(byteLength);
      await fill(record);
      this.#refuseWhenStopped();
      this.#prepared = { byteLength, record, over };
      return this.#prepared;
    } catch (error) {
      over.resolve();
      throw error;
    }
  }

  commitPrepared(prepared: PreparedRecord): Lsn {
    this.#refuseWhenStopped();
    const made = this.#prepared;
    if (made === undefined || made !== prepared)
      throw new Error('the large record was committed or aborted already, or another one was prepared');
    this.#prepared = undefined;
    made.over.resolve();
    return this.#add(made.record);
  }

  abort(prepared: PreparedRecord): void {
    const made = this.#prepared;
    if (made === undefined || made !== prepared) return;
    this.#prepared = undefined;
    made.over.resolve();
  }

  durable(lsn: Lsn): Promise<void> | undefined {
    if (lsn <= this.#durableLsn) return undefined;
    if (lsn >= this.nextLsn) throw new RangeError(`record ${lsn} was never appended; the next is ${this.nextLsn}`);
    return this.#turn?.promise;
  }

  async seal(): Promise<Lsn> {
    this.#refuseWhenStopped();
    const upTo = this.nextLsn - 1;
    await this.durable(upTo);
    this.#sealedLsn = Math.max(this.#sealedLsn, upTo);
    return this.#sealedLsn;
  }

  async trim(lsn: Lsn): Promise<readonly never[]> {
    this.#refuseWhenStopped();
    this.#log.trim(Math.min(lsn, this.#sealedLsn));
    return [];
  }

  async close(): Promise<void> {
    this.#stopped ??= new StoppedError('the journal is closed');
    await this.#turn?.promise;
  }

  #add(record: Buffer): Lsn {
    const lsn = this.#log.add(record);
    this.#turnBytes += record.byteLength;
    if (this.#turn === undefined) {
      this.#turn = new Deferred<void>();
      setImmediate(() => this.#endTurn());
    }
    return lsn;
  }

  #endTurn(): void {
    const turn = this.#turn;
    const [first, bytes] = [this.#durableLsn + 1, this.#turnBytes];
    this.#turn = undefined;
    this.#turnBytes = 0;
    this.#durableLsn = this.nextLsn - 1;
    turn?.resolve();
    this.#batches.written(first, this.nextLsn - first, bytes, undefined);
  }

  #refuseWhenStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
  }
}

/**
 * The write-ahead log: the local {@link Journal}, a folder of segments. Admits records, and resolves the waits for them.
 *
 * A record that is too large for a segment is first written into a separate one (large-record-writer.ts); its append is then only a rotation.
 *
 * Opening the log is three steps, so that the caller can choose a snapshot in between:
 *
 *     recoverWal   reads the folder above a snapshot, delivers the records, changes nothing; throws if the log is damaged
 *     repairTail   repairs the tail on disk
 *     openWal      starts the threads
 *
 * What is written when is decided in group-commit.ts, with the states of the log.
 */
import { BusyError, RecordTooLargeError, type StoppedError } from '../../../lib/errors.ts';
import type { Undeleted } from '../../../lib/files/files.ts';
import { InvariantError } from '../../../lib/invariant.ts';
import type { Log } from '../../../lib/observability/logger.ts';
import { frameBytes, recordLengthBytes } from '../format/frame.ts';
import { largeRecordBytesMax, recordBytesMax, type SealedSegment } from '../format/segment.ts';
import type { Journal, Lsn, PreparedRecord } from '../journal.ts';
import type { Tail } from '../tail.ts';
import { GroupCommit } from './group-commit.ts';
import { LargeRecordWriter } from './large-record-writer.ts';
import { Queue } from './queue.ts';
import { Segments } from './segments.ts';
import { StallGuard, type StallLimits } from './stall-watch.ts';
import { CommitMetrics, type WalStats } from './wal-stats.ts';
import { WalThreads, type WalWorker } from './wal-worker.ts';

export interface WalOptions {
  /** Called once, when the log can acknowledge nothing more. The process should end: all acknowledged records survive a restart. */
  readonly onFatal: (error: Error) => void;
  readonly log?: Log;
  /** Called with the newest durable LSN, once for all records that became durable with one sync. */
  readonly onDurable?: (lsn: Lsn) => void;
  /** Time that the disk may take before new writes and waits are rejected; no limit by default. */
  readonly stall?: StallLimits;
  /** Does the work on files; threads by default. */
  readonly worker?: WalWorker;
  /**
   * Asked by every {@link Journal.durable}: whether this process may still answer from its memory. `undefined`: it may. Otherwise the wait lasts
   * until the promise resolves.
   */
  readonly gate?: () => Promise<void> | undefined;
}

export class Wal implements Journal {
  readonly lineage: string;
  readonly recordBytesMax: number;
  readonly preparedBytesMax = largeRecordBytesMax;
  readonly #options: WalOptions;
  readonly #worker: WalWorker;
  readonly #queue: Queue;
  readonly #segments: Segments;
  readonly #largeRecords: LargeRecordWriter;
  readonly #stalls: StallGuard;
  readonly #metrics: CommitMetrics;
  readonly #commit: GroupCommit;
  #closed: Promise<void> | undefined;

  constructor(tail: Tail, options: WalOptions) {
    this.lineage = tail.lineage;
    this.recordBytesMax = recordBytesMax(tail.segmentBytes);
    this.#options = options;
    const worker = options.worker ?? new WalThreads();
    const queue = new Queue(recordLengthBytes + this.recordBytesMax, tail.nextLsn);
    const onDue = () => this.#commit.pump();
    const onFatal = (error: Error) => this.fail(error);
    const segments = new Segments({ worker, tail, onDue, onFatal });
    const largeRecords = new LargeRecordWriter({ worker, tail, onDue, onWork: () => this.#stalls.start() });
    const stalls = new StallGuard(options.stall, [() => this.#commit.op, () => largeRecords.progress], [queue, largeRecords]);
    const metrics = new CommitMetrics(tail.lineage, options.onDurable);
    this.#worker = worker;
    this.#queue = queue;
    this.#segments = segments;
    this.#largeRecords = largeRecords;
    this.#stalls = stalls;
    this.#metrics = metrics;
    this.#commit = new GroupCommit(tail, { worker, queue, segments, largeRecords, stalls, metrics, onFailure: onFatal });
    stalls.start();
    worker.start(tail, queue.shared, { report: (report) => this.#commit.onReport(report), failure: onFatal });
    segments.start();
  }

  get nextLsn(): Lsn {
    return this.#commit.nextLsn;
  }

  get durableLsn(): Lsn {
    return this.#commit.durableLsn;
  }

  /** Segments that are never written again, oldest first. */
  get sealed(): readonly SealedSegment[] {
    return this.#segments.sealed;
  }

  /** Why the next segment cannot be created; `undefined` if it can. */
  get noSpace(): string | undefined {
    return this.#segments.noSpace;
  }

  get stats(): WalStats {
    return {
      queueBytes: this.#queue.bytes,
      ...this.#metrics.stats,
      ...this.#commit.stats,
      ...this.#segments.stats,
      stalled: this.#stalled,
    };
  }

  /** Resolves when the log accepts records and has a spare, or when waiting for one is pointless. Rejects when the log has stopped. */
  async whenReady(): Promise<void> {
    await this.#segments.whenReady;
    if (this.#commit.stopped !== undefined) throw this.#commit.stopped;
  }

  get #stalled(): WalStats['stalled'] {
    const { stalled } = this.#stalls;
    if (stalled === undefined) return undefined;
    const { ms, medium, thread } = stalled;
    return { ms, medium, segment: (thread === 0 ? this.#segments : this.#largeRecords).path };
  }

  append(record: Uint8Array): Lsn {
    this.#refuseUnlessRunning();
    const { byteLength } = record;
    if (byteLength > this.recordBytesMax) {
      throw new RecordTooLargeError(`the record has ${byteLength} bytes; the limit of a segment is ${this.recordBytesMax}`);
    }
    if (!this.#queue.fits(byteLength)) throw new BusyError(`${this.#queue.bytes} bytes are waiting for the disk`);
    const lsn = this.#commit.nextLsn;
    try {
      this.#segments.reserve(lsn, frameBytes(recordLengthBytes + byteLength));
      this.#queue.push(lsn, record);
    } catch (error) {
      if (error instanceof InvariantError) this.fail(error);
      throw error;
    }
    this.#commit.appended();
    return lsn;
  }

  async prepare(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord> {
    this.#refuseUnlessRunning();
    const making = this.#largeRecords.make(byteLength, fill);
    try {
      return await this.#stalls.unlessStalled(making);
    } catch (error) {
      // Disk work in progress cannot be cancelled: the record is aborted as soon as it is prepared.
      making.then(
        (prepared) => this.abort(prepared),
        () => undefined,
      );
      throw error;
    }
  }

  commitPrepared(prepared: PreparedRecord): Lsn {
    this.#refuseUnlessRunning();
    this.#segments.refuseUnlessLargeFits();
    const lsn = this.#commit.nextLsn;
    this.#largeRecords.append(prepared, lsn);
    this.#segments.space.sealBefore(lsn);
    this.#commit.appended();
    return lsn;
  }

  #refuseUnlessRunning(): void {
    if (this.#commit.stopped !== undefined) throw this.#commit.stopped;
    this.#stalls.refuse();
  }

  abort(prepared: PreparedRecord): void {
    this.#largeRecords.abort(prepared);
  }

  durable(lsn: Lsn): Promise<void> | undefined {
    const { gate } = this.#options;
    const { durableLsn, nextLsn } = this.#commit;
    if (lsn <= durableLsn) return gate?.();
    if (lsn >= nextLsn) throw new RangeError(`record ${lsn} was never appended; the next is ${nextLsn}`);
    if (this.#commit.hasFailed) return Promise.reject(this.#commit.stopped);
    const written = lsn === this.#largeRecords.lsn ? this.#largeRecords.wait() : this.#queue.wait(lsn);
    return gate === undefined ? written : written.then(gate);
  }

  async seal(): Promise<Lsn> {
    if (this.#commit.stopped !== undefined) throw this.#commit.stopped;
    const upTo = this.#commit.nextLsn - 1;
    const { sealedLsn } = this.#segments;
    if (upTo <= sealedLsn) return sealedLsn;
    const done = this.#segments.seal(upTo);
    this.#commit.schedule();
    return done;
  }

  async trim(lsn: Lsn): Promise<readonly Undeleted[]> {
    if (this.#commit.stopped !== undefined) throw this.#commit.stopped;
    return this.#segments.trim(lsn);
  }

  /** Stops the log, so that nothing is acknowledged any more: after an error of the flusher, or of the folder found elsewhere. */
  fail(error: Error): void {
    const stopped = this.#commit.fail(error);
    if (stopped === undefined) return;
    this.#stalls.stop();
    this.#queue.fail(stopped);
    this.#largeRecords.fail(stopped);
    this.#segments.fail(stopped);
    this.close().catch(() => undefined);
    this.#options.onFatal(error);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#commit.drain();
    await this.#segments.stop();
    await this.#largeRecords.stop(this.#commit.stopped as StoppedError);
    await this.#worker.close();
    this.#stalls.stop();
    this.#commit.closed();
  }
}

/**
 * Opens the log for writing, where {@link repairTail} left it. Resolves when the spare is ready, or when it is clear that it cannot be
 * created or that the disk does not respond.
 */
export async function openWal(tail: Tail, options: WalOptions): Promise<Wal> {
  const wal = new Wal(tail, options);
  await wal.whenReady();
  return wal;
}

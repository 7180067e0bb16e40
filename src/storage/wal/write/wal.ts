/**
 * The write-ahead log: the local {@link Journal}, a folder of segments.
 *
 *     append -> queue -> flusher's thread: frame, write, fdatasync -> report -> durable
 *                 ^                                                     |
 *                 '-- records that arrived meanwhile: next frame <------'
 *
 * Group commit needs no timer. A flush starts at the end of the turn in which the first record arrived, so that all requests of
 * one poll share it. Records that arrive during a flush gather for the next one, which starts immediately after it.
 *
 * A record that is too large for a segment is first written into a separate one (large-record-writer.ts); its append is then only a rotation.
 *
 * Opening the log is three steps, so that the caller can choose a snapshot in between:
 *
 *     recoverWal   reads the folder above a snapshot, delivers the records, changes nothing; throws if the log is damaged
 *     repairTail   repairs the tail on disk
 *     openWal      starts the threads
 *
 * {@link Wal} chooses the flusher's next op, one at a time ({@link Wal.#nextOp} is the order), and resolves the waits for it:
 *
 *     starting -> running -> closing -> closed
 *         '----------'----------'-----> failed      by any error of the flusher or a broken invariant: nothing is acknowledged any more
 *
 * {@link walTransitions} is the whole table.
 */
import { Deferred } from '../../../lib/async/deferred.ts';
import { BusyError, RecordTooLargeError, StalledError, StoppedError } from '../../../lib/errors.ts';
import type { Undeleted } from '../../../lib/files/files.ts';
import { InvariantError, invariant, type Transitions, transition } from '../../../lib/invariant.ts';
import type { Log } from '../../../lib/observability/logger.ts';
import { frameAlignBytes, frameBytes, recordLengthBytes } from '../format/frame.ts';
import {
  framesEnd,
  largeRecordBytesMax,
  recordBytesMax,
  type SealedSegment,
  segmentHeaderBytes,
  segmentPath,
} from '../format/segment.ts';
import type { Journal, Lsn, PreparedRecord } from '../journal.ts';
import type { Tail, TailSegment } from '../tail.ts';
import type { NextSegment, Op, Report } from './flusher.ts';
import { IdleWork } from './idle-work.ts';
import { LargeRecordWriter } from './large-record-writer.ts';
import { newSalt } from './preallocate.ts';
import { Queue } from './queue.ts';
import { SealedList } from './sealed-list.ts';
import { SegmentPreallocator } from './segment-preallocator.ts';
import { SpaceReservation } from './space-reservation.ts';
import { type StallLimits, StallWatch } from './stall-watch.ts';
import { CommitMetrics, type WalStats } from './wal-stats.ts';
import { WalThreads, type WalWorker } from './wal-worker.ts';

type State = 'starting' | 'running' | 'closing' | 'closed' | 'failed';

/** `started`: the flusher runs. `close`: the owner closes the log. `closed`: the threads have ended. */
type Event = 'started' | 'close' | 'closed' | 'fail';

// biome-ignore format: a table
export const walTransitions: Transitions<State, Event> = {
  starting: { started: 'running', close: 'closing', fail: 'failed' },
  running:  { close: 'closing', fail: 'failed' },
  closing:  { started: 'closing', closed: 'closed', fail: 'failed' },
  closed:   { fail: 'closed' },
  failed:   { started: 'failed', close: 'failed', closed: 'failed', fail: 'failed' },
};

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
  readonly #tail: Tail;
  readonly #options: WalOptions;
  readonly #worker: WalWorker;
  readonly #queue: Queue;
  readonly #reservation: SpaceReservation;
  readonly #spares: SegmentPreallocator;
  readonly #largeRecords: LargeRecordWriter;
  readonly #seals = new SealWaiters();
  readonly #idleWork: IdleWork;
  readonly #stallWatch: StallWatch | undefined;
  /** Callers of {@link prepare} that wait. */
  readonly #preparing = new Set<Deferred<PreparedRecord>>();
  #state: State = 'starting';
  #segment: Pick<TailSegment, 'firstLsn' | 'bytes' | 'salt' | 'state'>;
  readonly #sealed: SealedList;
  #nextLsn: Lsn;
  #durableLsn: Lsn;
  /** The op in progress. */
  #op: Op | 'start' | undefined = 'start';
  #scheduled = false;
  /** The spare is made, but the flusher has not opened it yet: nothing may be reserved in it. */
  #openDue = false;
  #report: Report = { offset: 0, frames: 0, bytes: 0, syncs: 0, syncMs: 0 };
  readonly #metrics: CommitMetrics;
  /** Whether {@link whenReady} was resolved. */
  #opened = false;
  readonly #whenReady = new Deferred<void>();
  #stopped: StoppedError | undefined;
  #closed: Promise<void> | undefined;
  readonly #drained = new Deferred<void>();

  constructor(tail: Tail, options: WalOptions) {
    const { nextLsn, segment, segmentBytes } = tail;
    this.lineage = tail.lineage;
    this.#metrics = new CommitMetrics(tail.lineage, options.onDurable);
    this.#tail = tail;
    this.#options = options;
    this.#segment = segment;
    this.#sealed = new SealedList(tail.sealed);
    this.#nextLsn = nextLsn;
    this.#durableLsn = nextLsn - 1;
    this.recordBytesMax = recordBytesMax(segmentBytes);
    this.#queue = new Queue(recordLengthBytes + this.recordBytesMax, nextLsn);
    this.#reservation = new SpaceReservation(segment.state === 'open' ? framesEnd(segment.bytes) - segment.offset : 0);
    this.#worker = options.worker ?? new WalThreads();
    this.#spares = new SegmentPreallocator({
      worker: this.#worker,
      onChange: () => this.#onSpare(),
      onFatal: (error) => this.#fail(error),
    });
    this.#largeRecords = new LargeRecordWriter({
      worker: this.#worker,
      tail,
      onDue: () => this.#pump(),
      onWork: () => this.#stallWatch?.start(),
    });
    this.#idleWork = new IdleWork(tail.sync, () => this.#pump());
    const { stall } = options;
    this.#stallWatch =
      stall &&
      new StallWatch({
        ...stall,
        ops: [() => this.#op, () => this.#largeRecords.progress],
        isAwaited: () => this.#queue.isAwaited || this.#largeRecords.isAwaited,
        onTick: (ticksMax) => {
          const late = () => new StalledError('unconfirmed', stall.writeTimeoutMs, stall.medium?.());
          this.#queue.tick(ticksMax, late);
          this.#largeRecords.tick(ticksMax, late);
          const stalledMs = this.#stallWatch?.stalledMs;
          if (stalledMs !== undefined)
            for (const { reject } of this.#preparing) reject(new StalledError('refused', stalledMs, stall.medium?.()));
        },
      });
    this.#stallWatch?.start();
    this.#worker.start(tail, this.#queue.shared, {
      report: (report) => this.#onReport(report),
      failure: (error) => this.#fail(error),
    });
    const { folder, spare } = tail;
    if (spare === undefined) this.#orderSpare();
    else this.#spares.found({ folder, header: spare });
  }

  get nextLsn(): Lsn {
    return this.#nextLsn;
  }

  get durableLsn(): Lsn {
    return this.#durableLsn;
  }

  /** Segments that are never written again, oldest first. */
  get sealed(): readonly SealedSegment[] {
    return this.#sealed.segments;
  }

  /** Why the next segment cannot be created; `undefined` if it can. */
  get noSpace(): string | undefined {
    return this.#spares.failing ? this.#spares.reason : undefined;
  }

  get stats(): WalStats {
    const { frames, bytes, syncs } = this.#report;
    return {
      queueBytes: this.#queue.bytes,
      ...this.#metrics.stats,
      frames,
      bytes,
      syncs,
      segments: this.sealed.length + 1,
      spare: this.#openDue ? 'making' : this.#spares.state,
      noSpace: this.noSpace,
      stalled: this.#stalled,
      spareIsLate: this.#spares.late,
    };
  }

  /** Resolves when the log accepts records and has a spare, or when waiting for one is pointless. Rejects when the log has stopped. */
  async whenReady(): Promise<void> {
    await this.#whenReady.promise;
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  get #stalled(): WalStats['stalled'] {
    const ms = this.#stallWatch?.stalledMs;
    if (ms === undefined) return undefined;
    return {
      ms,
      medium: this.#options.stall?.medium?.() ?? 'disk',
      segment: this.#op === undefined ? this.#largeRecords.path : segmentPath(this.#tail.folder, this.#segment.firstLsn),
    };
  }

  append(record: Uint8Array): Lsn {
    this.#refuseUnlessRunning();
    const { byteLength } = record;
    if (byteLength > this.recordBytesMax) {
      throw new RecordTooLargeError(`the record has ${byteLength} bytes; the limit of a segment is ${this.recordBytesMax}`);
    }
    if (!this.#queue.fits(byteLength)) throw new BusyError(`${this.#queue.bytes} bytes are waiting for the disk`);
    const lsn = this.#nextLsn;
    try {
      if (!this.#reservation.reserve(lsn, frameBytes(recordLengthBytes + byteLength))) throw this.#spares.refusal();
      this.#queue.push(lsn, record);
    } catch (error) {
      if (error instanceof InvariantError) this.#fail(error);
      throw error;
    }
    this.#nextLsn += 1;
    this.#schedule();
    return lsn;
  }

  async prepare(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord> {
    this.#refuseUnlessRunning();
    const stalled = new Deferred<PreparedRecord>();
    this.#preparing.add(stalled);
    const making = this.#largeRecords.make(byteLength, fill);
    try {
      return await Promise.race([making, stalled.promise]);
    } catch (error) {
      // Disk work in progress cannot be cancelled: the record is aborted as soon as it is prepared.
      making.then(
        (prepared) => this.abort(prepared),
        () => undefined,
      );
      throw error;
    } finally {
      this.#preparing.delete(stalled);
    }
  }

  commitPrepared(prepared: PreparedRecord): Lsn {
    this.#refuseUnlessRunning();
    if (this.#segment.state === 'stale' || !this.#reservation.admitsLarge) throw this.#spares.refusal();
    const lsn = this.#nextLsn;
    this.#largeRecords.append(prepared, lsn);
    this.#reservation.sealBefore(lsn);
    this.#nextLsn += 1;
    this.#schedule();
    return lsn;
  }

  /** Rejects a record that would only wait for a disk that does not respond, so that its client knows that nothing changed. */
  #refuseUnlessRunning(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    const stalledMs = this.#stallWatch?.stalledMs;
    if (stalledMs !== undefined) throw new StalledError('refused', stalledMs, this.#options.stall?.medium?.());
  }

  abort(prepared: PreparedRecord): void {
    this.#largeRecords.abort(prepared);
  }

  durable(lsn: Lsn): Promise<void> | undefined {
    const { gate } = this.#options;
    if (lsn <= this.#durableLsn) return gate?.();
    if (lsn >= this.#nextLsn) throw new RangeError(`record ${lsn} was never appended; the next is ${this.#nextLsn}`);
    if (this.#state === 'failed') return Promise.reject(this.#stopped);
    const written = lsn === this.#largeRecords.lsn ? this.#largeRecords.wait() : this.#queue.wait(lsn);
    return gate === undefined ? written : written.then(gate);
  }

  async seal(): Promise<Lsn> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const upTo = this.#nextLsn - 1;
    const sealed = this.#segment.firstLsn - 1;
    if (upTo <= sealed) return sealed;
    this.#spares.retryNow();
    if (this.#spares.isUnavailable) throw this.#spares.unavailableError();
    const done = this.#seals.wait(upTo);
    this.#schedule();
    return done;
  }

  async trim(lsn: Lsn): Promise<readonly Undeleted[]> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const { length } = this.sealed;
    const undeleted = await this.#sealed.trim(lsn, this.#worker);
    if (this.sealed.length < length) this.#spares.retry();
    return undeleted;
  }

  /** Stops the log as if the flusher had failed: nothing is acknowledged any more. For errors of the folder found elsewhere. */
  fail(error: Error): void {
    this.#fail(error);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#on('close');
    if (this.#state === 'closing') {
      this.#stopped = new StoppedError('the journal is closed');
      this.#pump();
      await this.#drained.promise;
    }
    this.#idleWork.stop();
    await this.#spares.stop();
    await this.#largeRecords.stop(this.#stopped as StoppedError);
    await this.#worker.close();
    this.#stallWatch?.stop();
    this.#on('closed');
    // The log may have failed while it was closing.
    if (this.#state !== 'closed') throw this.#stopped;
  }

  #on(event: Event): void {
    this.#state = transition(walTransitions, this.#state, event);
  }

  /** Pumps after this turn of the event loop, so that all records of the turn share one frame. */
  #schedule(): void {
    if (this.#scheduled || this.#op !== undefined) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#op !== undefined || this.#state === 'failed' || this.#state === 'closed') return;
    try {
      this.#op = this.#nextOp();
      if (this.#op !== undefined) this.#stallWatch?.start();
      if (this.#op === undefined) this.#idleWork.rest();
      else if (this.#op.kind === 'stop') this.#stop();
      else this.#worker.send(this.#op);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** The flusher's next op. Records come first, in the current segment while they are allowed there and fit. */
  #nextOp(): Op | undefined {
    const closing = this.#state === 'closing';
    if (this.#openDue && !closing) return { kind: 'openNext', segment: 'spare' };
    const { op } = this.#largeRecords;
    if (op?.kind === 'commitLarge') this.#reservation.use(frameBytes(op.bytes));
    if (op !== undefined && !(closing && op.kind === 'openNext')) return op;
    if (this.#segment.state !== 'open') {
      if (this.#reservation.hasSpare && this.#mustRotate(closing)) return this.#rotation();
      return closing ? { kind: 'stop' } : undefined;
    }
    if (this.#idleWork.syncDue()) return { kind: 'sync' };
    if (this.#seals.any && this.#reservation.hasSpare && !this.#reservation.usesSpare)
      this.#reservation.sealBefore(this.#nextLsn);
    const range = this.#queue.take(this.#reservation.currentFree, this.#reservation.fence, (lsn, bytes) =>
      this.#reservation.release(lsn, bytes),
    );
    if (range !== undefined) {
      this.#reservation.use(frameBytes(range.bytes));
      return { kind: 'flush', ...range };
    }
    if (this.#awaitsNextSegment) return this.#rotation();
    if (this.#idleWork.markDue(closing, this.#reservation.currentFree)) {
      this.#reservation.use(frameAlignBytes);
      return { kind: 'mark' };
    }
    return closing ? { kind: 'stop' } : undefined;
  }

  /** Whether a record waits for the next segment, or a large one for its own. */
  get #awaitsNextSegment(): boolean {
    return this.#queue.waiting || this.#reservation.fence < Number.POSITIVE_INFINITY;
  }

  /**
   * Whether a segment that takes no records is to be left now. A closed one stays until a record or a seal needs the next: a start that is
   * followed by no write changes nothing, and uses up no spare.
   */
  #mustRotate(closing: boolean): boolean {
    return this.#awaitsNextSegment || (!closing && (this.#seals.any || this.#segment.state === 'stale'));
  }

  /** Whether the current segment holds no record. */
  get #isEmpty(): boolean {
    return this.#durableLsn < this.#segment.firstLsn;
  }

  #rotation(): Op {
    const { rotation } = this.#largeRecords;
    // A segment that replaces an empty one gets its salt: the seal before names it.
    if (rotation !== undefined) return this.#isEmpty ? { ...rotation, salt: this.#segment.salt } : rotation;
    const { salt, segmentBytes } = this.#spares.take().header;
    return { kind: 'rotate', salt, segmentBytes, to: 'spare' };
  }

  #stop(): void {
    this.#seals.reject(this.#stopped as StoppedError);
    void this.#worker.stop().then(() => this.#drained.resolve());
  }

  #onReport(report: Report): void {
    if (this.#state === 'failed') return;
    try {
      this.#handleReport(report);
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#pump();
  }

  #handleReport(report: Report): void {
    const op = this.#op;
    invariant(op !== undefined, 'a report follows an op; the flusher is at byte {}', report.offset);
    this.#op = undefined;
    if (op !== 'start' && op.kind !== 'rotate') this.#assertOffsets(report);
    const synced = report.syncs > this.#report.syncs;
    this.#report = report;
    if (op === 'start') {
      this.#on('started');
      this.#idleWork.start();
    } else if (op.kind === 'openNext') this.#onOpened(op.segment, report.openError);
    else if (op.kind === 'abortLarge') this.#largeRecords.segmentClosed();
    else {
      this.#idleWork.done(op.kind);
      if (op.kind === 'flush') this.#onWritten(op.count, op.bytes, synced);
      else if (op.kind === 'commitLarge') {
        this.#queue.skip();
        this.#onWritten(1, op.bytes, synced);
        this.#largeRecords.committed();
      } else if (op.kind === 'rotate') this.#onRotate(op);
    }
    if (op === 'start' || op.kind === 'rotate') this.#assertOffsets(report);
  }

  /** Asserts that flusher and reservation agree. Checked before anything is acknowledged; a rotation first moves both. */
  #assertOffsets(report: Report): void {
    if (this.#segment.state === 'open') {
      const free = framesEnd(this.#segment.bytes) - report.offset;
      invariant(
        free === this.#reservation.currentFree,
        'at byte {} of its segment the flusher has {} bytes left; {} are reserved',
        report.offset,
        free,
        this.#reservation.currentFree,
      );
    }
  }

  /** The next `count` records were written, and synced if the mode asks for it: resolves the waits for them. */
  #onWritten(count: number, bytes: number, synced: boolean): void {
    this.#durableLsn += count;
    invariant(
      count > 0 && this.#durableLsn < this.#nextLsn,
      'record {} was appended before it became durable; the next is {}',
      this.#durableLsn,
      this.#nextLsn,
    );
    this.#queue.written();
    if (this.#reservation.currentFree < this.#segment.bytes / 2) this.#spares.disablePauses();
    this.#metrics.written(this.#durableLsn - count + 1, count, bytes, synced ? this.#report.syncMs : undefined);
  }

  #onRotate({ salt, segmentBytes, to }: Op & { kind: 'rotate' }): void {
    const { firstLsn, bytes: sealedBytes } = this.#segment;
    const path = segmentPath(this.#tail.folder, firstLsn);
    // A rotation starts only after all records of the old segment are written.
    const lastLsn = this.#durableLsn;
    if (!this.#isEmpty) {
      this.#sealed.add({ firstLsn, lastLsn, bytes: sealedBytes, path });
      this.#metrics.sealed(firstLsn, lastLsn, sealedBytes);
    }
    this.#segment = { firstLsn: lastLsn + 1, bytes: segmentBytes, salt, state: 'open' };
    if (to === 'large') {
      this.#reservation.rotateToLarge(framesEnd(segmentBytes) - segmentHeaderBytes);
      this.#largeRecords.rotated();
    } else {
      this.#reservation.rotate();
      this.#orderSpare();
    }
    this.#seals.resolve(lastLsn);
  }

  #ready(): void {
    this.#opened = true;
    this.#whenReady.resolve();
  }

  #orderSpare(): void {
    const { folder, segmentBytes, lineage, sync } = this.#tail;
    // A spare that replaces a stale segment keeps its salt: the seal before names it.
    const salt = this.#segment.state === 'stale' ? this.#segment.salt : newSalt();
    this.#spares.order({ folder, header: { segmentBytes, lineage, salt, sync, createdMs: Date.now() } });
    if (this.#seals.any || this.#segment.state !== 'open' || !this.#opened) this.#spares.disablePauses();
  }

  #onSpare(): void {
    if (this.#spares.state === 'ready') {
      this.#openDue = true;
      this.#pump();
      return;
    }
    this.#seals.reject(this.#spares.unavailableError());
    this.#ready();
  }

  #onOpened(segment: NextSegment, openError: string | undefined): void {
    if (segment === 'large') {
      this.#largeRecords.opened(openError);
      return;
    }
    this.#openDue = false;
    if (openError !== undefined) {
      this.#spares.fail(openError);
      return;
    }
    this.#reservation.addSpare(framesEnd(this.#tail.segmentBytes) - segmentHeaderBytes);
    if (this.#segment.state !== 'stale') this.#ready();
  }

  #fail(error: Error): void {
    const before = this.#state;
    this.#on('fail');
    if (this.#state === before) return;
    this.#stallWatch?.stop();
    this.#stopped = new StoppedError(`the journal has stopped: ${error.message}`, { cause: error });
    this.#queue.fail(this.#stopped);
    this.#largeRecords.fail(this.#stopped);
    this.#seals.reject(this.#stopped);
    this.#ready();
    this.#drained.resolve();
    this.close().catch(() => undefined);
    this.#options.onFatal(error);
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

interface SealWaiter {
  readonly upTo: Lsn;
  readonly resolve: (sealed: Lsn) => void;
  readonly reject: (error: Error) => void;
}

/** Waits until all records up to an LSN are sealed. */
class SealWaiters {
  #waiters: SealWaiter[] = [];

  get any(): boolean {
    return this.#waiters.length > 0;
  }

  wait(upTo: Lsn): Promise<Lsn> {
    return new Promise((resolve, reject) => this.#waiters.push({ upTo, resolve, reject }));
  }

  /** Records up to LSN `sealed` are sealed. */
  resolve(sealed: Lsn): void {
    const done = this.#waiters.filter((waiter) => waiter.upTo <= sealed);
    this.#waiters = this.#waiters.filter((waiter) => waiter.upTo > sealed);
    for (const waiter of done) waiter.resolve(sealed);
  }

  reject(error: Error): void {
    const all = this.#waiters;
    this.#waiters = [];
    for (const waiter of all) waiter.reject(error);
  }
}

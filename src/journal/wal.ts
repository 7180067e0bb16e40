/**
 * The write-ahead log: the local {@link Journal}, a folder of segments.
 *
 *     append -> queue -> flusher's thread: frame, write, fdatasync -> report -> durable
 *                 ^                                                     |
 *                 '-- what arrives meanwhile is the next frame  <-------'
 *
 * Group commit needs no timer. A flush starts at the end of the turn in which the first record arrived, so that all requests of
 * one poll share it; while it is under way everything else gathers for the next, which starts at once.
 *
 * This class decides what the flusher does next, one op at a time ({@link Wal.#nextOp} is the order), and what waits for it:
 *
 *     starting -> running -> closing -> closed
 *         '----------'----------'-----> failed      by any error of the flusher: nothing is acknowledged any more
 */
import { Durations } from '../lib/durations.ts';
import { BusyError, NoSpaceError, RecordTooLargeError, StoppedError } from '../lib/errors.ts';
import { type Crew, ThreadCrew } from './crew.ts';
import type { Op, Report } from './flusher.ts';
import { frameAlignBytes, frameBytes, recordLengthBytes } from './frame.ts';
import type { Journal, Lsn } from './journal.ts';
import { newSalt } from './make-spare.ts';
import { Queue } from './queue.ts';
import { Room } from './room.ts';
import { SealWaiters } from './seal-waiters.ts';
import { framesEnd, recordBytesMax, type SealedSegment, segmentHeaderBytes, segmentPath } from './segment.ts';
import type { Tail, TailSegment } from './settle.ts';
import { SpareKeeper } from './spare-keeper.ts';
import { Upkeep } from './upkeep.ts';
import type { WalOptions, WalStats } from './wal-options.ts';

/**
 * What the disk may hold this thread up for, in milliseconds. When it took longer, the other thread does all work for so many times as long:
 * a disk that stalls holds nobody up for more than a thousandth of the time.
 */
const heldUpMaxMs = 1;
const restTimes = 1000;

type State = 'starting' | 'running' | 'closing' | 'closed' | 'failed';

export class Wal implements Journal {
  readonly lineage: string;
  readonly recordBytesMax: number;
  readonly #tail: Tail;
  readonly #options: WalOptions;
  readonly #crew: Crew;
  readonly #queue: Queue;
  readonly #room: Room;
  readonly #spares: SpareKeeper;
  readonly #seals = new SealWaiters();
  readonly #upkeep: Upkeep;
  #state: State = 'starting';
  #segment: Pick<TailSegment, 'firstLsn' | 'bytes' | 'salt' | 'state'>;
  #sealed: readonly SealedSegment[];
  #nextLsn: Lsn;
  #durableLsn: Lsn;
  /** What the flusher is doing. */
  #op: Op | 'start' | undefined = 'start';
  #scheduled = false;
  /** Until then nothing is written in this thread: the disk was slow. */
  #slowUntil = 0;
  /** The spare is made, and the flusher has not opened it yet: nothing may be counted on it. */
  #prepareDue = false;
  #report: Report = { offset: 0, frames: 0, bytes: 0, syncs: 0, syncMs: 0 };
  #records = 0;
  readonly #batchSyncs = new Durations();
  /** Whether {@link whenReady} was resolved, and what resolves it. */
  #opened = false;
  #ready: () => void = () => undefined;
  readonly #whenReady: Promise<void>;
  #stopped: StoppedError | undefined;
  #closed: Promise<void> | undefined;
  #drained: () => void = () => undefined;

  constructor(tail: Tail, options: WalOptions) {
    const { nextLsn, segment, segmentBytes } = tail;
    this.lineage = tail.lineage;
    this.#tail = tail;
    this.#options = options;
    this.#segment = segment;
    this.#sealed = tail.sealed;
    this.#nextLsn = nextLsn;
    this.#durableLsn = nextLsn - 1;
    this.recordBytesMax = recordBytesMax(segmentBytes);
    this.#queue = new Queue(recordLengthBytes + this.recordBytesMax, nextLsn);
    this.#room = new Room(segment.state === 'open' ? framesEnd(segment.bytes) - segment.offset : 0);
    this.#crew = options.crew ?? new ThreadCrew();
    this.#spares = new SpareKeeper({ crew: this.#crew, onChange: () => this.#onSpare() });
    this.#upkeep = new Upkeep(tail.sync, () => this.#pump());
    this.#whenReady = new Promise((resolve) => {
      this.#ready = () => {
        this.#opened = true;
        resolve();
      };
    });
    this.#crew.start(tail, this.#queue.shared, {
      report: (report) => this.#onReport(report),
      failure: (error) => this.#fail(error),
    });
    this.#orderSpare();
  }

  get nextLsn(): Lsn {
    return this.#nextLsn;
  }

  get durableLsn(): Lsn {
    return this.#durableLsn;
  }

  /** Segments that are never written again, oldest first. */
  get sealed(): readonly SealedSegment[] {
    return this.#sealed;
  }

  get stats(): WalStats {
    const { frames, bytes, syncs } = this.#report;
    const spare = this.#prepareDue ? 'making' : this.#spares.state;
    return {
      queueBytes: this.#queue.bytes,
      records: this.#records,
      frames,
      bytes,
      syncs,
      batchSyncs: this.#batchSyncs,
      segments: this.#sealed.length + 1,
      spare,
      noSpace: this.#spares.failing ? this.#spares.reason : undefined,
    };
  }

  /** Resolves when records can be appended and a spare is there, or when making one has failed. Rejects when the log has stopped. */
  async whenReady(): Promise<void> {
    await this.#whenReady;
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  append(record: Uint8Array): Lsn {
    if (this.#stopped !== undefined) throw this.#stopped;
    const { byteLength } = record;
    if (byteLength > this.recordBytesMax) {
      throw new RecordTooLargeError(`a record of ${byteLength} bytes; a segment holds ${this.recordBytesMax}`);
    }
    if (!this.#queue.fits(byteLength)) throw new BusyError(`${this.#queue.bytes} bytes are waiting for the disk`);
    const lsn = this.#nextLsn;
    if (!this.#room.admit(lsn, frameBytes(recordLengthBytes + byteLength))) throw this.#refusal();
    this.#queue.push(lsn, record);
    this.#nextLsn += 1;
    this.#schedule();
    return lsn;
  }

  durable(lsn: Lsn): Promise<void> | undefined {
    if (lsn <= this.#durableLsn) return undefined;
    if (lsn >= this.#nextLsn) throw new RangeError(`record ${lsn} was never appended; the next is ${this.#nextLsn}`);
    if (this.#state === 'failed') return Promise.reject(this.#stopped);
    return this.#queue.wait(lsn);
  }

  async seal(): Promise<Lsn> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const upTo = this.#nextLsn - 1;
    const sealed = this.#segment.firstLsn - 1;
    if (upTo <= sealed) return sealed;
    this.#spares.demand();
    if (this.#spares.state === 'failed') throw this.#noSpace();
    const done = this.#seals.wait(upTo);
    this.#schedule();
    return done;
  }

  async trim(lsn: Lsn): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const paths = this.#sealed.filter((segment) => segment.lastLsn <= lsn).map((segment) => segment.path);
    if (paths.length === 0) return;
    try {
      const { removed, error } = await this.#crew.trim({ folder: this.#tail.folder, paths });
      this.#sealed = this.#sealed.filter((segment) => !removed.includes(segment.path));
      if (error !== undefined) this.#options.log?.warn({ error }, 'could not delete segments that a snapshot covers');
    } catch (error) {
      this.#options.log?.warn({ error: String(error) }, 'could not delete segments that a snapshot covers');
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#state !== 'failed') {
      this.#stopped = new StoppedError('the journal is closed');
      this.#state = 'closing';
      const drained = new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
      this.#pump();
      await drained;
    }
    this.#upkeep.stop();
    await this.#spares.stop();
    await this.#crew.close();
    if (this.#state === 'failed') throw this.#stopped;
    this.#state = 'closed';
  }

  /** Lets the turn end first, so that what arrives in it shares the frame. */
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
      if (this.#op === undefined) this.#upkeep.rest();
      else if (this.#op.kind === 'stop') this.#stop();
      else if (!this.#flushHere(this.#op)) this.#crew.send(this.#op);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** Writes records in this thread when only one waits for them, and the disk has been quick; `false`, and nothing done, otherwise. */
  #flushHere(op: Op): boolean {
    if (op.kind !== 'flush' || op.count !== 1 || this.#crew.flushHere === undefined || this.#options.alone?.() !== true)
      return false;
    const started = performance.now();
    if (started < this.#slowUntil) return false;
    const report = this.#crew.flushHere(op);
    if (report === undefined) return false;
    const ended = performance.now();
    if (ended - started > heldUpMaxMs) this.#slowUntil = ended + restTimes * (ended - started);
    this.#onReport(report);
    return true;
  }

  /** What the flusher is to do now. Records first, in the current segment as long as they may go there and fit. */
  #nextOp(): Op | undefined {
    const closing = this.#state === 'closing';
    if (this.#prepareDue && !closing) return { kind: 'prepare' };
    if (this.#segment.state !== 'open') {
      if (this.#room.hasSpare && !closing) return this.#rotation();
      return closing ? { kind: 'stop' } : undefined;
    }
    if (this.#upkeep.syncDue()) return { kind: 'sync' };
    if (this.#seals.any && this.#room.hasSpare && !this.#room.spilled) this.#room.pin(this.#nextLsn);
    const stretch = this.#queue.take(this.#room.currentFree, this.#room.fence, (lsn, bytes) => this.#room.release(lsn, bytes));
    if (stretch !== undefined) {
      this.#room.use(frameBytes(stretch.bytes));
      return { kind: 'flush', ...stretch };
    }
    if (this.#queue.waiting || this.#room.fence < Number.POSITIVE_INFINITY) return this.#rotation();
    if (this.#upkeep.markDue(closing, this.#room.currentFree)) {
      this.#room.use(frameAlignBytes);
      return { kind: 'mark' };
    }
    return closing ? { kind: 'stop' } : undefined;
  }

  #rotation(): Op {
    const { salt, segmentBytes } = this.#spares.take().header;
    return { kind: 'rotate', salt, segmentBytes };
  }

  #stop(): void {
    this.#seals.reject(this.#stopped as StoppedError);
    void this.#crew.stop().then(() => this.#drained());
  }

  #onReport(report: Report): void {
    if (this.#state === 'failed') return;
    const op = this.#op;
    this.#op = undefined;
    const { syncs } = this.#report;
    this.#report = report;
    if (op === 'start') this.#onStart();
    else if (op?.kind === 'prepare') this.#onPrepared(report.unprepared);
    else if (op !== undefined) this.#onDone(op, report.syncs > syncs);
    if (this.#segment.state === 'open' && framesEnd(this.#segment.bytes) - report.offset !== this.#room.currentFree) {
      this.#fail(new Error(`the flusher is at byte ${report.offset}, ${this.#room.currentFree} bytes were thought free`));
    }
    this.#pump();
  }

  #onDone(op: Op, synced: boolean): void {
    this.#upkeep.done(op.kind);
    if (op.kind === 'flush') {
      if (synced) this.#batchSyncs.observe(this.#report.syncMs / 1000);
      this.#onFlush(op.count);
    }
    if (op.kind === 'rotate') this.#onRotate(op.salt, op.segmentBytes);
  }

  #onStart(): void {
    if (this.#state === 'starting') this.#state = 'running';
    this.#upkeep.start();
  }

  #onFlush(count: number): void {
    this.#durableLsn += count;
    this.#records += count;
    this.#queue.written();
    if (this.#room.currentFree < this.#segment.bytes / 2) this.#spares.hurry();
  }

  #onRotate(salt: number, bytes: number): void {
    const { firstLsn, bytes: sealedBytes, state } = this.#segment;
    const { folder } = this.#tail;
    // A rotation comes when all that belongs into the old segment is written.
    const lastLsn = this.#durableLsn;
    if (state !== 'stale') {
      this.#sealed = [...this.#sealed, { firstLsn, lastLsn, bytes: sealedBytes, path: segmentPath(folder, firstLsn) }];
    }
    this.#segment = { firstLsn: lastLsn + 1, bytes, salt, state: 'open' };
    this.#room.rotate();
    this.#orderSpare();
    this.#seals.resolve(lastLsn);
  }

  #orderSpare(): void {
    const { folder, segmentBytes, lineage, sync } = this.#tail;
    // One that replaces a stale segment keeps the salt that the seal before it names.
    const salt = this.#segment.state === 'stale' ? this.#segment.salt : newSalt();
    this.#spares.order({ folder, header: { segmentBytes, lineage, salt, sync, createdMs: Date.now() } });
    if (this.#seals.any || this.#segment.state !== 'open' || !this.#opened) this.#spares.hurry();
  }

  #onSpare(): void {
    if (this.#spares.state === 'ready') {
      this.#prepareDue = true;
      this.#pump();
      return;
    }
    this.#seals.reject(this.#noSpace());
    this.#ready();
  }

  #onPrepared(unprepared: string | undefined): void {
    this.#prepareDue = false;
    if (unprepared !== undefined) {
      this.#spares.fail(unprepared);
      return;
    }
    this.#room.addSpare(framesEnd(this.#tail.segmentBytes) - segmentHeaderBytes);
    if (this.#segment.state === 'open') this.#ready();
  }

  #refusal(): Error {
    this.#spares.demand();
    return this.#spares.failing ? this.#noSpace() : new BusyError('the next segment is still being prepared');
  }

  #noSpace(): NoSpaceError {
    return new NoSpaceError(`there is no room for the next segment: ${this.#spares.reason}`);
  }

  #fail(error: Error): void {
    if (this.#state === 'failed' || this.#state === 'closed') return;
    this.#state = 'failed';
    this.#stopped = new StoppedError(`the journal has stopped: ${error.message}`, { cause: error });
    this.#queue.fail(this.#stopped);
    this.#seals.reject(this.#stopped);
    this.#ready();
    this.#drained();
    this.close().catch(() => undefined);
    this.#options.onFatal(error);
  }
}

/**
 * Group commit: sends the flusher one op at a time, chooses the next one ({@link GroupCommit.#nextOp} is the order), and acknowledges what
 * was written.
 *
 *     append -> queue -> flusher's thread: frame, write, fdatasync -> report -> durable
 *                 ^                                                     |
 *                 '-- records that arrived meanwhile: next frame <------'
 *
 * It needs no timer. A flush starts at the end of the turn in which the first record arrived, so that all requests of one poll share it.
 * Records that arrive during a flush gather for the next one, which starts immediately after it.
 *
 *     starting -> running -> closing -> closed
 *         '----------'----------'-----> failed      by any error of the flusher or a broken invariant: nothing is acknowledged any more
 *
 * {@link walTransitions} is the whole table.
 */
import { Deferred } from '../../../lib/async/deferred.ts';
import { StoppedError } from '../../../lib/errors.ts';
import { invariant, type Transitions, transition } from '../../../lib/invariant.ts';
import { frameAlignBytes, frameBytes } from '../format/frame.ts';
import type { Lsn } from '../journal.ts';
import type { Tail } from '../tail.ts';
import type { Op, Report } from './flusher.ts';
import { IdleWork } from './idle-work.ts';
import type { LargeRecordWriter } from './large-record-writer.ts';
import type { Queue } from './queue.ts';
import type { Segments } from './segments.ts';
import type { StallGuard } from './stall-watch.ts';
import type { CommitMetrics, WalStats } from './wal-stats.ts';
import type { WalWorker } from './wal-worker.ts';

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

interface GroupCommitParts {
  readonly worker: WalWorker;
  readonly queue: Queue;
  readonly segments: Segments;
  readonly largeRecords: LargeRecordWriter;
  readonly stalls: StallGuard;
  readonly metrics: CommitMetrics;
  /** Called with an error that an op or its report caused. The callee calls {@link GroupCommit.fail}. */
  readonly onFailure: (error: Error) => void;
}

export class GroupCommit {
  readonly #parts: GroupCommitParts;
  readonly #idleWork: IdleWork;
  readonly #drained = new Deferred<void>();
  #state: State = 'starting';
  #nextLsn: Lsn;
  #durableLsn: Lsn;
  /** The op in progress. */
  #op: Op | 'start' | undefined = 'start';
  #scheduled = false;
  #report: Report = { offset: 0, frames: 0, bytes: 0, syncs: 0, syncMs: 0 };
  #stopped: StoppedError | undefined;

  constructor({ nextLsn, sync }: Pick<Tail, 'nextLsn' | 'sync'>, parts: GroupCommitParts) {
    this.#parts = parts;
    this.#nextLsn = nextLsn;
    this.#durableLsn = nextLsn - 1;
    this.#idleWork = new IdleWork(sync, () => this.pump());
  }

  get nextLsn(): Lsn {
    return this.#nextLsn;
  }

  get durableLsn(): Lsn {
    return this.#durableLsn;
  }

  /** The op in progress. */
  get op(): Op | 'start' | undefined {
    return this.#op;
  }

  /** Why no record is accepted any more. */
  get stopped(): StoppedError | undefined {
    return this.#stopped;
  }

  get hasFailed(): boolean {
    return this.#state === 'failed';
  }

  get stats(): Pick<WalStats, 'frames' | 'bytes' | 'syncs'> {
    const { frames, bytes, syncs } = this.#report;
    return { frames, bytes, syncs };
  }

  /** The record {@link nextLsn} was appended. */
  appended(): void {
    this.#nextLsn += 1;
    this.schedule();
  }

  /** Pumps after this turn of the event loop, so that all records of the turn share one frame. */
  schedule(): void {
    if (this.#scheduled || this.#op !== undefined) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.pump();
    });
  }

  /** Sends the next op, unless one is in progress. */
  pump(): void {
    if (this.#op !== undefined || this.#state === 'failed' || this.#state === 'closed') return;
    try {
      this.#op = this.#nextOp();
      if (this.#op !== undefined) this.#parts.stalls.start();
      if (this.#op === undefined) this.#idleWork.rest();
      else if (this.#op.kind === 'stop') this.#stop();
      else this.#parts.worker.send(this.#op);
    } catch (error) {
      this.#parts.onFailure(error as Error);
    }
  }

  /** The flusher has started, or has done the op in progress. */
  onReport(report: Report): void {
    if (this.#state === 'failed') return;
    try {
      this.#handleReport(report);
    } catch (error) {
      this.#parts.onFailure(error as Error);
    }
    this.pump();
  }

  /** Accepts no further record; resolves when all are durable, or the log has failed. */
  async drain(): Promise<void> {
    this.#on('close');
    if (this.#state === 'closing') {
      this.#stopped = new StoppedError('the journal is closed');
      this.pump();
      await this.#drained.promise;
    }
    this.#idleWork.stop();
  }

  /** The threads have ended. Throws if the log failed while it was closing. */
  closed(): void {
    this.#on('closed');
    if (this.#state !== 'closed') throw this.#stopped;
  }

  /** Acknowledges nothing any more. Returns the error for all waits; `undefined` if it has failed before, or is closed. */
  fail(error: Error): StoppedError | undefined {
    const before = this.#state;
    this.#on('fail');
    if (this.#state === before) return undefined;
    this.#stopped = new StoppedError(`the journal has stopped: ${error.message}`, { cause: error });
    this.#drained.resolve();
    return this.#stopped;
  }

  #on(event: Event): void {
    this.#state = transition(walTransitions, this.#state, event);
  }

  /** The flusher's next op. Records come first, in the current segment while they are allowed there and fit. */
  #nextOp(): Op | undefined {
    const { queue, segments, largeRecords } = this.#parts;
    const { space } = segments;
    const closing = this.#state === 'closing';
    if (segments.openDue && !closing) return { kind: 'openNext', segment: 'spare' };
    const { op } = largeRecords;
    if (op?.kind === 'commitLarge') space.use(frameBytes(op.bytes));
    if (op !== undefined && !(closing && op.kind === 'openNext')) return op;
    if (!segments.isOpen) {
      if (space.hasSpare && this.#mustRotate(closing)) return this.#rotation();
      return closing ? { kind: 'stop' } : undefined;
    }
    if (this.#idleWork.syncDue()) return { kind: 'sync' };
    segments.endForSeal(this.#nextLsn);
    const range = queue.take(space.currentFree, space.fence, (lsn, bytes) => space.release(lsn, bytes));
    if (range !== undefined) {
      space.use(frameBytes(range.bytes));
      return { kind: 'flush', ...range };
    }
    if (this.#awaitsNextSegment) return this.#rotation();
    if (this.#idleWork.markDue(closing, space.currentFree)) {
      space.use(frameAlignBytes);
      return { kind: 'mark' };
    }
    return closing ? { kind: 'stop' } : undefined;
  }

  /** Whether a record waits for the next segment, or a large one for its own. */
  get #awaitsNextSegment(): boolean {
    const { queue, segments } = this.#parts;
    return queue.waiting || segments.space.fence < Number.POSITIVE_INFINITY;
  }

  /**
   * Whether a segment that takes no records is to be left now. A closed one stays until a record or a seal needs the next: a start that is
   * followed by no write changes nothing, and uses up no spare.
   */
  #mustRotate(closing: boolean): boolean {
    return this.#awaitsNextSegment || (!closing && this.#parts.segments.isNextWanted);
  }

  #rotation(): Op {
    return this.#parts.segments.rotation(this.#parts.largeRecords.rotation, this.#durableLsn);
  }

  #stop(): void {
    this.#parts.segments.fail(this.#stopped as StoppedError);
    void this.#parts.worker.stop().then(() => this.#drained.resolve());
  }

  #handleReport(report: Report): void {
    const { queue, segments, largeRecords } = this.#parts;
    const op = this.#op;
    invariant(op !== undefined, 'a report follows an op; the flusher is at byte {}', report.offset);
    this.#op = undefined;
    // Checked before anything is acknowledged; a rotation first moves both.
    if (op !== 'start' && op.kind !== 'rotate') segments.assertOffset(report.offset);
    const synced = report.syncs > this.#report.syncs;
    this.#report = report;
    if (op === 'start') {
      this.#on('started');
      this.#idleWork.start();
    } else if (op.kind === 'openNext') (op.segment === 'large' ? largeRecords : segments).opened(report.openError);
    else if (op.kind === 'abortLarge') largeRecords.segmentClosed();
    else {
      this.#idleWork.done(op.kind);
      if (op.kind === 'flush') this.#onWritten(op.count, op.bytes, synced);
      else if (op.kind === 'commitLarge') {
        queue.skip();
        this.#onWritten(1, op.bytes, synced);
        largeRecords.committed();
      } else if (op.kind === 'rotate') this.#onRotate(op);
    }
    if (op === 'start' || op.kind === 'rotate') segments.assertOffset(report.offset);
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
    this.#parts.queue.written();
    this.#parts.segments.written();
    this.#parts.metrics.written(this.#durableLsn - count + 1, count, bytes, synced ? this.#report.syncMs : undefined);
  }

  #onRotate(op: Op & { kind: 'rotate' }): void {
    // A rotation starts only after all records of the old segment are written.
    const sealed = this.#parts.segments.rotated(op, this.#durableLsn);
    if (sealed !== undefined) this.#parts.metrics.sealed(sealed.firstLsn, sealed.lastLsn, sealed.bytes);
    if (op.to === 'large') this.#parts.largeRecords.rotated();
  }
}

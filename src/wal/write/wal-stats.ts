/** What a journal measures of itself: {@link CommitMetrics} counts, {@link WalStats} is what metrics and alarms read. */
import { diagnostics } from '../../lib/observability/diagnostics.ts';
import { batchBounds, durationBoundsS, Histogram } from '../../lib/observability/histogram.ts';
import type { Lsn } from '../journal.ts';
import type { PreallocationState } from './segment-preallocator.ts';

export interface WalStats {
  /** Bytes of records that wait for the disk. */
  readonly queueBytes: number;
  /** Since the log was opened: records that were written, the frames they made (marks and seals included), and their bytes. */
  readonly records: number;
  readonly frames: number;
  readonly bytes: number;
  readonly syncs: number;
  /** The syncs that made batches of records durable, one each, under `always`. */
  readonly batchSyncs: Histogram;
  /** How many records these batches had, under any mode. */
  readonly batchSizes: Histogram;
  /** The current one and all that are sealed. */
  readonly segments: number;
  readonly spare: PreallocationState;
  /** Why there is no spare, when the last try to make one failed. */
  readonly noSpace: string | undefined;
  /** What the flusher has been at for so long that the disk must have stopped answering; `undefined` while it has not. */
  readonly stalled: Stalled | undefined;
  /** The spare is being made for longer than any disk that is well should need. */
  readonly spareIsLate: boolean;
}

/** A write or a sync of the log that does not return. */
export interface Stalled {
  /** Milliseconds since it began. */
  readonly ms: number;
  /** Path of the segment. */
  readonly segment: string;
}

/** Counts the batches of records that were written, and publishes them on diagnostics channels. */
export class CommitMetrics {
  /** How many records there were in each. */
  readonly #sizes = new Histogram(batchBounds);
  /** The syncs that made them durable, in seconds. */
  readonly #syncs = new Histogram(durationBoundsS);
  #records = 0;
  readonly #lineage: string;
  readonly #onDurable: ((lsn: Lsn) => void) | undefined;

  /** @param onDurable called with the newest durable LSN, once for each batch */
  constructor(lineage: string, onDurable?: (lsn: Lsn) => void) {
    this.#lineage = lineage;
    this.#onDurable = onDurable;
  }

  get stats(): Pick<WalStats, 'records' | 'batchSyncs' | 'batchSizes'> {
    return { records: this.#records, batchSyncs: this.#syncs, batchSizes: this.#sizes };
  }

  /**
   * A batch was written, and synced where the sync mode says so.
   *
   * @param syncMs what its sync took; `undefined` where it had none
   */
  written(firstLsn: Lsn, count: number, bytes: number, syncMs: number | undefined): void {
    this.#records += count;
    this.#sizes.observe(count);
    if (syncMs !== undefined) this.#syncs.observe(syncMs / 1000);
    const lastLsn = firstLsn + count - 1;
    this.#onDurable?.(lastLsn);
    if (!diagnostics.sync.hasSubscribers) return;
    const synced = syncMs !== undefined;
    diagnostics.sync.publish({ lineage: this.#lineage, firstLsn, lastLsn, bytes, synced, syncMs: syncMs ?? 0 });
  }

  /** A segment gets no further record. */
  sealed(firstLsn: Lsn, lastLsn: Lsn, bytes: number): void {
    if (diagnostics.seal.hasSubscribers) diagnostics.seal.publish({ lineage: this.#lineage, firstLsn, lastLsn, bytes });
  }
}

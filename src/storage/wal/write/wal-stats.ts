/** Statistics of the log: {@link CommitMetrics} counts, {@link WalStats} is read by metrics and alarms. */
import type { StalledMedium } from '../../../lib/errors.ts';
import { diagnostics } from '../../../lib/observability/diagnostics.ts';
import { batchBounds, durationBoundsS, Histogram } from '../../../lib/observability/histogram.ts';
import type { Lsn } from '../journal.ts';
import type { PreallocationState } from './segment-preallocator.ts';

export interface WalStats {
  /** Bytes of records that wait for the disk. */
  readonly queueBytes: number;
  /** Since the log was opened: records and frames written (marks and seals included), and the bytes of the frames. */
  readonly records: number;
  readonly frames: number;
  readonly bytes: number;
  readonly syncs: number;
  /** Durations of the syncs of batches under `always`, in seconds. */
  readonly batchSyncs: Histogram;
  /** Records per batch, in any sync mode. */
  readonly batchSizes: Histogram;
  /** Number of segments: the current one and all sealed ones. */
  readonly segments: number;
  readonly spare: PreallocationState;
  /** Reason why the last preallocation of a spare failed; `undefined` if it did not. */
  readonly noSpace: string | undefined;
  /** The operation that the disk, or the database of a cluster, does not complete; `undefined` if none is stalled. */
  readonly stalled: Stalled | undefined;
  /** Preallocation takes longer than a healthy disk needs. */
  readonly spareIsLate: boolean;
}

/** A write or a sync of the log that does not return. */
export interface Stalled {
  /** Milliseconds since it began. */
  readonly ms: number;
  readonly medium: StalledMedium;
  /** Path of the segment. */
  readonly segment: string;
}

/** Counts the batches of records that were written, and publishes them on diagnostics channels. */
export class CommitMetrics {
  /** Records per batch. */
  readonly #sizes = new Histogram(batchBounds);
  /** Durations of the syncs, in seconds. */
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
   * Counts a batch that was written.
   *
   * @param syncMs duration of its sync; `undefined` if it was not synced
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

/** The batches of records that were written: counted, and told to whoever listens. */
import { diagnostics } from '../lib/diagnostics.ts';
import { batchBounds, durationBoundsS, Histogram } from '../lib/histogram.ts';
import type { Lsn } from './journal.ts';
import type { WalStats } from './wal-options.ts';

export class Batches {
  /** How many records there were in each. */
  readonly #sizes = new Histogram(batchBounds);
  /** The syncs that made them durable, in seconds. */
  readonly #syncs = new Histogram(durationBoundsS);
  #records = 0;
  readonly #lineage: string;
  readonly #onDurable: ((lsn: Lsn) => void) | undefined;

  /** @param onDurable told of the newest record, once for all in a batch */
  constructor(lineage: string, onDurable?: (lsn: Lsn) => void) {
    this.#lineage = lineage;
    this.#onDurable = onDurable;
  }

  get stats(): Pick<WalStats, 'records' | 'batchSyncs' | 'batchSizes'> {
    return { records: this.#records, batchSyncs: this.#syncs, batchSizes: this.#sizes };
  }

  /**
   * A batch is as durable as it is to be.
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

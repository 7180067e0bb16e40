/**
 * The flusher's work besides records: marks that confirm the last batch, and under `interval` a sync each second.
 *
 * Under `always` a mark is due after a short idle time and at the end. Without it, later damage to the last batch, though synced, would
 * look like a torn write. Under the other modes a mark is written at the end only, after everything else was synced, and in an empty
 * segment too. There it proves that no acknowledged record was lost, so that the lineage may continue.
 */

import { frameAlignBytes } from '../format/frame.ts';
import type { SyncMode } from '../format/segment.ts';
import type { Op } from './flusher.ts';

/** Idle time before a mark, in milliseconds. */
const markAfterMs = 100;
/** Maximum time that a record stays unsynced under `interval`, in milliseconds. */
const syncEveryMs = 1_000;

export class IdleWork {
  readonly #sync: SyncMode;
  /** Called when {@link syncDue} or {@link markDue} may have become true. */
  readonly #wake: () => void;
  /** The last frame of the current segment. */
  #lastFrame: 'none' | 'batch' | 'mark' = 'none';
  #unsynced = false;
  #markDue = false;
  #syncDue = false;
  #markTimer: NodeJS.Timeout | undefined;
  #syncTimer: NodeJS.Timeout | undefined;

  constructor(sync: SyncMode, wake: () => void) {
    this.#sync = sync;
    this.#wake = wake;
  }

  start(): void {
    if (this.#sync === 'interval') this.#syncTimer = setInterval(() => this.#tick(), syncEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.#syncTimer);
    clearTimeout(this.#markTimer);
  }

  /** An op is done. */
  done(kind: Op['kind']): void {
    const isBatch = kind === 'flush' || kind === 'commitLarge';
    if (isBatch) this.#lastFrame = 'batch';
    if (kind === 'mark') this.#lastFrame = 'mark';
    if (kind === 'rotate') this.#lastFrame = 'none';
    this.#unsynced = isBatch && this.#sync !== 'always';
    if (!this.#unsynced) this.#syncDue = false;
    this.#markDue = false;
  }

  /** Whether a sync is due, even while records wait. */
  syncDue(): boolean {
    return this.#syncDue;
  }

  /**
   * Whether a mark is due, now that no record waits.
   *
   * @param free bytes left for frames: a mark uses no reserved space, and is omitted without harm if it does not fit
   */
  markDue(closing: boolean, free: number): boolean {
    if (free < frameAlignBytes) return false;
    if (this.#sync === 'always') return (closing || this.#markDue) && this.#lastFrame === 'batch';
    return closing && this.#lastFrame !== 'mark';
  }

  /** No op is due: starts the idle time. */
  rest(): void {
    if (this.#sync !== 'always' || this.#lastFrame !== 'batch') return;
    // Refreshing one timer is cheaper than creating a new one each time.
    this.#markTimer ??= setTimeout(() => this.#quiet(), markAfterMs).unref();
    this.#markTimer.refresh();
  }

  #quiet(): void {
    this.#markDue = true;
    this.#wake();
  }

  #tick(): void {
    this.#syncDue = this.#unsynced;
    if (this.#syncDue) this.#wake();
  }
}

/**
 * Upkeep: what the flusher does besides records. Marks that vouch for the last batch, and under `interval` a sync each second.
 *
 * Under `always` a mark is due after a quiet moment and at the end: until then the last batch, though synced, looks on disk like one
 * that may have been torn and rotten since. Under the other modes a mark is written at the end only, after all else was synced, in
 * an empty segment too: there it says that nothing which was answered has been lost, so that the lineage may go on.
 */

import { frameAlignBytes } from '../format/frame.ts';
import type { SyncMode } from '../format/segment.ts';
import type { Op } from './flusher.ts';

/** Quiet that a mark waits for. */
const markAfterMs = 100;
/** How long a record may stay unsynced under `interval`. */
const syncEveryMs = 1_000;

export class IdleWork {
  readonly #sync: SyncMode;
  /** Asks for a look at {@link due}. */
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
    const isBatch = kind === 'flush' || kind === 'place';
    if (isBatch) this.#lastFrame = 'batch';
    if (kind === 'mark') this.#lastFrame = 'mark';
    if (kind === 'rotate') this.#lastFrame = 'none';
    this.#unsynced = isBatch && this.#sync !== 'always';
    if (!this.#unsynced) this.#syncDue = false;
    this.#markDue = false;
  }

  /** A sync that cannot wait for the records to end. */
  syncDue(): boolean {
    return this.#syncDue;
  }

  /**
   * Whether a mark is to be written now that nothing waits. `free` is the room left for frames: a mark takes none that a record was
   * promised, and finding none is harmless.
   */
  markDue(closing: boolean, free: number): boolean {
    if (free < frameAlignBytes) return false;
    if (this.#sync === 'always') return (closing || this.#markDue) && this.#lastFrame === 'batch';
    return closing && this.#lastFrame !== 'mark';
  }

  /** Nothing waits any more. */
  rest(): void {
    if (this.#sync !== 'always' || this.#lastFrame !== 'batch') return;
    // A timer that is only ever put off is cheaper than a new one for each quiet moment.
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

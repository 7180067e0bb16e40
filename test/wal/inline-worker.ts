/**
 * The worker on the calling thread, over any {@link Files}: for tests that record or break the file system. Each op is done in a turn
 * of its own, so the main side sees the same order of events as with threads.
 */

import { type Deletion, deleteFiles, type Files } from '../../src/lib/files/files.ts';
import { Flusher, type FlusherStart, type Op, type Report } from '../../src/storage/wal/write/flusher.ts';
import { type LargeOrder, makeLarge } from '../../src/storage/wal/write/large-record.ts';
import { preallocateSpare, type SpareOrder, type WriteThrottle } from '../../src/storage/wal/write/preallocate.ts';
import type { FlusherEvents, WalWorker } from '../../src/storage/wal/write/wal-worker.ts';

/** What a thread of the log does: writes frames, makes a segment, or deletes some. */
export type WalJob = 'flush' | 'spare' | 'large' | 'deletion';

export class InlineWorker implements WalWorker {
  /** A job waits for what this returns before it begins, as it does for a slow disk. */
  gate: (job: WalJob) => Promise<void> | undefined = () => undefined;
  /** Of the large record that is being written, or waits for the gate. */
  throttle: WriteThrottle | undefined;
  readonly #files: Files;
  #flusher: Flusher | undefined;
  #events: FlusherEvents | undefined;
  #over = false;

  constructor(files: Files) {
    this.#files = files;
  }

  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void {
    this.#events = events;
    void this.#do(() => {
      this.#flusher = new Flusher(this.#files, start, halves);
      return this.#flusher.report();
    });
  }

  send(op: Op): void {
    void this.#do(() => this.#flusher?.perform(op), 'flush');
  }

  stop(): Promise<void> {
    return this.#do(() => {
      this.#flusher?.perform({ kind: 'stop' });
      return undefined;
    });
  }

  async makeSpare(order: SpareOrder): Promise<boolean> {
    await this.#begin('spare');
    return this.#over ? false : preallocateSpare(this.#files, order);
  }

  async makeLarge(order: LargeOrder, throttle: WriteThrottle): Promise<number | undefined> {
    this.throttle = throttle;
    await this.#begin('large');
    this.throttle = undefined;
    return this.#over ? undefined : makeLarge(this.#files, order);
  }

  async trim(paths: readonly string[]): Promise<Deletion> {
    await this.#begin('deletion');
    return deleteFiles(this.#files, paths);
  }

  removeLarge(path: string): Promise<Deletion> {
    return this.trim([path]);
  }

  async close(): Promise<void> {
    this.#over = true;
    await turn();
  }

  async #begin(job: WalJob): Promise<void> {
    await turn();
    await this.gate(job);
  }

  async #do(work: () => Report | undefined, job?: WalJob): Promise<void> {
    await (job === undefined ? turn() : this.#begin(job));
    if (this.#over) return;
    try {
      const report = work();
      if (report !== undefined) this.#events?.report(report);
    } catch (error) {
      this.#over = true;
      this.#events?.failure(error as Error);
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * A worker whose every step is in the hands of the test: the flusher writes and syncs, and the spare's thread makes a spare, when
 * {@link HeldWorker.step} says so. The steps themselves are those of the real threads.
 */

import { type Deletion, deleteFiles, type Files } from '../../src/lib/files/files.ts';
import { Flusher, type FlusherStart, type Op } from '../../src/storage/wal/write/flusher.ts';
import { type LargeOrder, makeLarge } from '../../src/storage/wal/write/large-record.ts';
import { preallocateSpare, type SpareOrder } from '../../src/storage/wal/write/preallocate.ts';
import type { FlusherEvents, WalWorker } from '../../src/storage/wal/write/wal-worker.ts';

export class HeldWorker implements WalWorker {
  readonly #files: Files;
  #flusher: Flusher | undefined;
  #events: FlusherEvents | undefined;
  /** What each of the two threads is to do next. */
  #flush: (() => void)[] = [];
  #spare: (() => void)[] = [];
  #over = false;

  constructor(files: Files) {
    this.#files = files;
  }

  /** Whether the flusher has something to do. */
  get flushing(): boolean {
    return this.#flush.length > 0;
  }

  /** Lets one thing happen; false when there is nothing to do. The flusher goes first, as nobody waits for a spare. */
  step(): boolean {
    const next = this.#flush.shift() ?? this.#spare.shift();
    next?.();
    return next !== undefined;
  }

  /** The process is gone: nothing happens any more. */
  die(): void {
    this.#over = true;
    this.#flush = [];
    this.#spare = [];
  }

  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void {
    this.#events = events;
    this.#flush.push(() => {
      this.#flusher = new Flusher(this.#files, start, halves);
      events.report(this.#flusher.report());
    });
  }

  send(op: Op): void {
    this.#flush.push(() => this.#perform(op));
  }

  async stop(): Promise<void> {
    this.#perform({ kind: 'stop' });
  }

  makeSpare(order: SpareOrder): Promise<boolean> {
    return this.#later(() => preallocateSpare(this.#files, order));
  }

  makeLarge(order: LargeOrder): Promise<number | undefined> {
    return this.#later(() => makeLarge(this.#files, order));
  }

  trim(paths: readonly string[]): Promise<Deletion> {
    return this.#later(() => deleteFiles(this.#files, paths));
  }

  removeLarge(path: string): Promise<Deletion> {
    return this.trim([path]);
  }

  async close(): Promise<void> {
    this.die();
  }

  #perform(op: Op): void {
    if (this.#over) return;
    try {
      const report = this.#flusher?.perform(op);
      if (report !== undefined && op.kind !== 'stop') this.#events?.report(report);
    } catch (error) {
      this.die();
      this.#events?.failure(error as Error);
    }
  }

  #later<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#spare.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }
}

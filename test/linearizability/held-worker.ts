/**
 * A worker whose every job is in the hands of the test: the flusher writes and syncs, and a segment is made or deleted, when
 * {@link HeldWorker.step} says so.
 */
import { setImmediate } from 'node:timers/promises';
import type { Files } from '../../src/lib/files/files.ts';
import { InlineWorker } from '../wal/inline-worker.ts';

export class HeldWorker extends InlineWorker {
  #flushes: (() => void)[] = [];
  #others: (() => void)[] = [];

  constructor(files: Files) {
    super(files);
    this.gate = (job) => new Promise((begin) => void (job === 'flush' ? this.#flushes : this.#others).push(begin));
  }

  /** Lets one job begin, if there is one. The flusher goes first: no request waits for a spare. */
  step(): void {
    const begin = this.#flushes.shift() ?? this.#others.shift();
    begin?.();
  }

  /** Lets the disk do whatever is to be done until an answer is there. */
  async drive<T>(answer: Promise<T>): Promise<T> {
    let isOpen = true;
    const end = (): void => {
      isOpen = false;
    };
    answer.then(end, end);
    while (isOpen) {
      this.step();
      await setImmediate();
    }
    return await answer;
  }

  /** The process is gone: nothing happens any more. */
  die(): void {
    this.#flushes = [];
    this.#others = [];
    void this.close();
  }
}

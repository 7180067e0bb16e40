/**
 * Runs the log's work on files: in production on three threads (flusher, spares, large records), in tests with another file system on the
 * calling thread.
 */

import type { Deletion } from '../../../lib/files/files.ts';
import type { OpenFolder } from '../../../lib/files/open-folder.ts';
import { JobThread } from '../../../lib/threads/job-thread.ts';
import { workerFile } from '../../../lib/threads/worker-file.ts';
import type { FlusherStart, Op, Report } from './flusher.ts';
import type { FlusherTask } from './flusher-worker.ts';
import type { LargeOrder } from './large-record.ts';
import { OpChannel } from './op-channel.ts';
import type { SpareOrder, WriteThrottle } from './preallocate.ts';
import type { SpareJob, SpareTask } from './segment-worker.ts';

/** Receives a flusher's results. */
export interface FlusherEvents {
  /** The flusher has started, or has finished an op. */
  report(report: Report): void;
  /** The flusher has ended: a file operation failed, or its thread died. Called at most once, as the last call. */
  failure(error: Error): void;
}

export interface WalWorker {
  /** Starts the flusher. Call it once. */
  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void;
  /** Sends an op to the flusher, which must have reported on the previous one. */
  send(op: Op): void;
  /** Makes the flusher sync and end; resolves when it has ended. It sends no report, but possibly a failure. */
  stop(): Promise<void>;
  /** Makes the spare. Resolves with true when it is ready, with false if `throttle` stopped the work. */
  makeSpare(order: SpareOrder, throttle: WriteThrottle): Promise<boolean>;
  /** Writes a large record into a separate segment. Resolves with the CRC of its payload, with `undefined` if `throttle` stopped the work. */
  makeLarge(order: LargeOrder, throttle: WriteThrottle): Promise<number | undefined>;
  /** Deletes sealed segments. Recovery reads none that a snapshot covers, so any of them may stay. */
  trim(paths: readonly string[]): Promise<Deletion>;
  /** Deletes the segment of a large record. Unlike {@link trim}, it never waits for a spare in progress. */
  removeLarge(path: string): Promise<Deletion>;
  /** Ends all threads, including a flusher that was not stopped. */
  close(): Promise<void>;
}

/** Spares are rare: their thread ends this many milliseconds after the last job. */
const idleMs = 5_000;

/** The threads of a log. The caller of each job reports its failure, so the death of a thread is not logged here. */
export class WalThreads implements WalWorker {
  /** Runs one job, which lasts until the log is closed. */
  readonly flusher = new JobThread(workerFile(import.meta.url, './flusher-worker'), { what: 'the log' });
  readonly spares = new JobThread(workerFile(import.meta.url, './segment-worker'), { what: 'segments', idleMs });
  /** Large records have a separate thread, so that a spare never waits for one. */
  readonly #large = new JobThread(workerFile(import.meta.url, './segment-worker'), { what: 'large records', idleMs });
  /** The data folder; `undefined` disables the check. */
  readonly #root: OpenFolder | undefined;
  readonly #control = new OpChannel();
  #stopped: Promise<void> = Promise.resolve();

  constructor(root?: OpenFolder) {
    this.#root = root;
  }

  /** Starts the flusher's thread, which takes as long as a short recovery: call it before. */
  warm(): this {
    this.flusher.warm();
    return this;
  }

  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void {
    void this.#control.listen((report) => events.report(report));
    const task: FlusherTask = { root: this.#root?.identity, start, control: this.#control.shared, halves };
    this.#stopped = this.flusher.run<void>(task).then(
      () => this.#control.end(),
      (error: unknown) => {
        this.#control.end();
        events.failure(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  send(op: Op): void {
    this.#control.send(op);
  }

  stop(): Promise<void> {
    this.#control.send({ kind: 'stop' });
    return this.#stopped;
  }

  makeSpare(order: SpareOrder, throttle: WriteThrottle): Promise<boolean> {
    return this.#run(this.spares, { kind: 'spare', order, throttle: throttle.shared });
  }

  makeLarge(order: LargeOrder, throttle: WriteThrottle): Promise<number | undefined> {
    return this.#run(this.#large, { kind: 'large', order, throttle: throttle.shared });
  }

  trim(paths: readonly string[]): Promise<Deletion> {
    return this.#run(this.spares, { kind: 'delete', paths });
  }

  removeLarge(path: string): Promise<Deletion> {
    return this.#run(this.#large, { kind: 'delete', paths: [path] });
  }

  async #run<T>(thread: JobThread, job: SpareJob): Promise<T> {
    try {
      return await thread.run({ root: this.#root?.identity, job } satisfies SpareTask);
    } catch (error) {
      // A replaced folder must be reported before the log takes this error for a full disk.
      this.#root?.check();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.flusher.stop(), this.spares.stop(), this.#large.stop()]);
    await this.#stopped;
  }
}

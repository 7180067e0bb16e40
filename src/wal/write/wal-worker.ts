/**
 * Who does the log's work on files: two threads of their own in production, the calling thread in tests that put another file
 * system beneath.
 */

import type { OpenFolder } from '../../lib/files/open-folder.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { FlusherStart, Op, Report } from './flusher.ts';
import type { FlusherTask } from './flusher-worker.ts';
import type { LargeOrder } from './large-record.ts';
import { OpChannel } from './op-channel.ts';
import type { SpareOrder, WriteThrottle } from './preallocate.ts';
import type { SpareJob, SpareTask } from './segment-worker.ts';
import type { TrimOrder, TrimResult } from './trim.ts';

/** Where a flusher's results go. */
export interface FlusherEvents {
  /** The flusher has started, or an op is done. */
  report(report: Report): void;
  /** The flusher is no more: a file operation failed, or its thread died. At most once, and nothing after it. */
  failure(error: Error): void;
}

export interface WalWorker {
  /** Starts the flusher; to be called once. */
  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void;
  /** Hands an op to the flusher, which must have reported on the one before. */
  send(op: Op): void;
  /** Has the flusher sync and end; resolves when it is gone. There is no report, but there may be a failure. */
  stop(): Promise<void>;
  /** Makes the spare: true when it is there, false when `pace` said stop. */
  makeSpare(order: SpareOrder, pace: WriteThrottle): Promise<boolean>;
  /** Writes a large record into a segment of its own: the CRC of its payload, `undefined` when `pace` said stop. */
  makeLarge(order: LargeOrder, pace: WriteThrottle): Promise<number | undefined>;
  trim(order: TrimOrder): Promise<TrimResult>;
  /** Deletes the segment of a large record; as {@link trim}, but never after a spare that is being made. */
  removeLarge(order: TrimOrder): Promise<TrimResult>;
  /** Ends everything, a flusher that was not stopped included. */
  close(): Promise<void>;
}

/** Spares come seldom: their thread goes soon after one is made. */
const idleMs = 5_000;

// What becomes of their jobs is told by who gave them: nothing is said here of a thread that dies.
export class WalThreads implements WalWorker {
  /** Has one job, which lasts as long as the log is open. */
  readonly flusher = new JobThread(workerFile(import.meta.url, './flusher-worker'), { what: 'the log' });
  readonly spares = new JobThread(workerFile(import.meta.url, './segment-worker'), { what: 'segments', idleMs });
  /** A spare is never to wait for a large record, so that has a thread of its own. */
  readonly #large = new JobThread(workerFile(import.meta.url, './segment-worker'), { what: 'large records', idleMs });
  /** The data folder; `undefined`: not checked. */
  readonly #root: OpenFolder | undefined;
  readonly #control = new OpChannel();
  #stopped: Promise<void> = Promise.resolve();

  constructor(root?: OpenFolder) {
    this.#root = root;
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

  makeSpare(order: SpareOrder, pace: WriteThrottle): Promise<boolean> {
    return this.#run(this.spares, { kind: 'spare', order, pace: pace.shared });
  }

  makeLarge(order: LargeOrder, pace: WriteThrottle): Promise<number | undefined> {
    return this.#run(this.#large, { kind: 'large', order, pace: pace.shared });
  }

  trim(order: TrimOrder): Promise<TrimResult> {
    return this.#run(this.spares, { kind: 'trim', order });
  }

  removeLarge(order: TrimOrder): Promise<TrimResult> {
    return this.#run(this.#large, { kind: 'trim', order });
  }

  async #run<T>(thread: JobThread, job: SpareJob): Promise<T> {
    try {
      return await thread.run({ root: this.#root?.identity, job } satisfies SpareTask);
    } catch (error) {
      // Of a folder that was replaced the log should hear before it calls this a full disk.
      this.#root?.check();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.flusher.stop(), this.spares.stop(), this.#large.stop()]);
    await this.#stopped;
  }
}

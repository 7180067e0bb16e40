/**
 * Who does the log's work on files: two threads of their own in production, the calling thread in tests that put another file
 * system beneath.
 */
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { nodeFiles } from '../lib/files.ts';
import { threadArguments, workerFile } from '../lib/worker-file.ts';
import { Control } from './control.ts';
import { Flusher, type FlusherStart, newFooting, type Op, type Report } from './flusher.ts';
import type { FlusherTask } from './flusher-worker.ts';
import type { LargeOrder } from './large-record.ts';
import type { SpareOrder } from './make-spare.ts';
import type { Pace } from './pace.ts';
import type { LargeTask, SpareTask } from './spare-worker.ts';
import type { TrimOrder, TrimResult } from './trim.ts';

/** Where a flusher's results go. */
export interface FlusherEvents {
  /** The flusher has started, or an op is done. */
  report(report: Report): void;
  /** The flusher is no more: a file operation failed, or its thread died. At most once, and nothing after it. */
  failure(error: Error): void;
}

export interface Crew {
  /** Starts the flusher; to be called once. */
  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void;
  /** Hands an op to the flusher, which must have reported on the one before. */
  send(op: Op): void;
  /**
   * Has records written at once, by the calling thread; to be asked for as {@link Crew.send} is. `undefined`, and nothing done, where that
   * cannot be; throws what the disk says.
   */
  flushHere?(op: Op & { readonly kind: 'flush' }): Report | undefined;
  /** Has the flusher sync and end; resolves when it is gone. There is no report, but there may be a failure. */
  stop(): Promise<void>;
  /** Makes the spare: true when it is there, false when `pace` said stop. */
  makeSpare(order: SpareOrder, pace: Pace): Promise<boolean>;
  /** Writes a large record into a segment of its own: the CRC of its payload, `undefined` when `pace` said stop. */
  makeLarge(order: LargeOrder, pace: Pace): Promise<number | undefined>;
  trim(order: TrimOrder): Promise<TrimResult>;
  /** Ends everything, a flusher that was not stopped included. */
  close(): Promise<void>;
}

/** A thread that is kept once it is there. */
const oneThread = {
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: Number.POSITIVE_INFINITY,
  recordTiming: false,
  execArgv: [...threadArguments],
};
/** Spares come seldom: their thread goes soon after one is made. */
const spareThreadIdleMs = 5_000;

export class ThreadCrew implements Crew {
  /** For tests that let a thread die. */
  readonly flusherPool = new Piscina({ ...oneThread, filename: workerFile(import.meta.url, './flusher-worker') });
  readonly sparePool = new Piscina({
    ...oneThread,
    filename: workerFile(import.meta.url, './spare-worker'),
    idleTimeout: spareThreadIdleMs,
  });
  /** A spare is never to wait for a large record, so that has a thread of its own. */
  readonly largePool = new Piscina({
    ...oneThread,
    filename: workerFile(import.meta.url, './spare-worker'),
    idleTimeout: spareThreadIdleMs,
  });
  readonly #control = new Control();
  readonly #channel = new MessageChannel();
  readonly #footing = newFooting();
  /** The flusher of this thread. */
  #own: Flusher | undefined;
  #stopped: Promise<void> = Promise.resolve();

  constructor() {
    // A thread that dies with no task at hand: the flusher always has one, the next spare gets a new thread.
    for (const pool of [this.flusherPool, this.sparePool, this.largePool]) pool.on('error', () => undefined);
  }

  start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void {
    const { port1, port2 } = this.#channel;
    port1.on('message', (report: Report) => events.report(report));
    const task: FlusherTask = { start, control: this.#control.shared, halves, footing: this.#footing, reports: port2 };
    this.#own = new Flusher(nodeFiles, start, halves, this.#footing, 'second');
    this.#stopped = this.flusherPool.run(task, { transferList: [port2] }).then(
      () => port1.close(),
      (error: unknown) => {
        port1.close();
        events.failure(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  send(op: Op): void {
    this.#control.send(op);
  }

  flushHere(op: Op & { readonly kind: 'flush' }): Report | undefined {
    return this.#own?.flush(op);
  }

  stop(): Promise<void> {
    this.#control.send({ kind: 'stop' });
    return this.#stopped;
  }

  makeSpare(order: SpareOrder, pace: Pace): Promise<boolean> {
    const task: SpareTask = { order, pace: pace.shared };
    return this.sparePool.run(task) as Promise<boolean>;
  }

  makeLarge(order: LargeOrder, pace: Pace): Promise<number | undefined> {
    const task: LargeTask = { order, pace: pace.shared };
    return this.largePool.run(task, { name: 'large' }) as Promise<number | undefined>;
  }

  trim(order: TrimOrder): Promise<TrimResult> {
    return this.sparePool.run(order, { name: 'trim' }) as Promise<TrimResult>;
  }

  async close(): Promise<void> {
    this.#own?.letGo();
    await Promise.all([this.flusherPool.destroy(), this.sparePool.destroy(), this.largePool.destroy()]);
    await this.#stopped;
  }
}

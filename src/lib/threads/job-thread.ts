/** A worker thread that runs one job at a time; started on demand, and stopped after an idle time. */
import type { Transferable, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { BusyError, OverrunError, StoppedError } from '../errors.ts';
import type { Log } from '../observability/logger.ts';
import type { Cancellation } from './pause.ts';
import { processorMs } from './processor-time.ts';
import { resultOf, type ThreadResult } from './thread-result.ts';
import { threadOptions } from './worker-file.ts';

interface JobThreadOptions {
  /** Purpose of its jobs, for the log. */
  readonly what: string;
  /** Logs the death of an idle thread; leave it out if the caller reports failed jobs itself. */
  readonly log?: Log;
  /** How long an idle thread waits for the next job, in milliseconds; default 0: it ends after each job. */
  readonly idleMs?: number;
  /** Limit of its heap, in megabytes; a job that exceeds it fails, and its thread ends. Default: that of the process. */
  readonly heapMb?: number;
  /** Its `process.argv` from index 2 on. */
  readonly argv?: readonly string[];
  /** Its jobs call `pause`, which cancels them; default: a job ends with its thread only. */
  readonly pauses?: boolean;
  /** Its jobs change nothing: a stop does not wait until they end. */
  readonly onlyReads?: boolean;
}

/** A started thread. */
interface Started {
  readonly pool: Piscina;
  readonly cancelled: Int32Array;
  /** Running and queued jobs. */
  readonly jobs: Set<Promise<unknown>>;
  /** Rejects the running and queued jobs; filled with `onlyReads`. */
  readonly abandon: Set<(error: StoppedError) => void>;
  /** Why the thread died before it started its job. */
  death?: Error;
  /** Resolves when the thread has ended. */
  ended?: Promise<void>;
}

/** How long a stop waits for a job that was cancelled, in milliseconds, before it ends the thread. */
const cancelMs = 2000;
/** Most wall time of a job with limited processor time, in milliseconds: a thread of low priority gets a few percent of a busy processor. */
const wallMsMax = 30_000;
/** Shortest time between two looks at the processor time of a job, in milliseconds: it has ticks of that length. */
const lookMs = 10;

export class JobThread {
  readonly #filename: string;
  readonly #options: JobThreadOptions;
  #started: Started | undefined;
  #stopped: Promise<void> = Promise.resolve();
  /** Number of the thread that the newest warm-up ran in. */
  #number: number | undefined;

  /** @param filename URL of its module; the default export runs a job and returns a ThreadResult */
  constructor(filename: string, options: JobThreadOptions) {
    this.#filename = filename;
    this.#options = options;
  }

  /** The running threads, for tests that kill one. */
  get threads(): readonly Worker[] {
    return this.#started?.pool.threads ?? [];
  }

  /** Starts the thread before its first job, which then does not wait for it. If it cannot start, the job reports why. */
  warm(): void {
    try {
      this.#started ??= this.#start(1);
    } catch (error) {
      if (!isNoThread(error)) throw error;
    }
  }

  /**
   * Runs a job, after those that are queued. Rejects with the job's error, if the thread dies, and with StoppedError if it is stopped.
   *
   * @param transfer objects of the task to transfer to the thread
   */
  async run<T>(task: unknown, transfer: readonly Transferable[] = []): Promise<T> {
    this.#started ??= this.#start();
    const started = this.#started;
    const job = this.#runIn<T>(started, task, transfer);
    started.jobs.add(job);
    try {
      return await (this.#options.onlyReads === true ? abandonable(started, job) : job);
    } finally {
      started.jobs.delete(job);
    }
  }

  /**
   * Runs a job, and ends the thread if the job takes too long. Rejects like {@link run}; with OverrunError if the job needs more processor
   * time or memory than it may have; and with BusyError if the thread does not get that time soon enough, which says nothing
   * about the job. Only for one job at a time: ending the thread ends all jobs.
   *
   * @param ms processor time of the job, in milliseconds; the start of the thread does not count
   * @param warmUp a task that a new thread runs before the job, to load its modules; its result is that of `threadNumber`
   * @param wallMs wall time of the job, in milliseconds
   */
  async runWithin<T>(task: unknown, ms: number, warmUp: unknown, wallMs = wallMsMax): Promise<T> {
    if (this.threads.length === 0) this.#number = await this.run<number | undefined>(warmUp);
    const watch = this.#watch(ms, wallMs);
    try {
      return await this.run<T>(task);
    } catch (error) {
      if (watch.verdict !== undefined) throw watch.verdict;
      if (isOutOfMemory(error))
        throw new OverrunError(`the job of the thread for ${this.#options.what} needs more memory than it may have`);
      throw error;
    } finally {
      watch.end();
    }
  }

  /**
   * Stops the thread: running and queued jobs reject. A later job starts a new thread. Resolves when none of its jobs runs any more, unless
   * they only read. The thread itself may end later: at the lowest priority, beside busy threads, that takes half a minute.
   */
  stop(): Promise<void> {
    // A second stop waits for the first, too.
    this.#stopped = Promise.all([this.#stopped, this.#stopNow()]).then(() => undefined);
    return this.#stopped;
  }

  async #stopNow(): Promise<void> {
    const started = this.#started;
    if (started === undefined) return;
    const { jobs, cancelled } = started;
    this.#started = undefined;
    Atomics.store(cancelled, 0, 1);
    Atomics.notify(cancelled, 0);
    if (this.#options.pauses === true) await settledOrLate(jobs);
    const isAwaited = jobs.size > 0 && this.#options.onlyReads !== true;
    const ended = this.#end(started);
    for (const abandon of started.abandon) abandon(this.#ended());
    if (isAwaited) await ended;
  }

  #end(started: Started): Promise<void> {
    if (this.#started === started) this.#started = undefined;
    started.ended ??= started.pool.destroy();
    return started.ended;
  }

  /** Stops the thread when a job that begins now has had its time. */
  #watch(ms: number, wallMs: number): { readonly verdict: Error | undefined; end(): void } {
    const number = this.#number;
    const usedBefore = processorMs(number);
    const beganMs = performance.now();
    let verdict: Error | undefined;
    let timer: NodeJS.Timeout;
    let immediate: NodeJS.Immediate | undefined;
    const look = (): void => {
      const leftMs = ms - (processorMs(number) - usedBefore);
      const wallLeftMs = wallMs - (performance.now() - beganMs);
      if (leftMs > 0 && wallLeftMs > 0) {
        wait(Math.min(leftMs, wallLeftMs));
        return;
      }
      const job = `the job of the thread for ${this.#options.what}`;
      if (leftMs <= 0) verdict = new OverrunError(`${job} takes more than ${ms / 1000} s of processor time`);
      else verdict = new BusyError(`${job} did not get ${ms / 1000} s of processor time within ${wallMs / 1000} s`);
      void this.stop();
    };
    const wait = (waitMs: number): void => {
      // The calling thread may have been busy until now: a result that has arrived meanwhile is received before the next immediate.
      timer = setTimeout(
        () => {
          immediate = setImmediate(look);
        },
        Math.max(lookMs, waitMs),
      );
    };
    wait(Math.min(ms, wallMs));
    return {
      get verdict() {
        return verdict;
      },
      end: () => {
        clearTimeout(timer);
        clearImmediate(immediate);
      },
    };
  }

  async #runIn<T>(started: Started, task: unknown, transfer: readonly Transferable[]): Promise<T> {
    let result: ThreadResult<T>;
    try {
      result = (await started.pool.run(task, { transferList: [...transfer] })) as ThreadResult<T>;
    } catch (error) {
      if (isNoThread(error)) {
        // Without a thread the pool would keep the job, and run or reject it later with no handler.
        if (this.#started === started) this.#started = undefined;
      } else if (started.pool.threads.length === 0) {
        // The pool starts no other thread for jobs that waited for the one that died: they would wait without end.
        void this.#end(started);
      }
      throw started.death ?? this.#described(error);
    }
    if ('failure' in result && Atomics.load(started.cancelled, 0) !== 0) throw this.#ended();
    return resultOf(result);
  }

  #start(minThreads = 0): Started {
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    const { what, log, idleMs = 0, heapMb, argv = [] } = this.#options;
    const pool = new Piscina({
      filename: this.#filename,
      minThreads,
      maxThreads: 1,
      idleTimeout: idleMs,
      argv: [...argv],
      ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
      recordTiming: false,
      workerData: { cancelled } satisfies Cancellation,
      ...threadOptions,
    });
    const started: Started = { pool, cancelled, jobs: new Set(), abandon: new Set() };
    // If a thread dies during a job, the job fails. An idle or starting thread has none, so its death must not end the server; a job that
    // waits for the thread fails, too.
    pool.on('error', (error) => {
      log?.warn({ err: error }, `an idle thread for ${what} died; the next job starts a new one`);
      started.death = new Error(`a thread for ${what} died: ${error.message}`, { cause: error });
      void this.#end(started);
    });
    return started;
  }

  #ended(): StoppedError {
    return new StoppedError(`the thread for ${this.#options.what} was ended`);
  }

  /** The error of a job whose thread failed, with the purpose of the thread. */
  #described(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const { what } = this.#options;
    if (error.message === 'Terminating worker thread') return this.#ended();
    if (!isNoThread(error)) return new Error(`a thread for ${what} died: ${error.message}`, { cause: error });
    return new Error(`cannot start a thread for ${what} (${error.message}): check this process's limit of threads`, {
      cause: error,
    });
  }
}

/** Rejects when the thread is stopped, also while the job still runs. */
function abandonable<T>({ abandon }: Started, job: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    abandon.add(reject);
    job.then(resolve, reject).finally(() => abandon.delete(reject));
  });
}

/** Waits for cancelled jobs; not for long, since a job between two pauses may take any time. */
async function settledOrLate(jobs: ReadonlySet<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, cancelMs);
  });
  await Promise.race([Promise.allSettled(jobs), late]);
  clearTimeout(timer);
}

/** Whether the error says that the system refused to start a thread. */
const isNoThread = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_INIT_FAILED';

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

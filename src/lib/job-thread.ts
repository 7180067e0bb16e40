/** A worker thread that does one job at a time, made when there is a job and kept for as long as it is said to be. */
import type { Transferable, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { StoppedError } from './errors.ts';
import { type Attempt, resultOf } from './failure.ts';
import type { Log } from './log.ts';
import { threadOptions } from './worker-file.ts';

export interface JobThreadOptions {
  /** What its jobs are for, as the log calls it. */
  readonly what: string;
  /** Told of threads that die without a job at hand; unless whoever has the jobs tells of them. */
  readonly log?: Log;
  /** How long it waits for the next job before it goes, in milliseconds; 0, the default, for not at all. */
  readonly idleMs?: number;
  /** Its `process.argv` from the third on. */
  readonly argv?: readonly string[];
}

export class JobThread {
  readonly #filename: string;
  readonly #options: JobThreadOptions;
  #pool: Piscina | undefined;
  /** What became of threads that died before they had their job. */
  readonly #deaths = new WeakMap<Piscina, Error>();

  /** @param filename address of its module, whose default export does a job and returns an {@link Attempt} */
  constructor(filename: string, options: JobThreadOptions) {
    this.#filename = filename;
    this.#options = options;
  }

  /** Those that run, for tests that let one die. */
  get threads(): readonly Worker[] {
    return this.#pool?.threads ?? [];
  }

  /**
   * Does a job, after those that wait already. Rejects with what it throws, when the thread dies, and with StoppedError when it is let go.
   *
   * @param transfer what of the task goes over to the thread
   */
  async run<T>(task: unknown, transfer: readonly Transferable[] = []): Promise<T> {
    this.#pool ??= this.#newPool();
    const pool = this.#pool;
    try {
      return resultOf((await pool.run(task, { transferList: [...transfer] })) as Attempt<T>);
    } catch (error) {
      // Where there is no thread, the pool keeps the job all the same: it would do it later, or reject it once more, to nobody.
      if (isNoThread(error) && this.#pool === pool) this.#pool = undefined;
      throw this.#deaths.get(pool) ?? this.#told(error);
    }
  }

  /** Ends the thread: what it is at, and what waits for it, rejects. A job that comes later gets a new one. */
  async letGo(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  #newPool(): Piscina {
    const { what, log, idleMs = 0, argv = [] } = this.#options;
    const pool = new Piscina({
      filename: this.#filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      argv: [...argv],
      recordTiming: false,
      ...threadOptions,
    });
    // A thread that dies with a job at hand fails that job. One that dies without, idle or before it is ready, takes nothing with it, least
    // of all the server; a job that waits for it fails as well.
    pool.on('error', (error) => {
      log?.warn({ err: error }, `a thread for ${what} died without a job at hand; the next one gets a new thread`);
      this.#deaths.set(pool, new Error(`a thread for ${what} died: ${error.message}`, { cause: error }));
      if (this.#pool === pool) void this.letGo();
    });
    return pool;
  }

  /** What became of a job, where piscina and Node say it in words that tell nobody of what. */
  #told(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const { what } = this.#options;
    if (error.message === 'Terminating worker thread') return new StoppedError(`the thread for ${what} was ended`);
    if (!isNoThread(error)) return error;
    return new Error(
      `a thread for ${what} cannot be started (${error.message}): does the system allow this process more of them?`,
      {
        cause: error,
      },
    );
  }
}

/** Whether the system refused a thread, as Node says it. */
const isNoThread = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_INIT_FAILED';

/**
 * Runs evaluations in a worker thread, one at a time, so that no other request waits for one. Requests beyond the queue are refused, and a
 * run that takes too long is ended with its thread.
 *
 *     run() ─▶ waiting (16 at most) ─▶ running (2 s at most) ─▶ bytes
 */
import { BusyError, OverrunError, StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { WarmUp } from './evaluate-worker.ts';
import type { EvaluationTask, ProjectTask, PublicationTask, PublicEvaluation } from './evaluation-task.ts';

export type { EvaluationTask, ProjectTask, PublicationTask, PublicEvaluation } from './evaluation-task.ts';

export interface EvaluationRunsOptions {
  readonly log: Log;
  /** Runs that may wait; default 16. */
  readonly waitingMax?: number;
  /** Longest run, in milliseconds; default 2000. */
  readonly runMs?: number;
  /** Heap of the thread, in megabytes; default 512. */
  readonly heapMb?: number;
}

/** How long the idle thread waits for the next run, in milliseconds. */
const idleMs = 60_000;

/** A task, or what makes it when its turn has come. */
type Due<T extends EvaluationTask> = T | (() => Promise<T>);

interface Waiting {
  readonly key: string;
  readonly task: Due<EvaluationTask>;
  resolve(result: Uint8Array | PublicEvaluation): void;
  reject(error: unknown): void;
}

export class EvaluationRuns {
  /** Number of runs since the start, by outcome. */
  readonly counts = { ok: 0, busy: 0, overrun: 0, failed: 0 };
  readonly #thread: JobThread;
  readonly #waitingMax: number;
  readonly #runMs: number;
  readonly #waiting: Waiting[] = [];
  #running: Waiting | undefined;
  #isClosed = false;

  constructor({ log, waitingMax = 16, runMs = 2000, heapMb = 512 }: EvaluationRunsOptions) {
    this.#thread = new JobThread(workerFile(import.meta.url, './evaluate-worker'), { what: 'evaluations', log, idleMs, heapMb });
    this.#waitingMax = waitingMax;
    this.#runMs = runMs;
  }

  /**
   * Evaluates in the thread. Rejects with {@link BusyError} if too many runs wait, {@link OverrunError} if the run takes too long or too much
   * memory, and {@link StoppedError} after close.
   *
   * @param key the project: its runs wait for those of others
   */
  run(key: string, task: Due<ProjectTask>): Promise<Uint8Array>;
  run(key: string, task: Due<PublicationTask>): Promise<PublicEvaluation>;
  run(key: string, task: Due<EvaluationTask>): Promise<Uint8Array | PublicEvaluation> {
    if (this.#isClosed) return Promise.reject(new StoppedError('evaluations are stopped'));
    if (this.#waiting.length >= this.#waitingMax) {
      this.counts.busy++;
      return Promise.reject(new BusyError(`${this.#waiting.length} evaluations are waiting`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, task, resolve, reject });
      if (this.#running === undefined) void this.#runNext(undefined);
    });
  }

  /** Number of runs that wait or run. */
  get pending(): number {
    return this.#waiting.length + (this.#running === undefined ? 0 : 1);
  }

  /** Ends the thread. Runs that wait or run reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new StoppedError('evaluations are stopped'));
    await this.#thread.stop();
  }

  /** @param last key of the last run: others go first */
  async #runNext(last: string | undefined): Promise<void> {
    const other = this.#waiting.findIndex(({ key }) => key !== last);
    const [next] = this.#waiting.splice(Math.max(0, other), 1);
    this.#running = next;
    if (next === undefined) return;
    try {
      const { task } = next;
      next.resolve(await this.#timed(typeof task === 'function' ? await task() : task));
      this.counts.ok++;
    } catch (error) {
      this.counts[error instanceof OverrunError ? 'overrun' : 'failed']++;
      next.reject(error);
    }
    void this.#runNext(next.key);
  }

  async #timed(task: EvaluationTask): Promise<Uint8Array | PublicEvaluation> {
    try {
      return await this.#thread.runWithin(task, this.#runMs, { kind: 'warm-up' } satisfies WarmUp);
    } catch (error) {
      throw this.#isClosed ? new StoppedError('evaluations are stopped') : error;
    }
  }
}

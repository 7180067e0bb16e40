/**
 * Runs evaluations in a worker thread, one at a time, so that no other request waits for one. Accounts take turns, and in an account its
 * projects. A run that takes too long is ended with its thread.
 *
 *     run() ─▶ waiting (16 per project, 64 per account) ─▶ running (2 s of processor time at most) ─▶ bytes
 */
import { Turns } from '../../lib/async/turns.ts';
import { BusyError, OverrunError, StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { WarmUp } from './evaluate-worker.ts';
import type { EvaluationTask, ProjectTask, PublicationTask, PublicEvaluation } from './evaluation-task.ts';
import { OverrunPauses } from './overrun-pauses.ts';

export type { EvaluationTask, ProjectTask, PublicationTask, PublicEvaluation } from './evaluation-task.ts';

export interface EvaluationRunsOptions {
  readonly log: Log;
  /** Most processor time of a run, in milliseconds; default 2000. */
  readonly runMs?: number;
  /** Heap of the thread, in megabytes; default 512. */
  readonly heapMb?: number;
  readonly pauses?: OverrunPauses;
}

/** A project, or a publication, and the inputs of its evaluation. */
export interface Evaluated<Kind extends EvaluationTask['kind'] = EvaluationTask['kind']> {
  readonly kind: Kind;
  readonly accountId: string;
  readonly projectId: string;
  /** Changes with what is evaluated: LSN of the project, or of its publication. */
  readonly version: number;
  /** Equal for equal inputs of the request; without it all inputs are those of the server. */
  readonly inputs?: string | undefined;
}

/** Runs that may wait. The unit of the first limit is a lane: {@link laneOf}. */
const waitingMax = { lane: 16, account: 64 };

/** How long the idle thread waits for the next run, in milliseconds. */
const idleMs = 60_000;

type Result = Uint8Array | PublicEvaluation;

export class EvaluationRuns {
  /** Number of runs since the start, by outcome. */
  readonly counts = { ok: 0, busy: 0, overrun: 0, paused: 0, failed: 0 };
  readonly #thread: JobThread;
  readonly #log: Log;
  readonly #runMs: number;
  readonly #pauses: OverrunPauses;
  /** A lane has one run among those of its account, which therefore alternate. */
  readonly #lanes = new Turns({
    total: Number.POSITIVE_INFINITY,
    perAccount: 1,
    waitingPerAccount: waitingMax.lane,
    what: 'evaluations',
  });
  readonly #accounts = new Turns({
    total: 1,
    perAccount: 1,
    waitingPerAccount: waitingMax.account,
    what: 'evaluations of projects',
  });
  /** Runs that have not begun, by what they evaluate and its inputs. */
  readonly #waiting = new Map<string, Promise<Result>>();
  #isClosed = false;

  constructor({ log, runMs = 2000, heapMb = 512, pauses = new OverrunPauses() }: EvaluationRunsOptions) {
    this.#thread = new JobThread(workerFile(import.meta.url, './evaluate-worker'), { what: 'evaluations', log, idleMs, heapMb });
    this.#log = log;
    this.#runMs = runMs;
    this.#pauses = pauses;
  }

  /**
   * Evaluates in the thread. A call that is equal to one that waits shares its run. Rejects with {@link BusyError} if too many runs wait or the
   * machine is too busy, {@link OverrunError} if the run takes too much processor time or memory or did so shortly before, and
   * {@link StoppedError} after close.
   *
   * @param make makes the task when its turn has come: runs that wait hold no project in memory, and the run has what is newest then
   */
  run(of: Evaluated<'project'>, make: () => Promise<ProjectTask>): Promise<Uint8Array>;
  run(of: Evaluated<'publication'>, make: () => Promise<PublicationTask>): Promise<PublicEvaluation>;
  run(of: Evaluated, make: () => Promise<EvaluationTask>): Promise<Result> {
    const name = JSON.stringify([laneOf(of), of.inputs]);
    const present = this.#waiting.get(name);
    if (present !== undefined) return present;
    let hasBegun = false;
    const made = this.#inTurn(of, () => {
      hasBegun = true;
      this.#waiting.delete(name);
      return make();
    }).finally(() => {
      if (this.#waiting.get(name) === made) this.#waiting.delete(name);
    });
    if (!hasBegun) this.#waiting.set(name, made);
    return made;
  }

  /** Ends the thread. Runs that wait or run reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.stop();
  }

  async #inTurn(of: Evaluated, make: () => Promise<EvaluationTask>): Promise<Result> {
    const lane = laneOf(of);
    try {
      this.#check(lane, of);
      return await this.#lanes.run(lane, () =>
        this.#accounts.run(of.accountId, () => {
          // Other inputs may have been too much while this run waited.
          this.#check(lane, of);
          return this.#timed(lane, of, make);
        }),
      );
    } catch (error) {
      if (error instanceof BusyError) this.counts.busy++;
      throw this.#isClosed ? new StoppedError('evaluations are stopped') : error;
    }
  }

  /** Throws if a run must not begin. */
  #check(lane: string, { version }: Evaluated): void {
    if (this.#isClosed) throw new StoppedError('evaluations are stopped');
    try {
      this.#pauses.check(lane, version);
    } catch (error) {
      this.counts.paused++;
      throw error;
    }
  }

  async #timed(lane: string, of: Evaluated, make: () => Promise<EvaluationTask>): Promise<Result> {
    try {
      const task = await make();
      // To run it would start a thread.
      if (this.#isClosed) throw new StoppedError('evaluations are stopped');
      const result = await this.#thread.runWithin<Result>(task, this.#runMs, { kind: 'warm-up' } satisfies WarmUp);
      this.counts.ok++;
      this.#pauses.succeeded(lane);
      return result;
    } catch (error) {
      if (error instanceof OverrunError) {
        this.counts.overrun++;
        const refusal = this.#pauses.overrun(lane, of.version, error);
        const fields = { account_id: of.accountId, project_id: of.projectId, pause_s: refusal.retryAfterS };
        this.#log.warn({ ...fields, err: error }, 'an evaluation was ended');
        throw refusal;
      }
      if (!(error instanceof BusyError)) this.counts.failed++;
      throw error;
    }
  }
}

/**
 * Runs of one lane wait for each other, and share their pauses after overruns. Requests with inputs of their own have another lane: they
 * neither take the places of the editors of the project or of the visitors of its map, nor stop their evaluations.
 */
function laneOf({ kind, accountId, projectId, inputs }: Evaluated): string {
  return `${accountId}/${projectId}/${inputs === undefined ? kind : 'inputs'}`;
}

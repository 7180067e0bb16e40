/** Runs imports of agents in a thread: one at a time, and one per account, each for a bounded time. */
import { Turns } from '../../lib/async/turns.ts';
import { BusyError, OverrunError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import { RefusedError } from '../maps-api.ts';
import type { ImportAnswer, ImportTask, PlannedImport } from './import-task.ts';
import type { WarmUp } from './import-worker.ts';

/** Plans an import for a key. @throws {RefusedError} */
export type ConvertForAgent = (task: ImportTask) => Promise<PlannedImport>;

/** True if the agent waits for its answer no longer. */
export type IsGone = () => boolean;

/** Processor time of one import, and how long it may take on a busy machine, in milliseconds. */
const limitsMs = { processor: 10_000, wall: 30_000 } as const;
const idleMs = 10_000;
/** How long an import waits for its turn, in milliseconds. */
const waitMs = 30_000;
/** Heap of the thread, in megabytes: 5 MiB of text become objects of up to fifty times that. */
const heapMb = 512;
const retryAfterS = 5;

export class ImportThread {
  readonly #thread: JobThread;
  readonly #turns = new Turns({ total: 1, perAccount: 1, waitingPerAccount: 3, what: 'imports' });

  constructor(log?: Log) {
    const options = { what: 'imports of agents', idleMs, heapMb, onlyReads: true, ...(log === undefined ? {} : { log }) };
    this.#thread = new JobThread(workerFile(import.meta.url, './import-worker'), options);
  }

  /** @param account one import of it at a time: others wait, and are refused after a while */
  async plan(account: string, task: ImportTask, isGone: IsGone): Promise<PlannedImport> {
    const run = async () => (isGone() ? undefined : await this.#run(task));
    const answer = await this.#turns.runWithin(account, waitMs, run).catch((error: unknown) => {
      throw refusalOf(error);
    });
    if (answer === undefined) throw busy();
    if ('refused' in answer) throw new RefusedError({ status: 400, said: { detail: answer.refused } });
    return answer.planned;
  }

  /** Ends the thread: imports that run are refused. */
  close(): Promise<void> {
    return this.#thread.stop();
  }

  #run(task: ImportTask): Promise<ImportAnswer> {
    return this.#thread.runWithin<ImportAnswer>(task, limitsMs.processor, 'warm-up' satisfies WarmUp, limitsMs.wall);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof OverrunError)
    return new RefusedError({
      status: 413,
      detail: `The import takes more than ${limitsMs.processor / 1000} s. Split the text, or use npx mapwright import, which has no such limit.`,
    });
  return error instanceof BusyError ? busy() : error;
}

const busy = (): RefusedError =>
  new RefusedError({
    status: 429,
    detail: 'Other imports run, or the machine is too busy. Nothing was changed. Try again.',
    retry_after: retryAfterS,
  });

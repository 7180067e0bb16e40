/** Who folds: a thread of its own in production, the calling thread in tests that put another file system beneath. */
import { Piscina } from 'piscina';
import { type Attempt, resultOf } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import { workerFile } from '../lib/worker-file.ts';
import type { FoldReport } from './fold.ts';
import type { FoldTask } from './fold-worker.ts';

export interface FoldCrew {
  /** Carries out one fold; rejects with what went wrong. One at a time. */
  fold(task: FoldTask): Promise<FoldReport>;
  /** Breaks off a fold under way, which then rejects. */
  close(): Promise<void>;
}

export class FoldThread implements FoldCrew {
  readonly #log: Log;
  #pool: Piscina | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  async fold(task: FoldTask): Promise<FoldReport> {
    this.#pool ??= this.#newPool();
    return resultOf((await this.#pool.run(task)) as Attempt<FoldReport>);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  #newPool(): Piscina {
    const pool = new Piscina({ filename: workerFile(import.meta.url, './fold-worker'), minThreads: 0, maxThreads: 1 });
    // A thread that dies with a fold at hand fails that fold; one that dies without takes nothing with it, least of all the server.
    pool.on('error', (error) => this.#log.warn({ err: error }, 'a thread for snapshots died idle; the next fold gets a new one'));
    return pool;
  }
}

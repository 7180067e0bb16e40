/** Who folds: a thread of its own in production, the calling thread in tests that put another file system beneath. */
import { Piscina } from 'piscina';
import { type Attempt, resultOf } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import { urgently } from '../lib/priority.ts';
import { workerFile } from '../lib/worker-file.ts';
import type { FoldReport, FoldRequest } from './fold.ts';

export interface FoldTask {
  readonly request: FoldRequest;
  /** The log grows faster than it is folded: work like everybody else, not behind them. */
  readonly urgent: boolean;
}

export interface FoldCrew {
  /** Carries out one fold; rejects with what went wrong. One at a time. */
  fold(task: FoldTask): Promise<FoldReport>;
  /** Breaks off a fold under way, which then rejects. */
  close(): Promise<void>;
}

/** How long a thread waits for the next fold, in milliseconds: a new one reads and compiles the program again, which costs more than most folds. */
const idleMs = 60_000;

export class FoldThread implements FoldCrew {
  readonly #log: Log;
  /** One for folds of lowest priority, and one for those that are urgent: a thread's priority cannot be raised again. */
  readonly #pools = new Map<boolean, Piscina>();

  constructor(log: Log) {
    this.#log = log;
  }

  async fold({ request, urgent }: FoldTask): Promise<FoldReport> {
    const pool = this.#pools.get(urgent) ?? this.#newPool(urgent);
    try {
      return resultOf((await pool.run(request)) as Attempt<FoldReport>);
    } catch (error) {
      // The next one is not to depend on what became of this thread.
      await this.#letGo(urgent, pool);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const pool of this.#pools.values()) await pool.destroy();
  }

  #newPool(urgent: boolean): Piscina {
    const filename = workerFile(import.meta.url, './fold-worker');
    const pool = new Piscina({ filename, minThreads: 0, maxThreads: 1, idleTimeout: idleMs, argv: urgent ? [urgently] : [] });
    // A thread that dies with a fold at hand fails that fold. One that dies without, idle or before it is ready, takes nothing with it,
    // least of all the server; a fold that waits for it fails as well.
    pool.on('error', (error) => {
      this.#log.warn({ err: error }, 'a thread for snapshots died without a fold at hand; the next fold gets a new one');
      void this.#letGo(urgent, pool);
    });
    this.#pools.set(urgent, pool);
    return pool;
  }

  async #letGo(urgent: boolean, pool: Piscina): Promise<void> {
    if (this.#pools.get(urgent) === pool) this.#pools.delete(urgent);
    await pool.destroy();
  }
}

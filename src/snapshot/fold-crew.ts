/** Who folds: a thread of its own in production, the calling thread in tests that put another file system beneath. */
import { JobThread } from '../lib/job-thread.ts';
import type { Log } from '../lib/log.ts';
import type { FolderIdentity } from '../lib/open-folder.ts';
import { urgently } from '../lib/priority.ts';
import { workerFile } from '../lib/worker-file.ts';
import type { FoldReport, FoldRequest } from './fold.ts';
import type { FoldJob } from './fold-worker.ts';

export interface FoldTask {
  readonly request: FoldRequest;
  /** The log grows faster than it is folded: work like everybody else, not behind them. */
  readonly urgent: boolean;
}

export interface FoldCrew {
  /** Carries out one fold; rejects with what went wrong. One at a time. */
  fold(task: FoldTask): Promise<FoldReport>;
  /** Reads a snapshot wholly back and decodes every member of it. Rejects with CorruptError when it is damaged. */
  check(path: string): Promise<void>;
  /** Breaks off a fold under way, which then rejects. */
  close(): Promise<void>;
}

/** How long a thread waits for the next fold, in milliseconds: a new one reads and compiles the program again, which costs more than most folds. */
const idleMs = 60_000;

export class FoldThread implements FoldCrew {
  /** For folds of lowest priority, and for those that are urgent: a thread's priority cannot be raised again. */
  readonly #polite: JobThread;
  readonly #urgent: JobThread;
  readonly #root: FolderIdentity | undefined;

  /** @param root the data folder; `undefined`: not checked */
  constructor(log: Log, root?: FolderIdentity) {
    this.#root = root;
    const filename = workerFile(import.meta.url, './fold-worker');
    const options = { what: 'snapshots', log, idleMs };
    this.#polite = new JobThread(filename, options);
    this.#urgent = new JobThread(filename, { ...options, argv: [urgently] });
  }

  fold({ request, urgent }: FoldTask): Promise<FoldReport> {
    return this.#run(urgent ? this.#urgent : this.#polite, { root: this.#root, request });
  }

  check(path: string): Promise<void> {
    return this.#run(this.#polite, { root: this.#root, check: path });
  }

  async #run<T>(thread: JobThread, job: FoldJob): Promise<T> {
    try {
      return await thread.run<T>(job);
    } catch (error) {
      // The next one is not to depend on what became of this thread.
      await thread.letGo();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#polite.letGo();
    await this.#urgent.letGo();
  }
}

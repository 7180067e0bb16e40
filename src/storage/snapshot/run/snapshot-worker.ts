/** Runs snapshots: on a worker thread in production, on the calling thread in tests that replace the file system. */

import type { FolderIdentity } from '../../../lib/files/open-folder.ts';
import type { Log } from '../../../lib/observability/logger.ts';
import { JobThread } from '../../../lib/threads/job-thread.ts';
import { urgently } from '../../../lib/threads/priority.ts';
import { workerFile } from '../../../lib/threads/worker-file.ts';
import type { SnapshotReport, SnapshotRequest } from './snapshot-run.ts';
import type { SnapshotJob } from './snapshot-run-worker.ts';

export interface SnapshotTask {
  readonly request: SnapshotRequest;
  /** The log grows faster than snapshots cover it: run at normal priority, not at the lowest. */
  readonly urgent: boolean;
}

export interface SnapshotWorker {
  /** Makes one snapshot; rejects with the error. One at a time. */
  run(task: SnapshotTask): Promise<SnapshotReport>;
  /** Reads a snapshot back and decodes all its members; rejects with CorruptError if it is damaged. */
  check(path: string): Promise<void>;
  /** Aborts a running snapshot, which then rejects. */
  close(): Promise<void>;
}

/** How long a thread waits for the next snapshot, in milliseconds: a new thread loads the program again, slower than most snapshots. */
const idleMs = 60_000;

export class SnapshotThreads implements SnapshotWorker {
  /** Two threads, for lowest and normal priority: a thread cannot raise its priority again. */
  readonly #background: JobThread;
  readonly #urgent: JobThread;
  readonly #root: FolderIdentity | undefined;

  /** @param root the data folder; `undefined`: not checked */
  constructor(log: Log, root?: FolderIdentity) {
    this.#root = root;
    const filename = workerFile(import.meta.url, './snapshot-run-worker');
    const options = { what: 'snapshots', log, idleMs, pauses: true };
    this.#background = new JobThread(filename, options);
    this.#urgent = new JobThread(filename, { ...options, argv: [urgently] });
  }

  run({ request, urgent }: SnapshotTask): Promise<SnapshotReport> {
    return this.#run(urgent ? this.#urgent : this.#background, { root: this.#root, request });
  }

  check(path: string): Promise<void> {
    return this.#run(this.#background, { root: this.#root, check: path });
  }

  async #run<T>(thread: JobThread, job: SnapshotJob): Promise<T> {
    try {
      return await thread.run<T>(job);
    } catch (error) {
      // The next snapshot gets a fresh thread.
      await thread.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#background.stop();
    await this.#urgent.stop();
  }
}

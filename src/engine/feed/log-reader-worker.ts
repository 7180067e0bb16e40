/** Reads the log for subscribers: in a worker thread in production, in the calling thread with an in-memory log or in tests. */

import type { FolderIdentity } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { LogJob } from './feed-worker.ts';
import type { LogEventsRequest, LogPiece } from './log-events.ts';

export interface LogReaderWorker {
  /** Reads a piece of the log; `undefined` if the log no longer has its first record. Rejects with the error of the read. */
  read(request: LogEventsRequest): Promise<LogPiece | undefined>;
  /** Aborts the current read, which then rejects. */
  close(): Promise<void>;
}

/** How long the idle thread waits for the next request, in milliseconds. It has a segment in memory meanwhile. */
const idleMs = 10_000;

export class LogReaderThread implements LogReaderWorker {
  readonly #thread: JobThread;

  readonly #root: FolderIdentity | undefined;

  /** @param root identity of the data folder; `undefined` skips the check that the folder was not replaced */
  constructor(log: Log, root?: FolderIdentity) {
    this.#root = root;
    this.#thread = new JobThread(workerFile(import.meta.url, './feed-worker'), { what: 'subscribers', log, idleMs });
  }

  async read(request: LogEventsRequest): Promise<LogPiece | undefined> {
    try {
      return await this.#thread.run({ root: this.#root, request } satisfies LogJob);
    } catch (error) {
      // The next read starts with a new thread.
      await this.#thread.stop();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#thread.stop();
  }
}

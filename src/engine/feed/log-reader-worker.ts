/** Who reads the log for followers: a thread of its own in production, the calling thread in tests that put something else beneath. */

import type { FolderIdentity } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { LogJob } from './feed-worker.ts';
import type { LogEventsRequest, LogPiece } from './log-events.ts';

export interface LogReaderWorker {
  /** Reads a piece of the log; rejects with what went wrong. */
  read(request: LogEventsRequest): Promise<LogPiece | undefined>;
  /** Breaks off what is under way, which then rejects. */
  close(): Promise<void>;
}

/** How long the thread waits for the next who was away, in milliseconds: it holds a segment meanwhile. */
const idleMs = 10_000;

export class LogReaderThread implements LogReaderWorker {
  readonly #thread: JobThread;

  readonly #root: FolderIdentity | undefined;

  /** @param root the data folder; `undefined`: not checked */
  constructor(log: Log, root?: FolderIdentity) {
    this.#root = root;
    this.#thread = new JobThread(workerFile(import.meta.url, './feed-worker'), { what: 'followers', log, idleMs });
  }

  async read(request: LogEventsRequest): Promise<LogPiece | undefined> {
    try {
      return await this.#thread.run({ root: this.#root, request } satisfies LogJob);
    } catch (error) {
      // The next one is not to depend on what became of this thread.
      await this.#thread.stop();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#thread.stop();
  }
}

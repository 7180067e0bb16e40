/** Makes the content of pages in a worker thread, one at a time: a map has up to 64 MiB of JSON. */
import type { Log } from '../../../lib/observability/logger.ts';
import { JobThread } from '../../../lib/threads/job-thread.ts';
import { workerFile } from '../../../lib/threads/worker-file.ts';
import type { PageContentTask } from './page-content-worker.ts';

/** How long the idle thread waits for the next map, in milliseconds. */
const idleMs = 10_000;
/** Processor time for one map, in milliseconds, and heap of the thread, in megabytes: ten times the JSON of the largest map. */
const runMs = 10_000;
const heapMb = 768;

const warmUp: PageContentTask = { map: undefined };

export class PageContents {
  readonly #thread: JobThread;
  readonly #log: Log;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(log: Log) {
    this.#thread = new JobThread(workerFile(import.meta.url, './page-content-worker'), {
      ...{ what: 'pages of maps', idleMs, heapMb, log, onlyReads: true },
    });
    this.#log = log;
  }

  /**
   * The content of the page of a map, as JSON that is compressed with gzip; `undefined` if it cannot be made, which the log says: the map becomes
   * public without it. Never rejects.
   *
   * @param map the public map, compressed with gzip
   */
  of(map: Uint8Array): Promise<Uint8Array | undefined> {
    const made = this.#last.then(() => this.#make(map));
    this.#last = made;
    return made;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.stop();
  }

  async #make(map: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#isClosed) return undefined;
    try {
      return await this.#thread.runWithin<Uint8Array>({ map } satisfies PageContentTask, runMs, warmUp);
    } catch (error) {
      if (!this.#isClosed)
        this.#log.warn({ err: error }, 'cannot make the page of a map: it has no title, description and list of places');
      return undefined;
    }
  }
}

/** Reads public maps in a worker thread, one at a time, for their pages and for their places: a map has up to 64 MiB of JSON. */
import type { Log } from '../../../lib/observability/logger.ts';
import { JobThread } from '../../../lib/threads/job-thread.ts';
import { workerFile } from '../../../lib/threads/worker-file.ts';
import type { MapPart, MapTask, PageContentTask } from './page-content-worker.ts';

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
  async of(map: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return (await this.#part(async () => map, { part: 'page' })) as Uint8Array | undefined;
    } catch (error) {
      if (!this.#isClosed)
        this.#log.warn({ err: error }, 'cannot make the page of a map: it has no title, description and list of places');
      return undefined;
    }
  }

  /**
   * The identifiers of the places of a map, packed (public-places.ts); none once this is closed. Rejects if they cannot be read.
   *
   * @param read reads the map when its turn has come: one map is in memory at a time
   */
  async placeIdsOf(read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    return ((await this.#part(read, { part: 'ids' })) ?? new Uint8Array()) as Uint8Array;
  }

  /** Names of some places of a map, by identifier, as far as there are any. Otherwise as {@link placeIdsOf}. */
  async placeNamesOf(read: () => Promise<Uint8Array>, ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
    return ((await this.#part(read, { part: 'names', ids })) ?? {}) as Readonly<Record<string, string>>;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.stop();
  }

  /** A part of a map, after the earlier ones; `undefined` once this is closed. */
  #part(read: () => Promise<Uint8Array>, task: Omit<MapTask, 'map'>): Promise<MapPart | undefined> {
    const made = this.#last.then(async () => {
      if (this.#isClosed) return undefined;
      return await this.#thread.runWithin<MapPart>({ ...task, map: await read() } satisfies PageContentTask, runMs, warmUp);
    });
    this.#last = made.catch(() => undefined);
    return made;
  }
}

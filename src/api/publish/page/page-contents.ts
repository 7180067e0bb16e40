/**
 * Reads public maps in a worker thread, one at a time, for their pages and for their places: a map has up to 64 MiB of JSON. Accounts take turns, so
 * one with many large maps delays another by one of them.
 */
import { createHash } from 'node:crypto';
import { Turns } from '../../../lib/async/turns.ts';
import { BytesCache } from '../../../lib/memory/bytes-cache.ts';
import type { Log } from '../../../lib/observability/logger.ts';
import { JobThread } from '../../../lib/threads/job-thread.ts';
import { workerFile } from '../../../lib/threads/worker-file.ts';
import type { MapPart, MapTask, PageContentTask } from './page-content-worker.ts';

/** How long the idle thread waits for the next map, in milliseconds. */
const idleMs = 10_000;
/** Processor time for one map, in milliseconds, and heap of the thread, in megabytes: ten times the JSON of the largest map. */
const runMs = 10_000;
const heapMb = 768;

/** Memory of names that were read, in bytes. */
const namesBytesMax = 4 * 1024 * 1024;

type Names = Readonly<Record<string, string>>;

/** A public map that is read when its turn has come: one map is in memory at a time. */
export interface ReadableMap {
  readonly accountId: string;
  /** The blob with the map. */
  readonly blob: string;
  read(): Promise<Uint8Array>;
}

const warmUp: PageContentTask = { map: undefined };

export class PageContents {
  readonly #thread: JobThread;
  readonly #log: Log;
  readonly #turns = new Turns({ total: 1, perAccount: 1 });
  /** Names of places, by the blob of the map and the identifiers. */
  readonly #names = new BytesCache<Names>(namesBytesMax);
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
  async of(accountId: string, map: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return (await this.#part({ accountId, read: async () => map }, { part: 'page' })) as Uint8Array | undefined;
    } catch (error) {
      if (!this.#isClosed)
        this.#log.warn({ err: error }, 'cannot make the page of a map: it has no title, description and list of places');
      return undefined;
    }
  }

  /**
   * The identifiers of the places of a map, packed (public-places.ts); none once this is closed. Rejects if they cannot be read.
   */
  async placeIdsOf(map: ReadableMap): Promise<Uint8Array> {
    return ((await this.#part(map, { part: 'ids' })) ?? new Uint8Array()) as Uint8Array;
  }

  /** Names of some places of a map, by identifier, as far as there are any: read once for equal requests. Otherwise as {@link placeIdsOf}. */
  async placeNamesOf(map: ReadableMap, ids: readonly string[]): Promise<Names> {
    const key = `${map.blob} ${createHash('sha256').update(ids.join()).digest('base64url')}`;
    return await this.#names.of(key, async () => {
      const value = ((await this.#part(map, { part: 'names', ids })) ?? {}) as Names;
      return { value, bytes: 2 * JSON.stringify(value).length };
    });
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.stop();
  }

  /** A part of a map, when it is the turn of the account; `undefined` once this is closed. */
  #part({ accountId, read }: Omit<ReadableMap, 'blob'>, task: Omit<MapTask, 'map'>): Promise<MapPart | undefined> {
    return this.#turns.run(accountId, async () => {
      if (this.#isClosed) return undefined;
      return await this.#thread.runWithin<MapPart>({ ...task, map: await read() } satisfies PageContentTask, runMs, warmUp);
    });
  }
}

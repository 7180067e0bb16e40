/**
 * The identifiers of the places of published maps, which a beacon may name. They are read once for each version, in a thread, and stay in memory
 * while there is room. Beacons cannot make this grow: it holds only what was published.
 */
import { blobOf } from '../../../engine/files/published-maps.ts';
import { BytesCache, type Made } from '../../../lib/memory/bytes-cache.ts';
import type { PublishedVersion } from '../../../model/publication.ts';
import type { Api } from '../../declaration.ts';
import { storedFilesOf } from '../../files/file-endpoints.ts';
import type { ReadableMap } from '../page/page-contents.ts';

/** Memory of all identifiers, in bytes: 16 for each place. The largest map has ten megabytes. */
const keptBytesMax = 24 * 1024 * 1024;
/** Maps that are read or wait for it. */
const readingMax = 8;
/** Beacons that wait for a map. */
const waitingMax = 1000;
/** Time after which a map that could not be read is read again, in milliseconds. */
const againMs = 60_000;
/** Maps that could not be read, as far as they are remembered. */
const failedMax = 1000;

const none = new Uint8Array();

export class PublishedPlaces {
  readonly #api: Api;
  /** By the blob of the map. */
  readonly #kept = new BytesCache<Uint8Array>(keptBytesMax);
  /** When reading a map failed. */
  readonly #failedAt = new Map<string, number>();
  #waiting = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The packed identifiers of a version (public-places.ts); none if they cannot be read, or while too much waits. Never rejects. */
  of(version: PublishedVersion, accountId: string): Uint8Array | Promise<Uint8Array> {
    const { blob } = version;
    const kept = this.#kept.find(blob);
    if (kept !== undefined) return kept;
    const now = this.#api.engine.writer.context().now;
    const hasFailed = now - (this.#failedAt.get(blob) ?? Number.NEGATIVE_INFINITY) < againMs;
    const isFull = this.#waiting >= waitingMax || (this.#kept.making >= readingMax && !this.#kept.isMaking(blob));
    return hasFailed || isFull ? none : this.#wait(version, accountId, now);
  }

  async #wait(version: PublishedVersion, accountId: string, now: number): Promise<Uint8Array> {
    this.#waiting++;
    try {
      return await this.#kept.of(version.blob, () => this.#read(version, accountId, now));
    } finally {
      this.#waiting--;
    }
  }

  async #read(version: PublishedVersion, accountId: string, now: number): Promise<Made<Uint8Array>> {
    try {
      const value = (await this.#api.publishing?.pages.placeIdsOf(readableMap(this.#api, version, accountId))) ?? none;
      return { value, bytes: value.byteLength };
    } catch {
      // A damaged blob is reported where it was read.
      this.#failedAt.delete(version.blob);
      this.#failedAt.set(version.blob, now);
      if (this.#failedAt.size > failedMax) this.#failedAt.delete(this.#failedAt.keys().next().value as string);
      return { value: none };
    }
  }
}

/** A published map that is read when it is needed. */
export const readableMap = (api: Api, version: PublishedVersion, accountId: string): ReadableMap => ({
  ...{ accountId, blob: version.blob },
  read: () => readMap(api, version, accountId),
});

/** All bytes of a published map, compressed with gzip. */
async function readMap(api: Api, version: PublishedVersion, accountId: string): Promise<Uint8Array> {
  const files = storedFilesOf(api);
  return await files.reading(blobOf(version), () => files.maps.read(version, accountId));
}

/**
 * The identifiers of the places of published maps, which a beacon may name. They are read once for each version, in a thread, and stay in memory
 * while there is room. Beacons cannot make this grow: it holds only what was published.
 */
import { blobOf } from '../../../engine/files/published-maps.ts';
import { BytesCache } from '../../../lib/memory/bytes-cache.ts';
import type { PublishedVersion } from '../../../model/publication.ts';
import type { Api } from '../../declaration.ts';
import { storedFilesOf } from '../../files/file-endpoints.ts';

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
  readonly #kept = new BytesCache<Uint8Array>(keptBytesMax);
  /** By the blob of the map. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();
  /** When reading a map failed. */
  readonly #failedAt = new Map<string, number>();
  #waiting = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The packed identifiers of a version (public-places.ts); none if they cannot be read, or while too much waits. Never rejects. */
  of(version: PublishedVersion, accountId: string): Uint8Array | Promise<Uint8Array> {
    const kept = this.#kept.find(version.blob);
    if (kept !== undefined) return kept;
    const now = this.#api.engine.writer.context().now;
    if (now - (this.#failedAt.get(version.blob) ?? Number.NEGATIVE_INFINITY) < againMs || this.#waiting >= waitingMax)
      return none;
    let reading = this.#reading.get(version.blob);
    if (reading === undefined) {
      if (this.#reading.size >= readingMax) return none;
      reading = this.#read(version, accountId, now).finally(() => this.#reading.delete(version.blob));
      this.#reading.set(version.blob, reading);
    }
    this.#waiting++;
    return reading.finally(() => this.#waiting--);
  }

  async #read(version: PublishedVersion, accountId: string, now: number): Promise<Uint8Array> {
    try {
      const ids = (await this.#api.publishing?.pages.placeIdsOf(() => readMap(this.#api, version, accountId))) ?? none;
      this.#kept.keep(version.blob, ids, ids.byteLength);
      return ids;
    } catch {
      // A damaged blob is reported where it was read.
      this.#failedAt.delete(version.blob);
      this.#failedAt.set(version.blob, now);
      if (this.#failedAt.size > failedMax) this.#failedAt.delete(this.#failedAt.keys().next().value as string);
      return none;
    }
  }
}

/** All bytes of a published map, compressed with gzip. */
export async function readMap(api: Api, version: PublishedVersion, accountId: string): Promise<Uint8Array> {
  const files = storedFilesOf(api);
  return await files.reading(blobOf(version), () => files.maps.read(version, accountId));
}

/**
 * Reads the maps of publications, which are blobs. Small ones that were read lately stay in memory, a few megabytes in all: a popular map costs
 * no access to the disk. Their bytes never change, so none is ever stale.
 */
import { BytesCache } from '../../lib/memory/bytes-cache.ts';
import type { CacheMemory } from '../../lib/memory/cache-memory.ts';
import type { PublishedVersion } from '../../model/publication.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { OpenBlob } from '../../storage/blobs/open-blob.ts';

/** Memory of all maps that are kept, and of one of them, in bytes. */
const keptBytesMax = 8 * 1024 * 1024;
const mapBytesMax = 512 * 1024;

type MapName = Pick<PublishedVersion, 'blob' | 'bytes'>;

/** The blob of a map. */
export const blobOf = ({ blob, bytes }: MapName): BlobName => ({ digest: blob, bytes });

export class PublishedMaps {
  readonly #blobs: BlobStore;
  readonly #kept: BytesCache<Buffer>;

  constructor(blobs: BlobStore, memory?: CacheMemory) {
    this.#blobs = blobs;
    this.#kept = new BytesCache(keptBytesMax, memory);
  }

  /** Memory in use, in bytes. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /** The bytes of a map, if they are in memory. */
  find({ blob }: MapName): Buffer | undefined {
    return this.#kept.find(blob);
  }

  /** The bytes of a small map, or the open file of a large one. Rejects as {@link BlobStore.openBlob} does. */
  async open(map: MapName, accountId: string): Promise<Buffer | OpenBlob> {
    if (map.bytes > mapBytesMax) return await this.#blobs.openBlob(map.blob, map.bytes, accountId);
    return await this.read(map, accountId);
  }

  /** All bytes of a map. Rejects as {@link BlobStore.openBlob} does. */
  async read(map: MapName, accountId: string): Promise<Buffer> {
    const { blob, bytes } = map;
    if (bytes > mapBytesMax) return await this.#blobs.read(blob, bytes, accountId);
    return await this.#kept.of(blob, async () => {
      const value = await this.#blobs.read(blob, bytes, accountId);
      return { value, bytes: value.byteLength };
    });
  }
}

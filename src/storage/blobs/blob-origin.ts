/**
 * Blobs whose folder is only a cache: their bytes are durable elsewhere, in the database of a cluster.
 *
 *     upload: write -> file of the cache -> finish: put into the origin -> durable        openBlob: not in the cache -> get -> verified -> cache
 */
import type { FolderListing } from './blob-files.ts';
import type { BlobName } from './blob-source.ts';
import type { BlobUpload, StoredBlob } from './blob-upload.ts';

export interface BlobOrigin {
  /**
   * Stores a blob durably, also if it is there: equal bytes take the same time, and damage is repaired. Retries while the origin does not
   * respond. Rejects when the signal aborts, and with NotOwnerError; then the blob may be there, or a part of it.
   *
   * @param pieces reads the bytes from their beginning; is called once or more. If they have another digest, nothing is stored and this
   *     rejects with BlobDamagedError
   */
  put(blob: BlobName, pieces: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** The bytes, not verified, up to the first that is missing. Rejects with BusyError if the origin does not respond. */
  get(digest: string): AsyncIterable<Uint8Array>;
  /** Whether the origin has all bytes; they are not read. */
  has(blob: BlobName): Promise<boolean>;
  /** The blobs whose digests begin with two digits, also incomplete ones, with the number of bytes that are there. */
  list(prefix: string): Promise<Pick<FolderListing, 'digests' | 'bytes'>>;
  /** Deletes blobs durably. Resolves with the digests that are gone, also those that did not exist. */
  delete(digests: readonly string[]): Promise<readonly string[]>;
  /** Where a blob is, for messages. */
  describe(digest: string): string;
}

/** An upload that is finished when the origin has its bytes. */
export class OriginUpload implements BlobUpload {
  readonly #cached: BlobUpload;
  readonly #toOrigin: (stored: StoredBlob) => Promise<void>;

  /** @param cached stores the bytes in the cache. @param toOrigin puts them into the origin; if it rejects, the upload has failed */
  constructor(cached: BlobUpload, toOrigin: (stored: StoredBlob) => Promise<void>) {
    this.#cached = cached;
    this.#toOrigin = toOrigin;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#cached.write(bytes);
  }

  async finish(): Promise<StoredBlob> {
    const stored = await this.#cached.finish();
    try {
      await this.#toOrigin(stored);
      return stored;
    } catch (error) {
      stored.hold.release();
      throw error;
    }
  }

  abort(): Promise<void> {
    return this.#cached.abort();
  }
}

/** Both listings as one, sorted. A blob that only the cache has counts as 0 bytes: it is not durable. */
export function mergeListings(origin: Pick<FolderListing, 'digests' | 'bytes'>, cached: FolderListing): FolderListing {
  const sizes = new Map<string, number>();
  for (const [digest] of digestsIn(cached)) sizes.set(digest, 0);
  for (const [digest, i] of digestsIn(origin)) sizes.set(digest, origin.bytes[i] as number);
  const sorted = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    digests: Buffer.from(sorted.map(([digest]) => digest).join(''), 'hex'),
    bytes: Float64Array.from(sorted, ([, bytes]) => bytes),
    changedMs: new Float64Array(sorted.length).fill(Number.NaN),
  };
}

const digestBytes = 32;

function* digestsIn({ digests, bytes }: Pick<FolderListing, 'digests' | 'bytes'>): Generator<[digest: string, index: number]> {
  const all = Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength);
  for (let i = 0; i < bytes.length; i++) yield [all.toString('hex', i * digestBytes, (i + 1) * digestBytes), i];
}

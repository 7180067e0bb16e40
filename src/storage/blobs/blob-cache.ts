/**
 * Moves bytes between a folder of blobs that is a cache and its origin.
 *
 *     upload:   write -> file of the cache -> finish: put into the origin -> durable
 *     openBlob: not in the cache -> get from the origin -> verified -> file of the cache
 */
import { BlobDamagedError, BusyError, NoSpaceError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { FolderListing } from './blob-files.ts';
import type { BlobOrigin } from './blob-origin.ts';
import { type BlobName, pieceBytesMax } from './blob-source.ts';
import { type BlobUpload, OtherBytesError } from './blob-upload.ts';
import type { BlobHandle } from './open-blob.ts';

/** What a cache needs of its store. Callers hold the blobs that they name. */
interface CacheParts {
  readonly log: Log;
  readonly onLeft?: (digest: string) => void;
  /** Opens a file of the cache. Rejects with BlobDamagedError if there is none of this size. */
  openFile(blob: BlobName): Promise<BlobHandle>;
  /** Begins an upload into the cache, which fails with {@link OtherBytesError} for bytes with another digest. */
  upload(digest: string): BlobUpload;
  /** Rejects with StalledError if the work takes too long. */
  timed<T>(work: Promise<T>): Promise<T>;
}

export class BlobCache {
  readonly #origin: BlobOrigin;
  readonly #parts: CacheParts;
  /** Ends the uploads that wait for the origin. */
  readonly #puts = new Set<AbortController>();
  /** Blobs that are being loaded, by digest. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor(origin: BlobOrigin, parts: CacheParts) {
    this.#origin = origin;
    this.#parts = parts;
  }

  /** The upload, which is then finished when the origin has its bytes. */
  finishing(upload: BlobUpload): BlobUpload {
    return {
      get heldBytes() {
        return upload.heldBytes;
      },
      write: (bytes) => upload.write(bytes),
      finish: async () => {
        const stored = await upload.finish();
        try {
          const isNew = !(await this.#origin.has(stored));
          await this.#put(stored);
          return { ...stored, isNew };
        } catch (error) {
          this.#parts.onLeft?.(stored.digest);
          stored.hold.release();
          throw error;
        }
      },
      abort: () => upload.abort(),
    };
  }

  /** Loads a blob into the cache, once for all that wait for it. Rejects as {@link BlobStore.openBlob} does. */
  load(blob: BlobName): Promise<void> {
    const { digest } = blob;
    let loading = this.#loading.get(digest);
    if (loading === undefined) {
      loading = this.#download(blob).finally(() => this.#loading.delete(digest));
      this.#loading.set(digest, loading);
    }
    return this.#parts.timed(loading);
  }

  /** Whether the cache has a file of this blob, of the right size. */
  async isCached(blob: BlobName): Promise<boolean> {
    const handle = await this.#parts.openFile(blob).catch(() => undefined);
    await handle?.close();
    return handle !== undefined;
  }

  /** See {@link BlobStore.bring}. */
  async bring(blob: BlobName, isDamaged: boolean): Promise<boolean> {
    if (!isDamaged && (await this.isCached(blob))) return false;
    await this.load(blob);
    return true;
  }

  /** See {@link BlobStore.check}. */
  async check(blob: BlobName): Promise<void> {
    const { digest } = blob;
    if (await this.#origin.has(blob)) return;
    if (!(await this.isCached(blob))) throw this.#damaged(blob, 'bytes are missing');
    await this.#put(blob);
    this.#parts.log.warn({ at: this.#origin.describe(digest) }, 'bytes of a file were missing: stored them again from the cache');
  }

  /** The blobs of the origin and of the cache whose digests begin with two digits. One that only the cache has counts as 0 bytes. */
  async list(prefix: string, cached: FolderListing): Promise<FolderListing> {
    return mergeListings(await this.#origin.list(prefix), cached);
  }

  /** Deletes blobs of the origin; resolves with those that are gone. */
  delete(digests: readonly string[]): Promise<readonly string[]> {
    return this.#origin.delete(digests);
  }

  /** Rejects the uploads that wait for the origin. */
  stop(error: Error): void {
    for (const put of this.#puts) put.abort(error);
  }

  /** Copies the bytes to a file of the cache, which gets the name of the blob only if they have its digest. */
  async #download(blob: BlobName): Promise<void> {
    const { digest, bytes } = blob;
    const upload = this.#parts.upload(digest);
    try {
      let count = 0;
      for await (const piece of this.#origin.get(digest)) {
        count += piece.byteLength;
        await upload.write(piece);
      }
      if (count !== bytes) throw this.#damaged(blob, `it has ${count} bytes, its record has ${bytes}`);
      const { hold } = await upload.finish();
      hold.release();
    } catch (error) {
      await upload.abort();
      if (error instanceof NoSpaceError) throw new BusyError(`the disk of this node has no room for a copy of ${digest}`);
      throw error instanceof OtherBytesError ? this.#damaged(blob, 'its bytes have another digest') : error;
    }
  }

  #damaged({ digest }: BlobName, found: string): BlobDamagedError {
    return new BlobDamagedError(digest, this.#origin.describe(digest), found);
  }

  /** Puts a blob of the cache into the origin. */
  async #put(blob: BlobName): Promise<void> {
    const put = new AbortController();
    const { signal } = put;
    this.#puts.add(put);
    // A statement that waits for its answer does not notice the signal.
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    stopped.catch(() => undefined);
    try {
      await Promise.race([this.#parts.timed(this.#origin.put(blob, () => this.#piecesOf(blob), signal)), stopped]);
    } finally {
      put.abort();
      this.#puts.delete(put);
    }
  }

  /** The bytes of a file of the cache. Each piece is a buffer of its own. */
  async *#piecesOf(blob: BlobName): AsyncGenerator<Uint8Array> {
    const handle = await this.#parts.openFile(blob);
    try {
      for (let at = 0; at < blob.bytes; ) {
        const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, blob.bytes - at));
        const { bytesRead } = await handle.read(piece, 0, piece.byteLength, at);
        yield piece.subarray(0, bytesRead);
        // The file was cut: what is missing changes the digest.
        if (bytesRead < piece.byteLength) return;
        at += bytesRead;
      }
    } finally {
      await handle.close();
    }
  }
}

/** Both listings as one, sorted. A blob that only the cache has counts as 0 bytes: it is not durable. */
function mergeListings(origin: Pick<FolderListing, 'digests' | 'bytes'>, cached: FolderListing): FolderListing {
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

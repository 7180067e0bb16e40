/** Where the bytes of blobs are durable, if the folder is only a cache of them: the database of a cluster. */
import type { FolderListing } from './blob-files.ts';
import type { BlobName } from './blob-source.ts';

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

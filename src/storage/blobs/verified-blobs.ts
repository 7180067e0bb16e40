/**
 * Opens blobs for reading, only those whose bytes have their digest.
 *
 *     up to 256 KiB   read as a whole and compared; a few of them stay in memory
 *     larger          compared in a thread before the first byte is read, once for each stamp of the file
 *
 * Each account waits only for its own blobs and one of each other account: a hostile one may have thousands that were never read. A folder
 * that is a cache loads a damaged blob again.
 */
import { createHash } from 'node:crypto';
import { Turns } from '../../lib/async/turns.ts';
import { BlobDamagedError, BusyError } from '../../lib/errors.ts';
import { isUnreadable, systemMessage } from '../../lib/files/system-errors.ts';
import type { BlobName } from './blob-source.ts';
import { type BlobHandle, handleOf, isOlderThanTick, type OpenFile, readAll } from './open-blob.ts';
import { RecentBlobs } from './recent-blobs.ts';

/** Size limit of a blob that is compared in the main thread, and kept in memory, in bytes. */
export const smallBlobBytesMax = 256 * 1024;

/** Number of blobs whose stamps are kept: about 4 MB. */
const stampsMax = 16_384;

/** A file that is replaced by equal bytes is compared again. */
const triesMax = 3;

/** Who waits for a comparison: a request, or no one. */
export type Pace = 'request' | 'background';

interface VerifiedParts {
  /** Opens the file of a blob. Rejects with BlobDamagedError if there is none of this size. */
  open(blob: BlobName): Promise<OpenFile>;
  /** The stamp of the file of a blob now; `undefined` if there is none. */
  stamp(digest: string): Promise<string | undefined>;
  /** Compares the bytes of an open file in a thread. Resolves with what is wrong; '' if nothing is. */
  compare(handle: BlobHandle, blob: BlobName, pace: Pace): Promise<string>;
  /** The error for a blob that is damaged. */
  damaged(digest: string, found: string): BlobDamagedError;
  /** Loads the blob again if the folder is a cache, or else rejects with the error. */
  repair(blob: BlobName, error: BlobDamagedError): Promise<void>;
}

export class VerifiedBlobs {
  readonly #parts: VerifiedParts;
  readonly #recent = new RecentBlobs();
  /** Stamps of files that had the right bytes, by digest; the oldest comes first. */
  readonly #stamps = new Map<string, string>();
  /** Comparisons for requests that run or wait, by digest. */
  readonly #comparing = new Map<string, Promise<string>>();
  readonly #turns = new Turns({ total: 1, perAccount: 1, waitingPerAccount: 1000, what: 'reads of large files' });

  constructor(parts: VerifiedParts) {
    this.#parts = parts;
  }

  /** The bytes of a blob that are in memory; `undefined` if they are not, or if its file has changed. */
  async recent({ digest, bytes }: BlobName): Promise<OpenFile | undefined> {
    const recent = bytes <= smallBlobBytesMax ? this.#recent.find(digest) : undefined;
    if (recent?.bytes.length !== bytes || recent.stamp !== (await this.#parts.stamp(digest))) return undefined;
    return { handle: handleOf(recent.bytes), stamp: recent.stamp };
  }

  /** Opens a blob. Rejects with BlobDamagedError, and with BusyError if too many blobs of the account wait. */
  async open(blob: BlobName, accountId: string): Promise<OpenFile> {
    return await this.#repaired(blob, () =>
      blob.bytes <= smallBlobBytesMax ? this.#openSmall(blob) : this.#openLarge(blob, accountId),
    );
  }

  /** Reads a blob in the background and compares it, whatever its stamp. Rejects with BlobDamagedError. */
  async verify(blob: BlobName): Promise<void> {
    await this.#repaired(blob, () => this.#compare(blob, 'background'));
  }

  /** Opens the file of a blob without a look at its bytes, and closes it. Rejects with BlobDamagedError. */
  async checkPresence(blob: BlobName): Promise<void> {
    await this.#repaired(blob, async () => await (await this.#parts.open(blob)).handle.close());
  }

  async #openSmall(blob: BlobName): Promise<OpenFile> {
    const { digest } = blob;
    const openedAt = Date.now();
    const { handle, stamp } = await this.#parts.open(blob);
    let bytes: Buffer;
    try {
      bytes = await readAll(handle, blob.bytes);
    } catch (error) {
      throw isUnreadable(error) ? this.#parts.damaged(digest, systemMessage(error)) : error;
    } finally {
      await handle.close();
    }
    if (this.#stamps.get(digest) !== stamp || bytes.length !== blob.bytes) {
      if (createHash('sha256').update(bytes).digest('hex') !== digest)
        throw this.#parts.damaged(digest, 'its bytes have another digest');
      this.#note(digest, stamp, openedAt);
    }
    this.#recent.keep(digest, { bytes, stamp });
    return { handle: handleOf(bytes), stamp };
  }

  async #openLarge(blob: BlobName, accountId: string): Promise<OpenFile> {
    let right = this.#stamps.get(blob.digest);
    for (let tries = 0; tries <= triesMax; tries++) {
      const file = await this.#parts.open(blob);
      if (file.stamp === right) return file;
      // Closed while it waits: many may wait.
      await file.handle.close();
      right = await this.#compareOnce(blob, accountId);
    }
    throw new BusyError(`the file of the blob ${blob.digest} changes while it is read`);
  }

  /** Compares a blob once for all that wait for it. Resolves with the stamp of the file that has the right bytes. */
  #compareOnce(blob: BlobName, accountId: string): Promise<string> {
    const { digest } = blob;
    let comparing = this.#comparing.get(digest);
    if (comparing === undefined) {
      const work = () => this.#compare(blob, 'request');
      comparing = this.#turns.run(accountId, work).finally(() => this.#comparing.delete(digest));
      this.#comparing.set(digest, comparing);
    }
    return comparing;
  }

  async #compare(blob: BlobName, pace: Pace): Promise<string> {
    const openedAt = Date.now();
    const { handle, stamp } = await this.#parts.open(blob);
    try {
      const found = await this.#parts.compare(handle, blob, pace);
      if (found !== '') throw this.#parts.damaged(blob.digest, found);
      this.#note(blob.digest, stamp, openedAt);
      return stamp;
    } finally {
      await handle.close();
    }
  }

  /** Does work on a blob, and once more if it was damaged and is repaired. */
  async #repaired<T>(blob: BlobName, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BlobDamagedError)) throw error;
      this.#stamps.delete(blob.digest);
      this.#recent.drop(blob.digest);
      await this.#parts.repair(blob, error);
      return await work();
    }
  }

  #note(digest: string, stamp: string, readAt: number): void {
    this.#stamps.delete(digest);
    if (!isOlderThanTick(stamp, readAt)) return;
    this.#stamps.set(digest, stamp);
    const [oldest = ''] = this.#stamps.keys();
    if (this.#stamps.size > stampsMax) this.#stamps.delete(oldest);
  }
}

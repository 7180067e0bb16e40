/** What an engine needs for blobs: where they are stored, the recognition of pictures, and the deletion of what nothing refers to. */
import { Turns } from '../../lib/async/turns.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import type { CacheMemory } from '../../lib/memory/cache-memory.ts';
import type { PictureRecognizer } from '../../lib/pictures/picture-recognizer.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import { AccountUploads, type AccountUploadsParts } from './account-uploads.ts';
import type { BlobCollector } from './blob-collector.ts';
import { PublishedMaps } from './published-maps.ts';

export class StoredFiles {
  readonly blobs: BlobStore;
  readonly recognizer: PictureRecognizer;
  /** The recognizer reads one picture at a time. */
  readonly recognizing = new Turns({ total: 1, perAccount: 1 });
  readonly collector: BlobCollector;
  /** Starts everything that is stored for an account. */
  readonly uploads: AccountUploads;
  readonly maps: PublishedMaps;

  /** @param memory decides how many published maps stay in memory */
  constructor(recognizer: PictureRecognizer, parts: AccountUploadsParts, memory?: CacheMemory) {
    const { blobs, collector } = parts;
    this.blobs = blobs;
    this.recognizer = recognizer;
    this.collector = collector;
    this.uploads = new AccountUploads(parts);
    this.maps = new PublishedMaps(blobs, memory);
  }

  /**
   * Does work that reads a blob. Damage that it finds is noted for the alarm; the work rejects with it. Damage that is known already rejects
   * before, since only a look at all bytes finds it.
   */
  async reading<T>(blob: BlobName, work: () => Promise<T>): Promise<T> {
    try {
      if (this.collector.isDamaged(blob.digest)) await this.collector.refuseDamaged(blob);
      return await work();
    } catch (error) {
      if (error instanceof BlobDamagedError) this.collector.noteDamage({ digest: error.digest, found: error.message });
      throw error;
    }
  }

  /**
   * Brings blobs into the folder that it is a cache of; does nothing for the folder of one machine. One that cannot be brought is left out:
   * what reads it reports the damage.
   *
   * @param isDamaged whether the folder's copies of them are worthless
   * @returns whether any was brought
   */
  async bring(blobs: Iterable<BlobName>, isDamaged = false): Promise<boolean> {
    if (!this.blobs.isCache) return false;
    let isAny = false;
    for (const blob of [...blobs]) {
      try {
        isAny = (await this.blobs.bring(blob, isDamaged)) || isAny;
      } catch (error) {
        if (!(error instanceof BlobDamagedError)) throw error;
        this.collector.noteDamage({ digest: blob.digest, found: error.message });
      }
    }
    return isAny;
  }

  /** Discards running uploads, and ends the threads. */
  async close(): Promise<void> {
    await this.recognizer.close();
    await this.uploads.close();
    await this.collector.keepList();
    await this.blobs.close();
    await this.collector.close();
  }
}

/** What an engine on a data folder needs for files: their blobs, their recognition, and the deletion of what nothing refers to. */
import { BlobDamagedError } from '../../lib/errors.ts';
import type { PictureRecognizer } from '../../lib/pictures/picture-recognizer.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { BlobCollector } from './blob-collector.ts';

export class StoredFiles {
  readonly blobs: BlobStore;
  readonly recognizer: PictureRecognizer;
  readonly collector: BlobCollector;

  constructor(blobs: BlobStore, recognizer: PictureRecognizer, collector: BlobCollector) {
    this.blobs = blobs;
    this.recognizer = recognizer;
    this.collector = collector;
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
    await this.blobs.close();
    await this.collector.close();
  }
}

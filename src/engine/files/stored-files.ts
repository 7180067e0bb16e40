/** What an engine on a data folder needs for files: their blobs, their recognition, and the deletion of what nothing refers to. */
import type { PictureRecognizer } from '../../lib/pictures/picture-recognizer.ts';
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

  /** Discards running uploads, and ends the threads. */
  async close(): Promise<void> {
    await this.recognizer.close();
    await this.blobs.close();
    await this.collector.close();
  }
}

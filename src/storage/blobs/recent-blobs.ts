/**
 * The bytes of small blobs that were read recently: opening, reading and closing a file of 50 kB takes longer than sending it. A blob comes
 * from memory only while its file is unchanged since it was read, so one that is missing, cut or overwritten is noticed as without this.
 */
import { handleOf, type OpenBlob } from './open-blob.ts';

/** Size limit of a blob that is kept, in bytes. */
export const recentBlobBytesMax = 256 * 1024;

/** Size limit of all that are kept, in bytes. */
const recentBytesMax = 16 * 1024 * 1024;

interface Recent {
  readonly bytes: Buffer;
  /** Of the file before it was read. */
  readonly stamp: string;
}

interface RecentParts {
  /** The stamp of a blob's file now; `undefined` if there is none. */
  stamp(digest: string): Promise<string | undefined>;
  /** See BlobStore.openBlob. */
  open(digest: string, bytes: number): Promise<OpenBlob>;
}

export class RecentBlobs {
  readonly #parts: RecentParts;
  /** By digest; the one that was not read for the longest time is first. */
  readonly #recent = new Map<string, Recent>();
  #bytes = 0;

  constructor(parts: RecentParts) {
    this.#parts = parts;
  }

  /** Opens a blob of at most {@link recentBlobBytesMax}. Rejects as BlobStore.openBlob does. */
  async open(digest: string, bytes: number): Promise<OpenBlob> {
    const recent = this.#recent.get(digest);
    if (recent !== undefined && recent.bytes.length === bytes && recent.stamp === (await this.#parts.stamp(digest))) {
      this.#keep(digest, recent);
      return { digest, bytes, stamp: recent.stamp, handle: handleOf(recent.bytes), close: async () => undefined };
    }
    this.#drop(digest);
    const opened = await this.#parts.open(digest, bytes);
    const all = Buffer.allocUnsafeSlow(bytes);
    try {
      const { bytesRead } = await opened.handle.read(all, 0, bytes, 0);
      // Who reads on finds the end.
      if (bytesRead < bytes) return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
    this.#keep(digest, { bytes: all, stamp: opened.stamp });
    return { ...opened, handle: handleOf(all) };
  }

  #keep(digest: string, recent: Recent): void {
    this.#drop(digest);
    this.#recent.set(digest, recent);
    this.#bytes += recent.bytes.length;
    for (const [oldest] of this.#recent) {
      if (this.#bytes <= recentBytesMax) break;
      this.#drop(oldest);
    }
  }

  #drop(digest: string): void {
    this.#bytes -= this.#recent.get(digest)?.bytes.length ?? 0;
    this.#recent.delete(digest);
  }
}

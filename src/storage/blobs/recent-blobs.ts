/**
 * The bytes of small blobs that were read recently: opening, reading and closing a file of 50 kB takes longer than sending it. Each has a stamp
 * of its file: its bytes are used only while that is the same, so a file that is missing, cut or overwritten is noticed as without this.
 */

/** Size limit of all that are kept, in bytes. */
const recentBytesMax = 16 * 1024 * 1024;

interface Recent {
  readonly bytes: Buffer;
  /** Of the file before it was read. */
  readonly stamp: string;
}

export class RecentBlobs {
  /** By digest; the one that was not read for the longest time is first. */
  readonly #recent = new Map<string, Recent>();
  #bytes = 0;

  find(digest: string): Recent | undefined {
    const recent = this.#recent.get(digest);
    if (recent !== undefined) {
      this.#recent.delete(digest);
      this.#recent.set(digest, recent);
    }
    return recent;
  }

  keep(digest: string, recent: Recent): void {
    this.drop(digest);
    this.#recent.set(digest, recent);
    this.#bytes += recent.bytes.length;
    for (const [oldest] of this.#recent) {
      if (this.#bytes <= recentBytesMax) break;
      this.drop(oldest);
    }
  }

  drop(digest: string): void {
    this.#bytes -= this.#recent.get(digest)?.bytes.length ?? 0;
    this.#recent.delete(digest);
  }
}

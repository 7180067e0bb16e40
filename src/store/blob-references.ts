/** How often each blob is referred to, and the size of all of them. */
import type { Blob } from './blobs-of.ts';

interface Referred {
  references: number;
  readonly bytes: number;
}

export class BlobReferences {
  /** Sum of the sizes of all blobs, each counted once, in bytes. */
  bytes = 0;
  readonly #blobs = new Map<string, Referred>();

  /** Digests and sizes of all blobs. */
  *[Symbol.iterator](): Generator<Blob> {
    for (const [digest, { bytes }] of this.#blobs) yield { digest, bytes };
  }

  /** Number of blobs. */
  get size(): number {
    return this.#blobs.size;
  }

  /** Size of a blob in bytes; `undefined` if nothing refers to it. */
  bytesOf(digest: string): number | undefined {
    return this.#blobs.get(digest)?.bytes;
  }

  has(digest: string): boolean {
    return this.#blobs.has(digest);
  }

  add({ digest, bytes }: Blob): void {
    const blob = this.#blobs.get(digest);
    if (blob !== undefined) blob.references++;
    else {
      this.#blobs.set(digest, { references: 1, bytes });
      this.bytes += bytes;
    }
  }

  /** @returns the size of the blob in bytes if this was the last reference, otherwise `undefined` */
  remove(digest: string): number | undefined {
    const blob = this.#blobs.get(digest);
    if (blob === undefined || --blob.references > 0) return undefined;
    this.#blobs.delete(digest);
    this.bytes -= blob.bytes;
    return blob.bytes;
  }

  /**
   * Bytes by which {@link bytes} would grow; negative if it would shrink.
   *
   * @param added by digest: how many references more; negative for fewer
   */
  growthBy(added: ReadonlyMap<string, { readonly references: number; readonly bytes: number }>): number {
    let growth = 0;
    for (const [digest, { references, bytes }] of added) {
      const before = this.#blobs.get(digest)?.references ?? 0;
      growth += (before + references > 0 ? bytes : 0) - (before > 0 ? bytes : 0);
    }
    return growth;
  }
}

/**
 * Who needs which blob, and which blobs are being deleted.
 *
 *     given to delete() -> waiting -> in the batch that the thread deletes -> gone
 *                             '-> spared by a hold
 *
 * A hold and the choice of a batch happen in one turn of the event loop each, so no blob is held and deleted at the same time.
 */

/** Keeps a blob from being deleted. */
export interface Hold {
  readonly digest: string;
  /** Ends the hold; a second call does nothing. */
  release(): void;
}

interface Batch {
  readonly digests: ReadonlySet<string>;
  /** Resolves when the thread has deleted them, or failed. */
  readonly done: Promise<unknown>;
}

export class BlobHolds {
  readonly #counts = new Map<string, number>();
  /** Digests of each running deletion that are in no batch yet. */
  readonly #waiting = new Set<Set<string>>();
  #batch: Batch | undefined;

  /** Number of held digests. */
  get size(): number {
    return this.#counts.size;
  }

  /** Takes a hold, also on a blob that does not exist yet. A deletion that has not reached the digest spares it. */
  hold(digest: string): Hold {
    this.#counts.set(digest, (this.#counts.get(digest) ?? 0) + 1);
    for (const digests of this.#waiting) digests.delete(digest);
    let isHeld = true;
    return {
      digest,
      release: () => {
        if (isHeld) this.#release(digest);
        isHeld = false;
      },
    };
  }

  /** Waits until no deletion of this digest is in progress: a held blob is written or read only after that. */
  async settled(digest: string): Promise<void> {
    while (this.#batch?.digests.has(digest) === true) await this.#batch.done;
  }

  /** What nothing holds of the given digests. It waits for {@link delete} from now on: a hold spares it, also one that ends before. */
  waiting(digests: Iterable<string>): Set<string> {
    const waiting = new Set<string>();
    for (const digest of digests) if (!this.#counts.has(digest)) waiting.add(digest);
    this.#waiting.add(waiting);
    return waiting;
  }

  /**
   * Deletes what still waits, a batch at a time. One call at a time.
   *
   * @param waiting of {@link waiting}
   * @param remove deletes a batch; returns the digests that are gone
   */
  async delete(waiting: Set<string>, remove: (batch: readonly string[]) => Promise<readonly string[]>): Promise<string[]> {
    const gone: string[] = [];
    try {
      while (waiting.size > 0) {
        const batch = firstOf(waiting);
        for (const digest of batch) waiting.delete(digest);
        const removing = remove(batch);
        this.#batch = { digests: new Set(batch), done: removing.catch(() => undefined) };
        for (const digest of await removing) gone.push(digest);
        this.#batch = undefined;
      }
      return gone;
    } finally {
      this.#batch = undefined;
    }
  }

  /** The deletion is over, or does not take place. */
  ended(waiting: Set<string>): void {
    this.#waiting.delete(waiting);
  }

  #release(digest: string): void {
    const count = (this.#counts.get(digest) ?? 0) - 1;
    if (count > 0) this.#counts.set(digest, count);
    else this.#counts.delete(digest);
  }
}

/** Blobs in one job of the thread. An upload of equal bytes waits for the whole job. */
const batchMax = 64;

function firstOf(digests: ReadonlySet<string>): string[] {
  const batch: string[] = [];
  for (const digest of digests) {
    batch.push(digest);
    if (batch.length === batchMax) break;
  }
  return batch;
}

/**
 * Which chunks a fold moves to its own file, so that older files can go. Two kinds of files are given up:
 *
 * | a file                                               | why                                                      |
 * | ---------------------------------------------------- | -------------------------------------------------------- |
 * | of which at most half is still referred to           | so that the whole stays below twice of what lives in it |
 * | that is no larger than what comes together in the new | so that their number grows with the logarithm only      |
 *
 * A fold moves no more than its budget, {@link compactBytesMin} and as much again as it writes of what records touched; what does not fit
 * is left to the next one. So none is a full rewrite by surprise. What a fold writes is what dies in older files, and each byte that is
 * moved out of a mostly dead one frees at least another: more goes than comes.
 */
import { type ChunkRef, chunkBytes } from './format.ts';
import type { GroupEntry } from './index-format.ts';
import type { SnapshotReader } from './reader.ts';

/** What a fold may move in any case, in bytes. */
export const compactBytesMin = 64 * 1024 * 1024;

export class Compaction {
  readonly #files: ReadonlySet<number> | undefined;
  readonly #budget: number;
  #moved = 0;

  /**
   * @param files LSNs of the files that are given up; `undefined`: everything is moved
   * @param budget bytes that may be moved, beside as many as are written of what was touched; with 0 nothing is moved
   */
  constructor(files: ReadonlySet<number> | undefined, budget: number) {
    this.#files = files;
    this.#budget = budget;
  }

  /** Moves everything: the new file refers to no other. */
  static whole(): Compaction {
    return new Compaction(undefined, Number.POSITIVE_INFINITY);
  }

  /**
   * @param logBytes of the records that are folded: about what the new file will have of them
   * @param budget as in the constructor
   */
  static after({ living, chunkFiles }: SnapshotReader, logBytes: number, budget: number): Compaction {
    const files = new Set<number>();
    let left = budget;
    let together = logBytes;
    for (const [file, bytes] of [...living].sort((a, b) => a[1] - b[1])) {
      const mostlyDead = 2 * bytes <= chunkFiles.sizeOf(file);
      if (!mostlyDead && (bytes > together || bytes > left)) continue;
      files.add(file);
      left -= bytes;
      together += bytes;
    }
    return new Compaction(files, budget);
  }

  /**
   * Whether something of a group is to be moved.
   *
   * @param written bytes in the new file so far
   */
  wants({ file, held }: GroupEntry, written: number): boolean {
    return this.#mayMove(written) && [file, ...held.keys()].some((lsn) => this.#givesUp(lsn));
  }

  /** Whether a chunk is to be moved; it counts as moved then. `written` as in {@link wants}. */
  take(ref: ChunkRef, written: number): boolean {
    if (!this.#givesUp(ref.file) || !this.#mayMove(written)) return false;
    this.#moved += chunkBytes(ref);
    return true;
  }

  #mayMove(written: number): boolean {
    return this.#budget > 0 && this.#moved < this.#budget + (written - this.#moved);
  }

  #givesUp(file: number): boolean {
    return this.#files === undefined || this.#files.has(file);
  }
}

/**
 * Which chunks a fold moves to its own file, so that older files can go. Two kinds of files are given up:
 *
 * | a file                                               | why                                                      |
 * | ---------------------------------------------------- | -------------------------------------------------------- |
 * | of which at most half is still referred to           | so that the whole stays below twice of what lives in it |
 * | that is no larger than what comes together in the new | so that their number grows with the logarithm only      |
 *
 * A fold moves no more than its budget, {@link compactBytesMin} or twice the log that it folds; what does not fit is left to the next
 * one. Since what a fold replaces is about as much as the log that it folds, more is moved than dies, and none is a full rewrite by
 * surprise. Files of more than half the budget that are mostly alive stay as they are.
 */
import { type ChunkRef, chunkBytes } from './format.ts';
import type { GroupEntry } from './index-format.ts';
import type { SnapshotReader } from './reader.ts';

/** What a fold may move in any case, in bytes. */
export const compactBytesMin = 64 * 1024 * 1024;

export class Compaction {
  readonly #files: ReadonlySet<number> | undefined;
  #budget: number;

  /**
   * @param files LSNs of the files that are given up; `undefined`: everything is moved
   * @param budget bytes that may be moved
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
   * @param logBytes of the records that are folded
   * @param budgetMin bytes that may be moved in any case
   */
  static after({ living, chunkFiles }: SnapshotReader, logBytes: number, budgetMin: number): Compaction {
    const budget = budgetMin === 0 ? 0 : Math.max(budgetMin, 2 * logBytes);
    const files = new Set<number>();
    let left = budget;
    let together = logBytes;
    for (const [file, bytes] of [...living].sort((a, b) => a[1] - b[1])) {
      const mostlyDead = 2 * bytes <= chunkFiles.sizeOf(file);
      if (left <= 0 || !(mostlyDead || (bytes <= together && bytes <= left))) continue;
      files.add(file);
      left -= bytes;
      together += bytes;
    }
    return new Compaction(files, budget);
  }

  /** Whether something of a group is to be moved. */
  wants({ file, held }: GroupEntry): boolean {
    return this.#budget > 0 && [file, ...held.keys()].some((lsn) => this.#givesUp(lsn));
  }

  /** Whether a chunk is to be moved; it counts as moved then. */
  take(ref: ChunkRef): boolean {
    if (!this.#givesUp(ref.file) || this.#budget <= 0) return false;
    this.#budget -= chunkBytes(ref);
    return true;
  }

  #givesUp(file: number): boolean {
    return this.#files === undefined || this.#files.has(file);
  }
}

/**
 * Compaction: which chunks a snapshot copies into its own file, so that older files can be deleted. Two kinds of files are emptied:
 *
 * | file                                                             | reason                                             |
 * | ---------------------------------------------------------------- | -------------------------------------------------- |
 * | at most half of its bytes are live                               | the total size stays below twice the live size     |
 * | its live bytes are no more than the new file already gets        | the number of files grows only logarithmically     |
 *
 * A snapshot copies at most its budget ({@link compactBytesMin}) plus the bytes that it writes for touched data. The next snapshot copies the
 * rest, so no snapshot becomes an unexpected full rewrite. Compaction frees more than it writes: touched data replaces old data of about the
 * same size, and a file of which at most half is live frees at least two bytes for each byte that is copied.
 */

import type { GroupEntry } from './format/index-format.ts';
import { type ChunkRef, chunkBytes } from './format/snapshot-format.ts';
import type { SnapshotReader } from './reader.ts';

/** Number of bytes that every snapshot may copy. */
export const compactBytesMin = 64 * 1024 * 1024;

export class Compaction {
  readonly #files: ReadonlySet<number> | undefined;
  readonly #budget: number;
  #moved = 0;

  /**
   * @param files LSNs of the files to empty; `undefined`: copy everything
   * @param budget number of bytes to copy, in addition to as many as are written for touched data; 0: copy nothing
   */
  constructor(files: ReadonlySet<number> | undefined, budget: number) {
    this.#files = files;
    this.#budget = budget;
  }

  /** Copies everything: the new file refers to no other. */
  static whole(): Compaction {
    return new Compaction(undefined, Number.POSITIVE_INFINITY);
  }

  /**
   * @param logBytes size of the new records: estimates what the new file will contain of them
   * @param budget as in the constructor
   */
  static after({ liveBytes: living, chunkFiles }: SnapshotReader, logBytes: number, budget: number): Compaction {
    const files = new Set<number>();
    let left = budget;
    let together = logBytes;
    for (const [file, bytes] of [...living].sort((a, b) => a[1] - b[1])) {
      const isMostlyDead = 2 * bytes <= chunkFiles.sizeOf(file);
      if (!isMostlyDead && (bytes > together || bytes > left)) continue;
      files.add(file);
      left -= bytes;
      together += bytes;
    }
    return new Compaction(files, budget);
  }

  /**
   * Whether a group has chunks to copy.
   *
   * @param written size of the new file so far, in bytes
   */
  wants({ file, held }: GroupEntry, written: number): boolean {
    return this.#mayMove(written) && [file, ...held.keys()].some((lsn) => this.#empties(lsn));
  }

  /** Whether to copy a chunk; if so, counts it as copied. `written` as in {@link wants}. */
  take(ref: ChunkRef, written: number): boolean {
    if (!this.#empties(ref.file) || !this.#mayMove(written)) return false;
    this.#moved += chunkBytes(ref);
    return true;
  }

  #mayMove(written: number): boolean {
    return this.#budget > 0 && this.#moved < this.#budget + (written - this.#moved);
  }

  #empties(file: number): boolean {
    return this.#files === undefined || this.#files.has(file);
  }
}

/** The segments that are never written again, oldest first, until they are deleted. */
import type { Undeleted } from '../../../lib/files/files.ts';
import type { SealedSegment } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import type { WalWorker } from './wal-worker.ts';

export class SealedList {
  #segments: readonly SealedSegment[];

  constructor(segments: readonly SealedSegment[]) {
    this.#segments = segments;
  }

  get segments(): readonly SealedSegment[] {
    return this.#segments;
  }

  add(segment: SealedSegment): void {
    this.#segments = [...this.#segments, segment];
  }

  /** Deletes the segments that contain no record above `lsn`. Files that cannot be deleted stay in the list and are returned. */
  async trim(lsn: Lsn, worker: WalWorker): Promise<readonly Undeleted[]> {
    const paths = this.#segments.filter((segment) => segment.lastLsn <= lsn).map((segment) => segment.path);
    if (paths.length === 0) return [];
    try {
      const { deleted, undeleted } = await worker.trim(paths);
      this.#segments = this.#segments.filter((segment) => !deleted.includes(segment.path));
      return undeleted;
    } catch (error) {
      // The thread died: it is unknown which of them were deleted.
      return paths.map((path) => ({ path, reason: (error as Error).message }));
    }
  }
}

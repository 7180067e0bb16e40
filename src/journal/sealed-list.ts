/** The segments that are never written again, oldest first, until they are deleted. */
import type { Log } from '../lib/log.ts';
import type { Crew } from './crew.ts';
import type { Lsn } from './journal.ts';
import type { SealedSegment } from './segment.ts';

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

  /** Deletes those that hold no record above `lsn`. What cannot be deleted stays in the list, for another try. */
  async trim(lsn: Lsn, folder: string, crew: Crew, log: Log | undefined): Promise<void> {
    const paths = this.#segments.filter((segment) => segment.lastLsn <= lsn).map((segment) => segment.path);
    if (paths.length === 0) return;
    try {
      const { removed, error } = await crew.trim({ folder, paths });
      this.#segments = this.#segments.filter((segment) => !removed.includes(segment.path));
      if (error !== undefined) log?.warn({ error }, 'could not delete segments that a snapshot covers');
    } catch (error) {
      log?.warn({ error: String(error) }, 'could not delete segments that a snapshot covers');
    }
  }
}

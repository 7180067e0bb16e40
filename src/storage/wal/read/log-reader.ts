/**
 * Reads a log that is being written: records of any existing segment, sealed or not. Only durable records may be read; they are complete in
 * their file, whatever is written after them.
 *
 * The segment that was read last stays in memory, because the next read usually continues in it.
 */
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { payloadRecords } from '../format/frame.ts';
import { listSegments } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import { readSegment, type Segment } from './read-segment.ts';

export class LogReader {
  readonly folder: string;
  readonly lineage: string;
  readonly #files: Files;
  #segment: Segment | undefined;

  constructor(files: Files, folder: string, lineage: string) {
    this.#files = files;
    this.folder = folder;
    this.lineage = lineage;
  }

  /**
   * The records from `from` to `to`, or to the end of the segment of `from`, as views of its bytes. `undefined` if that segment was deleted
   * or belongs to another history. Throws {@link CorruptError} if the segment does not contain `from`.
   */
  recordsFrom(from: Lsn, to: Lsn): Generator<[Lsn, Buffer], void> | undefined {
    const segment = this.#segmentWith(from);
    return segment && recordsIn(segment, from, to);
  }

  #segmentWith(lsn: Lsn): Segment | undefined {
    const known = this.#segment;
    if (known !== undefined && known.firstLsn <= lsn && lsn < known.nextLsn) return known;
    this.#segment = undefined;
    const file = listSegments(this.#files, this.folder).findLast(({ firstLsn }) => firstLsn <= lsn);
    if (file === undefined) return undefined;
    let segment: Segment;
    try {
      segment = readSegment(this.#files, file);
    } catch (error) {
      // The cleanup of snapshots deletes covered segments, also between two reads.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    if (segment.header.lineage !== this.lineage) return undefined;
    // The segment could not be deleted, but its successor was: `lsn` is not in it.
    if (segment.end.kind === 'sealed' && segment.end.successor.firstLsn <= lsn) return undefined;
    if (lsn >= segment.nextLsn) throw new CorruptError(file.path, segment.end.offset, `no record ${lsn} where it was expected`);
    this.#segment = segment;
    return segment;
  }
}

function* recordsIn(segment: Segment, from: Lsn, to: Lsn): Generator<[Lsn, Buffer], void> {
  for (const { type, firstLsn, count, payload } of segment.frames) {
    if (type !== 'batch' || firstLsn + count <= from) continue;
    let lsn = firstLsn;
    for (const record of payloadRecords(payload)) {
      if (lsn > to) return;
      if (lsn >= from) yield [lsn, record];
      lsn++;
    }
  }
}

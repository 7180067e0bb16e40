/**
 * The chain that runs through the segments: each seal names the successor and its salt, each first frame repeats the CRC of the
 * seal before it, and LSNs have no gap. Every reader of more than one segment uses this class.
 *
 * A segment without a seal may have only one successor, which must be blank: a rotation first gives the successor its name, then writes
 * the seal, and then writes the successor's first frame.
 */
import { CorruptError } from '../../../lib/errors.ts';
import type { Lsn } from '../journal.ts';
import { hex, type Segment } from '../read/read-segment.ts';
import { segmentHeaderBytes } from './segment.ts';

export class Chain {
  #last: Segment | undefined;
  #crc: number | undefined;

  /** The CRC that the next frame carries; `undefined` before the first frame. */
  get crc(): number | undefined {
    return this.#crc;
  }

  /** The LSN after the newest record seen; `undefined` before the first segment. */
  get nextLsn(): Lsn | undefined {
    return this.#last?.nextLsn;
  }

  /** Checks that `segment` continues the previous one; throws {@link CorruptError} if not. */
  follow(segment: Segment): void {
    const before = this.#last;
    if (before !== undefined) checkSuccessor(before, segment);
    const first = segment.frames[0];
    if (first !== undefined && this.#crc !== undefined && first.previousCrc !== this.#crc) {
      const found = `its first frame names ${hex(first.previousCrc)} as the CRC of the frame before it, which has ${hex(this.#crc)}`;
      throw new CorruptError(segment.path, first.offset, found);
    }
    this.#last = segment;
    this.#crc = segment.frames.at(-1)?.crc ?? this.#crc;
  }
}

function checkSuccessor(before: Segment, segment: Segment): void {
  if (before.end.kind === 'sealed') {
    const { firstLsn, salt } = before.end.successor;
    if (segment.firstLsn !== firstLsn) throw new CorruptError(segment.path, 0, gap(firstLsn, segment.firstLsn));
    if (segment.header.salt !== salt) {
      throw new CorruptError(segment.path, 32, `its salt is ${hex(segment.header.salt)}, the seal before it names ${hex(salt)}`);
    }
    return;
  }
  if (!segment.blank) {
    const found = `${foundAt(before)} where the seal was expected: the segment after it, ${segment.path}, has been written to`;
    throw new CorruptError(before.path, before.end.offset, found);
  }
  if (segment.firstLsn !== before.nextLsn) {
    throw new CorruptError(segment.path, segmentHeaderBytes, gap(before.nextLsn, segment.firstLsn));
  }
}

/** Describes the end of a segment for a message. */
export function foundAt(segment: Segment): string {
  const { end } = segment;
  if (end.kind === 'sealed') return 'a seal';
  if (end.kind === 'open') return 'nothing';
  return end.kind === 'gap' ? `${end.found} (a frame follows, at byte ${end.resumes})` : end.found;
}

export function gap(expected: Lsn, found: Lsn): string {
  return `records from ${expected} on were expected here, the segment begins with ${found}`;
}

/** Replay: reads the records of sealed segments, for snapshots and for the archive. */
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { Chain, foundAt } from '../format/chain.ts';
import type { Successor } from '../format/frame.ts';
import { listSegments } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import { readSegment, segmentRecords } from './read-segment.ts';

/**
 * Calls `onRecord` for each record from `from` to `to`, inclusive and in order. Reads only sealed segments, verified completely; `to` must be
 * at most the newest sealed LSN. Needs only the folder, so it can run in any thread while the log is written.
 *
 * The bytes are views of a reused buffer: copy them to keep them. Throws {@link CorruptError}.
 *
 * @returns the successor that the seal of the last segment names; `undefined` if no record was read
 */
export function replay(
  files: Files,
  folder: string,
  from: Lsn,
  to: Lsn,
  onRecord: (lsn: Lsn, record: Buffer) => void,
): Successor | undefined {
  if (to < from) return undefined;
  const list = listSegments(files, folder);
  const first = list.findLastIndex((file) => file.firstLsn <= from);
  const chain = new Chain();
  let next = from;
  let successor: Successor | undefined;
  for (const file of first < 0 ? [] : list.slice(first)) {
    if (file.firstLsn > to) break;
    const segment = readSegment(files, file);
    if (segment.end.kind !== 'sealed')
      throw new CorruptError(file.path, segment.end.offset, `${foundAt(segment)} where the seal was expected`);
    chain.follow(segment);
    successor = segment.end.successor;
    for (const [lsn, record] of segmentRecords(segment)) {
      if (lsn < from || lsn > to) continue;
      onRecord(lsn, record);
      next = lsn + 1;
    }
  }
  if (next <= to) throw new CorruptError(folder, 0, `record ${next} is in no sealed segment`);
  return successor;
}

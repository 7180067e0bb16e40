/** The newest record of a folder, and when it was written. Changes nothing, and works while a server writes to the folder. */
import { join } from 'node:path';
import type { Files } from '../../lib/files/files.ts';
import { readSnapshotHeader } from '../snapshot/format/read-header.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { decodeLogged } from '../snapshot/replay-record.ts';
import { listSnapshots } from '../snapshot/snapshot-folder.ts';
import { listSegments } from '../wal/format/segment.ts';
import { readSegment, segmentRecords } from '../wal/read/read-segment.ts';
import type { Folders } from './recover-folder.ts';

interface NewestRecord {
  readonly lsn: number;
  /** By the clock of the server, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** `undefined` for a folder without records. Throws what reading snapshots and segments throws. */
export function newestRecord(
  files: Files,
  { journal, snapshots }: Pick<Folders, 'journal' | 'snapshots'>,
): NewestRecord | undefined {
  // The last segment has no records after a start or a snapshot.
  for (const file of listSegments(files, journal).slice(-2).reverse()) {
    const segment = readSegment(files, file);
    const [lsn, bytes] = [...segmentRecords(segment)].at(-1) ?? [];
    if (lsn !== undefined && bytes !== undefined) return { lsn, timeMs: decodeLogged(segment, lsn, bytes).time };
  }
  const [newest] = listSnapshots(files, snapshots);
  if (newest === undefined) return undefined;
  const { lsn, newestTime } = readSnapshotHeader(files, join(snapshots, snapshotName(newest)));
  return { lsn, timeMs: newestTime };
}

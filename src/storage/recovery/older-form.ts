/** Finds data in a form that this program does not read, without restoring it: for `doctor`, before a new version is started. */
import { join } from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { readSnapshot } from '../snapshot/reader.ts';
import { decodeLogged } from '../snapshot/replay-record.ts';
import { listSnapshots } from '../snapshot/snapshot-folder.ts';
import { noRevision } from '../wal/format/format-revision.ts';
import { listSegments, readSegmentHeader } from '../wal/format/segment.ts';
import { readSegment, segmentRecords } from '../wal/read/read-segment.ts';
import type { Folders } from './recover-folder.ts';

/**
 * Throws {@link FolderError} for the newest snapshot, or for log after it, of a newer program, or in the form of an older one. Segments with a
 * revision are not decoded. Damage is not reported, and a file that a server deletes meanwhile is left out.
 */
export function refuseOlderForm(files: Files, { journal, snapshots }: Pick<Folders, 'journal' | 'snapshots'>): void {
  const [lsn] = listSnapshots(files, snapshots);
  if (lsn !== undefined)
    whereReadable(() => void readSnapshot(files, join(snapshots, snapshotName(lsn)), (reader) => reader.projects));
  const segments = listSegments(files, journal);
  for (const [i, file] of segments.entries()) {
    if ((segments[i + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) <= (lsn ?? 0) + 1) continue;
    whereReadable(() => {
      if (readSegmentHeader(files, file.path).revision !== noRevision) return;
      const segment = readSegment(files, file);
      for (const [at, bytes] of segmentRecords(segment)) decodeLogged(segment, at, bytes);
    });
  }
}

function whereReadable(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof CorruptError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

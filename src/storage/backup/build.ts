/**
 * Builds a data folder from a state: one snapshot, the blobs of its files, and the first segment after it. The folder gets a new lineage,
 * because its later records diverge from the history that the state came from. LSNs continue. People have to sign in again: sessions that
 * were ended since would work again.
 *
 *     snapshots.tmp/<lsn>.snapshot, synced, read back    journal.tmp/<lsn + 1>.segment, synced
 *     blobs.tmp/ab/<digest>, verified, synced
 *     rename to snapshots and blobs -> sync -> rename to journal -> sync
 *
 * A crash in between leaves a folder without `journal` but with one of the others. No server accepts such a folder as a data folder.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '../../lib/files/files.ts';
import type { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import type { State } from '../../store/state.ts';
import type { BlobSource } from '../blobs/blob-source.ts';
import { writeStepBytes } from '../snapshot/chunk-writer.ts';
import { filesOf, type LostBlob, neededBlobs } from '../snapshot/files/needed-blobs.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { type Counts, readSnapshot } from '../snapshot/reader.ts';
import { writeSnapshot } from '../snapshot/writer.ts';
import { segmentBytesDefault, segmentPath, spareName } from '../wal/format/segment.ts';
import { recoverWal } from '../wal/recovery/recover-wal.ts';
import { newSalt, preallocateSpare } from '../wal/write/preallocate.ts';
import { blobsName } from './blobs/backup-blobs.ts';
import { writeBlobs } from './blobs/write-blobs.ts';
import { stageNames } from './stage-names.ts';

export interface BuiltFolder extends Counts {
  /** LSN of the newest record. The next record gets the following number. */
  readonly lsn: number;
  readonly lineage: string;
  /** Blobs that files need and that no source had whole: these files cannot be read. */
  readonly lostBlobs: readonly LostBlob[];
}

interface BuildOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly state: State;
  /** Where the blobs of its files come from; the first that has a blob whole is used. */
  readonly blobs: readonly BlobSource[];
  /** Called if blobs are lost, before the folder is complete; throws to stop. */
  readonly onLost?: () => void;
  /** Latest time of a record in the state, in milliseconds since 1970. */
  readonly newestTime: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly progress: ProgressCounter;
  /** Size of the first segment in bytes; 16 MiB by default. */
  readonly segmentBytes?: number;
}

/** Builds the folder. Throws the error of the disk, and that of `onLost`; the folder then holds no `journal`. */
export function buildFolder(files: Files, options: BuildOptions): BuiltFolder {
  const { folder, state, blobs: sources, newestTime, now, progress, segmentBytes = segmentBytesDefault } = options;
  const { lsn } = state;
  dropSessions(state);
  const [journal, snapshots, blobs] = stageNames.map((name) => join(folder, name)) as [string, string, string];
  const lineage = randomBytes(16).toString('hex');
  const salt = newSalt();
  for (const staging of [journal, snapshots]) files.makeFolder(staging);
  const path = join(snapshots, snapshotName(lsn));
  const afterStep = () => progress.add(writeStepBytes);
  const { bytes } = writeSnapshot(state, { files, path, lineage, nextSalt: salt, now, newestTime, afterStep });
  progress.expect(progress.done + bytes);
  files.syncFolder(snapshots);
  preallocateSpare(files, { folder: journal, header: { segmentBytes, lineage, salt, sync: 'always', createdMs: now } });
  files.rename(join(journal, spareName), segmentPath(journal, lsn + 1));
  files.syncFolder(journal);
  const needed = [...neededBlobs(filesOf(state)).values()];
  const lostBlobs = needed.length === 0 ? [] : writeBlobs(files, blobs, needed, sources, progress);
  if (lostBlobs.length > 0) options.onLost?.();
  const counts = readSnapshot(files, path, (reader) => reader.check((read) => progress.add(read)));
  recoverWal(files, journal, { after: lsn });
  files.rename(snapshots, join(folder, 'snapshots'));
  if (needed.length > 0) files.rename(blobs, join(folder, blobsName));
  files.syncFolder(folder);
  files.rename(journal, join(folder, 'journal'));
  files.syncFolder(folder);
  return { ...counts, lsn, lineage, lostBlobs };
}

/** Ends all sessions of people, and the links that begin them. */
function dropSessions({ keys }: State): void {
  for (const { id, kind } of [...keys.values()]) if (kind !== 'key') keys.delete(id);
}

/**
 * The jobs of the backup thread. They work on files alone: write a backup, archive the log, and maintain the backup folder.
 */
import { basename, join } from 'node:path';
import { type Deletion, deleteFiles, type Files, type Undeleted } from '../../lib/files/files.ts';
import { runSnapshot, type SnapshotReport, type SnapshotRequest } from '../snapshot/run/snapshot-run.ts';
import { archivedTo, archiveSegments, coveredCopies, findForeignSegment, newestArchivedLsn } from './archive.ts';
import { isServersOwn, listBackups, parseBackupName } from './backup-names.ts';
import { describeDiskError } from './backup-path.ts';
import { interruptedCopies, pruneBlobs } from './blobs/prune-blobs.ts';

/** The contents of a backup folder that belong to one history. */
export interface Survey {
  /** When the newest backup was made, in milliseconds since 1970. Backups with a time in the future do not count. */
  readonly newestMs: number | undefined;
  /** LSN of the newest backup; 0 if there is none. */
  readonly newestLsn: number;
  /** The newest record that the log archive is known to hold; 0 without an archive. */
  readonly newestArchivedLsn: number;
  /** Path of an archived segment that belongs to a different history with the same lineage; `undefined` if none was found. */
  readonly foreignSegment: string | undefined;
  /** Records up to this LSN need not be archived any more. */
  readonly archivedTo: number;
  /** Leftovers of interrupted backups that could not be deleted. */
  readonly undeleted: readonly Undeleted[];
}

interface FolderRequest {
  /** The backup folder. */
  readonly folder: string;
  readonly lineage: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface SurveyRequest extends FolderRequest {
  readonly journalFolder: string;
}

interface RetainRequest extends FolderRequest {
  /** Number of newest backups to keep. */
  readonly keep: number;
}

interface RetainReport {
  /** Names of the deleted backups. */
  readonly removed: readonly string[];
  readonly undeleted: readonly Undeleted[];
}

export const jobs = {
  write: (files: Files, request: SnapshotRequest): SnapshotReport => runSnapshot(files, request),

  /** Deletes leftovers of interrupted backups, and reports the contents of the folder. */
  survey(files: Files, { folder, lineage, now, journalFolder }: SurveyRequest): Survey {
    const interrupted = files.list(folder).filter((name) => {
      const { writer } = parseBackupName(name) ?? {};
      return writer !== undefined && lineage.startsWith(writer);
    });
    const copies = interruptedCopies(files, folder, lineage.slice(0, 8));
    const { undeleted } = deleteFiles(files, [...interrupted.map((name) => join(folder, name)), ...copies]);
    const own = listBackups(files, folder).filter((backup) => isServersOwn(backup, lineage));
    const times = own.map(({ header }) => header.madeAt).filter((madeAt) => madeAt <= now);
    const newestLsn = own.at(-1)?.header.lsn ?? 0;
    const kept = archivedTo(files, folder, lineage);
    const newestMs = times.length === 0 ? undefined : Math.max(...times);
    return {
      newestMs,
      newestLsn,
      newestArchivedLsn: newestArchivedLsn(files, folder, lineage),
      foreignSegment: findForeignSegment(files, journalFolder, folder, lineage),
      archivedTo: kept > 0 ? kept : newestLsn,
      undeleted,
    };
  },

  keepLog: archiveSegments,

  /** Deletes all but the newest backups of the history, and the archived log and the blobs that only those needed. */
  retain(files: Files, { folder, lineage, keep }: RetainRequest): RetainReport {
    const own = listBackups(files, folder).filter((backup) => isServersOwn(backup, lineage));
    const [oldest] = own.slice(-keep);
    const expired = own.slice(0, -keep).map(({ path }) => path);
    const log = oldest === undefined ? [] : coveredCopies(files, folder, lineage, oldest.header.lsn);
    const { deleted, undeleted } = deleteFiles(files, [...expired, ...log]);
    const blobs = pruneBlobs(files, folder);
    const removed = expired.filter((path) => deleted.includes(path)).map((path) => basename(path));
    return { removed, undeleted: [...undeleted, ...blobs.undeleted] };
  },

  /** Retries the deletion of files that are not needed. */
  remove: (files: Files, { paths }: { readonly paths: readonly string[] }): Deletion => deleteFiles(files, paths),
} as const;

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobRequest<N extends JobName> = Parameters<Jobs[N]>[1];
export type JobResult<N extends JobName> = ReturnType<Jobs[N]>;

/** Runs a job. Throws errors of the disk with {@link describeDiskError}. */
export function perform<N extends JobName>(files: Files, name: N, request: JobRequest<N>): JobResult<N> {
  try {
    return (jobs[name] as (files: Files, request: JobRequest<N>) => JobResult<N>)(files, request);
  } catch (error) {
    throw describeDiskError(error);
  }
}

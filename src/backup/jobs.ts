/**
 * What is done in the thread for backups, over files alone: writing one, copying the log, looking after their folder.
 */
import { basename, join } from 'node:path';
import { type Deletion, deleteFiles, type Files, type Undeleted } from '../lib/files.ts';
import { type FoldReport, type FoldRequest, fold } from '../snapshot/fold.ts';
import { coveredCopies, keepLog, keptTo, newestKeptLsn, otherHistory } from './keep-log.ts';
import { isServersOwn, listBackups, parseBackupName } from './names.ts';
import { makeBackupFolder } from './target.ts';

/** What is in a folder of backups that belongs to one history. */
export interface Survey {
  /** When the newest backup was made, of those not made in the future: milliseconds since 1970. */
  readonly newestMs: number | undefined;
  /** LSN of the newest backup; 0 without one. */
  readonly newestLsn: number;
  /** A record that the kept log surely holds, as new as can be; 0 without a kept log. */
  readonly newestKeptLsn: number;
  /** Path of a segment in the kept log that is of another history with the same name; `undefined` when none was found. */
  readonly otherHistory: string | undefined;
  /** Records up to here need not be copied any more. */
  readonly keptTo: number;
  /** Of what was broken off, files that could not be deleted. */
  readonly undeleted: readonly Undeleted[];
}

export interface FolderRequest {
  /** The folder of backups. */
  readonly folder: string;
  readonly lineage: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface SurveyRequest extends FolderRequest {
  /** Whether the folder may be made. */
  readonly create: boolean;
  readonly journalFolder: string;
}

export interface RetainRequest extends FolderRequest {
  /** How many of the newest backups stay. */
  readonly keep: number;
}

export interface RetainReport {
  /** Names of the backups that went. */
  readonly removed: readonly string[];
  readonly undeleted: readonly Undeleted[];
}

export const jobs = {
  write: (files: Files, request: FoldRequest): FoldReport => fold(files, request),

  /** Clears what was broken off in the folder, and says what is there. */
  survey(files: Files, { folder, lineage, now, create, journalFolder }: SurveyRequest): Survey {
    if (create) makeBackupFolder(folder);
    const broken = files.list(folder).filter((name) => {
      const { writer } = parseBackupName(name) ?? {};
      return writer !== undefined && lineage.startsWith(writer);
    });
    const { undeleted } = deleteFiles(
      files,
      broken.map((name) => join(folder, name)),
    );
    const own = listBackups(files, folder).filter((backup) => isServersOwn(backup, lineage));
    const times = own.map(({ header }) => header.madeAt).filter((madeAt) => madeAt <= now);
    const newestLsn = own.at(-1)?.header.lsn ?? 0;
    const kept = keptTo(files, folder, lineage);
    const newestMs = times.length === 0 ? undefined : Math.max(...times);
    return {
      newestMs,
      newestLsn,
      newestKeptLsn: newestKeptLsn(files, folder, lineage),
      otherHistory: otherHistory(files, journalFolder, folder, lineage),
      keptTo: kept > 0 ? kept : newestLsn,
      undeleted,
    };
  },

  keepLog,

  /** Deletes all but the newest backups of the history, and the log that only those needed. Says which backups went. */
  retain(files: Files, { folder, lineage, keep }: RetainRequest): RetainReport {
    const own = listBackups(files, folder).filter((backup) => isServersOwn(backup, lineage));
    const [oldest] = own.slice(-keep);
    const going = own.slice(0, -keep).map(({ path }) => path);
    const log = oldest === undefined ? [] : coveredCopies(files, folder, lineage, oldest.header.lsn);
    const { deleted, undeleted } = deleteFiles(files, [...going, ...log]);
    return { removed: going.filter((path) => deleted.includes(path)).map((path) => basename(path)), undeleted };
  },

  /** Tries again to delete files that are not needed. */
  remove: (files: Files, { paths }: { readonly paths: readonly string[] }): Deletion => deleteFiles(files, paths),
} as const;

export type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobRequest<N extends JobName> = Parameters<Jobs[N]>[1];
export type JobResult<N extends JobName> = ReturnType<Jobs[N]>;

/** Does a job; what the disk says of its room, in words of its own. */
export function perform<N extends JobName>(files: Files, name: N, request: JobRequest<N>): JobResult<N> {
  try {
    return (jobs[name] as (files: Files, request: JobRequest<N>) => JobResult<N>)(files, request);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw Object.assign(new Error(`there is no room for it on the disk (${message})`), { code });
  }
}

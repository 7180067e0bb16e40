/**
 * What is done in the thread for backups, over files alone: writing one, copying the log, looking after their folder.
 */
import { basename, join } from 'node:path';
import { type Files, removeIfThere } from '../lib/files.ts';
import { type FoldReport, type FoldRequest, fold } from '../snapshot/fold.ts';
import { dropLog, keepLog, keptTo } from './keep-log.ts';
import { isServersOwn, listBackups, parseBackupName } from './names.ts';

/** What is in a folder of backups that belongs to one history. */
export interface Survey {
  /** When the newest backup was made, of those not made in the future: milliseconds since 1970. */
  readonly newestMs: number | undefined;
  /** LSN of the newest backup; 0 without one. */
  readonly newestLsn: number;
  /** Records up to here need not be copied any more. */
  readonly keptTo: number;
}

export interface FolderRequest {
  /** The folder of backups. */
  readonly folder: string;
  readonly lineage: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface RetainRequest extends FolderRequest {
  /** How many of the newest backups stay. */
  readonly keep: number;
}

export const jobs = {
  write: (files: Files, request: FoldRequest): FoldReport => fold(files, request),

  /** Makes the folder, clears what was broken off in it, and says what is there. */
  survey(files: Files, { folder, lineage, now }: FolderRequest): Survey {
    files.makeFolder(folder);
    for (const name of files.list(folder)) {
      const { writer } = parseBackupName(name) ?? {};
      if (writer !== undefined && lineage.startsWith(writer)) removeIfThere(files, join(folder, name));
    }
    const own = listBackups(files, folder).filter((backup) => isServersOwn(backup, lineage));
    const times = own.map(({ header }) => header.madeAt).filter((madeAt) => madeAt <= now);
    const newestLsn = own.at(-1)?.header.lsn ?? 0;
    const kept = keptTo(files, folder, lineage);
    return { newestMs: times.length === 0 ? undefined : Math.max(...times), newestLsn, keptTo: kept > 0 ? kept : newestLsn };
  },

  keepLog,

  /** Deletes all but the newest backups of the history, and the log that only those needed. Says which backups went. */
  retain(files: Files, { folder, lineage, keep }: RetainRequest): string[] {
    const own = listBackups(files, folder).filter((backup) => isServersOwn(backup, lineage));
    const staying = own.slice(-keep);
    const going = own.slice(0, -keep);
    for (const { path } of going) removeIfThere(files, path);
    if (going.length > 0) files.syncFolder(folder);
    const [oldest] = staying;
    if (oldest !== undefined) dropLog(files, folder, lineage, oldest.header.lsn);
    return going.map(({ path }) => basename(path));
  },
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

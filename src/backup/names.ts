/**
 * A folder of backups, and what is in it:
 *
 *     2026-11-20T14-05-00Z-812.backup             everything up to record 812, as of that time (UTC)
 *     2026-11-20T14-05-00Z-812.backup.5f3a9c01.tmp  one that is being written, or was broken off
 *     log/<lineage>/000000000000032d.segment      the log between backups, for a return to any point of it
 *
 * A backup is a snapshot in another place (snapshot/format.ts), so it may have any name; those that a server makes have these.
 */
import { basename, join } from 'node:path';
import { CorruptError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import type { SnapshotHeader } from '../snapshot/format.ts';
import { readSnapshotHeader } from '../snapshot/read-header.ts';

export const backupEnding = '.backup';
const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z-(\d+)\.backup(?:\.([0-9a-f]{8})\.tmp)?$/;

/** What a name made here says. */
export interface BackupName {
  /** Milliseconds since 1970, whole seconds. */
  readonly timeMs: number;
  readonly lsn: number;
  /** Of one that is being written, or was broken off: the beginning of the name of its history. */
  readonly writer: string | undefined;
}

export function backupName(timeMs: number, lsn: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z-${lsn}${backupEnding}`;
}

/** `undefined` for names that were not made here. */
export function parseBackupName(name: string): BackupName | undefined {
  const [, day, hours, minutes, seconds, lsn, writer] = pattern.exec(name) ?? [];
  if (lsn === undefined) return undefined;
  const timeMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(timeMs) ? undefined : { timeMs, lsn: Number(lsn), writer };
}

/**
 * The name of a backup until it is whole. The history in it says who writes it: only one process at a time has a folder open, so what
 * bears its mark when it begins was broken off.
 */
export function temporaryName(path: string, lineage: string): string {
  return `${path}.${lineage.slice(0, 8)}.tmp`;
}

/** Where the log of a history is kept beside its backups. */
export function logFolder(folder: string, lineage: string): string {
  return join(folder, 'log', lineage);
}

/** A backup by its header. */
export interface BackupFile {
  readonly path: string;
  readonly header: SnapshotHeader;
}

/** The backups in a folder, whatever comes before the ending of their names, oldest LSN first; those whose header cannot be read are left out. */
export function listBackups(files: Files, folder: string): BackupFile[] {
  return files
    .list(folder)
    .filter((name) => name.endsWith(backupEnding))
    .flatMap((name) => {
      const path = join(folder, name);
      const header = headerOf(files, path);
      return header === undefined ? [] : [{ path, header }];
    })
    .sort((a, b) => a.header.lsn - b.header.lsn || a.header.madeAt - b.header.madeAt);
}

/** The header of a snapshot or a backup; `undefined` when it is damaged or gone. Throws FolderError for one of a later version. */
export function headerOf(files: Files, path: string): SnapshotHeader | undefined {
  try {
    return readSnapshotHeader(files, path);
  } catch (error) {
    if (error instanceof CorruptError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the file is a backup that a server made in its own folder: by its name, and by what its header says of it. */
export function isServersOwn({ path, header }: BackupFile, lineage: string): boolean {
  const name = parseBackupName(basename(path));
  return name !== undefined && name.writer === undefined && name.lsn === header.lsn && header.lineage === lineage;
}

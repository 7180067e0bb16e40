/**
 * The files in a backup folder:
 *
 *     2026-11-20T14-05-00Z-812.backup             everything up to record 812, as of that time (UTC)
 *     2026-11-20T14-05-00Z-812.backup.5f3a9c01.tmp  a backup that is being written, or was interrupted
 *     log/<lineage>/000000000000032d.segment      the log between backups, for point-in-time recovery
 *
 * A backup is a snapshot in another place (snapshot/format/snapshot-format.ts), so it may have any name. A server uses the names above.
 */
import { basename, join } from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { readSnapshotHeader } from '../snapshot/format/read-header.ts';
import type { SnapshotHeader } from '../snapshot/format/snapshot-format.ts';

export const backupEnding = '.backup';
const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z-(\d+)\.backup(?:\.([0-9a-f]{8})\.tmp)?$/;

/** The parts of a name that a server gave to a backup. */
interface BackupName {
  /** Milliseconds since 1970, whole seconds. */
  readonly timeMs: number;
  readonly lsn: number;
  /** For a temporary file: the beginning of the lineage of the server that writes it. */
  readonly writer: string | undefined;
}

export function backupName(timeMs: number, lsn: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z-${lsn}${backupEnding}`;
}

/** `undefined` for names in another format. */
export function parseBackupName(name: string): BackupName | undefined {
  const [, day, hours, minutes, seconds, lsn, writer] = pattern.exec(name) ?? [];
  if (lsn === undefined) return undefined;
  const timeMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(timeMs) ? undefined : { timeMs, lsn: Number(lsn), writer };
}

/**
 * The name of a backup until it is whole. It contains the beginning of the lineage. Only one process at a time has a data folder open, so
 * temporary files with its lineage that exist at its start were interrupted.
 */
export function temporaryName(path: string, lineage: string): string {
  return `${path}.${lineage.slice(0, 8)}.tmp`;
}

/** The folder that archives the log of a history, next to its backups. */
export function logFolder(folder: string, lineage: string): string {
  return join(folder, 'log', lineage);
}

/** A backup file with its header. */
interface BackupFile {
  readonly path: string;
  readonly header: SnapshotHeader;
}

/** The backups in a folder, whatever their names before the ending, oldest LSN first. Files with an unreadable header are left out. */
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

/** The header of a snapshot or a backup; `undefined` if it is damaged or missing. Throws FolderError for a newer format version. */
export function headerOf(files: Files, path: string): SnapshotHeader | undefined {
  try {
    return readSnapshotHeader(files, path);
  } catch (error) {
    if (error instanceof CorruptError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a server made this backup in its own backup folder, according to its name and header. */
export function isServersOwn({ path, header }: BackupFile, lineage: string): boolean {
  const name = parseBackupName(basename(path));
  return name !== undefined && name.writer === undefined && name.lsn === header.lsn && header.lineage === lineage;
}

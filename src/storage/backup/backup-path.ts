/** The path of a backup: a generated name in a folder, or the file that the request names. */
import fs from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { FolderError } from '../../lib/errors.ts';
import { refuseDevice } from '../../lib/files/file-name.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { systemCode, systemMessage } from '../../lib/files/system-errors.ts';
import { backupName, temporaryName } from './backup-names.ts';

interface BackupPath {
  readonly path: string;
  /** Its name until the backup is whole. */
  readonly temporary: string;
}

/** The destination of a backup. A string names an existing folder, or else the file. `folder` must exist. */
export type BackupDestination = string | { readonly folder: string };

/**
 * Chooses the path of a backup. Creates a missing folder if the path ends with a slash. Throws {@link FolderError} if the target lies in
 * the data folder, if its folder is missing, or if a file of its name exists.
 */
export function backupPathOf(
  place: BackupDestination,
  dataFolder: string,
  timeMs: number,
  lsn: number,
  lineage: string,
): BackupPath {
  const requested = typeof place === 'string' ? place : place.folder;
  refuseDevice(requested);
  if (typeof place !== 'string' && !isFolder(requested)) throw noBackupFolder(requested);
  if (!isFolder(requested) && (requested.endsWith('/') || requested.endsWith(sep))) {
    assertOutside(resolve(requested), dataFolder);
    makeBackupFolder(resolve(requested));
  }
  const path = isFolder(requested) ? join(resolve(requested), backupName(timeMs, lsn)) : resolve(requested);
  const folder = dirname(path);
  if (!isFolder(folder))
    throw new FolderError(
      `Cannot write the backup ${basename(path)}: the folder ${folder} does not exist. Create it first: mkdir ${folder}`,
    );
  assertOutside(folder, dataFolder);
  if (fs.existsSync(path))
    throw new FolderError(`The file ${path} exists already and was not overwritten. Give the backup another name.`);
  return { path, temporary: temporaryName(path, lineage) };
}

/** Creates a backup folder in an existing folder. Throws {@link FolderError}. */
function makeBackupFolder(path: string): void {
  if (!isFolder(dirname(path)))
    throw new FolderError(
      `The backup folder ${path} cannot be created, because ${dirname(path)} does not exist. Check the path. If it is right, create the folder: mkdir -p ${path}`,
    );
  if (fs.existsSync(path)) throw new FolderError(`${path} is a file, not a folder. Name a folder for the backups.`);
  fs.mkdirSync(path, { mode: 0o700 });
  nodeFiles.syncFolder(dirname(path));
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EROFS: 'the file system is read-only. Mount it for writing, or name another folder for the backups',
  EACCES: 'permission denied. Make the folder writable for this user, or name another folder for the backups',
  EPERM: 'permission denied. Make the folder writable for this user, or name another folder for the backups',
};

/** Rewords an error of the backup folder's disk; returns other errors unchanged. */
export function describeDiskError(error: unknown): unknown {
  const code = systemCode(error) ?? '';
  const reason = reasons[code];
  return reason === undefined ? error : Object.assign(new Error(`${reason} (${systemMessage(error)})`), { code });
}

/** The error for a backup folder that is missing while a server runs. */
export function noBackupFolder(path: string): FolderError {
  return new FolderError(
    `The backup folder ${path} does not exist. Mount its disk or create the folder; no backup is written until then.`,
  );
}

/** Throws {@link FolderError} for a missing backup folder: a mistyped path, or a disk that is not mounted. */
export function assertBackupFolder(path: string): void {
  if (isFolder(path)) return;
  if (fs.existsSync(path)) throw new FolderError(`${path} is a file, not a folder. Name a folder for the backups.`);
  throw new FolderError(
    `The backup folder ${path} does not exist. Check the path, or create it: mkdir -p ${path}. If its disk is mounted later, start with --backup-dir-later (in a program, later: true in backup).`,
  );
}

function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/**
 * Throws {@link FolderError} if `folder` is in the data folder: a backup there would be lost with the data, and fill its disk.
 *
 * @param why the reason and advice for the message
 */
export function assertOutside(
  folder: string,
  dataFolder: string,
  why = 'a backup there would be lost with the data. Name a folder outside of it, if possible on another disk',
): void {
  const between = relative(real(dataFolder), real(folder));
  if (between === '' || !(between === '..' || between.startsWith(`..${sep}`) || resolve(between) === between)) {
    throw new FolderError(`${folder} is inside the data folder ${dataFolder}: ${why}.`);
  }
}

/** The path with the symbolic links of its existing part resolved. */
function real(path: string): string {
  const whole = resolve(path);
  try {
    return fs.realpathSync(whole);
  } catch {
    return dirname(whole) === whole ? whole : join(real(dirname(whole)), basename(whole));
  }
}

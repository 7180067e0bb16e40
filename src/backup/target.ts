/** Where a backup goes: a folder, in which it gets a name of its own, or a file of the name that was asked for. */
import fs from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { FolderError } from '../lib/errors.ts';
import { refuseDevice } from '../lib/file-name.ts';
import { nodeFiles } from '../lib/files.ts';
import { backupName, temporaryName } from './names.ts';

export interface Target {
  readonly path: string;
  /** Its name until it is whole. */
  readonly temporary: string;
}

/** Where a backup is to go: a path, which names a folder if there is one and otherwise the file; or a folder, which must be there. */
export type BackupPlace = string | { readonly folder: string };

/**
 * Throws {@link FolderError} when the target lies in the data folder, when the folder for it is not there, or when there is a file of
 * its name. A folder that is named with a slash at the end is made.
 */
export function targetOf(place: BackupPlace, dataFolder: string, timeMs: number, lsn: number, lineage: string): Target {
  const asked = typeof place === 'string' ? place : place.folder;
  refuseDevice(asked);
  if (typeof place !== 'string' && !isFolder(asked)) throw noBackupFolder(asked);
  if (!isFolder(asked) && (asked.endsWith('/') || asked.endsWith(sep))) {
    refuseInside(resolve(asked), dataFolder);
    makeBackupFolder(resolve(asked));
  }
  const path = isFolder(asked) ? join(resolve(asked), backupName(timeMs, lsn)) : resolve(asked);
  const folder = dirname(path);
  if (!isFolder(folder))
    throw new FolderError(`There is no folder ${folder} for the backup ${basename(path)}. Make it first: mkdir ${folder}`);
  refuseInside(folder, dataFolder);
  if (fs.existsSync(path))
    throw new FolderError(`There is a file ${path} already; nothing was written over it. Give the backup another name.`);
  return { path, temporary: temporaryName(path, lineage) };
}

/** Makes a folder for backups, in a folder that is there; nothing when it exists. Throws {@link FolderError}. */
export function makeBackupFolder(path: string): void {
  if (isFolder(path)) return;
  if (!isFolder(dirname(path)))
    throw new FolderError(`There is no folder ${dirname(path)}. Make it first: mkdir ${dirname(path)}`);
  if (fs.existsSync(path)) throw new FolderError(`${path} is a file, not a folder.`);
  fs.mkdirSync(path, { mode: 0o700 });
  nodeFiles.syncFolder(dirname(path));
}

/** The refusal for a folder of backups that was there and is gone. */
export function noBackupFolder(path: string): FolderError {
  return new FolderError(
    `The folder of backups ${path} is not there any more. Mount its disk, or make the folder again; nothing is written until it is back.`,
  );
}

export function isFolder(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/**
 * A backup in the data folder would be lost with it, and fill its disk. Throws {@link FolderError}.
 *
 * @param why what is wrong with that, for the message
 */
export function refuseInside(
  folder: string,
  dataFolder: string,
  why = 'a backup there would be lost together with it. Name a folder outside of it, best on another disk',
): void {
  const between = relative(real(dataFolder), real(folder));
  if (between === '' || !(between === '..' || between.startsWith(`..${sep}`) || resolve(between) === between)) {
    throw new FolderError(`${folder} is in the data folder ${dataFolder}: ${why}.`);
  }
}

/** The path without symbolic links, as far as it exists. */
function real(path: string): string {
  const whole = resolve(path);
  try {
    return fs.realpathSync(whole);
  } catch {
    return dirname(whole) === whole ? whole : join(real(dirname(whole)), basename(whole));
  }
}

/**
 * The data folder: its contents, and the lock that excludes other processes.
 *
 *     format        marks the folder as mapwright's, with the version
 *     lock          locked while a process has the folder open; names the process
 *     control.sock  socket for commands to the server that has the folder open
 *     journal/      segments of the write-ahead log
 *     snapshots/    snapshots
 *     audit.log     rejected keys, changes of keys and accounts; audit.log.1 and so on are older
 *     last-use.json time of each key's last use
 *     moved.json    where the data went, if it was moved into a cluster
 *     shard-N/      journal, snapshots, audit.log and last-use.json of a shard, in the cache of a cluster with several
 */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FolderError } from '../../lib/errors.ts';
import { makeFolders, nodeFiles } from '../../lib/files/files.ts';
import { OpenFolder } from '../../lib/files/open-folder.ts';
import { systemCode, systemMessage } from '../../lib/files/system-errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { stageNames } from '../../storage/backup/stage-names.ts';
import { markerName } from '../../storage/recovery/marker.ts';
import { type FolderLock, isLocked, lockFolder } from './folder-lock.ts';

export interface DataFolder {
  readonly path: string;
  /** Checks whether the path still leads to the locked folder. */
  readonly root: OpenFolder;
  readonly journal: string;
  readonly snapshots: string;
  readonly blobs: string;
  readonly marker: string;
  /** Unlocks and closes the folder. */
  close(): void;
}

/** Name of the control socket. */
export const socketName = 'control.sock';

/** Paths in a data folder. */
export function pathsIn(folder: string) {
  const path = resolve(folder);
  return {
    path,
    journal: join(path, 'journal'),
    snapshots: join(path, 'snapshots'),
    blobs: join(path, 'blobs'),
    marker: join(path, markerName),
    lock: join(path, 'lock'),
    socket: join(path, socketName),
    auditLog: join(path, 'audit.log'),
    lastUse: join(path, 'last-use.json'),
  };
}

/** Thrown when another process has the folder open. */
export class FolderInUseError extends FolderError {
  override readonly name = 'FolderInUseError';
  override readonly code = 'folder_in_use';
}

/**
 * Creates the folder if it does not exist (mode 0700) and locks it. Throws {@link FolderInUseError} if another process has it open, and
 * {@link FolderError} if it cannot be used.
 */
export function openDataFolder(folder: string, log: Log): DataFolder {
  const { path, journal, snapshots, blobs, marker, lock } = pathsIn(folder);
  let root: OpenFolder | undefined;
  let taken: FolderLock | string;
  try {
    makeDurably(path);
    root = new OpenFolder(path);
    assertOwnFiles(path);
    const looser = fs.statSync(path).mode & 0o077;
    if (looser !== 0 && process.platform !== 'win32') {
      log.warn({ folder: path }, 'other users of this machine can read the data folder: run chmod 700 on it');
    }
    taken = lockFolder(lock, journal, root, log);
  } catch (error) {
    root?.close();
    if (error instanceof FolderError) throw error;
    throw new FolderError(`The data folder ${path} cannot be used: ${reason(error, path)}.`, { cause: error });
  }
  if (typeof taken === 'string') {
    root.close();
    throw new FolderInUseError(
      `The data folder ${path} is in use${taken === '' ? '' : ` by ${taken}`}. Stop that process, or choose another folder (--data; in a program, data).`,
    );
  }
  const close = () => {
    taken.release();
    root.close();
  };
  return { path, root, journal, snapshots, blobs, marker, close };
}

/** Whether a process has the folder open. Changes nothing in it; a folder that is not writable is never open. */
export function isInUse(folder: string): boolean {
  const { lock, journal } = pathsIn(folder);
  return isLocked(lock, journal);
}

/** Names of this program's files in a data folder. */
const ours =
  /^(format(\.tmp)?|journal|snapshots|blobs|lock|control\.sock|audit\.log(\.[0-9]+)?|(last-use|moved)\.json(\.tmp)?|shard-[0-9]+)$/;

/** Throws {@link FolderError} for a folder with other files: it was probably given by mistake. */
export function assertOwnFiles(path: string): void {
  const names = fs.readdirSync(path);
  const stranger = names.find((name) => !ours.test(name) && !name.startsWith('.') && name !== 'lost+found');
  if (stranger === undefined || names.includes('journal')) return;
  refuseUnfinished(path, names);
  throw new FolderError(`${path} contains no mapwright data, but other files (${stranger} ...). Choose a new or empty folder.`);
}

/** Throws {@link FolderError} for a folder with an interrupted restore or repair. */
export function refuseUnfinished(path: string, names: readonly string[]): void {
  if (names.includes('journal') || !stageNames.some((name) => names.includes(name))) return;
  throw new FolderError(
    `A restore or repair into ${path} was interrupted: its contents are incomplete. Delete the folder and run the command again.`,
  );
}

/** Creates the folder and its parents, durably. */
function makeDurably(path: string): void {
  for (const made of makeFolders(path, 0o700).reverse()) nodeFiles.syncFolder(dirname(made));
}

function reason(error: unknown, path: string): string {
  const known: Record<string, string> = {
    EACCES: 'permission denied. Run this as the owner of the folder, or choose another one with --data',
    EEXIST: 'a file with this name exists. Choose another folder with --data',
    ENOTDIR: 'a part of the path is a file. Choose another folder with --data',
    EROFS: `the file system is read-only. Mount it for writing, or copy its data: npx mapwright restore --from ${path} --data NEWDIR`,
    ENOSPC: 'no space left on the disk',
    EDQUOT: 'the disk quota of this user is exhausted',
    EMFILE: 'too many open files. Raise the limit: ulimit -n',
    ELOOP: 'a symbolic link leads to itself, or replaces the file "lock": delete it',
  };
  return known[systemCode(error) ?? ''] ?? systemMessage(error);
}

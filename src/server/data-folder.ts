/**
 * The data folder: what is in it, and the lock that keeps a second process out.
 *
 *     format        says what the folder is, and in which version
 *     lock          held while a process has the folder open; says which
 *     control.sock  how commands reach the server that has it open
 *     journal/      segments of the write-ahead log
 *     snapshots/    snapshots
 *     audit.log     keys refused, keys and accounts changed; audit.log.1 and so on are older
 *     last-use.json when keys were last used
 */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stageNames } from '../backup/build.ts';
import { markerName } from '../engine/marker.ts';
import { FolderError } from '../lib/errors.ts';
import { makeFolders, nodeFiles } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import { OpenFolder } from '../lib/open-folder.ts';
import { type FolderLock, isLocked, lockFolder } from './folder-lock.ts';

export interface DataFolder {
  readonly path: string;
  /** Checks whether the path still leads to the folder that was locked. */
  readonly root: OpenFolder;
  readonly journal: string;
  readonly snapshots: string;
  readonly marker: string;
  /** Lets others have the folder. */
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
    marker: join(path, markerName),
    lock: join(path, 'lock'),
    socket: join(path, socketName),
    auditLog: join(path, 'audit.log'),
    lastUse: join(path, 'last-use.json'),
  };
}

/** Thrown when another process has the folder open. */
export class FolderInUseError extends FolderError {}

/**
 * Makes the folder where there is none (mode 0700) and locks it. Throws {@link FolderInUseError} when another process has it, and
 * {@link FolderError} when it cannot be used.
 */
export function openDataFolder(folder: string, log: Log): DataFolder {
  const { path, journal, snapshots, marker, lock } = pathsIn(folder);
  let root: OpenFolder | undefined;
  let taken: FolderLock | string;
  try {
    makeDurably(path);
    root = new OpenFolder(path);
    refuseStrangers(path);
    const looser = fs.statSync(path).mode & 0o077;
    if (looser !== 0 && process.platform !== 'win32') {
      log.warn({ folder: path }, 'others on this machine may look into the data folder; chmod 700 it');
    }
    taken = lockFolder(lock, journal, root, log);
  } catch (error) {
    root?.close();
    if (error instanceof FolderError) throw error;
    throw new FolderError(`The data folder ${path} cannot be used: ${reason(error)}`);
  }
  if (typeof taken === 'string') {
    root.close();
    throw new FolderInUseError(
      `The data folder ${path} is in use${taken === '' ? '' : ` by ${taken}`}. Stop it, or give this one another folder (--data; in a program, data).`,
    );
  }
  const close = () => {
    taken.release();
    root.close();
  };
  return { path, root, journal, snapshots, marker, close };
}

/** Whether a process has the folder open. Changes nothing in it; where it may not be written to, nobody has. */
export function isInUse(folder: string): boolean {
  const { lock, journal } = pathsIn(folder);
  return isLocked(lock, journal);
}

/** Names of what this program keeps in a data folder. */
const ours = /^(format(\.tmp)?|journal|snapshots|lock|control\.sock|audit\.log(\.[0-9]+)?|last-use\.json(\.tmp)?)$/;

/** Throws {@link FolderError} for a folder of somebody's own files, which is not ours to fill: it was probably named by mistake. */
export function refuseStrangers(path: string): void {
  const names = fs.readdirSync(path);
  const stranger = names.find((name) => !ours.test(name) && !name.startsWith('.') && name !== 'lost+found');
  if (stranger === undefined || names.includes('journal')) return;
  refuseUnfinished(path, names);
  throw new FolderError(`${path} holds no mapwright data, but other files (${stranger} ...). Name a new or an empty folder.`);
}

/** Throws {@link FolderError} for a folder that a restore or a repair was filling when it was broken off. */
export function refuseUnfinished(path: string, names: readonly string[]): void {
  if (names.includes('journal') || !names.some((name) => stageNames.includes(name))) return;
  throw new FolderError(
    `A restore or a repair into ${path} did not come to its end: what is in there is not whole. Delete the folder and do it again.`,
  );
}

/** Makes the folder and what leads to it; a power cut then does not take it back. */
function makeDurably(path: string): void {
  for (const made of makeFolders(path, 0o700).reverse()) nodeFiles.syncFolder(dirname(made));
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    EACCES: 'permission denied',
    EEXIST: 'there is a file of that name',
    ENOTDIR: 'there is a file on the way to it',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the disk',
    EMFILE: 'too many open files',
    ELOOP: 'a symbolic link leads to itself, or has taken the place of the file "lock": delete it',
  };
  return known[code ?? ''] ?? message;
}

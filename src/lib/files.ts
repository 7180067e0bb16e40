/**
 * The file system as the journal and the snapshots use it: one small interface, so that tests can put a recorder or a fault
 * in its place. Every call is synchronous, because every caller is a worker thread, start-up or a command.
 *
 * Errors are Node's own `ErrnoException` (`code`, `syscall`, `path`).
 */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { CorruptError } from './errors.ts';

/** `r` reads, `r+` reads and writes what exists, `wx+` creates and fails when the name is taken. */
export type OpenMode = 'r' | 'r+' | 'wx+';

export interface Files {
  /** Opens a regular file (created with mode 0600) and returns its descriptor. Throws CorruptError where something else has the name. */
  open(path: string, mode: OpenMode): number;
  close(fd: number): void;
  /**
   * Takes the file for whoever holds this descriptor, which must be open for writing: until it is closed, however the process ends,
   * no other descriptor gets it, in this process neither.
   *
   * @returns whether it was free
   */
  lock(fd: number): boolean;
  /** Bytes in the file. */
  size(fd: number): number;
  /** Fills `into` from `position` (bytes); returns how many bytes were there, fewer only at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  /** Writes all of `bytes` at `position` (bytes), or throws. */
  write(fd: number, bytes: Uint8Array, position: number): void;
  /** fdatasync: what was written to the file is on the disk, and so is its length. */
  sync(fd: number): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Makes a folder and its parents (mode 0700); nothing when it exists. */
  makeFolder(path: string): void;
  /** Names in a folder, sorted; none when the folder does not exist. */
  list(folder: string): string[];
  /** Whether the open file still has this path: it may have been moved, deleted or replaced. True where that is unknown. */
  isAt(path: string, fd: number): boolean;
  /** Opens a folder, for a {@link Files.syncFolder} that must not fail for want of a descriptor. */
  openFolder(path: string): number;
  /** fsync of a folder: creations, renames and unlinks in it are on the disk. `fd` is its descriptor, where it was opened before. */
  syncFolder(folder: string, fd?: number): void;
}

/**
 * Makes a folder and those that lead to it. Returns what was made, the outermost first; nothing when it is there. Node's own recursion never
 * ends where a folder is there and nothing can be made in it (/proc).
 */
export function makeFolders(path: string, mode?: number): string[] {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  const parent = dirname(path);
  // What leads to it and is no folder is found by the call itself.
  const made = fs.existsSync(parent) ? [] : makeFolders(parent, mode);
  fs.mkdirSync(path, { ...(mode !== undefined && { mode }) });
  return [...made, path];
}

const { O_RDONLY, O_RDWR, O_NONBLOCK = 0 } = fs.constants;

/**
 * Opens a regular file (created with mode 0600 where the flags say so), and nothing else: a named pipe would be waited for without end.
 * Throws {@link CorruptError} for anything else.
 *
 * @param flags as of open(2), for reading where there are none
 */
export function openRegular(path: string, flags = O_RDONLY): number {
  const fd = fs.openSync(path, flags | O_NONBLOCK, 0o600);
  try {
    assertRegular(path, fs.fstatSync(fd));
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Throws {@link CorruptError} for what is at a path of a data folder and is no regular file. */
export function assertRegular(path: string, stats: fs.Stats): void {
  if (stats.isFile()) return;
  const kinds: [boolean, string][] = [
    [stats.isFIFO(), 'a named pipe'],
    [stats.isDirectory(), 'a folder'],
    [stats.isSocket(), 'a socket'],
  ];
  const kind = kinds.find(([is]) => is)?.[1] ?? 'a device';
  throw new CorruptError(path, 0, `it is ${kind}, not a file`);
}

/** Text of a regular file; throws as {@link openRegular} does. */
export function readText(path: string): string {
  const fd = openRegular(path);
  try {
    return fs.readFileSync(fd, 'utf8');
  } finally {
    fs.closeSync(fd);
  }
}

/** Bytes of a file that is not open. */
export function sizeOf(files: Files, path: string): number {
  const fd = files.open(path, 'r');
  try {
    return files.size(fd);
  } finally {
    files.close(fd);
  }
}

/** The disk. */
export const nodeFiles: Files = {
  // What is created is a regular file.
  open: (path, mode) => (mode === 'wx+' ? fs.openSync(path, mode, 0o600) : openRegular(path, mode === 'r' ? O_RDONLY : O_RDWR)),
  close: (fd) => fs.closeSync(fd),
  // On Windows a lock would keep readers out as well.
  lock: (fd) => process.platform === 'win32' || tryLock(fd),
  size: (fd) => fs.fstatSync(fd).size,
  read(fd, into, position) {
    let done = 0;
    while (done < into.byteLength) {
      const n = fs.readSync(fd, into, done, into.byteLength - done, position + done);
      if (n === 0) break;
      done += n;
    }
    return done;
  },
  write(fd, bytes, position) {
    let done = 0;
    // A signal, a quota or a nearly full disk may cut a write short; the next call then says what is wrong.
    while (done < bytes.byteLength) done += fs.writeSync(fd, bytes, done, bytes.byteLength - done, position + done);
  },
  sync: (fd) => fs.fdatasyncSync(fd),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  makeFolder(path) {
    makeFolders(path, 0o700);
  },
  list(folder) {
    try {
      return fs.readdirSync(folder).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  },
  isAt(path, fd) {
    try {
      return isFileAt(path, fd);
    } catch {
      return true;
    }
  },
  openFolder: (path) => fs.openSync(path, 'r'),
  syncFolder(folder, open) {
    const fd = open ?? fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(fd);
    } finally {
      if (open === undefined) fs.closeSync(fd);
    }
  },
};

/** Removes a file; it is fine when there is none. */
export function removeIfThere(files: Files, path: string): void {
  try {
    files.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A file that could not be deleted, and why. */
export interface Undeleted {
  readonly path: string;
  readonly reason: string;
}

export interface Deletion {
  /** Files that are gone. */
  readonly deleted: readonly string[];
  readonly undeleted: readonly Undeleted[];
}

/**
 * Deletes files that nothing needs, in the order given, and syncs their folders. A file that cannot be deleted does not keep the others:
 * it is in the result, for the caller to try again. Never throws. After a power cut any of the files may be back.
 */
export function deleteFiles(files: Files, paths: readonly string[]): Deletion {
  const deleted: string[] = [];
  const undeleted: Undeleted[] = [];
  const attempt = (path: string, step: () => void): boolean => {
    try {
      step();
      return true;
    } catch (error) {
      undeleted.push({ path, reason: (error as Error).message });
      return false;
    }
  };
  for (const path of paths) if (attempt(path, () => removeIfThere(files, path))) deleted.push(path);
  for (const folder of new Set(deleted.map((path) => dirname(path)))) attempt(folder, () => files.syncFolder(folder));
  return { deleted, undeleted };
}

/** Whether the open file is still the one of that name on the disk: it may have been moved, deleted or made anew. */
export function isFileAt(path: string, fd: number): boolean {
  const named = fs.statSync(path, { throwIfNoEntry: false, bigint: true });
  const open = fs.fstatSync(fd, { bigint: true });
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

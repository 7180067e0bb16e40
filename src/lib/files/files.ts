/**
 * The file system interface of the journal and the snapshots: small, so that tests can replace it by a recorder or by injected faults.
 * Every call is synchronous, because every caller is a worker thread, start-up or a command.
 *
 * Errors are Node's own `ErrnoException` (`code`, `syscall`, `path`).
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { CorruptError, FolderError } from '../errors.ts';

/** `r` reads, `r+` reads and writes an existing file, `wx+` creates a file and fails if it exists. */
export type OpenMode = 'r' | 'r+' | 'wx+';

/** What is known of a file without opening it. */
export interface FileStats {
  /** Size in bytes. */
  readonly bytes: number;
  /** Time of the last change of its bytes or its name, Unix time in milliseconds. */
  readonly changedMs: number;
}

export interface Files {
  /** Opens a regular file (created with mode 0600) and returns its descriptor. Throws CorruptError where something else has the name. */
  open(path: string, mode: OpenMode): number;
  close(fd: number): void;
  /**
   * Takes an exclusive lock through this descriptor, which must be open for writing. The lock ends when the descriptor is closed, however
   * the process ends; until then no other descriptor gets it, not even in this process.
   *
   * @returns false if another descriptor holds the lock
   */
  lock(fd: number): boolean;
  /** Size of a file, in bytes. */
  size(fd: number): number;
  /** Bytes that the file takes on the disk, fewer than its size if parts of it were never written. */
  allocated(fd: number): number;
  /** Fills `into` from `position` (bytes); returns the number of bytes read, fewer only at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  /** Writes all of `bytes` at `position` (bytes), or throws. */
  write(fd: number, bytes: Uint8Array, position: number): void;
  /** fdatasync: the written data and the length of the file are durable afterwards. */
  sync(fd: number): void;
  rename(from: string, to: string): void;
  /** Makes a copy that shares blocks with its source until one is changed. Returns false, with no copy, where the file system cannot. */
  clone?(from: string, to: string): boolean;
  unlink(path: string): void;
  /** Creates a folder and its parents (mode 0700); does nothing if it exists. */
  makeFolder(path: string): void;
  /** Names in a folder, sorted; empty if the folder does not exist. */
  list(folder: string): string[];
  /** Size and time of change of a regular file; `undefined` if nothing, or something else, has this path. */
  stat(path: string): FileStats | undefined;
  /** Whether the open file still has this path: it may have been moved, deleted or replaced. True if unknown. */
  isAt(path: string, fd: number): boolean;
  /** Opens a folder, for a {@link Files.syncFolder} that must not fail for lack of a descriptor. */
  openFolder(path: string): number;
  /** fsync of a folder: creations, renames and deletions in it are durable afterwards. `fd` is its descriptor, if it is open. */
  syncFolder(folder: string, fd?: number): void;
}

/**
 * Creates a folder and its parents. Returns the created ones, outermost first; empty if it exists. Node's own recursion never ends if a
 * folder exists in which nothing can be created (/proc).
 */
export function makeFolders(path: string, mode?: number): string[] {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  const parent = dirname(path);
  // If a parent is not a folder, mkdir itself reports it.
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
function assertRegular(path: string, stats: fs.Stats): void {
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

/** Size of a file that is not open, in bytes. */
export function sizeOf(files: Files, path: string): number {
  const fd = files.open(path, 'r');
  try {
    return files.size(fd);
  } finally {
    files.close(fd);
  }
}

/** Loads the native module when it is needed: worker threads and servers in memory take no locks. */
function nativeFiles(): typeof import('fs-native-extensions') {
  try {
    return createRequire(import.meta.url)('fs-native-extensions');
  } catch (cause) {
    throw new FolderError(
      'cannot load fs-native-extensions, which locks the data folder. On Linux it needs glibc: on Alpine, which has musl, ' +
        'use an image of Debian. Elsewhere install the packages again on this machine.',
      { cause },
    );
  }
}

/** Unit of `blocks` in the answer of fstat, whatever the block size of the file system is. */
const statBlockBytes = 512;

/** The real file system. */
export const nodeFiles: Files = {
  // What is created is a regular file.
  open: (path, mode) => (mode === 'wx+' ? fs.openSync(path, mode, 0o600) : openRegular(path, mode === 'r' ? O_RDONLY : O_RDWR)),
  close: (fd) => fs.closeSync(fd),
  // On Windows a lock would also exclude readers.
  lock: (fd) => process.platform === 'win32' || nativeFiles().tryLock(fd),
  size: (fd) => fs.fstatSync(fd).size,
  allocated: (fd) => fs.fstatSync(fd).blocks * statBlockBytes,
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
    // A signal, a quota or a nearly full disk may cut a write short; the next call then reports the reason.
    while (done < bytes.byteLength) done += fs.writeSync(fd, bytes, done, bytes.byteLength - done, position + done);
  },
  sync: (fd) => fs.fdatasyncSync(fd),
  rename: (from, to) => fs.renameSync(from, to),
  clone(from, to) {
    try {
      fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE_FORCE | fs.constants.COPYFILE_EXCL);
      return true;
    } catch {
      // The copy by reading and writing reports the reason, if it is no lack of support.
      fs.rmSync(to, { force: true });
      return false;
    }
  },
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
  stat(path) {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? { bytes: stats.size, changedMs: stats.ctimeMs } : undefined;
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

/** Deletes a file; does nothing if it does not exist. */
export function removeIfThere(files: Files, path: string): void {
  try {
    files.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A file that could not be deleted, and the reason. */
export interface Undeleted {
  readonly path: string;
  readonly reason: string;
}

export interface Deletion {
  /** Paths of deleted files. */
  readonly deleted: readonly string[];
  readonly undeleted: readonly Undeleted[];
}

/**
 * Deletes obsolete files in the given order, and syncs their folders. A file that cannot be deleted does not stop the others: it is in the
 * result, so that the caller can retry. Never throws. After a power failure any of the files may exist again.
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

/** Whether the open file is still the one with that path: it may have been moved, deleted or replaced. */
export function isFileAt(path: string, fd: number): boolean {
  const named = fs.statSync(path, { throwIfNoEntry: false, bigint: true });
  const open = fs.fstatSync(fd, { bigint: true });
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

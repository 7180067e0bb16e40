/**
 * A folder that a process keeps open, with a check that its path still leads to it. The folder may be deleted, moved or replaced, a
 * symbolic link switched, or another file system mounted over it. Open files then belong to the old folder, and paths lead to the new one: a
 * rename by path would damage both. So every thread uses a path in such a folder only after this check ({@link filesIn}).
 *
 * The check and the following call take a few microseconds together. A replacement in between is detected only if the call fails for it.
 */
import fs from 'node:fs';
import { FolderReplacedError } from '../errors.ts';
import type { Files } from './files.ts';

/** The identity of a folder, as plain data for other threads. Valid while the {@link OpenFolder} is open. */
export interface FolderIdentity {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  /** A descriptor of the folder, valid in the whole process. */
  readonly fd: number;
}

/** Holds a descriptor of a folder, so that its inode number cannot be reused. */
export class OpenFolder {
  readonly identity: FolderIdentity;
  /** Called by every {@link check} that finds another folder, or none. */
  onReplaced: (error: FolderReplacedError) => void = () => undefined;
  #closed = false;

  /** Throws if the path is not a folder. */
  constructor(path: string) {
    const fd = fs.openSync(path, 'r');
    try {
      const { dev, ino } = fs.fstatSync(fd, { bigint: true });
      this.identity = { path, device: dev, inode: ino, fd };
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  /** Checks now. Returns whether the path still leads to the folder; calls {@link onReplaced} if it does not. */
  check(): boolean {
    const { identity } = this;
    const found = findOther(identity);
    if (found === undefined) return true;
    this.onReplaced(replaced(identity, found));
    return false;
  }

  close(): void {
    if (!this.#closed) fs.closeSync(this.identity.fd);
    this.#closed = true;
  }
}

/** Throws {@link FolderReplacedError} if the path leads to another folder, or to none. */
export function assertSame(folder: FolderIdentity): void {
  const found = findOther(folder);
  if (found !== undefined) throw replaced(folder, found);
}

/**
 * Wraps a file system for a thread that works in this folder: every call by path but stat() throws {@link FolderReplacedError} if it was
 * replaced, also where it was replaced between the check and a call that then failed.
 */
export function filesIn(files: Files, folder: FolderIdentity | undefined): Files {
  if (folder === undefined) return files;
  const same = <T>(call: (files: Files) => T): T => {
    assertSame(folder);
    try {
      return call(files);
    } catch (error) {
      assertSame(folder);
      throw error;
    }
  };
  return {
    open: (path, mode) => same((files) => files.open(path, mode)),
    close: (fd) => files.close(fd),
    lock: (fd) => files.lock(fd),
    size: (fd) => files.size(fd),
    allocated: (fd) => files.allocated(fd),
    read: (fd, into, position) => files.read(fd, into, position),
    write: (fd, bytes, position) => files.write(fd, bytes, position),
    sync: (fd) => files.sync(fd),
    rename: (from, to) => same((files) => files.rename(from, to)),
    clone: (from, to) => same((files) => files.clone?.(from, to) ?? false),
    unlink: (path) => same((files) => files.unlink(path)),
    makeFolder: (path) => same((files) => files.makeFolder(path)),
    list: (path) => same((files) => files.list(path)),
    // Not checked: it follows a call of list(), a million times.
    stat: (path) => files.stat(path),
    isAt: (path, fd) => same((files) => files.isAt(path, fd)),
    openFolder: (path) => same((files) => files.openFolder(path)),
    syncFolder: (path, fd) => (fd === undefined ? same((files) => files.syncFolder(path)) : files.syncFolder(path, fd)),
  };
}

/** What the path leads to, if it is not the folder; `undefined` if it is, or if unknown: the following call then reports the error. */
function findOther({ path, device, inode }: FolderIdentity): string | undefined {
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false, bigint: true });
    if (found === undefined) return 'nothing';
    return found.dev === device && found.ino === inode ? undefined : `device ${found.dev}, inode ${found.ino}`;
  } catch {
    return undefined;
  }
}

function replaced({ path, device, inode, fd }: FolderIdentity, found: string): FolderReplacedError {
  const place = placeOf(fd);
  const isDeleted = place?.endsWith(' (deleted)') === true;
  const opened = isDeleted ? 'deleted' : `now ${place ?? 'at a path that is not known'}`;
  const advice = isDeleted
    ? 'The writes that were answered are deleted with it. Restore a backup: npx mapwright restore --help'
    : 'Every write that was answered is in the folder that was opened. Start the server on the folder that it should serve.';
  return new FolderReplacedError(
    `The data folder ${path} was replaced or deleted while this process used it. It opened device ${device}, inode ${inode} (${opened}); ` +
      `the path now leads to ${found}. Nothing more is written. ${advice}`,
  );
}

/** The current path of an open folder, if the system knows it; the path of a deleted folder ends with "(deleted)". */
function placeOf(fd: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

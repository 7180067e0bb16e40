/**
 * The lock of a data folder against other processes. It has two parts: the lock of the file `lock`, which the kernel releases when the
 * process ends, and the lock of the newest log segment, which the writer of the log holds. The file `lock` may be deleted under a running
 * server. The segment cannot be deleted without losing data.
 *
 *     lock              free?  -> locked; check that the file still has that name
 *     newest segment    free?  -> no process writes the log: the folder is locked
 *
 * A server whose lock file was deleted logs that and creates it again, unless the folder itself was replaced: then it is another folder.
 */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { isFileAt, nodeFiles, openRegular, readText } from '../../lib/files/files.ts';
import type { OpenFolder } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';

export interface FolderLock {
  /** Releases the lock. */
  release(): void;
}

/** How often a running process checks its lock file, in milliseconds. */
const checkIntervalMs = 1000;

/**
 * Locks the file `file` of the folder `root` with the log in `journal`.
 *
 * @returns the lock, or the process that has it (empty if unknown)
 */
export function lockFolder(file: string, journal: string, root: OpenFolder, log: Log): FolderLock | string {
  let fd = take(file);
  if (fd === undefined) return readText(file).trim();
  let free = false;
  try {
    free = !isBeingWritten(journal);
  } finally {
    if (!free) fs.closeSync(fd);
  }
  if (!free) return 'a process whose file "lock" was deleted';
  sign(fd);
  let deleted = false;
  const look = () => {
    try {
      if (!root.check() || (fd !== undefined && isFileAt(file, fd))) return;
      if (!deleted)
        log.error({ file }, 'the lock file of the data folder was deleted while this process has it open; creating it again');
      deleted = true;
      const again = take(file);
      if (again === undefined) return;
      if (fd !== undefined) fs.closeSync(fd);
      fd = again;
      sign(fd);
      deleted = false;
    } catch (error) {
      log.warn({ err: error }, 'cannot check the lock file of the data folder');
    }
  };
  const timer = setInterval(look, checkIntervalMs).unref();
  return {
    release() {
      clearInterval(timer);
      if (fd !== undefined) fs.closeSync(fd);
      fd = undefined;
    },
  };
}

/** Whether a process has the folder of this lock and journal open. Changes nothing. */
export function isLocked(file: string, journal: string): boolean {
  try {
    const fd = openIfThere(file);
    try {
      return (fd !== undefined && !nodeFiles.lock(fd)) || isBeingWritten(journal);
    } finally {
      if (fd !== undefined) nodeFiles.close(fd);
    }
  } catch (error) {
    // A server cannot run in a folder that is not writable.
    if (['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** A descriptor that holds the lock of the file, which is created if it is missing; `undefined` if another process holds it. */
function take(file: string): number | undefined {
  // The file gets content: a symbolic link must not lead to a file that this would overwrite.
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
  for (;;) {
    const fd = openRegular(file, O_RDWR | O_CREAT | O_NOFOLLOW);
    let ours = false;
    try {
      if (!nodeFiles.lock(fd)) return undefined;
      // The file was deleted, and perhaps created again by another process, after it was opened: try the current file.
      ours = isFileAt(file, fd);
      if (ours) return fd;
    } finally {
      if (!ours) fs.closeSync(fd);
    }
  }
}

function isBeingWritten(journal: string): boolean {
  const newest = newestSegment(journal);
  const fd = newest === undefined ? undefined : openIfThere(join(journal, newest));
  if (fd === undefined) return false;
  try {
    // A newer segment exists: a process created it during this check.
    return !nodeFiles.lock(fd) || newestSegment(journal) !== newest;
  } finally {
    nodeFiles.close(fd);
  }
}

function newestSegment(journal: string): string | undefined {
  return nodeFiles.list(journal).findLast((name) => name.endsWith('.segment'));
}

/** The descriptor of a file; `undefined` if it does not exist. A deleted segment has no writer. */
function openIfThere(path: string): number | undefined {
  try {
    return nodeFiles.open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the process into the file, for messages of other processes; a full disk must not prevent a start. */
function sign(fd: number): void {
  const text = `process ${process.pid} on ${os.hostname()}, since ${new Date().toISOString()}\n`;
  try {
    // Overwrites the old text, which needs no space, and truncates the rest.
    fs.writeSync(fd, text, 0);
    fs.ftruncateSync(fd, Buffer.byteLength(text));
  } catch {
    // The kernel holds the lock; the text is only for messages.
  }
}

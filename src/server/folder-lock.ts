/**
 * What keeps a second process out of a data folder: the lock of the file `lock`, which the kernel frees however a process ends, and
 * behind it the lock that whoever writes the log holds on its segment. Somebody may delete the file `lock` under a running server; the
 * segment they cannot delete without deleting what it is all about.
 *
 *     lock              free?  -> ours; but is it still the file of that name?
 *     newest segment    free?  -> nobody writes here: the folder is ours
 *
 * A server whose file was deleted says so and makes it again, unless the folder itself was replaced: the new one is not its own.
 */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { isFileAt, nodeFiles, openRegular, readText } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { OpenFolder } from '../lib/open-folder.ts';

export interface FolderLock {
  /** Lets others have the folder. */
  release(): void;
}

/** How often a running process looks whether its lock is still there, in milliseconds. */
const lookMs = 1000;

/**
 * Takes the lock `file` of the folder `root`, whose log is in `journal`.
 *
 * @returns the lock, or who has it: empty when that is not known
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
      if (!deleted) log.error({ file }, 'the lock of the data folder was deleted under this process; making it again');
      deleted = true;
      const again = take(file);
      if (again === undefined) return;
      if (fd !== undefined) fs.closeSync(fd);
      fd = again;
      sign(fd);
      deleted = false;
    } catch (error) {
      log.warn({ err: error }, 'the lock of the data folder cannot be looked at');
    }
  };
  const timer = setInterval(look, lookMs).unref();
  return {
    release() {
      clearInterval(timer);
      if (fd !== undefined) fs.closeSync(fd);
      fd = undefined;
    },
  };
}

/** Whether a process has the folder whose lock and journal these are. Changes nothing. */
export function isLocked(file: string, journal: string): boolean {
  try {
    const fd = openIfThere(file);
    try {
      return (fd !== undefined && !nodeFiles.lock(fd)) || isBeingWritten(journal);
    } finally {
      if (fd !== undefined) nodeFiles.close(fd);
    }
  } catch (error) {
    // Nobody serves from where nothing can be written.
    if (['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** A descriptor that holds the lock of the file of that name, which is made when it is not there; `undefined` when another has it. */
function take(file: string): number | undefined {
  // It is signed: a link must not lead to a file that this would overwrite.
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
  for (;;) {
    const fd = openRegular(file, O_RDWR | O_CREAT | O_NOFOLLOW);
    let ours = false;
    try {
      if (!nodeFiles.lock(fd)) return undefined;
      // Deleted, and perhaps made anew by somebody else, since it was opened: that one counts.
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
    // Another one by now: somebody has turned to it while this one was looked at.
    return !nodeFiles.lock(fd) || newestSegment(journal) !== newest;
  } finally {
    nodeFiles.close(fd);
  }
}

function newestSegment(journal: string): string | undefined {
  return nodeFiles.list(journal).findLast((name) => name.endsWith('.segment'));
}

/** What is not there any more, nobody writes. */
function openIfThere(path: string): number | undefined {
  try {
    return nodeFiles.open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Says in the file who has it, for whoever is refused; a full disk must not keep a server from starting. */
function sign(fd: number): void {
  const text = `process ${process.pid} on ${os.hostname()}, since ${new Date().toISOString()}\n`;
  try {
    // Over what stands there, which needs no room; then what is left of it is cut off.
    fs.writeSync(fd, text, 0);
    fs.ftruncateSync(fd, Buffer.byteLength(text));
  } catch {
    // The lock is the kernel's; the text is for people.
  }
}

/**
 * Folders whose files the program may trust: no other user but root can write them, or put another folder in their place. Node has no
 * openat(2), so each later use names the whole path again. That is safe because each folder on the way is checked after the one that
 * contains it: from then on only root and this user can exchange it.
 */
import fs from 'node:fs';
import path from 'node:path';

/** As many symbolic links as Linux follows in one path. */
const linksMax = 40;
const writableByOthers = 0o022;
const sticky = 0o1000;
/** `undefined` on Windows, which has no such owners and modes: there, the folders below a profile are only for its user. */
const user = process.geteuid?.();

/**
 * The real path of a private folder: it belongs to the user of this process, no other user may write it, and each folder on the way to it,
 * also through symbolic links, belongs to root or to this user and is not writable by others (or has the sticky bit, as /tmp has).
 *
 * @param folder an absolute path
 * @param create whether missing folders are created, with mode 0700; never in a folder of another user
 * @returns `undefined` if there is no such folder. Never throws.
 */
export function privateFolder(folder: string, create = false): string | undefined {
  try {
    const real = realFolder(folder, create);
    if (real === undefined || user === undefined) return real;
    const stats = fs.lstatSync(real);
    return stats.uid === user && (stats.mode & writableByOthers) === 0 ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an open file belongs to the user of this process, and no other user may write it. */
export function isPrivateFile(fd: number): boolean {
  const stats = fs.fstatSync(fd);
  return stats.isFile() && (user === undefined || (stats.uid === user && (stats.mode & writableByOthers) === 0));
}

/** Follows the path from the root; `undefined` at the first folder or link that other users can change. */
function realFolder(folder: string, create: boolean): string | undefined {
  const { root } = path.parse(folder);
  if (!isTrusted(fs.lstatSync(root))) return undefined;
  let at = root;
  let rest = namesIn(folder);
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = path.join(at, name);
    const stats = entryAt(next, create);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) {
      if (!isOwn(stats) || ++links > linksMax) return undefined;
      rest = [...namesIn(path.resolve(at, fs.readlinkSync(next))), ...rest];
      at = root;
    } else {
      if (!isTrusted(stats)) return undefined;
      at = next;
    }
  }
  return at;
}

const namesIn = (file: string): string[] => file.slice(path.parse(file).root.length).split(path.sep).filter(Boolean);

function entryAt(file: string, create: boolean): fs.Stats | undefined {
  const present = fs.lstatSync(file, { throwIfNoEntry: false });
  if (present !== undefined || !create) return present;
  try {
    fs.mkdirSync(file, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return fs.lstatSync(file);
}

const isOwn = ({ uid }: fs.Stats): boolean => user === undefined || uid === 0 || uid === user;

/** Whether other users can neither put files into a folder in place of those of root and this user, nor change its mode. */
function isTrusted(stats: fs.Stats): boolean {
  if (!stats.isDirectory() || !isOwn(stats)) return false;
  return user === undefined || (stats.mode & writableByOthers) === 0 || (stats.mode & sticky) !== 0;
}

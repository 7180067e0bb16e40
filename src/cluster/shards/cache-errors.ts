/** Which errors of a copy of the log are of its folder: a node with a cache that fails raises an alarm, and claims nothing. */
import { CorruptError, FolderError, NoSpaceError } from '../../lib/errors.ts';
import { systemCode } from '../../lib/files/system-errors.ts';

/** System errors of a disk or a folder. */
const diskCodes: ReadonlySet<string> = new Set(
  'ENOSPC EDQUOT EROFS EACCES EPERM EIO EBADMSG EUCLEAN ESTALE ENOENT ENOTDIR EISDIR EEXIST EMFILE ENFILE'.split(' '),
);

/** Whether an error of copying is one of the folder, and not of the database. */
export function isOfCache(error: Error): boolean {
  if (error instanceof NoSpaceError || error instanceof FolderError || error instanceof CorruptError) return true;
  return diskCodes.has(systemCode(error) ?? '');
}

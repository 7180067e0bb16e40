/**
 * Errors of the operating system by their real name. Node names only those that libuv knows. For an exhausted disk quota its message is
 * "UNKNOWN: unknown error, write" from some calls, and "Unknown system error -122: Unknown system error -122, write" from others and from
 * promises. Only the number says what it is.
 */
import { constants } from 'node:os';

const names = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));
// Node does not list it: the file system is damaged.
if (process.platform === 'linux') names.set(117, 'EUCLEAN');

const unnamed = /^(UNKNOWN|Unknown system error -\d+)/;

/** Reasons of the errors of file systems that Node does not name. */
const reasons: Readonly<Record<string, string>> = {
  EDQUOT: 'disk quota exceeded',
  ESTALE: 'stale file handle',
  EBADMSG: 'bad message, the file system is damaged',
  EUCLEAN: 'structure needs cleaning, the file system is damaged',
  ENOLCK: 'no locks available',
};

/** The code of an error, such as `EDQUOT`, also where Node has no name for it; `undefined` if it has none. */
export function systemCode(error: unknown): string | undefined {
  const { code, errno } = error as NodeJS.ErrnoException;
  return code !== undefined && unnamed.test(code) && errno !== undefined ? (names.get(-errno) ?? 'UNKNOWN') : code;
}

/** The message of an error, with the real name of what Node has no name for. */
export function systemMessage(error: unknown): string {
  const { message } = error as Error;
  const code = systemCode(error);
  if (code === undefined || code === (error as NodeJS.ErrnoException).code) return message;
  return message.replace(
    /^(UNKNOWN: unknown error|(Unknown system error -\d+): \2)/,
    `${code}: ${reasons[code] ?? 'unknown error'}`,
  );
}

/** True if the disk cannot read bytes that it has: they are damaged, and other files may be right. */
export function isUnreadable(error: unknown): boolean {
  return ['EIO', 'EBADMSG', 'EUCLEAN'].includes(systemCode(error) ?? '');
}

/** True if the disk, or the quota of its user, is full. */
export function isNoSpace(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Reads a file on a failing disk. Unreadable blocks become zeros, which fail every checksum. */
import type { Files } from '../../../lib/files/files.ts';
import { isUnreadable } from '../../../lib/files/system-errors.ts';

/** Size of the blocks that are read one by one after an error, in bytes: a page of the cache. */
const blockBytes = 4096;

/** Reads the whole file. The result is shorter if the file ends before its stated size. */
export function readLeniently(files: Files, path: string): Buffer {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(files.size(fd));
    return bytes.subarray(0, readInto(files, fd, bytes, 0));
  } finally {
    files.close(fd);
  }
}

/** Fills `into` from `position`, up to the end of the file. Returns the number of bytes filled. */
export function readInto(files: Files, fd: number, into: Buffer, position: number): number {
  try {
    return files.read(fd, into, position);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (into.byteLength <= blockBytes) {
      into.fill(0);
      return into.byteLength;
    }
  }
  for (let at = 0; at < into.byteLength; at += blockBytes) {
    const block = into.subarray(at, at + blockBytes);
    const got = readInto(files, fd, block, position + at);
    if (got < block.byteLength) return at + got;
  }
  return into.byteLength;
}

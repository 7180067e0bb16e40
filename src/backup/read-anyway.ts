/** Reads a file of a failing disk: what cannot be read is zeros, which no checksum takes for anything else. */
import type { Files } from '../lib/files.ts';

/** What is tried again on its own, in bytes: a page of the cache. */
const blockBytes = 4096;

/** The whole file, shorter when it ends sooner than its size says. */
export function readAnyway(files: Files, path: string): Buffer {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(files.size(fd));
    return bytes.subarray(0, readInto(files, fd, bytes, 0));
  } finally {
    files.close(fd);
  }
}

/** Fills `into` from `position`, as far as the file goes; returns how far that was. */
export function readInto(files: Files, fd: number, into: Buffer, position: number): number {
  try {
    return files.read(fd, into, position);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
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

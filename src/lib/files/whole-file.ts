/** Small files that are written in one piece. */
import { dirname } from 'node:path';
import { type Files, removeIfThere } from './files.ts';

/** Creates a file. Its bytes are durable afterwards; its name only after a sync of the folder. */
export function createWhole(files: Files, path: string, bytes: Uint8Array): void {
  const fd = files.open(path, 'wx+');
  try {
    files.write(fd, bytes, 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

/**
 * Creates or replaces a file, durably: after a crash, it has its former text or the new one.
 *
 * @param temporary its path while it is written, on the same file system; a leftover of an earlier attempt is deleted
 */
export function replaceWhole(files: Files, path: string, text: string, temporary = `${path}.tmp`): void {
  removeIfThere(files, temporary);
  createWhole(files, temporary, Buffer.from(text));
  files.rename(temporary, path);
  files.syncFolder(dirname(path));
}

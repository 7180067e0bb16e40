/**
 * Writes files atomically: under a temporary name until they are complete. Other users may be able to write to the folder, so the
 * temporary name is random, and an existing file of that name is neither opened nor followed: it could be a link to a file of this user.
 * A link with the final name is replaced, not followed.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { refuseDevice } from '../../lib/files/file-name.ts';
import { nodeFiles, removeIfThere } from '../../lib/files/files.ts';

/** Project contents may be confidential, so a file with them is as private as the data folder. */
const privateMode = 0o600;

/** Writes a file, replacing an existing one. Leaves no file if it fails. */
export async function writeFile(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mode = privateMode,
): Promise<void> {
  const { fd, temporary } = openTemporary(path, mode);
  try {
    let at = 0;
    for await (const piece of pieces) {
      nodeFiles.write(fd, piece, at);
      at += piece.byteLength;
    }
    nodeFiles.sync(fd);
  } catch (error) {
    removeIfThere(nodeFiles, temporary);
    throw error;
  } finally {
    nodeFiles.close(fd);
  }
  nodeFiles.rename(temporary, path);
  nodeFiles.syncFolder(dirname(path));
}

/** Writes a text file with default permissions, replacing an existing one. Leaves no file if it fails. */
export function replaceWithText(path: string, text: string): void {
  const { fd, temporary } = openTemporary(path, 0o666);
  try {
    nodeFiles.write(fd, Buffer.from(text), 0);
    nodeFiles.rename(temporary, path);
  } catch (error) {
    removeIfThere(nodeFiles, temporary);
    throw error;
  } finally {
    nodeFiles.close(fd);
  }
}

function openTemporary(path: string, mode: number): { fd: number; temporary: string } {
  refuseDevice(path);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  return { fd: fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode), temporary };
}

/**
 * Files that a command writes: under another name until they are whole, so that a part is never taken for the whole. The folder may be one in
 * which others can write as well. So that name is random, and a file that has it already is neither opened nor followed: it could be a link
 * to a file of this user. A link of the final name is replaced, and not followed.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { refuseDevice } from '../lib/file-name.ts';
import { nodeFiles, removeIfThere } from '../lib/files.ts';

/** Writes pieces as a file that only this user may read, in place of the one of that name; leaves nothing behind when they break off. */
export async function writeFile(path: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  // What clients put into a project may be secret: as private as the data folder.
  const { fd, temporary } = openTemporary(path, 0o600);
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

/** Writes a text as a file that everybody may read, in place of the one of that name; leaves nothing behind when that fails. */
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

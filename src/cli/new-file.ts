/** A file that a command writes: under another name until it is whole and on the disk, so that nobody takes a part of it for all. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { nodeFiles, removeIfThere } from '../lib/files.ts';

/** Writes pieces as a file, in place of the one of that name; leaves nothing behind when they break off. */
export async function writeFile(path: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const temporary = `${path}.tmp`;
  // What clients put into a project may be secret: as private as the data folder.
  const fd = fs.openSync(temporary, 'w', 0o600);
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

/** Writes the blobs of a state into a data folder that is being built. */
import { dirname } from 'node:path';
import { type Files, removeIfThere } from '../../../lib/files/files.ts';
import type { ProgressCounter } from '../../../lib/threads/progress-counter.ts';
import { blobPath } from '../../blobs/blob-path.ts';
import type { BlobSource } from '../../blobs/blob-source.ts';
import { type LostBlob, type NeededBlob, takeBlobs } from '../../snapshot/files/needed-blobs.ts';

/**
 * Writes blobs under their names into a folder that has another name until it is complete. Everything in it is durable afterwards. Returns
 * the blobs that no source has. Throws the error of the disk.
 */
export function writeBlobs(
  files: Files,
  folder: string,
  needed: readonly NeededBlob[],
  sources: readonly BlobSource[],
  progress: ProgressCounter,
): LostBlob[] {
  progress.expect(progress.expected + needed.reduce((sum, { bytes }) => sum + bytes, 0));
  files.makeFolder(folder);
  const folders = new Set([folder]);
  const lost = takeBlobs(needed, sources, (blob, read) => {
    const path = blobPath(folder, blob.digest);
    files.makeFolder(dirname(path));
    folders.add(dirname(path));
    writeBlob(files, path, (take) => {
      read((piece) => {
        take(piece);
        progress.add(piece.byteLength);
      });
    });
  });
  for (const changed of folders) files.syncFolder(changed);
  return lost;
}

/** Writes and syncs a file, a piece at a time. If that fails, no file is left. */
function writeBlob(files: Files, path: string, read: (take: (piece: Uint8Array) => void) => void): void {
  const fd = files.open(path, 'wx+');
  let whole = false;
  try {
    let at = 0;
    read((piece) => {
      files.write(fd, piece, at);
      at += piece.byteLength;
    });
    files.sync(fd);
    whole = true;
  } finally {
    files.close(fd);
    if (!whole) removeIfThere(files, path);
  }
}

/** A text that is kept in the folder of blobs. Its owner gives it a meaning. */
import path from 'node:path';
import type { Files } from '../../lib/files/files.ts';
import { replaceWhole } from '../../lib/files/whole-file.ts';
import { noteName, uploadPath } from './blob-path.ts';

/** '' if there is none. */
export function readNote(files: Files, folder: string): string {
  const note = path.join(folder, noteName);
  const { bytes: size } = files.stat(note) ?? { bytes: 0 };
  if (size === 0) return '';
  const fd = files.open(note, 'r');
  try {
    const bytes = Buffer.alloc(size);
    return bytes.toString('utf8', 0, files.read(fd, bytes, 0));
  } finally {
    files.close(fd);
  }
}

/** Replaces the text, durably. Nothing depends on it, so a failed write or sync is not final. */
export function writeNote(files: Files, folder: string, text: string): undefined {
  replaceWhole(files, path.join(folder, noteName), text, uploadPath(folder, noteName));
  return undefined;
}

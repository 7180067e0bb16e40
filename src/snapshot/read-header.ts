/** The header of a snapshot by itself: what it is of, and whether this program reads it. */
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { isSchemaVersionRead, schemaVersionsRead } from '../model/record.ts';
import { decodeHeader, headerBytes, type SnapshotHeader } from './format.ts';

/** Reads and verifies the header alone; throws as {@link decodeHeader} does, and {@link FolderError} for rows of a later schema. */
export function readSnapshotHeader(files: Files, path: string): SnapshotHeader {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(headerBytes);
    return readable(decodeHeader(bytes.subarray(0, readAt(files, { fd, path }, bytes, 0)), path), path);
  } finally {
    files.close(fd);
  }
}

/** The header, unless it is of a later schema. */
export function readable(header: SnapshotHeader, path: string): SnapshotHeader {
  if (isSchemaVersionRead(header.schemaVersion)) return header;
  throw new FolderError(`${path} has schema version ${header.schemaVersion}; this mapwright reads ${schemaVersionsRead}.`);
}

/** Reads as {@link Files.read} does. A folder in the place of the file is damage: throws {@link CorruptError}. */
export function readAt(files: Files, { fd, path }: { fd: number; path: string }, into: Uint8Array, position: number): number {
  try {
    return files.read(fd, into, position);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    throw new CorruptError(path, 0, 'it is a folder, not a file');
  }
}

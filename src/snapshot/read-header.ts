/** The header of a snapshot by itself: what it is of, and whether this program reads it. */
import { FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { isSchemaVersionRead, schemaVersionsRead } from '../model/record.ts';
import { decodeHeader, headerBytes, type SnapshotHeader } from './format.ts';

/** Reads and verifies the header alone; throws as {@link decodeHeader} does, and {@link FolderError} for rows of a later schema. */
export function readSnapshotHeader(files: Files, path: string): SnapshotHeader {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(headerBytes);
    return readable(decodeHeader(bytes.subarray(0, files.read(fd, bytes, 0)), path), path);
  } finally {
    files.close(fd);
  }
}

/** The header, unless it is of a later schema. */
export function readable(header: SnapshotHeader, path: string): SnapshotHeader {
  if (isSchemaVersionRead(header.schemaVersion)) return header;
  throw new FolderError(`${path} has schema version ${header.schemaVersion}; this mapwright reads ${schemaVersionsRead}.`);
}

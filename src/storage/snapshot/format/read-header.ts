/** Reads the header of a snapshot: which state it contains, and whether this program can read it. */
import { FolderError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { isSchemaVersionRead, schemaVersionsRead } from '../../../model/schema-version.ts';
import { decodeHeader, headerBytes, type SnapshotHeader } from './snapshot-format.ts';

/** Reads and verifies the header only; throws as {@link decodeHeader} does, and {@link FolderError} for rows of a later schema. */
export function readSnapshotHeader(files: Files, path: string): SnapshotHeader {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(headerBytes);
    return readable(decodeHeader(bytes.subarray(0, files.read(fd, bytes, 0)), path), path);
  } finally {
    files.close(fd);
  }
}

/** Returns the header; throws {@link FolderError} if its schema is later. */
export function readable(header: SnapshotHeader, path: string): SnapshotHeader {
  if (isSchemaVersionRead(header.schemaVersion)) return header;
  throw new FolderError(`${path} has schema version ${header.schemaVersion}; this mapwright reads ${schemaVersionsRead}.`);
}

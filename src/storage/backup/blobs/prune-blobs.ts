/**
 * Deletes blobs beside backups that no backup lists and no archived log needs. Nothing is deleted while that is in doubt: while a backup or
 * a segment cannot be read, or another server writes to the folder.
 */

import { join } from 'node:path';
import { CorruptError } from '../../../lib/errors.ts';
import { type Deletion, deleteFiles, type Files } from '../../../lib/files/files.ts';
import { blobFolders, blobPath, isDigest, uploadFolder, uploadPath } from '../../blobs/blob-path.ts';
import { listedBlobs } from '../../snapshot/files/files-in.ts';
import { loggedFiles } from '../../snapshot/files/logged-files.ts';
import { neededBlobs } from '../../snapshot/files/needed-blobs.ts';
import { readSnapshot } from '../../snapshot/reader.ts';
import { temporaryEnding } from '../../snapshot/snapshot-folder.ts';
import { listSegments } from '../../wal/format/segment.ts';
import { readSegment } from '../../wal/read/read-segment.ts';
import { backupEnding, parseBackupName } from '../backup-names.ts';
import { blobsName } from './backup-blobs.ts';

/** @param folder the backup folder, whose backups to keep are all that are left in it */
export function pruneBlobs(files: Files, folder: string): Deletion {
  const blobs = join(folder, blobsName);
  const candidates = new Set<string>();
  for (const prefix of blobFolders) {
    for (const name of files.list(join(blobs, prefix))) if (isDigest(name)) candidates.add(name);
  }
  try {
    if (candidates.size > 0) spareListed(files, folder, candidates);
    if (candidates.size > 0) spareLogged(files, folder, candidates);
  } catch (error) {
    if (error instanceof CorruptError) return { deleted: [], undeleted: [] };
    throw error;
  }
  if (candidates.size === 0 || isWritten(files, folder)) return { deleted: [], undeleted: [] };
  return deleteFiles(
    files,
    [...candidates].map((digest) => blobPath(blobs, digest)),
  );
}

/** Paths of copies that an interrupted server left. @param writer the beginning of its lineage */
export function interruptedCopies(files: Files, folder: string, writer: string): string[] {
  const blobs = join(folder, blobsName);
  const names = files.list(join(blobs, uploadFolder)).filter((name) => name.startsWith(`${writer}-`));
  return names.map((name) => uploadPath(blobs, name));
}

function spareListed(files: Files, folder: string, candidates: Set<string>): void {
  for (const name of files.list(folder).filter((listed) => listed.endsWith(backupEnding))) {
    readSnapshot(files, join(folder, name), (reader) => {
      for (const { digest, pieces } of listedBlobs(reader)) if (pieces === undefined) candidates.delete(digest);
    });
  }
}

function spareLogged(files: Files, folder: string, candidates: Set<string>): void {
  const log = join(folder, 'log');
  for (const lineage of files.list(log)) {
    for (const file of listSegments(files, join(log, lineage))) {
      for (const digest of neededBlobs(loggedFiles(readSegment(files, file))).keys()) candidates.delete(digest);
    }
  }
}

/** Whether a server is writing a backup or archiving log: it may rely on a blob that nothing lists yet. */
function isWritten(files: Files, folder: string): boolean {
  const log = join(folder, 'log');
  const archived = files.list(log).flatMap((lineage) => files.list(join(log, lineage)));
  return (
    archived.some((name) => name.endsWith(temporaryEnding)) ||
    files.list(folder).some((name) => parseBackupName(name)?.writer !== undefined)
  );
}

/** Downloads a snapshot of a shard into an empty cache, and begins the log after it: the newest one, or the one before it if that is damaged. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import { type Files, removeIfThere } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { readSnapshotHeader } from '../../storage/snapshot/format/read-header.ts';
import { snapshotName } from '../../storage/snapshot/format/snapshot-format.ts';
import { segmentPath, spareName } from '../../storage/wal/format/segment.ts';
import { preallocateSpare } from '../../storage/wal/write/preallocate.ts';
import { type BulkStore, fileRows } from '../database/bulk-store.ts';
import type { Connection } from '../database/database-connection.ts';
import { type StoredFile, type StoredSnapshot, storedSnapshots } from '../database/log-rows.ts';
import type { CacheFolders } from './check-cache.ts';

export interface DownloadOptions {
  readonly folders: CacheFolders;
  readonly bulk: BulkStore;
  readonly shard: number;
  readonly lineage: string;
  readonly segmentBytes: number;
  readonly log: Log;
}

/** Does nothing if the shard has no snapshot: its log is complete then. Throws {@link CorruptError} if every snapshot is damaged. */
export async function downloadSnapshot(files: Files, options: DownloadOptions): Promise<void> {
  const { folders, bulk, shard, lineage, segmentBytes } = options;
  const connection = await bulk.connection();
  const stored = await storedSnapshots(connection, shard);
  if (stored.length === 0) return;
  files.makeFolder(folders.snapshots);
  const { lsn } = await downloadIntact(files, connection, stored, options);
  const { nextSalt: salt } = readSnapshotHeader(files, path.join(folders.snapshots, snapshotName(lsn)));
  files.makeFolder(folders.journal);
  preallocateSpare(files, {
    folder: folders.journal,
    header: { segmentBytes, lineage, salt, sync: 'interval', createdMs: Date.now() },
  });
  files.rename(path.join(folders.journal, spareName), segmentPath(folders.journal, lsn + 1));
  files.syncFolder(folders.journal);
}

/** Downloads the first snapshot that is intact. @param stored newest first, at least one */
async function downloadIntact(
  files: Files,
  connection: Connection,
  stored: readonly StoredSnapshot[],
  { folders, shard, log }: DownloadOptions,
): Promise<StoredSnapshot> {
  let damage: CorruptError | undefined;
  for (const snapshot of stored) {
    try {
      await downloadFiles(files, connection, shard, snapshot, folders.snapshots);
      return snapshot;
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      damage ??= error;
      log.error({ err: error, shard, lsn: snapshot.lsn }, 'a snapshot in the database is damaged: run mapwright cluster verify');
      // Otherwise a part of it would be taken for a snapshot.
      for (const { name } of snapshot.files) removeIfThere(files, path.join(folders.snapshots, name));
    }
  }
  throw damage as CorruptError;
}

/** Downloads the files of a snapshot into a folder. Throws {@link CorruptError} for a file that is not what its digest says. */
export async function downloadFiles(
  files: Files,
  connection: Connection,
  shard: number,
  snapshot: StoredSnapshot,
  folder: string,
): Promise<void> {
  for (const file of snapshot.files) await downloadFile(files, connection, shard, file, path.join(folder, file.name));
  files.syncFolder(folder);
}

async function downloadFile(
  files: Files,
  connection: Connection,
  shard: number,
  { digest, bytes }: StoredFile,
  to: string,
): Promise<void> {
  const tmp = `${to}.tmp`;
  // Of a download that was interrupted.
  removeIfThere(files, tmp);
  const fd = files.open(tmp, 'wx+');
  const hash = createHash('sha256');
  let at = 0;
  try {
    for await (const piece of fileRows(connection, shard, digest)) {
      files.write(fd, piece, at);
      hash.update(piece);
      at += piece.byteLength;
    }
    files.sync(fd);
  } finally {
    files.close(fd);
  }
  if (at !== bytes || hash.digest('hex') !== digest) {
    throw new CorruptError(to, at, `the database holds another content than the ${bytes} bytes with the digest ${digest}`);
  }
  files.rename(tmp, to);
}

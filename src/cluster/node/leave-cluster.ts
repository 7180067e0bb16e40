/** `mapwright cluster leave`: makes the data folder of one machine from a shard in the database of a cluster. The cluster stays as it is. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolders, nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { pathsIn } from '../../server/lifecycle/data-folder.ts';
import { assertFillable, fillNewFolder } from '../../server/lifecycle/new-folder.ts';
import { type BuiltFolder, buildFolder } from '../../storage/backup/build.ts';
import { filesOf, neededBlobs } from '../../storage/snapshot/files/needed-blobs.ts';
import type { State } from '../../store/state.ts';
import { type Connection, withUnchangedView } from '../database/database-connection.ts';
import { readStatus, runningS } from '../database/read-status.ts';
import { DownloadedBlobs } from '../log/read-blobs.ts';
import { readState } from '../log/read-state.ts';
import { chosenShard } from './operate-cluster.ts';

export interface LeftCluster extends BuiltFolder {
  readonly folder: string;
  /** LSN of the snapshot that the folder was made from; 0 without one. */
  readonly snapshotLsn: number;
  /** Addresses of nodes that run: what they write later is not in the folder. */
  readonly running: readonly string[];
}

/**
 * Rejects with FolderError if the folder is not empty, with OperationError for a shard that does not exist or that must be named, and with
 * DamagedClusterError or CorruptError for damage. Then no folder is left behind.
 *
 * @param named the shard, which is required if there are several
 */
export async function leaveCluster(connection: Connection, into: string, log: Log, named?: number): Promise<LeftCluster> {
  const shard = await chosenShard(connection, named, 'cluster leave');
  const { path: folder } = pathsIn(into);
  assertFillable(folder, '--into');
  const parent = path.dirname(folder);
  makeFolders(parent);
  // On the disk of the new folder, which has room for it.
  const downloads = fs.mkdtempSync(path.join(parent, '.mapwright-leave-'));
  try {
    const [read, running, blobs] = await withUnchangedView(connection, async () => {
      const { nodes } = await readStatus(connection);
      const running = nodes.filter(({ role, seen_s }) => role !== 'stopped' && seen_s < runningS).map(({ address }) => address);
      const read = await readState(connection, shard, downloads);
      try {
        return [read, running, await downloadBlobs(connection, shard, read.state, path.join(downloads, 'blobs'))] as const;
      } catch (error) {
        read.close();
        throw error;
      }
    });
    try {
      const { state, newestTime, snapshotLsn } = read;
      const built = fillNewFolder(into, log, () => (to) => {
        return buildFolder(nodeFiles, {
          folder: to,
          state,
          blobs: [blobs],
          newestTime,
          now: Date.now(),
          progress: new ProgressCounter(),
        });
      });
      return { ...built, folder, snapshotLsn, running };
    } finally {
      read.close();
    }
  } finally {
    fs.rmSync(downloads, { recursive: true, force: true });
  }
}

/** Downloads the blobs of all files, in the view of the database in which the state was read. What is damaged is reported when it is needed. */
async function downloadBlobs(connection: Connection, shard: number, state: State, folder: string): Promise<DownloadedBlobs> {
  nodeFiles.makeFolder(folder);
  const blobs = new DownloadedBlobs(nodeFiles, folder, shard);
  for (const blob of neededBlobs(filesOf(state)).values()) await blobs.download(connection, blob);
  return blobs;
}

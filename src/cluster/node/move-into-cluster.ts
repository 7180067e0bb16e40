/**
 * `mapwright cluster init --from`: moves the data of a stopped folder into a new cluster, with its lineage and LSNs, so that keys, entity tags and
 * positions in the change feed stay valid.
 *
 *     lock -> snapshot of everything -> [ tables, snapshot, blobs, log row at its LSN ] -> mark the folder -> COMMIT -> note "moved"
 *
 * Everything in brackets is one transaction. The mark comes before the commit, so no crash leaves two places that accept writes:
 *
 * | crash | folder | cluster |
 * |---|---|---|
 * | before the mark | usable | not there |
 * | between mark and commit | refuses to start; the same command completes the move | not there |
 * | after the commit | refuses to start; the same command confirms the move | complete |
 */
import fs from 'node:fs';
import path from 'node:path';
import { openEngine } from '../../engine/open-engine.ts';
import { FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { shardOfSlug } from '../../model/publication.ts';
import { schemaVersion } from '../../model/schema-version.ts';
import { type DataFolder, openDataFolder, pathsIn } from '../../server/lifecycle/data-folder.ts';
import { FolderBlobs } from '../../storage/blobs/blob-source.ts';
import { folderFormat, hasMarker, type Moved, markMoved, movedFormat, readMoved } from '../../storage/recovery/marker.ts';
import { checkBlobs, filesOf, type LostBlob, type NeededBlob, neededBlobs } from '../../storage/snapshot/files/needed-blobs.ts';
import { snapshotName } from '../../storage/snapshot/format/snapshot-format.ts';
import { readSnapshot } from '../../storage/snapshot/reader.ts';
import { checkSettings } from '../database/check-settings.ts';
import { createCluster, emptyShard, readCluster } from '../database/create-cluster.ts';
import type { Connection } from '../database/database-connection.ts';
import { ClusterSettingsError, DatabaseUnavailableError, NoClusterError } from '../database/database-errors.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import { insertAll } from '../database/directory.ts';
import { readShards } from '../database/read-status.ts';
import { firstChain } from '../log/batches.ts';
import { storeFirstBlobs } from '../log/store-first-blobs.ts';
import { storeFirstSnapshot } from '../log/upload-snapshot.ts';

export interface MovedIntoCluster {
  readonly folder: string;
  readonly lineage: string;
  /** The last record that was moved. */
  readonly lsn: number;
  /** Bytes of the snapshot and of the files; 0 if an earlier run stored them. */
  readonly bytes: number;
  /** Blobs that were missing or damaged in the folder: these files cannot be read. Empty if an earlier run stored the others. */
  readonly lostBlobs: readonly LostBlob[];
}

interface MoveOptions {
  readonly connection: Connection;
  readonly url: DatabaseUrl;
  readonly log: Log;
  /** Shards of the cluster, of which the first gets the data; 1 by default. */
  readonly shards?: number;
  /** For tests: called when the folder is marked and nothing is committed. */
  readonly onMarked?: () => void;
}

/** Rejects with FolderError if the folder cannot be moved, and with ClusterSettingsError for a database that cannot take it. */
export async function moveIntoCluster(from: string, options: MoveOptions): Promise<MovedIntoCluster> {
  const { path: name, journal, snapshots } = pathsIn(from);
  if (![journal, snapshots].some((part) => fs.existsSync(part)))
    throw new FolderError(
      `${name} holds no mapwright data. Name a data folder with --from, or leave --from out for an empty cluster.`,
    );
  const folder = openDataFolder(from, options.log);
  try {
    return await move(folder, options);
  } finally {
    folder.close();
  }
}

async function move(folder: DataFolder, options: MoveOptions): Promise<MovedIntoCluster> {
  const { connection, url, log, shards = 1, onMarked } = options;
  const moved = readMoved(nodeFiles, folder.path);
  const isUnconfirmed = moved?.state === 'moving' && moved.cluster === url.text;
  // Throws for a cache, and for a folder that was moved or is being moved elsewhere.
  if (!isUnconfirmed) hasMarker(nodeFiles, folder.marker, folderFormat);
  const { hasStandby } = await checkSettings(connection);
  const present = await lineageIn(connection);
  if (present !== undefined) {
    if (!isUnconfirmed || present !== moved.lineage)
      throw new ClusterSettingsError(
        `The database has a cluster already, so nothing of ${folder.path} was moved. Name an empty database with --cluster.`,
      );
    return confirmed(folder, moved, 0);
  }
  if (!hasStandby)
    throw new DatabaseUnavailableError(
      'No synchronous standby is connected, so the database cannot confirm the move. Start the standby, then run the command again.',
    );
  const { lineage, lsn, names, mapNames, keyIds, addresses, blobs } = await snapshotOf(folder, isUnconfirmed, log);
  if (lsn === 0) throw new FolderError(`${folder.path} holds no records. Leave out --from, and an empty cluster is created.`);
  const elsewhere = addresses.filter((address) => isOfOtherShard(address, shards));
  if (elsewhere.length > 0)
    throw new FolderError(
      `Addresses of ${elsewhere.length} published map(s) or file(s) in ${folder.path} name another shard than 0, such as ${elsewhere[0]}: the folder was made from that shard of a cluster. Its data goes to shard 0, where nodes would not look for them. Start a server on the folder, unpublish the maps and delete the files, or leave out --shards.`,
    );
  const lostBlobs = checkBlobs(blobs, [new FolderBlobs(nodeFiles, folder.blobs)]);
  const lost = new Set(lostBlobs.map(({ digest }) => digest));
  const intact = blobs.filter(({ digest }) => !lost.has(digest));
  const note: Omit<Moved, 'note'> = { state: 'moving', cluster: url.text, lineage, lsn, time: new Date().toISOString() };
  let bytes = 0;
  await createCluster(connection, {
    shards: [{ lineage, position: { lsn, chain: firstChain } }, ...Array.from({ length: shards - 1 }, emptyShard)],
    schemaWritten: schemaVersion,
    fill: async () => {
      bytes = await storeFirstSnapshot(connection, 0, folder.snapshots, lsn);
      bytes += await storeFirstBlobs(connection, 0, folder.blobs, intact);
      await insertAll(connection, 'account', 0, names);
      await insertAll(connection, 'key', 0, keyIds);
      await insertAll(connection, 'name', 0, mapNames);
    },
    beforeCommit: () => {
      markMoved(nodeFiles, folder.path, note);
      onMarked?.();
    },
  });
  return { ...confirmed(folder, note, bytes), lostBlobs };
}

function confirmed(folder: DataFolder, note: Omit<Moved, 'note'>, bytes: number): MovedIntoCluster {
  const { cluster, lineage, lsn, time } = note;
  markMoved(nodeFiles, folder.path, { state: 'moved', cluster, lineage, lsn, time });
  return { folder: folder.path, lineage, lsn, bytes, lostBlobs: [] };
}

/** Whether a node of a cluster looks for a published map, or a file, in another shard than 0. @param address `/p/` or `/f/` and the slug */
function isOfOtherShard(address: string, shards: number): boolean {
  const shard = shardOfSlug(address.slice(3)) ?? 0;
  return shard > 0 && shard < shards;
}

/** The lineage of the cluster in the database; `undefined` if there is none. */
async function lineageIn(connection: Connection): Promise<string | undefined> {
  try {
    await readCluster(connection);
  } catch (error) {
    if (error instanceof NoClusterError) return undefined;
    throw error;
  }
  const [first] = await readShards(connection);
  return first?.lineage ?? '';
}

/** Takes a snapshot of all records and verifies it. No log is deleted. */
async function snapshotOf(
  folder: DataFolder,
  isUnconfirmed: boolean,
  log: Log,
): Promise<{
  readonly lineage: string;
  readonly lsn: number;
  readonly names: readonly string[];
  /** Names of published maps. */
  readonly mapNames: readonly string[];
  readonly keyIds: readonly string[];
  /** Of published maps and of files. */
  readonly addresses: readonly string[];
  readonly blobs: readonly NeededBlob[];
}> {
  const format = isUnconfirmed ? movedFormat : folderFormat;
  const { engine } = await openEngine(folder, { log, onFatal: () => undefined, keepLog: true, snapshotPauseMs: 0, format });
  try {
    engine.snapshots.hold(0, { snapshot: false });
    await engine.snapshot();
    const { snapshotLsn: lsn } = engine.snapshots;
    if (lsn !== engine.journal.nextLsn - 1) throw new Error(`the snapshot ends with record ${lsn}, and the log with another one`);
    if (lsn > 0) readSnapshot(nodeFiles, path.join(folder.snapshots, snapshotName(lsn)), (reader) => reader.check());
    const names = [...engine.state.accounts.values()].map(({ name }) => name);
    const mapNames = [...engine.state.names.values()].map(({ name }) => name);
    const { keys, publications, files } = engine.state;
    const addresses = [...publications.keys()].map((slug) => `/p/${slug}`);
    for (const slug of files?.slugs() ?? []) addresses.push(`/f/${slug}`);
    const blobs = [...neededBlobs(filesOf(engine.state)).values()];
    return { lineage: engine.journal.lineage, lsn, names, mapNames, keyIds: [...keys.keys()], addresses, blobs };
  } finally {
    await engine.close();
  }
}

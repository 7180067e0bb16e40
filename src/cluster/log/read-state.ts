/** Restores the state of a shard from its database: the newest stored snapshot, and the log after it, verified chain by chain. */
import path from 'node:path';
import { type Files, nodeFiles } from '../../lib/files/files.ts';
import { snapshotName } from '../../storage/snapshot/format/snapshot-format.ts';
import { SnapshotReader } from '../../storage/snapshot/reader.ts';
import type { Lsn } from '../../storage/wal/journal.ts';
import { applyRecord } from '../../store/apply.ts';
import { readRecord } from '../../store/operations/record.ts';
import { runLeaves } from '../../store/run-leaf.ts';
import { State } from '../../store/state.ts';
import type { Connection } from '../database/database-connection.ts';
import { DamagedClusterError } from '../database/database-errors.ts';
import { type LogBoundary, oldestRow, rowUpTo, storedSnapshots } from '../database/log-rows.ts';
import { recordsOf } from './batches.ts';
import { downloadFiles } from './download-snapshot.ts';
import { readRows } from './read-log.ts';

export interface ReadState {
  /** Its leaves are in the downloaded files, until {@link close}. */
  readonly state: State;
  /** Latest time of a record, in milliseconds since 1970. */
  readonly newestTime: number;
  /** LSN of the snapshot; 0 without one. */
  readonly snapshotLsn: Lsn;
  /** Bytes of the snapshot's main file. */
  readonly snapshotBytes: number;
  close(): void;
}

/**
 * Rejects with {@link DamagedClusterError} if the log is damaged, and with CorruptError for a damaged file of the snapshot.
 *
 * @param folder an existing folder for the files of the snapshot
 */
export async function readState(
  connection: Connection,
  shard: number,
  folder: string,
  files: Files = nodeFiles,
): Promise<ReadState> {
  const [newest] = await storedSnapshots(connection, shard);
  const before = await rowBefore(connection, shard, newest?.lsn);
  if (newest !== undefined) await downloadFiles(files, connection, shard, newest, folder);
  const reader = newest === undefined ? undefined : new SnapshotReader(files, path.join(folder, snapshotName(newest.lsn)));
  try {
    reader?.check();
    const state = reader?.state('file') ?? new State(runLeaves);
    let newestTime = reader?.header.newestTime ?? 0;
    const from = newest?.lsn ?? 0;
    for await (const row of readRows(connection, shard, before)) {
      const [problem] = row.problems;
      if (problem !== undefined)
        throw new DamagedClusterError(`The log of the cluster is damaged at record ${row.lastLsn}: ${problem}.`);
      let lsn = row.firstLsn;
      for (const record of recordsOf(row.records)) {
        if (lsn > from) newestTime = Math.max(newestTime, apply(state, lsn, record));
        lsn++;
      }
    }
    return { state, newestTime, snapshotLsn: from, snapshotBytes: reader?.size ?? 0, close: () => reader?.close() };
  } catch (error) {
    reader?.close();
    throw error;
  }
}

/** The row whose chain the records after the snapshot continue. */
async function rowBefore(connection: Connection, shard: number, snapshotLsn: Lsn | undefined): Promise<LogBoundary> {
  const found = snapshotLsn === undefined ? await oldestRow(connection, shard) : await rowUpTo(connection, shard, snapshotLsn);
  if (found === undefined) {
    throw new DamagedClusterError(
      snapshotLsn === undefined
        ? 'The log of the cluster has no row.'
        : `The log of the cluster does not continue its newest snapshot, of record ${snapshotLsn}.`,
    );
  }
  if (snapshotLsn === undefined && found.lastLsn > 0)
    throw new DamagedClusterError(`The log of the cluster begins with record ${found.firstLsn}, and no snapshot is stored.`);
  return found;
}

function apply(state: State, lsn: Lsn, record: Buffer): number {
  try {
    const { time, changes } = readRecord(record);
    applyRecord(state, lsn, changes);
    return time;
  } catch (error) {
    throw new DamagedClusterError(
      `Record ${lsn} of the cluster cannot be applied to the state before it: ${(error as Error).message}`,
    );
  }
}

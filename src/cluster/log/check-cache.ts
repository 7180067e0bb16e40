/**
 * Whether a cache agrees with the database: the chain of hashes over its records, batch by batch, is that of the rows. A cache that does not agree
 * is set aside, as a damaged one is: the database is the truth.
 *
 * An owner writes a frame after its batch was acknowledged. A follower copies rows as it sees them, and a failover takes back a row that was visible
 * and not replicated. So a cache also differs if the database lost acknowledged batches, or if the folder is that of another cluster.
 */
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { listSnapshots } from '../../storage/snapshot/snapshot-folder.ts';
import { listSegments } from '../../storage/wal/format/segment.ts';
import type { Lsn } from '../../storage/wal/journal.ts';
import { type RecoveryPlan, recoverWal } from '../../storage/wal/recovery/recover-wal.ts';
import type { Connection } from '../database/database-connection.ts';
import { boundariesAfter, type LogBoundary, rowsAfter } from '../database/log-rows.ts';
import type { Position } from '../protocol/terms.ts';
import { chainAfter, digestOf, lengthOf } from './batches.ts';

export interface CacheFolders {
  readonly journal: string;
  readonly snapshots: string;
}

/** `reason`: why it cannot be used. */
export type CacheVerdict = UsableCache | { readonly reason: string };

export interface UsableCache {
  /** How its log continues. */
  readonly plan: RecoveryPlan;
  readonly snapshotLsn: Lsn;
  /** The end of the last row of which it has all records. */
  readonly end: Position;
}

/** Reads the log of the cache and compares it with the database. Changes nothing. */
export async function checkCache(
  files: Files,
  folders: CacheFolders,
  connection: Connection,
  shard: number,
  lineage: string,
): Promise<CacheVerdict> {
  const [snapshotLsn = 0] = listSnapshots(files, folders.snapshots);
  // As far back as its log goes: a follower may have made a snapshot of a record that a failover took back.
  const [oldest] = listSegments(files, folders.journal);
  const logStart = oldest === undefined ? snapshotLsn : Math.min(snapshotLsn, oldest.firstLsn - 1);
  const boundaries = await boundariesAfter(connection, shard, logStart);
  const [before] = boundaries;
  const newest = boundaries.at(-1);
  if (before === undefined || newest === undefined || before.lastLsn > snapshotLsn) {
    return { reason: `its snapshot of record ${snapshotLsn} is older than the log in the database` };
  }
  const comparison = new ChainComparison(boundaries);
  let plan: RecoveryPlan;
  try {
    plan = recoverWal(files, folders.journal, {
      after: Math.max(logStart, before.lastLsn),
      onRecord: (lsn, record) => comparison.add(lsn, record),
    });
  } catch (error) {
    if (error instanceof CorruptError) return { reason: error.message };
    throw error;
  }
  const { last } = plan;
  if (last !== undefined && last.header.lineage !== lineage) {
    return { reason: `it belongs to the history ${last.header.lineage}; that of the cluster is ${lineage}` };
  }
  if (plan.nextLsn - 1 > newest.lastLsn) {
    return { reason: `it ends with record ${plan.nextLsn - 1}; the log in the database ends with ${newest.lastLsn}` };
  }
  const { differsAt } = comparison;
  if (differsAt !== undefined) return { reason: `its records up to ${differsAt} differ from those in the database` };
  const { end, rest } = comparison;
  if (rest.byteLength > 0) {
    const [row] = await rowsAfter(connection, shard, end.lsn);
    if (row?.firstLsn !== end.lsn + 1 || !row.payload.subarray(0, rest.byteLength).equals(rest))
      return { reason: `its records from ${end.lsn + 1} on differ from those in the database` };
  }
  return { plan, snapshotLsn, end };
}

/** Hashes records batch by batch, as rows are, and compares the chain after each. A batch that begins before the first record is skipped. */
class ChainComparison {
  readonly #rows: readonly LogBoundary[];
  /** Index of the row of the next record; the row before it has the chain that it continues. */
  #at = 1;
  /** The records of that row so far, packed as its payload; `undefined` if its first record is not there. */
  #payload: Buffer[] | undefined;
  /** The last LSN of the first batch that differs; `undefined` if none does. */
  differsAt: Lsn | undefined;

  /** @param rows in order, beginning with the row before the first record */
  constructor(rows: readonly LogBoundary[]) {
    this.#rows = rows;
  }

  /** The end of the last row of which all records were added. */
  get end(): Position {
    const { lastLsn: lsn, chain } = this.#rows[this.#at - 1] as LogBoundary;
    return { lsn, chain };
  }

  /** The records after {@link end}, packed as the beginning of a payload. */
  get rest(): Buffer {
    return Buffer.concat(this.#payload ?? []);
  }

  add(lsn: Lsn, record: Buffer): void {
    const row = this.#rows[this.#at];
    if (row === undefined || this.differsAt !== undefined) return;
    if (lsn === row.firstLsn) this.#payload = [];
    this.#payload?.push(lengthOf(record), Buffer.from(record));
    if (lsn === row.lastLsn) this.#compare(row);
  }

  #compare(row: LogBoundary): void {
    const before = this.#rows[this.#at - 1] as LogBoundary;
    const records = this.#payload;
    this.#payload = undefined;
    this.#at++;
    if (records === undefined) return;
    const payload = row.deposit === undefined ? Buffer.concat(records) : digestOf(...records);
    if (chainAfter(before.chain, payload) !== row.chain) this.differsAt = row.lastLsn;
  }
}

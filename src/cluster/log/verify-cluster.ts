/** Verifies what a cluster's database holds: every row of the log, every large record, every stored snapshot. Changes nothing. */
import { createHash } from 'node:crypto';
import type { Lsn } from '../../storage/wal/journal.ts';
import { fileRows } from '../database/bulk-store.ts';
import { readCluster } from '../database/create-cluster.ts';
import { type Connection, withUnchangedView } from '../database/database-connection.ts';
import { oldestRow, rowUpTo, type StoredFile, storedSnapshots } from '../database/log-rows.ts';
import { readShards } from '../database/read-status.ts';
import { readRows } from './read-log.ts';

export interface ClusterFinding {
  readonly shard: number;
  /** `log` for a row, `snapshot` for a stored snapshot. */
  readonly where: 'log' | 'snapshot';
  /** The last record of the row or of the snapshot. */
  readonly lsn: Lsn;
  readonly problem: string;
}

export interface VerifiedShard {
  readonly shard: number;
  readonly lineage: string;
  /** The oldest record in the log; one more than the newest if the log holds none. */
  readonly from_lsn: Lsn;
  readonly lsn: Lsn;
  readonly rows: number;
  /** LSNs of the stored snapshots, newest first. */
  readonly snapshots: readonly Lsn[];
  /** Why no node may serve it; empty if nothing is wrong. */
  readonly halted: string;
}

export interface ClusterVerification {
  readonly shards: readonly VerifiedShard[];
  /** Bytes of log and snapshots that were read. */
  readonly bytes: number;
  readonly findings: readonly ClusterFinding[];
}

/** Verifies all shards as they are at this moment. Rejects with ClusterSettingsError if there is no cluster. */
export async function verifyCluster(connection: Connection): Promise<ClusterVerification> {
  const verifier = new Verifier(connection);
  const shards = await withUnchangedView(connection, async () => {
    await readCluster(connection);
    const verified: VerifiedShard[] = [];
    for (const { shard, lineage, halted } of await readShards(connection))
      verified.push({ shard, lineage, halted, ...(await verifier.shard(shard)) });
    return verified;
  });
  return { shards, bytes: verifier.bytes, findings: verifier.findings };
}

class Verifier {
  readonly #connection: Connection;
  readonly #files = new Map<string, string | undefined>();
  readonly findings: ClusterFinding[] = [];
  bytes = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async shard(shard: number): Promise<Pick<VerifiedShard, 'from_lsn' | 'lsn' | 'rows' | 'snapshots'>> {
    const oldest = await oldestRow(this.#connection, shard);
    const snapshots = await storedSnapshots(this.#connection, shard);
    const find = (where: ClusterFinding['where'], lsn: Lsn, problem: string) =>
      void this.findings.push({ shard, where, lsn, problem });
    const lsns = snapshots.map(({ lsn }) => lsn);
    if (oldest === undefined) {
      find('log', 0, 'the log has no row');
      return { from_lsn: 0, lsn: 0, rows: 0, snapshots: lsns };
    }
    // The row before the oldest is deleted: its chain cannot be verified, and only its records are counted.
    let newest = oldest;
    let rows = 1;
    for await (const row of readRows(this.#connection, shard, oldest)) {
      for (const problem of row.problems) find('log', row.lastLsn, problem);
      this.bytes += row.records.byteLength;
      newest = row;
      rows++;
    }
    for (const { lsn, files } of snapshots) {
      for (const file of files) {
        const problem = await this.#file(shard, file);
        if (problem !== undefined) find('snapshot', lsn, problem);
      }
      if ((await rowUpTo(this.#connection, shard, lsn)) === undefined)
        find('snapshot', lsn, `the log does not continue it: it begins with record ${oldest.firstLsn}`);
      if (lsn > newest.lastLsn) find('snapshot', lsn, `the log ends with record ${newest.lastLsn}, before it`);
    }
    if (oldest.firstLsn > 1 && snapshots.length === 0)
      find('log', oldest.lastLsn, `records 1 to ${oldest.firstLsn - 1} are deleted, and no snapshot is stored`);
    return { from_lsn: oldest.firstLsn, lsn: newest.lastLsn, rows, snapshots: lsns };
  }

  /** What is wrong with a file; `undefined` if nothing is. Snapshots of a shard share files. */
  async #file(shard: number, file: StoredFile): Promise<string | undefined> {
    const key = `${shard} ${file.digest}`;
    if (!this.#files.has(key)) this.#files.set(key, await this.#read(shard, file));
    return this.#files.get(key);
  }

  async #read(shard: number, { name, digest, bytes }: StoredFile): Promise<string | undefined> {
    const hash = createHash('sha256');
    let found = 0;
    for await (const piece of fileRows(this.#connection, shard, digest)) {
      hash.update(piece);
      found += piece.byteLength;
    }
    this.bytes += found;
    if (found !== bytes) return `its file ${name} has ${found} of ${bytes} bytes`;
    return hash.digest('hex') === digest ? undefined : `its file ${name} has another SHA-256 than its name, ${digest}`;
  }
}

/**
 * Verifies what a cluster's database holds: every row of the log, every large record, every stored snapshot, the bytes of every file. Changes
 * nothing.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import { describeLost, filesOf, type NeededBlob, neededBlobs } from '../../storage/snapshot/files/needed-blobs.ts';
import type { Lsn } from '../../storage/wal/journal.ts';
import { fileRows } from '../database/bulk-store.ts';
import { readCluster } from '../database/create-cluster.ts';
import { type Connection, withUnchangedView } from '../database/database-connection.ts';
import { DamagedClusterError } from '../database/database-errors.ts';
import { oldestRow, rowUpTo, type StoredFile, storedSnapshots } from '../database/log-rows.ts';
import { readShards } from '../database/read-status.ts';
import { readBlob } from './read-blobs.ts';
import { readRows } from './read-log.ts';
import { readState } from './read-state.ts';

export interface ClusterFinding {
  readonly shard: number;
  /** `log` for a row, `snapshot` for a stored snapshot, `files` for the bytes of a file. */
  readonly where: 'log' | 'snapshot' | 'files';
  /** The last record of the row or of the snapshot; for a file, the newest record. */
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
  /** Number of blobs that files need; 0 if the log is damaged, because it is unknown then. */
  readonly blobs: number;
  /** Why no node may serve it; empty if nothing is wrong. */
  readonly halted: string;
}

export interface ClusterVerification {
  readonly shards: readonly VerifiedShard[];
  /** Bytes of log, snapshots and files that were read. */
  readonly bytes: number;
  readonly findings: readonly ClusterFinding[];
}

/** Verifies all shards as they are at this moment. Rejects with ClusterSettingsError if there is no cluster. */
export async function verifyCluster(connection: Connection): Promise<ClusterVerification> {
  const verifier = new Verifier(connection);
  const shards = await withUnchangedView(connection, async () => {
    await readCluster(connection);
    const verified: VerifiedShard[] = [];
    for (const { shard, lineage, halted } of await readShards(connection)) {
      const found = await verifier.shard(shard);
      verified.push({ shard, lineage, halted, ...found, blobs: await verifier.blobs(shard, found.lsn) });
    }
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

  /** Reads the bytes of all files of a shard without damage. Returns the number of blobs. @param lsn of its newest record */
  async blobs(shard: number, lsn: Lsn): Promise<number> {
    if (this.findings.some((finding) => finding.shard === shard)) return 0;
    let needed: readonly NeededBlob[];
    try {
      needed = await this.#neededBlobs(shard);
    } catch (error) {
      if (!(error instanceof DamagedClusterError || error instanceof CorruptError)) throw error;
      this.findings.push({ shard, where: 'log', lsn, problem: error.message });
      return 0;
    }
    for (const blob of needed) {
      const problem = await readBlob(this.#connection, shard, blob, ({ byteLength }) => {
        this.bytes += byteLength;
      });
      if (problem !== undefined) this.findings.push({ shard, where: 'files', lsn, problem: describeLost({ ...blob, problem }) });
    }
    return needed.length;
  }

  /** Which files there are is known only from the state. */
  async #neededBlobs(shard: number): Promise<NeededBlob[]> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-verify-'));
    try {
      const read = await readState(this.#connection, shard, folder);
      try {
        return [...neededBlobs(filesOf(read.state)).values()];
      } finally {
        read.close();
      }
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
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

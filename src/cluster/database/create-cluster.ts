/** Creates the tables of a cluster, and reads what they say about it. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Position } from '../protocol/terms.ts';
import { type Connection, sqlStateOf } from './database-connection.ts';
import { ClusterSettingsError, DatabaseUnavailableError, NoClusterError } from './database-errors.ts';
import { databaseFormat, nameTable, tables, timelineSql } from './tables.ts';

/** The beginning of a shard: an empty log, or the end of the log that it continues. */
export interface ShardStart {
  /** 32 hex digits. */
  readonly lineage: string;
  readonly position: Position;
}

/** The beginning of an empty shard. */
export function emptyShard(): ShardStart {
  return { lineage: randomBytes(lineageBytes).toString('hex'), position: { lsn: 0, chain: '' } };
}

export interface NewCluster {
  /** One for each shard, in order. */
  readonly shards: readonly ShardStart[];
  /** Version of the records that nodes may write. */
  readonly schemaWritten: number;
  /** Stores what the logs continue, in the same transaction. */
  readonly fill?: (connection: Connection) => Promise<void>;
  /** Runs before the transaction commits; if it throws, nothing is created. */
  readonly beforeCommit?: () => void;
}

export interface Cluster {
  readonly format: number;
  readonly schemaWritten: number;
  readonly shards: number;
  /** Signs forwarded requests. */
  readonly secret: Buffer;
}

/** SQLSTATEs. */
const codes = {
  duplicateTable: '42P07',
  uniqueViolation: '23505',
  undefinedTable: '42P01',
  insufficientPrivilege: '42501',
  /** Of each schema in the search path, the user may use none. */
  undefinedSchema: '3F000',
};

const secretBytes = 32;
const lineageBytes = 16;

/** The database did not acknowledge the new cluster: it may be there or not. */
export class UnconfirmedClusterError extends DatabaseUnavailableError {}

/**
 * Creates the tables, all or none. Rejects with {@link ClusterSettingsError} if the database has a cluster, or the rights are missing, and with
 * {@link UnconfirmedClusterError} if the outcome is unknown.
 */
export async function createCluster(
  connection: Connection,
  { shards, schemaWritten, fill, beforeCommit }: NewCluster,
): Promise<void> {
  await connection.query('BEGIN');
  try {
    for (const table of tables) await connection.query(table);
    await connection.query('INSERT INTO mw_cluster (id, format, schema_written, shards, secret) VALUES (1, $1, $2, $3, $4)', [
      ...[databaseFormat, schemaWritten, shards.length, randomBytes(secretBytes)],
    ]);
    for (const [shard, { lineage, position }] of shards.entries()) {
      const owner = randomUUID();
      await connection.query(
        `INSERT INTO mw_shard (shard, lineage, timeline, epoch, owner) VALUES ($1, $2, ${timelineSql}, 0, $3)`,
        [shard, lineage, owner],
      );
      await connection.query(`INSERT INTO mw_lease (shard, owner, beat, address, released) VALUES ($1, $2, 0, '', true)`, [
        shard,
        owner,
      ]);
      await connection.query(
        `INSERT INTO mw_log (shard, first_lsn, last_lsn, epoch, chain, payload) VALUES ($1, $2::bigint + 1, $2, 0, decode($3, 'hex'), '')`,
        [shard, position.lsn, position.chain],
      );
    }
    await fill?.(connection);
    beforeCommit?.();
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw settingsErrorOf(error) ?? error;
  }
  const committed = await connection.write('COMMIT', []).catch((error: Error) => error);
  if (
    !(committed instanceof Error) &&
    'replicates' in committed.answer &&
    committed.answer.replicates &&
    !committed.answer.warned
  )
    return;
  const reason = committed instanceof Error ? committed.message : JSON.stringify(committed.answer);
  throw new UnconfirmedClusterError(
    `The database did not confirm the new cluster (${reason}). Run the command again: it says whether the cluster is there.`,
  );
}

/** Reads the cluster. Rejects with {@link ClusterSettingsError} if there is none, or of another format. */
export async function readCluster(connection: Connection): Promise<Cluster> {
  try {
    // Until 2026-11-25 the tables had the same format, without blobs, and the log had publications in another form.
    const [row] = await connection.query<ClusterRow>(
      "SELECT format, schema_written, shards, secret, to_regclass('mw_blob') IS NULL AS older FROM mw_cluster",
    );
    if (row === undefined) throw new NoClusterError(noCluster);
    const { format, schema_written: schemaWritten, shards, secret, older } = row;
    if (older || format < databaseFormat) throw new ClusterSettingsError(olderCluster);
    if (format > databaseFormat) {
      throw new ClusterSettingsError(
        `The cluster's tables have format ${format}; this mapwright knows format ${databaseFormat}. Install the version that the other nodes run.`,
      );
    }
    return { format, schemaWritten, shards, secret };
  } catch (error) {
    throw settingsErrorOf(error) ?? error;
  }
}

/** Creates the table that a cluster from before 2026-12 has not. Rejects with {@link ClusterSettingsError} if the rights are missing. */
export async function addMissingTable(connection: Connection): Promise<void> {
  const isMissing = async (): Promise<boolean> => {
    const [row] = await connection.query<{ missing: boolean }>("SELECT to_regclass('mw_name') IS NULL AS missing");
    return row?.missing === true;
  };
  // Without this question, a user that may not create tables could not start a node either.
  if (!(await isMissing())) return;
  try {
    await connection.query(nameTable);
  } catch (error) {
    // Another node that starts has created it.
    if (!(await isMissing())) return;
    if (sqlStateOf(error) !== codes.insufficientPrivilege) throw error;
    throw new ClusterSettingsError(
      `The database refuses to create a table for the readable addresses of maps: ${(error as Error).message}. Run as the owner of the cluster's tables: ${nameTable}`,
    );
  }
}

interface ClusterRow {
  readonly format: number;
  readonly schema_written: number;
  readonly shards: number;
  readonly secret: Buffer;
  /** A table is missing. */
  readonly older: boolean;
}

const olderCluster =
  'The cluster was written by an older mapwright, in a form that this one does not read. It is not damaged, and nothing was changed. Run its nodes with the mapwright that wrote it, save the projects with: mapwright export --all --out DIR. Then create a cluster in a new database with this one, and load them with: mapwright import DIR';

const noCluster = 'The database has no cluster. Create it once: mapwright cluster init --cluster URL';

function settingsErrorOf(error: unknown): ClusterSettingsError | undefined {
  switch (sqlStateOf(error)) {
    case codes.duplicateTable:
    case codes.uniqueViolation:
      return new ClusterSettingsError(
        'The database has a cluster already. Start its nodes: mapwright serve --cluster URL --advertise URL',
      );
    case codes.undefinedTable:
      return new NoClusterError(noCluster);
    case codes.insufficientPrivilege:
    case codes.undefinedSchema:
      return new ClusterSettingsError(
        `The database refuses: ${(error as Error).message}. Connect as the owner of the cluster's tables. To create a cluster, the user needs rights: GRANT USAGE, CREATE ON SCHEMA public TO ...`,
      );
    default:
      return undefined;
  }
}

/**
 * The tables of a cluster, and the SQL texts that more than one file uses. The log is the truth; everything else can be derived from it, or
 * says who may append to it.
 */

/** Version of the tables, and of the records in them. A program that knows another one does not start. Raise it with every `formatRevision`. */
export const databaseFormat = 1;

/** Shards of a cluster at most. */
export const shardsMax = 16;

/** Bytes of a row of `mw_part`, `mw_file` and `mw_blob`, and of the payload of a log row. */
export const rowBytesMax = 1024 * 1024;

/** The timeline of the database: it changes with each promotion. `pg_control_checkpoint()` lags. */
export const timelineSql = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

/** The names of published maps, reserved like those of accounts. Clusters from before 2026-12 get it when a node starts. */
export const nameTable = 'CREATE TABLE mw_name (name text PRIMARY KEY, shard int NOT NULL)';

/** One statement each. */
export const tables: readonly string[] = [
  `CREATE TABLE mw_cluster (id int PRIMARY KEY CHECK (id = 1), format int NOT NULL, schema_written int NOT NULL,
    shards int NOT NULL, secret bytea NOT NULL)`,
  // Changes at a claim only: an append locks its row without writing a new version.
  `CREATE TABLE mw_shard (shard int PRIMARY KEY, lineage text NOT NULL, timeline text NOT NULL, epoch bigint NOT NULL,
    owner uuid NOT NULL, halted text NOT NULL DEFAULT '')`,
  // Changes every second. `asked` is the owner that an operator asks to hand over.
  `CREATE TABLE mw_lease (shard int PRIMARY KEY, owner uuid NOT NULL, beat bigint NOT NULL, address text NOT NULL,
    released boolean NOT NULL, asked uuid) WITH (fillfactor = 10)`,
  `CREATE TABLE mw_log (shard int, last_lsn bigint, first_lsn bigint NOT NULL, epoch bigint NOT NULL, chain bytea NOT NULL,
    deposit uuid, at timestamptz NOT NULL DEFAULT clock_timestamp(), payload bytea NOT NULL, PRIMARY KEY (shard, last_lsn))`,
  'ALTER TABLE mw_log ALTER payload SET STORAGE EXTERNAL',
  'CREATE INDEX mw_log_deposit ON mw_log (deposit) WHERE deposit IS NOT NULL',
  // Before the row of the log that refers to it: a part without a row is waste, or about to get one.
  `CREATE TABLE mw_part (deposit uuid, n int, bytes bytea NOT NULL, shard int NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (deposit, n))`,
  'ALTER TABLE mw_part ALTER bytes SET STORAGE EXTERNAL',
  // By shard: each owner deletes what its own snapshots do not use.
  'CREATE TABLE mw_file (shard int, digest text, n int, bytes bytea NOT NULL, PRIMARY KEY (shard, digest, n))',
  'ALTER TABLE mw_file ALTER bytes SET STORAGE EXTERNAL',
  // Before the record that refers to it. `put` is random for each time that the row is stored, so that a deletion whose answer was lost deletes
  // nothing that was stored after it.
  `CREATE TABLE mw_blob (shard int, digest text COLLATE "C", n int, put uuid NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (shard, digest, n))`,
  'ALTER TABLE mw_blob ALTER bytes SET STORAGE EXTERNAL',
  `CREATE TABLE mw_snapshot (shard int, lsn bigint, epoch bigint NOT NULL, files jsonb NOT NULL,
    made timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (shard, lsn))`,
  `CREATE TABLE mw_node (id uuid PRIMARY KEY, address text NOT NULL UNIQUE, version text NOT NULL, schema int NOT NULL,
    role text NOT NULL, shard int, lsns jsonb NOT NULL, options text NOT NULL, seen timestamptz NOT NULL)`,
  // Reserved before the record that creates the key or the account is appended, so every key and every account has its row.
  'CREATE TABLE mw_key (id text PRIMARY KEY, shard int NOT NULL)',
  'CREATE TABLE mw_account (name text PRIMARY KEY, shard int NOT NULL)',
  nameTable,
  `CREATE TABLE mw_audit (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    entry jsonb NOT NULL)`,
];

/** The token check of every write of an owner; $1 shard, $2 epoch, $3 owner. The locking read stands alone, as joins change what is read again. */
export const tokenSql = 'mine AS MATERIALIZED (SELECT 1 FROM mw_shard WHERE shard = $1 AND epoch = $2 AND owner = $3 FOR SHARE)';

/**
 * Whether a row of `mw_node` is of a node that runs, as SQL.
 *
 * @param seconds parameter with the time since a node was seen, above which it does not run
 */
export const runsSql = (seconds: `$${number}`): string =>
  `role <> 'stopped' AND seen > clock_timestamp() - make_interval(secs => ${seconds})`;

/** What guarantees that a commit survives the loss of a machine. `storage`: the service replicates below PostgreSQL, as its operator states. */
export const durabilities = ['standby', 'storage'] as const;
export type Durability = (typeof durabilities)[number];

/** Whether a commit of this session waits for what guarantees it, as SQL. */
export const replicatesSql: Readonly<Record<Durability, string>> = {
  standby:
    "(current_setting('synchronous_commit') IN ('on', 'remote_apply') AND current_setting('synchronous_standby_names') <> '')",
  storage: "(current_setting('synchronous_commit') <> 'off')",
};

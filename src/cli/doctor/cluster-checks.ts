/** Checks of a cluster, with --cluster: packages, settings of the database, its standby, the tables and the nodes. They compare no clocks. */
import { checkSettings, readStandbys, readVersion } from '../../cluster/database/check-settings.ts';
import { Connection } from '../../cluster/database/database-connection.ts';
import { ClusterSettingsError, DatabaseRefusedError, MissingPackageError } from '../../cluster/database/database-errors.ts';
import { parseDatabaseUrl } from '../../cluster/database/database-url.ts';
import { loadPg, loadUndici } from '../../cluster/database/load-packages.ts';
import { type ClusterStatus, type NodeStatus, readStatus, type ShardStatus } from '../../cluster/database/read-status.ts';
import { schemaVersion } from '../../model/schema-version.ts';
import { clusterOptionsOf } from '../commands/serve/serve-options.ts';
import { plural } from '../output/format-values.ts';
import { type Check, type CheckContext, type CheckFinding, fail, ok, warn } from './check.ts';

/** A node writes its row every two seconds. */
const liveS = 15;
/** Records that a node may be behind: it writes its number less often than it copies. */
const lagMax = 100_000;

async function withDatabase(
  { cluster, durability }: CheckContext,
  check: (connection: Connection) => Promise<CheckFinding>,
): Promise<CheckFinding> {
  const url = parseDatabaseUrl(cluster as string);
  let connection: Connection;
  try {
    connection = await Connection.open(url, 'doctor', durability);
  } catch (error) {
    if (error instanceof MissingPackageError) return warn('not checked without these packages', 'Install them first.');
    if (error instanceof ClusterSettingsError) return fail(error.message, 'Nodes need it, too.');
    if (error instanceof DatabaseRefusedError) return fail(error.message, 'A node does not start before this is changed.');
    return fail((error as Error).message, 'Start the database, or correct --cluster. A node would wait for it.');
  }
  try {
    return await check(connection);
  } finally {
    connection.close();
  }
}

const packageCheck: Check = {
  name: 'packages',
  async run() {
    try {
      await loadPg();
      await loadUndici();
      return ok('pg and undici are installed');
    } catch (error) {
      return fail((error as Error).message, 'Install both beside mapwright, on every machine.');
    }
  },
};

const databaseCheck: Check = {
  name: 'database',
  run(context) {
    return withDatabase(context, async (connection) => {
      const row = await readVersion(connection);
      const { hosts, text } = parseDatabaseUrl(context.cluster as string);
      const found = `PostgreSQL ${row?.version}, ${text}`;
      try {
        await checkSettings(connection);
      } catch (error) {
        if (!(error instanceof ClusterSettingsError)) throw error;
        return fail(`${found}: ${error.message}`, 'A node does not start before this is changed.');
      }
      if (row?.timeouts?.includes('statement_timeout') || row?.timeouts?.includes('transaction_timeout')) {
        return warn(
          `${found}, with ${row.timeouts}`,
          'A write that waits for the standby would be cancelled, and settled again and again. Set it to 0 for this user: ALTER ROLE ... SET statement_timeout = 0.',
        );
      }
      if (hosts.length === 1 && context.durability === 'standby') {
        return warn(
          `${found}, which is one host`,
          'List all hosts, so that nodes find the standby when it is promoted, unless one address leads to whichever is the primary.',
        );
      }
      return ok(`${found}; its settings keep acknowledged writes`);
    });
  },
};

const standbyCheck: Check = {
  name: 'standby',
  run(context) {
    if (context.durability === 'storage')
      return ok('not checked: --durability storage states that the service replicates below PostgreSQL');
    return withDatabase(context, async (connection) => {
      const standbys = await readStandbys(connection);
      const shown = standbys.map(({ name, state }) => `${name} (${state ?? 'hidden'})`).join(', ');
      const synchronous = standbys.filter(({ state }) => state === 'sync' || state === 'quorum');
      if (standbys.length > 0 && standbys.every(({ state }) => state === null)) {
        return fail(
          `its state is hidden from this user: ${shown}`,
          'Run on the database: GRANT pg_monitor TO the user of --cluster.',
        );
      }
      if (synchronous.length === 0) {
        return warn(
          `no synchronous standby is connected${shown === '' ? '' : `, only ${shown}`}`,
          'Writes wait for one. Start it, with an application_name that synchronous_standby_names lists.',
        );
      }
      return ok(shown);
    });
  },
};

const withStatus = (context: CheckContext, check: (status: ClusterStatus) => CheckFinding): Promise<CheckFinding> =>
  withDatabase(context, async (connection) => {
    try {
      return check(await readStatus(connection));
    } catch (error) {
      if (error instanceof ClusterSettingsError) return fail(error.message, 'See docs/cluster.md.');
      throw error;
    }
  });

const shardCheck: Check = {
  name: 'cluster',
  run: (context) =>
    withStatus(context, ({ schema_written, shards }) => {
      if (shards.length === 0) return fail('it has no shard', 'The tables are damaged. Restore the database.');
      const named = (shard: number): string => (shards.length === 1 ? '' : `shard ${shard}: `);
      const halted = shards.filter((each) => each.halted !== '');
      if (halted.length > 0) {
        return fail(
          halted.map(({ shard, halted }) => `${named(shard)}no node may serve: ${halted}`).join('; '),
          'Decide how to continue: "When records are lost" in docs/cluster.md.',
        );
      }
      if (schema_written > schemaVersion) {
        return fail(
          `its records have version ${schema_written}; this mapwright reads up to ${schemaVersion}`,
          'Install the version that the other nodes run.',
        );
      }
      const found = shards
        .map(({ shard, lsn, owner, snapshot_lsn }) => {
          const stored = snapshot_lsn === null ? 'no snapshot stored yet' : `snapshot of record ${snapshot_lsn} stored`;
          return `${named(shard)}record ${lsn}, ${stored}, ${owner === null ? 'no owner' : `owned by ${owner}`}`;
        })
        .join('; ');
      if (shards.some(({ owner }) => owner === null)) return warn(found, 'Start a node.');
      if (schema_written < schemaVersion) {
        return warn(
          `${found}; its nodes write records of version ${schema_written} only`,
          'When all nodes run this version of mapwright: npx mapwright cluster upgrade --cluster URL',
        );
      }
      return ok(found);
    }),
};

const nodesCheck: Check = {
  name: 'nodes',
  run: (context) => withStatus(context, ({ nodes, shards }) => findingOf(nodes, shards)),
};

function findingOf(all: readonly NodeStatus[], shards: readonly ShardStatus[]): CheckFinding {
  const nodes = all.filter(({ seen_s }) => seen_s <= liveS);
  const found = nodes.map((node) => `${node.address} (${roleOf(node, shards)}, ${behindText(node, shards)})`).join(', ');
  if (nodes.length === 0) return warn('none was seen in the last 15 seconds', 'Start at least two, on different machines.');
  if (nodes.length === 1)
    return warn(`only ${found}`, 'No other node can take over. Start at least one more, on another machine.');
  const versions = new Set(nodes.map(({ version }) => version));
  if (versions.size > 1)
    return warn(
      `${found}, with versions ${[...versions].sort().join(', ')}`,
      'Finish the upgrade: install one version on all machines.',
    );
  if (nodes.length <= shards.length) {
    return warn(
      found,
      `${plural(shards.length, 'shard')} need ${shards.length + 1} nodes, so that one can take over. Start ${shards.length + 1 - nodes.length} more.`,
    );
  }
  const late = nodes.filter((node) => node.role !== 'owner' && behind(node, shards) > lagMax);
  if (late.length > 0) {
    return warn(
      found,
      `${plural(late.length, 'node')} could take over only after the rest is copied: ${late.map(({ address }) => address).join(', ')}. See the log there, and the alarm cache_failing.`,
    );
  }
  return ok(found);
}

const roleOf = ({ role, shard }: NodeStatus, shards: readonly ShardStatus[]): string =>
  shards.length === 1 || shard === null ? role : `${role} of shard ${shard}`;

/** Records that a node has not copied, of all shards that it copies. */
const behind = ({ lsns }: NodeStatus, shards: readonly ShardStatus[]): number =>
  shards.reduce((sum, { shard, lsn }) => sum + Math.max(0, lsn - (lsns[shard] ?? lsn)), 0);

function behindText(node: NodeStatus, shards: readonly ShardStatus[]): string {
  const records = node.role === 'owner' ? 0 : behind(node, shards);
  return records === 0 ? 'up to date' : `${plural(records, 'record')} behind`;
}

const loopback = /^(127\.|\[::1\]$|localhost$)/;

const advertiseCheck: Check = {
  name: 'advertise',
  run(context) {
    if (context.advertise === undefined)
      return warn('--advertise is not given', 'A node needs it: the URL under which the other nodes reach this machine.');
    try {
      clusterOptionsOf(context);
    } catch (error) {
      return fail((error as Error).message, 'A node with these options would not start.');
    }
    const { hostname, port } = new URL(context.advertise);
    if (loopback.test(hostname))
      return warn(
        `${context.advertise}, on this machine only`,
        'Nodes on other machines cannot reach it. Give an address of the private network.',
      );
    const isSame = Number(port === '' ? 80 : port) === context.port;
    return ok(isSame ? context.advertise : `${context.advertise}, a port for other nodes beside ${context.port}`);
  },
};

export const clusterChecks: readonly Check[] = [
  packageCheck,
  databaseCheck,
  standbyCheck,
  shardCheck,
  nodesCheck,
  advertiseCheck,
];

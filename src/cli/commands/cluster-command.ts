/** `mapwright cluster`: creates a cluster in a database, and shows its nodes. */
import { randomBytes } from 'node:crypto';
import { checkSettings } from '../../cluster/database/check-settings.ts';
import { createCluster } from '../../cluster/database/create-cluster.ts';
import { Connection } from '../../cluster/database/database-connection.ts';
import { parseDatabaseUrl } from '../../cluster/database/database-url.ts';
import { readStatus } from '../../cluster/database/read-status.ts';
import type { Durability } from '../../cluster/database/tables.ts';
import { firstChain } from '../../cluster/log/batches.ts';
import { schemaVersion } from '../../model/record.ts';
import { command, commandGroup } from '../command-declaration.ts';
import { jsonOption } from '../option-parsing.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';

const databaseOptions = {
  cluster: {
    type: 'string',
    demandOption: true,
    describe: 'URL of the database, with all its hosts: postgres://user:password@db1,db2/maps',
  },
  durability: {
    choices: ['standby', 'storage'],
    default: 'standby' as Durability,
    describe:
      'What keeps acknowledged writes when a machine is lost: a synchronous standby, or storage that replicates below PostgreSQL',
  },
} as const;

async function withConnection<T>(url: string, durability: Durability, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.open(parseDatabaseUrl(url), 'command', durability);
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

const init = command({
  command: 'init',
  describe: 'Create an empty cluster in a database',
  options: { ...databaseOptions, ...jsonOption },
  examples: [['cluster init --cluster postgres://maps@db1,db2/maps', 'once; then start the nodes']],
  async handler({ cluster, durability, json }) {
    await withConnection(cluster, durability, async (connection) => {
      const { hasStandby } = await checkSettings(connection);
      const lineage = randomBytes(16).toString('hex');
      await createCluster(connection, {
        shards: [{ lineage, position: { lsn: 0, chain: firstChain } }],
        schemaWritten: schemaVersion,
      });
      if (json) return printJson({ shards: 1, lineage, has_standby: hasStandby });
      process.stdout.write(
        `Created a cluster in ${parseDatabaseUrl(cluster).text}. Start a node on each machine:\n\n  npx mapwright serve --cluster URL --advertise http://THIS-MACHINE:8070 --host 0.0.0.0\n\n`,
      );
      if (!hasStandby) process.stdout.write('No synchronous standby is connected now: writes will wait until one is.\n');
    });
  },
});

const status = command({
  command: 'status',
  describe: 'Show the nodes of a cluster, and which one owns the data',
  options: { ...databaseOptions, ...jsonOption },
  examples: [['cluster status --cluster postgres://maps@db1,db2/maps', 'nodes, roles and how far they have copied the log']],
  async handler({ cluster, durability, json }) {
    const found = await withConnection(cluster, durability, readStatus);
    if (json) return printJson(found);
    const { nodes, shards } = found;
    for (const { shard, lsn, epoch, owner, halted } of shards) {
      const where = owner === null ? 'no node owns it' : `owned by ${owner}`;
      process.stdout.write(
        `Shard ${shard}: record ${lsn}, epoch ${epoch}, ${where}.${halted === '' ? '' : ` Halted: ${halted}`}\n`,
      );
    }
    if (nodes.length === 0) return void process.stdout.write('No node was seen in the last day.\n');
    await printTable(
      ['NODE', 'ROLE', 'RECORD', 'VERSION', 'SEEN'],
      nodes.map(({ address, role, lsn, version, seen_s }) => [address, role, String(lsn), version, `${seen_s} s ago`]),
    );
  },
});

export const clusterCommand = commandGroup({
  command: 'cluster',
  describe: 'Create a cluster of several machines on a PostgreSQL database, and show its nodes',
  commands: [init, status],
});

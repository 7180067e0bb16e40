/** `mapwright cluster`: creates a cluster in a database, shows its nodes, and operates it. */
import { randomBytes } from 'node:crypto';
import { checkSettings } from '../../cluster/database/check-settings.ts';
import { createCluster } from '../../cluster/database/create-cluster.ts';
import { Connection } from '../../cluster/database/database-connection.ts';
import { parseDatabaseUrl } from '../../cluster/database/database-url.ts';
import { readStatus } from '../../cluster/database/read-status.ts';
import type { Durability } from '../../cluster/database/tables.ts';
import { firstChain } from '../../cluster/log/batches.ts';
import { verifyCluster } from '../../cluster/log/verify-cluster.ts';
import { OperationError } from '../../lib/errors.ts';
import { schemaVersion } from '../../model/record.ts';
import { leaveCluster } from '../../server/cluster/leave-cluster.ts';
import { moveIntoCluster } from '../../server/cluster/move-into-cluster.ts';
import { forkCluster, haltReason, releaseCluster } from '../../server/cluster/operate-cluster.ts';
import { command, commandGroup } from '../command-declaration.ts';
import { jsonOption, textFor, UsageError } from '../option-parsing.ts';
import { painter } from '../output/colour.ts';
import { quietLog } from '../output/command-log.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { formatBytes, plural, shellWord } from '../output/format-values.ts';
import { withProgress } from '../output/progress.ts';
import { promptLine } from '../output/question.ts';
import { withRepairHint } from '../output/repair-hint.ts';
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
  describe: 'Create a cluster in a database: empty, or with the data of a stopped data folder',
  options: {
    ...databaseOptions,
    from: {
      type: 'string',
      describe:
        'Data folder of a stopped server. Its data moves into the cluster; the folder stays as it is, and is not served any more',
      coerce: textFor('from'),
    },
    ...jsonOption,
  },
  examples: [
    ['cluster init --cluster postgres://maps@db1,db2/maps', 'once; then start the nodes'],
    ['cluster init --cluster postgres://maps@db1,db2/maps --from data/store', 'move the data of one machine into a cluster'],
  ],
  notes:
    'With --from, keys, accounts, ids, entity tags and positions in the change feed stay valid. If it is interrupted, run it again: it completes the move, or says that it is complete.',
  async handler({ cluster, durability, from, json }) {
    await withConnection(cluster, durability, async (connection) => {
      const url = parseDatabaseUrl(cluster);
      if (from !== undefined) {
        const moved = await withProgress('Moving the data', () =>
          withRepairHint(from, moveIntoCluster(from, { connection, url, log: quietLog() })),
        );
        if (json) return printJson({ shards: 1, lineage: moved.lineage, lsn: moved.lsn, bytes: moved.bytes, from: moved.folder });
        process.stdout.write(
          `Moved the data of ${moved.folder} into the cluster ${url.text}, up to record ${moved.lsn}. The folder stays as it is, and no server starts on it any more.\n${startNodes}`,
        );
        return;
      }
      const { hasStandby } = await checkSettings(connection);
      const lineage = randomBytes(16).toString('hex');
      await createCluster(connection, {
        shards: [{ lineage, position: { lsn: 0, chain: firstChain } }],
        schemaWritten: schemaVersion,
      });
      if (json) return printJson({ shards: 1, lineage, has_standby: hasStandby });
      process.stdout.write(`Created a cluster in ${url.text}.\n${startNodes}`);
      if (!hasStandby) process.stdout.write('No synchronous standby is connected now: writes will wait until one is.\n');
    });
  },
});

const startNodes =
  'Start a node on each machine:\n\n  npx mapwright serve --cluster URL --advertise http://THIS-MACHINE:8070 --host 0.0.0.0\n\n';

const verify = command({
  command: 'verify',
  describe: 'Check every byte of the log and of the snapshots in the database',
  options: { ...databaseOptions, ...jsonOption },
  examples: [['cluster verify --cluster postgres://maps@db1,db2/maps', 'chain, record numbers, large records and snapshots']],
  notes: 'It changes nothing, and works while nodes run. Exit code 3 if there is damage.',
  async handler({ cluster, durability, json }) {
    const found = await withProgress('Verifying', () => withConnection(cluster, durability, verifyCluster));
    if (found.findings.length > 0) process.exitCode = exitCodes.damaged;
    if (json) return printJson(found);
    const paint = painter();
    for (const { shard, from_lsn, lsn, rows, snapshots, halted } of found.shards) {
      const log = from_lsn > lsn ? `no records after ${lsn}` : `records ${from_lsn} to ${lsn}`;
      const kept = snapshots.length === 0 ? 'no snapshot' : `${plural(snapshots.length, 'snapshot')} (${snapshots.join(', ')})`;
      process.stdout.write(
        `Shard ${shard}: ${log} in ${plural(rows, 'row')}, ${kept}.${halted === '' ? '' : ` Halted: ${halted}`}\n`,
      );
    }
    for (const { shard, where, lsn, problem } of found.findings)
      process.stdout.write(paint('red', `  shard ${shard}, ${where} of record ${lsn}: ${problem}\n`));
    process.stdout.write(
      found.findings.length === 0
        ? paint('green', `Sound: ${formatBytes(found.bytes)} read, and every checksum matches.\n`)
        : 'Damaged: see the findings above. Nothing was changed.\n',
    );
  },
});

const leave = command({
  command: 'leave',
  describe: 'Make an ordinary data folder from the database of a cluster',
  options: {
    ...databaseOptions,
    into: { type: 'string', demandOption: true, describe: 'The folder to create: new, or empty', coerce: textFor('into') },
    ...jsonOption,
  },
  examples: [
    ['cluster leave --cluster postgres://maps@db1,db2/maps --into data/store', 'return to one machine: stop all nodes first'],
  ],
  notes:
    'It verifies everything that it reads, and changes nothing in the database. It works while nodes run: what they write later is not in the folder.',
  async handler({ cluster, durability, into, json }) {
    const left = await withProgress('Reading the cluster', () =>
      withConnection(cluster, durability, (connection) => leaveCluster(connection, into, quietLog())),
    );
    const { folder, lsn, lineage, snapshotLsn, accounts, projects, members, running } = left;
    if (json) return printJson({ folder, lsn, lineage, snapshot_lsn: snapshotLsn, accounts, projects, members, running });
    const counts = [plural(accounts, 'account'), plural(projects, 'project'), plural(members, 'member')];
    process.stdout.write(
      `Made ${folder} up to record ${lsn}: ${counts[0]}, ${counts[1]} with ${counts[2]}. Every chain was verified.\n`,
    );
    if (running.length > 0)
      process.stdout.write(
        `Nodes still run: ${running.join(', ')}. What they write after record ${lsn} is not in the folder. To move, stop them and repeat this into another folder.\n`,
      );
    process.stdout.write(`To serve the folder: npx mapwright serve --data ${shellWord(folder)}\n`);
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

const release = command({
  command: 'release',
  describe: 'Ask the owner to hand over to another node, and wait for that',
  options: { ...databaseOptions, ...jsonOption },
  examples: [['cluster release --cluster postgres://maps@db1,db2/maps', 'before maintenance of the machine that owns the data']],
  notes: 'Requests wait for the next owner meanwhile. The former owner follows from then on.',
  async handler({ cluster, durability, json }) {
    const released = await withProgress('Waiting for the next owner', () =>
      withConnection(cluster, durability, (connection) => releaseCluster(connection)),
    );
    if (json) return printJson(released);
    process.stdout.write(`${released.to} owns the data now. ${released.from} follows.\n`);
  },
});

const fork = command({
  command: 'fork',
  describe: 'After the database lost acknowledged records: go on with what is left',
  options: {
    ...databaseOptions,
    yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' },
    ...jsonOption,
  },
  examples: [
    ['cluster fork --cluster postgres://maps@db1,db2/maps', 'shows what is lost, and asks for confirmation'],
    ['cluster fork --cluster postgres://maps@db1,db2/maps --yes', 'without confirmation, for scripts'],
  ],
  notes:
    'It begins a new history: entity tags and positions in the change feed from before are not valid any more. The node that found the loss keeps the lost records in a folder set-aside-... of its data folder.',
  async handler({ cluster, durability, yes, json }) {
    await withConnection(cluster, durability, async (connection) => {
      const reason = await haltReason(connection);
      if (!yes) await confirmFork(reason);
      const forked = await forkCluster(connection, reason);
      if (json) return printJson({ ...forked, halted: reason });
      process.stdout.write(
        `The cluster goes on after record ${forked.lsn}, with a new history. A node takes over within moments.\n`,
      );
    });
  },
});

const forkWord = 'fork';

/** Asks for confirmation. Throws a {@link UsageError} without a terminal. */
async function confirmFork(reason: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(
      `${reason}\nA fork gives up the lost records. To confirm without a terminal: npx mapwright cluster fork --cluster URL --yes`,
    );
  const typed = await promptLine(`${reason}\nA fork gives up the lost records. Type "${forkWord}" to continue: `);
  if (typed !== forkWord) throw new OperationError('Not confirmed. Nothing was changed.');
}

export const clusterCommand = commandGroup({
  command: 'cluster',
  describe: 'Create, show and operate a cluster of several machines on a PostgreSQL database',
  commands: [init, status, verify, release, fork, leave],
});

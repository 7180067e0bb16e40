/** `mapwright cluster`: creates a cluster in a database, shows its nodes, and operates it. */

import { checkSettings } from '../../cluster/database/check-settings.ts';
import { createCluster, emptyShard } from '../../cluster/database/create-cluster.ts';
import { Connection } from '../../cluster/database/database-connection.ts';
import { ClusterSettingsError } from '../../cluster/database/database-errors.ts';
import { parseDatabaseUrl } from '../../cluster/database/database-url.ts';
import { readStatus } from '../../cluster/database/read-status.ts';
import { type Durability, shardsMax } from '../../cluster/database/tables.ts';
import { verifyCluster } from '../../cluster/log/verify-cluster.ts';
import { leaveCluster } from '../../cluster/node/leave-cluster.ts';
import { moveIntoCluster } from '../../cluster/node/move-into-cluster.ts';
import { forkShard, type HaltedShard, haltedShards, releaseCluster, upgradeCluster } from '../../cluster/node/operate-cluster.ts';
import { OperationError } from '../../lib/errors.ts';
import { schemaVersion } from '../../model/schema-version.ts';
import { command, commandGroup } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { integerFrom, jsonOption, shardOption, textFor, UsageError } from '../option-parsing.ts';
import { painter } from '../output/colour.ts';
import { quietLog } from '../output/command-log.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { formatBytes, plural, shellWord } from '../output/format-values.ts';
import { lostAsJson, lostLines } from '../output/lost-files.ts';
import { withProgress } from '../output/progress.ts';
import { promptLine } from '../output/question.ts';
import { withRepairHint } from '../output/repair-hint.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';

const databaseOptions = {
  cluster: {
    type: 'string',
    demandOption: true,
    describe: 'URL of the database, with all its hosts: postgres://maps@db1,db2/maps. The password: PGPASSWORD, or ~/.pgpass',
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
    shards: {
      type: 'number',
      default: 1,
      describe: `Number of shards, 1 to ${shardsMax}: as many nodes answer at the same time. It cannot be changed later`,
      coerce: integerFrom(1, shardsMax, 'shards'),
    },
    ...jsonOption,
  },
  examples: [
    ['cluster init --cluster postgres://maps@db1,db2/maps', 'once; then start the nodes'],
    ['cluster init --cluster postgres://maps@db1,db2/maps --shards 2', 'two owners; start three nodes'],
    ['cluster init --cluster postgres://maps@db1,db2/maps --from data/store', 'move the data of one machine into a cluster'],
  ],
  notes:
    'With --from, keys, accounts, ids, entity tags and positions in the change feed stay valid. If it is interrupted, run it again: it completes the move, or says that it is complete.',
  async handler({ cluster, durability, from, shards, json }) {
    await withConnection(cluster, durability, async (connection) => {
      const url = parseDatabaseUrl(cluster);
      if (from !== undefined) {
        const moved = await withProgress('Moving the data', () =>
          withRepairHint(from, moveIntoCluster(from, { connection, url, shards, log: quietLog() })),
        );
        const { lineage, lsn, bytes, folder, lostBlobs } = moved;
        if (lostBlobs.length > 0) process.exitCode = exitCodes.damaged;
        if (json) return printJson({ shards, lineage, lsn, bytes, from: folder, lost_files: lostBlobs.map(lostAsJson) });
        process.stdout.write(
          `Moved the data of ${folder} into the cluster ${url.text}, up to record ${lsn}. The folder stays as it is, and no server starts on it any more.\n`,
        );
        for (const line of lostLines(lostBlobs, lostRemedy)) process.stdout.write(`${line}\n`);
        process.stdout.write(startNodes);
        return;
      }
      const { hasStandby } = await checkSettings(connection);
      const starts = Array.from({ length: shards }, emptyShard);
      await createCluster(connection, { shards: starts, schemaWritten: schemaVersion });
      const lineages = starts.map(({ lineage }) => lineage);
      if (json) return printJson({ shards, lineage: lineages[0], lineages, has_standby: hasStandby });
      const several = shards === 1 ? '' : ` with ${shards} shards, which need ${shards + 1} nodes`;
      process.stdout.write(`Created a cluster in ${url.text}${several}.\n${startNodes}`);
      if (!hasStandby) process.stdout.write('No synchronous standby is connected now: writes will wait until one is.\n');
    });
  },
});

const lostRemedy = 'Everything else is complete. Upload these pictures again.';

const startNodes =
  'Start a node on each machine:\n\n  npx mapwright serve --cluster URL --advertise http://THIS-MACHINE:8070 --host 0.0.0.0\n\n';

const verify = command({
  command: 'verify',
  describe: 'Check every byte of the log, the snapshots and the files in the database',
  options: { ...databaseOptions, ...jsonOption },
  examples: [
    ['cluster verify --cluster postgres://maps@db1,db2/maps', 'chain, record numbers, large records, snapshots, uploaded files'],
  ],
  notes:
    'It changes nothing, and works while nodes run. It needs room for a snapshot in the folder for temporary files (TMPDIR). Exit code 3 if there is damage.',
  async handler({ cluster, durability, json }) {
    const found = await withProgress('Verifying', () => withConnection(cluster, durability, verifyCluster));
    if (found.findings.length > 0) process.exitCode = exitCodes.damaged;
    if (json) return printJson(found);
    const paint = painter();
    for (const { shard, from_lsn, lsn, rows, snapshots, blobs, halted } of found.shards) {
      const log = from_lsn > lsn ? `no records after ${lsn}` : `records ${from_lsn} to ${lsn}`;
      const kept = snapshots.length === 0 ? 'no snapshot' : `${plural(snapshots.length, 'snapshot')} (${snapshots.join(', ')})`;
      process.stdout.write(
        `Shard ${shard}: ${log} in ${plural(rows, 'row')}, ${kept}, ${plural(blobs, 'blob')}.${halted === '' ? '' : ` Halted: ${halted}`}\n`,
      );
    }
    for (const { shard, where, lsn, problem } of found.findings)
      process.stdout.write(
        paint('red', `  shard ${shard}, ${where}${where === 'files' ? '' : ` of record ${lsn}`}: ${problem}\n`),
      );
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
    ...shardOption,
    ...jsonOption,
  },
  examples: [
    ['cluster leave --cluster postgres://maps@db1,db2/maps --into data/store', 'return to one machine: stop all nodes first'],
  ],
  notes:
    'It verifies everything that it reads, and changes nothing in the database. It works while nodes run: what they write later is not in the folder.',
  async handler({ cluster, durability, into, shard, json }) {
    const left = await withProgress('Reading the cluster', () =>
      withConnection(cluster, durability, (connection) => leaveCluster(connection, into, quietLog(), shard)),
    );
    const { folder, lsn, lineage, snapshotLsn, accounts, projects, members, running, lostBlobs } = left;
    if (lostBlobs.length > 0) process.exitCode = exitCodes.damaged;
    const lost_files = lostBlobs.map(lostAsJson);
    if (json)
      return printJson({ folder, lsn, lineage, snapshot_lsn: snapshotLsn, accounts, projects, members, running, lost_files });
    const counts = [plural(accounts, 'account'), plural(projects, 'project'), plural(members, 'member')];
    process.stdout.write(
      `Made ${folder} up to record ${lsn}: ${counts[0]}, ${counts[1]} with ${counts[2]}. Every chain was verified.\n`,
    );
    for (const line of lostLines(lostBlobs, lostRemedy)) process.stdout.write(`${line}\n`);
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
    const { nodes, shards, database, ...others } = await withConnection(cluster, durability, async (connection) => ({
      ...(await readStatus(connection)),
      database: await problemOf(connection),
    }));
    if (json) return printJson({ ...others, shards, nodes, database });
    if (database !== '') process.stdout.write(painter()('yellow', `${database}\n`));
    for (const { shard, lsn, epoch, owner, halted } of shards) {
      const where = owner === null ? 'no node owns it' : `owned by ${owner}`;
      process.stdout.write(
        `Shard ${shard}: record ${lsn}, epoch ${epoch}, ${where}.${halted === '' ? '' : ` Halted: ${halted}`}\n`,
      );
    }
    if (nodes.length === 0) return void process.stdout.write('No node was seen in the last day.\n');
    await printTable(
      ['NODE', 'ROLE', 'RECORD', 'VERSION', 'SEEN'],
      nodes.map(({ address, role, shard, lsns, version, seen_s }) => {
        const owned = shard === null || shards.length === 1 ? role : `${role} of ${shard}`;
        const records = Object.entries(lsns).map(([of, lsn]) => (shards.length === 1 ? `${lsn}` : `${of}: ${lsn}`));
        return [address, owned, records.join('\n'), version, `${seen_s} s ago`];
      }),
    );
  },
});

/** Why the database acknowledges no writes now; empty if it does. */
async function problemOf(connection: Connection): Promise<string> {
  try {
    const { hasStandby } = await checkSettings(connection);
    return hasStandby
      ? ''
      : 'No synchronous standby is connected. Until one is, writes wait, and nodes that run show as silent. Start the standby.';
  } catch (error) {
    if (error instanceof ClusterSettingsError) return error.message;
    throw error;
  }
}

const release = command({
  command: 'release',
  describe: 'Ask the owner to hand over to another node, and wait for that',
  options: { ...databaseOptions, ...shardOption, ...jsonOption },
  examples: [['cluster release --cluster postgres://maps@db1,db2/maps', 'before maintenance of the machine that owns the data']],
  notes: 'Requests wait for the next owner meanwhile. The former owner follows from then on.',
  async handler({ cluster, durability, shard, json }) {
    const released = await withProgress('Waiting for the next owner', () =>
      withConnection(cluster, durability, (connection) => releaseCluster(connection, { shard })),
    );
    if (json) return printJson(released);
    const what = shard === undefined ? 'the data' : `shard ${shard}`;
    process.stdout.write(`${released.to} owns ${what} now. ${released.from} follows.\n`);
  },
});

const fork = command({
  command: 'fork',
  describe: 'After the database lost acknowledged records: go on with what is left',
  options: {
    ...databaseOptions,
    yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' },
    shard: { ...shardOption.shard, describe: 'Number of the shard; without it, all shards that are halted' },
    ...jsonOption,
  },
  examples: [
    ['cluster fork --cluster postgres://maps@db1,db2/maps', 'shows what is lost, and asks for confirmation'],
    ['cluster fork --cluster postgres://maps@db1,db2/maps --yes', 'without confirmation, for scripts'],
  ],
  notes:
    'It begins a new history: entity tags and positions in the change feed from before are not valid any more. The node that found the loss keeps the lost records in a folder set-aside-... of its data folder.',
  async handler({ cluster, durability, yes, shard, json }) {
    await withConnection(cluster, durability, async (connection) => {
      const halted = await haltedShards(connection, shard);
      if (!yes) await confirmFork(halted);
      const forks: object[] = [];
      for (const each of halted) {
        const forked = await forkShard(connection, each);
        forks.push({ ...forked, halted: each.reason });
        if (!json)
          process.stdout.write(
            `${nameOf(each)} goes on after record ${forked.lsn}, with a new history. A node takes over within moments.\n`,
          );
      }
      if (json) printJson({ ...forks[0], forks });
    });
  },
});

const upgrade = command({
  command: 'upgrade',
  describe: 'After an update of all nodes: let them write what older versions cannot read',
  options: { ...databaseOptions, ...jsonOption },
  examples: [['cluster upgrade --cluster postgres://maps@db1,db2/maps', 'once, when every node runs the new version']],
  notes: 'It refuses while an older node runs. Afterwards older versions do not start in this cluster.',
  async handler({ cluster, durability, json }) {
    const upgraded = await withConnection(cluster, durability, upgradeCluster);
    if (json) return printJson(upgraded);
    const { from, to } = upgraded;
    process.stdout.write(
      from === to
        ? `Nothing to do: the nodes may write records of version ${to} already.\n`
        : `The nodes may write records of version ${to} now; before it was ${from}.\n`,
    );
  },
});

const forkWord = 'fork';

const nameOf = ({ shard, shards }: HaltedShard): string => (shards === 1 ? 'The cluster' : `Shard ${shard}`);

/** Asks for confirmation. Throws a {@link UsageError} without a terminal. */
async function confirmFork(halted: readonly HaltedShard[]): Promise<void> {
  const reason = halted.map((each) => (halted.length === 1 ? each.reason : `Shard ${each.shard}: ${each.reason}`)).join('\n');
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(
      `${reason}\nA fork gives up the lost records. To confirm without a terminal: npx mapwright cluster fork --cluster URL --yes`,
    );
  const typed = await promptLine(`${reason}\nA fork gives up the lost records. Type "${forkWord}" to continue: `);
  if (typed !== forkWord) throw new OperationError('Not confirmed. Nothing was changed.');
}

export const clusterCommand = commandGroup({
  ...commandOutlines.cluster,
  commands: [init, status, verify, release, upgrade, fork, leave],
});

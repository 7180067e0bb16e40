/**
 * Kills the primary of a pair that Patroni manages, under load: `npm run test:cluster-patroni`.
 *
 *     --kills N  as many; 3 by default
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Connection } from '../../../src/cluster/database/database-connection.ts';
import { parseDatabaseUrl } from '../../../src/cluster/database/database-url.ts';
import { initClusterAt, Writers } from '../support/cluster.ts';
import { type ClusterNode, startNodes } from '../support/nodes.ts';
import { startPatroni } from '../support/patroni.ts';

const { values: flags } = parseArgs({ options: { kills: { type: 'string', default: '3' } } });

const teardowns: (() => unknown)[] = [];
const t = { teardown: (work: () => unknown) => void teardowns.push(work) };
try {
  const pair = await startPatroni(t);
  await initClusterAt(pair.urls);
  const nodes = await startNodes(t, { cluster: pair.urls, count: 3 });
  const [first] = nodes as [ClusterNode, ...ClusterNode[]];
  const key = await first.firstKey();
  for (const node of nodes) await node.answers('/readyz', 200);
  const writers = new Writers({ nodes, key }, 6);
  await writers.more(30);
  for (let kill = 1; kill <= Number(flags.kills); kill++) {
    const former = await pair.primary();
    await former.kill();
    const killedMs = performance.now();
    await pair.primary();
    const promotedMs = performance.now();
    former.start();
    await pair.synchronized();
    const synchronizedMs = performance.now();
    await writers.more(30);
    const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
    console.log(
      `primary ${former.name} killed: promoted after ${seconds(killedMs, promotedMs)}, a standby again after ${seconds(promotedMs, synchronizedMs)}, 30 writes after ${seconds(synchronizedMs, performance.now())}`,
    );
    await sleep(1_000);
  }
  await writers.stop();
  const problems: string[] = [];
  for (const node of nodes) problems.push(...(await writers.compare(node)));
  const connection = await Connection.open(parseDatabaseUrl(pair.urls), 'test', 'standby');
  const [row] = await connection.query<{ names: string }>("SELECT current_setting('synchronous_standby_names') AS names");
  connection.close();
  const { acknowledged, unanswered } = writers;
  console.log(
    `${flags.kills} kills (synchronous_standby_names = '${row?.names}'): ${acknowledged.length} acknowledged, ${unanswered.length} without an answer, ${problems.length} problems`,
  );
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}
for (const work of teardowns.reverse()) await work();
process.exit();

// tier: all, process: own
/** The ways to execute a command in a cluster: at the owner, in its process, and through another node that forwards to it. */
import path from 'node:path';
import t from 'tap';
import { execution, inProcess, limits, overHttp } from '../api/execution.ts';
import { temporaryFolder } from '../support/process.ts';
import { newCluster, startNode } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

t.setTimeout(600_000);

/** A lease that does not end while this process, which has all the nodes, waits for the disk of the test. */
const options = { leaseMs: 60_000, versions: false, compression: false, limits };
let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

execution(t, async (t) => {
  const folder = temporaryFolder(t);
  const database = await newCluster(t, pair);
  const a = await startNode(t, database.text, path.join(folder, 'a'), options);
  const server = await a.owned();
  const { key } = await server.createKey('ann');
  const b = await startNode(t, database.text, path.join(folder, 'b'), options);
  return { server, ways: [overHttp('owner', a.url, key), inProcess(server), overHttp('forwarded', b.url, key)] };
});

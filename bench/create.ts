/**
 * Creating objects over HTTP, durably: how much many clients gain by sharing syncs, and whether it matters that they all write to one
 * project.
 *
 *     npm run bench              every comparison, five rounds
 *     npm run bench -- 3 2       three rounds of two seconds each
 *
 * The two sides of a comparison are measured in turn, A B A B ..., and the medians are compared: the machine's speed drifts, ratios hold.
 */
import autocannon from 'autocannon';
import { type BenchServer, startServer } from './server.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);
const connections = 64;

const object = { type: 'spot', name: 'A place', x: 120.5, y: 64.25, color: '#ff8800' };

interface Side {
  readonly name: string;
  readonly server: BenchServer;
  /** Addresses to create objects at; connection n uses number n modulo their count. */
  readonly routes: readonly string[];
  readonly connections: number;
}

const always = await startServer();
const never = await startServer(['--sync', 'never']);
try {
  const many = await makeProjects(always, connections);
  const manyUnsynced = await makeProjects(never, connections);
  const [first] = many;
  if (first === undefined) throw new Error('no project was made');
  const side = (name: string, server: BenchServer, routes: readonly string[], count = connections): Side => ({
    name,
    server,
    routes,
    connections: count,
  });
  await compare(side('64 connections, one project', always, [first]), side('64 connections, 64 projects', always, many));
  await compare(side('64 connections, durable', always, many), side('64 connections, --sync never', never, manyUnsynced));
  await compare(side('16 connections, durable', always, many, 16), side('16 connections, --sync never', never, manyUnsynced, 16));
} finally {
  await always.stop();
  await never.stop();
}

async function makeProjects(server: BenchServer, count: number): Promise<string[]> {
  const routes: string[] = [];
  for (let i = 0; i < count; i++) {
    const project = await server.call('POST', '/projects', { artboards: [{}] });
    const [artboard] = project['artboards'] as { id: string }[];
    routes.push(`/projects/${project.id}/artboards/${artboard?.id}/objects`);
  }
  return routes;
}

async function compare(a: Side, b: Side): Promise<void> {
  await measure(a, 1);
  await measure(b, 1);
  const rates: { a: number[]; b: number[] } = { a: [], b: [] };
  for (let round = 0; round < rounds; round++) {
    rates.a.push(await measure(a, seconds));
    rates.b.push(await measure(b, seconds));
  }
  const [rateA, rateB] = [median(rates.a), median(rates.b)];
  console.log(`${a.name}: ${Math.round(rateA)}/s;  ${b.name}: ${Math.round(rateB)}/s;  ratio ${(rateA / rateB).toFixed(2)}`);
}

async function measure({ server, routes, connections: count }: Side, duration: number): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url: server.url,
    connections: count,
    duration,
    setupClient(client) {
      const route = routes[next++ % routes.length] as string;
      client.setRequests([
        {
          method: 'POST',
          path: `/api/v1${route}`,
          headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(object),
        },
      ]);
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    console.log(`  (${result.non2xx} answers were no success, ${result.errors} connections failed)`);
  return result['2xx'] / result.duration;
}

function median(values: number[]): number {
  return values.sort((x, y) => x - y)[values.length >> 1] ?? 0;
}

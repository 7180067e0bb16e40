// tier: all, process: first
/** Benches of requests with a tiny load: each checks responses and has its rows; the figures mean nothing. The seed chooses. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { benchesOfChanging } from '../../bench/http/change.ts';
import { checkAlike, checkReads } from '../../bench/http/check.ts';
import { Creates } from '../../bench/http/creates.ts';
import { besideEvaluations } from '../../bench/http/evaluate.ts';
import { pictures } from '../../bench/http/files.ts';
import { inProcess } from '../../bench/http/in-process.ts';
import { liveMap } from '../../bench/http/live-map.ts';
import { publishedMaps } from '../../bench/http/published.ts';
import { benchesOfReading } from '../../bench/http/read.ts';
import { equalStarts } from '../../bench/http/starts.ts';
import { whileVersions } from '../../bench/http/versions.ts';
import { visits } from '../../bench/http/visits.ts';
import { benchesOfCreating } from '../../bench/http/write.ts';
import { installed } from '../../bench/lib/child.ts';
import { autocannonLoad } from '../../bench/load/autocannon.ts';
import { wrkLoad } from '../../bench/load/wrk.ts';
import type { Context } from '../../bench/row.ts';
import { startOurs } from '../../bench/servers/ours.ts';
import { peersInstalled } from '../../bench/servers/peers.ts';
import { sampled } from '../support/tier.ts';

/** What is compiled beside this test. */
const program = fileURLToPath(new URL('../..', import.meta.url));
const context: Context = { program, rounds: 1, seconds: 0.01, minutes: 0.01, tiny: true, alone: false, say: () => undefined };

/** By name: how many rows it gives, how many of them are held against another side, and how many rows there are of ours alone. */
const expected: Readonly<Record<string, readonly [rows: number, compared: number, alone: number]>> = {
  'get-one': [1, 1, 1],
  'get-one-sqlite': [1, 1, 0],
  'list-100': [1, 1, 1],
  'list-100-sqlite': [1, 1, 0],
  'list-3000': [1, 1, 1],
  'list-3000-sqlite': [1, 1, 0],
  'get-project': [1, 1, 1],
  'published-page': [1, 1, 1],
  'published-pointer': [1, 1, 1],
  'published-document': [1, 1, 1],
  'in-process': [1, 1, 1],
  'live-map': [4, 0, 4],
  visits: [6, 4, 6],
  evaluate: [2, 0, 2],
  versions: [2, 2, 2],
  pictures: [2, 2, 2],
  starts: [1, 1, 0],
  'create-sqlite': [1, 1, 1],
  'create-cores': [1, 1, 1],
  'create-1-sqlite': [1, 1, 1],
  'create-postgres': [1, 1, 0],
  'create-redis': [1, 1, 0],
  'create-floor': [1, 1, 1],
  'create-sync': [3, 3, 3],
  'create-projects': [1, 1, 1],
  patch: [1, 0, 1],
  batch: [1, 0, 1],
  'out-of-order': [1, 1, 1],
  delete: [1, 0, 1],
  mixed: [1, 0, 1],
};
/** Those that need `bench/peers`, which a test does not install. */
const withPeers = /-(sqlite|postgres)$/;

/** Names of the rows of ours alone. */
const namesAlone: string[] = [];

const benches = [
  ...benchesOfReading,
  ...publishedMaps,
  inProcess,
  liveMap,
  visits,
  besideEvaluations,
  whileVersions,
  pictures,
  equalStarts,
  ...benchesOfCreating,
  ...benchesOfChanging,
];
t.same(
  benches.map(({ name }) => name),
  Object.keys(expected),
);

for (const bench of sampled(benches, 1, 5)) {
  const [count, compared, alone] = expected[bench.name] ?? [0, 0, 0];
  t.test(`the bench ${bench.name} has its rows, with and without a comparison`, async (t) => {
    const missing = withPeers.test(bench.name) && !peersInstalled() ? 'bench/peers is not installed' : await bench.missing?.();
    if (missing === undefined) {
      const rows = await bench.run(context);
      t.equal(rows.length, count);
      t.equal(rows.filter(({ ratio, other }) => ratio !== undefined && other !== undefined).length, compared);
      for (const { what, ours, spread, ratio = 0 } of rows) t.ok([ours, spread, ratio].every(Number.isFinite), what);
    } else t.comment(`skipped: ${missing}`);
    // Where processor time is known, each row has a second one.
    const ofOurs = (await bench.run({ ...context, alone: true })).filter(({ what }) => !what.endsWith(': processor time'));
    t.equal(ofOurs.length, alone, 'rows of ours alone');
    namesAlone.push(...ofOurs.map(({ what }) => what));
    t.notOk(ofOurs.some(({ ratio }) => ratio !== undefined));
  });
}

t.test('each row without a comparison belongs to one bench', async (t) => {
  t.same(
    namesAlone.filter((name, i) => namesAlone.indexOf(name) !== i),
    [],
  );
});

t.test('the checks of the benches detect wrong responses', async (t) => {
  const ours = await startOurs(program);
  t.teardown(() => ours.stop());
  const creates = await Creates.begin(ours, 2);
  const { id } = creates.first;
  t.throws(() => checkAlike(creates.first, { ...creates.first, id: 'another', x: 1.25 }), /different objects/);
  t.doesNotThrow(() => checkAlike(creates.first, { ...creates.first, id: 'another' }));
  await t.rejects(checkReads(ours, [{ method: 'GET', path: `/projects/${id}` }], [{}]), /404/);
  await t.rejects(checkReads(ours, [{ method: 'GET', path: '/projects' }], [[]]), /something else than was stored/);
  await creates.measure(0.01);
  await creates.check();
  // A server that acknowledges and stores nothing is found out.
  const liar = http.createServer((req, res) => {
    if (req.method === 'POST') res.end('{}');
    else req.resume().on('end', () => res.end('[]'));
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  t.teardown(() => liar.close());
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
  await t.rejects(Creates.begin({ ...ours, url }, 2));
});

t.test('load generators count their responses and fail at the first error', async (t) => {
  let answers = 0;
  const seen = new Set<string>();
  const server = http.createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      answers++;
      seen.add(`${req.method} ${req.url} ${req.headers.authorization} ${Buffer.concat(parts)}`);
      res.statusCode = req.url === '/api/refused' ? 500 : 200;
      res.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const target = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, key: 'k' };
  const body = '{"name":"a \\"b\\"\\n\u007f Zürich 😀"}';
  const requests = [
    { method: 'GET', path: '/one' },
    { method: 'POST', path: '/two', body },
  ];
  const connections = 4;
  for (const [name, load] of [['wrk', wrkLoad] as const, ['autocannon', autocannonLoad] as const]) {
    if (name === 'wrk' && !installed('wrk')) continue;
    answers = 0;
    seen.clear();
    const loaded = await load({ target, requests, connections, seconds: 1 });
    t.same([...seen].sort(), ['GET /api/one Bearer k ', `POST /api/two Bearer k ${body}`], name);
    t.ok(loaded.answers > 0 && loaded.answers <= answers && answers <= loaded.answers + connections, `${name} counts`);
    t.ok(loaded.perSecond > 0);
    const refused = [{ method: 'GET', path: '/refused' }];
    await t.rejects(load({ target, requests: refused, connections, seconds: 1 }), /no success/, name);
  }
});

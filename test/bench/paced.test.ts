// tier: all, process: own
/** The paced client: schedule, latencies and errors. No timing of this machine is asserted. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { pacedGet, pacedPost } from '../../bench/http/latency.ts';
import { type Latencies, latenciesOf, type PacedLoad, runPaced, schedule } from '../../bench/load/paced-client.ts';
import type { Context } from '../../bench/row.ts';

/** What is compiled beside this test. */
const program = fileURLToPath(new URL('../..', import.meta.url));
const context: Context = { program, rounds: 1, seconds: 0.02, minutes: 0.01, tiny: true, alone: false, say: () => undefined };

const get = (path: string) => ({ method: 'GET', path });

t.test('paced requests are due at a fixed rate, and streams repeat in parallel', async (t) => {
  const due = schedule(
    [
      { requests: [get('/a'), get('/b')], perSecond: 100 },
      { requests: [get('/c')], perSecond: 50 },
    ],
    0.04,
  );
  t.same(due, [
    { atMs: 5, stream: 0, request: 0 },
    { atMs: 10, stream: 1, request: 0 },
    { atMs: 15, stream: 0, request: 1 },
    { atMs: 25, stream: 0, request: 0 },
    { atMs: 30, stream: 1, request: 0 },
    { atMs: 35, stream: 0, request: 1 },
  ]);
  t.equal(schedule([{ requests: [get('/a')], perSecond: 10 }], 0.001).length, 1, 'never none');
});

t.test('percentiles are measured latencies, by nearest rank', async (t) => {
  const thousand = Float64Array.from({ length: 1000 }, (_, i) => 1000 - i);
  t.same(latenciesOf(thousand), { p50: 500, p99: 990, p999: 999, max: 1000 });
  t.same(latenciesOf(Float64Array.of(7)), { p50: 7, p99: 7, p999: 7, max: 7 });
  t.throws(() => latenciesOf(new Float64Array()), { message: 'nothing was measured' });
});

/** A server, and a load for it: 20 requests, 100 a second. */
async function served(t: Test, answer: http.RequestListener): Promise<PacedLoad> {
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const streams = [{ requests: [get('/a'), get('/b')], perSecond: 100 }];
  return { target: { url, key: 'mw_key' }, streams, connections: 2, seconds: 0.2, leadSeconds: 0 };
}

t.test('a paced load sends every request once, with the key', async (t) => {
  const asked: string[] = [];
  const load = await served(t, (req, res) => {
    asked.push(`${req.url} ${req.headers.authorization}`);
    res.end('{}');
  });
  const { streams, late } = await runPaced(load);
  t.same(
    asked.sort(),
    ['/api/a', '/api/b'].flatMap((path) => Array.from({ length: 10 }, () => `${path} Bearer mw_key`)),
  );
  t.equal(streams[0]?.sent, 20);
  for (const { p50, p99, p999, max } of [...streams, late] as Latencies[])
    t.ok(0 <= p50 && p50 <= p99 && p99 <= p999 && p999 <= max);
});

t.test('a latency includes the time of the server and the wait for a free connection', async (t) => {
  const delayMs = 40;
  const load = await served(t, (_, res) => void setTimeout(delayMs).then(() => res.end('{}')));
  const slow = (await runPaced(load)).streams[0] as Latencies;
  t.ok(slow.p50 > delayMs / 2, 'a timer is never early by half');
  // Twenty requests in 200 ms on one connection that carries one in 40: the last one waits behind all the others.
  const queued = (await runPaced({ ...load, connections: 1 })).streams[0] as Latencies;
  t.ok(queued.max > 8 * delayMs, `${queued.max}`);
});

t.test('requests of the warm-up are sent and not counted', async (t) => {
  let asked = 0;
  const load = await served(t, (_, res) => {
    asked++;
    res.end('{}');
  });
  t.equal((await runPaced({ ...load, seconds: 0.1, leadSeconds: 0.1 })).streams[0]?.sent, 20);
  t.equal(asked, 20);
  await t.rejects(runPaced({ ...load, seconds: 0, leadSeconds: 0.1 }), { message: 'nothing was measured' });
  t.equal(asked, 30);
});

t.test('a paced load fails at the first error or broken connection', async (t) => {
  const refusing = await served(t, (_, res) => {
    res.writeHead(404, { 'content-length': 4 });
    res.end('none');
  });
  await t.rejects(runPaced(refusing), { message: 'an answer was 404: none' });
  const breaking = await served(t, (req) => void req.socket.destroy());
  await t.rejects(runPaced(breaking));
});

for (const { bench, goal } of [
  { bench: pacedGet, goal: 1.5 },
  { bench: pacedPost, goal: 2 },
]) {
  t.test(`the bench ${bench.name} has its rows with a tiny load`, async (t) => {
    const rows = await bench.run(context);
    t.same(
      rows.map(({ unit, other, goal: ofRow }) => [unit, other?.name, ofRow]),
      [undefined, { atMost: goal }, undefined].map((one) => ['ms', 'idle', one]),
    );
    for (const { what, ours, ratio, spread } of rows) t.ok([ours, ratio, spread].every(Number.isFinite), what);
    t.match(rows[1]?.note, /[1-9]\d* snapshots of/);
    const alone = await bench.run({ ...context, alone: true });
    t.equal(new Set(alone.map(({ what }) => what)).size, 6);
    t.ok(alone.every(({ other }) => other === undefined));
  });
}

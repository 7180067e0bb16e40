// tier: all, process: first
/** Benches of scale with a tiny load: each checks responses and has its rows; the figures mean nothing. The seed chooses. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { AnswerReader } from '../../bench/lib/answers.ts';
import type { Context } from '../../bench/row.ts';
import { benchesOfScale } from '../../bench/scale/benches.ts';
import { drawSoak } from '../../bench/scale/soak-picture.ts';
import { volley } from '../../bench/scale/volley.ts';
import { startOurs } from '../../bench/servers/ours.ts';
import { sampled } from '../support/tier.ts';

/** What is compiled beside this test. */
const program = fileURLToPath(new URL('../..', import.meta.url));
const context: Context = { program, rounds: 1, seconds: 0.01, minutes: 0.01, tiny: true, alone: false, say: () => undefined };

/** By name: how many rows it gives, and how many of them are held against another side. */
const expected: Readonly<Record<string, readonly [rows: number, compared: number]>> = {
  bulk: [4, 0],
  commands: [2, 0],
  restart: [9, 2],
  memory: [3, 0],
  snapshot: [5, 2],
  'growth-store': [4, 4],
  'growth-collection': [5, 5],
  'growth-account': [1, 1],
  pauses: [2, 0],
  evaluation: [3, 0],
  imports: [4, 0],
  'many-pictures': [4, 1],
  soak: [4, 0],
};

t.same(benchesOfScale.map(({ name }) => name).sort(), Object.keys(expected).sort());

for (const bench of sampled(benchesOfScale, 1, 3)) {
  const [count, compared] = expected[bench.name] ?? [0, 0];
  t.test(`the bench ${bench.name} has its rows`, async (t) => {
    const rows = await bench.run(context);
    t.equal(rows.length, count);
    t.equal(new Set(rows.map(({ what }) => what)).size, count, 'each row has a name of its own');
    t.equal(rows.filter(({ ratio, other }) => ratio !== undefined && other !== undefined).length, compared);
    for (const { what, ours, spread, ratio = 0 } of rows) t.ok([ours, spread, ratio].every(Number.isFinite), what);
  });
}

t.test('a volley of requests fails at the first error', async (t) => {
  const server = await startOurs(program);
  t.teardown(() => server.stop());
  const missing = { method: 'GET', path: '/projects/nothing' };
  await t.rejects(volley(server, [missing]), { message: /^GET \/projects\/nothing: 404 / });
  await t.rejects(volley({ ...server, url: 'http://127.0.0.1:1/api/v1' }, [missing]), { code: 'ECONNREFUSED' });
});

t.test('responses are parsed completely, wherever they are split', async (t) => {
  const known = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst';
  const chunked = 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nsecond\r\n3\r\n!\r\n\r\n0\r\n\r\n';
  const empty = 'HTTP/1.1 204 No Content\r\n\r\n';
  const text = known + chunked + empty;
  for (let torn = 0; torn <= text.length; torn++) {
    const reader = new AnswerReader();
    const found: string[] = [];
    for (const part of [text.slice(0, torn), text.slice(torn)]) {
      reader.push(Buffer.from(part));
      for (let answer = reader.take(); answer !== undefined; answer = reader.take())
        found.push(`${answer.status} ${answer.body.toString()}`);
    }
    t.same(found, ['200 first', '201 second!\r\n', '204 '], `torn at ${torn}`);
  }
  const endless = new AnswerReader();
  endless.push(Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'));
  t.throws(() => endless.take(), /unknown length/);
});

t.test('the picture of a soak has all curves at its own scale', async (t) => {
  const sample = { rssMb: 100, heapMb: 50, externalMb: 10, delayP99Ms: 1, delayMaxMs: 5, pauseMaxMs: 2, rate: 1000 };
  const picture = drawSoak(
    [
      { minute: 0.5, ...sample },
      { minute: 1, ...sample, rssMb: 150 },
    ],
    'a test',
  );
  t.equal(picture.match(/<polyline/g)?.length, 5);
  t.match(picture, '>200</text>', 'the next round number above what there is');
  t.notMatch(picture, /NaN|undefined/);
});

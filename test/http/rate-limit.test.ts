/** Rate limits over HTTP, with a clock that the test controls: which requests are 429, and the RateLimit headers. */
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Allowance, takeFrom } from '../../src/http/guard/rate-limit.ts';
import type { ServerOptions } from '../../src/index.ts';
import fc from '../support/fast-check.ts';
import { type Answer, type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { sized } from '../support/tier.ts';
import { askOf, rawOf } from './harness.ts';

const start = Date.UTC(2030, 0, 1);

/** A server whose clock stands until the test moves it. */
async function timed(t: Test, options: Partial<ServerOptions> = {}, startServer = startForRequests) {
  const time = { now: start };
  return { time, mapwright: await startServer(t, { clock: () => time.now, ...options }) };
}

const fields = ({ headers }: { headers: IncomingHttpHeaders }) => [headers['ratelimit-policy'], headers['ratelimit']];
const statusOf = async (mapwright: Mapwright, key = mapwright.key) => (await mapwright.get('/projects', { key })).status;

t.test('an account gets 429 above its rate until a token returns, and the RateLimit headers show both', async (t) => {
  const { mapwright, time } = await timed(t, { rateLimit: '4/s' });
  const answers: Answer[] = [];
  for (let i = 0; i < 5; i++) answers.push(await mapwright.get('/projects'));
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 429],
  );
  t.strictSame(
    answers.map((answer) => fields(answer).join(' | ')),
    ['3', '2', '1', '0', '0'].map((left) => `"account";q=4;w=1 | "account";r=${left};t=1`),
  );
  const refused = answers[4] as Answer;
  t.match(refused.problem, {
    code: 'too_many_requests',
    status: 429,
    detail: 'Rate limit exceeded: your account may make 4 requests per second. Nothing was done. Retry after 1 s.',
  });
  t.strictSame([refused.headers['retry-after'], refused.headers['cache-control']], ['1', 'no-store']);
  time.now += 249;
  t.equal(await statusOf(mapwright), 429);
  time.now += 1;
  t.equal(await statusOf(mapwright), 200, 'a refusal has taken nothing, so one has come back');
  t.equal(await statusOf(mapwright), 429, 'and no more than one');
  time.now += 1000;
  t.match(
    fields(await mapwright.get('/projects')),
    ['"account";q=4;w=1', '"account";r=3;t=1'],
    'whole again, and no more than that',
  );
  time.now += 1_000_000_000;
  t.match(fields(await mapwright.get('/projects')), ['"account";q=4;w=1', '"account";r=3;t=1']);
  const metrics = await mapwright.ask('GET', '/metrics', { key: '' });
  t.match(metrics.text, /reason="rate_limited"[^\n]*\} 3\n/);
});

t.test('every response to a limited account has RateLimit headers, and no other has', async (t) => {
  const { mapwright } = await timed(t, { rateLimit: '100/m' });
  const project = (await mapwright.post('/projects', { name: 'a' })).shown.id;
  const etag = (await mapwright.get(`/projects/${project}`)).headers.etag as string;
  const asked: [number, Promise<Answer>][] = [
    [304, mapwright.get(`/projects/${project}`, { headers: { 'if-none-match': etag } })],
    [404, mapwright.get('/projects/none')],
    [405, mapwright.ask('PUT', '/v1/projects')],
    [400, mapwright.post('/projects', '{')],
    [413, mapwright.post('/projects', Buffer.alloc(6 * 1024 * 1024, ' '))],
    [200, mapwright.ask('HEAD', '/v1/projects')],
    [204, mapwright.delete(`/projects/${project}`)],
  ];
  for (const [status, answering] of asked) {
    const answer = await answering;
    t.equal(answer.status, status);
    t.match(fields(answer), ['"account";q=100;w=60', /^"account";r=\d+;t=\d+$/], `${status}`);
  }
  const others = [
    mapwright.get('/projects', { key: '' }),
    mapwright.get('/projects', { key: `${mapwright.key}x` }),
    mapwright.ask('GET', '/nowhere'),
    mapwright.ask('GET', '/healthz'),
  ];
  for (const answer of await Promise.all(others)) t.strictSame(fields(answer), [undefined, undefined], `${answer.status}`);
  const free = (await timed(t)).mapwright;
  t.strictSame(fields(await free.get('/projects')), [undefined, undefined], 'without a limit');
});

t.test('all keys of an account share its limit, and a key may have its own in addition', async (t) => {
  const { mapwright, time } = await timed(t, { rateLimit: '6/m' });
  const slow = (await mapwright.server.createKey('ann', { rate: '2/s' })).key;
  const bob = await mapwright.newKey('bob');
  const first = await mapwright.get('/projects', { key: slow });
  t.strictSame(fields(first), ['"account";q=6;w=60, "key";q=2;w=1', '"account";r=5;t=10, "key";r=1;t=1']);
  t.equal(await statusOf(mapwright, slow), 200);
  const refused = await mapwright.get('/projects', { key: slow });
  t.match(refused.problem.detail, /this API key may make 2 requests per second/);
  t.match(fields(refused)[1], '"account";r=4;', 'what the key may not takes nothing from the account');
  for (let i = 0; i < 4; i++) t.equal(await statusOf(mapwright), 200);
  t.match((await mapwright.get('/projects')).problem.detail, /your account may make 6 requests per minute/);
  time.now += 2000;
  const both = await mapwright.get('/projects', { key: slow });
  t.strictSame([both.status, both.headers['retry-after']], [429, '8'], 'the other key has used up what this one would need');
  t.equal(await statusOf(mapwright, bob), 200, 'another account has its own');
});

t.test('rate limits apply immediately, survive a crash and a snapshot, and can be removed', async (t) => {
  const { mapwright } = await timed(t, {}, startMapwright);
  const [{ id: keyId } = { id: '' }] = await mapwright.server.keys();
  const policy = async () => fields(await mapwright.get('/projects'))[0];
  const bob = await mapwright.newKey('bob');
  t.equal(await policy(), undefined);
  await mapwright.server.setLimits('ann', { rate: '50/s' });
  t.equal(await policy(), '"account";q=50;w=1');
  await mapwright.server.limitKey(keyId, '10/h');
  t.equal(await policy(), '"account";q=50;w=1, "key";q=10;w=3600');
  await mapwright.crash();
  t.equal(await policy(), '"account";q=50;w=1, "key";q=10;w=3600', 'from the log');
  await mapwright.server.snapshot();
  await mapwright.server.renameAccount('ann', 'Ann');
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.equal(await policy(), '"account";q=50;w=1, "key";q=10;w=3600', 'from a snapshot, under another name');
  const rotated = await mapwright.server.rotateKey(keyId, { overlap: '1h' });
  t.match(fields(await mapwright.get('/projects', { key: rotated.key }))[0], '"key";q=10;w=3600', 'a successor inherits it');
  await mapwright.server.limitKey(keyId, 'none');
  await mapwright.server.setLimits('Ann', { rate: 'default' });
  t.equal(await policy(), undefined);
  t.strictSame(fields(await mapwright.get('/projects', { key: bob })), [undefined, undefined], 'bob never had one');
});

t.test('the rates "none" and "default" override and restore the rate limit of the server', async (t) => {
  const { mapwright } = await timed(t, { rateLimit: '2/h' }, startMapwright);
  const policy = async () => fields(await mapwright.get('/projects'))[0];
  await mapwright.server.setLimits('ann', { rate: 'none' });
  for (let i = 0; i < 5; i++) t.equal(await policy(), undefined);
  await mapwright.restart();
  t.equal(await policy(), undefined);
  await mapwright.server.setLimits('ann', { rate: 'default' });
  t.equal(await policy(), '"account";q=2;w=3600');
  const refused = [await mapwright.get('/projects'), await mapwright.get('/projects')][1] as Answer;
  t.equal(refused.headers['retry-after'], '1800');
  await mapwright.server.setLimits('ann', { projects: 3 });
  t.equal(await statusOf(mapwright), 429, 'another limit that is set gives nothing back');
  await mapwright.restart();
  t.equal(await statusOf(mapwright), 200, 'a restart does');
});

t.test('concurrent and pipelined requests never exceed the rate limit', async (t) => {
  const { mapwright } = await timed(t, { rateLimit: '10/m' });
  const statuses = await Promise.all(
    Array.from({ length: 25 }, () => mapwright.post('/projects', { name: 'a' }).then(({ status }) => status)),
  );
  t.equal(statuses.filter((status) => status === 200).length, 10);
  t.equal(statuses.filter((status) => status === 429).length, 15);
  const other = await mapwright.newKey('bob');
  const one = (last: string) => `GET /v1/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${other}\r\n${last}\r\n`;
  const answers = await rawOf(mapwright.port, [one('').repeat(11) + one('Connection: close\r\n')]);
  t.strictSame(
    [...answers.matchAll(/HTTP\/1\.1 (\d+)|r=(\d+);/g)].map(([, status, left]) => status ?? left).join(' '),
    '200 9 200 8 200 7 200 6 200 5 200 4 200 3 200 2 200 1 200 0 429 0 429 0',
  );
});

t.test('a slow body is one request, and the body of a refused request is not read', async (t) => {
  const { mapwright } = await timed(t, { rateLimit: '2/h' });
  const body = JSON.stringify({ name: 'a' });
  const head = `POST /v1/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${mapwright.key}\r\nContent-Type: application/json\r\n`;
  const sent = `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  const answer = await rawOf(mapwright.port, [sent, body.slice(0, 4), body.slice(4)]);
  t.match(answer, /^HTTP\/1\.1 200 [\s\S]*RateLimit: "account";r=1;t=1800\r\n/);
  t.equal(await statusOf(mapwright), 200);
  const refused = await rawOf(mapwright.port, [
    `${head}Content-Length: 1000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
  ]);
  t.match(refused, /^HTTP\/1\.1 429 /, 'nobody was asked to go on');
});

t.test('rate limits apply in a host server', async (t) => {
  const { mapwright } = await timed(t, { rateLimit: '1/h' });
  const server = http.createServer(mapwright.server.handler).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = () => askOf(port, '/v1/projects', { headers: { authorization: `Bearer ${mapwright.key}` } });
  const [first, second] = [await ask(), await ask()];
  t.strictSame([first.status, second.status, second.headers['retry-after']], [200, 429, '3600']);
  t.strictSame([first.headers['ratelimit'], second.headers['ratelimit']], ['"account";r=0;t=3600', '"account";r=0;t=3600']);
});

t.test('an invalid rate is refused and nothing is set', async (t) => {
  const { mapwright } = await timed(t);
  const [{ id } = { id: '' }] = await mapwright.server.keys();
  const wrong = ['', '0/s', '1', '1/d', '-1/s', '1.5/s', '1000001/s', ' 1/s', '1/s ', '1e3/s', '\u0661/s', 'None'];
  for (const rate of wrong) {
    await t.rejects(mapwright.server.setLimits('ann', { rate }), { name: 'OperationError' }, JSON.stringify(rate));
    await t.rejects(mapwright.server.limitKey(id, rate), { name: 'OperationError' });
    await t.rejects(mapwright.server.createKey('ann', { rate }), { name: 'OperationError' });
    await t.rejects(startForRequests(t, { rateLimit: rate }), { name: 'TypeError', message: /"rateLimit"/ });
  }
  await t.rejects(mapwright.server.limitKey(id, 'default'), { name: 'OperationError' }, 'a key has nothing to fall back to');
  await t.rejects(mapwright.server.limitKey('none', '1/s'), { message: /There is no key "none"/ });
  await t.rejects(mapwright.server.setLimits('nobody', { rate: '1/s' }), { message: /There is no account "nobody"/ });
  t.strictSame(fields(await mapwright.get('/projects')), [undefined, undefined]);
});

t.test('a clock that is set back neither adds nor removes tokens', async (t) => {
  const { mapwright, time } = await timed(t, { rateLimit: '2/s' });
  t.strictSame([await statusOf(mapwright), await statusOf(mapwright), await statusOf(mapwright)], [200, 200, 429]);
  time.now -= 3_600_000;
  t.equal(await statusOf(mapwright), 429);
  time.now += 500;
  t.strictSame([await statusOf(mapwright), await statusOf(mapwright)], [200, 429]);
});

t.test('no period has more requests than the tokens at its start plus the returned ones', async (t) => {
  const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.constantFrom(1, 60), steps, (requests, seconds, waits) => {
      const allowance = new Allowance('account', { requests, seconds });
      const taken: number[] = [];
      let now = start;
      for (const wait of waits) {
        now += wait;
        const due = allowance.waitMs(now);
        const refusal = takeFrom([allowance], now);
        if ((refusal === undefined) !== (due === 0)) throw new Error('it does not do what it says');
        if (refusal !== undefined) {
          if (allowance.waitMs(now) !== due) throw new Error('a refusal took something');
          now += due;
          if (takeFrom([allowance], now) !== undefined) throw new Error('its Retry-After is too early');
        }
        taken.push(now);
      }
      taken.forEach((from, i) => {
        for (let j = i; j < taken.length; j++) {
          const most = requests + Math.floor((((taken[j] as number) - from) * requests) / (seconds * 1000));
          if (j - i + 1 > most) throw new Error(`${j - i + 1} from ${from} on, of at most ${most}`);
        }
      });
    }),
    { numRuns: sized({ sample: 75, all: 300 }) },
  );
  t.pass();
});

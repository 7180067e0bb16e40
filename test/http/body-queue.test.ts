/** The queue of large bodies: one at a time for each account, without clients that have left. */
import net from 'node:net';
import t from 'tap';
import { largeBodyBytes } from '../../src/http/request/body.ts';
import { nextSlice, runCooperatively } from '../../src/lib/async/cooperative.ts';
import { MemoryFullError } from '../../src/lib/errors.ts';
import { type ApiRequest, askOf, type Endpoint, type Reply, serve } from './harness.ts';

t.test('one slice of work runs in each turn of the event loop, however many requests wait', async (t) => {
  const ran: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await nextSlice();
      ran.push(name);
    }
  };
  const perTurn: number[] = [];
  const all = Promise.all(['a', 'b', 'c'].map(work));
  let over = false;
  void all.then(() => (over = true));
  while (!over) {
    const before = ran.length;
    await new Promise(setImmediate);
    perTurn.push(ran.length - before);
  }
  t.equal(ran.join(''), 'abcabcabc', 'each in turn');
  t.ok(
    perTurn.every((count) => count <= 1),
    perTurn.join(),
  );
  function* long(): Generator<void, string> {
    const until = performance.now() + 20;
    while (performance.now() < until) yield;
    return 'done';
  }
  t.equal(await runCooperatively(long()), 'done');
});

const large = JSON.stringify({ text: 'x'.repeat(largeBodyBytes) });

t.test('a large body waits for the response to the previous one of its account, and small bodies do not wait', async (t) => {
  const reached: string[] = [];
  let answer: () => void = () => undefined;
  const handle = ({ url, scope }: ApiRequest<string>): Promise<Reply> => {
    reached.push(`${scope} ${url}`);
    return new Promise((resolve) => {
      const before = answer;
      answer = () => {
        before();
        resolve({ kind: 'json', status: 200, json: '{}' });
      };
    });
  };
  const endpoints: Endpoint<string>[] = [1, 2, 3, 4].map((i) => ({
    ...{ method: 'POST', path: `/${i}`, prefixes: [''], acceptsBody: true, handle },
  }));
  const running = await serve(t, endpoints, { authenticate: (token) => token, accountOf: (principal) => principal });
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await new Promise(setImmediate);
  };
  const post = (name: string, path: string, body = large) =>
    askOf(running.port, path, { body, headers: { authorization: `Bearer ${name}` } });
  const first = post('ann', '/1');
  await until(() => reached.length === 1);
  const gone = net.connect(running.port, '127.0.0.1');
  gone.write(`POST /2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann\r\nContent-Length: ${large.length}\r\n\r\n${large}`);
  await until(() => running.listener.stats().bodiesBytes >= 2 * large.length);
  const third = post('ann', '/3');
  await until(() => running.listener.stats().bodiesBytes >= 3 * large.length);
  const small = post('ann', '/4', '{}');
  const other = post('bob', '/1');
  await until(() => reached.length >= 3);
  if (!t.strictSame([...reached].sort(), ['ann /1', 'ann /4', 'bob /1'])) return;
  // A client that only closes its side is still owed its answer.
  gone.resetAndDestroy();
  await until(() => running.listener.inFlight === 4);
  answer();
  await until(() => reached.length === 4);
  t.equal(reached[3], 'ann /3', 'who went away is passed over');
  answer();
  const answers = await Promise.all([first, third, small, other]);
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  await until(() => running.listener.inFlight === 0);
  t.equal(running.listener.stats().bodiesBytes, 0);
  const last = [post('ann', '/1'), post('bob', '/1')];
  await until(() => reached.length === 6);
  answer();
  for (const { status } of await Promise.all(last)) t.equal(status, 200, 'nothing is left of the turns before');
});

t.test('a refused large body lets the next one start, and one above the memory budget is not parsed', async (t) => {
  const handle = (): Reply => ({ kind: 'json', status: 200, json: '{}' });
  const endpoints: Endpoint<string>[] = [{ method: 'POST', path: '/x', prefixes: [''], acceptsBody: true, handle }];
  let room = true;
  const running = await serve(t, endpoints, {
    accountOf: (principal) => principal,
    admitBody: () => {
      if (!room) throw new MemoryFullError('no room');
    },
  });
  const bodies = [`${large}x`, large, `{"a":${large}`, large];
  const statuses = await Promise.all(bodies.map(async (body) => (await running.ask('/x', { body })).status));
  t.strictSame(statuses, [400, 200, 400, 200]);
  room = false;
  const refused = await running.ask('/x', { body: `${large}x` });
  t.match(refused, { status: 507, json: { code: 'insufficient_storage' } }, 'it is not found out that it is no JSON');
  t.equal((await running.ask('/x', { body: '{}' })).status, 200, 'a small one is read');
  t.equal(running.listener.stats().bodiesBytes, 0);
});

/** Signals end what they are for, also where Node's `fetch` has forgotten them: once a `Request` is collected, it no longer follows its signal. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import t, { type Test } from 'tap';
import { type ClientOptions, createClient } from '../../src/client/client.ts';
import { refusalOf } from './support.ts';

v8.setFlagsFromString('--expose-gc');
const collect: () => void = vm.runInNewContext('gc');

/** Several turns, in each of which whatever nobody holds is collected: what is released by that is collected as well. */
async function collected(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A server that answers every request with the beginning of a stream, or not at all. */
async function silent(t: Test, beginning?: string): Promise<{ server: http.Server; baseUrl: string; open: () => number }> {
  let open = 0;
  const server = http.createServer((_, res) => {
    open++;
    res.once('close', () => open--);
    if (beginning !== undefined) res.writeHead(200, { 'content-type': 'text/event-stream' }).write(beginning);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => open };
}

const fetches: Readonly<Record<string, Partial<ClientOptions>>> = {
  'the global fetch': {},
  "a fetch of one's own, which hands on the request alone": { fetch: (request) => fetch(request) },
  'a fetch that knows no signals': { fetch: ({ url, headers }) => fetch(url, { headers }) },
};

for (const [name, options] of Object.entries(fetches)) {
  const ofItsOwn = options.fetch !== undefined;

  t.test(`${name}: an answer that does not come, and one that does not end`, async (t) => {
    for (const beginning of [undefined, '{']) {
      const { server, baseUrl, open } = await silent(t, beginning);
      const asked = once(server, 'request');
      const controller = new AbortController();
      const client = createClient({ baseUrl, ...options });
      const answer = client.get('/projects', { signal: controller.signal });
      await asked;
      await collected();
      const reason = new Error('enough');
      controller.abort(reason);
      await t.rejects(answer, reason);
      if (!ofItsOwn) while (open() > 0) await new Promise(setImmediate);
    }
  });

  t.test(`${name}: a feed ends, and its connection with it`, async (t) => {
    for (const beginning of [undefined, ': hello\n\n']) {
      const { server, baseUrl, open } = await silent(t, beginning);
      const asked = once(server, 'request');
      const controller = new AbortController();
      const next = createClient({ baseUrl, ...options })
        .changes({ signal: controller.signal })
        .next();
      await asked;
      await collected();
      controller.abort();
      t.strictSame(await next, { done: true, value: undefined });
      if (beginning !== undefined || !ofItsOwn) while (open() > 0) await new Promise(setImmediate);
    }
  });

  t.test(`${name}: silence is the end of a connection`, async (t) => {
    const { server, baseUrl, open } = await silent(t, 'id: a-1\n\n');
    const asked = once(server, 'request');
    const feed = createClient({ baseUrl, retry: { sleep: async () => {} }, ...options }).changes({ idleMs: 200 });
    const next = feed.next();
    await asked;
    await collected();
    const [again] = (await once(server, 'request')) as [http.IncomingMessage];
    t.equal(again.headers['last-event-id'], 'a-1');
    while (open() > 1) await new Promise(setImmediate);
    server.removeAllListeners('request');
    server.on('request', (_, res) => res.writeHead(403).end());
    server.closeAllConnections();
    t.match(await refusalOf(next), { status: 403 });
  });
}

t.test('a stream that comes when nobody waits for it any more is ended', async (t) => {
  const controller = new AbortController();
  let answer: (response: Response) => void = () => {};
  const asked = new Promise<void>((resolve) => {
    const client = createClient({
      baseUrl: 'http://maps.test',
      fetch: () => {
        resolve();
        return new Promise((answered) => (answer = answered));
      },
    });
    const next = client.changes({ signal: controller.signal }).next();
    t.resolveMatch(next, { done: true });
  });
  await asked;
  controller.abort();
  const cancelled = new Promise<void>((cancel) => answer(new Response(new ReadableStream({ cancel: () => cancel() }))));
  await cancelled;
});

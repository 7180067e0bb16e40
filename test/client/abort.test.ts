// process: own
/** Aborts of requests, also after a garbage collection, after which Node's `Request` no longer follows its signal. */
import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import t, { type Test } from 'tap';
import { type ClientOptions, createClient } from '../../src/web/client/client.ts';
import { broken, MadeUp, refusalOf } from './support.ts';

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
  'a custom fetch that passes on the request alone': { fetch: (request) => fetch(request) },
  'a fetch without support for signals': { fetch: ({ url, headers }) => fetch(url, { headers }) },
};

for (const [name, options] of Object.entries(fetches)) {
  const ofItsOwn = options.fetch !== undefined;

  t.test(`${name}: a streamed response is complete, also after garbage collection`, async (t) => {
    const { server, baseUrl } = await silent(t);
    const bytes = Buffer.alloc(1_000_000, 'x');
    server.removeAllListeners('request').on('request', (_, res) => res.end(bytes));
    const { data } = await createClient({ baseUrl, ...options }).GET('/projects', { parseAs: 'stream' });
    await collected();
    t.equal((await new Response(data).text()).length, bytes.length);
  });

  t.test(`${name}: a streamed response ends with an error when its signal or connection ends`, async (t) => {
    for (const isRead of [true, false]) {
      const { baseUrl, open } = await silent(t, '[');
      const controller = new AbortController();
      const { data } = await createClient({ baseUrl, ...options }).GET('/projects', {
        parseAs: 'stream',
        signal: controller.signal,
      });
      const text = isRead ? refusalOf(new Response(data).text()) : undefined;
      await collected();
      controller.abort(new Error('enough'));
      t.match(await (text ?? refusalOf(new Response(data).text())), { message: 'enough' });
      while (open() > 0) await new Promise(setImmediate);
    }
    const { server, baseUrl } = await silent(t, '[');
    const { data } = await createClient({ baseUrl, ...options }).GET('/projects', { parseAs: 'stream' });
    server.closeAllConnections();
    t.match(await refusalOf(new Response(data).text()), { name: 'ConnectionError', message: /^GET http.*: no response/ });
  });

  t.test(`${name}: an abort ends a request whose response is missing or endless`, async (t) => {
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

  t.test(`${name}: an abort ends a change feed and closes its connection`, async (t) => {
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

  t.test(`${name}: a silent change feed is connected again with its last position`, async (t) => {
    const { server, baseUrl, open } = await silent(t, 'id: a-1\n\n');
    const asked = once(server, 'request');
    const feed = createClient({ baseUrl, retry: { sleep: async () => {} }, ...options }).changes({ idleMs: 500 });
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

t.test('a response that arrives after the abort is cancelled', async (t) => {
  for (const ask of ['get', 'changes'] as const) {
    const controller = new AbortController();
    const { signal } = controller;
    let answer: (response: Response) => void = () => {};
    const fetch = (): Promise<Response> => new Promise((answered) => (answer = answered));
    const client = createClient({ baseUrl: 'http://maps.test', fetch });
    const outcome = ask === 'get' ? refusalOf(client.get('/projects', { signal })) : client.changes({ signal }).next();
    await new Promise(setImmediate);
    controller.abort();
    t.match(await outcome, ask === 'get' ? { name: 'AbortError' } : { done: true });
    await new Promise<void>((cancel) => answer(new Response(new ReadableStream({ cancel: () => cancel() }))));
  }
});

t.test('requests leave no listeners on a long-lived signal', async (t) => {
  const { baseUrl, server } = await silent(t);
  server.removeAllListeners('request').on('request', (_, res) => res.end('[]'));
  const { signal } = new AbortController();
  const client = createClient({ baseUrl, retry: { sleep: async () => {} } });
  for (let i = 0; i < 20; i++) {
    await client.get('/projects', { signal });
    t.equal(getEventListeners(signal, 'abort').length, 0);
  }
  const { data } = await client.GET('/projects', { signal, parseAs: 'stream' });
  t.equal(await new Response(data).text(), '[]');
  const unread = await client.GET('/projects', { signal, parseAs: 'stream' });
  await unread.data?.cancel();
  server.removeAllListeners('request').on('request', (_, res) => res.destroy());
  t.match(await refusalOf(client.get('/projects', { signal })), { name: 'ConnectionError' });
  t.equal(getEventListeners(signal, 'abort').length, 0);
  // As fetch takes it; the types do not have it.
  t.match(await refusalOf(client.get('/projects', { signal: null as unknown as undefined })), { name: 'ConnectionError' });
});

t.test('an abort during a custom retry pause rejects with the reason of the signal', async (t) => {
  for (const wait of [
    (ms: number, signal: AbortSignal | undefined): Promise<void> => delay(ms, undefined, { signal }),
    (): Promise<void> => new Promise(() => {}),
  ]) {
    const controller = new AbortController();
    const sleep: typeof wait = (_, signal) => {
      setImmediate(() => controller.abort(new Error('enough')));
      return wait(1_000_000, signal);
    };
    const { client } = new MadeUp([broken()], { retry: { sleep } });
    t.match(await refusalOf(client.get('/projects', { signal: controller.signal })), { message: 'enough' });
  }
});

t.test('an error page of another program for a change feed is cancelled unread', async (t) => {
  let cancelled = false;
  const page = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1024)),
    cancel: () => {
      cancelled = true;
    },
  });
  const fetch = async () => new Response(page, { status: 403, headers: { 'content-type': 'text/html' } });
  const feed = createClient({ baseUrl: 'http://maps.test', fetch }).changes();
  t.match(await refusalOf(feed.next()), { code: 'unexpected_response', status: 403 });
  t.ok(cancelled);
});

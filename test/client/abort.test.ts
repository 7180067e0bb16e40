// process: own
/** Signals end what they are for, also where Node's `fetch` has forgotten them: once a `Request` is collected, it no longer follows its signal. */
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
  "a fetch of one's own, which hands on the request alone": { fetch: (request) => fetch(request) },
  'a fetch that knows no signals': { fetch: ({ url, headers }) => fetch(url, { headers }) },
};

for (const [name, options] of Object.entries(fetches)) {
  const ofItsOwn = options.fetch !== undefined;

  t.test(`${name}: an answer as a stream is whole, also when nobody else holds it`, async (t) => {
    const { server, baseUrl } = await silent(t);
    const bytes = Buffer.alloc(1_000_000, 'x');
    server.removeAllListeners('request').on('request', (_, res) => res.end(bytes));
    const { data } = await createClient({ baseUrl, ...options }).GET('/projects', { parseAs: 'stream' });
    await collected();
    t.equal((await new Response(data).text()).length, bytes.length);
  });

  t.test(`${name}: an answer as a stream breaks with the signal, read or not, and when its connection does`, async (t) => {
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

t.test('what comes when nobody waits for it any more is ended', async (t) => {
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

t.test('a signal that lives long: nothing is left on it', async (t) => {
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

t.test("a pause of one's own ends with the reason of the signal, whatever it makes of it", async (t) => {
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

t.test('a refusal of a feed that is none of ours is not read', async (t) => {
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

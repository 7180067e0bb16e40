/** The change feed of the client: complete records, in order, each once, through broken connections. */

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { ChangeRecord, Client } from '../../src/web/client/client.ts';
import { EventLines } from '../../src/web/client/event-lines.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { broken, clientOf, MadeUp, refusal, refusalOf } from './support.ts';

/** A server whose connections can be cut, before one under test. */
async function cuttable(t: Test, mapwright: Mapwright): Promise<{ baseUrl: string; cut: () => void }> {
  const front = http.createServer(mapwright.server.handler).listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.teardown(() => {
    front.closeAllConnections();
    front.close();
  });
  return { baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, cut: () => front.closeAllConnections() };
}

const namesOf = (record: ChangeRecord | undefined): string[] => (record?.events ?? []).map(({ name }) => name);

/** The place of what is newest. */
async function placeOf(client: Client): Promise<string> {
  const { response } = await client.GET('/projects');
  return response.headers.get('etag') ?? '';
}

async function next(feed: AsyncGenerator<ChangeRecord, void>): Promise<ChangeRecord> {
  const { value, done } = await feed.next();
  if (done === true) throw new Error('the feed is over');
  return value;
}

t.test('the change feed yields one record per request, with all its events', async (t) => {
  const client = clientOf(await startForRequests(t));
  const feed = client.changes({ after: await placeOf(client) });
  const project = await client.post('/projects', { body: { name: 'x', artboards: [{ objects: [{ type: 'spot' }] }] } });
  const created = await next(feed);
  t.strictSame(namesOf(created), ['project.created', 'artboard.created', 'object.created']);
  t.match(created.events, [
    { kind: 'project', id: project.id, resource: { name: 'x', settings: {} } },
    { kind: 'artboard', resource: { width: 800 } },
    { kind: 'object', artboard_id: project.artboards[0]?.id, resource: { type: 'spot' } },
  ]);
  t.equal(created.reset, undefined);
  const params = { path: { project_id: project.id } };
  const popup = await client.post('/projects/{project_id}/popups', { params, body: { title: 'x' } });
  await client.delete('/projects/{project_id}/popups/{popup_id}', { params: { path: { ...params.path, popup_id: popup.id } } });
  t.strictSame([await next(feed), await next(feed)].map(namesOf), [['popup.created'], ['popup.deleted']]);
  await feed.return();
});

t.test('the change feed of a project ends when the project is deleted, also while disconnected', async (t) => {
  const mapwright = await startForRequests(t);
  const { baseUrl, cut } = await cuttable(t, mapwright);
  const client = clientOf(mapwright, { baseUrl });
  for (const isCut of [false, true]) {
    const { data, response } = await client.POST('/projects', { body: {} });
    const project = data?.id ?? '';
    const params = { path: { project_id: project } };
    const feed = client.changes({ project, after: response.headers.get('etag') });
    await client.post('/projects', { body: {} });
    await client.patch('/projects/{project_id}', { params, body: { name: 'y' } });
    t.match(await next(feed), { events: [{ name: 'project.updated', project_id: project }] });
    if (isCut) cut();
    await clientOf(mapwright).delete('/projects/{project_id}', { params });
    if (!isCut) t.match(await next(feed), { events: [{ name: 'project.deleted', resource: null }] });
    t.match(await feed.next(), { done: true });
  }
});

t.test('a change feed that is disconnected repeatedly yields every event once', async (t) => {
  const mapwright = await startForRequests(t);
  const { baseUrl, cut } = await cuttable(t, mapwright);
  const writer = clientOf(mapwright);
  const feed = clientOf(mapwright, { baseUrl }).changes({ after: await placeOf(writer) });
  const received: string[] = [];
  for (let round = 0; round < 8; round++) {
    const count = round === 0 ? 1 : 3;
    for (let more = 0; more < count; more++) {
      await writer.post('/projects', { body: { name: `${round} ${more}` } });
      if (more === 1) cut();
    }
    for (let more = 0; more < count; more++) {
      const [event] = (await next(feed)).events;
      if (event?.name === 'project.created') received.push(event.resource.name);
    }
  }
  const made: string[] = [];
  for (const { name } of await writer.get('/projects')) made.push(name);
  t.strictSame(received, made);
  await feed.return();
});

t.test('a change feed without a position starts at the present, also through a reconnect', async (t) => {
  const mapwright = await startForRequests(t);
  const { baseUrl, cut } = await cuttable(t, mapwright);
  const writer = clientOf(mapwright);
  await writer.post('/projects', { body: { name: 'before' } });
  const feed = clientOf(mapwright, { baseUrl }).changes();
  const first = feed.next();
  const open = async () => (await mapwright.ask('GET', '/metrics')).text.includes('mapwright_feed_subscribers 1\n');
  while (!(await open())) await new Promise(setImmediate);
  cut();
  await writer.post('/projects', { body: { name: 'after' } });
  const { value } = await first;
  t.match(value, { events: [{ name: 'project.created', resource: { name: 'after' } }] });
  await feed.return();
});

t.test('a position of another history yields a reset, and events go on after it', async (t) => {
  const client = clientOf(await startForRequests(t));
  const feed = client.changes({ after: '0123456789abcdef-5' });
  const reset = await next(feed);
  t.match(reset, { reset: 'unknown', events: [], id: /^[0-9a-f]{16}\.[0-9a-f]{16}-/ });
  const { id } = await client.post('/projects', { body: {} });
  t.match(await next(feed), { events: [{ name: 'project.created', id }] });
  await feed.return();
});

t.test('an aborted change feed ends without an error', async (t) => {
  const mapwright = await startForRequests(t);
  const client = clientOf(mapwright);
  t.strictSame(await client.changes({ signal: AbortSignal.abort() }).next(), { done: true, value: undefined });
  const controller = new AbortController();
  const over = client.changes({ signal: controller.signal }).next();
  while (!(await mapwright.ask('GET', '/metrics')).text.includes('mapwright_feed_subscribers 1\n'))
    await new Promise(setImmediate);
  controller.abort();
  t.strictSame(await over, { done: true, value: undefined });
  while (!(await mapwright.ask('GET', '/metrics')).text.includes('mapwright_feed_subscribers 0\n'))
    await new Promise(setImmediate);

  const pausing = new AbortController();
  const sleep = (_: number, signal: AbortSignal | undefined): Promise<void> => {
    pausing.abort();
    return Promise.reject(signal?.reason);
  };
  const waiting = new MadeUp([broken()], { retry: { sleep } });
  t.match(await waiting.client.changes({ signal: pausing.signal }).next(), { done: true });
});

t.test('a change feed whose key is revoked ends with the error of the server', async (t) => {
  const mapwright = await startForRequests(t);
  const { id, key } = await mapwright.server.createKey('ann');
  const feed = clientOf(mapwright, { key }).changes();
  const waiting = refusalOf(feed.next());
  while (!(await mapwright.ask('GET', '/metrics')).text.includes('mapwright_feed_subscribers 1\n'))
    await new Promise(setImmediate);
  await mapwright.server.revokeKey(id);
  t.match(await waiting, { code: 'unauthorized' });
  t.match(await refusalOf(clientOf(mapwright).changes({ project: 'none' }).next()), { code: 'not_found' });
  t.match(await refusalOf(clientOf(mapwright).changes({ after: 'x' }).next()), { code: 'bad_request' });
});

// ---- what a real server does seldom

/** A stream that sends these texts, byte by byte, and then ends, breaks or stays open. */
function stream(texts: readonly string[], then: 'ends' | 'breaks' | 'stays'): () => Response {
  return () => {
    const bytes = new TextEncoder().encode(texts.join(''));
    let at = 0;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at));
          else if (then === 'ends') controller.close();
          else if (then === 'breaks') controller.error(new TypeError('terminated'));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

const event = (name: string, id = ''): string =>
  `event: ${name}\ndata: {"kind":"popup","project_id":"p","version":"1"}\n${id === '' ? '' : `id: ${id}\n`}\n`;
const lastIds = ({ sent }: MadeUp): (string | undefined)[] => sent.map(({ headers }) => headers['last-event-id']);

t.test('a record received in part is received again completely after a reconnect', async (t) => {
  const madeUp = new MadeUp([
    stream(
      ['retry: 700\n\n', 'id: a-1\n\n', event('popup.created'), event('popup.updated', 'a-2'), event('popup.created')],
      'breaks',
    ),
    stream([event('popup.created'), event('popup.deleted', 'a-3')], 'stays'),
  ]);
  const feed = madeUp.client.changes();
  t.match(await next(feed), { id: 'a-2', events: [{ name: 'popup.created' }, { name: 'popup.updated' }] });
  const second = await next(feed);
  t.strictSame([second.id, namesOf(second)], ['a-3', ['popup.created', 'popup.deleted']]);
  t.strictSame(lastIds(madeUp), [undefined, 'a-2']);
  t.strictSame(madeUp.pauses, [350], 'as long as the server wishes');
  await feed.return();
});

t.test('a silent connection is replaced by a new one', async (t) => {
  const madeUp = new MadeUp([stream(['id: a-1\n\n'], 'stays'), stream([event('popup.created', 'a-2')], 'stays')]);
  const feed = madeUp.client.changes({ idleMs: 2000 });
  t.strictSame(namesOf(await next(feed)), ['popup.created']);
  t.strictSame(lastIds(madeUp), [undefined, 'a-1']);
  await feed.return();
});

t.test('a change feed gives up before its first response, and reconnects forever after it', async (t) => {
  const gone = new MadeUp([broken()]);
  t.match(await refusalOf(gone.client.changes().next()), { name: 'ConnectionError' });
  t.equal(gone.sent.length, 4);
  const faults = Array.from({ length: 12 }, (_, at) =>
    at % 2 === 0 ? broken() : refusal(503, 'unavailable', { 'retry-after': '1' }),
  );
  const back = new MadeUp([
    stream([event('popup.created', 'a-1')], 'ends'),
    ...faults,
    stream([event('popup.deleted', 'a-2')], 'stays'),
  ]);
  const feed = back.client.changes();
  t.strictSame([namesOf(await next(feed)), namesOf(await next(feed))], [['popup.created'], ['popup.deleted']]);
  t.strictSame(new Set(lastIds(back).slice(1)), new Set(['a-1']));
  await feed.return();
  const page = new MadeUp([new Response('<html>', { headers: { 'content-type': 'text/html' } })]);
  t.match(await refusalOf(page.client.changes().next()), { code: 'unexpected_response' });
});

t.test('an aborted change feed yields no buffered records', async (t) => {
  const whole = () => {
    const text = event('popup.created', 'a-1') + event('popup.created', 'a-2');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  };
  const controller = new AbortController();
  const feed = new MadeUp([whole]).client.changes({ signal: controller.signal });
  t.equal((await next(feed)).id, 'a-1');
  controller.abort();
  t.match(await feed.next(), { done: true });
});

t.test('a change feed reads no faster than its consumer', async (t) => {
  let pulled = 0;
  const endless = (): Response => {
    const pull = (controller: ReadableStreamDefaultController): void => {
      controller.enqueue(new TextEncoder().encode(event('popup.created', `a-${++pulled}`)));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
  const feed = new MadeUp([endless]).client.changes();
  for (let count = 1; count <= 5; count++) t.equal((await next(feed)).id, `a-${count}`);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  t.ok(pulled <= 6, `${pulled}`);
  await feed.return();
});

t.test('the lines of an event stream are parsed in pieces of any size', async (t) => {
  const text = ': hello\r\nretry: 5\n\nevent:a\ndata: 1\ndata:2\nid\nother: x\n\nid: 7\n\ndata: half';
  const expected = [
    { event: '', data: '', id: undefined, retryMs: 5 },
    { event: 'a', data: '1\n2', id: '', retryMs: undefined },
    { event: '', data: '', id: '7', retryMs: undefined },
  ];
  for (let length = 1; length <= text.length; length++) {
    const lines = new EventLines();
    const blocks: unknown[] = [];
    for (let at = 0; at < text.length; at += length) blocks.push(...lines.take(text.slice(at, at + length)));
    t.strictSame(blocks, expected, `${length}`);
  }
});

t.test('reconnects to a server that disconnects immediately back off, whatever it requests', async (t) => {
  for (const text of ['retry: 0\n\n', 'retry: 0\nid: a-1\n\n', 'retry: 0\n\nevent: popup.created\ndata: {']) {
    const madeUp = new MadeUp([...Array.from({ length: 10 }, () => stream([text], 'ends')), refusal(403, 'forbidden')]);
    t.match(await refusalOf(madeUp.client.changes().next()), { code: 'forbidden' });
    t.equal(madeUp.pauses.length, 10);
    t.ok(
      madeUp.pauses.every((ms) => ms >= 100),
      `${madeUp.pauses}`,
    );
  }
  const slow = new MadeUp([...Array.from({ length: 6 }, () => stream(['id: a-1\n\n'], 'ends')), refusal(403, 'forbidden')]);
  t.match(await refusalOf(slow.client.changes().next()), { code: 'forbidden' });
  t.strictSame(slow.pauses, [125, 250, 500, 1000, 2000, 4000]);
  const late = new MadeUp([stream([`retry: 1${'0'.repeat(20)}\n\n`], 'ends'), refusal(403, 'forbidden')]);
  t.match(await refusalOf(late.client.changes().next()), { code: 'forbidden' });
  t.strictSame(late.pauses, [5000]);
  const busy = new MadeUp([refusal(429, 'too_many_requests', { 'retry-after': '30' }), refusal(403, 'forbidden')]);
  t.match(await refusalOf(busy.client.changes().next()), { code: 'forbidden' });
  t.strictSame(busy.pauses, [30_000], 'a refusal may ask for more');
  const full = new MadeUp([refusal(429, 'too_many_requests', { 'retry-after': '3600' }), refusal(403, 'forbidden')]);
  t.match(await refusalOf(full.client.changes().next()), { code: 'forbidden' });
  t.strictSame(full.pauses, [60_000]);
});

t.test('an event without valid data ends the change feed with an error', async (t) => {
  for (const name of ['popup.created', 'reset'])
    for (const data of ['', 'null', '5', '[]', '{}', '{"kind":5}', '<html>']) {
      const { client, sent } = new MadeUp([stream([`event: ${name}\ndata: ${data}\nid: a-1\n\n`], 'ends')]);
      t.match(await refusalOf(client.changes().next()), { code: 'unexpected_response' }, `${name} ${data}`);
      t.equal(sent.length, 1);
    }
  const text = event('popup.created', 'a-1').replace('{', '{"name":"other",');
  const feed = new MadeUp([stream([text], 'stays')]).client.changes();
  t.strictSame(namesOf(await next(feed)), ['popup.created'], 'the name is that of the event');
  await feed.return();
});

/** An endless response in pieces of a mebibyte, as long as the client reads. */
const withoutEnd = (start: string, taken: () => void) => (): Response => {
  const pull = (controller: ReadableStreamDefaultController): void => {
    taken();
    controller.enqueue(new TextEncoder().encode(start + 'x'.repeat(2 ** 20)));
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { 'content-type': 'text/event-stream' } });
};

t.test('an endless line or block ends the change feed with an error', async (t) => {
  for (const start of ['', '\ndata: ']) {
    let count = 0;
    const { client } = new MadeUp([withoutEnd(start, () => count++)]);
    t.match(await refusalOf(client.changes().next()), { code: 'unexpected_response' });
    t.ok(count >= 64 && count <= 66, `${count} MiB`);
  }
  let count = 0;
  const controller = new AbortController();
  const { client } = new MadeUp([withoutEnd('', () => ++count === 3 && controller.abort())]);
  t.match(await client.changes({ signal: controller.signal }).next(), { done: true });
  t.equal(count, 3, 'the signal is looked at between pieces');
});

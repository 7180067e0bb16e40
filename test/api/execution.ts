/**
 * What every way to execute a command must do, run over each way to one engine: a socket, the same process, the handler in a host's server, the
 * owner of a shard, and another node of the cluster that forwards to it.
 */
import type { Test } from 'tap';
import type { MapwrightServer } from '../../src/index.ts';
import { Wal } from '../../src/storage/wal/write/wal.ts';
import { leastBody, places, type ResourceName, resourceNames } from './contract.ts';
import { png } from './pictures.ts';

/** One way to the engine. */
export interface Way {
  readonly name: string;
  /**
   * Sends a request of the account `ann`, as the global `fetch` would.
   *
   * @param path path and query, with the version prefix
   * @param key a key to send instead of acting for `ann`
   */
  send(path: string, init?: RequestInit, key?: string): Promise<Response>;
}

/** An engine on a disk, alone in its process, with the account `ann` and the limits {@link limits}. It lives until the test is over. */
export interface Home {
  readonly server: Pick<MapwrightServer, 'createKey' | 'revokeKey'>;
  readonly ways: readonly [Way, ...Way[]];
}

export type NewHome = (t: Test) => Promise<Home>;

/** Limits of every home. */
export const limits = { bodyBytesMax: 100_000 };

/** A way over HTTP. */
export const overHttp = (name: string, url: string, annsKey: string): Way => ({
  name,
  send: (path, init = {}, key = annsKey) => fetch(url + path, { ...init, headers: withKey(init, key) }),
});

/** The way of a program that has the server in its process. */
export const inProcess = (server: MapwrightServer): Way => ({
  name: 'process',
  send: (path, init = {}, key) =>
    server.fetch(
      new Request(`http://in-process${path}`, key === undefined ? init : { ...init, headers: withKey(init, key) }),
      key === undefined ? { account: 'ann' } : {},
    ),
});

function withKey(init: RequestInit, key: string): Headers {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${key}`);
  return headers;
}

interface Command {
  readonly method?: string;
  /** Below the version prefix, unless it begins with `/f/` or `/p/`. */
  readonly path: string;
  /** Sent as JSON, unless it is text, bytes, or bytes in pieces. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a server under test; each test says what it expects
  readonly json: any;
}

/** Headers that belong to a connection or to a moment. */
const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'traceparent'];

/** Bytes as a stream of pieces, whose end the test decides. */
const inPieces = (pieces: readonly (string | Buffer)[], isWhole = true): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      if (isWhole) controller.close();
    },
  });

function initOf({ method = 'GET', body, headers = {}, signal }: Command): RequestInit {
  const isRaw = body instanceof ReadableStream || typeof body === 'string' || Buffer.isBuffer(body);
  return {
    method,
    // The answers of two ways have the same request id.
    headers: {
      ...{ 'accept-encoding': 'identity', 'x-request-id': 'execution' },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    ...(signal === undefined ? {} : { signal }),
  } as RequestInit;
}

const pathOf = (path: string): string => (/^\/[fp]\//.test(path) ? path : `/api/v1${path}`);

async function execute(way: Way, command: Command): Promise<Answer> {
  const response = await way.send(pathOf(command.path), initOf(command), command.key);
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.includes(name)).sort());
  const isJson = headers['content-type']?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers,
    text,
    json: isJson ? JSON.parse(Buffer.from(text, 'latin1').toString()) : undefined,
  };
}

/** Executes a command that succeeds. */
async function must(way: Way, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const answer = await execute(way, { method, path, body, headers });
  if (answer.status >= 300) throw new Error(`${way.name}: ${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer;
}

/** Each way with the one after it, the last with the first. */
const withNext = ([first, ...others]: Home['ways']): (readonly [Way, Way])[] =>
  [first, ...others].map((way, i) => [way, others[i] ?? first] as const);

/** While the disk is held, no record that is appended in this process becomes durable. */
let held: { readonly after: number; readonly released: Promise<void> } | undefined;
let newest = 0;

/** Lets this process hold the disk until the test is over. */
function holdable(t: Test): () => () => void {
  const { append, durable } = Wal.prototype;
  Wal.prototype.append = function (this: Wal, record) {
    newest = append.call(this, record);
    return newest;
  };
  Wal.prototype.durable = function (this: Wal, lsn) {
    if (held === undefined || lsn <= held.after) return durable.call(this, lsn);
    return held.released.then(() => durable.call(this, lsn));
  };
  t.teardown(() => Object.assign(Wal.prototype, { append, durable }));
  return () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    held = { after: newest, released };
    return () => {
      held = undefined;
      release();
    };
  };
}

/** Replaces what each session has of its own (identifiers, addresses, tags, times, sizes that depend on these) by the order of first appearance. */
class Names {
  readonly #numbers = new Map<string, number>();

  in(text: string): string {
    const drawn =
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=\/f\/|\/p\/|slug":")[\w-]{20,}|[0-9a-f]{16}\.[0-9a-f]{16}-\w+|(?<=cursor=)[\w-]+|[0-9a-f]{64}|(?<="bytes":)\d+/g;
    return text.replace(drawn, (found) => {
      if (/^\d+$|^\d{4}-\d\d-\d\dT/.test(found)) return '<number>';
      if (!this.#numbers.has(found)) this.#numbers.set(found, this.#numbers.size);
      return `<${this.#numbers.get(found)}>`;
    });
  }
}

/** A session of one way: every kind of command, with its status, in projects of its own, which are deleted in the end. */
async function session(t: Test, way: Way): Promise<string[]> {
  const names = new Names();
  const lines: string[] = [];
  const ask = async (status: number, method: string, path: string, body?: unknown, more: Command['headers'] = {}) => {
    const answer = await execute(way, { method, path, body, headers: more });
    t.equal(answer.status, status, `${way.name}: ${method} ${path} ${status < 300 ? answer.text.slice(0, 300) : ''}`);
    lines.push(names.in(`${method} ${path} ${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`));
    return answer;
  };
  const nested = { name: 'Häfen', artboards: [{ objects: [{ type: 'spot', name: 'a' }, { type: 'spot' }] }, {}], popups: [{}] };
  const { json: project } = await ask(200, 'POST', '/projects', nested);
  const at = `/projects/${project.id}`;
  const [board, other] = project.artboards;
  for (const name of resourceNames) await members(ask, name, at, board.id);
  await ask(200, 'PATCH', at, { popups: [{ title: 'second' }, project.popups[0]], settings: { a: 1 } });
  await ask(200, 'PATCH', at, { settings: { b: [2] } }, { 'content-type': 'application/merge-patch+json' });
  await batches(ask, at, [board, other]);
  for (const path of [at, `${at}/popups?limit=1`, `${at}/problems`, `${at}/export`, `${at}/artboards/${board.id}/preview.svg`])
    await ask(200, 'GET', path);
  const { json: file } = await ask(200, 'POST', `${at}/files?name=plan%20%C3%A9.png`, png(), { 'content-type': 'image/png' });
  await ask(200, 'GET', `${at}/files?fields=name,bytes`);
  await ask(200, 'PATCH', `${at}/files/${file.id}`, { name: 'other.png' });
  await ask(200, 'GET', file.url);
  const { json: copy } = await ask(200, 'POST', `${at}/duplicate`, { name: 'Copy' });
  const document = (await must(way, 'GET', `${at}/export?files=true`)).text;
  const imported = await ask(200, 'POST', '/projects/import', Buffer.from(document, 'latin1'));
  await versions(ask, at);
  await ask(204, 'DELETE', `${at}/files/${file.id}`);
  await ask(404, 'GET', file.url);
  await published(ask, at);
  for (const path of [at, `/projects/${copy.id}`, `/projects/${imported.json.id}`]) await ask(204, 'DELETE', path);
  await ask(404, 'GET', at);
  return lines;
}

type Ask = (status: number, method: string, path: string, body?: unknown, headers?: Command['headers']) => Promise<Answer>;

/** Creates, lists, reads, changes and deletes a member of one kind. */
async function members(ask: Ask, name: ResourceName, at: string, board: string): Promise<void> {
  const list = places[name][0].replace('/projects/<project_id>', at).replace('<artboard_id>', board);
  const { json: made, headers } = await ask(200, 'POST', list, { ...leastBody(name), name: `é ${name}` });
  const one = `${list}/${made.id}`;
  if (name !== 'Project') await ask(200, 'GET', list);
  await ask(200, 'GET', one);
  await ask(304, 'GET', one, undefined, { 'if-none-match': headers['etag'] as string });
  await ask(200, 'PATCH', one, { name: 'changed' }, { 'if-match': headers['etag'] as string });
  await ask(412, 'PATCH', one, { name: 'lost' }, { 'if-match': headers['etag'] as string });
  await ask(400, 'PATCH', one, { nam: 'x' });
  await ask(204, 'DELETE', one);
  await ask(404, 'GET', one);
}

let chosen = 0;

/** An identifier that the client chooses. */
function chosenId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(++chosen).padStart(12, '0')}`;
}

type Board = { readonly id: string; readonly objects: readonly { readonly id: string }[] };

/** Batches with identifiers, places and moves between artboards, and their refusals. */
async function batches(ask: Ask, at: string, [from, to]: readonly [Board, Board]): Promise<void> {
  const [object, popup, moved] = [chosenId(), chosenId(), from.objects[0]?.id];
  const run = (status: number, ...operations: object[]) => ask(status, 'POST', `${at}/batch`, { operations });
  await run(
    200,
    { method: 'POST', path: `/artboards/${to.id}/objects`, id: object, body: { type: 'spot', name: 'made' }, as: 'made' },
    { method: 'PATCH', path: `/artboards/${from.id}/objects/${moved}`, to_artboard: to.id, before: object },
    { method: 'POST', path: '/popups', id: popup, before: null, body: { attachedTo: '{made}' } },
    { method: 'PATCH', path: `/artboards/${to.id}`, before: from.id },
  );
  await run(409, { method: 'POST', path: '/popups', id: popup, body: {} });
  await run(409, { method: 'PATCH', path: `/popups/${popup}`, before: object });
  await run(400, { method: 'DELETE', path: `/popups/${popup}` }, { method: 'POST', path: '/popups', body: { titel: '' } });
  await ask(200, 'GET', at);
}

/** Keeps a version, compares it, restores it and deletes it. */
async function versions(ask: Ask, at: string): Promise<void> {
  const { json: version } = await ask(200, 'POST', `${at}/versions`, { name: 'Before' });
  await ask(200, 'PATCH', at, { name: 'after' });
  await ask(200, 'GET', `${at}/versions`);
  await ask(200, 'GET', `${at}/versions/${version.id}`);
  await ask(200, 'GET', `${at}/versions/${version.id}/changes`);
  await ask(200, 'POST', `${at}/versions/${version.id}/restore`);
  await ask(204, 'DELETE', `${at}/versions/${version.id}`);
}

/** Publishes a project, reads what is public, and withdraws it. */
async function published(ask: Ask, at: string): Promise<void> {
  const { json: publication } = await ask(200, 'PUT', `${at}/publication`, {});
  await ask(200, 'GET', `${at}/publication`);
  const { json: pointer } = await ask(200, 'GET', `/p/${publication.slug}/map.json`);
  await ask(200, 'GET', `/p/${publication.slug}/${pointer.map}`);
  await ask(204, 'DELETE', `${at}/publication`);
  await ask(404, 'GET', `/p/${publication.slug}/map.json`);
}

/** Reads and refusals that change nothing, of a project and its tag. */
function reads(at: string, tag: string): Command[] {
  const post = { method: 'POST', path: '/projects' };
  return [
    ...[at, '/projects', `${at}/popups?limit=1`, `${at}/export`, '/projects/none', '/nowhere', '/projects?limit=0'].map(
      (path) => ({
        path,
      }),
    ),
    { path: at, method: 'HEAD' },
    { path: at, headers: { 'if-none-match': tag } },
    { path: at, method: 'HEAD', headers: { 'if-none-match': tag } },
    { path: at, headers: { 'if-match': '"other"' } },
    { path: at, method: 'PATCH', body: { name: 'b' }, headers: { 'if-match': '"other"' } },
    { path: at, method: 'PATCH', body: { nam: 'b' } },
    { path: at, method: 'PATCH', body: '{"name"' },
    { path: at, method: 'PATCH', body: '' },
    { path: at, method: 'PATCH', body: [] },
    { path: at, method: 'PATCH', body: inPieces(['[', ']']) },
    {
      path: at,
      method: 'PATCH',
      body: { popups: [{ maxWidth: 'wide', title: 7 }], artboards: [{ objects: [{ type: 'cube' }] }] },
    },
    { path: '/projects', method: 'PUT' },
    post,
    { ...post, body: '{}', headers: { 'content-type': 'text/plain' } },
    { ...post, body: '{}', headers: { 'content-encoding': 'gzip' } },
    { ...post, body: { name: 7, more: true } },
    { path: `${at}/popups/unknown`, method: 'DELETE' },
    { path: `${at}/publication`, method: 'DELETE' },
    { path: '/projects', key: 'mw_wrong' },
    { ...post, body: {}, key: 'mw_wrong' },
  ];
}

/** Lines of an event stream, without comments, until it has this many events. Leaves the stream. */
async function eventsOf(response: Response, count: number): Promise<string> {
  let text = '';
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const events = () => text.split('\n\n').filter((block) => block.includes('data:'));
  const decoder = new TextDecoder();
  while (events().length < count) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended after ${events().length} of ${count} events: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return events().slice(0, count).join('\n\n');
}

/** The projects of the account, as they are answered. */
const projectsOf = async ({ ways: [first] }: Home): Promise<string> => (await must(first, 'GET', '/projects')).text;

export function execution(t: Test, newHome: NewHome): void {
  t.test('every kind of command gives the same bytes and headers through every way', async (t) => {
    const { ways } = await newHome(t);
    const [first, ...others] = ways;
    const expected = await session(t, first);
    for (const way of others) {
      const lines = await session(t, way);
      for (const [i, line] of expected.entries()) t.equal(lines[i], line, way.name);
    }
  });

  t.test('reads, conditions and refusals have the same bytes and headers through every way', async (t) => {
    const { ways } = await newHome(t);
    const [first, ...others] = ways;
    const { json, headers } = await must(first, 'POST', '/projects', { name: 'ä map', popups: [{}, {}] });
    const at = `/projects/${json.id}`;
    const expected = [];
    for (const command of reads(at, headers['etag'] as string)) expected.push(await execute(first, command));
    t.strictSame([...new Set(expected.map(({ status }) => status))].sort(), [200, 304, 400, 401, 404, 405, 412, 415]);
    for (const way of others) {
      for (const [i, command] of reads(at, headers['etag'] as string).entries())
        t.strictSame(await execute(way, command), expected[i], `${way.name}: ${command.method ?? 'GET'} ${command.path}`);
    }
    const { json: errors } = await execute(first, { path: at, method: 'PATCH', body: { popups: [{ maxWidth: 'wide' }] } });
    t.match(errors, { code: 'validation_failed', errors: [{ pointer: '/popups/0/maxWidth' }] });
  });

  t.test('what one way has changed, every way shows, with its tag', async (t) => {
    const { ways } = await newHome(t);
    const at = `/projects/${(await must(ways[0], 'POST', '/projects', {})).json.id}`;
    for (const [way, next] of withNext(ways)) {
      const before = await must(next, 'GET', at);
      const changed = await must(way, 'PATCH', at, { name: `through ${way.name}` }, { 'if-match': before.headers['etag'] });
      const lost = await execute(next, {
        ...{ method: 'PATCH', path: at, body: { name: 'lost' } },
        headers: { 'if-match': before.headers['etag'] as string },
      });
      t.match([lost.status, lost.json], [412, { code: 'precondition_failed' }], `${way.name}, then ${next.name}`);
      for (const each of ways) {
        const shown = await must(each, 'GET', at);
        t.strictSame([shown.text, shown.headers['etag']], [changed.text, changed.headers['etag']], each.name);
      }
    }
  });

  t.test('a request that is repeated through another way takes effect once, and gets the first response', async (t) => {
    const home = await newHome(t);
    const { id } = (await must(home.ways[0], 'POST', '/projects', { popups: [{}] })).json;
    const document = (await must(home.ways[0], 'GET', `/projects/${id}/export`)).json;
    const commands: [path: string, body: unknown, type?: string][] = [
      ['/projects', { name: 'é' }],
      [`/projects/${id}/popups`, { title: 'one' }],
      [`/projects/${id}/batch`, { operations: [{ method: 'POST', path: '/popups', body: {} }] }],
      [`/projects/${id}/duplicate`, {}],
      ['/projects/import', document],
      [`/projects/${id}/files?name=a.png`, png(), 'image/png'],
      [`/projects/${id}/versions`, { name: 'v' }],
    ];
    for (const [path, body, type = 'application/json'] of commands) {
      for (const [way, next] of withNext(home.ways)) {
        const headers = { 'content-type': type, 'idempotency-key': `${path}-${way.name}` };
        const first = await must(way, 'POST', path, body, headers);
        const all = await projectsOf(home);
        const again = await must(next, 'POST', path, body, headers);
        t.strictSame(
          [again.text, again.headers],
          [first.text, { ...first.headers, 'idempotency-replayed': 'true' }],
          `${path}: ${way.name}, then ${next.name}`,
        );
        t.equal(await projectsOf(home), all, 'nothing has changed');
        const other = await execute(next, { method: 'POST', path: '/projects', body: { name: 'other' }, headers });
        t.equal(other.status, path.includes('files') ? 415 : 422, 'another request with the same key');
      }
    }
  });

  t.test('responses of any status wait until the changes that they show are durable, and others do not wait', async (t) => {
    const home = await newHome(t);
    const hold = holdable(t);
    for (const [way, next] of withNext(home.ways)) await waitsForDisk(t, home, hold, [way, next]);
  });

  t.test('a body in pieces is one body, and one above the limit is refused before its end and changes nothing', async (t) => {
    const home = await newHome(t);
    for (const way of home.ways) {
      const bytes = Buffer.from(JSON.stringify({ name: 'ä'.repeat(20_000) }));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 999) }, (_, i) => bytes.subarray(i * 999, (i + 1) * 999));
      t.match((await must(way, 'POST', '/projects', inPieces(pieces))).json, { name: 'ä'.repeat(20_000) }, way.name);
      const before = await projectsOf(home);
      for (const body of [
        { name: 'x'.repeat(200_000) },
        inPieces(
          Array.from({ length: 20 }, () => Buffer.alloc(10_000, ' ')),
          false,
        ),
      ]) {
        const refused = await execute(way, { method: 'POST', path: '/projects', body });
        t.match([refused.status, refused.json], [413, { code: 'payload_too_large' }], way.name);
      }
      t.equal(await projectsOf(home), before);
      const popups = Array.from({ length: 400 }, (_, i) => ({ id: `p${i}`, title: `${i}`.repeat(500) }));
      const { id } = (await must(way, 'POST', '/projects', {})).json;
      const exported = (await must(way, 'GET', `/projects/${id}/export`)).json;
      const document = JSON.stringify({ ...exported, project: { ...exported.project, popups } });
      const imported = await must(way, 'POST', '/projects/import', inPieces(document.match(/.{1,50000}/gs) ?? []));
      t.equal(imported.json.popups.length, 400, `${way.name}: an import has its own limit`);
    }
  });

  t.test('files are uploaded in pieces through every way, and served by all, whole and in part', async (t) => {
    const { ways } = await newHome(t);
    const { id } = (await must(ways[0], 'POST', '/projects', {})).json;
    for (const way of ways) {
      const bytes = png(3, 2, way.name.padEnd(1_500_000, '.'));
      const pieces = Array.from({ length: 15 }, (_, i) => bytes.subarray(i * 110_000, (i + 1) * 110_000));
      const type = { 'content-type': 'image/png' };
      const { url } = (await must(way, 'POST', `/projects/${id}/files?name=a.png`, inPieces(pieces), type)).json;
      const [expected, ...others] = await Promise.all(ways.map((each) => must(each, 'GET', url)));
      t.equal(expected?.text, bytes.toString('latin1'), way.name);
      for (const other of others) t.strictSame(other.headers, expected?.headers);
      t.ok(others.every(({ text }) => text === expected?.text));
      for (const each of ways) {
        const part = await must(each, 'GET', url, undefined, { range: 'bytes=10-19' });
        t.strictSame([part.status, part.text], [206, bytes.subarray(10, 20).toString('latin1')], each.name);
      }
    }
  });

  t.test('a client that leaves during its request changes nothing, and the next request is answered', async (t) => {
    const home = await newHome(t);
    const before = await projectsOf(home);
    for (const way of home.ways) {
      for (const path of ['/projects', '/projects/import']) {
        const stop = new AbortController();
        const body = inPieces(['{"name":"le'], false);
        const sent = execute(way, { method: 'POST', path, body, signal: stop.signal });
        setTimeout(() => stop.abort(new Error('enough')), 20);
        await t.rejects(sent, { message: 'enough' }, `${way.name}: ${path}`);
        t.equal(await projectsOf(home), before);
      }
    }
  });

  t.test('every way brings all events, once and in their order, and goes on where another one ended', async (t) => {
    const { ways } = await newHome(t);
    const { id } = (await must(ways[0], 'POST', '/projects', { name: 'ä' })).json;
    const path = `/projects/${id}`;
    const begin = (await must(ways[0], 'GET', path)).headers['etag']?.replaceAll('"', '') as string;
    const follow = (way: Way, after: string) =>
      way.send(pathOf(`${path}/events`), { headers: { 'last-event-id': after, 'accept-encoding': 'identity' } });
    const streams = await Promise.all(ways.map((way) => follow(way, begin)));
    for (const way of ways) {
      const operations = ['a', 'b'].map((title) => ({
        method: 'POST',
        path: '/popups',
        body: { title: `${title} ${way.name}` },
      }));
      await must(way, 'POST', `${path}/batch`, { operations });
      await must(way, 'PATCH', path, { name: way.name });
    }
    const count = 3 * ways.length;
    const [expected, ...others] = await Promise.all(streams.map((stream) => eventsOf(stream, count)));
    t.strictSame(
      [...(expected?.matchAll(/"(?:title|name)":"([ab] )?(\w+)"/g) ?? [])].map(([, title = '', name]) => title + name),
      ways.flatMap(({ name }) => [`a ${name}`, `b ${name}`, name]),
    );
    for (const [i, text] of others.entries()) t.equal(text, expected, `${ways[i + 1]?.name}`);
    const records = expected?.split('\n\n') as string[];
    const middle = /^id: ?(.+)$/m.exec(records[2] as string)?.[1] as string;
    for (const way of ways)
      t.equal(await eventsOf(await follow(way, middle), count - 3), records.slice(3).join('\n\n'), `${way.name} goes on`);
  });
}

/** A way writes and both read while nothing becomes durable. */
async function waitsForDisk(t: Test, { server }: Home, hold: () => () => void, [way, next]: readonly [Way, Way]): Promise<void> {
  const make = async (name: string) =>
    (await must(way, 'POST', '/projects', { name, popups: [{}, {}], artboards: [{ objects: [{ type: 'spot' }] }] })).json;
  const [project, other] = [await make('one'), await make('other')];
  const [popup, gone] = project.popups;
  const at = `/projects/${project.id}`;
  const popups = `${at}/popups`;
  const waits = async (what: string, write: () => Promise<unknown>, asked: [string, Command, number][]): Promise<void> => {
    const release = hold();
    const before = newest;
    const writing = write();
    while (newest === before) await new Promise((resolve) => setImmediate(resolve));
    const answered: string[] = [];
    const answers = asked.flatMap(([name, command, status]) =>
      [way, next].map(async (each) => {
        const answer = await execute(each, command);
        answered.push(name);
        t.equal(answer.status, status, `${what} through ${way.name}: ${name} through ${each.name}`);
      }),
    );
    void writing.then(() => answered.push('the write'));
    // Later requests are answered: the server has read the others, and keeps them back.
    for (let i = 0; i < 5; i++) for (const each of [way, next]) await must(each, 'GET', `/projects/${other.id}`);
    t.strictSame(answered, [], `${what} through ${way.name}: nothing else is answered`);
    release();
    await writing;
    await Promise.all(answers);
  };
  const one = `${popups}/${popup.id}`;
  await waits('a patch', () => must(way, 'PATCH', one, { name: 'new' }), [
    ['the member', { path: one }, 200],
    ['its list', { path: popups }, 200],
    ['a page of it', { path: `${popups}?limit=1` }, 200],
    ['a search of it', { path: `${popups}?name=new` }, 200],
    ['its head', { path: one, method: 'HEAD' }, 200],
    ['the project', { path: at }, 200],
    ['all projects', { path: '/projects' }, 200],
    ['the same again', { path: one, method: 'PATCH', body: { name: 'new' } }, 200],
    ['an empty patch', { path: one, method: 'PATCH', body: {} }, 200],
    ['an invalid one', { path: one, method: 'PATCH', body: { nome: '' } }, 400],
    ['one that names a stranger', { path: at, method: 'PATCH', body: { popups: [{ id: 'x' }] } }, 400],
  ]);
  const board = `${at}/artboards/${project.artboards[0].id}`;
  const object = `${board}/objects/${project.artboards[0].objects[0].id}`;
  await waits('a changed object', () => must(way, 'PATCH', object, { radius: 9 }), [
    ['its artboard', { path: board }, 200],
    ['the artboards', { path: `${at}/artboards` }, 200],
    ['the project', { path: at }, 200],
  ]);
  await waits('a deleted artboard', () => must(way, 'DELETE', board), [
    ['no list of its objects', { path: `${board}/objects` }, 404],
    ['no object of it', { path: object }, 404],
    ['no object to be made in it', { path: `${board}/objects`, method: 'POST', body: { type: 'spot' } }, 404],
  ]);
  const goneAt = `${popups}/${gone.id}`;
  await waits('a deletion', () => must(way, 'DELETE', goneAt), [
    ['not there', { path: goneAt }, 404],
    ['not there to change', { path: goneAt, method: 'PATCH', body: { name: 'late' } }, 404],
    ['not there to delete', { path: goneAt, method: 'DELETE' }, 404],
    ['the list without it', { path: popups }, 200],
  ]);
  const doomed = await server.createKey('ann');
  const key = doomed.key;
  await waits('a revoked key', () => server.revokeKey(doomed.id), [
    ['refused', { path: '/projects', key }, 401],
    ['refused for a write', { path: '/projects', method: 'POST', body: {}, key }, 401],
  ]);
  await waits('a deleted project', () => must(way, 'DELETE', at), [
    ['not there', { path: at }, 404],
    ['nothing in it', { path: popups }, 404],
    ['nothing to be made in it', { path: popups, method: 'POST', body: {} }, 404],
  ]);
}

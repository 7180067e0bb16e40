/** The loader of the examples, against a stand-in for the server: references become identifiers, and every fault says what to do. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Writable } from 'node:stream';
import t from 'tap';
import { ApiClient, ApiError, apiRoot, retryAfter } from '../../src/cli/api-client.ts';
import { type DemoResult, demo, examplesFolder, links, loadExample } from '../../src/cli/commands/support/demo.ts';
import { UsageError } from '../../src/cli/option-parsing.ts';

type Json = Record<string, unknown>;
interface Seen {
  method: string;
  path: string;
  body: Json | undefined;
}
/** An answer in place of the usual one. */
type Override = (seen: Seen) => { status: number; headers?: Record<string, string>; body?: string } | undefined;

const key = 'mw_test';
// What stands for a terminal here has colours, whatever this test itself is run in.
for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) delete process.env[name];

/** A server that knows two requests: it makes a project with identifiers, and takes any PATCH. */
async function standIn(
  test: Pick<typeof t, 'teardown'>,
  override: Override = () => undefined,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  let count = 0;
  const withIds = (value: Json, lists: readonly string[]): Json => ({
    id: `id-${++count}`,
    ...value,
    ...Object.fromEntries(
      lists.map((name) => {
        const members = (value[name] ?? []) as Json[];
        return [name, members.map((member) => withIds(member, name === 'artboards' ? ['objects'] : []))];
      }),
    ),
  });
  const collections = ['artboards', 'popups', 'data_sources', 'variables', 'actions'];
  const server = http.createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      text += chunk;
    });
    req.on('end', () => {
      const entry: Seen = { method: req.method ?? '', path: req.url ?? '', body: text ? JSON.parse(text) : undefined };
      seen.push(entry);
      const refused = req.headers.authorization === `Bearer ${key}` ? undefined : { status: 401, body: '{}' };
      const special: ReturnType<Override> = refused ?? override(entry);
      if (special) return void res.writeHead(special.status, special.headers).end(special.body);
      res.end(
        JSON.stringify(
          entry.method === 'POST' ? withIds(entry.body as Json, collections) : entry.method === 'GET' ? [] : entry.body,
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A stream that keeps what is written. */
function sink(): Writable & { text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return Object.assign(stream, { text: () => text });
}

/** What the promise is rejected with, which must be a message for people. */
async function fault(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof ApiError || error instanceof UsageError)) throw error ?? new Error('it went well');
  return error.message;
}

const sample = {
  name: 'Sample',
  settings: { start: { artboard_id: 'artboard:B' }, artboard: 'artboard:B' },
  artboards: [
    {
      name: 'A',
      objects: [
        { name: 'door', type: 'poly', click_action_artboard_id: 'artboard:B' },
        { name: 'twin', type: 'spot' },
      ],
    },
    { name: 'B', objects: [{ name: 'twin', type: 'spot' }] },
    { name: 'C' },
  ],
  popups: [{ name: 'p' }, { name: 'q', attachedTo: 'object:twin', title: 'object:twin' }],
  data_sources: [{ name: 'feed' }],
  variables: [
    { name: 'v', data_source_id: 'data_source:feed' },
    { name: 'w', iterator_id: 'variable:v', data_path: { node_id: '7' } },
  ],
  actions: [
    { name: 'a', object_id: 'object:door', conditions: [{ variable_id: 'variable:w', value: 1 }, { value: 2 }] },
    { name: 'b' },
  ],
};

t.test('references become identifiers, and nothing else changes', async (t) => {
  const ids = (names: string[]): Json[] => names.map((id) => ({ id }));
  const made = {
    artboards: [
      { id: 'A1', objects: ids(['O1', 'O2']) },
      { id: 'A2', objects: ids(['O3']) },
      { id: 'A3', objects: [] },
    ],
    popups: ids(['P1', 'P2']),
    data_sources: ids(['D1']),
    variables: ids(['V1', 'V2']),
    actions: ids(['X1', 'X2']),
  };
  t.strictSame(links(sample, made as never), {
    body: {
      settings: { start: { artboard_id: 'A2' }, artboard: 'artboard:B' },
      artboards: [
        { id: 'A1', objects: [{ id: 'O1', click_action_artboard_id: 'A2' }, { id: 'O2' }] },
        { id: 'A2' },
        { id: 'A3' },
      ],
      popups: [{ id: 'P1' }, { id: 'P2', attachedTo: 'O2' }],
      variables: [
        { id: 'V1', data_source_id: 'D1' },
        { id: 'V2', iterator_id: 'V1' },
      ],
      actions: [{ id: 'X1', object_id: 'O1', conditions: [{ variable_id: 'V2', value: 1 }, { value: 2 }] }, { id: 'X2' }],
    },
    linked: 6,
  });
  t.throws(() => links(sample, { ...made, variables: [] } as never), /created 0 instead of 2 members \(variable\)/);
});

t.test('loading one file', async (t) => {
  const { url, seen } = await standIn(t);
  const client = new ApiClient({ url, key });
  const folder = t.testdir({
    'sample.json': JSON.stringify(sample),
    'plain.json': '{"name":"Plain"}',
    'wrong.json': '{"popups":[{"name":"p","attachedTo":"object:Atlantis"}]}',
    'text.json': 'no JSON',
  });
  const project = await loadExample(client, path.join(folder, 'sample.json'));
  t.match(project, {
    file: 'sample.json',
    name: 'Sample',
    artboards: [
      { name: 'A', objects: 2 },
      { name: 'B', objects: 1 },
      { name: 'C', objects: 0 },
    ],
    counts: { artboards: 3, objects: 3, popups: 2, data_sources: 1, variables: 2, actions: 2 },
    linked: 6,
  });
  t.same(
    seen.map(({ method, path }) => `${method} ${path}`),
    ['POST /api/v1/projects', `PATCH /api/v1/projects/${project.id}`],
  );
  t.same(seen[0]?.body, sample, 'sent as it is');

  seen.length = 0;
  await loadExample(client, path.join(folder, 'plain.json'));
  t.equal(seen.length, 1, 'no second request without references');

  seen.length = 0;
  t.match(
    await fault(loadExample(client, path.join(folder, 'wrong.json'))),
    'wrong.json: "object:Atlantis" (in "attachedTo") refers to a member that the project does not have',
  );
  t.match(await fault(loadExample(client, path.join(folder, 'text.json'))), 'must hold a JSON object');
  t.equal(seen.length, 0, 'a broken example is found before anything is sent');
});

t.test('all the examples of this package', async (t) => {
  const { url, seen } = await standIn(t);
  const out = sink();
  const result = await demo({ url, key, out });
  t.equal(result.projects.length, fs.readdirSync(examplesFolder()).filter((name) => name.endsWith('.json')).length);
  t.notMatch(
    JSON.stringify(seen.filter(({ method }) => method === 'PATCH')),
    /"(artboard|object|data_source|variable):/,
    'no reference is left',
  );
  t.equal(result.next.length, 4);
  for (const line of result.next) t.ok(out.text().includes(line), line);
  t.notOk(out.text().includes(key), 'the key is not shown');
  t.match(out.text(), /Counties of the United States: \d{4} objects on 2 artboards/);

  const json = sink();
  const again = await demo({ url: `${url}/api/v1/`, key, json: true, out: json });
  t.match(JSON.parse(json.text()) as DemoResult, { url: `${url}/api/v1`, projects: again.projects.map(({ id }) => ({ id })) });

  const terminal = Object.assign(sink(), { isTTY: true, columns: 100 });
  await demo({ url, key, out: terminal });
  t.match(terminal.text(), /Loaded 4 projects/);
});

t.test('a busy server is given the time it asks for', async (t) => {
  const answers = [
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 429, headers: { 'retry-after': '0' }, body: '{}' },
  ];
  const { url, seen } = await standIn(t, () => answers.shift());
  const waits: string[] = [];
  const client = new ApiClient({ url, key }, { say: (line) => void waits.push(line) });
  const file = path.join(t.testdir({ 'plain.json': '{"name":"Plain"}' }), 'plain.json');
  t.equal((await loadExample(client, file)).name, 'Plain');
  t.same(waits, ['The server is busy (503). Retrying in 0 s.', 'The server is busy (429). Retrying in 0 s.']);
  t.equal(seen.length, 3);

  const never = await standIn(t, () => ({ status: 503 }));
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  t.match(
    await fault(loadExample(new ApiClient({ url: never.url, key }, { sleep, say: () => undefined }), file)),
    /still busy after 10 attempts/,
  );
  t.same(slept, Array(10).fill(1000));

  const now = Date.UTC(2024, 0, 1);
  t.same(
    [null, '7', '9999', 'soon', 'Mon, 01 Jan 2024 00:00:05 GMT', 'Sun, 31 Dec 2023 23:00:00 GMT'].map((header) =>
      retryAfter(header, now),
    ),
    [1, 7, 60, 1, 5, 0],
  );
});

t.test('what goes wrong says what to do', async (t) => {
  const folder = t.testdir({ 'plain.json': '{"name":"Plain"}', empty: {} });
  const out = sink();
  const against = async (override: Override, more: object = {}): Promise<string> => {
    const { url } = await standIn(t, override);
    return fault(demo({ url, key, folder, out, ...more }));
  };
  const usual: Override = () => undefined;
  const on =
    (method: string, answer: ReturnType<Override>): Override =>
    (seen) =>
      seen.method === method ? answer : undefined;

  t.match(
    await fault(demo({ url: 'http://127.0.0.1:9', key, folder, out })),
    /Cannot reach a server at .*Start one with: npx mapwright serve/,
  );
  t.match(await fault(demo({ url: 'localhost:8070', key, folder, out })), 'must be the address of a server');
  t.match(await against(usual, { key: 'mw_wrong' }), /rejected the key.*mapwright keys create/);
  t.match(await against(usual, { key: 'two\nlines' }), /is not an API key\. .*mapwright keys create/);
  t.match(await against(usual, { folder: path.join(folder, 'empty') }), /There are no examples in .*npm run examples/);
  t.match(await against(usual, { folder: path.join(folder, 'gone') }), 'There are no examples in');
  t.match(await against(on('GET', { status: 404, body: '<html>' })), 'is not a mapwright API');
  t.match(await against(on('GET', { status: 200, body: '<html>' })), 'not a mapwright server');
  t.match(
    await against(on('POST', { status: 413, body: '{"detail":"too large"}' })),
    'plain.json: POST /projects returned 413: too large',
  );
  const problem = JSON.stringify({
    detail: 'one fault',
    errors: [
      { pointer: '/name', detail: 'must be a string' },
      { pointer: '/x', detail: 'is no member' },
    ],
  });
  t.match(
    await against(on('POST', { status: 400, body: problem })),
    'returned 400: 2 errors in the document.\n  /name: must be a string\n  /x: is no member',
  );
  t.match(await against(on('POST', { status: 500 })), 'POST /projects returned 500');
  t.equal(out.text(), '', 'nothing is claimed to be loaded');

  const terminal = Object.assign(sink(), { isTTY: true, columns: 100 });
  t.match(await against(on('POST', { status: 500 }), { out: terminal }), '500');
  t.match(terminal.text(), 'Not loaded');
});

t.test('addresses', async (t) => {
  const root = 'http://127.0.0.1:8070/api/v1';
  for (const url of ['http://127.0.0.1:8070', 'http://127.0.0.1:8070/', root, `${root}/`]) t.equal(apiRoot(url), root);
  t.equal(apiRoot('https://maps.example.com/v1'), 'https://maps.example.com/v1');
  t.throws(() => apiRoot('ftp://example.com'), { message: /must be the address of a server/ });
});

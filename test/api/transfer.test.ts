// tier: normal
/** Projects as documents: export, import, and invalid documents. */
import { type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { ImportDraft } from '../../src/engine/projects/import-draft.ts';
import { idSource } from '../../src/lib/text/ids.ts';
import { bodyOf } from '../support/arbitrary.ts';
import { exampleFiles, exampleText } from '../support/examples.ts';
import fc from '../support/fast-check.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { identitiesOf, sameProject } from '../support/identities.ts';
import { Answer, type Ask, type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { resourceNamed } from '../support/resources.ts';
import { sampled, sized } from '../support/tier.ts';
import { makeWorld } from './world.ts';

const mebibyte = 1024 * 1024;
const at = '/projects/import';

const documentOf = (project: unknown) => ({ format: 'mapwright-project', version: 1, project });

/** The projects of the account, without what is in them. */
const namesIn = async (mapwright: Mapwright): Promise<unknown[]> =>
  (await mapwright.get('/projects?fields=name')).list.map(({ name }) => name);

t.test('an export is the project as GET shows it, with the same tag', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const { mapwright } = world;
  for (const name of ['Object', 'Popup', 'DataSource', 'Variable', 'Action'] as const) await world.make(name);
  const at = `/projects/${world.projectId}`;
  const [shown, answer] = [await mapwright.get(at), await mapwright.get(`${at}/export`)];
  t.equal(answer.status, 200);
  t.equal(answer.text, `{"format":"mapwright-project","version":1,"project":${shown.text}}`);
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  t.equal(answer.headers.etag, shown.headers.etag);
  const etag = String(answer.headers.etag);
  t.equal((await mapwright.get(`${at}/export`, { headers: { 'if-none-match': etag } })).status, 304);
  t.equal((await mapwright.get(`${at}/export`, { headers: { 'if-match': '"x"' } })).status, 412);
  const head = await mapwright.ask('HEAD', `/v1${at}/export`);
  t.strictSame([head.status, head.text, head.headers.etag], [200, '', etag]);
  t.equal((await mapwright.patch(at, { name: 'x' }, { headers: { 'if-match': etag } })).status, 200);
  t.not((await mapwright.get(`${at}/export`)).headers.etag, etag);
  t.equal((await mapwright.get(`${at}/export?pretty=1`)).status, 400);
  t.equal((await mapwright.post(`${at}/export`, {})).status, 405);
});

t.test('the file name of an export is a safe form of the project name', async (t) => {
  const mapwright = await startForRequests(t);
  const names: Record<string, string> = {
    'City walk': 'City-walk',
    '  Wien – Döbling/2027  ': 'Wien-Dobling-2027',
    '"; filename="evil.exe': 'filename-evil-exe',
    '..\\..\r\n': 'project',
    東京: 'project',
    '': 'project',
    // Devices on Windows, with whatever ending.
    CON: 'project-CON',
    ' nul. ': 'project-nul',
    'Com1/': 'project-Com1',
    console: 'console',
    ['ﷺ'.repeat(40)]: 'project',
    ['ﬃ'.repeat(400)]: 'ffi'.repeat(40).slice(0, 64),
    ['a'.repeat(100_000)]: 'a'.repeat(64),
  };
  for (const [name, file] of Object.entries(names)) {
    const { id } = (await mapwright.post('/projects', { name })).shown;
    const { headers } = await mapwright.get(`/projects/${id}/export`);
    t.equal(headers['content-disposition'], `attachment; filename="${file}.mapwright.json"`);
  }
});

t.test('an exported example is imported by another server with equal content', async (t) => {
  const options = { segmentBytes: 16 * mebibyte };
  const [here, there] = [await startMapwright(t, options), await startMapwright(t, options)];
  for (const file of sampled(exampleFiles, 2)) {
    const { id } = (await here.post(at, exampleText(file))).shown;
    const exported = await here.get(`/projects/${id}/export`);
    const records = there.lastRecord();
    const answer = await there.post(at, exported.text);
    t.equal(answer.status, 200, file);
    t.equal(there.lastRecord(), records + 1, 'one record');
    const [source, made] = [(exported.json as { project: Shown }).project, answer.shown];
    t.ok(sameProject(source, made), `${file}: the same, references too`);
    const old = new Set(identitiesOf(source));
    const named = answer.text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
    t.notOk(named.some((one) => old.has(one)));
    t.not(made['user_id'], source['user_id']);
    const read = await there.get(`/projects/${made.id}`);
    t.ok(read.text === answer.text && read.headers.etag === answer.headers.etag);
    const again = (await there.get(`/projects/${made.id}/export`)).json as { project: Shown };
    t.ok(sameProject(again.project, source), 'exported again');
  }
  const before = (await there.get('/projects')).text;
  await there.crash();
  t.ok((await there.get('/projects')).text === before);
});

t.test('any valid project survives export and import, with its members in any order', async (t) => {
  const mapwright = await startForRequests(t);
  await fc.assert(
    fc.asyncProperty(bodyOf(resourceNamed('Project'), { elements: 4 }), fc.boolean(), async (body, reversed) => {
      const source = (await mapwright.post('/projects', body)).shown;
      const exported = (await mapwright.get(`/projects/${source.id}/export`)).json;
      const made = (await mapwright.post(at, reversed ? turned(exported) : exported)).shown;
      if (!sameProject(source, made)) throw new Error(JSON.stringify([source, made]));
    }),
    { numRuns: sized({ sample: 12, all: 60 }) },
  );
});

/** The same with the members of the document, the project and the artboards the other way round. */
function turned(exported: unknown): unknown {
  const { project, ...head } = exported as { project: Shown & { artboards: object[] } };
  const turn = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
  return { project: turn({ ...project, artboards: project.artboards.map(turn) }), ...turn(head) };
}

t.test('an import rewrites references of a project to itself', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  await mapwright.patch(`/projects/${id}`, { settings: { home: id }, actions: [{ conditions: [{ in: id }] }] });
  const made = (await mapwright.post(at, (await mapwright.get(`/projects/${id}/export`)).text)).shown;
  t.match(made, { settings: { home: made.id }, actions: [{ conditions: [{ in: made.id }] }] });
  t.not(made.id, id);
});

t.test('an import resolves references by the identifiers of the document', async (t) => {
  const mapwright = await startForRequests(t);
  const answer = await mapwright.post(
    at,
    documentOf({
      popups: [
        { id: '1', attachedTo: '1', content: '<a href="#1">the artboard</a> <a href="#room">the room</a>' },
        { attachedTo: '2', buttonLink: '#room' },
        { id: '2', attachedTo: '', buttonLink: '#other' },
      ],
      artboards: [
        {
          objects: [
            { id: '1', type: 'spot', click_action_artboard_id: '1' },
            { id: 'room', type: 'spot' },
          ],
          id: '1',
          name: '1',
        },
        {},
      ],
      actions: [{ object_id: '1', conditions: [{ variable_id: '1' }] }],
      variables: [{ id: '1', iterator_id: '1' }],
      created: 'long ago',
    }),
  );
  const { artboards, popups, actions, variables, created } = answer.shown as unknown as {
    artboards: (Shown & { objects: Shown[] })[];
    popups: Shown[];
    actions: Shown[];
    variables: Shown[];
    created: string;
  };
  const object = artboards[0]?.objects[0] as Shown;
  t.equal(object['click_action_artboard_id'], artboards[0]?.id);
  t.strictSame(
    popups.map(({ attachedTo }) => attachedTo),
    [object.id, '2', ''],
  );
  const room = artboards[0]?.objects[1] as Shown;
  t.equal(popups[0]?.['content'], `<a href="#${artboards[0]?.id}">the artboard</a> <a href="#${room.id}">the room</a>`);
  t.strictSame([popups[1]?.['buttonLink'], popups[2]?.['buttonLink']], [`#${room.id}`, '#other']);
  t.equal(actions[0]?.['object_id'], object.id);
  t.strictSame(actions[0]?.['conditions'], [{ variable_id: '1' }], 'a text like any other');
  t.equal(variables[0]?.['iterator_id'], variables[0]?.id);
  t.match(created, /^\d{4}-/);
  const ids = identitiesOf(answer.shown);
  t.ok(ids.every((id) => id.length === 36) && new Set(ids).size === ids.length);
});

t.test('an invalid document is refused with pointers and creates nothing', async (t) => {
  const mapwright = await startForRequests(t, { segmentBytes: 16 * mebibyte });
  const spot = { type: 'spot' };
  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const whole = (project: string): string => `{"format":"mapwright-project","version":1,"project":${project}}`;
  const refusals: [what: string, body: unknown, status: number, ...pointers: string[]][] = [
    ['nothing', '', 400, ''],
    ['an array', '[]', 400, ''],
    ['a word', 'null', 400, ''],
    ['a byte order mark', `\ufeff${whole('{}')}`, 400, ''],
    ['a project as it is shown', { id: 'x', name: 'x' }, 400, '/format', '/project', '/id', '/name'],
    ['another format', { ...documentOf({}), format: 'x' }, 400, '/format'],
    ['another version', { ...documentOf({ unknown: 1 }), version: 2 }, 400, '/version'],
    [
      'a version that comes last',
      { project: { unknown: 1 }, format: 'mapwright-project', version: 2 },
      400,
      '/project/unknown',
      '/version',
    ],
    ['a version as a text', { ...documentOf({}), version: '1' }, 400, '/version'],
    ['no project', { format: 'mapwright-project', version: 1 }, 400, '/project'],
    ['a project that is none', documentOf(5), 400, '/project'],
    ['more members', { ...documentOf({}), 'a/b': 1 }, 400, '/a~1b'],
    ['unknown members', documentOf({ nam: '', artboards: [{ zoom: 1 }] }), 400, '/project/artboards/0/zoom', '/project/nam'],
    ['wrong types', documentOf({ popups: [{}, { title: 5 }], name: null }), 400, '/project/popups/1/title', '/project/name'],
    [
      'wrong elements',
      documentOf({ artboards: [5, { objects: [spot, null, {}] }] }),
      400,
      '/project/artboards/0',
      '/project/artboards/1/objects/1',
      '/project/artboards/1/objects/2/type',
    ],
    [
      'collections that are none',
      documentOf({ popups: {}, artboards: [{ objects: 'x' }] }),
      400,
      '/project/artboards/0/objects',
      '/project/popups',
    ],
    ['one identifier twice', documentOf({ popups: [{ id: 'a' }, { id: 'a' }] }), 400, '/project/popups/1/id'],
    ['identifiers that are none', documentOf({ popups: [{ id: 5 }], id: 7 }), 400, '/project/popups/0/id', '/project/id'],
    ['a collection twice', whole('{"popups":[],"popups":[]}'), 400, ''],
    ['a project twice', '{"project":{},"project":{}}', 400, ''],
    ['a prototype', whole('{"popups":[{"__proto__":{}}]}'), 400, '/project/popups/0/__proto__'],
    ['a prototype of the project', whole('{"__proto__":{}}'), 400, '/project/__proto__'],
    ['half a character', whole('{"popups":[{"title":"\\ud800"}]}'), 400, '/project/popups/0/title'],
    [
      'gigantic numbers',
      whole('{"artboards":[{"width":1e999,"objects":[{"type":"spot","x":-1e999}]}]}'),
      400,
      '/project/artboards/0/objects/0/x',
      '/project/artboards/0/width',
    ],
    ['a number without an end', whole(`{"artboards":[{"width":${'9'.repeat(5000)}}]}`), 400, '/project/artboards/0/width'],
    ['no UTF-8', Buffer.concat([Buffer.from('{"format":"'), Buffer.of(0xff), Buffer.from('"}')]), 400, ''],
    ['deep nesting', whole(`{"settings":{"a":${deep(100)}}}`), 400, ''],
    ['deep nesting in a member', whole(`{"actions":[{"conditions":[{"a":${deep(62)}}]}]}`), 400, ''],
    ['nesting and no end', whole(`{"settings":${'['.repeat(1_000_000)}`), 400, ''],
    ['what follows', `${whole('{}')}{}`, 400, ''],
    ['a comma too many', whole('{"popups":[{},]}'), 400, ''],
    ['a member without a value', whole('{"popups":[{}],"name"}'), 400, ''],
  ];
  for (const [what, body, status, ...pointers] of refusals) {
    const answer = await mapwright.post(at, body);
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
    if (status === 400) t.strictSame(answer.pointers, pointers, what);
  }
  const many = await mapwright.post(at, documentOf({ popups: Array.from({ length: 1000 }, () => 5) }));
  t.equal(many.status, 400);
  t.equal(many.pointers.length, 100);
  t.equal((await mapwright.post(at, documentOf({}), { headers: { 'content-type': 'text/plain' } })).status, 415);
  t.equal((await mapwright.post(at, documentOf({}), { headers: { 'content-encoding': 'compress' } })).status, 415);
  t.equal((await mapwright.post(`${at}?name=x`, documentOf({}))).status, 400);
  t.strictSame(await namesIn(mapwright), [], 'nothing came of any of them');
  t.equal(
    (await mapwright.post(at, whole(`{"actions":[{"conditions":[{"a":${deep(61)}}]}]}`))).status,
    200,
    'as deep as an action may be',
  );
  t.equal((await mapwright.post(at, documentOf({}))).status, 200, 'an empty one is one');
});

t.test('/projects/import is a missing project for GET, PATCH and DELETE', async (t) => {
  const mapwright = await startForRequests(t);
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'a' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await mapwright.ask(method, '/v1/projects/import', { body });
    t.strictSame([answer.status, answer.problem.code], [404, 'not_found'], method);
  }
  const other = await mapwright.ask('PUT', '/v1/projects/import', { body: {} });
  t.strictSame([other.status, other.headers.allow?.split(', ').sort()], [405, ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST']]);
});

t.test('an import with a part or a length above its limit gets 413', async (t) => {
  const mapwright = await startForRequests(t, { limits: { streamedBytesMax: 60 * mebibyte } });
  const head = '{"format":"mapwright-project","version":1,"project":{';
  const text = await mapwright.post(at, `${head}"popups":[{"content":"${'x'.repeat(17 * mebibyte)}"}]}}`);
  t.equal(text.status, 413);
  t.match(text.problem.detail, /a part of more than/);
  const announced = await send(mapwright, [], { headers: { 'content-length': String(60 * mebibyte + 1) } });
  t.equal(announced.status, 413);
  const spaces = Array.from({ length: 61 }, () => ' '.repeat(mebibyte));
  t.equal((await send(mapwright, spaces)).status, 413, 'and what announces nothing');
  t.strictSame(await namesIn(mapwright), []);
  t.equal(await bodiesBytes(mapwright), 0);
});

/** Whom an import is sent to. */
type Asked = Pick<Mapwright, 'port' | 'key'>;

/** An import that is sent piece by piece: each a chunk, or a packet when its length was announced. */
function begin(
  mapwright: Asked,
  { headers = {}, key = mapwright.key }: Ask = {},
): { req: ClientRequest; answer: Promise<Answer> } {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  const req = request({ host: '127.0.0.1', port: mapwright.port, path: `/v1${at}`, method: 'POST', headers: all, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve(new Answer(res.statusCode ?? 0, res.headers, Buffer.concat(chunks).toString())));
    });
  });
  answer.catch(() => undefined);
  req.flushHeaders();
  return { req, answer };
}

async function send(mapwright: Asked, pieces: readonly (string | Buffer)[], ask?: Ask): Promise<Answer> {
  const { req, answer } = begin(mapwright, ask);
  for (const piece of pieces) {
    if (req.destroyed || !(await new Promise<boolean>((resolve) => req.write(piece, (error) => resolve(!error))))) break;
  }
  if (ask?.headers?.['content-length'] === undefined) req.end();
  return answer;
}

async function bodiesBytes({ port }: Mapwright): Promise<number> {
  const text = await (await fetchDescribed(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^mapwright_http_bodies_bytes (\d+)/m.exec(text)?.[1]);
}

/** Waits until something is so. */
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await delay(5);
}

t.test('an import arrives in pieces of any size, and a truncated one gets 400', async (t) => {
  const mapwright = await startForRequests(t);
  const sent = {
    name: 'é"\\',
    artboards: [{ objects: [{ type: 'poly', coords: [{ x: 1, y: -2.5e-3 }] }] }],
    popups: [{ title: '[{' }],
  };
  const bytes = Buffer.from(JSON.stringify(documentOf(sent)));
  for (const size of [1, 2, 3, 7, 16, 50, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
    const answer = await send(mapwright, pieces);
    t.match(answer.shown, sent, `pieces of ${size}`);
  }
  const count = (await namesIn(mapwright)).length;
  for (let length = 0; length < bytes.length; length++) {
    const answer = await mapwright.post(at, bytes.subarray(0, length));
    if (answer.status !== 400) t.fail(`${length}: ${answer.status}`);
  }
  const tinyChunks = await send(
    mapwright,
    Array.from({ length: 5000 }, () => ' '),
  );
  t.match(tinyChunks, { status: 400, problem: { detail: /chunks of less than/ } });
  t.equal((await namesIn(mapwright)).length, count);
});

/** The beginning of a project that goes on for ever: popups, one after the other. */
const popups = (count: number): string => '{"title":"a popup"},'.repeat(count);
const beginning = '{"format":"mapwright-project","version":1,"project":{"popups":[';

/** An import of which a good part has come, and the rest has not. */
async function halfway(mapwright: Mapwright, ask?: Ask) {
  const { req, answer } = begin(mapwright, ask);
  req.write(beginning + popups(5000));
  await until(async () => (await bodiesBytes(mapwright)) > 100_000);
  return { req, answer };
}

t.test('other requests are answered during an import, whose memory counts until its response', async (t) => {
  const mapwright = await startForRequests(t);
  const { req, answer } = await halfway(mapwright);
  t.equal((await mapwright.post('/projects', { name: 'another' })).status, 200);
  t.strictSame(await namesIn(mapwright), ['another']);
  req.end('{}]}}');
  const made = (await answer).shown as unknown as { popups: Shown[] };
  t.equal(made.popups.length, 5001);
  t.ok(made.popups.every(({ id }, i) => i === 0 || id > String(made.popups[i - 1]?.id)));
  await until(async () => (await bodiesBytes(mapwright)) === 0);
});

t.test('an import ends without a project when its client leaves, stalls or loses its key', async (t) => {
  const mapwright = await startForRequests(t, { limits: { bodyStallTimeoutMs: 2000 } });
  const gone = await halfway(mapwright);
  gone.req.destroy();
  await until(async () => (await bodiesBytes(mapwright)) === 0);
  const stalled = await halfway(mapwright);
  t.equal((await stalled.answer).status, 408);
  t.equal(await bodiesBytes(mapwright), 0);
  const { key, id } = await mapwright.server.createKey('ann');
  const revoked = await halfway(mapwright, { key });
  await mapwright.server.revokeKey(id);
  revoked.req.end('{}]}}');
  t.equal((await revoked.answer).status, 401);
  t.equal(await bodiesBytes(mapwright), 0);
  t.strictSame(await namesIn(mapwright), []);
  const faulty = begin(mapwright);
  faulty.req.write(`${beginning}]]`);
  t.equal((await faulty.answer).status, 400, 'before the rest has come');
  t.strictSame(await namesIn(mapwright), []);
});

t.test('an import beyond the memory of its account gets 429, and other accounts go on', async (t) => {
  const mapwright = await startForRequests(t, { limits: { bodyBytesMax: 100_000, bodiesBytesMax: 800_000 } });
  const first = await halfway(mapwright);
  const { req, answer } = begin(mapwright);
  req.write(beginning + popups(5000));
  t.match(await answer, { status: 429, headers: { 'retry-after': '1' } });
  const other = await halfway(mapwright, { key: await mapwright.newKey('bob') });
  other.req.end('{}]}}');
  t.equal((await other.answer).status, 200, 'is no other account');
  first.req.end('{}]}}');
  t.equal((await first.answer).status, 200);
  t.equal((await mapwright.get('/projects')).list.length, 1);
});

t.test('an import larger than the memory of an account gets 413 with the limit', async (t) => {
  const mapwright = await startForRequests(t, { limits: { bodyBytesMax: 100_000, bodiesBytesMax: 800_000 } });
  const { req, answer } = begin(mapwright);
  req.write(beginning + popups(40_000));
  const { status, headers, problem } = await answer;
  t.match({ status, problem }, { status: 413, problem: { code: 'payload_too_large', detail: /more than 400000 bytes/ } });
  t.equal(headers['retry-after'], undefined, 'and not to come again');
  t.equal(await bodiesBytes(mapwright), 0);
  const small = begin(mapwright);
  small.req.end(`${beginning}{}]}}`);
  t.equal((await small.answer).status, 200);
  t.equal((await mapwright.get('/projects')).list.length, 1, 'and nothing else was made');
});

t.test('a server that stops completes an import in flight', async (t) => {
  const mapwright = await startMapwright(t);
  const { req, answer } = await halfway(mapwright);
  const closed = mapwright.close();
  req.end('{}]}}');
  t.equal((await answer).status, 200, 'what is in flight ends');
  await closed;
  await mapwright.start();
  t.equal((await mapwright.get('/projects')).list.length, 1);
});

t.test('a crash during an import leaves no project, and one after it keeps the project', async (t) => {
  const mapwright = await startMapwright(t);
  const broken = await halfway(mapwright);
  broken.req.destroy();
  await mapwright.crash();
  t.strictSame(await namesIn(mapwright), []);
  const { id } = (await mapwright.post(at, documentOf({ name: 'x', popups: [{}] }))).shown;
  const before = (await mapwright.get(`/projects/${id}`)).text;
  await mapwright.crash();
  t.equal((await mapwright.get(`/projects/${id}`)).text, before);
});

t.test('an import holds the memory of its record, and none for skipped parts', async (t) => {
  const ids = idSource();
  const project = (member: string) => `${beginning}{}],${member}`;
  const draft = new ImportDraft({ accountId: 'a', by: '' }, { newId: () => ids.next() }, 16 * mebibyte, 5 * mebibyte);
  draft.write(Buffer.from(project('"artboards":[{"objects":[')));
  const object = Buffer.from(
    `${JSON.stringify({ type: 'poly', coords: Array.from({ length: 20 }, () => ({ x: 1, y: 2 })) })},\n  `,
  );
  const gap = Buffer.alloc(1000, ' ');
  let bytes = 0;
  let most = 0;
  for (let i = 0; i < 20_000; i++) {
    for (const piece of [object, gap]) {
      draft.write(piece);
      bytes += piece.length;
      most = Math.max(most, draft.heldBytes);
    }
  }
  t.ok(most < bytes / 5, `${most} bytes of ${bytes}`);
  t.ok(most > 20_000 * 80, 'and that is counted');
  draft.write(Buffer.from('{}'));
  t.ok(draft.heldBytes < 100_000, 'nothing of what comes to nothing');
});

t.test('an export made during writes shows one version of the project', async (t) => {
  const mapwright = await startForRequests(t, { segmentBytes: 16 * mebibyte });
  const bodyNamed = (name: string) => ({
    name,
    artboards: [{ name, objects: Array.from({ length: 3000 }, () => ({ type: 'spot', name })) }],
    popups: [{ name }],
  });
  const { id } = (await mapwright.post('/projects', bodyNamed('v0'))).shown;
  const writing = (async () => {
    for (let i = 1; i <= 5; i++) await mapwright.patch(`/projects/${id}`, bodyNamed(`v${i}`));
  })();
  for (let i = 0; i < 6; i++) {
    const exported = await mapwright.get(`/projects/${id}/export`);
    const names = new Set(exported.text.match(/"v\d"/g));
    t.equal(names.size, 1, [...names].join());
    const made = (await mapwright.post(at, exported.text)).shown;
    t.ok(sameProject(made, (exported.json as { project: Shown }).project));
  }
  await writing;
});

/** Calls without HTTP: typed, with error classes, and with the same results as over HTTP. */
import t, { type Test } from 'tap';
import {
  type BatchOperation,
  ConflictError,
  createServer,
  etagOf,
  type InMemoryServerOptions,
  type LocalProjectDocument,
  type MapObject,
  NotFoundError,
  PreconditionFailedError,
  type Project,
  QuotaExceededError,
  RefusedError,
  StoppedError,
  ValidationError,
} from '../../src/index.ts';
import { type Answer, ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { temporaryFolder } from '../support/process.ts';

/** A server in memory with a project of an account, and a way to ask it over HTTP. */
async function world(t: Pick<Test, 'teardown'>, options: Partial<InMemoryServerOptions> = {}) {
  const server = await createServer({ log: recordingLog().log, ...options, inMemory: true });
  t.teardown(() => server.close());
  const { key } = await server.createKey('ann');
  const { url } = await server.listen(0);
  const project = await server.projects.create('ann', { name: 'Harbour', artboards: [{ objects: [{ type: 'spot' }] }] });
  const over = (method: string, path: string, body?: unknown): Promise<Answer> => ask({ url, key }, method, `/v1${path}`, body);
  const artboard = project.artboards[0]?.id ?? '';
  return {
    server,
    over,
    url,
    key,
    project,
    at: { account: 'ann', project: project.id },
    on: { account: 'ann', project: project.id, artboard },
  };
}

t.test('a call returns the bytes and the entity tag of the HTTP response', async (t) => {
  const { server, over, project, at, on } = await world(t);
  const popup = await server.popups.create(at, { title: 'Opera', maxWidth: -0 });
  const object = await server.objects.create(on, { type: 'poly', coords: [{ x: 1, y: 2.5 }] });
  const source = await server.dataSources.create(at, { headers: [{ name: 'x', deep: [{ toJSON: 1 }] }] });
  const shown: [object, string][] = [
    [await server.projects.get('ann', project.id), `/projects/${project.id}`],
    [await server.popups.get(at, popup.id), `/projects/${project.id}/popups/${popup.id}`],
    [popup, `/projects/${project.id}/popups/${popup.id}`],
    [object, `/projects/${project.id}/artboards/${on.artboard}/objects/${object.id}`],
    [source, `/projects/${project.id}/data-sources/${source.id}`],
    [await server.projects.list('ann'), '/projects'],
    [await server.objects.list(on), `/projects/${project.id}/artboards/${on.artboard}/objects`],
    [await server.projects.export('ann', project.id), `/projects/${project.id}/export`],
  ];
  for (const [value, path] of shown) {
    const answer = await over('GET', path);
    t.equal(JSON.stringify(value), answer.text, path);
    t.equal(etagOf(value), answer.headers.etag, path);
  }
  const part = await server.objects.list(on, { filter: { type: 'spot', pin: true }, sort: ['-x', 'name'], fields: ['x'] });
  const asked = await over(
    'GET',
    `/projects/${project.id}/artboards/${on.artboard}/objects?type=spot&pin=true&sort=-x,name&fields=x`,
  );
  t.equal(JSON.stringify(part), asked.text);
  t.equal(part[0]?.x, 0);
});

t.test('results and arguments share no object with the state', async (t) => {
  const { server, over, project, at } = await world(t);
  const settings = { theme: { dark: true } };
  const made = await server.projects.update('ann', project.id, { settings });
  settings.theme.dark = false;
  (made as { name: string }).name = 'mine';
  (made.settings as { theme: unknown }).theme = 'gone';
  t.match((await over('GET', `/projects/${project.id}`)).json, { name: 'Harbour', settings: { theme: { dark: true } } });
  const first = await server.popups.create(at, {});
  const list = await server.popups.list(at);
  list.length = 0;
  t.match(await server.popups.list(at), [{ id: first.id }]);
});

t.test('a value that was read can be written back, and a wrong one does not compile', async (t) => {
  const { server, project, at, on } = await world(t);
  const whole = await server.projects.get('ann', project.id);
  t.strictSame(await server.projects.update('ann', project.id, whole), whole);
  const [artboard] = await server.artboards.list(at);
  if (artboard !== undefined) t.strictSame(await server.artboards.update(at, artboard.id, artboard), artboard);
  const action = await server.actions.create(at, {
    conditions: [{ any: 1 }],
    style_pin: { name: 'pin', type: 'custom', value: true },
  });
  t.strictSame(await server.actions.update(at, action.id, action), action);
  await server.variables.create(at, { data_path: { nodes: [1], more: 'is kept' } });
  // @ts-expect-error an object has a type
  await t.rejects(server.objects.create(on, {}), ValidationError);
  // @ts-expect-error it is one of two
  await t.rejects(server.objects.create(on, { type: 'round' }), ValidationError);
  // @ts-expect-error a popup is in a project
  await t.rejects(server.popups.list('ann'), { name: 'TypeError' });
  // @ts-expect-error an object is on an artboard
  await t.rejects(server.objects.list(at), { name: 'TypeError' });
  // @ts-expect-error what is made has no identifier yet
  await t.rejects(server.popups.create(at, { id: 'mine' }), ValidationError);
  // @ts-expect-error an array is nothing to sort by
  await t.rejects(server.objects.list(on, { sort: ['coords'] }), ValidationError);
  // @ts-expect-error there is a folder, or there is none
  await t.rejects(createServer({ inMemory: true, data: 'maps' }), { name: 'TypeError' });
  const [first] = await server.objects.list(on, { fields: ['x'] });
  // @ts-expect-error it was not asked for
  t.equal(first?.y, undefined);
});

t.test('pages contain every member of a list once', async (t) => {
  const { server, on } = await world(t);
  for (let i = 0; i < 6; i++) await server.objects.create(on, { type: 'spot', x: i % 3 });
  const sizes: number[] = [];
  const ids: string[] = [];
  for await (const page of server.objects.pages(on, 3, { sort: ['x'], fields: ['x'] })) {
    sizes.push(page.length);
    ids.push(...page.map(({ id }) => id));
  }
  t.strictSame(sizes, [3, 3, 1]);
  t.strictSame(
    ids,
    (await server.objects.list(on, { sort: ['x'] })).map(({ id }) => id),
  );
});

t.test('an update with ifMatch changes the version that was read or throws PreconditionFailedError', async (t) => {
  const { server, over, project } = await world(t);
  const read = await server.projects.get('ann', project.id);
  await over('PATCH', `/projects/${project.id}`, { name: 'of another' });
  const late = server.projects.update('ann', project.id, { name: 'mine' }, { ifMatch: read });
  await t.rejects(late, PreconditionFailedError);
  await t.rejects(late, { status: 412, code: 'precondition_failed' });
  const now = await server.projects.get('ann', project.id);
  t.equal(now.name, 'of another');
  t.equal((await server.projects.update('ann', project.id, { name: 'mine' }, { ifMatch: now })).name, 'mine');
  await t.rejects(server.projects.delete('ann', project.id, { ifMatch: etagOf(now) as string }), PreconditionFailedError);
  await t.rejects(server.projects.update('ann', project.id, {}, { ifMatch: { ...now } }), {
    name: 'TypeError',
    message: /not a copy/,
  });
  await t.rejects(server.projects.update('ann', project.id, {}, { ifMatch: 'not a tag' }), ValidationError);
});

t.test('duplicate, export, import and batch work without HTTP', async (t) => {
  const { server, project } = await world(t);
  const copy = await server.projects.duplicate('ann', project.id, { name: 'next year' });
  t.match(copy, { name: 'next year', artboards: [{ objects: [{ type: 'spot' }] }] });
  t.equal((await server.projects.duplicate('ann', project.id)).name, 'Harbour');
  const document: LocalProjectDocument = await server.projects.export('ann', project.id);
  const text = JSON.stringify(document);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const byte of Buffer.from(text)) yield Buffer.of(byte);
  }
  for (const source of [document, text, Buffer.from(text), pieces()]) {
    const imported = await server.projects.import('ann', source);
    t.not(imported.id, project.id);
    t.equal(imported.name, 'Harbour');
    t.equal(imported.artboards[0]?.objects.length, 1);
  }
  await t.rejects(server.projects.import('ann', '{"format":'), ValidationError);
  await t.rejects(server.projects.import('ann', undefined as never), { name: 'TypeError', message: /the document must be/ });
  await t.rejects(server.projects.import('ann', {} as LocalProjectDocument), {
    code: 'validation_failed',
    errors: [{ pointer: '/format' }],
  });
  const results = await server.projects.batch('ann', copy.id, [
    { method: 'POST', path: '/popups', body: { title: 'one' }, as: 'one' },
    { method: 'PATCH', path: '/popups/{one}', body: { title: 'two' } },
    { method: 'DELETE', path: '/popups/{one}' },
  ]);
  t.equal(etagOf(results), etagOf(await server.projects.get('ann', copy.id)), 'in the version of the project');
  t.match(results, [{ status: 200, body: { title: 'one' } }, { body: { title: 'two' } }, { status: 204, body: null }]);
  const failed = server.projects.batch('ann', copy.id, [
    { method: 'POST', path: '/popups', body: {} },
    { method: 'DELETE', path: '/popups/none' },
  ]);
  await t.rejects(failed, { name: 'NotFoundError', index: 1, message: /^Operation 1 of the batch: / });
  t.strictSame((await server.projects.get('ann', copy.id)).popups, [], 'all or none');
  const names = Array.from({ length: 3 }, (_, i) => ({ method: 'PATCH', path: '/', body: { name: `${i}` } }) as const);
  const [{ body } = { body: null }] = await server.projects.batch('ann', copy.id, names);
  t.strictSame(Object.keys(body ?? {}), ['id', 'user_id', 'created', 'name', 'thumb', 'settings'], 'without collections');
});

t.test('an idempotency key is shared by calls and HTTP requests', async (t) => {
  const { server, project, url, key } = await world(t);
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'k1', 'content-type': 'application/json' };
  const post = async (body: string) =>
    fetchDescribed(`${url}/api/v1/projects/${project.id}/popups`, { method: 'POST', headers, body });
  const at = { account: 'ann', project: project.id };
  const made = await server.popups.create(at, { title: 'x' }, { idempotencyKey: 'k1' });
  const again = await post('{"title":"x"}');
  t.equal(again.headers.get('idempotency-replayed'), 'true');
  t.equal(await again.text(), JSON.stringify(made));
  t.strictSame(await server.popups.create(at, { title: 'x' }, { idempotencyKey: 'k1' }), made);
  t.equal((await server.popups.list(at)).length, 1);
  await t.rejects(server.popups.create(at, { title: 'y' }, { idempotencyKey: 'k1' }), { code: 'unprocessable', status: 422 });
});

t.test('a refused call throws an error class with the code and message of HTTP', async (t) => {
  const { server, over, project, at, on } = await world(t, { quotas: { members: 3 } });
  const body = { type: 'spot', x: 'far', colour: 'red' };
  const refused = await server.objects.create(on, body as never).catch((error: unknown) => error);
  const answer = await over('POST', `/projects/${project.id}/artboards/${on.artboard}/objects`, body);
  t.ok(refused instanceof ValidationError && refused instanceof RefusedError && refused instanceof Error);
  t.match(refused, { status: 400, code: 'validation_failed', message: answer.json.detail, errors: answer.json.errors });
  const missing: (() => Promise<unknown>)[] = [
    () => server.projects.get('nobody', project.id),
    () => server.projects.get('ann', 'none'),
    () => server.projects.get('ann', ''),
    () => server.popups.get(at, 'none'),
    () => server.popups.update(at, 'none', {}),
    () => server.popups.delete(at, ''),
    () => server.popups.create({ ...at, project: '' }, {}),
    () => server.objects.list({ ...on, artboard: '' }),
    () => server.objects.create({ ...on, artboard: '' }, { type: 'spot' }),
    () => server.objects.create({ ...on, artboard: 'none' }, { type: 'spot' }),
    () => server.projects.get('ann', '../projects'),
    () => server.projects.export('ann', 'none'),
  ];
  for (const call of missing) await t.rejects(call(), NotFoundError, String(call));
  await t.rejects(server.projects.get('ben', project.id), { message: /no account "ben"/ });
  await t.rejects(server.projects.get('ann', 'none'), { message: '/projects/none in the account "ann" does not exist.' });
  await server.createAccount('ben');
  await t.rejects(server.projects.get('ben', project.id), NotFoundError, 'what is another account\u2019s');
  const spot = (await server.objects.list(on))[0] as MapObject;
  await server.popups.create(at, { attachedTo: spot.id });
  const conflict = await server.objects.delete(on, spot.id, { strict: true }).catch((error: unknown) => error);
  t.ok(conflict instanceof ConflictError);
  t.match(conflict, { status: 409, errors: [{ pointer: '/popups/0/attachedTo' }] });
  await t.rejects(server.popups.create(at, {}), QuotaExceededError);
  await t.rejects(server.popups.create(at, {}), { code: 'quota_exceeded', status: 403, cause: { quota: 'members', limit: 3 } });
});

t.test('a call with invalid arguments throws a TypeError', async (t) => {
  const { server, project, at } = await world(t);
  const wrong: (() => Promise<unknown>)[] = [
    () => server.projects.get(undefined as never, project.id),
    () => server.projects.get('ann', undefined as never),
    () => server.projects.get(7 as never, project.id),
    () => server.popups.get({ account: 'ann' } as never, 'x'),
    () => server.popups.get(undefined as never, 'x'),
    () => server.popups.get({ ...at, project: {} } as never, 'x'),
  ];
  for (const call of wrong) await t.rejects(call(), { name: 'TypeError' }, String(call));
  for (const body of [undefined, null, [], 'x', () => 1]) {
    await t.rejects(server.projects.update('ann', project.id, body as never), ValidationError, String(body));
  }
  await t.rejects(server.projects.list('ann', { filter: { typ: 'x' } as never }), { message: /Unknown query parameter "typ"/ });
  await t.rejects(server.projects.create('ann', JSON.parse('{"settings":{"__proto__":1}}')), ValidationError);
  await t.rejects(server.projects.create('ann', { name: '\ud800' }), { errors: [{ pointer: '/name' }] });
});

t.test('a value that JSON cannot represent is refused with its pointer', async (t) => {
  const { server, project, at } = await world(t);
  class Point {
    x = 1;
  }
  const itself: Record<string, unknown> = {};
  itself['in'] = [itself];
  const wrong: [value: unknown, pointer: string, detail: RegExp][] = [
    [Number.NaN, '', /JSON value, not NaN/],
    [Number.NEGATIVE_INFINITY, '', /JSON value, not -Infinity/],
    [() => 1, '', /a function/],
    [Symbol('s'), '', /a symbol/],
    [1n, '', /a bigint/],
    [[1, undefined], '/1', /undefined/],
    // biome-ignore lint/suspicious/noSparseArray: that is what is tried
    [[1, , 2], '/1', /undefined/],
    [new Map([['a', 1]]), '', /an instance of Map/],
    [new Set([1]), '', /an instance of Set/],
    [new Uint8Array(2), '', /an instance of Uint8Array/],
    [new Point(), '', /an instance of Point/],
    [new Date(Number.NaN), '', /a valid date/],
    [{ toJSON: () => new Map() }, '', /an instance of Map/],
    [{ 'a/b': [{ c: Number.POSITIVE_INFINITY }] }, '/a~1b/0/c', /not Infinity/],
    [itself, '/in/0', /no cycles/],
    [nested(80), '/a'.repeat(62), /deeper than 64 levels/],
  ];
  for (const [value, pointer, detail] of wrong) {
    const errors = [{ pointer: `/settings/held${pointer}`, detail }];
    const refused = { name: 'ValidationError', status: 400, errors };
    await t.rejects(server.projects.update('ann', project.id, { settings: { held: value } }), refused, String(detail));
    const change = { method: 'PATCH', path: '/', body: { settings: { held: value } } } as const;
    const inBatch = { name: 'ValidationError', errors: [{ pointer: /^\/operations\/0\/body\/settings/ }] };
    await t.rejects(server.projects.batch('ann', project.id, [change]), inBatch);
    const document = { ...(await server.projects.export('ann', project.id)) };
    const changed = { ...document, project: { ...document.project, settings: { held: value } } };
    await t.rejects(server.projects.import('ann', changed), { name: 'ValidationError' });
  }
  await t.rejects(server.popups.create(at, { title: () => 1 } as never), { errors: [{ pointer: '/title' }] });
  const many = { settings: { lists: Array.from({ length: 500_000 }, () => []) } };
  await t.rejects(server.projects.update('ann', project.id, many), { status: 413, message: /500000 objects and arrays/ });
  t.strictSame(
    (await server.projects.list('ann')).map(({ settings }) => settings),
    [{}],
    'nothing was stored',
  );

  const settings = { date: new Date(0), left: undefined, none: Object.create(null), zero: -0, again: [project.id, project.id] };
  const stored = { date: '1970-01-01T00:00:00.000Z', none: {}, zero: 0, again: [project.id, project.id] };
  t.strictSame((await server.projects.update('ann', project.id, { settings })).settings, stored, 'what has a form in JSON');
  const shared = { a: 1 };
  const twice = await server.projects.update('ann', project.id, { settings: { one: shared, other: shared } });
  t.strictSame(twice.settings, { one: shared, other: shared }, 'no cycle');
});

/** Objects in objects. */
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

t.test('concurrent calls and requests to one project lose no write', async (t) => {
  const { server, over, project, at } = await world(t);
  const writes = Array.from({ length: 40 }, async (_, i) => {
    if (i % 2 === 0) return (await server.popups.create(at, { title: `${i}` })).id;
    return (await over('POST', `/projects/${project.id}/popups`, { title: `${i}` })).json.id as string;
  });
  const ids = await Promise.all(writes);
  const popups = await server.popups.list(at);
  t.strictSame(popups.map(({ id }) => id).sort(), [...ids].sort());
  const whole = { popups: popups.slice(0, 5).map(({ id }) => ({ id })) };
  await Promise.all([
    server.projects.update('ann', project.id, whole),
    ...popups.slice(0, 5).map(({ id }) => over('PATCH', `/projects/${project.id}/popups/${id}`, { content: 'kept' })),
  ]);
  t.strictSame(
    (await server.popups.list(at)).map(({ title, content }) => [title, content]),
    popups.slice(0, 5).map(({ title }) => [title, 'kept']),
  );
});

t.test('results of calls survive a restart, and a closed server rejects calls', async (t) => {
  const data = temporaryFolder(t);
  const options = { data, segmentBytes: 1024 * 1024, log: recordingLog().log };
  const server = await createServer(options);
  const account = await server.createAccount('ann');
  t.strictSame(await server.createAccount('ann'), account, 'it is made once');
  const project = await server.projects.create('ann', { name: 'kept' });
  t.equal(project.user_id, account.id);
  const underWay = server.projects.create('ann', { name: 'under way' });
  await Promise.all([server.close(), underWay]);
  await t.rejects(server.projects.list('ann'), StoppedError);
  await t.rejects(server.projects.create('ann', {}), StoppedError);
  const again = await createServer(options);
  t.teardown(() => again.close());
  const [first, second] = (await again.projects.list('ann')) as [Project, Project];
  t.strictSame([first.id, first.name, second.name], [project.id, 'kept', 'under way']);
  t.equal(etagOf(await again.projects.get('ann', project.id)), etagOf(project), 'and so is its tag');
});

t.test('changes of an argument after the call have no effect', async (t) => {
  const { server, project, at } = await world(t);
  const body = { title: 'before' };
  const created = server.popups.create(at, body);
  body.title = 'after';
  t.equal((await created).title, 'before');
  const operations: BatchOperation[] = [{ method: 'POST', path: '/popups', body: {} }];
  const batch = server.projects.batch('ann', project.id, operations);
  operations.push({ method: 'DELETE', path: `/popups/${(await created).id}` });
  t.equal((await batch).length, 1);
  const bytes = Buffer.from(JSON.stringify(await server.projects.export('ann', project.id)));
  const imported = server.projects.import('ann', bytes);
  bytes.fill(0);
  t.equal((await imported).name, 'Harbour');
});

t.test('invalid options of a call are refused with a message, and nothing is changed', async (t) => {
  const { server, project, at } = await world(t);
  const popup = await server.popups.create(at, { title: 'kept' });
  // As a program without a compiler calls it.
  const asked: [string, (options: never) => Promise<unknown>, unknown, RegExp][] = [
    ...[null, true, 5, Symbol('key'), {}].map((key): (typeof asked)[number] => [
      'create',
      (options) => server.projects.create('ann', {}, options),
      { idempotencyKey: key },
      /"idempotencyKey" must be a string/,
    ]),
    ...(
      [
        [{ ifmatch: '"1"' }, /no option "ifmatch"; did you mean "ifMatch"\?/],
        [{ idempotencyKey: 'k' }, /no option "idempotencyKey"; its options are ifMatch, strict/],
        [{ ifMatch: null }, /ifMatch must be/],
        [{ ifMatch: 5 }, /ifMatch must be/],
        [{ strict: 'true' }, /"strict" must be true or false/],
        [{ strict: null }, /"strict" must be true or false/],
        [null, /options of a call must be an object/],
        ['"1"', /options of a call must be an object/],
      ] as const
    ).flatMap(([options, message]): typeof asked => [
      ['update', (given) => server.popups.update(at, popup.id, { title: 'lost' }, given), options, message],
      ['delete', (given) => server.popups.delete(at, popup.id, given), options, message],
    ]),
    ...(
      [
        [{ filters: {} }, /no option "filters"; did you mean "filter"\?/],
        [{ filter: { limit: 1 } }, /needs names of members; "limit" is not one/],
        [{ filter: { sort: 'title' } }, /needs names of members; "sort" is not one/],
        [{ filter: { title: null } }, /filter "title" must be/],
        [{ filter: null }, /"filter" must be an object/],
        [{ sort: 'title' }, /"sort" must be an array of strings/],
        [{ fields: [1] }, /"fields" must be an array of strings/],
        [null, /options of a call must be an object/],
      ] as const
    ).flatMap(([options, message]): typeof asked => [
      ['list', (given) => server.popups.list(at, given), options, message],
      ['pages', (given) => server.popups.pages(at, 1, given).next(), options, message],
    ]),
    ['import', (given) => server.projects.import('ann', '{}', given), { strict: true }, /no option "strict"/],
    ['duplicate', (given) => server.projects.duplicate('ann', project.id, {}, given), { strict: true }, /no option "strict"/],
    ['batch', (given) => server.projects.batch('ann', project.id, [], given), { key: 'k' }, /no option "key"/],
  ];
  for (const [name, call, options, message] of asked)
    await t.rejects(call(options as never), { name: 'TypeError', message }, `${name}: ${message}`);
  t.strictSame(await server.popups.list(at, { sort: [], fields: [], filter: {} }), [popup], 'empty ones are like none');
  t.equal((await server.projects.list('ann')).length, 1);
});

t.test('an import from strings is refused with a message', async (t) => {
  const { server } = await world(t);
  async function* texts() {
    yield '{}';
  }
  const pieces = texts() as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
  await t.rejects(server.projects.import('ann', pieces), { name: 'TypeError', message: /must be bytes \(Uint8Array\)/ });
});

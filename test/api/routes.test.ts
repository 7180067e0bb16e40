// tier: normal
/** Every route under both prefixes: keys, missing resources, methods, parameters and bodies. */
import t from 'tap';
import { type Answer, type Ask, startForRequests } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';
import { sampled } from '../support/tier.ts';
import { leastBody, type ResourceName } from './contract.ts';
import { makeWorld, memberNames, type World } from './world.ts';

const bodyBytesMax = 20_000;
const mapwright = await startForRequests(t, { limits: { bodyBytesMax, streamedBytesMax: bodyBytesMax } });
const bobsKey = await mapwright.newKey('bob');

/** The values of the path parameters. */
type Ids = Readonly<Record<string, string>>;

const parameterOf: Readonly<Record<string, ResourceName>> = {
  artboard_id: 'Artboard',
  object_id: 'Object',
  popup_id: 'Popup',
  data_source_id: 'DataSource',
  variable_id: 'Variable',
  action_id: 'Action',
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** A world with one of everything, and the identifiers of it. */
async function seed(ask?: Ask): Promise<{ world: World; ids: Ids }> {
  const world = await makeWorld(mapwright, ask);
  const ids: Record<string, string> = { project_id: world.projectId };
  for (const [parameter, name] of Object.entries(parameterOf)) ids[parameter] = (await world.make(name, {}, ask)).id;
  const project = `/v1/projects/${world.projectId}`;
  const picture = { ...ask, body: svg, headers: { 'content-type': 'image/svg+xml' } };
  ids['file_id'] = (await mapwright.ask('POST', `${project}/files?name=a.svg`, picture)).shown.id;
  ids['version_id'] = (await mapwright.ask('POST', `${project}/versions`, { ...ask, body: {} })).shown.id;
  return { world, ids: { ...ids, artboard_id: world.artboardId } };
}

const { world, ids } = await seed();
const { ids: other } = await seed();
const { ids: bobs } = await seed({ key: bobsKey });

const prefixes = ['/api/v1', '/v1'];
const parametersIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
const fill = (path: string, values: Ids) => path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] as string);

/** What creates or changes something at a path. */
function bodyFor({ method, path }: { method: string; path: string }): object | undefined {
  if (method === 'PATCH') return {};
  return method === 'POST' ? leastBody(path.endsWith('objects') ? 'Object' : 'Project') : undefined;
}

/** Everything in an answer but its date; requests are all given one name, so that not a byte is left out of comparisons. */
function likeness({ status, headers, text }: Answer) {
  return { status, headers: { ...headers, date: '' }, text };
}

function ask(method: string, target: string, { headers, ...rest }: Ask = {}): Promise<Answer> {
  return mapwright.ask(method, target, { ...rest, headers: { 'x-request-id': 'the-same', ...headers } });
}

const every = sampled(
  prefixes.flatMap((prefix) => operations.map((operation) => ({ ...operation, prefix }))),
  Math.ceil(operations.length / 2),
);

/** What is wrong with the header, unless it is a well-formed one with a refused key. */
const formOf: Readonly<Record<string, 'missing' | 'malformed'>> = {
  'no key': 'missing',
  'two keys': 'malformed',
  'another scheme': 'malformed',
  'no scheme': 'malformed',
  'no text': 'malformed',
  'another header': 'missing',
};

t.test('every endpoint refuses a missing, malformed, revoked or unknown key with the same 401', async (t) => {
  const { key, id } = await mapwright.server.createKey('ann');
  const address = fill('/v1/projects/:project_id', ids);
  t.equal((await ask('GET', address, { key })).status, 200, 'it works');
  t.equal((await ask('GET', address, { headers: { authorization: `bEARER ${key}` } })).status, 200);
  await mapwright.server.revokeKey(id);

  const mine = mapwright.key;
  const wrong: Record<string, Ask> = {
    'no key': { key: '' },
    'a revoked key': { key },
    'a key of another server': { key: (await startForRequests(t)).key },
    'one letter changed': { key: `${mine.slice(0, 30)}${mine[30] === 'a' ? 'b' : 'a'}${mine.slice(31)}` },
    'one letter less': { key: mine.slice(0, -1) },
    'one letter more': { key: `${mine}a` },
    'another case': { key: mine.toUpperCase() },
    'two keys': { headers: { authorization: `Bearer ${mine} ${mine}` } },
    'another scheme': { headers: { authorization: `Basic ${Buffer.from(`${mine}:`).toString('base64')}` } },
    'no scheme': { headers: { authorization: mine } },
    'no text': { headers: { authorization: 'Bearer ' } },
    'another header': { key: '', headers: { 'x-api-key': mine, cookie: `key=${mine}` } },
  };
  const before = await world.bytes();
  // The text depends on the form of the header alone. A key that was revoked and one that never existed get the same one.
  const first = {
    missing: likeness(await ask('GET', address, { key: '' })),
    malformed: likeness(await ask('GET', address, { headers: { authorization: 'Basic x' } })),
    refused: likeness(await ask('GET', address, { key: 'x' })),
  };
  t.match(first.missing.text, /Send it in the header/);
  t.match(first.malformed.text, /must be \\"Bearer <key>\\"/);
  t.match(first.refused.text, /not valid here: it is incomplete, expired, revoked/);
  for (const each of Object.values(first))
    t.match(each, { status: 401, headers: { 'www-authenticate': 'Bearer', 'content-type': 'application/problem+json' } });
  t.match((await ask('GET', address, { key: '' })).problem, { code: 'unauthorized', status: 401, request_id: String });
  for (const [what, how] of Object.entries(wrong)) {
    const form = formOf[what] ?? 'refused';
    const unlike: string[] = [];
    for (const { method, path, prefix } of every) {
      const answer = await ask(method, prefix + fill(path, ids), { ...how, body: bodyFor({ method, path }) });
      if (JSON.stringify(likeness(answer)) !== JSON.stringify(first[form]))
        unlike.push(`${method} ${prefix}${path}: ${answer.status}`);
    }
    t.strictSame(unlike, [], what);
  }
  t.equal(await world.bytes(), before, 'nothing was done');

  const list = '/v1/projects';
  const early: [string, string, Ask][] = [
    ['PUT', list, {}],
    ['GET', '/v1/projects/none', {}],
    ['GET', `${list}?nonsense=1`, {}],
    ['POST', list, { body: 'not JSON' }],
    ['POST', list, { body: 'a', headers: { 'content-type': 'text/plain' } }],
    ['POST', list, { body: ' '.repeat(bodyBytesMax + 1) }],
    ['GET', `${list}?key=${mine}&access_token=${mine}`, {}],
  ];
  for (const [method, target, how] of early) {
    const { status } = await ask(method, target, { ...how, key: '' });
    t.equal(status, 401, `before everything else: ${method} ${target.slice(0, 40)}`);
  }
});

t.test('a foreign and a missing resource get identical responses at every endpoint', async (t) => {
  const gone = (await mapwright.post('/projects', {})).shown.id;
  await mapwright.delete(`/projects/${gone}`);
  const never = '01890000-0000-7000-8000-000000000000';
  const names = [never, 'x', '%00', '%ff', '..%2f..', ids['project_id']?.toUpperCase() as string, '__proto__', 'a'.repeat(2000)];
  const before = await world.bytes();
  const first = likeness(await ask('GET', `/v1/projects/${never}`));
  t.match(first, { status: 404, headers: { 'content-type': 'application/problem+json' } });
  for (const { method, path, prefix } of every) {
    const cases: Ids[] = [];
    const parameters = parametersIn(path);
    for (const parameter of parameters) {
      const strangers = [
        bobs[parameter] as string,
        ...names,
        ...(parameter === 'project_id' ? [gone] : [other[parameter] as string]),
      ];
      for (const id of strangers) cases.push({ ...ids, [parameter]: id });
      // An identifier of another kind, and of the right kind below another parent.
      if (parameter !== 'project_id')
        cases.push({ ...ids, [parameter]: ids['project_id'] as string }, { ...ids, project_id: other['project_id'] as string });
    }
    if (parameters.length > 0) cases.push(bobs);
    const unlike: string[] = [];
    for (const values of cases) {
      const target = prefix + fill(path, values);
      const bodies = method === 'PATCH' || method === 'POST' ? [bodyFor({ method, path }), { wrong: 1, id: 5 }] : [undefined];
      for (const body of bodies) {
        const answer = await ask(method, target, { body });
        if (JSON.stringify(likeness(answer)) !== JSON.stringify(first)) unlike.push(`${method} ${target}: ${answer.status}`);
      }
    }
    t.strictSame(unlike, [], `${method} ${prefix}${path}`);
  }
  t.equal(await world.bytes(), before);
  t.equal(
    (await mapwright.get(`/projects/${bobs['project_id']}`, { key: bobsKey })).status,
    200,
    'it is all there for its owner',
  );
  const seen = (await mapwright.get('/projects')).list.map(({ id }) => id);
  t.notOk(seen.includes(bobs['project_id'] as string), 'a list holds no project of another account');
});

t.test('an unsupported method gets 405 with the allowed ones', async (t) => {
  const paths = new Map<string, string[]>();
  for (const { method, path } of operations) paths.set(path, [...(paths.get(path) ?? []), method]);
  // Also what any project has.
  paths.set('/projects/import', [...(paths.get('/projects/import') ?? []), ...(paths.get('/projects/:project_id') ?? [])]);
  for (const [path, methods] of paths) {
    const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    for (const prefix of prefixes) {
      const target = prefix + fill(path, ids);
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (all.includes(method)) continue;
        const answer = await ask(method, target);
        t.match(answer, { status: 405 }, `${method} ${prefix}${path}`);
        if (method !== 'HEAD') t.equal(answer.problem.code, 'method_not_allowed');
        t.strictSame(answer.headers.allow?.split(', ').sort(), [...all].sort());
      }
    }
  }
});

t.test('HEAD has the status and headers of GET at every endpoint', async (t) => {
  for (const { method, path, prefix } of every) {
    if (method !== 'GET') continue;
    for (const target of [prefix + fill(path, ids), `${prefix}${fill(path, ids)}?fields=id`, prefix + fill(path, bobs)]) {
      const get = await ask('GET', target);
      const head = await ask('HEAD', target);
      // How a stream without an end comes over its connection is the connection's affair.
      const isEndless = get.headers['content-type'] === 'text/event-stream';
      const seen = ({ headers, ...rest }: ReturnType<typeof likeness>) =>
        isEndless
          ? { ...rest, headers: { ...headers, connection: '', 'keep-alive': '', 'transfer-encoding': '' } }
          : { ...rest, headers };
      t.strictSame(seen(likeness(head)), seen({ ...likeness(get), text: '' }), `HEAD ${target}`);
    }
  }
});

t.test('an unknown path gets 404', async (t) => {
  const id = ids['project_id'];
  const targets = [
    '/',
    '/v1',
    '/v1/',
    '/api',
    '/api/v1',
    '/projects',
    '/v2/projects',
    '/v1/projects/',
    '/v1//projects',
    '/V1/projects',
  ];
  targets.push(
    '/v1/Projects',
    '/api/v1/v1/projects',
    `/v1/projects/${id}/`,
    `/v1/projects/${id}/objects`,
    '/v1/popups',
    '/api/projects',
  );
  targets.push(`/v1/projects/${id}/data_sources`, `/v1/projects/${id}/settings`, `/v1/projects/${id}/artboards//objects`);
  for (const target of targets) {
    const answer = await ask('GET', target);
    t.match(answer, { status: 404, problem: { code: 'not_found' } }, target);
    t.equal((await ask('PUT', target, { key: '' })).status, 404, 'without a key, too');
  }
});

t.test('an unknown query parameter gets 400 at every endpoint', async (t) => {
  const before = await world.bytes();
  for (const { method, path, prefix, query } of every) {
    const target = prefix + fill(path, ids);
    for (const name of ['nonsense', 'Limit', 'limit', 'cursor', 'fields']) {
      if (query.includes(name)) continue;
      const answer = await ask(method, `${target}?${name}=1`, { body: bodyFor({ method, path }) });
      t.match(answer, { status: 400, problem: { detail: `"${name}"` } }, `${method} ${prefix}${path}?${name}`);
    }
  }
  t.equal(await world.bytes(), before);
});

t.test('no response contains a key that was sent in the wrong place', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  const { key } = mapwright;
  const secret = key.slice(15);
  const encoded = `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  const twice = encoded.replace('%', '%25');
  const sent: [method: string, path: string, ask?: object][] = [
    ['GET', `/projects?${key}`],
    ['GET', `/projects?${key}=1`],
    ['GET', `/projects?${encoded}=1`],
    ['GET', `/projects?${twice}=1`],
    ['GET', `/projects?${'x'.repeat(40)}${key}=1`],
    ['GET', `/projects?fields=${key}`],
    ['GET', `/projects?sort=-${key}`],
    ['GET', `/projects?limit=${key}&limit=${key}`],
    ['GET', `/projects?cursor=${key}`],
    ['GET', `/projects/${key}/${key}`],
    ['POST', '/projects', { body: { [key]: 1 } }],
    ['POST', '/projects', { body: { [`${'x'.repeat(230)}${key}${'x'.repeat(99)}`]: 1 } }],
    ['POST', '/projects', { body: { artboards: [{ [key]: { [key]: 1 } }] } }],
    ['POST', '/projects', { body: { settings: key } }],
    ['POST', `/projects/${id}/artboards`, { body: { objects: [{ type: key }] } }],
    ['POST', `/projects/${id}/batch`, { body: { operations: [{ method: key, path: key, as: key, if_match: key }] } }],
    ['POST', `/projects/${id}/batch`, { body: { operations: [{ method: 'PATCH', path: `/popups/{${key}}`, body: {} }] } }],
    ['POST', '/projects/import', { body: { format: key, version: 1, project: { [key]: 1 } } }],
    ['PATCH', `/projects/${id}`, { body: {}, headers: { 'if-match': key } }],
  ];
  for (const [method, path, ask] of sent) {
    const answer = await mapwright.ask(method, `/v1${path}`, ask);
    const what = `${method} ${path} ${JSON.stringify(ask ?? '')}`;
    t.ok(answer.status >= 400, what);
    t.notOk(answer.text.includes(secret) || answer.text.includes(key.slice(0, 30)), `${what}: ${answer.text}`);
  }
});

t.test('a wrong media type, coding or length of a body is refused at every endpoint', async (t) => {
  const before = await world.bytes();
  for (const { method, path, prefix, body } of every) {
    const name = `${method} ${prefix}${path}`;
    const target = prefix + fill(path, ids);
    const send = (headers: Record<string, string>, sent: unknown = bodyFor({ method, path })) =>
      ask(method, target, { body: sent, headers });
    // The bytes of a file decide, see test/api/files.
    if (body?.isJson !== true) continue;
    for (const type of ['text/plain', 'application/jsonx', 'application/json; charset=latin1', 'json']) {
      t.equal((await send({ 'content-type': type })).status, 415, `${name}: ${type}`);
    }
    const patch = { 'content-type': 'application/merge-patch+json' };
    if (method !== 'PATCH') t.equal((await send(patch)).status, 415, `${name}: a patch`);
    for (const coding of ['deflate', 'aws-chunked', 'gzip, gzip', 'br, gzip']) {
      const refused = await send({ 'content-encoding': coding });
      t.match(refused, { status: 415, headers: { 'accept-encoding': 'gzip, br, identity' } }, coding);
    }
    for (const coding of ['gzip', 'br'])
      t.match(await send({ 'content-encoding': coding }), { status: 400 }, `${name}: not ${coding}`);
    t.match(await send({}, ' '.repeat(bodyBytesMax + 1)), { status: 413, problem: { code: 'payload_too_large' } }, name);
    t.match(await send({}, ''), { status: body.isOptional ? 200 : 400 }, `${name}: empty`);
    if (method !== 'PATCH') continue;
    for (const type of ['', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      t.equal((await send({ 'content-type': type })).status, 200, `${name}: ${type}`);
    }
  }
  t.equal(await world.bytes(), before);
  t.strictSame(memberNames.length, Object.keys(parameterOf).length, 'every resource was tried');
});

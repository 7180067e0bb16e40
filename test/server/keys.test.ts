// tier: normal
/** Keys that expire, that only read, or that are for some projects, over HTTP: what each may do, and how it is refused. */
import http from 'node:http';
import t, { type Test } from 'tap';
import { type Answer, type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';

const hourMs = 3_600_000;

/** A server whose clock is in the hands of the test. */
async function timed(t: Test): Promise<{ mapwright: Mapwright; time: { now: number } }> {
  const time = { now: Date.UTC(2030, 0, 1) };
  return { mapwright: await startForRequests(t, { clock: () => time.now }), time };
}

/** All of an answer but its date; requests are given one name. */
const likeness = ({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>) =>
  JSON.stringify({ status, headers: { ...headers, date: '' }, text });
const named = { headers: { 'x-request-id': 'the-same' } };

t.test('every invalid key gets the same 401, byte for byte', async (t) => {
  const { mapwright, time } = await timed(t);
  const { server } = mapwright;
  const made = async (options = {}) => server.createKey('ann', options);
  const [expired, revoked, rotated] = [await made({ expires: '1h' }), await made(), await made()];
  const gone = await server.createKey('bob');
  for (const { key } of [expired, revoked, rotated, gone]) t.equal((await mapwright.get('/projects', { key })).status, 200);
  const first = likeness(await mapwright.get('/projects', { ...named, key: 'mw_' }));
  await server.revokeKey(revoked.id);
  await server.rotateKey(rotated.id, { overlap: '0' });
  await server.deleteAccount('bob');
  time.now += hourMs - 1;
  t.equal((await mapwright.get('/projects', { key: expired.key })).status, 200, 'to its last millisecond');
  time.now += 1;
  const wrong = {
    unknown: (await startForRequests(t)).key,
    malformed: 'mw_x',
    expired: expired.key,
    revoked: revoked.key,
    rotated: rotated.key,
    gone: gone.key,
  };
  for (const [what, key] of Object.entries(wrong)) {
    for (const [method, route] of [
      ['GET', '/projects'],
      ['GET', '/projects/x'],
      ['POST', '/projects'],
      ['DELETE', '/projects/x'],
    ] as const) {
      t.equal(likeness(await mapwright.ask(method, `/v1${route}`, { ...named, key })), first, `${what}: ${method} ${route}`);
    }
  }
  await mapwright.restart();
  for (const [what, key] of Object.entries(wrong))
    t.equal(likeness(await mapwright.get('/projects', { ...named, key })), first, `${what}, after a restart`);
});

/** Sends the head of a request with a body, and the body when `finish` is called. */
function slowly(mapwright: Mapwright, method: string, path: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 12 };
  const req = http.request({ port: mapwright.port, path: `/v1${path}`, method, headers });
  req.write('{"name":');
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => (text += part));
      res.on('end', () => resolve({ status: res.statusCode, text }));
    });
  });
  return { answer, finish: () => req.end('"x"}') };
}

/** Until the server has read the heads of all requests that were sent: it answers others in between. */
async function settled(mapwright: Mapwright): Promise<void> {
  for (let i = 0; i < 5; i++) await mapwright.get('/projects');
}

t.test('a key is checked when the request starts and when its body has arrived', async (t) => {
  const { mapwright, time } = await timed(t);
  const { server } = mapwright;
  const { id } = (await mapwright.post('/projects', { name: 'before' })).shown;
  const doomed = [
    [await server.createKey('ann', { expires: '1h' }), () => (time.now += hourMs)],
    [await server.createKey('ann'), (key: string) => server.revokeKey(key)],
    [await server.createKey('ann'), (key: string) => server.rotateKey(key, { overlap: '0' })],
    [await server.createKey('bob'), () => server.deleteAccount('bob')],
  ] as const;
  for (const [{ id: keyId, key, account }, end] of doomed) {
    const request = slowly(mapwright, 'POST', '/projects', key);
    await settled(mapwright);
    await end(keyId);
    request.finish();
    const { status, text } = await request.answer;
    t.equal(status, 401, `${account.name}: ${text}`);
  }
  t.equal((await mapwright.get('/projects')).list.length, 1, 'nothing was made');
  t.equal((await mapwright.get(`/projects/${id}`)).shown['name'], 'before');
  t.strictSame(
    (await server.accounts()).map(({ name }) => name),
    ['ann'],
    'and no account came back',
  );
});

const parametersIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);

t.test('a read-only key gets the same 403 for every write, before the body is read', async (t) => {
  const mapwright = await startForRequests(t);
  const { key } = await mapwright.server.createKey('ann', { readOnly: true });
  const { id } = (await mapwright.post('/projects', { name: 'kept', artboards: [{}] })).shown;
  const { text: before } = await mapwright.get(`/projects/${id}`);
  t.equal((await mapwright.get(`/projects/${id}`, { key })).text, before, 'it reads what its account reads');
  t.equal((await mapwright.ask('HEAD', `/v1/projects/${id}`, { key })).status, 200);
  let refusal: string | undefined;
  for (const { method, path, isRead } of operations) {
    if (isRead) continue;
    for (const project of [id, '01890000-0000-7000-8000-000000000000', 'x']) {
      const target = `/v1${path.replaceAll(/:(\w+)/g, (_, name) => (name === 'project_id' ? project : 'x'))}`;
      for (const body of [undefined, {}, 'not JSON', { wrong: 1 }, ' '.repeat(6 * 1024 * 1024)]) {
        const answer = await mapwright.ask(method, target, { ...named, key, body });
        // Whether the connection stays open depends only on the size of the rest of the body.
        const { connection: _, 'keep-alive': __, ...headers } = answer.headers;
        const shown = likeness({ ...answer, headers });
        refusal ??= shown;
        if (shown !== refusal || answer.status !== 403) t.fail(`${method} ${target}: ${shown}`);
      }
    }
  }
  const post = await mapwright.post('/projects', {}, { key });
  t.match(post.problem, { status: 403, code: 'forbidden', detail: /for reading only/ });
  t.equal(post.headers['www-authenticate'], 'Bearer error="insufficient_scope"');
  t.equal((await mapwright.ask('PUT', '/v1/projects', { key })).status, 405, 'a method that is not there is not there');
  t.equal((await mapwright.ask('POST', '/v1/nowhere', { key })).status, 404);
  t.equal((await mapwright.get(`/projects/${id}`)).text, before);
});

t.test('the 403 of a read-only key does not wait for the body', async (t) => {
  const mapwright = await startForRequests(t);
  const { key } = await mapwright.server.createKey('ann', { readOnly: true });
  const request = slowly(mapwright, 'POST', '/projects', key);
  t.equal((await request.answer).status, 403, 'answered while the body is still to come');
  request.finish();
});

t.test('a key for one project can use that project, gets 404 for others, and creates none', async (t) => {
  const mapwright = await startMapwright(t);
  const make = async (name: string) =>
    (await mapwright.post('/projects', { name, artboards: [{ objects: [{ type: 'spot' }] }], popups: [{}] })).shown.id;
  const [first, mine, last] = [await make('first'), await make('mine'), await make('last')];
  const { key, projects } = await mapwright.server.createKey('ann', { projects: [mine, mine] });
  t.strictSame(projects, [mine]);
  t.strictSame(
    (await mapwright.get('/projects', { key })).list.map(({ id }) => id),
    [mine],
    'its list',
  );
  const page = await mapwright.get('/projects?limit=1', { key });
  t.equal(page.headers['link'], undefined, 'which has one page');
  t.equal((await mapwright.get(`/projects/${mine}`, { key })).text, (await mapwright.get(`/projects/${mine}`)).text);
  t.equal((await mapwright.post(`/projects/${mine}/popups`, {}, { key })).status, 200);
  t.equal((await mapwright.patch(`/projects/${mine}`, { name: 'changed' }, { key })).shown['name'], 'changed');

  const never = '01890000-0000-7000-8000-000000000000';
  const before = await Promise.all([first, last].map(async (id) => (await mapwright.get(`/projects/${id}`)).text));
  for (const { method, path, isRead } of operations) {
    const fill = (project: string) => `/v1${path.replaceAll(/:(\w+)/g, (_, name) => (name === 'project_id' ? project : 'x'))}`;
    if (parametersIn(path).length === 0) continue;
    const expected = likeness(await mapwright.ask(method, fill(never), { ...named, key }));
    for (const id of [first, last])
      t.equal(likeness(await mapwright.ask(method, fill(id), { ...named, key })), expected, `${method} ${path}`);
    t.match(JSON.parse(expected), { status: isRead ? 404 : 403 });
  }
  const made = await mapwright.post('/projects', {}, { key });
  t.match(made.problem, {
    status: 403,
    code: 'forbidden',
    detail: /only the projects that it was created for, and create no others/,
  });
  t.strictSame(await Promise.all([first, last].map(async (id) => (await mapwright.get(`/projects/${id}`)).text)), before);

  t.equal((await mapwright.delete(`/projects/${mine}`, { key })).status, 204, 'its own it may delete');
  for (const when of ['then', 'after a restart']) {
    t.strictSame((await mapwright.get('/projects', { key })).list, [], `${when}, there is nothing that it reaches`);
    t.equal((await mapwright.get(`/projects/${first}`, { key })).status, 404);
    t.equal((await mapwright.patch(`/projects/${mine}`, {}, { key })).status, 404);
    t.equal((await mapwright.post('/projects', {}, { key })).status, 403);
    await mapwright.restart();
  }
});

t.test('a read-only key for one project can read that project only, also after a rotation', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  const { key } = await mapwright.server.createKey('ann', { projects: [id], readOnly: true });
  t.equal((await mapwright.get(`/projects/${id}`, { key })).status, 200);
  t.match((await mapwright.patch(`/projects/${id}`, {}, { key })).problem, { status: 403, detail: /for reading only/ });
  const { key: successor } = await mapwright.server.rotateKey(key.slice(3, 15));
  t.equal((await mapwright.get(`/projects/${id}`, { key: successor })).status, 200, 'rotated, it may do the same');
  t.equal((await mapwright.delete(`/projects/${id}`, { key: successor })).status, 403, 'and no more');
  t.strictSame((await mapwright.get('/projects', { key: successor })).list.length, 1);
});

t.test('deleting an account during its writes leaves nothing of it and does not affect others', async (t) => {
  const mapwright = await startMapwright(t);
  const bob = await mapwright.newKey('bob');
  const { id } = (await mapwright.post('/projects', { popups: [{}] }, { key: bob })).shown;
  await mapwright.post('/projects', { name: 'ann\u2019s' });
  const body = { popups: Array.from({ length: 3000 }, () => ({})) };
  const writes = [1, 2, 3].map(() => mapwright.patch(`/projects/${id}`, body, { key: bob }));
  await settled(mapwright);
  await mapwright.server.deleteAccount('bob');
  for (const { status } of await Promise.all(writes)) t.ok([200, 401, 404].includes(status), `ended with ${status}`);
  t.equal((await mapwright.get(`/projects/${id}`, { key: bob })).status, 401);
  await mapwright.crash();
  t.equal((await mapwright.get('/projects', { key: bob })).status, 401);
  t.equal((await mapwright.get('/projects')).list.length, 1);
  await mapwright.server.renameAccount('ann', 'anna');
  t.match(await mapwright.server.accounts(), [{ name: 'anna', projects: 1, keys: 1 }]);
  t.equal((await mapwright.get('/projects')).status, 200, 'a new name changes no key');
});

t.test('invalid options of a key are refused with a message, and no key is created', async (t) => {
  const { server, key } = await startForRequests(t);
  const cases: [object, RegExp][] = [
    [{ expires: 'soon' }, /"soon" is not a valid expiry of a key\. Use 90d/],
    [{ expires: '2020-01-01' }, /is in the past/],
    [{ expires: 5 }, /The expiry of a key must be a string/],
    [{ readOnly: 'yes' }, /true or false/],
    [{ projects: 'x' }, /list of up to 100/],
    [{ projects: ['x'] }, /has no project "x"/],
    [{ label: ' x' }, /A label must be 1 to 100 printable/],
    [{ label: key }, /must not contain an API key/],
    [{ readonly: true }, /no option "readonly"; did you mean "readOnly"/],
  ];
  for (const [options, message] of cases)
    await t.rejects(server.createKey('ann', options as never), { name: 'OperationError', message });
  await t.rejects(server.createKey(key), { message: /must not contain an API key/ });
  await t.rejects(server.rotateKey('x', { overlap: 'soon' }), { message: /not a valid overlap\. Use 24h/ });
  await t.rejects(server.renameAccount('ann', ' '), { message: /1 to 100 printable/ });
  await t.rejects(server.deleteAccount('nobody'), { message: /no account "nobody"/ });
  t.equal((await server.keys()).length, 1);
});

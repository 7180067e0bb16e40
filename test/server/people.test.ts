/** People of an account: invited, changed, removed, erased; and what names them. Over HTTP, without a browser. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import t, { type Test } from 'tap';
import { follow } from '../support/follower.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { run } from '../support/process.ts';
import { ask, SignedIn, signIn } from '../support/signed-in.ts';

const dayMs = 24 * 3_600_000;
const people = '/console/people';

async function timed(t: Test): Promise<{ mapwright: Mapwright; owner: SignedIn; time: { now: number } }> {
  const time = { now: Date.UTC(2030, 0, 1) };
  const mapwright = await startForRequests(t, { clock: () => time.now });
  return { mapwright, owner: await signIn(mapwright), time };
}

/** A request whose body is complete only when it is told to be. */
function slowly(browser: SignedIn, method: string, target: string, body: object) {
  const text = JSON.stringify(body);
  const headers = {
    ...browser.headers,
    'content-type': 'application/json',
    'content-length': text.length,
    expect: '100-continue',
  };
  const req = http.request({ host: '127.0.0.1', port: browser.origin.port, method, path: target, headers, agent: false });
  const sent = new Promise<void>((resolve) => req.once('continue', () => req.write(text.slice(0, 5), () => resolve())));
  const answer = new Promise<number>((resolve, reject) => {
    req.once('response', (res) => resolve(res.resume().statusCode ?? 0));
    req.once('error', reject);
  });
  req.flushHeaders();
  const finish = (): Promise<number> => {
    req.end(text.slice(5));
    return answer;
  };
  return { sent, finish };
}

const statusOf = async (browser: SignedIn): Promise<number> => (await browser.ask('GET', '/console/session')).status;

t.test('an invitation is for a named person, works once within 14 days, and outlives the session of its maker', async (t) => {
  const { mapwright, owner, time } = await timed(t);
  const { status, json } = await owner.ask('POST', people, { name: 'Kim Lee', role: 'viewer', email: 'Kim@Example.com' });
  t.equal(status, 201);
  t.match(json, { name: 'Kim Lee', role: 'viewer', email: 'kim@example.com', projects: null, lastSeen: null, removed: null });
  t.equal(json.invited, '2030-01-15T00:00:00.000Z');
  t.equal((await owner.ask('DELETE', '/console/session')).status, 204);
  time.now += 14 * dayMs - 1;
  const kim = new SignedIn(mapwright);
  t.match((await kim.enter(json.path)).json, { person: { id: json.id, name: 'Kim Lee', role: 'viewer' }, rights: ['read'] });
  t.equal((await new SignedIn(mapwright).enter(json.path)).status, 401);
  const again = await signIn(mapwright);
  const listed = (await again.ask('GET', people)).json;
  t.match(listed, [{ name: 'owner' }, { name: 'Kim Lee', invited: null, lastSeen: '2030-01-14T23:00:00.000Z' }]);
  const another = await again.ask('POST', `${people}/${json.id}/invitation`);
  const replaced = await again.ask('POST', `${people}/${json.id}/invitation`);
  t.equal((await new SignedIn(mapwright).enter(another.json.path)).status, 401, 'another link ends the one before');
  time.now += 14 * dayMs;
  t.equal((await new SignedIn(mapwright).enter(replaced.json.path)).status, 401, 'after 14 days');
});

t.test('an invitation to one project opens it, and reaches no other one, now or later', async (t) => {
  const { mapwright, owner } = await timed(t);
  const make = async (name: string): Promise<string> => (await mapwright.post('/projects', { name })).shown.id;
  const [mine, other] = [await make('Mine'), await make('Other')];
  const { json } = await owner.ask('POST', people, { name: 'Kim', role: 'editor', projects: [mine] });
  t.ok(json.path.endsWith(`/p/${mine}`), json.path);
  const kim = await owner.invite({ name: 'Lou', role: 'editor', projects: [mine] });
  const list = async () => (await kim.ask('GET', '/v1/projects')).json.map(({ id }: { id: string }) => id);
  t.strictSame(await list(), [mine]);
  t.equal((await kim.ask('GET', `/v1/projects/${other}`)).status, 404);
  t.equal((await kim.ask('PATCH', `/v1/projects/${mine}`, { name: 'Ours' })).status, 200);
  t.match(await kim.ask('POST', '/v1/projects', {}), { status: 403, json: { detail: /invited to, and create no others/ } });
  const tag = (await kim.ask('GET', '/v1/projects')).headers.etag;
  t.equal((await owner.ask('PATCH', `${people}/${kim.id}`, { projects: [mine, other] })).status, 200);
  t.strictSame((await list()).sort(), [mine, other].sort(), 'at once');
  t.not((await kim.ask('GET', '/v1/projects')).headers.etag, tag);
  await owner.ask('PATCH', `${people}/${kim.id}`, { projects: [other] });
  await mapwright.delete(`/projects/${other}`);
  t.strictSame(await list(), [], 'no other project in place of a deleted one');
});

t.test('a role counts from the moment of its change, in requests, in tags and in open feeds', async (t) => {
  const { mapwright, owner } = await timed(t);
  const { id } = (
    await mapwright.post('/projects', { name: 'Map', data_sources: [{ headers: [{ name: 'Authorization', value: 'secret' }] }] })
  ).shown;
  const kim = await owner.invite({ name: 'Kim', role: 'editor' });
  const lou = await owner.invite({ name: 'Lou', role: 'viewer', projects: [id] });
  const project = `/v1/projects/${id}`;
  const before = await kim.ask('GET', project);
  t.match(before.bytes.toString(), /secret/);
  const hidden = await lou.ask('GET', project);
  t.notMatch(hidden.bytes.toString(), /secret/);
  t.equal((await owner.ask('PATCH', `${people}/${lou.id}`, { role: 'editor' })).status, 200);
  const seen = await ask(mapwright, 'GET', project, { headers: { ...lou.headers, 'if-none-match': hidden.headers.etag } });
  t.equal(seen.status, 200);
  t.match(seen.bytes.toString(), /secret/, 'who reaches the same projects and writes sees them');
  const feed = await follow(mapwright, '/events', { session: kim.headers });
  t.equal((await owner.ask('PATCH', `${people}/${kim.id}`, { role: 'viewer' })).status, 200);
  await feed.over();
  t.match(await kim.ask('PATCH', project, { name: 'x' }), { status: 403, json: { detail: /look, and change nothing/ } });
  t.match(await kim.ask('PUT', `${project}/publication`, {}), { status: 403 });
  const after = await ask(mapwright, 'GET', project, { headers: { ...kim.headers, 'if-none-match': before.headers.etag } });
  t.equal(after.status, 200);
  t.notMatch(after.bytes.toString(), /secret/, 'who reads sees no secrets');
  t.match(await kim.ask('GET', people), { status: 403, json: { detail: /Only owners/ } });
  t.equal(
    (await kim.ask('PATCH', `${people}/${kim.id}`, { name: 'Kim Lee', color: '#AA3311' })).json.color,
    '#aa3311',
    'their own name',
  );
  t.equal((await kim.ask('PATCH', `${people}/${kim.id}`, { role: 'owner' })).status, 403);
  const [first] = (await owner.ask('GET', people)).json;
  t.equal((await kim.ask('PATCH', `${people}/${first.id}`, { name: 'x' })).status, 404);
});

t.test('a right that is lost while a body arrives is lost for this request', async (t) => {
  const { mapwright, owner } = await timed(t);
  const second = await owner.invite({ name: 'Two', role: 'owner' });
  const { id } = (await mapwright.post('/projects', { name: 'Map' })).shown;
  const exported = (await mapwright.get(`/projects/${id}/export`)).shown;
  const begun = [
    slowly(second, 'PATCH', `${people}/${second.id}`, { role: 'owner' }),
    slowly(second, 'POST', people, { name: 'Three', role: 'owner' }),
    slowly(second, 'PATCH', `/v1/projects/${id}`, { name: 'changed' }),
    // These are read while they arrive.
    slowly(second, 'POST', '/v1/projects/import', exported),
    slowly(second, 'POST', `/v1/projects/${id}/files?name=a.svg`, { a: 'picture' }),
  ];
  await Promise.all(begun.map(({ sent }) => sent));
  // Each has reached the server: it answers 100 before it reads the body.
  t.equal((await owner.ask('PATCH', `${people}/${second.id}`, { role: 'viewer' })).status, 200);
  for (const { finish } of begun) t.equal(await finish(), 403);
  t.match((await mapwright.get('/projects')).list, [{ name: 'Map' }]);
  t.equal((await mapwright.get('/projects')).list.length, 1);
  t.match((await owner.ask('GET', people)).json.at(-1), { name: 'Two', role: 'viewer' });
});

t.test('removing a person ends sessions, links and feeds, also in the middle of a request', async (t) => {
  const { mapwright, owner } = await timed(t);
  const kim = await owner.invite({ name: 'Kim', role: 'editor' });
  const feed = await follow(mapwright, '/events', { session: kim.headers });
  const link = (await owner.ask('POST', `${people}/${kim.id}/invitation`)).json.path;
  const device = (await kim.ask('POST', '/console/session/device')).json.path;
  t.equal((await owner.ask('DELETE', `${people}/${kim.id}`)).status, 204);
  await feed.over();
  t.equal(await statusOf(kim), 401);
  for (const each of [link, device]) t.equal((await new SignedIn(mapwright).enter(each)).status, 401);
  t.match((await owner.ask('GET', people)).json.at(-1), { name: 'Kim', removed: '2030-01-01T00:00:00.000Z' });
  t.equal((await owner.ask('PATCH', `${people}/${kim.id}`, { role: 'owner' })).status, 409);
  t.equal((await owner.ask('POST', `${people}/${kim.id}/invitation`)).status, 409);
});

t.test('the last owner is neither removed nor made less; people of other accounts are not seen', async (t) => {
  const { mapwright, owner } = await timed(t);
  const [{ id }] = (await owner.ask('GET', people)).json;
  for (const [method, target, body] of [
    ['DELETE', `${people}/${id}`, undefined],
    ['DELETE', `${people}/${id}?erase=true`, undefined],
    ['PATCH', `${people}/${id}`, { role: 'editor' }],
  ] as const)
    t.match(await owner.ask(method, target, body), { status: 409, json: { detail: /last owner/ } }, method);
  const second = await owner.invite({ name: 'Two', role: 'owner' });
  t.equal((await second.ask('DELETE', `${people}/${id}`)).status, 204);
  t.equal(await statusOf(owner), 401);
  await mapwright.newKey('bob');
  const bob = await signIn(mapwright, 'bob');
  t.equal((await bob.ask('DELETE', `${people}/${second.id}`)).status, 404);
  t.equal((await bob.ask('PATCH', `${people}/${second.id}`, { name: 'x' })).status, 404);
  t.equal((await bob.ask('GET', people)).json.length, 1);
});

t.test('two owners who remove each other at the same time leave one', async (t) => {
  const { owner } = await timed(t);
  const [{ id }] = (await owner.ask('GET', people)).json;
  const second = await owner.invite({ name: 'Two', role: 'owner' });
  const statuses = await Promise.all([owner.ask('DELETE', `${people}/${second.id}`), second.ask('DELETE', `${people}/${id}`)]);
  t.ok(statuses.filter(({ status }) => status === 204).length <= 1, 'not both');
  t.equal([await statusOf(owner), await statusOf(second)].filter((status) => status === 200).length, 1);
});

t.test('versions, events and reports name the person; after erasing, a former user', async (t) => {
  const { mapwright, owner } = await timed(t);
  const { id } = (await mapwright.post('/projects', { name: 'Map' })).shown;
  const kim = await owner.invite({ name: 'Kim', role: 'editor' });
  const feed = await (await follow(mapwright, `/projects/${id}/events`, { session: owner.headers })).begun();
  t.equal((await kim.ask('PATCH', `/v1/projects/${id}`, { name: 'By Kim' })).status, 200);
  t.match((await feed.next()).events, [{ name: 'project.updated', data: { by: kim.id, resource: { name: 'By Kim' } } }]);
  await mapwright.patch(`/projects/${id}`, { name: 'By a key' });
  const [byKey] = (await feed.next()).events;
  t.equal(byKey?.data.by, undefined, 'a program is nobody');
  const versions = `/v1/projects/${id}/versions`;
  t.equal((await kim.ask('POST', versions, { name: 'Mine' })).json.key_label, 'Kim');
  const list = async () => owner.ask('GET', `${versions}?name=Mine`);
  const named = await list();
  t.match(named.json, [{ key_label: 'Kim' }]);
  t.equal(
    (await ask(mapwright, 'GET', `${versions}?name=Mine`, { headers: { ...owner.headers, 'if-none-match': named.headers.etag } }))
      .status,
    304,
  );
  await owner.ask('PATCH', `${people}/${kim.id}`, { name: 'Kim Lee' });
  const renamed = await ask(mapwright, 'GET', `${versions}?name=Mine`, {
    headers: { ...owner.headers, 'if-none-match': named.headers.etag },
  });
  t.match(renamed.json, [{ key_label: 'Kim Lee' }], 'a new name is another response');
  await owner.ask('DELETE', `${people}/${kim.id}`);
  t.match((await list()).json, [{ key_label: 'Kim Lee' }], 'the name stays');
  t.equal((await owner.ask('DELETE', `${people}/${kim.id}?erase=true`)).status, 204);
  t.match((await list()).json, [{ key_label: 'former user' }]);
  t.equal((await owner.ask('GET', people)).json.length, 1);
  t.equal((await owner.ask('DELETE', `${people}/${kim.id}`)).status, 404);
});

t.test('what a person is made of is checked, and says what is wrong', async (t) => {
  const { mapwright, owner } = await timed(t);
  const { id } = (await mapwright.post('/projects', { name: 'Map' })).shown;
  const refusal = async (body: object): Promise<unknown> => {
    const { status, json } = await owner.ask('POST', people, body);
    t.equal(status, 400, JSON.stringify(body));
    return json.errors?.map(({ pointer, detail }: { pointer: string; detail: string }) => `${pointer} ${detail}`) ?? json.detail;
  };
  const base = { name: 'Kim', role: 'viewer' };
  t.match(await refusal({ name: 'Kim' }), [/role/]);
  t.match(await refusal({ ...base, role: 'admin' }), [/\/role /]);
  t.match(await refusal({ ...base, name: '' }), [/\/name /]);
  t.match(await refusal({ ...base, name: `x${'y'.repeat(100)}` }), [/\/name /]);
  t.match(await refusal({ ...base, name: 'Kim\u202e' }), [/\/name /]);
  t.match(await refusal({ ...base, color: 'red' }), [/\/color /]);
  t.match(await refusal({ ...base, email: 'no address' }), [/\/email /]);
  t.match(await refusal({ ...base, projects: [] }), [/\/projects must name 1 to 100 projects, or be null/]);
  t.match(await refusal({ ...base, projects: ['none'] }), [/\/projects\/0 there is no such project/]);
  t.match(await refusal({ ...base, role: 'owner', projects: [id] }), [/\/projects must be null/]);
  t.match(await refusal({ ...base, more: 1 }), [/more/]);
  t.equal((await owner.ask('POST', people, { ...base, email: 'kim@example.com' })).status, 201);
  t.match(await refusal({ ...base, email: 'KIM@example.com' }), [/\/email another person/]);
  t.match(await ask(mapwright, 'GET', people, { headers: { authorization: `Bearer ${mapwright.key}` } }), {
    status: 403,
    json: { detail: /API keys do not manage people/ },
  });
  t.equal((await ask(mapwright, 'GET', people)).status, 401);
});

t.test('people, roles and names survive restarts, crashes and snapshots; a restored backup has nobody signed in', async (t) => {
  const mapwright = await startMapwright(t);
  const owner = await signIn(mapwright);
  const kim = await owner.invite({ name: 'Kim', role: 'viewer', email: 'kim@example.com' });
  const gone = await owner.invite({ name: 'Gone', role: 'viewer' });
  await owner.ask('DELETE', `${people}/${gone.id}?erase=true`);
  const open = (await owner.ask('POST', `${people}/${kim.id}/invitation`)).json.path;
  const now = (browser: SignedIn) => Object.assign(new SignedIn(mapwright), { cookie: browser.cookie, secret: browser.secret });
  const names = async () =>
    (await now(owner).ask('GET', people)).json.map(({ name, role }: { name: string; role: string }) => [name, role]);
  const expected = [
    ['owner', 'owner'],
    ['Kim', 'viewer'],
  ];
  await mapwright.crash();
  t.strictSame(await names(), expected, 'from the log');
  await mapwright.server.snapshot();
  await mapwright.restart();
  t.strictSame(await names(), expected, 'from a snapshot');
  const backup = path.join(mapwright.data, '..', `${path.basename(mapwright.data)}.backup`);
  t.teardown(() => fs.rmSync(backup, { force: true }));
  await mapwright.server.backup(backup);
  await mapwright.close();
  fs.rmSync(mapwright.data, { recursive: true });
  t.equal((await run(['restore', backup, '--data', mapwright.data])).code, 0);
  await mapwright.start();
  t.equal(await statusOf(now(owner)), 401, 'the session of a backup');
  t.equal((await new SignedIn(mapwright).enter(open)).status, 401, 'the invitation of a backup');
  const again = await signIn(mapwright);
  t.match((await again.ask('GET', people)).json, [{ name: 'owner' }, { name: 'Kim', email: 'kim@example.com' }]);
});

t.test('the program around a server manages people in its accounts, and signs them in', async (t) => {
  const { mapwright } = await timed(t);
  const { server } = mapwright;
  const made = await server.fetch('/console/people', {
    account: 'ann',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Hana', role: 'editor' }),
  });
  t.equal(made.status, 201);
  const { path: at, person } = await server.consoleAddress('ann', { person: 'Hana' });
  t.equal(person, 'Hana');
  const browser = new SignedIn(mapwright);
  t.match((await browser.enter(at)).json, { person: { name: 'Hana', role: 'editor' } });
  await t.rejects(server.consoleAddress('ann', { person: 'Nobody' }), { message: /no person "Nobody"/ });
  await t.rejects(server.consoleAddress('anne'), { message: /There is no account "anne"\. Did you mean "ann"/ });
});

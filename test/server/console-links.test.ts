// tier: normal
/** Sign-in links that users of the console make, and the list of sessions: over HTTP, without a browser. Attacks included. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ListedLink, NewLink } from '../../src/api/console/link-endpoints.ts';
import type { ListedSession, NewSession } from '../../src/api/console/session-endpoints.ts';
import { newKey } from '../../src/model/key.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2030, 0, 1);

/** What a signed-in browser asks. */
class Console {
  readonly #mapwright: Pick<Mapwright, 'port'>;
  readonly session: NewSession;

  constructor(mapwright: Pick<Mapwright, 'port'>, session: NewSession) {
    this.#mapwright = mapwright;
    this.session = session;
  }

  ask(method: string, target: string, body?: unknown): Promise<{ status: number; json: never }> {
    return ask(this.#mapwright, method, target, body, this.session.key);
  }

  async link(wish: object = {}): Promise<NewLink> {
    const { status, json } = await this.ask('POST', '/console/links', wish);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
    return json;
  }

  async links(): Promise<string[]> {
    return ((await this.ask('GET', '/console/links')).json as ListedLink[]).map(({ id }) => id);
  }

  async sessions(): Promise<ListedSession[]> {
    return (await this.ask('GET', '/console/sessions')).json;
  }

  async sessionIds(): Promise<string[]> {
    return (await this.sessions()).map(({ id }) => id);
  }

  /** 200 while the session works. */
  async status(): Promise<number> {
    return (await this.ask('GET', '/console/session')).status;
  }
}

async function ask(
  { port }: Pick<Mapwright, 'port'>,
  method: string,
  target: string,
  body?: unknown,
  key?: string,
): Promise<{ status: number; json: never; headers: Headers }> {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, ...sent });
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? undefined : JSON.parse(text)) as never, headers: answer.headers };
}

const codeIn = (address: string): string => /#code=([\w-]+)/.exec(address)?.[1] ?? '';
const exchange = (mapwright: Pick<Mapwright, 'port'>, address: string) =>
  ask(mapwright, 'POST', '/console/session', { code: codeIn(address) });

async function enter(mapwright: Mapwright, address: string): Promise<Console> {
  const { status, json } = await exchange(mapwright, address);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return new Console(mapwright, json);
}

const signIn = async (mapwright: Mapwright, options = {}, account = 'ann'): Promise<Console> =>
  enter(mapwright, (await mapwright.server.consoleAddress(account, options)).path);

async function timed(t: Test): Promise<{ mapwright: Mapwright; time: { now: number } }> {
  const time = { now: start };
  return { mapwright: await startForRequests(t, { clock: () => time.now }), time };
}

const projectIn = async (mapwright: Mapwright, name: string): Promise<string> =>
  (await mapwright.post('/projects', { name })).shown.id;

t.test('a link signs in once, with the label, access and projects that it was made with', async (t) => {
  const { mapwright } = await timed(t);
  const [mine, other] = [await projectIn(mapwright, 'Mine'), await projectIn(mapwright, 'Other')];
  const owner = await signIn(mapwright);
  const wish = { label: 'Client review', access: 'read', projects: [mine], expires: '2030-01-01T02:00:00Z' };
  const made = await owner.ask('POST', '/console/links', wish);
  const link = made.json as NewLink;
  const shown = { ...wish, id: link.id, created: '2030-01-01T00:00:00.000Z', expires: '2030-01-01T02:00:00.000Z' };
  t.strictSame(link, { ...shown, by: owner.session.id, path: link.path });
  t.ok(link.path.endsWith(`/p/${mine}`), 'the only project opens');
  t.strictSame((await owner.ask('GET', '/console/links')).json, [{ ...shown, by: owner.session.id }], 'without its code');
  const guest = await enter(mapwright, link.path);
  t.match(guest.session, { account: 'ann', access: 'read', projects: [mine], label: 'Client review', revocable: true });
  t.equal((await exchange(mapwright, link.path)).status, 401, 'once');
  t.strictSame(await owner.links(), [], 'and is in no list any more');
  const asGuest = { key: guest.session.key };
  t.equal((await mapwright.get(`/projects/${mine}`, asGuest)).status, 200);
  t.equal((await mapwright.get(`/projects/${other}`, asGuest)).status, 404);
  t.equal((await mapwright.patch(`/projects/${mine}`, { name: 'x' }, asGuest)).status, 403);
  const [newest, oldest, ...more] = await owner.sessions();
  t.match(newest, { id: guest.session.id, label: 'Client review', by: owner.session.id, current: false });
  t.match(oldest, { id: owner.session.id, label: 'console', by: null, current: true, lastUse: '2030-01-01T00:00:00.000Z' });
  t.strictSame(more, []);
});

t.test('of several exchanges of one link at the same time, one gets a session', async (t) => {
  const { mapwright } = await timed(t);
  const owner = await signIn(mapwright);
  const { path: address } = await owner.link();
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await exchange(mapwright, address)).status));
  t.strictSame(statuses.sort(), [200, 401, 401, 401, 401, 401, 401, 401]);
  t.equal((await owner.sessions()).length, 2);
});

t.test('a link is no API key, and its key signs in only with its code', async (t) => {
  const { mapwright } = await timed(t);
  const owner = await signIn(mapwright);
  const link = await owner.link();
  const key = codeIn(link.path).slice(1);
  t.equal((await mapwright.get('/projects', { key })).status, 401);
  t.equal((await ask(mapwright, 'GET', '/console/session', undefined, key)).status, 401);
  t.equal((await ask(mapwright, 'POST', '/console/links', {}, key)).status, 401);
  const forged = `0${key.slice(0, 15)}${newKey().text.slice(15)}`;
  for (const code of [key, `1${key}`, forged, `0${newKey().text}`, `0${owner.session.key}`, '0', link.id])
    t.equal((await exchange(mapwright, `#code=${code}`)).status, 401, 'a wrong code');
  await t.rejects(mapwright.server.rotateKey(link.id), { message: /is a sign-in link/ });
  t.equal((await exchange(mapwright, link.path)).status, 200, 'nothing of this has used it up');
});

t.test('a link never has more rights, projects or time than the session that makes it', async (t) => {
  const { mapwright, time } = await timed(t);
  const [mine, other] = [await projectIn(mapwright, 'Mine'), await projectIn(mapwright, 'Other')];
  const reader = await signIn(mapwright, { readOnly: true });
  for (const wish of [{}, { access: 'read' }, { access: 'write' }])
    t.match(await reader.ask('POST', '/console/links', wish), { status: 403, json: { code: 'forbidden' } });
  const editor = await signIn(mapwright, { projects: [mine] });
  const [missing, foreign] = [
    await editor.ask('POST', '/console/links', { projects: [mine, newKey().id] }),
    await editor.ask('POST', '/console/links', { projects: [mine, other] }),
  ];
  const said = ({ status, json }: { status: number; json: { detail: string } }) => [status, json.detail];
  t.equal(foreign.status, 403);
  t.strictSame(said(missing), said(foreign), 'nothing shows what exists');
  t.strictSame((await editor.link()).projects, [mine], 'those of the session');
  t.strictSame((await editor.link()).expires, '2030-01-01T12:00:00.000Z', 'until it ends, which is before a day has passed');
  const late = await editor.ask('POST', '/console/links', { expires: '2030-01-01T12:00:00.001Z' });
  t.match(late, { status: 400, json: { errors: [{ pointer: '/expires', detail: /end of the session/ }] } });
  time.now += 11 * hourMs;
  const guest = await enter(mapwright, (await editor.link({ access: 'read' })).path);
  t.match(guest.session, { access: 'read', projects: [mine], expires: '2030-01-01T12:00:00.000Z' }, 'not twelve hours');
  const inherited = await enter(mapwright, (await editor.link()).path);
  const third = await enter(mapwright, (await inherited.link()).path);
  t.match(third.session, { access: 'write', projects: [mine], expires: '2030-01-01T12:00:00.000Z' }, 'nor by several steps');
  time.now += hourMs;
  for (const each of [editor, guest, third]) t.equal(await each.status(), 401);
});

t.test('revoking a session ends its links, and the sessions of these, at any depth and however it is revoked', async (t) => {
  const { mapwright } = await timed(t);
  const owner = await signIn(mapwright);
  for (const how of ['signing out', 'another session', 'a command'] as const) {
    const maker = await signIn(mapwright);
    const guest = await enter(mapwright, (await maker.link()).path);
    const deeper = await enter(mapwright, (await guest.link()).path);
    const unused = [await maker.link(), await deeper.link()];
    const { id } = maker.session;
    if (how === 'signing out') t.equal((await maker.ask('DELETE', '/console/session')).status, 204);
    else if (how === 'another session') t.equal((await owner.ask('DELETE', `/console/sessions/${id}`)).status, 204);
    else await mapwright.server.revokeKey(id);
    for (const each of [maker, guest, deeper]) t.equal(await each.status(), 401, how);
    for (const each of unused) t.equal((await exchange(mapwright, each.path)).status, 401, how);
    t.strictSame(await owner.links(), [], how);
    t.strictSame(await owner.sessionIds(), [owner.session.id], how);
  }
  const states = (await mapwright.server.keys()).filter(({ kind }) => kind !== 'key').map(({ state }) => state);
  t.equal(states.filter((state) => state === 'valid').length, 1, 'commands say so, too');
});

t.test('revoking or rotating an API key ends the sessions of its links, also in open change feeds', async (t) => {
  const { mapwright } = await timed(t);
  const project = await projectIn(mapwright, 'Mine');
  const key = await mapwright.newKey('ann');
  const made = await ask(mapwright, 'POST', '/console/links', { expires: '2030-01-31' }, key);
  t.equal(made.status, 200, 'a key without an end makes links for up to 30 days');
  const guest = await enter(mapwright, (made.json as NewLink).path);
  t.equal(guest.session.expires, '2030-01-01T12:00:00.000Z');
  const feed = await fetch(`http://127.0.0.1:${mapwright.port}/api/v1/projects/${project}/events`, {
    headers: { authorization: `Bearer ${guest.session.key}` },
  });
  t.equal(feed.status, 200);
  await mapwright.server.rotateKey(key.slice(3, 15), { overlap: '0' });
  await feed.text();
  t.equal(await guest.status(), 401);
});

t.test('a deleted link does not sign in, and a link that is over is in no list', async (t) => {
  const { mapwright, time } = await timed(t);
  const owner = await signIn(mapwright);
  const [deleted, over] = [await owner.link(), await owner.link({ expires: '1h' })];
  t.equal((await owner.ask('DELETE', `/console/links/${deleted.id}`)).status, 204);
  t.equal((await owner.ask('DELETE', `/console/links/${deleted.id}`)).status, 404);
  t.equal((await exchange(mapwright, deleted.path)).status, 401);
  t.strictSame(await owner.links(), [over.id]);
  time.now += hourMs;
  t.strictSame(await owner.links(), []);
  t.equal((await exchange(mapwright, over.path)).status, 401);
});

t.test('a restricted session sees and ends itself and what it made, another account nothing', async (t) => {
  const { mapwright } = await timed(t);
  const mine = await projectIn(mapwright, 'Mine');
  await mapwright.newKey('bob');
  const owner = await signIn(mapwright);
  const link = await owner.link();
  const [editor, reader] = [await signIn(mapwright, { projects: [mine] }), await signIn(mapwright, { readOnly: true })];
  const bob = await signIn(mapwright, {}, 'bob');
  const own = await editor.link();
  const guest = await enter(mapwright, (await editor.link()).path);
  t.strictSame(await editor.links(), [own.id]);
  t.strictSame((await editor.sessionIds()).sort(), [editor.session.id, guest.session.id].sort());
  t.strictSame(await guest.sessionIds(), [guest.session.id]);
  t.strictSame([await reader.links(), await reader.sessionIds()], [[], [reader.session.id]]);
  t.strictSame([await bob.links(), await bob.sessionIds()], [[], [bob.session.id]]);
  const unknown = newKey().id;
  for (const each of [editor, reader, bob, guest]) {
    for (const id of [owner.session.id, unknown, mapwright.key.slice(3, 15)])
      t.equal((await each.ask('DELETE', `/console/sessions/${id}`)).status, 404);
    for (const id of [link.id, unknown]) t.equal((await each.ask('DELETE', `/console/links/${id}`)).status, 404);
  }
  t.equal((await owner.ask('DELETE', `/console/sessions/${mapwright.key.slice(3, 15)}`)).status, 404, 'keys are for commands');
  t.equal(await owner.status(), 200);
  t.equal((await owner.links()).length, 2);
  t.equal((await editor.ask('DELETE', `/console/sessions/${guest.session.id}`)).status, 204);
  t.equal(await guest.status(), 401);
  t.equal((await reader.ask('DELETE', `/console/sessions/${reader.session.id}`)).status, 204, 'it may end itself');
  t.equal(await reader.status(), 401);
});

t.test('links survive a restart and a crash, and stay used, deleted and revoked after them', async (t) => {
  const mapwright = await startMapwright(t);
  const [owner, leaver] = [await signIn(mapwright), await signIn(mapwright)];
  const [kept, used, deleted] = [await owner.link({ label: 'kept' }), await owner.link(), await owner.link()];
  const revoked = await leaver.link();
  const guest = await enter(mapwright, used.path);
  await owner.ask('DELETE', `/console/links/${deleted.id}`);
  await leaver.ask('DELETE', '/console/session');
  for (const step of ['restart', 'crash', 'snapshot'] as const) {
    if (step === 'snapshot') await mapwright.server.snapshot();
    await mapwright[step === 'snapshot' ? 'restart' : step]();
    t.strictSame(await owner.links(), [kept.id], step);
    t.match(
      await owner.sessions(),
      [
        { id: guest.session.id, by: owner.session.id },
        { id: owner.session.id, by: null },
      ],
      step,
    );
    for (const each of [used, deleted, revoked]) t.equal((await exchange(mapwright, each.path)).status, 401, step);
  }
  await mapwright.server.revokeKey(owner.session.id);
  await mapwright.crash();
  t.equal((await exchange(mapwright, kept.path)).status, 401);
  t.equal(await guest.status(), 401);
});

t.test('each link and each end of a session is in the audit log, and no code', async (t) => {
  const mapwright = await startMapwright(t);
  const owner = await signIn(mapwright);
  const [link, deleted] = [await owner.link({ label: 'Client', access: 'read' }), await owner.link()];
  const guest = await enter(mapwright, link.path);
  await owner.ask('DELETE', `/console/links/${deleted.id}`);
  await owner.ask('DELETE', `/console/sessions/${guest.session.id}`);
  await (await signIn(mapwright, { readOnly: true })).ask('POST', '/console/links', {});
  const project = await projectIn(mapwright, 'Mine');
  await (await signIn(mapwright, { projects: [project] })).ask('POST', '/console/links', { projects: ['other'] });
  await mapwright.close();
  const text = fs.readFileSync(path.join(mapwright.data, 'audit.log'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const by = owner.session.id;
  for (const event of [
    { event: 'link.created', link: link.id, label: 'Client', access: 'read', by },
    { event: 'key.created', key: guest.session.id, link: link.id, by },
    { event: 'link.deleted', link: deleted.id, by },
    { event: 'key.revoked', key: guest.session.id, by },
    { event: 'key.refused', reason: 'read-only' },
    { event: 'key.refused', reason: 'other-project' },
  ])
    t.ok(
      events.some((found) => Object.entries(event).every(([name, value]) => found[name] === value)),
      JSON.stringify(event),
    );
  for (const { path: address } of [link, deleted]) t.notOk(text.includes(codeIn(address).slice(20)));
});

t.test(
  'a link reaches those of its projects that are left, and ends with the last one; so does what its session makes',
  async (t) => {
    const { mapwright } = await timed(t);
    const [kept, gone, other] = [
      await projectIn(mapwright, 'Kept'),
      await projectIn(mapwright, 'Gone'),
      await projectIn(mapwright, 'Other'),
    ];
    const owner = await signIn(mapwright);
    const link = await owner.link({ projects: [kept, gone] });
    const unused = await owner.link({ projects: [gone] });
    await mapwright.delete(`/projects/${gone}`);
    t.equal((await exchange(mapwright, unused.path)).status, 401, 'nothing is left of its projects');
    const guest = await enter(mapwright, link.path);
    t.strictSame(guest.session.projects, [kept]);
    const asGuest = { key: guest.session.key };
    t.strictSame(
      (await mapwright.get('/projects', asGuest)).list.map(({ id }) => id),
      [kept],
    );
    t.strictSame((await guest.link()).projects, [kept]);
    await mapwright.delete(`/projects/${kept}`);
    t.strictSame((await mapwright.get('/projects', asGuest)).list, []);
    const refused = await guest.ask('POST', '/console/links', {});
    t.match(refused, { status: 403, json: { detail: /were deleted/ } });
    t.equal((await guest.ask('POST', '/console/links', { projects: [other] })).status, 403);
  },
);

t.test('requests for links and sessions that are invalid, or without a key, are refused and change nothing', async (t) => {
  const { mapwright } = await timed(t);
  const owner = await signIn(mapwright);
  const gone = await projectIn(mapwright, 'Gone');
  await mapwright.delete(`/projects/${gone}`);
  const wrong: [object, string][] = [
    [{ more: 1 }, '/more'],
    [{ access: 'admin' }, '/access'],
    [{ projects: [] }, '/projects'],
    [{ projects: [gone] }, '/projects/0'],
    [{ projects: [1] }, '/projects/0'],
    [{ projects: null }, '/projects'],
    [{ projects: Array.from({ length: 101 }, (_, i) => `${gone}${i}`) }, '/projects'],
    [{ projects: Array.from({ length: 1000 }, (_, i) => `${gone}${i}`) }, '/projects'],
    [{ expires: 'tomorrow' }, '/expires'],
    [{ expires: '0' }, '/expires'],
    [{ expires: '13h' }, '/expires'],
    [{ expires: '31d' }, '/expires'],
    [{ expires: '2029-12-31T23:59:59Z' }, '/expires'],
    [{ label: 'x'.repeat(101) }, '/label'],
    [{ label: 'two\nlines' }, '/label'],
    [{ label: owner.session.key }, '/label'],
    [{ maker: 'x', kind: 'key' }, '/maker'],
  ];
  for (const [body, pointer] of wrong) {
    const { status, json } = await owner.ask('POST', '/console/links', body);
    t.equal(status, 400, pointer);
    t.equal((json as { errors: { pointer: string }[] }).errors[0]?.pointer, pointer);
    t.notOk(JSON.stringify(json).includes(owner.session.key));
    if ('projects' in body && Array.isArray(body.projects) && body.projects.length > 100)
      t.match((json as { detail: string }).detail, /must name 1 to 100 projects, not 10\d+/);
  }
  const { port } = mapwright;
  const all: [string, string][] = [
    ['GET', '/console/links'],
    ['POST', '/console/links'],
    ['DELETE', '/console/links/x'],
    ['GET', '/console/sessions'],
    ['DELETE', '/console/sessions/x'],
  ];
  for (const [method, target] of all) {
    const body = method === 'POST' ? '{}' : undefined;
    // What a form of another page could send: no key, for nothing but the header is a credential.
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const forged = { 'content-type': type, cookie: `key=${owner.session.key}`, origin: 'https://evil.example' };
      const url = `http://127.0.0.1:${port}${target}${method === 'GET' ? '' : `?key=${owner.session.key}`}`;
      const answer = await fetch(url, { method, headers: forged, ...(body === undefined ? {} : { body }) });
      t.equal(answer.status, 401, `${method} ${target}`);
      t.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  }
  const plain = await fetch(`http://127.0.0.1:${port}/console/links`, {
    ...{ method: 'POST', body: '{}', headers: { authorization: `Bearer ${owner.session.key}`, 'content-type': 'text/plain' } },
  });
  t.equal(plain.status, 415);
  for (const target of ['/console/links', '/console/sessions']) {
    const answer = await ask(mapwright, 'GET', target, undefined, owner.session.key);
    t.match([answer.headers.get('cache-control'), answer.headers.get('x-content-type-options')], ['no-store', 'nosniff']);
  }
  t.strictSame(await owner.links(), []);
});

t.test('an account has at most 500 links and sessions that users made, and deleting links makes room', async (t) => {
  const { mapwright } = await timed(t);
  const owner = await signIn(mapwright);
  const first = await owner.link();
  for (let n = 0; n < 499; n += 49) await Promise.all(Array.from({ length: Math.min(49, 499 - n) }, () => owner.link()));
  t.match(await owner.ask('POST', '/console/links', {}), { status: 409, json: { detail: /500/ } });
  t.ok((await mapwright.server.consoleAddress('ann')).path, 'commands are not refused');
  const guest = await enter(mapwright, first.path);
  t.equal((await guest.ask('POST', '/console/links', {})).status, 409, 'its session counts');
  const one = (await owner.links()).at(-1);
  await owner.ask('DELETE', `/console/links/${one}`);
  t.equal((await guest.ask('POST', '/console/links', {})).status, 200);
});

t.test('sessions of a link share the rate limit of the key that made it', async (t) => {
  const mapwright = await startForRequests(t);
  const { key, id } = await mapwright.server.createKey('ann', { rate: '5/h' });
  const links = [];
  for (let n = 0; n < 2; n++) links.push((await ask(mapwright, 'POST', '/console/links', {}, key)).json as NewLink);
  const guests = await Promise.all(links.map(({ path: address }) => enter(mapwright, address)));
  const statuses: number[] = [];
  for (const guest of [...guests, ...guests]) statuses.push(await guest.status());
  t.strictSame(statuses, [200, 200, 200, 429], 'three requests are left of five');
  await mapwright.server.limitKey(id, 'none');
  t.equal(await guests[0]?.status(), 200);
});

t.test('a request of this process lists and makes links without a key', async (t) => {
  const mapwright = await startForRequests(t);
  await signIn(mapwright);
  const say = async (method: string, target: string, body?: string): Promise<[number, unknown]> => {
    const init = body === undefined ? { method } : { method, body, headers: { 'content-type': 'application/json' } };
    const answer = await mapwright.server.fetch(new Request(`http://here${target}`, init), { account: 'ann' });
    return [answer.status, await answer.json()];
  };
  t.match(await say('GET', '/console/session'), [200, { id: '', account: 'ann', access: 'write', projects: null }]);
  t.match(await say('GET', '/console/sessions'), [200, [{ current: false }]]);
  const [status, link] = await say('POST', '/console/links', '{}');
  t.match([status, link], [200, { by: null }]);
  t.equal((await exchange(mapwright, (link as NewLink).path)).status, 200);
});

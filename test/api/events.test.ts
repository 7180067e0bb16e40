// process: first
/** The change feed over HTTP: every change once, in order, to the keys that may read it. */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { type Followed, follow, lsnOf } from '../support/follower.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { Mirror } from '../support/mirror.ts';
import { Chance } from '../support/random.ts';
import { test } from '../support/test.ts';
import { seed, sized } from '../support/tier.ts';
import { places, type ResourceName } from './contract.ts';
import { makeWorld, memberNames } from './world.ts';

t.setTimeout(600_000);

/** Number of the oldest record in the log, after which its file is named (docs/format.md). */
function oldestIn({ data }: Mapwright): number {
  const segments = fs.readdirSync(path.join(data, 'journal')).filter((name) => name.endsWith('.segment'));
  return Number.parseInt(segments.sort()[0] as string, 16);
}

const kindOf = (name: ResourceName): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

t.test('the feed has an event for each change, with the version for If-Match', async (t) => {
  const mapwright = await startMapwright(t);
  const all = await (await follow(mapwright, '/events')).begun();
  t.match(all.res.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': /./,
  });
  const world = await makeWorld(mapwright);
  t.match((await all.next()).events, [
    { name: 'project.created', data: { kind: 'project', id: world.projectId, project_id: world.projectId } },
  ]);
  t.match((await all.next()).events, [
    { name: 'artboard.created', data: { kind: 'artboard', id: world.artboardId, project_id: world.projectId } },
  ]);
  const own = await (await follow(mapwright, `/projects/${world.projectId}/events`)).begun();
  for (const name of memberNames) {
    const kind = kindOf(name);
    const made = await world.make(name);
    const inArtboard = name === 'Object' ? { artboard_id: world.artboardId } : {};
    const at = { kind, id: made.id, project_id: world.projectId, ...inArtboard };
    const created = await own.next();
    // The event of an artboard leaves out its objects, which have their own events.
    const { objects: _, ...resource } = made as { objects?: unknown };
    t.strictSame(created.events, [{ name: `${kind}.created`, data: { ...at, version: created.id, resource } }]);
    t.strictSame(await all.next(), created, 'the stream of the account has the same event');

    const one = `${world.at(name)}/${made.id}`;
    const condition = (id: string) => ({ headers: { 'if-match': `"${id}"` } });
    const answer = await mapwright.patch(one, { name: 'new' }, condition(created.id));
    t.equal(answer.status, 200, `${name}: the version is its tag`);
    const updated = await own.next();
    t.match(updated.events, [{ name: `${kind}.updated`, data: { ...at, version: updated.id, resource: { name: 'new' } } }]);
    t.equal(answer.headers['etag'], `"${updated.id}"`);
    t.equal((await mapwright.patch(one, { name: 'late' }, condition(created.id))).status, 412);
    t.equal((await mapwright.patch(one, { name: 'new' })).status, 200, 'a PATCH that changes nothing has no event');
    t.equal((await mapwright.delete(one)).status, 204);
    const deleted = await own.next();
    t.strictSame(deleted.events, [{ name: `${kind}.deleted`, data: { ...at, version: deleted.id, resource: null } }]);
    t.equal(lsnOf(deleted.id), lsnOf(updated.id) + 1);
    t.strictSame([await all.next(), await all.next()], [updated, deleted]);
  }
  t.equal(Object.keys(places).length, memberNames.length + 1, 'nothing was left out');

  const project = `/projects/${world.projectId}`;
  await mapwright.patch(project, { popups: [{ title: 'a' }, { title: 'b' }], variables: [{}] });
  t.strictSame(await own.names(), ['popup.created', 'popup.created', 'variable.created'], 'the project itself stays');
  const [a, b] = (await mapwright.get(`${project}/popups`)).list;
  await mapwright.patch(project, { name: 'n', popups: [{ title: 'c' }, { id: b?.id, title: 'bb' }, { id: a?.id }] });
  const whole = await own.next();
  t.strictSame(
    whole.events.map(({ name }) => name),
    ['project.updated', 'popup.updated', 'popup.created', 'popup.reordered'],
  );
  const popups = (await mapwright.get(`${project}/popups`)).list.map(({ id }) => id);
  t.strictSame(whole.events[3]?.data, { kind: 'popup', project_id: world.projectId, version: whole.id, ids: popups });
  const {
    artboards: _a,
    popups: _p,
    data_sources: _d,
    variables: _v,
    actions: _c,
    ...rest
  } = (await mapwright.get(project)).shown;
  t.strictSame(whole.events[0]?.data.resource, rest, 'the project without what it holds');

  await mapwright.post(`${project}/batch`, {
    operations: [
      { method: 'POST', path: '/artboards', body: { objects: [{ type: 'spot' }] }, as: 'board' },
      { method: 'PATCH', path: '/artboards/{board}', body: { name: 'later' } },
      { method: 'DELETE', path: `/popups/${a?.id}` },
    ],
  });
  const batch = await own.next();
  t.match(batch.events, [
    { name: 'artboard.created', data: { resource: { name: 'later' } } },
    { name: 'object.created' },
    { name: 'popup.deleted' },
  ]);
  const board = batch.events[0]?.data.id;
  await mapwright.delete(`${project}/artboards/${board}`);
  t.strictSame(await own.names(), ['artboard.deleted'], 'what it held goes without a word');
  await mapwright.delete(project);
  t.strictSame(await own.names(), ['project.deleted']);
  await own.over();
  t.pass('and nothing will ever follow in it');
  t.notOk(all.isOver);
});

t.test('a subscriber gets no events of other accounts or of projects outside its key', async (t) => {
  const mapwright = await startMapwright(t);
  const bob = await mapwright.newKey('bob');
  const mine = (await mapwright.post('/projects', {})).shown.id;
  const other = (await mapwright.post('/projects', {})).shown.id;
  const bobs = (await mapwright.post('/projects', {}, { key: bob })).shown.id;
  const narrow = (await mapwright.server.createKey('ann', { projects: [mine], readOnly: true })).key;
  for (const [key, id] of [
    [mapwright.key, bobs],
    [narrow, other],
    [narrow, bobs],
    [narrow, 'none'],
  ] as const) {
    t.equal((await mapwright.get(`/projects/${id}/events`, { key })).status, 404);
  }
  t.equal((await mapwright.get('/events', { key: '' })).status, 401);
  t.equal((await mapwright.post('/events', {})).status, 405);
  const of = async (key: string) => (await follow(mapwright, '/events', { key })).begun();
  const [ann, few, bobsOwn] = [await of(mapwright.key), await of(narrow), await of(bob)];
  const start = few.id;
  for (const [id, key] of [
    [other, mapwright.key],
    [bobs, bob],
    [mine, mapwright.key],
  ] as const) {
    await mapwright.patch(`/projects/${id}`, { name: `of ${id}` }, { key });
  }
  const idsOf = (followed: Followed) => followed.records.map(({ events }) => events[0]?.data.id);
  await ann.until(() => ann.records.length === 2);
  await few.until(() => few.records.length > 0);
  await bobsOwn.until(() => bobsOwn.records.length > 0);
  t.strictSame([idsOf(ann), idsOf(few), idsOf(bobsOwn)], [[other, mine], [mine], [bobs]]);
  const again = await follow(mapwright, '/events', { key: narrow, after: start });
  await again.until(() => again.records.length > 0);
  t.strictSame(again.records, few.records, 'the same from the log');
});

t.test('an invalid position gets 400, an unknown one a reset, and Last-Event-ID overrides the query', async (t) => {
  const mapwright = await startForRequests(t);
  const followed = await (await follow(mapwright, '/events')).begun();
  const { id } = followed;
  const [history = ''] = id.split('-');
  const { id: project } = (await mapwright.post('/projects', {})).shown;
  const made = await followed.next();
  for (const wrong of [
    '',
    'x',
    '5',
    history,
    `${history}-`,
    `${history}-A`,
    `${history}-123456789abc`,
    `"${id}"`,
    `${id},${id}`,
    '\u2028',
  ]) {
    const { status, problem } = await mapwright.get(`/events?after=${encodeURIComponent(wrong)}`);
    t.equal(status, 400, wrong);
    t.match(problem.detail, /query parameter .*after/);
    t.strictSame(problem.errors, [{ pointer: '', parameter: 'after', detail: problem.detail }]);
  }
  for (const query of ['', `?after=${id}`, '?after=x']) {
    const { status, problem } = await mapwright.get(`/events${query}`, { headers: { 'last-event-id': 'y' } });
    t.equal(status, 400, query);
    t.strictSame(
      problem.errors,
      [{ pointer: '', header: 'Last-Event-ID', detail: problem.detail }],
      'the header counts, and is named',
    );
  }
  t.equal((await mapwright.get('/events?from=1')).status, 400);
  for (const elsewhere of [`0123456789abcdef-1`, `${history}-zzzz`, `${history}-zzzzzzzzzzz`]) {
    const reset = await follow(mapwright, '/events', { after: elsewhere });
    t.strictSame(await reset.next(), { id: made.id, events: [{ name: 'reset', data: { reason: 'unknown', version: made.id } }] });
    reset.leave();
  }
  const { headers } = await mapwright.get(`/projects/${project}`);
  const changed = await mapwright.patch(`/projects/${project}`, { name: 'n' });
  const fromTag = await follow(mapwright, '/events', { after: String(headers['etag']).replaceAll('"', '') });
  t.equal(`"${(await fromTag.next()).id}"`, changed.headers['etag'], 'an entity tag is a place to go on from');
  const both = await follow(mapwright, '/events', { after: id, lastEventId: made.id });
  t.equal(`"${(await both.next()).id}"`, changed.headers['etag'], 'the header is newer than the address');
  const empty = await follow(mapwright, '/events', { after: id, lastEventId: '' });
  t.equal((await empty.next()).id, made.id);
});

/** A subscriber that can be disconnected anywhere: a mirror of the projects, and the ids of its events. */
class Reader {
  readonly mirror = new Mirror();
  readonly lsns: number[] = [];
  resets = 0;
  id = '';
  #followed: Followed | undefined;

  async come(mapwright: Mapwright): Promise<void> {
    this.#followed = await follow(mapwright, '/events', this.id === '' ? {} : { lastEventId: this.id });
    if (this.id === '') this.id = (await this.#followed.begun()).id;
  }

  /** Takes all that there is up to an LSN, or until it is cut off. */
  async take(mapwright: Mapwright, to: number): Promise<void> {
    const followed = this.#followed as Followed;
    while (lsnOf(this.id) < to && (await followed.until(() => followed.records.length > 0))) await this.#one(mapwright, followed);
  }

  leave(): void {
    this.#followed?.leave();
  }

  async #one(mapwright: Mapwright, followed: Followed): Promise<void> {
    const record = await followed.next();
    this.id = record.id;
    if (record.events[0]?.name === 'reset') {
      this.resets++;
      this.lsns.length = 0;
      await this.mirror.read(mapwright);
    } else {
      this.lsns.push(lsnOf(record.id));
      this.mirror.apply(record);
    }
  }
}

t.test('a subscriber that reconnects gets every event once, in order', async (t) => {
  const chance = new Chance(seed);
  t.comment(`SEED=${chance.seed}`);
  const mapwright = await startMapwright(t);
  const rounds = sized({ sample: 5, all: 25 });
  const reader = new Reader();
  await reader.come(mapwright);
  const first = lsnOf(reader.id);
  let written = first;
  const projects: string[] = [];

  /** One record, of any kind. */
  const write = async (): Promise<void> => {
    const at = projects.length === 0 ? undefined : chance.pick(projects);
    const what = chance.weighted({ project: 1, fill: 4, change: 6, order: 3, batch: 2, gone: 1 });
    let status = 200;
    if (at === undefined || what === 'project') {
      const made = await mapwright.post('/projects', { artboards: [{ objects: [{ type: 'spot' }, { type: 'poly' }] }] });
      projects.push(made.shown.id);
    } else if (what === 'fill') {
      ({ status } = await mapwright.post(`/projects/${at}/popups`, { title: 'x'.repeat(chance.below(3000)) }));
    } else if (what === 'change') {
      ({ status } = await mapwright.patch(`/projects/${at}`, { name: `${written} \u2028\r\n` }));
    } else if (what === 'order') {
      const popups = (await mapwright.get(`/projects/${at}/popups`)).list.map(({ id }) => ({ id }));
      // A new one in any case: a record, and somewhere in the middle.
      const body = { popups: chance.shuffled([...popups.slice(chance.below(2)), { title: 'new' }]) };
      ({ status } = await mapwright.patch(`/projects/${at}`, body));
    } else if (what === 'batch') {
      const operations = [
        { method: 'POST', path: '/variables', body: {}, as: 'v' },
        { method: 'PATCH', path: '/variables/{v}', body: { name: 'twice' } },
        { method: 'POST', path: '/artboards', body: { objects: [{ type: 'spot' }] } },
      ];
      ({ status } = await mapwright.post(`/projects/${at}/batch`, { operations }));
    } else {
      projects.splice(projects.indexOf(at), 1);
      ({ status } = await mapwright.delete(`/projects/${at}`));
      status = status === 204 ? 200 : status;
    }
    if (status !== 200) throw new Error(`${what}: ${status}`);
    written++;
  };

  for (let round = 0; round < rounds; round++) {
    for (let i = chance.below(6); i > 0; i--) await write();
    const what = chance.weighted({ read: 4, cut: 4, restart: 1, crash: 1, snapshot: 1 });
    const resets = reader.resets;
    if (what === 'read') await reader.take(mapwright, written);
    else if (what === 'cut') {
      await reader.take(mapwright, Math.min(written, lsnOf(reader.id) + chance.below(4)));
      reader.leave();
    } else if (what === 'snapshot') await mapwright.server.snapshot();
    else await mapwright[what]();
    if (what === 'cut' || what === 'restart' || what === 'crash') {
      // What is written while nobody listens.
      for (let i = chance.below(4); i > 0; i--) await write();
      if (chance.once(4)) for (let i = 0; i < 3; i++) await write().then(() => mapwright.server.snapshot());
      const isThere = oldestIn(mapwright) <= lsnOf(reader.id) + 1;
      // Some of it is written while the reader is on its way from the log to the others.
      const burst = isThere ? chance.below(8) : 0;
      const to = written + burst;
      const reading = reader.come(mapwright).then(() => reader.take(mapwright, to));
      for (let i = 0; i < burst; i++) await write();
      await reading;
      if (isThere) t.equal(reader.resets, resets, `round ${round}: the log reaches back to ${reader.id}`);
    }
  }
  await reader.take(mapwright, written);
  const from = written - reader.lsns.length;
  t.strictSame(
    reader.lsns,
    Array.from({ length: reader.lsns.length }, (_, i) => from + 1 + i),
    'no gap, and nothing twice',
  );
  if (reader.resets === 0) t.equal(from, first);
  t.strictSame(reader.mirror.projects, (await mapwright.get('/projects')).json, 'and it knows what there is');
});

t.test('a position before the oldest record of the log gets a reset, and events go on after it', async (t) => {
  const mapwright = await startMapwright(t);
  const followed = await (await follow(mapwright, '/events')).begun();
  const { id } = followed;
  followed.leave();
  for (let i = 0; i < 4; i++) {
    await mapwright.post('/projects', { name: `${i}` });
    await mapwright.server.snapshot();
  }
  const late = await follow(mapwright, '/events', { lastEventId: id });
  const reset = await late.next();
  t.strictSame(reset.events, [{ name: 'reset', data: { reason: 'too_old', version: reset.id } }]);
  await mapwright.post('/projects', { name: 'after' });
  t.match(await late.next(), { events: [{ name: 'project.created', data: { resource: { name: 'after' } } }] });
  const again = await follow(mapwright, '/events', { lastEventId: reset.id });
  t.match(await again.next(), { events: [{ name: 'project.created', data: { resource: { name: 'after' } } }] });
  t.match((await mapwright.ask('GET', '/metrics')).text, /^mapwright_feed_resets_total 1$/m);
});

test.all('the events of a large record are the same live and from the log', async (t) => {
  const mapwright = await startForRequests(t, { segmentBytes: 16 * 1024 * 1024 });
  const live = await (await follow(mapwright, '/events')).begun();
  const { id } = live;
  const popups = Array.from({ length: 5000 }, (_, i) => ({ title: `${i}`, content: 'ä'.repeat(200) }));
  const shown = (await mapwright.post('/projects', { popups })).shown;
  const record = await live.next();
  t.equal(record.events.length, 5001);
  t.strictSame(
    record.events.slice(1).map(({ data }) => data.resource),
    shown['popups'],
  );
  const later = await (await follow(mapwright, '/events', { after: id })).next();
  t.ok(JSON.stringify(later) === JSON.stringify(record), 'to the byte');
});

t.test('revoking, expiring or deleting a key ends its event streams, and no others', async (t) => {
  let now = Date.now();
  const mapwright = await startForRequests(t, { clock: () => now, limits: { heartbeatMs: 50 } });
  const project = (await mapwright.post('/projects', {})).shown.id;
  const narrow = await mapwright.server.createKey('ann', { projects: [project] });
  const soon = await mapwright.server.createKey('ann', { expires: '1h' });
  const bob = await mapwright.server.createKey('bob');
  const of = async (key: string) => (await follow(mapwright, '/events', { key })).begun();
  const [ann, revoked, expiring, bobs] = [await of(mapwright.key), await of(narrow.key), await of(soon.key), await of(bob.key)];
  await mapwright.server.revokeKey(narrow.id);
  await revoked.over();
  await mapwright.server.deleteAccount('bob');
  await bobs.over();
  const { id } = await mapwright.server.rotateKey(soon.id, { overlap: '1m' });
  t.notOk(expiring.isOver);
  now += 2 * 60_000;
  await mapwright.patch(`/projects/${project}`, { name: 'too late' });
  await expiring.over();
  t.strictSame(expiring.records, [], 'an expired key gets no events');
  t.match(await ann.next(), { events: [{ data: { resource: { name: 'too late' } } }] });
  t.ok(id);
});

t.test('event streams have their own limits, per account and per server', async (t) => {
  const mapwright = await startForRequests(t, {
    limits: { requestsPerAccountMax: 1, streamsMax: 3, streamsPerAccountMax: 2 },
  });
  const bob = await mapwright.newKey('bob');
  const carl = await mapwright.newKey('carl');
  const [one, two] = [await (await follow(mapwright, '/events')).begun(), await (await follow(mapwright, '/events')).begun()];
  t.equal((await mapwright.get('/projects')).status, 200, 'they are no requests under way');
  const tooMany = await mapwright.get('/events');
  t.match([tooMany.status, tooMany.headers['retry-after'], tooMany.problem.code], [429, '10', 'too_many_requests']);
  const third = await (await follow(mapwright, '/events', { key: bob })).begun();
  t.match(await mapwright.get('/events', { key: carl }), { status: 503, headers: { 'retry-after': '10' } });
  t.match((await mapwright.ask('GET', '/metrics')).text, /^mapwright_feed_subscribers 3$/m);
  t.match((await mapwright.ask('GET', '/metrics')).text, /^mapwright_http_requests_in_flight 1$/m);
  two.leave();
  const isFree = async () => (await mapwright.ask('GET', '/metrics')).text.includes('mapwright_feed_subscribers 2\n');
  while (!(await isFree())) await new Promise(setImmediate);
  t.equal((await mapwright.get('/events')).status, 200);
  t.equal((await mapwright.ask('HEAD', '/v1/events')).status, 200);
  t.notOk(one.isOver);
  t.notOk(third.isOver);
});

t.test('a server that stops ends its event streams, and subscribers resume after a restart', async (t) => {
  const mapwright = await startMapwright(t);
  const followed = await (await follow(mapwright, '/events')).begun();
  await mapwright.post('/projects', { name: 'one' });
  await followed.next();
  const { id } = followed;
  await mapwright.close();
  await followed.over();
  t.equal(followed.comments, 1, 'in good order');
  await mapwright.start();
  await mapwright.post('/projects', { name: 'two' });
  const again = await follow(mapwright, '/events', { lastEventId: id });
  t.match(await again.next(), { events: [{ data: { resource: { name: 'two' } } }] });
});

t.test('a heartbeat of an idle stream carries the newest position', async (t) => {
  const mapwright = await startForRequests(t, { limits: { heartbeatMs: 20 } });
  const followed = await (await follow(mapwright, '/events')).begun();
  const { id } = followed;
  await mapwright.newKey('bob');
  t.ok(await followed.until(() => followed.id !== id));
  t.strictSame([followed.records, lsnOf(followed.id)], [[], lsnOf(id) + 1]);
});

t.test('a subscriber that reads nothing is disconnected, and the others go on', async (t) => {
  const mapwright = await startForRequests(t, { limits: { responseTimeoutMs: 1500 }, segmentBytes: 16 * 1024 * 1024 });
  const socket = net.connect(mapwright.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${mapwright.key}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  const live = await (await follow(mapwright, '/events')).begun();
  const { id } = (await mapwright.post('/projects', {})).shown;
  await live.next();
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await mapwright.ask('GET', '/metrics')).text)?.[1]);
  // The kernel takes tens of megabytes for a client that reads nothing. What it does not take is in the backlog.
  for (let i = 0; (await metric('mapwright_feed_backlog_bytes')) === 0; i++) {
    await mapwright.post(`/projects/${id}/popups`, { content: `${i}${'x'.repeat(1_000_000)}` });
    t.match(await live.next(), { events: [{ name: 'popup.created' }] });
  }
  while ((await metric('mapwright_feed_subscribers')) === 2) await setTimeout(50);
  t.equal(await metric('mapwright_feed_subscribers'), 1);
  t.notOk(live.isOver);
  t.match((await mapwright.ask('GET', '/metrics')).text.match(/^mapwright_(http_slow_readers|feed)_disconnected_total.*$/gm), [
    'mapwright_http_slow_readers_disconnected_total{reason="slow"} 1',
    'mapwright_http_slow_readers_disconnected_total{reason="no_room"} 0',
    'mapwright_feed_disconnected_total 0',
  ]);
});

t.test('a request pipelined after an event stream ends the connection; one before it is answered', async (t) => {
  const mapwright = await startForRequests(t);
  const head = (target: string) => `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${mapwright.key}\r\n\r\n`;
  const socket = net.connect(mapwright.port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => (text += part));
  socket.write(head('/v1/projects') + head('/v1/events'));
  while (!text.includes('id: ')) await new Promise((resolve) => socket.once('data', resolve));
  t.match(text, /^HTTP\/1.1 200 OK.*HTTP\/1.1 200 OK.*text\/event-stream/s);
  socket.write(head('/v1/projects'));
  await new Promise((resolve) => socket.once('close', resolve));
  t.match((await mapwright.ask('GET', '/metrics')).text, /^mapwright_http_requests_in_flight 1$/m);
  const old = net.connect(mapwright.port, '127.0.0.1');
  t.teardown(() => old.destroy());
  old.write(`GET /v1/events HTTP/1.0\r\nauthorization: Bearer ${mapwright.key}\r\n\r\n`);
  let plain = '';
  while (!plain.includes('id: ')) plain += await new Promise((resolve) => old.once('data', resolve));
  t.match(plain, /\r\n\r\nretry: 2000\n\nid: [0-9a-f]{16}\.[0-9a-f]{16}-\w+\n\n$/, 'without chunks to HTTP/1.0');
});

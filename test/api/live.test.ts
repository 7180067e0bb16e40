/** Live maps over HTTP: responses of data sources, evaluations, and the public result of a live map. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';

/** A data source on this machine that counts requests. */
async function source(t: Test, body: () => string) {
  let requests = 0;
  const server = createServer((_, res) => {
    requests++;
    res.setHeader('Content-Type', 'application/json').setHeader('Cache-Control', 'max-age=120').end(body());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/data`, requests: () => requests };
}

interface Office {
  readonly id: string;
  readonly room: string;
  readonly artboard: string;
  readonly sensor: string;
  readonly taken: string;
}

/** A room that gets the colour of the number that a data source gives. */
async function office(mapwright: Mapwright, url = ''): Promise<Office> {
  const project = (await mapwright.post('/projects', { name: 'Office' })).shown.id;
  const at = `/projects/${project}`;
  const make = async (path: string, body: object): Promise<string> => (await mapwright.post(`${at}${path}`, body)).shown.id;
  const artboard = await make('/artboards', { name: 'Floor' });
  const room = await make(`/artboards/${artboard}/objects`, { name: 'Room', type: 'spot', color: '#000000' });
  const sensor = await make('/data-sources', { name: 'Sensor', url, headers: [{ name: 'X-Token', value: 'secret-token' }] });
  const node = { nodes: [{ id: 'a', key: 'taken' }], node_id: 'a' };
  const taken = await make('/variables', { name: 'Taken', type: 'primitive', data_source_id: sensor, data_path: node });
  await make('/actions', {
    ...{ name: 'Full', type: 'modify-object', object_id: room },
    conditions: [{ variable_id: taken, operator: 'greater-than', value: 5 }],
    style_color: { name: 'color', type: 'custom', value: '#dc2626' },
  });
  await make('/actions', {
    ...{ name: 'Guard', type: 'create-spot', create_object_target_artboard_id: artboard, create_object_name: 'Guard {Taken}' },
    ...{ create_spot_x_custom_value: '10', create_spot_y_custom_value: '20' },
  });
  return { id: project, room, artboard, sensor, taken };
}

const responseOf = ({ id, sensor }: Office): string => `/v1/projects/${id}/data-sources/${sensor}/response`;
const evaluateOf = ({ id }: Office): string => `/v1/projects/${id}/evaluate`;

async function publish(mapwright: Mapwright, { id }: Office, body: object = {}): Promise<Shown> {
  return (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body })).shown;
}

interface Live {
  readonly status: number;
  readonly etag: string | null;
  readonly cacheControl: string | null;
  readonly text: string;
}

async function readLive(mapwright: Mapwright, slug: unknown, headers: Record<string, string> = {}): Promise<Live> {
  const response = await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/live.json`, { headers });
  const { status, headers: sent } = response;
  return { status, etag: sent.get('etag'), cacheControl: sent.get('cache-control'), text: await response.text() };
}

t.test('a pushed response is shown, evaluated, replaced and forgotten', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  t.equal((await mapwright.ask('GET', responseOf(made))).status, 404, 'none at first');
  t.equal((await mapwright.ask('DELETE', responseOf(made))).status, 404);
  t.equal((await mapwright.ask('PUT', responseOf(made), { body: { taken: 6 } })).status, 204);
  t.match((await mapwright.ask('GET', responseOf(made))).shown, {
    ...{ status: null, ms: 0, pushed: true, problem: null, body: { taken: 6 } },
  });
  const full = (await mapwright.ask('POST', evaluateOf(made))).shown;
  t.match(full, { values: { [made.taken]: 6 }, objects: { [made.room]: { color: '#dc2626' } }, problems: [] });
  t.match(full['created'], [{ artboard_id: made.artboard, object: { name: 'Guard 6', x: 10, y: 20 }, popup: null }]);
  await mapwright.ask('PUT', responseOf(made), { body: { taken: 2 } });
  t.strictSame((await mapwright.ask('POST', evaluateOf(made))).shown['objects'], {}, 'the room is as it is stored');
  t.equal((await mapwright.ask('DELETE', responseOf(made))).status, 204);
  const empty = (await mapwright.ask('POST', evaluateOf(made))).shown;
  t.match(empty['problems'], [{ resource: { id: made.taken }, pointer: String }]);
});

t.test('a fetch answers 200 with the response, or with the problem of the data source', async (t) => {
  const { url, host } = await source(t, () => '{"taken":7}');
  const mapwright = await startForRequests(t, { dataHosts: host });
  const made = await office(mapwright, url);
  t.match((await mapwright.ask('POST', responseOf(made))).shown, {
    ...{ status: 200, pushed: false, problem: null, body: { taken: 7 } },
    max_age: 120,
  });
  const refused = await office(mapwright, 'http://127.0.0.1:1/data');
  const { problem, body } = (await mapwright.ask('POST', responseOf(refused))).shown;
  t.match(problem, { code: String, detail: /--data-hosts/ }, 'an address that is not allowed');
  t.equal(body, null);
});

t.test('a fetch never reaches the server itself, also if its address is allowed', async (t) => {
  const mapwright = await startForRequests(t, { dataHosts: '127.0.0.1' });
  const made = await office(mapwright, `http://127.0.0.1:${mapwright.port}/healthz`);
  const { problem } = (await mapwright.ask('POST', responseOf(made))).shown;
  t.match(problem, { code: String, detail: String });
});

t.test('an evaluation with given responses fetches nothing and depends only on its seed and time', async (t) => {
  const { url, host, requests } = await source(t, () => '{"taken":7}');
  const mapwright = await startForRequests(t, { dataHosts: host });
  const made = await office(mapwright, url);
  const body = { responses: { [made.sensor]: { taken: 9 } }, seed: 'a', now: '2026-01-01T00:00:00Z' };
  const once = await mapwright.ask('POST', evaluateOf(made), { body });
  t.match(once.shown['values'], { [made.taken]: 9 });
  t.equal((await mapwright.ask('POST', evaluateOf(made), { body })).text, once.text);
  t.equal(requests(), 0);
  const none = (await mapwright.ask('POST', evaluateOf(made), { body: { responses: {} } })).shown;
  t.match(none['problems'], [{ resource: { id: made.taken } }], 'a data source that is not given has no response');
  t.equal(requests(), 0);
  t.match((await mapwright.ask('POST', evaluateOf(made))).shown['values'], { [made.taken]: 7 });
  t.equal(requests(), 1);
});

/** Adds data sources to an office, and for some of them variables that read them. */
async function addSources(mapwright: Mapwright, { id }: Office, url: string, count: number, read: number): Promise<string[]> {
  const ids: string[] = [];
  const add = async (path: string, bodies: readonly object[]): Promise<string[]> => {
    const all: string[] = [];
    for (let i = 0; i < bodies.length; i += 500) {
      const operations = bodies.slice(i, i + 500).map((body) => ({ method: 'POST', path, body }));
      const { shown } = await mapwright.post(`/projects/${id}/batch`, { operations });
      all.push(...(shown['results'] as { readonly body: { readonly id: string } }[]).map(({ body }) => body.id));
    }
    return all;
  };
  ids.push(
    ...(await add(
      '/data-sources',
      Array.from({ length: count }, (_, i) => ({ name: `More ${i}`, url: `${url}/${i}` })),
    )),
  );
  const variable = (data_source_id: string, i: number) => ({ name: `More ${i}`, type: 'iterator', data_source_id });
  await add('/variables', ids.slice(0, read).map(variable));
  // It has had another type, and does not read the data source any more.
  await add('/variables', [{ ...variable(ids.at(-1) ?? '', count), type: 'custom' }]);
  return ids;
}

t.test('an evaluation and a live map ask only the data sources that variables read', async (t) => {
  const { url, host, requests } = await source(t, () => '{"taken":7}');
  const mapwright = await startForRequests(t, { dataHosts: host });
  const made = await office(mapwright, url);
  const more = await addSources(mapwright, made, url, 20, 2);
  t.match((await mapwright.ask('POST', evaluateOf(made))).shown['values'], { [made.taken]: 7 });
  t.equal(requests(), 3);
  await publish(mapwright, made, { refresh: 60 });
  const sources = await mapwright.ask('GET', `/v1/projects/${made.id}/publication/sources`);
  const shown = JSON.parse(sources.text) as { readonly data_source_id: string }[];
  t.strictSame(
    shown.map(({ data_source_id: id }) => id),
    [made.sensor, ...more.slice(0, 2)],
  );
});

t.test('beyond 1,000 data sources that variables read, an evaluation names those that are not asked', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright, '');
  const more = await addSources(mapwright, made, 'http://192.0.2.1', 1003, 1003);
  for (const id of [more[998], more[999]])
    await mapwright.ask('PUT', `/v1/projects/${made.id}/data-sources/${id}/response`, { body: [1] });
  const { key } = await mapwright.server.createKey('ann', { readOnly: true });
  const { shown } = await mapwright.ask('POST', evaluateOf(made), { key });
  const details = (shown['problems'] as { readonly detail: string }[]).map(({ detail }) => detail);
  t.equal(details.at(-1), 'There are more problems than the first 1,000. Correct these, and evaluate again');
  t.equal(details.filter((detail) => detail.includes('has no response yet')).length, 999);
  t.strictSame(
    details.filter((detail) => detail.includes('"More 998"')),
    [],
    'the thousandth has its response',
  );
  t.match(
    details.find((detail) => detail.includes('"More 999"')),
    /^the data source "More 999" is not asked, because variables read more than 1,000 data sources; use one /,
  );
  await publish(mapwright, made, { refresh: 60 });
  const sources = await mapwright.ask('GET', `/v1/projects/${made.id}/publication/sources`);
  t.equal((JSON.parse(sources.text) as unknown[]).length, 1000);
});

t.test('a read-only key reads and evaluates responses, and neither fetches nor pushes', async (t) => {
  const { url, host, requests } = await source(t, () => '{"taken":7}');
  const mapwright = await startForRequests(t, { dataHosts: host });
  const made = await office(mapwright, url);
  const { key } = await mapwright.server.createKey('ann', { readOnly: true });
  const statusOf = async (method: string, path: string, body?: object) =>
    (await mapwright.ask(method, path, { key, ...(body && { body }) })).status;
  t.equal(await statusOf('POST', responseOf(made)), 403);
  t.equal(await statusOf('PUT', responseOf(made), {}), 403);
  t.equal(await statusOf('DELETE', responseOf(made)), 403);
  t.equal(await statusOf('GET', responseOf(made)), 404);
  const before = (await mapwright.ask('POST', evaluateOf(made), { key })).shown;
  t.strictSame([Object.keys(before['values'] as object), requests()], [[], 0], 'nothing was fetched');
  await mapwright.ask('POST', responseOf(made));
  t.match((await mapwright.ask('POST', evaluateOf(made), { key })).shown['values'], { [made.taken]: 7 });
  t.equal(requests(), 1);
});

t.test('an invalid push or evaluation is refused with what is wrong, and the former response stays', async (t) => {
  const mapwright = await startForRequests(t, { dataResponseBytes: 2048 });
  const made = await office(mapwright);
  await mapwright.ask('PUT', responseOf(made), { body: [1] as never });
  const large = await mapwright.ask('PUT', responseOf(made), { body: { text: 'x'.repeat(3000) } });
  t.match([large.status, large.json], [413, { detail: /2048 bytes \(--data-mb\)/ }]);
  t.strictSame((await mapwright.ask('GET', responseOf(made))).shown['body'], [1]);
  const times = await mapwright.ask('POST', evaluateOf(made), { body: { now: 'yesterday' } });
  t.match([times.status, times.json], [400, { errors: [{ pointer: '/now' }] }]);
  const unknown = await mapwright.ask('POST', evaluateOf(made), { body: { response: {} } });
  t.match([unknown.status, unknown.json], [400, { errors: [{ pointer: '/response' }] }]);
  const long = await mapwright.ask('POST', evaluateOf(made), { body: { responses: { 'a/b': 'x'.repeat(3000) } } });
  t.match([long.status, long.json], [400, { errors: [{ pointer: '/responses/a~1b' }] }]);
});

t.test('a live map shows what its actions make of pushed data, and nothing of where it comes from', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  const { slug, refresh } = await publish(mapwright, made);
  t.equal(refresh, 60, 'a project with actions is live');
  const pointer = await (await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/map.json`)).json();
  t.match(pointer, { live: 'live.json', refresh: 60 });
  t.equal((await readLive(mapwright, slug)).cacheControl, 'no-store', 'a source has no response yet');
  await mapwright.ask('PUT', responseOf(made), { body: { taken: 6 } });
  await until('the push is evaluated', async () => (await readLive(mapwright, slug)).text.includes('dc2626'));
  const live = await readLive(mapwright, slug);
  t.equal(live.cacheControl, 'public, max-age=60');
  const shown = JSON.parse(live.text);
  t.match(shown, { version: 1, at: String, objects: { [made.room]: { color: '#dc2626' } }, popups: {} });
  t.match(shown.created, [{ artboard_id: made.artboard, object: { id: /^live-[0-9a-f]{32}$/, name: 'Guard 6' } }]);
  for (const word of ['secret-token', 'Sensor', 'Taken', made.sensor, made.taken, 'X-Token', 'values', 'problems'])
    t.notOk(live.text.includes(word), `no ${word}`);
  t.equal((await readLive(mapwright, slug, { 'If-None-Match': live.etag as string })).status, 304);
});

t.test('a live map says whether its sources are fresh, and since when they are not', async (t) => {
  let body = '{"taken":7}';
  const { url, host } = await source(t, () => body);
  const mapwright = await startForRequests(t, { dataHosts: host });
  const made = await office(mapwright, url);
  const { slug } = await publish(mapwright, made, { refresh: 5 });
  const stateIn = ({ text }: Live) => {
    const { sources, since } = JSON.parse(text);
    return { sources, since };
  };
  const first = await readLive(mapwright, slug);
  t.strictSame(stateIn(first), { sources: 'fresh', since: undefined });
  body = '<!doctype html>';
  const { body_at: since } = (await mapwright.ask('POST', responseOf(made))).shown;
  await until('the next refresh shows it', async () => stateIn(await readLive(mapwright, slug)).sources === 'stale');
  const stale = await readLive(mapwright, slug);
  t.strictSame(stateIn(stale), { sources: 'stale', since });
  t.equal(stale.cacheControl, 'public, max-age=5');
  t.not(stale.etag, first.etag);
  t.equal((await readLive(mapwright, slug, { 'If-None-Match': stale.etag as string })).status, 304);
  await mapwright.ask('PUT', responseOf(made), { body: { taken: 7 } });
  await until('a push ends it', async () => stateIn(await readLive(mapwright, slug)).sources === 'fresh');
  t.equal((await readLive(mapwright, slug)).etag, first.etag, 'the content is that of the first one');
  await mapwright.ask('DELETE', responseOf(made));
  await until('no answer is left', async () => stateIn(await readLive(mapwright, slug)).sources === 'failed');
  const failed = await readLive(mapwright, slug);
  t.strictSame([stateIn(failed), failed.cacheControl], [{ sources: 'failed', since: undefined }, 'no-store']);
});

t.test('a live map without sources is fresh', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', { name: 'Clock' })).shown;
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: { refresh: 5 } })).shown;
  t.match(JSON.parse((await readLive(mapwright, slug)).text), { sources: 'fresh', since: undefined });
});

t.test('a live map shows no name of a variable, also if it cannot be used, and asks no source that nothing reads', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  const at = `/projects/${made.id}`;
  await mapwright.post(`${at}/data-sources`, { name: 'Unused', url: 'https://unused.example/' });
  const popup = (await mapwright.post(`${at}/popups`, { title: 'Now' })).shown.id;
  await mapwright.post(`${at}/variables`, { name: 'Badges', type: 'iterator', data_source_id: made.sensor });
  for (const name of ['Twice', 'Twice']) await mapwright.post(`${at}/variables`, { name, type: 'custom', custom_value: '1' });
  const text = 'Now {Badges}{Twice}{Taken}{nothing}';
  await mapwright.post(`${at}/actions`, { type: 'modify-popup', popup_id: popup, popup_title: text, popup_content: text });
  await mapwright.ask('PUT', responseOf(made), { body: { taken: 6 } });
  const { slug } = await publish(mapwright, made);
  const live = await readLive(mapwright, slug);
  t.match(JSON.parse(live.text), { popups: { [popup]: { title: 'Now 6{nothing}', content: 'Now 6{nothing}' } } });
  t.equal(live.cacheControl, 'public, max-age=60', 'the source that nothing reads is not missing');
  const { json } = await mapwright.ask('GET', `/v1${at}/publication/sources`);
  t.match(json, [{ data_source_id: made.sensor }]);
});

t.test('an error in place of the data keeps the last result of a live map, and the map says so', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  await mapwright.ask('PUT', responseOf(made), { body: { error: 'gateway offline' } });
  const { slug } = await publish(mapwright, made);
  t.match(JSON.parse((await readLive(mapwright, slug)).text), { sources: 'failed', objects: {} }, 'there never were data');
  const pushed = async (body: unknown, state: string) => {
    await mapwright.ask('PUT', responseOf(made), { body });
    await until(state, async () => JSON.parse((await readLive(mapwright, slug)).text).sources === state);
    return JSON.parse((await readLive(mapwright, slug)).text);
  };
  t.match(await pushed({ taken: 6 }, 'fresh'), { objects: { [made.room]: { color: '#dc2626' } } });
  const kept = await pushed({ error: 'gateway offline' }, 'stale');
  t.match(kept, { since: /^20/, objects: { [made.room]: { color: '#dc2626' } } });
  t.match(await pushed({ taken: 1 }, 'fresh'), { objects: {} });
});

t.test('a live map uses its rules as published until it is published again', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  await mapwright.ask('PUT', responseOf(made), { body: { taken: 6 } });
  const { slug } = await publish(mapwright, made);
  const { list: actions } = await mapwright.get(`/projects/${made.id}/actions`);
  for (const { id } of actions) await mapwright.ask('DELETE', `/v1/projects/${made.id}/actions/${id}`);
  t.match(JSON.parse((await readLive(mapwright, slug)).text), { objects: { [made.room]: { color: '#dc2626' } } });
  t.match(await publish(mapwright, made), { version: 1, refresh: 60 }, 'the map itself is the same');
  t.match(JSON.parse((await readLive(mapwright, slug)).text), { objects: {}, created: [] });
});

t.test('the refresh of a publication is kept, changed without a new version, and 0 makes it still', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  t.match(await publish(mapwright, made, { refresh: 5 }), { version: 1, refresh: 5 });
  t.match(await publish(mapwright, made), { version: 1, refresh: 5 });
  t.match(await publish(mapwright, made, { refresh: 86_400 }), { version: 1, refresh: 86_400 });
  const { slug } = await publish(mapwright, made, { refresh: 0 });
  const pointer = await (await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/map.json`)).json();
  t.notOk('live' in (pointer as object));
  t.equal((await readLive(mapwright, slug)).status, 404);
  t.match(await publish(mapwright, made, { refresh: 10 }), { version: 1, refresh: 10 });
  t.equal((await readLive(mapwright, slug)).status, 200, 'the rules are there again');
  for (const refresh of [1, 4, -1, 86_401, 1.5, '60']) {
    const { status, json } = await mapwright.ask('PUT', `/v1/projects/${made.id}/publication`, { body: { refresh } });
    t.match([status, json], [400, { errors: [{ pointer: '/refresh' }] }], String(refresh));
  }
  const plain = (await mapwright.post('/projects', { name: 'Plain' })).shown.id;
  t.match((await mapwright.ask('PUT', `/v1/projects/${plain}/publication`)).shown, { refresh: 0 }, 'without actions it is still');
});

t.test('a hundred visitors cost one evaluation and one fetch', async (t) => {
  const { url, host, requests } = await source(t, () => '{"taken":7}');
  const mapwright = await startForRequests(t, { dataHosts: host });
  const made = await office(mapwright, url);
  const { slug } = await publish(mapwright, made);
  const all = await Promise.all(Array.from({ length: 100 }, () => readLive(mapwright, slug)));
  t.strictSame([...new Set(all.map(({ status, text }) => `${status} ${text}`))].length, 1, 'all get the same');
  t.equal(requests(), 1);
  const metrics = await (await fetch(`http://127.0.0.1:${mapwright.port}/metrics`)).text();
  t.match(metrics, /mapwright_evaluations_total\{outcome="ok"\} 1\n/);
});

t.test('a key that sends many evaluations takes no place of another account', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  const bob = await mapwright.newKey('bob');
  const other = (await mapwright.post('/projects', { name: 'Other' }, { key: bob })).shown.id;
  const evaluate = (key: string, id: string, body: object) =>
    fetch(`http://127.0.0.1:${mapwright.port}/v1/projects/${id}/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const many = Array.from({ length: 40 }, (_, i) => evaluate(mapwright.key, made.id, { seed: `${i}` }));
  const foreign = Array.from({ length: 10 }, () => evaluate(bob, other, {}));
  for (const { status } of await Promise.all(foreign)) t.equal(status, 200);
  for (const { status, headers } of await Promise.all(many))
    if (status !== 200) t.strictSame([status, headers.get('retry-after')], [503, '1']);
});

t.test('requests that share a run have the newest response and settings, for every key', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright);
  const reader = (await mapwright.server.createKey('ann', { readOnly: true })).key;
  for (const taken of [1, 2, 3]) {
    const before = Array.from({ length: 5 }, () => mapwright.ask('POST', evaluateOf(made), { key: reader }));
    await mapwright.ask('PUT', responseOf(made), { body: { taken } });
    const after = Array.from({ length: 5 }, () => mapwright.ask('POST', evaluateOf(made), { key: reader }));
    for (const { json } of await Promise.all(after)) t.match(json, { values: { [made.taken]: taken } });
    await Promise.all(before);
  }
});

t.test('the sources of a publication are those that it was published with', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await office(mapwright, 'https://sensors.example.com/taken?token=secret-token');
  const sources = `/v1/projects/${made.id}/publication/sources`;
  t.equal((await mapwright.ask('GET', sources)).status, 404);
  await publish(mapwright, made);
  await mapwright.ask('DELETE', `/v1/projects/${made.id}/data-sources/${made.sensor}`);
  t.strictSame((await mapwright.ask('GET', sources)).json, [
    { data_source_id: made.sensor, name: 'Sensor', host: 'sensors.example.com', at: null, problem: null },
  ]);
});

t.test('with the option live false nothing is fetched, pushed or evaluated, and published maps are still', async (t) => {
  const mapwright = await startForRequests(t, { live: false });
  const made = await office(mapwright);
  for (const [method, path] of [
    ['GET', responseOf(made)],
    ['POST', responseOf(made)],
    ['DELETE', responseOf(made)],
    ['POST', evaluateOf(made)],
  ] as const) {
    const { status, json } = await mapwright.ask(method, path);
    t.match([status, json], [method === 'GET' ? 404 : 403, { detail: /--no-live/ }], method);
  }
  const { slug } = await publish(mapwright, made);
  const pointer = await (await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/map.json`)).json();
  t.notOk('live' in (pointer as object));
  t.equal((await readLive(mapwright, slug)).status, 404);
});

t.test('a deleted project or account leaves no response in memory', async (t) => {
  const mapwright = await startForRequests(t);
  const bytes = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${mapwright.port}/metrics`)).text();
    return Number(/^mapwright_data_source_responses_bytes (\d+)$/m.exec(text)?.[1]);
  };
  const made = await office(mapwright);
  await mapwright.ask('PUT', responseOf(made), { body: { taken: 6 } });
  t.ok((await bytes()) > 0);
  await mapwright.delete(`/projects/${made.id}`);
  t.equal(await bytes(), 0);
  const other = await office(mapwright);
  await mapwright.ask('PUT', responseOf(other), { body: { taken: 6 } });
  t.ok((await bytes()) > 0);
  await mapwright.server.deleteAccount('ann');
  t.equal(await bytes(), 0);
});

/** Publishing over HTTP: public content, access, preconditions, headers and unknown paths. */
import { createHash } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { fetchDescribed } from '../support/fetch.ts';
import { follow } from '../support/follower.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { Pages } from './pages.ts';

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A request as it is sent, without a key unless one is given. */
function raw(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const req = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(parts) }));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end();
  });
}

const secret = 'Bearer of-the-sensors';

/** A project with something of everything. */
async function makeProject(mapwright: Mapwright, name = 'Harbour', key = mapwright.key): Promise<string> {
  const source = { url: 'https://sensors.example', headers: [{ name: 'Authorization', value: secret }] };
  const body = {
    ...{ name, thumb: 'https://thumbs.example/1.png', settings: { token: secret } },
    artboards: [{ name: 'Ground floor', objects: [{ type: 'spot', name: 'Desk' }] }],
    popups: [{ title: 'Opera' }],
    data_sources: [source],
    variables: [{ name: 'Taken' }],
    actions: [{ name: 'Colour' }],
  };
  return (await mapwright.post('/projects', body, { key })).shown.id;
}

const at = (id: string): string => `/v1/projects/${id}/publication`;
const publish = async (mapwright: Mapwright, id: string, body: object = {}): Promise<Shown> =>
  (await mapwright.ask('PUT', at(id), { body })).shown;

async function world(t: Test, options = {}) {
  const mapwright = await startForRequests(t, options);
  const id = await makeProject(mapwright);
  return { mapwright, id, port: mapwright.port };
}

/** The map that a slug leads to. */
async function readMap(port: number, slug: unknown): Promise<{ readonly file: string; readonly map: Record<string, unknown> }> {
  const pointer = JSON.parse((await raw(port, `/p/${slug}/map.json`)).bytes.toString());
  const { bytes } = await raw(port, `/p/${slug}/${pointer.map}`);
  return { file: pointer.map, map: JSON.parse(bytes.toString()) };
}

t.test('a publication has changed only if publishing again would change what is public', async (t) => {
  const { mapwright, id } = await world(t);
  const now = async () => (await mapwright.ask('GET', at(id))).shown;
  const rename = (name: string) => mapwright.patch(`/projects/${id}`, { name });
  const variables = `/projects/${id}/variables`;
  await publish(mapwright, id, { refresh: 0 });
  t.match(await now(), { stale: false, changed: false });
  await mapwright.patch(`/projects/${id}`, { settings: { theme: 'dark' }, thumb: 'https://thumbs.example/2.png' });
  await mapwright.post(variables, { name: 'Free' });
  t.match(await now(), { stale: true, changed: false }, 'private members of a still map');
  await rename('Port');
  t.match(await now(), { stale: true, changed: true }, 'a name is public');
  await rename('Harbour');
  t.match(await now(), { stale: true, changed: false }, 'the change is undone');
  const live = await publish(mapwright, id, { refresh: 60 });
  t.match(live, { stale: false, changed: false });
  await mapwright.patch(`/projects/${id}`, { thumb: 'https://thumbs.example/3.png' });
  t.match(await now(), { stale: true, changed: false });
  const variable = (await mapwright.post(variables, { name: 'Closed' })).shown.id;
  t.match(await now(), { stale: true, changed: true }, 'visitors see what the rules of a live map make');
  t.equal((await mapwright.delete(`${variables}/${variable}`)).status, 204);
  t.match(await now(), { stale: true, changed: false });
});

t.test('a map gets 404 after its publication, project or account is deleted', async (t) => {
  const { mapwright, id, port } = await world(t);
  const { slug } = await publish(mapwright, id);
  const { file } = await readMap(port, slug);
  const isGone = async (what: string, gone: unknown): Promise<void> => {
    for (const path of ['', '/map.json', `/${file}`]) {
      const answer = await raw(port, `/p/${gone}${path}`);
      t.equal(answer.status, 404, `${what}: /p/…${path}`);
      t.equal(answer.headers['access-control-allow-origin'], '*', 'a page of another origin sees the status');
    }
  };
  t.equal((await mapwright.delete(`/projects/${id}/publication`)).status, 204);
  await isGone('made private', slug);
  t.match((await mapwright.delete(`/projects/${id}/publication`)).problem, { code: 'not_found', detail: /not public/ });
  const again = await publish(mapwright, id);
  t.not(again['slug'], slug, 'another address');
  t.equal(again['version'], 1);
  await isGone('published again', slug);
  await mapwright.delete(`/projects/${id}`);
  await isGone('deleted', again['slug']);
  t.notMatch((await mapwright.ask('GET', at(id))).problem, { detail: /not public/ });

  const zoes = await mapwright.newKey('zoe');
  const hers = await makeProject(mapwright, 'hers', zoes);
  const { slug: herSlug } = (await mapwright.ask('PUT', at(hers), { key: zoes })).shown;
  t.equal((await raw(port, `/p/${herSlug}`)).status, 200);
  await mapwright.server.deleteAccount('zoe');
  await isGone('account deleted', herSlug);
});

t.test('the list of publications shows those that the key may read, with a tag', async (t) => {
  const { mapwright, id } = await world(t);
  const other = await makeProject(mapwright, 'other');
  await makeProject(mapwright, 'private');
  const list = async (key = mapwright.key, headers = {}) => {
    const { status, text, headers: sent } = await mapwright.get('/publications', { key, headers });
    const all: Shown[] = status === 200 ? JSON.parse(text) : [];
    return { status, all, etag: String(sent.etag) };
  };
  const listed = ({ url: _, origins: __, changed: ___, picture: ____, ...rest }: Shown, project_id: string) => ({
    project_id,
    ...rest,
  });
  const empty = await list();
  t.strictSame([empty.status, empty.all], [200, []]);
  const second = await publish(mapwright, other);
  const first = await publish(mapwright, id);
  const both = await list();
  t.strictSame(both.all, [listed(first, id), listed(second, other)], 'by project, whichever was published first');
  t.equal((await list(mapwright.key, { 'if-none-match': both.etag })).status, 304);
  t.equal((await list(mapwright.key, { 'if-match': empty.etag })).status, 412);
  await mapwright.patch(`/projects/${id}`, { name: 'changed' });
  const stale = await list(mapwright.key, { 'if-none-match': both.etag });
  t.match(stale, {
    status: 200,
    all: [
      { project_id: id, stale: true },
      { project_id: other, stale: false },
    ],
  });
  const { key: narrow } = await mapwright.server.createKey('ann', { projects: [other], readOnly: true });
  t.strictSame((await list(narrow)).all, [listed(second, other)], 'a key for one project');
  t.strictSame((await list(await mapwright.newKey('bob'))).all, [], 'another account');
  t.equal((await list('')).status, 401);
  const followed = await follow(mapwright, '/events', { after: stale.etag.slice(1, -1) });
  await mapwright.delete(`/projects/${other}/publication`);
  t.match((await followed.next()).events, [{ name: 'publication.deleted' }], 'its tag is a position in the feed');
  const one = await list(mapwright.key, { 'if-none-match': stale.etag });
  t.strictSame([one.status, one.all.map(({ project_id }) => project_id)], [200, [id]], 'no longer public');
  await mapwright.delete(`/projects/${id}`);
  t.strictSame((await list()).all, []);
});

t.test('the list of publications has pages and a filter by project', async (t) => {
  const { mapwright } = await world(t);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await makeProject(mapwright, name));
  for (const id of ids) await publish(mapwright, id);
  await makeProject(mapwright, 'private');
  const pages: unknown[][] = [];
  for await (const page of new Pages(mapwright).from('/api/v1/publications?limit=2')) {
    pages.push(page.map(({ project_id }) => project_id));
    // A publication that comes or goes before the page moves no other one to another page.
    if (pages.length === 1) t.equal((await mapwright.ask('DELETE', at(String(ids[0])))).status, 204);
  }
  t.strictSame(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  const named = async (id: string, key = mapwright.key) =>
    (await mapwright.get(`/publications?project_id=${id}`, { key })).list.map(({ project_id }) => project_id);
  t.strictSame(await named(String(ids[3])), [ids[3]]);
  t.strictSame(await named(String(ids[0])), [], 'a project that is private again');
  t.strictSame(await named('nothing'), []);
  const { key } = await mapwright.server.createKey('ann', { projects: [String(ids[1])] });
  t.strictSame(await named(String(ids[3]), key), [], 'a project that the key may not read');
  for (const query of ['limit=0', 'limit=1001', 'cursor=x', 'slug=x'])
    t.equal((await mapwright.get(`/publications?${query}`)).status, 400, query);
});

t.test('If-Match and If-None-Match decide whether a project is published', async (t) => {
  const { mapwright, id } = await world(t);
  const put = (headers: Record<string, string>, body = {}) => mapwright.ask('PUT', at(id), { headers, body });
  t.equal((await put({ 'if-match': '*' })).status, 412, 'there is none yet');
  const first = await put({ 'if-none-match': '*' });
  t.equal(first.status, 200, 'only if there is none');
  t.equal((await put({ 'if-none-match': '*' })).status, 412);
  const { etag: tag = '' } = first.headers;
  const got = await mapwright.ask('GET', at(id));
  t.equal(got.headers.etag, tag);
  t.equal((await mapwright.ask('GET', at(id), { headers: { 'if-none-match': String(tag) } })).status, 304);
  await mapwright.patch(`/projects/${id}`, { name: 'changed' });
  const stale = await mapwright.ask('GET', at(id), { headers: { 'if-none-match': String(tag) } });
  t.match([stale.status, stale.shown['stale']], [200, true], 'another answer has another tag');
  t.equal((await put({ 'if-match': String(stale.headers.etag) })).status, 200, 'it names the same publication');
  t.equal((await put({ 'if-match': String(tag) }, { origins: [] })).status, 412, 'which has changed since');
  t.equal((await mapwright.delete(`/projects/${id}/publication`, { headers: { 'if-match': String(tag) } })).status, 412);
  const { etag: now = '' } = (await mapwright.ask('GET', at(id))).headers;
  t.equal((await mapwright.delete(`/projects/${id}/publication`, { headers: { 'if-match': String(now) } })).status, 204);
});

t.test('origins sets the pages that may show the map in a frame', async (t) => {
  const { mapwright, id, port } = await world(t);
  const policyOf = async (slug: unknown) => String((await raw(port, `/p/${slug}`)).headers['content-security-policy']);
  const { slug } = await publish(mapwright, id);
  t.match(await policyOf(slug), /frame-ancestors \*;/, 'any at first');
  const origins = ['https://www.example.com', 'http://localhost:5173'];
  t.match(await publish(mapwright, id, { origins }), { origins, version: 1, slug }, 'other origins are no new version');
  t.match(await policyOf(slug), /frame-ancestors https:\/\/www\.example\.com http:\/\/localhost:5173;/);
  await mapwright.patch(`/projects/${id}`, { name: 'changed' });
  t.match(await publish(mapwright, id), { origins, version: 2 }, 'left out, they stay');
  await publish(mapwright, id, { origins: [] });
  t.match(await policyOf(slug), /frame-ancestors 'none';/);
  for (const wrong of [
    'example.com',
    'https://example.com/path',
    "https://a.example; script-src 'unsafe-inline'",
    'https://a.example https://b.example',
    'javascript://a',
    "'self'",
    '',
    'https://é.example',
    `https://${'a'.repeat(400)}`,
  ]) {
    const answer = await mapwright.ask('PUT', at(id), { body: { origins: ['https://ok.example', wrong] } });
    t.equal(answer.status, 400, wrong);
    t.strictSame(answer.pointers, ['/origins/1'], wrong);
  }
  for (const [body, pointer] of [
    [{ origins: ['*', 'https://a.example'] }, '/origins'],
    [{ origins: 'https://a.example' }, '/origins'],
    [{ origins: [1] }, '/origins/0'],
    [{ origin: [] }, '/origin'],
    [{ origins: Array.from({ length: 51 }, (_, i) => `https://a${i}.example`) }, '/origins'],
  ] as const)
    t.strictSame((await mapwright.ask('PUT', at(id), { body })).pointers, [pointer], JSON.stringify(body).slice(0, 60));
  t.match((await mapwright.ask('GET', at(id))).shown, { origins: [] }, 'nothing was changed');
});

t.test('public pages and maps have their caching, type and security headers', async (t) => {
  const { mapwright, id, port } = await world(t, { cors: ['https://editor.example'] });
  const { slug } = await publish(mapwright, id);
  const { file } = await readMap(port, slug);
  const short = 'public, max-age=0, s-maxage=10';
  for (const [path, cache, type] of [
    ['', short, 'text/html; charset=utf-8'],
    ['/map.json', short, 'application/json; charset=utf-8'],
    [`/${file}`, 'public, max-age=31536000, immutable', 'application/json; charset=utf-8'],
  ] as const) {
    const { status, headers } = await raw(port, `/p/${slug}${path}`, { origin: 'https://anyone.example' });
    t.match(
      { status, ...headers },
      {
        status: 200,
        'cache-control': cache,
        'content-type': type,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      },
      path,
    );
    t.notOk(JSON.stringify(headers).includes('ann'), 'names no account');
    t.equal(headers['set-cookie'], undefined);
    const etag = String(headers.etag);
    const known = await raw(port, `/p/${slug}${path}`, { 'if-none-match': etag });
    t.strictSame([known.status, known.bytes.length, known.headers['cache-control']], [304, 0, cache], `${path}: 304`);
    const head = await raw(port, `/p/${slug}${path}`, {}, 'HEAD');
    t.strictSame([head.status, head.bytes.length, head.headers.etag], [200, 0, etag], `${path}: HEAD`);
    t.equal((await raw(port, `/p/${slug}${path}`, {}, 'POST')).status, 405);
    t.equal((await raw(port, `/p/${slug}${path}?utm_source=x`)).status, 200, 'an unknown query is ignored');
  }
  const page = await raw(port, `/p/${slug}`);
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, /^default-src 'none'; script-src 'self';/);
  t.match(policy, /require-trusted-types-for 'script'/);
  t.notMatch(policy, /script-src[^;]*unsafe/);
  const html = page.bytes.toString();
  t.match(html, '<script type="module" src="/viewer.js"></script>');
  t.match(
    html,
    `<mapwright-map src="/p/${slug}" lang="" gestures="greedy" search menu permalink="page" role="main"></mapwright-map>`,
  );
  t.equal([...html.matchAll(/<script/g)].length, 1, 'no inline script');
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/g)];
  t.equal(styles.length, 2);
  for (const [, style = ''] of styles)
    t.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`), 'the policy allows its style');
});

t.test('a map is sent as stored, compressed for clients that accept it, with a tag for each form', async (t) => {
  const { mapwright, id, port } = await world(t);
  const objects = Array.from({ length: 4000 }, (_, i) => ({ type: 'spot', name: `${(i * 7919) % 4001}`, x: i }));
  await mapwright.post(`/projects/${id}/artboards`, { objects });
  const { slug, bytes } = await publish(mapwright, id);
  const { file, map } = await readMap(port, slug);
  const path = `/p/${slug}/${file}`;
  const plain = await raw(port, path);
  t.equal(plain.headers['content-encoding'], undefined);
  t.equal(Number(plain.headers['content-length']), plain.bytes.length);
  t.ok(plain.bytes.length > 1_000_000, 'more than one piece');
  t.equal(`${createHash('sha256').update(plain.bytes).digest('hex')}.json`, file);
  t.strictSame(JSON.parse(plain.bytes.toString()), map);
  for (const accepted of ['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5', '*', 'x-gzip']) {
    const zipped = await raw(port, path, { 'accept-encoding': accepted });
    t.match(zipped.headers, { 'content-encoding': 'gzip', 'content-length': String(bytes), vary: /Accept-Encoding/ }, accepted);
    t.ok(gunzipSync(zipped.bytes).equals(plain.bytes), accepted);
    t.not(zipped.headers.etag, plain.headers.etag, 'other bytes have another tag');
    const tag = String(zipped.headers.etag);
    t.equal((await raw(port, path, { 'accept-encoding': accepted, 'if-none-match': tag })).status, 304);
  }
  for (const accepted of ['identity', 'br', 'gzip;q=0', 'gzip;q=0.1, identity;q=0.5'])
    t.equal((await raw(port, path, { 'accept-encoding': accepted })).headers['content-encoding'], undefined, accepted);
  const head = await raw(port, path, {}, 'HEAD');
  t.equal(Number(head.headers['content-length']), plain.bytes.length);
});

t.test('unknown paths below /p get identical 404 responses', async (t) => {
  const { mapwright, id, port } = await world(t);
  const other = await makeProject(mapwright, 'other');
  const { slug } = await publish(mapwright, id);
  const { slug: otherSlug } = await publish(mapwright, other);
  const { file: otherFile } = await readMap(port, otherSlug);
  const { file } = await readMap(port, slug);
  const digest = file.slice(0, 64);
  const wrong = [
    `/p/${slug}/${otherFile}`,
    `/p/${slug}/${digest}`,
    `/p/${slug}/${digest.toUpperCase()}.json`,
    `/p/${slug}/${digest}.json.json`,
    `/p/${slug}/${digest}.JSON`,
    `/p/${slug}/${digest.slice(1)}.json`,
    `/p/${slug}/`,
    `/p/${slug}/map.json/`,
    `/p/${slug}/../${otherSlug}/${file}`,
    `/p/${slug}/%2e%2e/${otherFile}`,
    `/p/${slug}%2f${file}`,
    `/p/${slug}/%00`,
    `/p/${slug}/__proto__`,
    `/p/__proto__/map.json`,
    `/p/constructor`,
    `/p/${String(slug).toUpperCase()}`,
    `/p/${id}`,
    `/p/1${String(slug).slice(1)}`,
    '/p/',
    '/p',
    '/p//map.json',
    `/v1/p/${slug}`,
    `/api/v1/p/${slug}`,
    `/P/${slug}`,
  ];
  for (const path of wrong) {
    const { status, bytes } = await raw(port, path);
    t.equal(status, 404, path);
    t.equal(JSON.parse(bytes.toString()).code, 'not_found', path);
  }
  t.equal((await raw(port, `/p/${slug}/${file}`)).status, 200);
  const forgotten = (await raw(port, `/p/${slug}/${otherFile}`)).bytes.toString();
  const unknown = (await raw(port, `/p/0${'k'.repeat(26)}/${otherFile}`)).bytes.toString();
  const without = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
  t.equal(without(forgotten), without(unknown), 'the responses are identical');
});

t.test('a browser gets an HTML page with 404 where no public map exists', async (t) => {
  const { mapwright, id, port } = await world(t);
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const { slug } = await publish(mapwright, id);
  const ofMap = String((await raw(port, `/p/${slug}`, { accept })).headers['content-security-policy']);
  // It sends no requests.
  const policy = ofMap.replace("; connect-src 'self'", '');
  t.not(policy, ofMap);
  await mapwright.delete(`/projects/${id}/publication`);
  const address = (path: string) => `http://127.0.0.1:${port}${path}`;
  const off = (await world(t, { publish: false })).port;
  for (const [at, path] of [
    [port, `/p/${slug}`],
    [port, '/p/nothing'],
    [off, `/p/${slug}`],
  ] as const) {
    const { status, headers, bytes } = await raw(at, path, { accept });
    t.match(
      { status, ...headers },
      {
        status: 404,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
      path,
    );
    const html = bytes.toString();
    t.match(html, 'This map is not public (any more).');
    t.notMatch(html, '<script');
    t.match((await raw(at, path, { accept }, 'HEAD')).status, 404);
    for (const other of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const problem = await raw(at, path, other);
      t.match([problem.status, problem.headers['content-type']], [404, 'application/problem+json']);
    }
  }
  t.equal((await fetchDescribed(address('/p/nothing'), { headers: { accept } })).status, 404, 'described');
  const map = await raw(port, `/p/${slug}/map.json`, { accept });
  t.equal(map.headers['content-type'], 'application/problem+json', 'a map is for programs');
});

t.test('--no-publish refuses publishing with 403 and public paths with 404', async (t) => {
  const { mapwright, id, port } = await world(t, { publish: false });
  t.match((await mapwright.ask('PUT', at(id))).problem, { status: 403, code: 'forbidden', detail: /--no-publish/ });
  t.equal((await mapwright.ask('GET', at(id))).status, 404);
  const { status, bytes } = await raw(port, `/p/0${'k'.repeat(26)}`);
  t.match([status, JSON.parse(bytes.toString())], [404, { code: 'not_found', detail: /--no-publish/ }]);
  t.strictSame((await mapwright.get('/publications')).json, []);
});

t.test('public pages use the path of the public URL', async (t) => {
  const { mapwright, id, port } = await world(t, { publicUrl: 'https://maps.example/maps/' });
  const { slug, url } = await publish(mapwright, id);
  t.equal(url, `https://maps.example/maps/p/${slug}`);
  for (const path of [`/p/${slug}`, `/maps/p/${slug}`]) {
    const html = (await raw(port, path)).bytes.toString();
    t.match(html, 'src="/maps/viewer.js"');
    t.match(html, `<mapwright-map src="/maps/p/${slug}" lang="" gestures="greedy" search menu permalink="page" role="main">`);
  }
});

t.test('a map published during writes shows one version of the project', async (t) => {
  const { mapwright, id, port } = await world(t);
  const artboard = (await mapwright.get(`/projects/${id}/artboards`)).list[0]?.id;
  const { slug } = await publish(mapwright, id);
  let over = false;
  let counter = 0;
  const writing = (async () => {
    while (!over) {
      counter++;
      const operations = [
        { method: 'PATCH', path: '/', body: { name: `n${counter}` } },
        { method: 'PATCH', path: `/artboards/${artboard}`, body: { name: `n${counter}` } },
      ];
      await mapwright.post(`/projects/${id}/batch`, { operations });
    }
  })();
  const versions = new Set<unknown>();
  for (let i = 0; i < 10; i++) {
    const [one, two] = await Promise.all([publish(mapwright, id), publish(mapwright, id)]);
    versions.add(one['version']).add(two['version']);
    const { map } = await readMap(port, slug);
    const [{ name }] = map['artboards'] as [{ name: string }];
    if (counter > 0 && String(map['name']).startsWith('n')) t.equal(name, map['name'], 'the parts are of one version');
  }
  over = true;
  await writing;
  t.ok(versions.size > 1);
  const last = await publish(mapwright, id);
  t.match(last, { stale: false, slug });
  t.equal((await readMap(port, slug)).map['name'], `n${counter}`);
});

t.test('a project deleted while it is published leaves nothing public', async (t) => {
  const { mapwright } = await world(t);
  for (let i = 0; i < 10; i++) {
    const key = await mapwright.newKey(`zoe${i}`);
    const id = await makeProject(mapwright, 'soon gone', key);
    const publishing = mapwright.ask('PUT', at(id), { key });
    if (i % 2 === 0) await mapwright.delete(`/projects/${id}`, { key });
    else await mapwright.server.deleteAccount(`zoe${i}`);
    const { status, text } = await publishing;
    t.ok([200, 401, 404].includes(status), `${status}`);
    if (status === 200) t.equal((await raw(mapwright.port, `/p/${JSON.parse(text).slug}`)).status, 404, 'published, and gone');
  }
});

t.test('the quota of bytes counts published maps', async (t) => {
  const { mapwright, id } = await world(t);
  const usage = async () => (await mapwright.server.accounts()).find(({ name }) => name === 'ann')?.bytes ?? 0;
  const before = await usage();
  const { bytes } = await publish(mapwright, id, { refresh: 0 });
  const page = (await usage()) - before - Number(bytes);
  t.ok(page > 0 && page < 500, `the map and its page of ${page} bytes`);
  await mapwright.server.setLimits('ann', { bytes: before + Number(bytes) + 100 });
  await mapwright.patch(`/projects/${id}`, { name: 'Harbour2' });
  const refused = await mapwright.ask('PUT', at(id));
  t.match(refused.problem, { status: 403, code: 'quota_exceeded' });
  t.match((await mapwright.ask('GET', at(id))).shown, { version: 1, stale: true }, 'nothing was changed');
  t.equal((await mapwright.ask('PUT', at(id), { body: { origins: [] } })).status, 403);
  await mapwright.delete(`/projects/${id}/publication`);
  t.ok((await usage()) <= before + 8, 'and not what is private again');
  t.equal((await mapwright.ask('PUT', at(id), { body: { refresh: 0 } })).status, 200, 'so there is room');
});

t.test('the quota of bytes counts the rules of a live map, until it is still', async (t) => {
  const { mapwright, id } = await world(t);
  const usage = async () => (await mapwright.server.accounts()).find(({ name }) => name === 'ann')?.bytes ?? 0;
  await publish(mapwright, id, { refresh: 0 });
  const still = await usage();
  await publish(mapwright, id, { refresh: 60 });
  const live = await usage();
  t.ok(live > still, `${live} bytes after ${still}`);
  await publish(mapwright, id, { refresh: 5 });
  t.equal(await usage(), live, 'another refresh keeps them');
  await publish(mapwright, id, { refresh: 0 });
  t.equal(await usage(), still);
});

test.all('publishing a map above 32 MiB gets 413 and changes nothing', async (t) => {
  const { mapwright, id } = await world(t, { limits: { bodyBytesMax: 64 * 1024 * 1024 }, segmentBytes: 16 * 1024 * 1024 });
  // Random text of base64 shortens to three quarters.
  const { randomBytes } = await import('node:crypto');
  for (let i = 0; i < 5; i++) {
    const content = randomBytes(8 * 1024 * 1024).toString('base64');
    t.equal((await mapwright.post(`/projects/${id}/popups`, { content })).status, 200);
  }
  const answer = await mapwright.ask('PUT', at(id));
  t.match(answer.problem, { status: 413, code: 'payload_too_large', detail: /32 MiB/ });
  t.equal((await mapwright.ask('GET', at(id))).status, 404, 'nothing was changed');
  const [popup] = (await mapwright.get(`/projects/${id}/popups?fields=title`)).list.slice(1);
  for (const other of (await mapwright.get(`/projects/${id}/popups?fields=title`)).list.slice(2))
    await mapwright.delete(`/projects/${id}/popups/${other.id}`);
  t.ok(popup);
  const published = await publish(mapwright, id);
  t.ok(Number(published['bytes']) > 8 * 1024 * 1024, 'larger than most');
  const { map } = await readMap(mapwright.port, published['slug']);
  t.equal((map['popups'] as unknown[]).length, 2);
});

// tier: normal
/** Readable addresses of published maps over HTTP: what they lead to, what a publication says of them, and what is refused. */
import t, { type Test } from 'tap';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { png } from './pictures.ts';

const publicUrl = 'https://maps.example/maps';

async function world(t: Test, start: typeof startForRequests = startForRequests) {
  const mapwright = await start(t, { publicUrl });
  const make = async (key = mapwright.key) => {
    const { id } = (await mapwright.post('/projects', { name: 'Shopping', actions: [{ name: 'Colour' }] }, { key })).shown;
    return `/v1/projects/${id}/publication`;
  };
  return { mapwright, make, at: await make() };
}

const put = (mapwright: Mapwright, at: string, body: object, headers = {}) => mapwright.ask('PUT', at, { body, headers });
const get = (mapwright: Mapwright, path: string) => mapwright.ask('GET', path, { key: '' });

async function bytesAt({ port }: Mapwright, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const bytes = Buffer.from(await response.arrayBuffer()).toString('base64');
  return { status: response.status, bytes, etag: response.headers.get('etag') };
}

t.test('everything below /p/ works with the name as with the slug', async (t) => {
  const { mapwright, at } = await world(t, startMapwright);
  const first = await put(mapwright, at, { name: 'lindenhof' });
  t.match(first.shown, { name: 'lindenhof', url: `${publicUrl}/p/lindenhof`, version: 1, changed: false });
  t.match((await mapwright.get('/publications')).list, [{ name: 'lindenhof' }]);
  const { slug } = first.shown;
  const body = png(1200, 630, 'x');
  const picture = await mapwright.ask('PUT', `${at}/picture`, { body, headers: { 'content-type': 'image/png' } });
  t.match(picture.shown['picture'], new RegExp(`^${publicUrl}/p/${slug}/picture-`), 'what is shown elsewhere stays at the slug');
  const pointer = (await get(mapwright, `/p/${slug}/map.json`)).json as { map: string };
  const files = ['', '/map.json', `/${pointer.map}`, '/live.json', `/${String(picture.shown['picture']).split('/').at(-1)}`];
  for (const file of files) {
    const named = await bytesAt(mapwright, `/p/lindenhof${file}`);
    t.equal(named.status, 200, file);
    t.strictSame(named, await bytesAt(mapwright, `/p/${slug}${file}`), file);
  }
  t.equal((await get(mapwright, '/maps/p/lindenhof')).status, 200, 'below the path of the public URL');
  for (const path of ['/p/lindenho', '/p/Lindenhof', '/p/lindenhof/', '/f/lindenhof/x.png'])
    t.equal((await get(mapwright, path)).status, 404, path);
  await mapwright.crash();
  t.equal((await get(mapwright, '/p/lindenhof/map.json')).status, 200);
});

t.test('the page and its description for other sites have the name in their addresses', async (t) => {
  const { mapwright, at } = await world(t);
  const { slug } = (await put(mapwright, at, {})).shown;
  const oembed = async (address: unknown) =>
    (await get(mapwright, `/oembed?url=${encodeURIComponent(`${publicUrl}/p/${address}`)}`)).json;
  t.match(await oembed(slug), { html: new RegExp(`src="${publicUrl}/p/${slug}"`) });
  await put(mapwright, at, { name: 'lindenhof' });
  const url = `${publicUrl}/p/lindenhof`;
  for (const address of [slug, 'lindenhof']) {
    const { text } = await get(mapwright, `/p/${address}`);
    t.match(text, `<link rel="canonical" href="${url}">`);
    t.match(text, `<meta property="og:url" content="${url}">`);
    t.match(text, `href="${publicUrl}/oembed?url=${encodeURIComponent(url)}"`);
    t.match(text, `<mapwright-map src="/maps/p/${slug}"`, 'an open page does not depend on the name');
    t.match(await oembed(address), { html: new RegExp(`src="${url}"`) });
  }
  await put(mapwright, at, { name: 'harbour' });
  t.match((await get(mapwright, `/p/${slug}`)).text, `<link rel="canonical" href="${publicUrl}/p/harbour">`);
  t.equal((await get(mapwright, '/p/lindenhof')).status, 404);
});

t.test('a change of the name is no new version, and has a new tag', async (t) => {
  const { mapwright, at } = await world(t);
  const first = await put(mapwright, at, { name: 'lindenhof' });
  t.equal((await put(mapwright, at, {})).shown['name'], 'lindenhof', 'it stays where the body has none');
  t.equal((await mapwright.ask('GET', at)).headers.etag, first.headers.etag);
  const second = await put(mapwright, at, { name: 'harbour' }, { 'if-match': String(first.headers['etag']) });
  t.match(second.shown, { version: 1, published: first.shown['published'], name: 'harbour' });
  t.not(second.headers.etag, first.headers.etag);
  const stale = await put(mapwright, at, { name: 'quay' }, { 'if-match': String(first.headers['etag']) });
  t.equal(stale.status, 412);
  const none = await put(mapwright, at, { name: '' });
  t.match(none.shown, { version: 1, name: '', url: `${publicUrl}/p/${first.shown['slug']}` });
  t.equal((await get(mapwright, '/p/harbour')).status, 404);
  t.equal((await get(mapwright, `/p/${first.shown['slug']}`)).status, 200);
});

t.test('a taken name is a 409 that says no more, and changes nothing', async (t) => {
  const { mapwright, make, at } = await world(t);
  await put(mapwright, at, { name: 'lindenhof' });
  await put(mapwright, await make(), { name: 'given-up' });
  const { key } = await mapwright.server.createKey('bob');
  const theirs = await make(key);
  await mapwright.ask('DELETE', at);
  const refusals = [];
  for (const name of ['lindenhof', 'given-up']) {
    const { status, problem } = await mapwright.ask('PUT', theirs, { body: { name }, key });
    const { request_id: _, ...said } = problem;
    refusals.push({ status, said });
  }
  t.strictSame(refusals[0], refusals[1], 'the same for one that was given up, and for one that leads to a map');
  t.match(refusals[0], { status: 409, said: { code: 'conflict', errors: [{ pointer: '/name', detail: 'is taken' }] } });
  t.equal((await mapwright.ask('GET', theirs, { key })).status, 404, 'nothing was published');
});

t.test('a name has 3 to 26 of a to z, 0 to 9 and -', async (t) => {
  const { mapwright, at } = await world(t);
  for (const name of ['ab', 'a'.repeat(27), 'Lindenhof', 'linden hof', 'linden_hof', 'lindenhöf', 'a/b', '../x', 7, null]) {
    const { status, pointers } = await put(mapwright, at, { name });
    t.strictSame([status, pointers], [400, ['/name']], JSON.stringify(name));
  }
  t.equal((await mapwright.ask('GET', at)).status, 404, 'nothing was published');
  for (const name of ['abc', 'a'.repeat(26), '1-2', '0'.repeat(26)])
    t.equal((await put(mapwright, at, { name })).status, 200, name);
});

test.all('an account has at most 1,000 names, with those that it gave up', async (t) => {
  const { mapwright, at } = await world(t);
  for (let n = 0; n < 1000; n++) t.equal((await put(mapwright, at, { name: `name-${n}` })).status, 200);
  const { status, problem } = await put(mapwright, at, { name: 'one-more' });
  t.match([status, problem.code], [403, 'quota_exceeded']);
  t.match(problem.detail, /^Your account has 1000 names of maps, which is the limit: nothing was changed\./);
  t.equal((await put(mapwright, at, { name: 'name-7' })).shown['name'], 'name-7');
  t.match((await mapwright.ask('GET', '/metrics', { key: '' })).text, /reason="quota_names"/);
});

// tier: normal
/** The page of a published map over HTTP: what chats, search engines and readers without JavaScript get, and how it is stored. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { flip } from '../support/flip.ts';
import { type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { jpeg, png } from './pictures.ts';

const settings = {
  public_map: {
    description: 'All shops, and where to eat.',
    lang: 'de-AT',
    categories: [{ name: 'food', label: 'Essen' }],
    header: { title: 'Lindenhof', accent: '#b91c1c', links: [{ label: 'Impressum', url: 'https://lindenhof.example/imprint' }] },
  },
};

async function world(t: Test, options: object = {}, given: object = settings, start = startForRequests) {
  const mapwright = await start(t, { publicUrl: 'https://maps.example', ...options });
  const artboards = [{ name: 'Ground floor', objects: [{ type: 'spot', name: 'Café Anna', category: 'food' }] }];
  const { id } = (await mapwright.post('/projects', { name: 'Shopping', settings: given, artboards })).shown;
  return { mapwright, id, at: `/v1/projects/${id}/publication` };
}

const publish = async (mapwright: Mapwright, at: string, body: object = {}): Promise<Shown> =>
  (await mapwright.ask('PUT', at, { body })).shown;

const pageAt = async (mapwright: Mapwright, slug: unknown) => await mapwright.ask('GET', `/p/${slug}`, { key: '' });

t.test('the page has what chats and search engines read, in the language of the map', async (t) => {
  const { mapwright, at } = await world(t);
  const { slug, url } = await publish(mapwright, at);
  const { text } = await pageAt(mapwright, slug);
  for (const tag of [
    '<html lang="de-AT">',
    '<title>Shopping</title>',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="description" content="All shops, and where to eat.">',
    '<meta name="robots" content="noindex">',
    `<link rel="canonical" href="${url}">`,
    '<meta property="og:type" content="website">',
    '<meta property="og:title" content="Shopping">',
    '<meta property="og:description" content="All shops, and where to eat.">',
    `<meta property="og:url" content="${url}">`,
    '<meta name="twitter:card" content="summary">',
    '<h1>Lindenhof</h1>',
    '<a href="https://lindenhof.example/imprint"><bdi>Impressum</bdi></a>',
    '<h3>Essen</h3>\n<ul>\n<li><b>Café Anna</b></li>',
    '<p>Die Karte selbst braucht JavaScript.</p>',
    '--mapwright-accent:#b91c1c;--mapwright-on-accent:#ffffff',
  ])
    t.match(text, tag);
  t.notMatch(text, 'og:image', 'there is no picture yet');
});

t.test('search engines may list a map whose settings say so', async (t) => {
  const { mapwright, at } = await world(t, {}, { public_map: { indexed: true } });
  const { text } = await pageAt(mapwright, (await publish(mapwright, at))['slug']);
  t.notMatch(text, 'noindex');
  t.match(text, '<html lang="en">');
  t.notMatch(text, '<header class="head"');
});

t.test('a page follows publications, not changes, and is the same after a crash', async (t) => {
  const { mapwright, id, at } = await world(t, {}, settings, startMapwright);
  const { slug } = await publish(mapwright, at);
  const first = await pageAt(mapwright, slug);
  await mapwright.patch(`/projects/${id}`, { name: 'Centre' });
  t.equal((await pageAt(mapwright, slug)).text, first.text);
  await publish(mapwright, at);
  t.match((await pageAt(mapwright, slug)).text, '<title>Centre</title>');
  const second = await pageAt(mapwright, slug);
  await mapwright.crash();
  t.equal((await pageAt(mapwright, slug)).text, second.text);
});

t.test('without the public URL, the page names no address of its own', async (t) => {
  const { mapwright, at } = await world(t, { publicUrl: undefined });
  const { text } = await pageAt(mapwright, (await publish(mapwright, at))['slug']);
  t.notMatch(text, /canonical|og:url|oembed/);
});

t.test('a damaged content is reported, and the page is there without it until it is published again', async (t) => {
  const { mapwright, at } = await world(t, {}, settings, startMapwright);
  const { slug, bytes } = await publish(mapwright, at);
  await mapwright.restart();
  const folder = path.join(mapwright.data, 'blobs');
  const blobs = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[0-9a-f]{60}/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  t.equal(blobs.length, 2, 'the map and its content');
  const content = blobs.find((file) => fs.statSync(file).size !== bytes) as string;
  const alarm = async () =>
    /^mapwright_alarm\{[^}]*blob_damaged[^}]*\} (\d)$/m.exec((await mapwright.ask('GET', '/metrics', { key: '' })).text)?.[1];
  t.equal(await alarm(), '0');
  flip(content, 20);
  const { text, status } = await pageAt(mapwright, slug);
  t.equal(status, 200);
  t.match(text, '<title>Map</title>');
  t.match(text, '<mapwright-map');
  t.equal(await alarm(), '1');
  await publish(mapwright, at);
  t.match((await pageAt(mapwright, slug)).text, '<title>Shopping</title>');
  t.equal(await alarm(), '0');
});

/** A PNG that programs show with a link. */
const picture = (width = 1200, height = 630, rest = 'x'.repeat(100)) => png(width, height, rest);

const putPicture = (mapwright: Mapwright, at: string, body: Buffer, headers: Record<string, string> = {}) =>
  mapwright.ask('PUT', `${at}/picture`, { body, headers: { 'content-type': 'image/png', ...headers } });

t.test('a picture of the published version is shown with links to the map, until the next version', async (t) => {
  const { mapwright, id, at } = await world(t, {}, settings, startMapwright);
  t.equal((await putPicture(mapwright, at, picture())).status, 404, 'nothing is public yet');
  const first = await mapwright.ask('PUT', at, { body: {} });
  const { slug } = first.shown;
  t.equal(first.shown['picture'], null);
  const put = await putPicture(mapwright, at, picture(), { 'if-match': String(first.headers['etag']) });
  t.match(put.shown, { version: 1, picture: /^https:\/\/maps\.example\/p\/[^/]+\/picture-[0-9a-f]{64}\.png$/ });
  const address = String(put.shown['picture']);
  const shown = await fetch(`http://127.0.0.1:${mapwright.port}${new URL(address).pathname}`);
  t.match([shown.status, shown.headers.get('content-type')], [200, 'image/png']);
  t.match(shown.headers.get('cache-control'), 'immutable');
  t.ok(Buffer.from(await shown.arrayBuffer()).equals(picture()));
  const { text } = await pageAt(mapwright, slug);
  for (const tag of [
    `<meta property="og:image" content="${address}">`,
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    '<meta property="og:image:alt" content="Karte: Shopping">',
    '<meta name="twitter:card" content="summary_large_image">',
  ])
    t.match(text, tag);
  t.equal((await mapwright.ask('PUT', at, { body: { origins: [] } })).shown['picture'], address, 'the same version keeps it');
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.equal((await mapwright.ask('GET', at)).shown['picture'], address);
  await mapwright.patch(`/projects/${id}`, { name: 'Centre' });
  t.match(await publish(mapwright, at), { version: 2, picture: null });
  t.notMatch((await pageAt(mapwright, slug)).text, 'og:image');
  const old = await putPicture(mapwright, at, picture(), { 'if-match': String(put.headers['etag']) });
  t.equal(old.status, 412, 'a picture of an older version');
  t.equal((await mapwright.ask('GET', at)).shown['picture'], null);
});

t.test('only a PNG of the right size is a picture', async (t) => {
  const { mapwright, at } = await world(t);
  await publish(mapwright, at);
  const cases: readonly (readonly [Buffer, number, RegExp])[] = [
    [jpeg(1200, 630), 415, /must be a PNG of 1200 × 630 pixels, and the bytes are of type image\/jpeg/],
    [picture(1200, 631), 415, /and it has 1200 × 631\. Nothing was stored/],
    [Buffer.from('no picture at all, but some text'), 415, /none of PNG/],
    [Buffer.alloc(0), 415, /The body is empty/],
    [picture(1200, 630, 'x'.repeat(1024 * 1024)), 413, /at most 1 MiB/],
  ];
  for (const [body, status, detail] of cases) t.match((await putPicture(mapwright, at, body)).problem, { status, detail });
  t.equal((await mapwright.ask('GET', at)).shown['picture'], null);
  const reading = (await mapwright.server.createKey('ann', { readOnly: true })).key;
  t.equal((await mapwright.ask('PUT', `${at}/picture`, { body: picture(), key: reading })).status, 403);
});

t.test('oEmbed says how programs show the map', async (t) => {
  const { mapwright, at } = await world(t);
  const { slug, url } = await publish(mapwright, at);
  const ask = (query: Record<string, string>) => mapwright.ask('GET', `/oembed?${new URLSearchParams(query)}`, { key: '' });
  const { text } = await pageAt(mapwright, slug);
  const link = `https://maps.example/oembed?url=${encodeURIComponent(String(url))}`;
  t.match(text, `<link rel="alternate" type="application/json+oembed" href="${link}" title="Shopping">`);
  const full = await ask({ url: String(url) });
  t.match(full.headers['access-control-allow-origin'], '*');
  t.strictSame(full.json, {
    ...{ type: 'rich', version: '1.0', title: 'Shopping', provider_name: 'mapwright', provider_url: 'https://maps.example/' },
    ...{ cache_age: 3600, width: 800, height: 600 },
    html: `<iframe src="${url}" title="Shopping" width="800" height="600" style="border:0;max-width:100%" loading="lazy" allow="fullscreen; screen-wake-lock; clipboard-write; web-share"></iframe>`,
  });
  await putPicture(mapwright, at, picture());
  t.match((await ask({ url: `${url}/`, maxwidth: '300', maxheight: '9000', format: 'json' })).json, { width: 300, height: 600 });
  t.match((await ask({ url: String(url) })).json, { thumbnail_url: /picture-/, thumbnail_width: 1200, thumbnail_height: 630 });
  t.notMatch((await ask({ url: String(url), maxwidth: '300' })).json, { thumbnail_url: /./ }, 'it would be too wide');
  await mapwright.ask('PUT', at, { body: { origins: [] } });
  t.match((await ask({ url: String(url) })).json, { type: 'link', title: 'Shopping' }, 'in no frame of another site');
  for (const other of [
    `https://evil.example/p/${slug}`,
    `${url}/map.json`,
    'https://maps.example/p/nothing',
    'x',
    'https://maps.example/console',
  ])
    t.equal((await ask({ url: other })).status, 404, other);
  for (const [query, detail] of [
    [{}, /no "url"/],
    [{ url: String(url), format: 'xml' }, /must be "json"/],
    [{ url: String(url), maxwidth: '0' }, /"maxwidth" must be a whole number/],
  ] as const)
    t.match((await ask(query)).problem, { status: 400, detail });
});

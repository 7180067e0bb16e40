// tier: normal
/** The page of a published map over HTTP: what chats, search engines and readers without JavaScript get, and how it is stored. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { flip } from '../support/flip.ts';
import { type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';

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
    '<a href="https://lindenhof.example/imprint">Impressum</a>',
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
  t.notMatch(text, '<header');
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

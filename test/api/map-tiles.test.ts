// tier: normal
/** The option `tiles`: sources of map tiles, hostile values of it, and what of it becomes public. */
import t from 'tap';
import { tileSourcesOf, validateTiles } from '../../src/api/pages/map-tiles.ts';
import { openStreetMap } from '../../src/lib/draw/open-street-map.ts';
import { startForRequests } from '../support/mapwright.ts';

const address = 'https://tiles.example/{z}/{x}/{y}';
const credit = '© [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)';

t.test('the option lists sources: the one without a name is the default, and comes first', async (t) => {
  t.strictSame(tileSourcesOf(), [{ url: openStreetMap.url, attribution: credit }]);
  t.strictSame(tileSourcesOf('none'), [{ url: 'none', attribution: '' }]);
  t.strictSame(tileSourcesOf(`${address}?a=b&c=d`), [{ url: `${address}?a=b&c=d`, attribution: credit }]);
  t.strictSame(tileSourcesOf(`Night=/night/{z}/{x}/{y}| © [A](https://a.example) | B ||${address}|C||Plain=none`), [
    { url: address, attribution: 'C' },
    { name: 'Night', url: '/night/{z}/{x}/{y}', attribution: '© [A](https://a.example) | B' },
    { name: 'Plain', url: 'none', attribution: '' },
  ]);
  t.strictSame(
    tileSourcesOf(`Sea = ${address}?key=a=b`),
    [
      { url: openStreetMap.url, attribution: credit },
      { name: 'Sea', url: `${address}?key=a=b`, attribution: credit },
    ],
    'without a default it is OpenStreetMap',
  );
});

t.test('an invalid tile address is refused with the accepted form', async (t) => {
  for (const right of ['none', openStreetMap.url, '/tiles/{z}/{x}/{y}', 'http://127.0.0.1:1/{x}-{y}-{z}?a=b'])
    t.equal(validateTiles(right), undefined, right);
  for (const wrong of [
    '',
    'https://tiles.example/',
    '{z}/{x}/{y}',
    '//tiles.example/{z}/{x}/{y}',
    'javascript:{z}{x}{y}',
    'https://tiles.example/{z}/{x}/{y}"',
    "https://tiles.example/{z}/{x}/{y}'",
    'https://tiles.example/{z}/{x}/{y}`',
    'https://tiles.example/{z}/{x}/{y}\\',
    ['https://tiles.example/{z}/{x}/{y}/$', '{a}'].join(''),
    'https://tiles.example/{z}/{x}/{y}\n',
    'https://tiles.example/{z}/{x}/{y}/</script>',
  ]) {
    t.match(validateTiles(wrong), /^"[\s\S]*: write an address such as https:/, wrong);
    await t.rejects(startForRequests(t, { tiles: wrong }), /the option "tiles" of createServer is invalid/);
  }
});

t.test('an invalid list of tiles is refused with what is wrong', async (t) => {
  for (const right of [`A=${address}||B=${address}|x`, `A=none||none`, `${address}|${'x'.repeat(500)}`, `__proto__=${address}`])
    t.equal(validateTiles(right), undefined, right);
  for (const [wrong, problem] of [
    [`${address}||none`, /several sources without a name/],
    [`A=${address}||A=none`, /"A" twice/],
    [`A=${address}||A =none`, /"A" twice/],
    [`=${address}`, /the name "" is not possible/],
    [`none=${address}`, /the name "none" is not possible/],
    [`${'n'.repeat(101)}=${address}`, /is not possible: write NAME=ADDRESS/],
    [`A\u0000=${address}`, /is not possible/],
    [`${address}|`, /the attribution after/],
    [`${address}|${'x'.repeat(501)}`, /the attribution after/],
    [`${address}|a\nb`, /the attribution after/],
    [`${address}||`, /"" has no {z} and no {x} and no {y}/],
    [`A=javascript:{z}{x}{y}`, /is not a URL/],
    [`A=data:image/png,{z}{x}{y}`, /is not a URL/],
    [`A=none||B=https://tiles.example`, /"https:\/\/tiles.example" has no {z}/],
    [Array.from({ length: 51 }, (_, i) => `n${i}=none`).join('||'), /lists 51 sources/],
    ['='.repeat(100_000), /is not possible/],
    [`https://${'x'.repeat(100_000)}`, /^"https:\/\/x{92}…" has no/],
  ] as const) {
    t.match(validateTiles(wrong), problem, wrong.slice(0, 80));
    t.ok((validateTiles(wrong) ?? '').length < 400, 'a short message');
  }
});

t.test('map.json has the sources of the server, and another tag after a change of them', async (t) => {
  const tags = new Set<string | null>();
  for (const tiles of [undefined, 'none', `none||Night=${address}`]) {
    const mapwright = await startForRequests(t, tiles === undefined ? {} : { tiles });
    const { id } = (await mapwright.post('/projects', { name: 'City' })).shown;
    const { url } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
    const response = await fetch(`http://127.0.0.1:${mapwright.port}${url}/map.json`);
    const etag = response.headers.get('etag') ?? '';
    t.match(await response.json(), { version: 1, tiles: tileSourcesOf(tiles) });
    tags.add(etag.slice(-9));
    const again = await fetch(`http://127.0.0.1:${mapwright.port}${url}/map.json`, { headers: { 'if-none-match': etag } });
    t.equal(again.status, 304);
  }
  t.equal(tags.size, 3);
});

t.test('an artboard names tiles; those that the server does not list are a problem, and no error', async (t) => {
  const mapwright = await startForRequests(t, { tiles: `none||Night=${address}` });
  const { id } = (await mapwright.post('/projects', { name: 'City' })).shown;
  const at = `/projects/${id}`;
  const night = (await mapwright.post(`${at}/artboards`, { type: 'osm', tiles: 'Night' })).shown;
  const usual = (await mapwright.post(`${at}/artboards`, { type: 'osm', tiles: '' })).shown;
  const other = (await mapwright.post(`${at}/artboards`, { type: 'osm', tiles: '<b>Sea</b>' })).shown;
  t.strictSame([night['tiles'], usual['tiles'], other['tiles']], ['Night', undefined, '<b>Sea</b>']);
  const { list } = await mapwright.get(`${at}/problems`);
  t.match(list, [
    {
      pointer: '/artboards/2/tiles',
      member: 'tiles',
      resource: { kind: 'artboard', id: other['id'], path: `/v1${at}/artboards/${other['id']}` },
      refers_to: { kind: 'tiles', id: '<b>Sea</b>' },
    },
  ]);
  t.equal(list.length, 1);
  const refused = await mapwright.post(`${at}/artboards`, { tiles: 'x'.repeat(101) });
  t.equal(refused.status, 400);
});

// tier: normal
/** The option `tiles`: sources of map tiles, hostile values of it, and what of it becomes public. */
import t, { type Test } from 'tap';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';

const openStreetMap = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';
const address = 'https://tiles.example/{z}/{x}/{y}';
const credit = '© [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)';

/** The options, and the sources that they are in a public map. */
const lists: readonly (readonly [tiles: string | undefined, sources: object[]])[] = [
  [undefined, [{ url: openStreetMap, attribution: credit }]],
  ['none', [{ url: 'none', attribution: '' }]],
  [`${address}?a=b&c=d`, [{ url: `${address}?a=b&c=d`, attribution: credit }]],
  [
    `Night=/night/{z}/{x}/{y}| © [A](https://a.example) | B ||${address}|C||Plain=none`,
    [
      { url: address, attribution: 'C' },
      { name: 'Night', url: '/night/{z}/{x}/{y}', attribution: '© [A](https://a.example) | B' },
      { name: 'Plain', url: 'none', attribution: '' },
    ],
  ],
  // Without a default it is OpenStreetMap.
  [
    `Sea = ${address}?key=a=b`,
    [
      { url: openStreetMap, attribution: credit },
      { name: 'Sea', url: `${address}?key=a=b`, attribution: credit },
    ],
  ],
];

const started = (t: Test, tiles: string | undefined): Promise<Mapwright> =>
  startForRequests(t, tiles === undefined ? {} : { tiles });

t.test('an invalid tile address is refused with the accepted form', async (t) => {
  for (const right of ['/tiles/{z}/{x}/{y}', 'http://127.0.0.1:1/{x}-{y}-{z}?a=b']) await started(t, right);
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
    const message = /the option "tiles" of createServer is invalid: "[\s\S]*: write an address such as https:/;
    await t.rejects(started(t, wrong), { message }, wrong);
  }
});

t.test('an invalid list of tiles is refused with what is wrong', async (t) => {
  for (const right of [`A=${address}||B=${address}|x`, `A=none||none`, `${address}|${'x'.repeat(500)}`, `__proto__=${address}`])
    await started(t, right);
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
    [`https://${'x'.repeat(100_000)}`, /: "https:\/\/x{92}…" has no/],
  ] as const) {
    const { message } = await started(t, wrong).then(
      () => new Error('none'),
      (error: Error) => error,
    );
    t.match(message, problem, wrong.slice(0, 80));
    t.ok(message.length < 450, 'a short message');
  }
});

t.test('map.json has the sources of the option, the one without a name first, and another tag for others', async (t) => {
  const tags = new Set<string | null>();
  for (const [tiles, sources] of lists) {
    const mapwright = await started(t, tiles);
    const { id } = (await mapwright.post('/projects', { name: 'City' })).shown;
    const { url } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
    const response = await fetch(`http://127.0.0.1:${mapwright.port}${url}/map.json`);
    const etag = response.headers.get('etag') ?? '';
    const { version, tiles: shown } = (await response.json()) as { version: number; tiles: unknown };
    t.strictSame([version, shown], [1, sources], String(tiles));
    tags.add(etag.slice(-9));
    const again = await fetch(`http://127.0.0.1:${mapwright.port}${url}/map.json`, { headers: { 'if-none-match': etag } });
    t.equal(again.status, 304);
  }
  t.equal(tags.size, lists.length);
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

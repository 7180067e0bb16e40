/** The preview of an artboard: bounded SVG of shapes, without texts of the project. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { drawingOf } from '../../src/api/preview/drawn-artboard.ts';
import { previewSvg } from '../../src/api/preview/preview-svg.ts';
import type { Artboard } from '../../src/model/resources/artboard.ts';
import type { MapObject } from '../../src/model/resources/object.ts';
import { artboards, objects as objectResource } from '../../src/model/resources.ts';
import { exampleText } from '../support/examples.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';

const artboard = (body: object = {}) => artboards.create('a', {}, body as never) as unknown as Artboard;
const object = (body: object) => objectResource.create('o', {}, { type: 'spot', ...body } as never) as unknown as MapObject;

function draw(board: Artboard, objects: readonly MapObject[], width = 320): { svg: string; steps: number } {
  let steps = 0;
  const drawing = (function* () {
    return yield* previewSvg(yield* drawingOf(board, objects, width));
  })();
  for (;;) {
    const step = drawing.next();
    if (step.done === true) return { svg: step.value, steps };
    steps++;
  }
}

/** The elements of a picture, each with its attributes. */
function elementsOf(svg: string): { name: string; attributes: Record<string, string> }[] {
  return [...svg.matchAll(/<([a-z]+)((?: [\w:-]+="[^"]*")*)\/?>/g)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  }));
}

/** Every character of a picture must belong to one of these. */
const grammar = new RegExp(
  [
    String.raw`^<svg xmlns="http://www\.w3\.org/2000/svg" width="\d+" height="\d+" viewBox="0 0 \d+ \d+">`,
    String.raw`(?:<style>(?:\.[a-z]\{mix-blend-mode:[a-z-]+\})+</style>)?`,
    String.raw`<rect width="\d+" height="\d+" fill="#[\da-f]{6}"/>`,
    String.raw`(?:<(?:circle cx="-?[\d.]+" cy="-?[\d.]+" r="[\d.]+"|polygon points="[-\d., ]*")`,
    String.raw` fill="#[\da-f]{6}"(?: fill-opacity="[\d.]+")?`,
    String.raw`(?: stroke="#[\da-f]{6}" stroke-width="[\d.]+"(?: stroke-opacity="[\d.]+")?)?(?: class="[a-z]")?/>)*</svg>$`,
  ].join(''),
);

async function world(t: Test, objects: readonly object[] = [{ type: 'spot', x: 10, y: 20 }]) {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', { artboards: [{ objects }] })).shown;
  const board = (await mapwright.get(`/projects/${id}/artboards`)).list[0]?.id as string;
  return { mapwright, id, board, at: `/projects/${id}/artboards/${board}/preview.svg` };
}

const get = (mapwright: Mapwright, route: string, headers: Record<string, string> = {}) => mapwright.get(route, { headers });

t.test('a preview has a tag, a content security policy and the requested width', async (t) => {
  const { mapwright, id, board, at } = await world(t);
  const answer = await get(mapwright, at);
  t.match(
    { status: answer.status, ...answer.headers },
    {
      status: 200,
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  );
  t.match(answer.text, grammar);
  t.match(elementsOf(answer.text), [
    { name: 'svg', attributes: { width: '320', height: '240' } },
    { name: 'rect' },
    { name: 'circle', attributes: { cx: '4', cy: '8', r: '8', fill: '#3b82f6' } },
  ]);
  const tag = String(answer.headers.etag);
  t.equal((await get(mapwright, at, { 'if-none-match': tag })).status, 304);
  const wide = await get(mapwright, `${at}?width=640`);
  t.match(elementsOf(wide.text), [{ attributes: { width: '640', height: '480' } }]);
  t.not(wide.headers.etag, tag, 'another width has another tag');
  const objects = `/projects/${id}/artboards/${board}/objects`;
  const [spot] = (await mapwright.get(objects)).list;
  await mapwright.patch(`${objects}/${spot?.id}`, { color: '#ff0000' });
  const changed = await get(mapwright, at, { 'if-none-match': tag });
  t.equal(changed.status, 200, 'a changed object changes the picture');
  t.match(changed.text, '#ff0000');
  for (const width of ['0', '15', '1025', '-1', '1e2', '', 'abc', '99999999999', '320px'])
    t.equal((await get(mapwright, `${at}?width=${width}`)).status, 400, `width=${width}`);
  t.equal((await get(mapwright, `${at}?height=100`)).status, 400);
  const missing = at.replace(board, board.replace(/^./, 'f'));
  t.equal((await get(mapwright, missing)).status, 404);
  const bobs = await mapwright.newKey('bob');
  t.equal((await mapwright.get(at, { key: bobs })).status, 404, 'of another account');
  t.equal((await mapwright.get(at, { key: '' })).status, 401);
});

const payloads = [
  '"><script>alert(1)</script>',
  "'><svg onload=alert(1)>",
  'url(javascript:alert(1))',
  'url(https://evil.example/x)',
  'red"/><image href="https://evil.example/x"/>',
  '#fff" onclick="alert(1)',
  'expression(alert(1))',
  'var(--x)',
  '</svg><script>alert(1)</script>',
  '<![CDATA[<script>]]>',
  '&lt;script&gt;',
  '&#x3c;script',
  'rgb(1,2,3);background:url(x)',
  'rgb(1,2,3)" x="',
  'currentColor',
  'inherit',
  '#ggg',
  '#12345',
  'rgb(0,0)',
  'rgb(1 2 3 / 4 / 5)',
  'hsl(1,2,3)',
  'rgba(255, 0, 0, url(x))',
  'constructor',
  '__proto__',
  '\u0000red',
  'red\n<script>',
  '\u202ered',
  '<style>@import "x"</style>',
  '<foreignObject>',
  '<use href="#x"/>',
];

t.test('a preview contains none of 200 hostile texts of its project', (t) => {
  const texts = Array.from({ length: 200 }, (_, i) => `${payloads[i % payloads.length]}${i < payloads.length ? '' : ` ${i}`}`);
  const board = artboard({ name: texts[0], bg_color: texts[1], image_url: texts[2], embedding_url: texts[3] });
  const objects = texts.map((text, i) =>
    object({
      ...{ type: i % 2 === 0 ? 'spot' : 'poly', name: text, color: text, stroke_color: text, hover_color: text, x: i, y: i },
      ...{ stroke_width: 2, click_action_url: text, hover_stroke_color: text },
      coords: [
        { x: i, y: 0 },
        { x: i + 50, y: 0 },
        { x: i, y: 50 },
      ],
    }),
  );
  const { svg } = draw(board, objects);
  t.match(svg, grammar, 'only elements and attributes of the grammar');
  const elements = elementsOf(svg);
  t.equal(elements.length, 202, 'and each object is there');
  t.ok(elements.slice(2).every(({ attributes }) => attributes['fill'] === '#3b82f6' && attributes['stroke'] === '#000000'));
  t.end();
});

t.test('a preview is valid and bounded for numbers of any size', (t) => {
  const numbers = [0, -0, 1, -1, 0.1, 1e-300, 1e9, -1e9, 1e300, Number.MAX_VALUE, -Number.MAX_VALUE];
  for (const [i, a] of numbers.entries())
    for (const b of numbers) {
      const shapes = [
        object({ x: a, y: b, radius: a, stroke_width: b, opacity: a, stroke_opacity: b }),
        object({ type: 'poly', coords: [{ x: a, y: b }, { x: b, y: a }, { x: 0, y: 0 }], stroke_width: a }), // biome-ignore format: one line
      ];
      for (const board of [artboard({ width: a, height: b }), artboard()]) {
        const { svg } = draw(board, shapes);
        if (!grammar.test(svg)) t.fail(`${a} and ${b}: ${svg}`);
        const [{ attributes = {} } = {}] = elementsOf(svg);
        if (!(Number(attributes['width']) <= 320 && Number(attributes['height']) <= 640)) t.fail(`${i}: ${svg.slice(0, 120)}`);
      }
    }
  for (const count of [0, 1, 2]) {
    const coords = Array.from({ length: count }, (_, i) => ({ x: i * 10, y: 5 }));
    const { svg } = draw(artboard(), [object({ type: 'poly', coords })]);
    t.match(svg, grammar, `a polygon of ${count} corners`);
  }
  t.end();
});

t.test('a preview draws the 2,000 largest objects, in their order and in slices', (t) => {
  const spots = Array.from({ length: 10_000 }, (_, i) => object({ x: i / 20, y: 10, radius: 1 + ((i * 7919) % 10_000) / 100 }));
  const { svg, steps } = draw(artboard(), spots);
  const drawn = elementsOf(svg).filter(({ name }) => name === 'circle');
  t.equal(drawn.length, 2_000);
  t.ok(
    drawn.every(({ attributes }) => Number(attributes['r']) > 32),
    'of a radius above 80 pixels of the artboard',
  );
  const places = drawn.map(({ attributes }) => Number(attributes['cx']));
  t.strictSame(
    places,
    places.toSorted((a, b) => a - b),
    'later ones cover earlier ones',
  );
  t.ok(steps > 20, 'other requests run in between');
  const corners = Array.from({ length: 50_000 }, (_, i) => ({ x: 400 + 300 * Math.cos(i), y: 300 + 300 * Math.sin(i * 1.1) }));
  const jagged = Array.from({ length: 40 }, () => object({ type: 'poly', coords: corners }));
  const large = draw(artboard(), jagged);
  t.ok(large.steps >= 80, 'a step for each, twice, also for those that are not drawn');
  t.ok(large.svg.length < 2 * 1024 * 1024, `two million corners are ${large.svg.length} bytes`);
  t.match(large.svg, grammar);
  t.end();
});

t.test('a preview shows valid CSS colours and the default for all others', (t) => {
  const fillOf = (color: string) => elementsOf(draw(artboard(), [object({ color })]).svg).at(-1)?.attributes;
  t.match(fillOf('RebeccaPurple'), { fill: '#663399' });
  t.match(fillOf('#ff000080'), { fill: '#ff0000', 'fill-opacity': '0.502' });
  t.match(fillOf('transparent'), { 'fill-opacity': '0' });
  t.match(fillOf('#'.repeat(1e5)), { fill: '#3b82f6' }, 'the default');
  const background = (body: object) => elementsOf(draw(artboard(body), []).svg)[1]?.attributes['fill'];
  t.equal(background({ bg_color: '#123456' }), '#123456');
  t.equal(background({ bg_color: 'url(x)' }), '#ffffff');
  for (const type of ['image', 'osm']) t.match(background({ type, image_url: 'https://a.example/b.png' }), /^#[\da-f]{6}$/);
  t.end();
});

t.test('a preview shows every blend mode with at most four shapes per object', (t) => {
  const modes = objectResource.fields.find(({ name }) => name === 'blend_mode')?.words ?? [];
  t.equal(modes.length, 33);
  for (const blend_mode of modes) {
    const { svg } = draw(artboard(), [object({ blend_mode, color: '#336699' })]);
    t.match(svg, grammar, String(blend_mode));
    const circles = elementsOf(svg).filter(({ name }) => name === 'circle');
    t.ok(circles.length >= 1 && circles.length <= 4, `${blend_mode}: ${circles.length} elements`);
    const isPlain = ['inherit', 'normal', 'normal-npm', 'none', 'erase'].includes(String(blend_mode));
    t.equal(svg.includes('<style>'), !isPlain, `${blend_mode}`);
  }
  const chain = elementsOf(draw(artboard(), [object({ blend_mode: 'subtract', color: '#336699' })]).svg).slice(-3);
  t.strictSame(
    chain.map(({ attributes }) => [attributes['fill'], attributes['class']]),
    [
      ['#ffffff', 'i'],
      ['#336699', 'o'],
      ['#ffffff', 'i'],
    ],
    'invert, add, invert',
  );
  const translucent = (blend_mode: string) =>
    elementsOf(draw(artboard(), [object({ blend_mode, color: '#336699', opacity: 0.5 })]).svg)
      .filter(({ name }) => name === 'circle')

      .map(({ attributes }) => [attributes['fill'], attributes['class'], attributes['fill-opacity']]);
  t.strictSame(translucent('subtract'), [['#336699', undefined, '0.5']], 'a chain is exact for opaque shapes only');
  t.strictSame(translucent('divide'), [['#cc9966', 'e', '0.5']], 'one operation is exact for all');
  t.end();
});

t.test('the SVG of shapes of all kinds is the same, byte for byte', (t) => {
  // Recorded when there was no other kind of preview.
  const digests: Record<string, string> = {
    'office.json': '6f3dd78f750c0cb2',
    'shopping-centre.json': '6cfab66d62e7511b',
    'us-counties.json': '7d476f1743ee90b2',
    'cities.json': 'ef6da3ff67196cc4',
    'world-countries.json': '5e9ae43d20f73e20',
  };
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  for (const [file, digest] of Object.entries(digests)) {
    const { project } = JSON.parse(exampleText(file)) as { project: { artboards: { id: string; objects: object[] }[] } };
    const pictures = project.artboards.map(({ id: _, objects, ...board }) => draw(artboard(board), objects.map(object)).svg);
    t.equal(digestOf(pictures.join('')), digest, file);
  }
  const at = (x: number, y: number) => ({ x, y });
  const hole = [at(30, 20), at(200, 20), at(30, 80)];
  const modes = objectResource.fields.find(({ name }) => name === 'blend_mode')?.words ?? [];
  const shapes = modes.flatMap((blend_mode, i) =>
    [1, 0.4].flatMap((opacity) => [
      object({ blend_mode, opacity, x: 20 * i, y: -0.01, radius: 7 * i, color: '#336699', stroke_width: i % 3 }),
      object({
        ...{ blend_mode, opacity, type: 'poly', closed: i % 5 > 0, stroke_width: i % 4, stroke_color: '#12345678' },
        coords: [at(i, 9), at(700, 3 * i), at(9 * i, 500)],
        holes: i % 2 === 1 ? [] : [hole, [at(1, 1), at(2, 1)]],
      }),
    ]),
  );
  t.equal(digestOf(draw(artboard(), shapes).svg), 'c36c8f179da2be6a');
  t.end();
});

t.test('the preview of an example with thousands of polygons is valid and below 1 MiB', async (t) => {
  const { mapwright } = await world(t);
  const imported = await mapwright.post('/projects/import', exampleText('us-counties.json'));
  const board = (imported.shown['artboards'] as { id: string; objects: object[] }[]).find(({ objects }) => objects.length > 1000);
  const { status, text } = await get(mapwright, `/projects/${imported.shown.id}/artboards/${board?.id}/preview.svg`);
  t.equal(status, 200);
  t.match(text, grammar);
  t.ok([...text.matchAll(/<polygon/g)].length > 1000);
  t.ok(text.length < 1024 * 1024, `${text.length} bytes`);
});

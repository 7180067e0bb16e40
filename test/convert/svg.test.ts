// tier: normal, process: shared
/** SVG: shapes, transforms, styles, names, and the picture that remains. */
import t from 'tap';
import fc from '../support/fast-check.ts';
import { bodiesOf, codesOf, convertText, cornersOf, ringsOf, sheet, spotsOf } from './support.ts';

const svg = (content: string, attributes = 'width="800" height="600"') =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ${attributes}>${content}</svg>`;
const read = (content: string, attributes?: string) => convertText(svg(content, attributes), { artboard: sheet });

t.test('each basic shape becomes an object at its place', async (t) => {
  const conversion = await read(`
    <rect id="rect" x="10" y="20" width="30" height="40"/>
    <circle id="circle" cx="50" cy="60" r="7"/>
    <polygon id="polygon" points="0,0 10,0 10,10"/>
    <polyline id="filled" points="0 0 10 0 10 10"/>
    <polyline id="line" points="0,5 10,5" fill="none" stroke="red" stroke-width="4"/>
    <line id="one" x1="0" y1="5" x2="10" y2="5" stroke="red" stroke-width="4"/>
    <path id="path" d="M1 1h8v8h-8z"/>`);
  t.same(
    spotsOf(conversion).filter((spot) => !spot.includes('NaN')),
    ['circle 50,60'],
  );
  t.equal(bodiesOf(conversion).at(-1)?.['radius'], 7);
  const polys = { ...conversion, objects: conversion.objects.filter(({ body }) => body['type'] === 'poly') };
  t.same(
    bodiesOf(polys).map(({ name }) => name),
    ['rect', 'polygon', 'filled', 'path', 'line', 'one'],
  );
  t.same(cornersOf(polys), [
    '10,20 40,20 40,60 10,60',
    '0,0 10,0 10,10',
    '0,0 10,0 10,10',
    '1,1 9,1 9,9 1,9',
    '0,5 10,5',
    '0,5 10,5',
  ]);
  t.same(conversion.report.notes, []);
  t.equal(conversion.background, undefined, 'nothing remains');
});

t.test('ellipses, rounded corners and curves are within half a pixel of their shape', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3000 }), async (rx, ry) => {
      const conversion = await read(`<ellipse cx="0" cy="0" rx="${rx}" ry="${ry}"/>`);
      const corners = bodiesOf(conversion)[0]?.['coords'] as { x: number; y: number }[];
      for (const [i, { x, y }] of corners.entries()) {
        const next = corners[(i + 1) % corners.length] ?? { x, y };
        const middle = { x: (x + next.x) / 2, y: (y + next.y) / 2 };
        for (const at of [{ x, y }, middle]) {
          // The distance from an ellipse along the ray from its centre is at least the shortest one.
          const share = Math.hypot(at.x / rx, at.y / ry);
          const away = Math.abs(1 - 1 / share) * Math.hypot(at.x, at.y);
          const [gx, gy] = [at.x / rx ** 2, at.y / ry ** 2];
          const first = Math.abs(share ** 2 - 1) / (2 * Math.hypot(gx, gy));
          if (Math.min(away, first) > 0.5 + 0.0005 * Math.max(rx, ry)) return false;
        }
      }
      return true;
    }),
    { numRuns: 30 },
  );
  t.pass();
  const rounded = await read('<rect x="0" y="0" width="100" height="50" rx="10"/>');
  const corners = bodiesOf(rounded)[0]?.['coords'] as { x: number; y: number }[];
  t.ok(
    corners.every(({ x, y }) => !(x < 2 && y < 2)),
    'the corner is cut',
  );
});

t.test('transforms of groups, the view box and nested pictures are applied', async (t) => {
  const groups = await read(
    '<g transform="translate(100 50)"><g transform="scale(2)"><rect id="a" x="1" y="1" width="10" height="10" transform="rotate(90 1 1)"/></g></g>',
  );
  t.same(cornersOf(groups), ['102,52 102,72 82,72 82,52']);
  const box = await read('<rect x="10" y="10" width="10" height="10"/>', 'width="200mm" height="100mm" viewBox="0 0 20 20"');
  t.same(cornersOf(box), ['378,189 567,189 567,378 378,378'], 'in the middle, in pixels of CSS');
  const inner = await read('<svg x="10" y="20" width="40" height="40" viewBox="0 0 4 4"><rect width="1" height="1"/></svg>');
  t.same(cornersOf(inner), ['10,20 20,20 20,30 10,30']);
  const skewed = await read(
    '<circle cx="0" cy="0" r="10" transform="scale(2 1)"/><circle cx="0" cy="0" r="10" transform="scale(2)"/>',
  );
  t.same(
    bodiesOf(skewed).map(({ type, radius }) => [type, radius]),
    [
      ['poly', undefined],
      ['spot', 20],
    ],
  );
  const used = await read(
    '<defs><rect id="r" width="5" height="5"/></defs><use id="one" href="#r" x="10" y="10"/><use id="two" xlink:href="#r"/>',
  );
  t.same(cornersOf(used), ['10,10 15,10 15,15 10,15', '0,0 5,0 5,5 0,5']);
  t.same(
    bodiesOf(used).map(({ name }) => name),
    ['one', 'two'],
  );
});

t.test('colours and opacities come from attributes, style, classes and ancestors', async (t) => {
  const conversion = await read(`
    <style>.wall { fill: #112233 } #special { fill: rgb(1 2 3) }</style>
    <linearGradient id="g"><stop offset="0" stop-color="#abcdef"/></linearGradient>
    <g fill="red" opacity="0.5" stroke="blue">
      <rect width="1" height="1" style="fill: lime; fill-opacity: 50%"/>
      <rect width="1" height="1" class="x wall" stroke-width="3" stroke-opacity=".5"/>
      <rect width="1" height="1" id="special" stroke="none"/>
      <rect width="1" height="1" fill="url(#g)"/>
      <rect width="1" height="1" fill="none"/>
    </g>
    <rect width="1" height="1"/>`);
  const style = ({ color, opacity, stroke_color, stroke_width, stroke_opacity }: Record<string, unknown>) =>
    [color, opacity, stroke_color, stroke_width, stroke_opacity].join(' ');
  t.same(bodiesOf(conversion).map(style), [
    '#00ff00 0.25 #0000ff 1 0.5',
    '#112233 0.5 #0000ff 3 0.25',
    '#010203 0.5 #ffffff 0 ',
    '#abcdef 0.5 #0000ff 1 0.5',
    '#0000ff 0 #0000ff 1 0.5',
    '#000000 1 #ffffff 0 ',
  ]);
});

t.test('names come from the title, the label of Inkscape or the id; layers and data attributes are columns', async (t) => {
  const conversion = await read(`
    <g inkscape:groupmode="layer" inkscape:label="Rooms">
      <rect id="r1" width="1" height="1" data-floor="2"><title> Kitchen &lt;b&gt; </title></rect>
      <rect id="r2" width="1" height="1" inkscape:label="Hall"/>
      <rect id="r3" width="1" height="1"/>
      <rect width="1" height="1"/>
    </g>`);
  t.same(
    bodiesOf(conversion).map(({ name }) => name),
    ['Kitchen <b>', 'Hall', 'r3', 'element 4'],
  );
  t.same(
    conversion.columns.map(({ name }) => name),
    ['name', 'id', 'layer', 'floor'],
  );
  t.equal(conversion.objects[0]?.at, 'element 1, Kitchen <b>');
});

t.test('holes and several outlines of a path are found by its fill rule', async (t) => {
  const rings =
    (...parts: string[]) =>
    async (rule: string) =>
      bodiesOf(await read(`<path ${rule} d="${parts.join(' ')}"/>`)).map(ringsOf);
  const same = rings('M0 0h10v10h-10z', 'M2 2h2v2h-2z', 'M6 6h2v2h-2z', 'M20 0h5v5h-5z');
  const outer = ['0,0 10,0 10,10 0,10', '20,0 25,0 25,5 20,5'] as const;
  t.same(await same('fill-rule="evenodd"'), [[outer[0], '2,2 4,2 4,4 2,4', '6,6 8,6 8,8 6,8'], [outer[1]]]);
  t.same(await same('fill="none" stroke="red"'), [[outer[0], '2,2 4,2 4,4 2,4', '6,6 8,6 8,8 6,8'], [outer[1]]]);
  t.same(await same(''), [[outer[0]], [outer[1]]], 'what goes round in the same direction is filled');
  const island = rings('M0 0h10v10h-10z', 'M2 2v6h6v-6z', 'M4 4h2v2h-2z');
  t.same(await island(''), [[outer[0], '2,2 2,8 8,8 8,2'], ['4,4 6,4 6,6 4,6']], 'an area in a hole is another object');
});

t.test('open outlines without a fill are lines, next to closed ones', async (t) => {
  const conversion = await read(
    '<path id="p" fill="none" stroke="#ff0000" stroke-width="3" stroke-opacity="0.5" d="M0 0h10v10h-10z M20 0h5"/><line id="l" x2="5" stroke="#00ff00"/><line id="none" x2="9"/>',
  );
  const [area, ...lines] = bodiesOf(conversion);
  t.match(area, { closed: true, opacity: 0, stroke_color: '#ff0000', stroke_width: 3 });
  t.match(lines, [
    { name: 'p', closed: false, stroke_color: '#ff0000', stroke_width: 3, stroke_opacity: 0.5 },
    { name: 'l', closed: false, stroke_color: '#00ff00', stroke_width: 1 },
  ]);
  t.same(codesOf(conversion), ['invisible at element 3, none'], 'a fill makes no line visible');
});

t.test('the background has what remains, without scripts, handlers and links to other hosts, which are named', async (t) => {
  const conversion = await read(`
    <script>alert(1)</script>
    <style>@import url(https://example.org/x.css);</style>
    <rect id="room" width="10" height="10" onclick="alert(2)"/>
    <text id="label" x="1" y="1" onload="alert(3)" fill="url(https://example.org/p)">Room</text>
    <image id="far" href="https://example.org/picture.png"/>
    <image id="near" href="data:image/png;base64,iVBORw0KGgo="/>
    <image id="inner" href="data:image/svg+xml,&lt;svg/&gt;"/>
    <a id="link" href="javascript:alert(4)"><circle id="c" r="4"/></a>
    <use id="beyond" href="other.svg#x"/>
    <text x="1" style="${'color:red;'.repeat(1200)}fill:url(https://example.org/long)">long</text>
    <text x="1" style="fill:\\75rl(https://example.org/hidden)">hidden</text>
    <text x="1" style="background:-webkit-image-set('https://example.org/set' 1x)">set</text>
    <h:img xmlns:h="http://www.w3.org/1999/xhtml" id="img" src="https://example.org/html.png"/>
    <foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>`);
  t.same(
    bodiesOf(conversion).map(({ name }) => name),
    ['room', 'c'],
  );
  const { background = '' } = conversion;
  for (const kept of ['Room', 'near', 'width="800"']) t.match(background, kept);
  for (const gone of ['script', 'alert', 'example.org', 'onload', 'other.svg', 'foreignObject', 'svg+xml', '"room"'])
    t.notMatch(background, gone);
  t.same(conversion.report.notes.map(({ code, at }) => `${code} ${at.split(', ')[1] ?? ''}`.trim()).sort(), [
    ...['foreign-link', 'foreign-link beyond', 'foreign-link far', 'foreign-link inner', 'script', 'script', 'script img'],
  ]);
});

t.test('hidden and invisible shapes, and elements that use themselves, are left out and named', async (t) => {
  const conversion = await read(`
    <g id="off" style="display:none"><rect width="1" height="1"/></g>
    <rect id="clear" width="1" height="1" fill="none"/>
    <g id="loop"><use id="again" href="#loop"/></g>
    <rect id="ok" width="1" height="1"/>`);
  t.same(
    bodiesOf(conversion).map(({ name }) => name),
    ['ok'],
  );
  t.same(
    codesOf(conversion).map((code) => code.split(' ')[0]),
    ['hidden', 'invisible', 'use'],
  );
});

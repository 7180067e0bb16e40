// tier: normal, process: shared
/** Style sheets, fills and outlines of SVG. */
import t from 'tap';
import { summaryOfCase } from './case-summary.ts';
import { bodiesOf, codesOf, convertText, sheet } from './support.ts';

const read = (content: string) =>
  convertText(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="400" height="300">${content}</svg>`,
    { artboard: sheet },
  );
const rect = (attributes = ''): string => `<rect width="9" height="9" ${attributes}/>`;
const colorsOf = async (content: string) => bodiesOf(await read(content)).map(({ color }) => color);

t.test('later sheets win, then identifiers, classes and elements; important declarations win over all', async (t) => {
  const sheets =
    '<style>.a{fill:#010101}.b{fill:#020202}</style><style>.a{fill:#030303}rect{fill:#040404}#i{fill:#050505}</style>';
  t.same(await colorsOf(`${sheets}${rect('class="a"')}${rect('class="a b"')}${rect('fill="red"')}${rect('id="i" class="a"')}`), [
    ...['#030303', '#030303', '#040404', '#050505'],
  ]);
  t.same(await colorsOf(`<style>.a{fill:#010101 !important}</style>${rect('class="a" style="fill:#020202"')}`), ['#010101']);
  t.same(await colorsOf(`<style>/* } */ .a{fill:#010101}\n.c , .d{fill:#020202;}</style>${rect('class="d"')}`), ['#020202']);
});

t.test('selectors for elements in elements, attributes and escaped names apply', async (t) => {
  const rules =
    '.eu rect{fill:#010101} g > .b{fill:#020202} [data-kind="wc"]{fill:#030303} #Room\\ 1{fill:#040404} rect:hover, .e{fill:#050505} [id^="x"]{stroke:red}';
  const shapes = `<g class="eu"><g>${rect()}</g>${rect('class="b"')}</g>${rect('class="b"')}${rect('data-kind="wc"')}${rect('id="Room 1"')}${rect('class="e"')}`;
  t.same(await colorsOf(`<style>${rules}</style>${shapes}`), [
    ...['#010101', '#020202', '#000000', '#030303', '#040404', '#050505'],
  ]);
});

t.test('rules for screens apply, those for paper and dark screens do not', async (t) => {
  const media = (query: string): string => `<style>@media ${query}{rect{fill:#010101}}</style>${rect()}`;
  for (const query of ['screen', 'all', 'print, screen', 'only screen and (min-width: 1px)', '(prefers-color-scheme: light)'])
    t.same(await colorsOf(media(query)), ['#010101'], query);
  for (const query of ['print', 'not screen', 'screen and (prefers-color-scheme: dark)', '(prefers-color-scheme:dark)'])
    t.same(await colorsOf(media(query)), ['#000000'], query);
  t.same(await colorsOf(`<style>@supports (x:y){rect{fill:#010101}} .a{fill:#020202}</style>${rect()}${rect('class="a"')}`), [
    ...['#010101', '#020202'],
  ]);
});

t.test('custom properties and colours of two grounds are put in; what is no value leaves the weaker one', async (t) => {
  t.match(await summaryOfCase('svg-cssvar.svg'), [/color/, /^A:/, /^B:/]);
  const root = '<style>:root{--c:#010101;--a:var(--b);--b:var(--a)}</style>';
  const values = ['var(--c)', 'var(--none, #020202)', 'var(--a, var(--c))', 'var(--a)', 'light-dark(rgb(3, 3, 3), #fff)'];
  const inherited = `<g fill="#0a0a0a">${values.map((value) => rect(`style="fill:${value}"`)).join('')}</g>`;
  t.same(await colorsOf(root + inherited), ['#010101', '#020202', '#010101', '#0a0a0a', '#030303']);
  t.same(await colorsOf(`${root}<g style="--c:#040404">${rect('fill="var(--c)"')}</g>`), ['#040404']);
  const invalid = `${rect('fill="#010101" style="fill:nonsense"')}${rect('style="fill:#020202;fill:color(display-p3 1 0 0)"')}`;
  t.same(await colorsOf(`${invalid}<g fill="#030303">${rect('fill="nonsense"')}${rect('style="fill:inherit"')}</g>`), [
    ...['#010101', '#020202', '#030303', '#030303'],
  ]);
});

t.test('a rule that loads something is left out, and no other one', async (t) => {
  const summary = await summaryOfCase('svg-import-font.svg');
  t.match(summary.at(-1), /^note foreign-link at line 1: .* one rule is left out of the background/);
  const conversion = await read(
    `<style>@font-face{font-family:X;src:url(https://example.org/x)}.a{fill:#010101}@media screen{.b{background:url(//example.org);fill:#020202}.t{fill:#0b0b0b}}</style>${rect('class="a"')}${rect('class="b"')}<text class="t" x="300" y="200" style="fill:blue;background:url(https://example.org/y)">kept</text>`,
  );
  t.same(
    bodiesOf(conversion).map(({ color }) => color),
    ['#010101', '#020202'],
  );
  t.notMatch(conversion.background, 'example.org');
  for (const kept of ['#0b0b0b', '#010101', 'fill:blue']) t.match(conversion.background, kept);
});

t.test('areas without colour react if browsers say so', async (t) => {
  t.match(await summaryOfCase('svg-hotspots-transparent.svg'), [
    /with background/,
    /^Kitchen: area/,
    /^Hall: area/,
    /^Bath: area/,
  ]);
  const clear = ['fill="#fff0"', 'fill="none" pointer-events="fill"', 'style="fill:none;pointer-events:all"', 'opacity="0"'];
  const conversion = await read(
    `${clear.map(rect).join('')}<g fill="none" pointer-events="all">${rect()}</g>${rect('fill="none"')}`,
  );
  t.same(
    bodiesOf(conversion).map(({ opacity }) => opacity),
    [0, 0, 0, 0, 0],
  );
  t.same(codesOf(conversion), ['invisible at element 6']);
});

t.test('what a pattern fills stays in the picture', async (t) => {
  t.match(await summaryOfCase('svg-figma-imagefill.svg'), [
    /with background/,
    /^Desk 1/,
    /^note pattern at element 1, Photo plan/,
  ]);
  const conversion = await read(
    `<pattern id="h" href="#base"/><pattern id="base"><path d="M0 0"/></pattern>${rect('id="hatched" fill="url(#h)"')}${rect('fill="url(#gone) #010101"')}`,
  );
  t.match(bodiesOf(conversion), [{ color: '#010101' }]);
  t.match(conversion.background, /"hatched"/);
});

t.test('an outline that ends where it begins is an area', async (t) => {
  t.match(await summaryOfCase('svg-closed-no-z.svg'), [/color/, /^Room 7: area/, /^Room 8: area/]);
  const conversion = await read(
    '<g fill="none" stroke="red"><path d="M0 0H90V90H0V0.01M10 10h10v10h-10v-10"/><polyline points="0,0 5,0 0,0"/><path d="M0 0c0 50 50 50 50 0S0-50 0 0"/></g>',
  );
  t.match(bodiesOf(conversion), [{ closed: true, holes: [{}] }, { closed: true }, { closed: false }]);
  t.match(await summaryOfCase('svg-hole-under.svg'), [/color/, /^Courtyard/, /^Cloister: .* without 70,70/]);
});

t.test('the width of an outline that does not scale stays', async (t) => {
  const conversion = await read(
    `<g transform="scale(10)" stroke="red">${rect('vector-effect="non-scaling-stroke"')}${rect()}</g>`,
  );
  t.same(
    bodiesOf(conversion).map(({ stroke_width }) => stroke_width),
    [1, 10],
  );
});

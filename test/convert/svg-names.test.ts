// tier: normal, process: shared
/** Names of shapes in SVG, and the texts and links that belong to them. */
import t from 'tap';
import { summaryOfCase } from './case-summary.ts';
import { bodiesOf, codesOf, convertText, sheet } from './support.ts';

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:v="http://schemas.microsoft.com/visio/2003/SVGExtensions/" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 400 300">${content}</svg>`;
const read = (content: string) => convertText(svg(content), { artboard: sheet });
const namesOf = async (content: string) => bodiesOf(await read(content)).map(({ name }) => name);
const at = (x: number, more = ''): string => `<rect x="${x}" y="10" width="100" height="80" ${more}/>`;
const text = (x: number, words: string): string => `<text x="${x}" y="55">${words}</text>`;

t.test('a group with a name names its shape, and the parts of its drawing', async (t) => {
  t.same(
    (await summaryOfCase('svg-figma-groups.svg')).map((line) => line.split(':')[0]),
    [...['color 400 x 300', 'element 1', 'Room 101', 'Room 101', 'Room 102', '101']],
  );
  t.match(await summaryOfCase('svg-group-title.svg'), [/color/, /^Room 101: area 20,20/]);
  t.same(await namesOf(`<g id="Hall"><g id="g12">${at(0, 'id="rect4"')}</g></g>`), ['Hall'], 'through a group without a name');
  t.same(await namesOf(`<g id="Wing"><g id="path3">${at(0)}${at(200)}</g></g>`), ['Wing', 'Wing'], 'one building in two parts');
});

t.test('a layer with many rooms does not name them if anything tells them apart', async (t) => {
  const rooms = `${at(0)}${text(30, '101')}${at(120)}${text(150, '102')}${at(240)}`;
  t.same(await namesOf(`<g id="Rooms">${rooms}</g>`), ['101', '102', 'Rooms']);
  t.same(await namesOf(`<g id="Rooms">${at(0, 'id="A"')}${at(120)}${text(150, '102')}</g>`), ['A', '102']);
  t.same(await namesOf(`<g inkscape:groupmode="layer" inkscape:label="Rooms">${at(0, 'id="rect4"')}</g>`), ['rect4']);
  t.same(await namesOf(`<g class="layer"><title>Layer 1</title>${at(0, 'id="svg_1"')}${text(30, 'Hall')}</g>`), ['Hall']);
});

t.test('names of Illustrator and Visio are those that their users gave', async (t) => {
  const names = (await summaryOfCase('svg-illustrator-dataname.svg')).map((line) => line.split(':')[0]);
  t.same(names.slice(1), ['Room 101', 'Büro_West', '103']);
  t.same(await namesOf(at(0, 'id="_x41_-1" data-name="path12"')), ['A-1'], 'a name that the program made up is none');
  const visio = `<g v:mID="1"><title>Sheet.1</title><desc>Room 7</desc>${at(0)}</g><g v:mID="2"><title>Sheet.2</title>${at(120)}</g>`;
  t.same(await namesOf(`<g v:mID="0"><title>Page-1</title>${visio}</g>`), ['Room 7', 'element 2']);
});

t.test('attributes of map libraries are names, and a class that only one shape has', async (t) => {
  t.same(await namesOf(`${at(0, 'id="AT" title="Austria"')}${at(120, 'id="AF" name="Afghanistan"')}`), [
    'Austria',
    'Afghanistan',
  ]);
  t.same(await namesOf(at(0, 'id="x" data-title="Hall"')), ['Hall']);
  const classes = (names: string[]) => names.map((name, i) => at(i * 110, `class="${name}"`)).join('');
  t.same(await namesOf(classes(['Angola', 'United States', 'land'])), ['Angola', 'United States', 'element 3']);
  t.same(await namesOf(classes(['Room', 'Room'])), ['element 1', 'element 2'], 'how shapes look');
  t.same(await namesOf(`<style>.Wall{fill:red}</style>${classes(['Wall', 'Angola'])}`), ['element 1', 'Angola']);
});

t.test('a use has its own name, or that of what it shows', async (t) => {
  const seat = '<symbol id="seat"><rect id="rect1" width="9" height="9"/></symbol>';
  t.same(await namesOf(`${seat}<use id="Seat 1" href="#seat"/><use id="use2" href="#seat" x="20"/>`), ['Seat 1', 'seat']);
});

t.test('a text in a shape is its name, which stays visible', async (t) => {
  const conversion = await read(`${at(0, 'id="path7"')}${text(30, ' 1<tspan>01</tspan> ')}${at(120)}${text(150, '102')}`);
  t.match(bodiesOf(conversion), [
    { name: '101', label: 'always', type: 'poly' },
    { name: '102', label: 'always', type: 'poly' },
  ]);
  t.equal(conversion.background, undefined);
  t.match(await summaryOfCase('svg-text-label.svg'), [/^color/, /^101: area/, /^102: area/]);
  const outer = '<rect x="1" y="1" width="300" height="200"/>';
  t.same(await namesOf(`${outer}${at(10)}${text(30, 'inner')}`), ['element 1', 'inner'], 'the smallest one around it');
});

t.test('a text that is no name becomes an object above the shapes; a text beside them stays in the picture', async (t) => {
  const conversion = await read(
    `${at(0, 'id="Kitchen"')}${text(30, 'no smoking')}${at(120)}<text x="125" y="20" font-size="8">102</text><text x="10" y="290">Legend</text>`,
  );
  const [kitchen, second, smoking, number] = bodiesOf(conversion);
  t.match(
    [kitchen, second],
    [
      { name: 'Kitchen', label: undefined },
      { name: '102', label: 'never' },
    ],
    'in the corner as drawn',
  );
  const look = { type: 'spot', label: 'always', pin: false, opacity: 0, stroke_width: 0, interactive: false };
  t.match(
    [smoking, number],
    [
      { ...look, name: 'no smoking' },
      { ...look, name: '102' },
    ],
  );
  t.match(conversion.background, />Legend</);
  t.notMatch(conversion.background, /smoking|102/);
  const lines = await read(`${at(0)}<text x="30" y="40"><tspan x="30">Big</tspan><tspan x="30" dy="1.2em">hall</tspan></text>`);
  t.match(bodiesOf(lines), [{ name: 'Big hall' }]);
  const twice = await read(`${at(0)}${text(30, 'halo')}${text(30, 'halo')}`);
  t.match(bodiesOf(twice), [{ name: 'halo', label: 'always' }], 'drawn twice');
});

t.test('HTML of draw.io is a label; its hints for other programs are none', async (t) => {
  t.match(await summaryOfCase('svg-drawio-lightdark.svg'), [/^color 401 x 301$/, /^Room 101: area 21,21/]);
  const html = (inside: string) =>
    `<switch><foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml"><div>Meeting<br/>room</div></div></foreignObject>${inside}</switch>`;
  const hint = '<switch><g requiredFeatures="x"/><a href="https://example.org"><text>Text is not SVG</text></a></switch>';
  for (const beside of [
    '<image x="10" y="40" width="80" height="20"/>',
    '<text x="50" y="50" text-anchor="middle">Meet...</text>',
  ]) {
    const conversion = await read(`${at(0)}${html(beside)}${hint}`);
    t.match(bodiesOf(conversion), [{ name: 'Meeting room', label: 'always' }]);
    t.equal(conversion.background, undefined);
    t.same(codesOf(conversion), []);
  }
});

t.test('links stay, if maps may follow them, with their titles', async (t) => {
  t.match(await summaryOfCase('svg-link-a.svg'), [/color/, /^Room 101 details: area/]);
  const conversion = await read(
    `<a xlink:href="https://example.com/1" target="_blank"><title>One</title>${at(0)}</a><a href="mailto:a@example.com">${at(120)}</a><a href=" javascript:alert(1)">${at(240)}</a>`,
  );
  t.match(bodiesOf(conversion), [
    { name: 'One', click_action: 'follow-link', click_action_url: 'https://example.com/1', open_link_in_new_tab: true },
    { click_action: 'follow-link', click_action_url: 'mailto:a@example.com', open_link_in_new_tab: false },
    { click_action: undefined, click_action_url: undefined },
  ]);
});

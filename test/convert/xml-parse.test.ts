// tier: normal, process: shared
/** XML as programs and people write it: what is repaired, and what is refused with its line. */
import t from 'tap';
import { summaryOfCase } from './case-summary.ts';
import { bodiesOf, codesOf, convertText, refusalOf } from './support.ts';

const point = '<Point><coordinates>16.37,48.2</coordinates></Point>';
const placemark = (content: string): string => `<kml><Placemark>${content}${point}</Placemark></kml>`;
const namesOf = async (file: string): Promise<unknown[]> => bodiesOf(await convertText(file)).map(({ name }) => name);

t.test('text before the document, and prefixes with and without a declaration, do not matter', async (t) => {
  for (const file of ['kml-blank-before-decl', 'kml-prefixed', 'kml-unbound-xsi'])
    t.match(await summaryOfCase(`${file}.kml`), ['map', /^Gate: spot 16\.36\d?,48\.2/], file);
  t.same((await summaryOfCase('svg-no-xlink-ns.svg')).slice(1), [
    'd: area 10,10 30,10 30,30 10,30; color #ff0000; opacity 1; stroke_width 0',
  ]);
  const mixed =
    '<ns0:kml><ns0:Document><Placemark><ns0:name>A</ns0:name><ns0:Point><coordinates>16.37,48.2</coordinates></ns0:Point></Placemark></ns0:Document></ns0:kml>';
  t.same(await namesOf(mixed), ['A']);
  t.same(await namesOf('<g:gpx><g:wpt lat="48.2" lon="16.37" x:y="z"><g:name>A</g:name></g:wpt></g:gpx>'), ['A']);
  t.same(await namesOf(`<!-- a --><?xml version="1.0"?>\n${placemark('<name>A<!-- - -- --></name>')}`), ['A'], 'comments');
  t.same(bodiesOf(await convertText(`<Document xsi:x="y"><Placemark><name>A</name>${point}</Placemark></Document>`)).length, 1);
});

t.test('references of HTML are characters, and signs that are no markup are text with a note', async (t) => {
  t.same(await namesOf(placemark('<name>Caf&eacute;&nbsp;&amp;&#32;&#xe4;&lt;</name>')), ['Café\u00a0& ä<']);
  const signs = await convertText(placemark('\n<name>Tom & Jerry &unknown; a < b &#0;</name>'));
  t.equal(bodiesOf(signs)[0]?.['name'], 'Tom & Jerry &unknown; a < b \ufffd');
  t.match(signs.report.notes, [{ code: 'xml', detail: /line 2, and 2 more/ }]);
  t.same(
    await namesOf("<gpx><wpt lat=48.2 lon='16.37' x=&#x110000;&a;><name>A</name></wpt></gpx>"),
    ['A'],
    'attributes without quotation marks',
  );
  t.same((await convertText(placemark('<name>A</name>').replace('<Placemark', '<Placemark id=&#x110000;&a;'))).rows, [
    ['A', '\ufffd&a;'],
  ]);
  const link = placemark('<name>A</name><atom:link href="https://x.at/?a=1&b=<2>"/>');
  t.same((await convertText(link)).rows, [['A', 'https://x.at/?a=1&b=<2>']]);
});

t.test('references of HTML to signs of XML are no markup, and a quotation mark in an end tag does no harm', async (t) => {
  t.same(await namesOf(placemark('<name>&LT;5&GT; &QUOT;&AMP;</name>')), ['<5> "&']);
  const link = placemark('<name>A</name><atom:link href="https://x.at/&QUOT;&LT;"/>');
  t.same((await convertText(link)).rows, [['A', 'https://x.at/"<']]);
  t.same(await namesOf(placemark('<name>A</name ">')), ['A']);
});

t.test('only a file that ends before its root element was cut off; other errors have their line', async (t) => {
  t.match(await refusalOf('<kml><Placemark>\n<name>half'), /^unreadable: .*perhaps it was cut off: <name> has no end \(line 2\)/);
  t.match(await refusalOf('<kml><Placemark name="half'), /cut off/);
  t.match(await refusalOf('<kml><Placemark><!-- half'), /cut off/);
  t.match(await refusalOf('<kml><Placemark><description><b>half'), /cut off/);
  const wrong = await refusalOf('<kml>\n<Placemark>\n<name>A</Name></Placemark></kml>');
  t.match(wrong, /^unreadable: .* line 3: <\/Name> ends an element, but <name> of line 3 is open\. Correct it there/);
  t.notMatch(wrong, /cut off/);
  t.match(await refusalOf('<kml>\n<Placemark <name>A</name></kml>'), /line 2: the tag <Placemark> has no ">"/);
  t.match(await refusalOf(`<kml>${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}</kml>`), /^refused: More than 1000 elements/);
  t.match(codesOf(await convertText(placemark('<name>A</name>') + placemark('<name>B</name>'))), ['xml']);
});

t.test('a file with a thousand signs, and one with a thousand elements without an end, take no time', async (t) => {
  for (const part of ['<description>', '<a b="', '<!--', '& < ', '<description><b>x</b>', `<a ${'b'.repeat(9)}`]) {
    const start = performance.now();
    await refusalOf(`<kml>${part.repeat(100_000)}`);
    t.ok(performance.now() - start < 5000, part);
  }
  const spaces = ' '.repeat(300_000);
  const texts = [`x${spaces}x`, `x${','.repeat(300_000)}x,`, `1;${spaces}2,3`];
  for (const [i, text] of texts.entries()) {
    const start = performance.now();
    await refusalOf(`<kml><Placemark><Point><coordinates>${text}</coordinates></Point></Placemark></kml>`);
    await refusalOf(`<gpx><wpt ${'x'.repeat(300_000)} lat="48"/></gpx>`);
    await refusalOf(placemark(`<description>http://${'.'.repeat(300_000)}x${spaces}y</description>`));
    t.ok(performance.now() - start < 5000, String(i));
  }
});

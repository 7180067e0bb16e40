// tier: normal, process: shared
/** Descriptions of places: HTML that popups show, and text alone. */
import t from 'tap';
import { contentOf } from '../../src/lib/html/content-of.ts';
import { contentBounds } from '../../src/lib/html/popup-content.ts';
import { boundedContent } from '../../src/web/viewer/element/content-bounds.ts';
import { summaryOfCase } from './case-summary.ts';
import { codesOf, convertText } from './support.ts';

const htmlOf = (text: string): string => contentOf(text).html;
const textOf = (text: string): string => contentOf(text).text;
const kml = (description: string): string =>
  `<kml><Placemark><name>A</name><description>${description}</description><Point><coordinates>16.37,48.2</coordinates></Point></Placemark></kml>`;
const popupOf = async (description: string): Promise<unknown> => (await convertText(kml(description))).popups[0]?.body['content'];

t.test('descriptions keep what popups show, in each form of KML', async (t) => {
  t.match((await summaryOfCase('kml-mymaps.kml')).slice(3), [
    /<img src="https:\/\/example\.com\/a\.jpg"><br><br>Good <b>cake<\/b><br><a href="https:\/\/example\.com">site<\/a>$/,
  ]);
  t.match((await summaryOfCase('kml-desc-raw-html.kml'))[1], /popup <table><tr><td>Opened<\/td><td>1820<\/td><\/tr><\/table>$/);
  const { rows } = await convertText(kml('<table><tr><td>Opened</td><td>1820</td></tr><tr><td>By</td><td>B</td></tr></table>'));
  t.same(rows, [['A', 'Opened 1820\nBy B']]);
  for (const form of [
    '<![CDATA[<b>x</b> &amp; y]]>',
    '&lt;b&gt;x&lt;/b&gt; &amp;amp; y',
    '<b>x</b> &amp; y',
    '<html:b>x</html:b> & y',
  ])
    t.equal(await popupOf(form), '<b>x</b> &amp; y', form);
  t.equal(
    await popupOf('a <br> b <img src="https://x.at/i.png"> &eacute;'),
    'a <br> b <img src="https://x.at/i.png"> é',
    'not closed',
  );
  t.equal(
    await popupOf('Line one\nsee http://x.at/a?b=1&amp;copy=2.'),
    'Line one<br>see <a href="http://x.at/a?b=1&amp;copy=2">http://x.at/a?b=1&amp;copy=2</a>.',
  );
});

t.test('HTML has only elements and attributes of popups, all of them closed', async (t) => {
  t.equal(htmlOf('<b onclick=x style="a">x<script>y</script><style>z</style><iframe src=a>q</iframe></b>'), '<b>x</b>');
  t.equal(htmlOf('<a href="javascript:x">j</a><a href="java\nscript:x">k</a><img src="data:x"><b>l</b>'), 'jk<b>l</b>');
  t.equal(
    htmlOf('<a href="mailto:a@b.at">m</a> <a href="tel:1">t</a> <a href="www.x.at">w</a> <a href="a/b.html">r</a>'),
    '<a href="mailto:a@b.at">m</a> <a href="tel:1">t</a> <a href="https://www.x.at">w</a> <a href="a/b.html">r</a>',
  );
  t.equal(
    htmlOf('<ul><li>one<li>two</ul><p>x<p>y<table><tr><td>1<td>2<tr><td>3</table>'),
    '<ul><li>one</li><li>two</li></ul><p>x</p><p>y</p><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
  );
  t.equal(htmlOf('<html><head><title>t</title></head><body><font color="red">r</font></body></html>'), 'r');
  t.equal(htmlOf('<b>a <i>b</b> c</i>'), '<b>a <i>b</i></b> c');
  t.equal(htmlOf('<div><script>only</script></div>'), '');
  t.equal(htmlOf('Tom <tom@x.at> & <unknown> a < b'), 'Tom &lt;tom@x.at&gt; &amp; &lt;unknown&gt; a &lt; b');
  t.equal(htmlOf('<object><object></object>x</object>y<b>'), 'y<b></b>');
});

t.test('the text alone has lines for blocks, and cells apart', async (t) => {
  t.equal(
    textOf('<p>a</p><p>b<br>c</p><ul><li>d</li><li>e</li></ul><table><tr><th>f</th><td>g</td></tr></table>'),
    'a\nb\nc\nd\ne\nf g',
  );
  t.equal(textOf('Caf&eacute;&nbsp;<b>x</b>'), 'Café x');
});

t.test('marks of uMap are HTML where they are asked for', async (t) => {
  const marked = '# Title\n**Cake** and *tea* [[https://x.at|site]] {{https://x.at/p_a.jpg}} 2 * 3 * 4';
  t.equal(
    contentOf(marked, 'umap').html,
    '<h3>Title</h3><b>Cake</b> and <i>tea</i> <a href="https://x.at">site</a> <img src="https://x.at/p_a.jpg"> 2 * 3 * 4',
  );
  t.equal(htmlOf('**Cake**'), '**Cake**');
});

t.test('what is longer than a popup may be is cut with a note, within all bounds', async (t) => {
  const long = `<b>x</b> ${'word '.repeat(60_000)}`;
  const conversion = await convertText(kml(long));
  t.match(codesOf(conversion), ['description at element 1, A']);
  const many = [
    '<b>',
    '<b><i>',
    '<table><tr><td>',
    '<div>',
    '<p title=a>',
    '<a href=b>',
    '<table><td><b>',
    '<li><b>x',
    'http://a ',
    '&',
    '<br>',
  ];
  for (const part of many) {
    const { html } = contentOf(`<b>x</b>${part.repeat(20_000)}`);
    const { exceeded } = boundedContent(html);
    t.equal(exceeded, undefined, part);
    t.ok(html.length <= contentBounds.characters, part);
  }
});

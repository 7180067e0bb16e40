// tier: normal, process: own
/** The content of a popup is cut before a browser parses it: the rest is within the bounds, and the cut takes one pass. */
import t from 'tap';
import { contentBounds } from '../../src/lib/html/popup-content.ts';
import { boundedContent } from '../../src/web/viewer/element/content-bounds.ts';
import { textEnd } from '../../src/web/viewer/element/text-end.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';
import { bundled } from './drawing-page.ts';
import { payloads } from './payloads.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

const cut = (html: string): string | undefined => boundedContent(html).exceeded;
const many = (text: string, times = 60_000): string => text.repeat(times);

t.test('content within the bounds is not changed', (t) => {
  for (const html of [
    '',
    'a < b & c > d',
    many('<p>paragraph<br></p>', 1000),
    many('<p>paragraph', 2000),
    many('<ul><li>one<li>two</ul>', 300),
    `<b>${many('<p>bold</p>', 1900)}</b>`,
    `<table>${many('<tr><td><div>a</div><td><b>b</b>', 390)}</table>`,
    many('<div><table><tr><td>x</table></div>', 400),
    many('<h2>Heading</h2><p><a href="x">link</a><img src="y"><hr></p>', 300),
    many('<dl><dt>a<dd>b<ol><li>c</ol></dl>', 300),
    many('<p><span><b><i>misnested</b></i></span></p>', 500),
    many('<p><svg viewBox="0 0 9 9"><title>icon</title><g><path d="M0 0"/></g></svg></p>', 300),
    many('<a name=x>', 1900),
    many('<style>p > a { color: red }</style><!-- <div> --><textarea><div></textarea>', 400),
    many('<p title="<div><div>">x</p>', 500),
    many('<', 1000),
  ])
    t.strictSame(boundedContent(html).html, html, html.slice(0, 60));
  t.end();
});

t.test('an element may have the name of a member of every object', (t) => {
  for (const name of [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].filter((each) => /^[a-z]/i.test(each))) {
    const html = `<${name}>a</${name}><p>b</p>`;
    t.equal(boundedContent(html).html, html, name);
  }
  t.end();
});

t.test('content is cut where it exceeds a bound', (t) => {
  for (const [html, bound] of [
    [many('word ', 60_000), 'characters'],
    [many('<b>x</b>'), 'elements'],
    [many('<li>'), 'elements'],
    [many('<!--x-->'), 'elements'],
    [many('<?x>'), 'elements'],
    [many('</ x>'), 'elements'],
    [`<select>${many('<!--x-->')}`, 'elements'],
    [many('<div>'), 'depth'],
    [many('<b>'), 'depth'],
    [many('<li><dd>'), 'depth'],
    [many('<p><div></p>'), 'depth'],
    [many('<x-y></x-z>'), 'depth'],
    [many('<svg><g>'), 'depth'],
    [many('<table><tr><td>'), 'tables'],
    [`text<p ${many('a b c ')}>`, 'attributes'],
    [`${Array.from({ length: 30 }, (_, at) => `<b n=${at}>`).join('')}${many('<p>x')}`, 'implied'],
    [many('<b><div><div><div><div></b></div></div></div></div>'), 'implied'],
  ] as const) {
    const { html: kept, exceeded } = boundedContent(html);
    t.equal(exceeded, bound, html.slice(0, 60));
    t.ok(html.startsWith(kept) && kept.length > 0);
    t.equal(cut(kept), undefined, 'the rest is within the bounds');
  }
  t.end();
});

t.test('text that a browser does not parse as a tag neither opens nor closes an element', (t) => {
  const deep = many('<div>', contentBounds.depth);
  for (const hidden of [
    '<!-- </div> -->',
    '<!-- > </div> --!>',
    '<p title="</div>">',
    "<p a='>' b=\"'></div>\">",
    '<style></div></style>',
    '<textarea><p title="</textarea><!--</div>-->',
    '<? </div',
    '</ div>',
  ]) {
    t.equal(cut(`${deep}${hidden}`), undefined);
    t.equal(cut(`${deep}${hidden}${/^<[?p].*[^>]$/.test(hidden) ? '>' : ''}<div>`), 'depth', hidden);
  }
  // A style in a drawing is markup, and so is an attribute in it that contains its end.
  t.equal(cut(`${deep.slice(20)}<svg><style><a title="</style></div></div></div></div>">${many('<div>', 5)}`), 'depth');
  t.equal(cut(`${deep}<select><style></div></style></select><div>`), 'depth');
  t.end();
});

t.test('content is cut between words, never within a character, a reference or a tag', (t) => {
  const fill = (end: string): string => 'x'.repeat(contentBounds.characters - end.length) + end;
  t.equal(boundedContent(`${fill(' word')}word`).html, fill(' word').slice(0, -5));
  t.equal(boundedContent(`${fill('\ud83d')}\ude00`).html, fill('\ud83d').slice(0, -1));
  t.equal(boundedContent(`${fill('&am')}p;`).html, fill('&am').slice(0, -3));
  t.equal(boundedContent(`${fill('<p ti')}tle=x>`).html, fill('<p ti').slice(0, -5));
  t.equal(boundedContent(`${fill('<!-- ')}x -->`).html, fill('<!-- ').slice(0, -5));
  t.equal(boundedContent(`${fill('<textarea>ab')}c</textarea>`).html, fill('<textarea>ab').slice(0, -12));
  t.equal(textEnd('\ud83d\ude00', 0, 1), 1, 'but it always advances');
  t.end();
});

/** Pieces of markup from which attacks are made. */
const pieces = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('<', '</'),
      fc.constantFrom(
        ...'a b i font nobr p li dd dt div span blockquote h1 h2 ul ol dl table tr td th tbody caption button form x-y svg g path title select math mi template style textarea script object foreignObject br hr section option'.split(
          ' ',
        ),
      ),
      fc.constantFrom('>', '>', '>', '/>', ' a=1>', ' title="', " title='", ''),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('text', '"', "'", '>', '<', '<!--', '-->', '<![CDATA[', ']]>', '<!', '&lt;', '\u0000', ' '),
  fc.constantFrom(...payloads.filter((text) => text.length < 200)),
);
const soups = fc
  .tuple(fc.array(pieces, { maxLength: 12 }), fc.integer({ min: 1, max: 400 }))
  .map(([list, times]) => list.join('').repeat(times));

t.test('cut content is within the bounds, and the cut takes linear time', (t) => {
  fc.assert(
    fc.property(soups, (html) => {
      const { html: kept, steps } = boundedContent(html);
      return html.startsWith(kept) && cut(kept) === undefined && steps <= 4 * html.length + 16;
    }),
    { numRuns: sized({ sample: 400, all: 20_000 }) },
  );
  for (const piece of [
    '<',
    '<a',
    '<a<',
    '<a "',
    '<a="',
    '<!--',
    '<style>',
    '<script><!--',
    '<svg><style>',
    '</a',
    '<a href=x ',
    '<select><a',
    '&',
    '<!',
  ])
    for (const times of [1000, 100_000])
      t.ok(boundedContent(many(piece, times)).steps <= 4 * piece.length * times + 16, `${piece} ${times}`);
  t.end();
});

t.test('a browser parses cut content within the bounds', { skip }, async (t) => {
  const site = await Site.open(t);
  site.set('/bounds.js', {
    type: 'text/javascript',
    body: await bundled("export * from './element/content-bounds.ts';", 'iife'),
  });
  site.set('/', { type: 'text/html', body: '<!doctype html><link rel="icon" href="data:,"><script src="/bounds.js"></script>' });
  const page = await Page.open(t, `${site.url}/`);
  await page.value(`{
    const optional = new Set('P LI DT DD TR TD TH THEAD TBODY TFOOT SCRIPT STYLE TEXTAREA TITLE XMP IFRAME NOEMBED NOFRAMES'.split(' '));
    globalThis.measure = (html) => {
      const { body } = new DOMParser().parseFromString(viewer.boundedContent(html).html, 'text/html');
      const found = { depth: 0, tables: 0, elements: 0 };
      const visit = (node, depth, tables) => {
        found.elements++;
        found.depth = Math.max(found.depth, depth);
        found.tables = Math.max(found.tables, tables);
        for (const child of node.children) visit(child, depth + (optional.has(child.tagName) || child.childNodes.length === 0 ? 0 : 1), tables + (child.tagName === 'TABLE'));
      };
      visit(body, 0, 0);
      return found;
    };
  }`);
  const samples = fc.sample(soups, sized({ sample: 200, all: 6000 }));
  const worst = (await page.value(`${JSON.stringify(samples)}.map((html) => [html, measure(html)])
    .filter(([, { depth, tables, elements }]) => depth > ${contentBounds.depth} || tables > ${contentBounds.tables} || elements > ${contentBounds.elements + contentBounds.implied})
    .map(([html, found]) => [html.slice(0, 300), found])`)) as unknown[];
  t.strictSame(worst.slice(0, 5), [], `${samples.length} texts`);
});

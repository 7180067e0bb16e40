/** What the search of a map finds: decisions without a browser. */

import t from 'tap';
import { nameOf, readMap } from '../../src/web/viewer/drawing/map-document.ts';
import { folded, textOf } from '../../src/web/viewer/element/search/folded.ts';
import { SearchIndex } from '../../src/web/viewer/element/search/search-index.ts';
import { artboard, popupAt, project, spot } from './samples.ts';

t.test('text is compared without case, diacritics and kinds of blanks', (t) => {
  const same = [
    ['Café Zoë', 'cafe zoe'],
    ['STRASSE', 'straße'],
    ['Øresund', 'oresund'],
    ['Łódź', 'lodz'],
    ['İstanbul Kapısı', 'istanbul kapisi'],
    ['Ａ１', 'a1'],
    [' two\u00a0 words\n', 'two words'],
    ['カフェ', 'カフェ'.normalize('NFD')],
  ];
  for (const [one = '', other = ''] of same) t.equal(folded(one), folded(other), one);
  t.not(folded('日本'), folded('日曜'));
  t.end();
});

t.test('the text of a popup has no tags, and its references are characters', (t) => {
  const cases = [
    ['<p title="x">Open <b>daily</b></p>', 'open daily'],
    ['K&uuml;che &amp; B&#228;der &#x41;&nbsp;1', 'kuche & bader a 1'],
    ['3 < 5', '3 < 5'],
    ['<p', ''],
    ['a<style>*{display:none!important}</style>b', 'a b'],
    ['a<iframe srcdoc="<script>alert(1)</script>">c</iframe>b', 'a b'],
    ['a<iframe srcdoc="<script>alert(1)</script>">', 'a'],
    ['a<SCRIPT async>alert(1)</script >b<!-- <b>c</b> -->d', 'a b d'],
    ['<a title="<style>">a</a>b', 'a b'],
    ['<styled>a', 'a'],
    ['<b>a</b><style>b', 'a'],
    ['1 <2', '1 <2'],
    ['&unknown; &#99999999;', '&unknown;'],
  ];
  for (const [html = '', text] of cases) t.equal(folded(textOf(html)), text, html);
  // A pattern that tries again from every place would take minutes.
  for (const part of ['<style ', '<a "', "<a '", '<!--', '<style>', '<svg></', '<a b="<style>'])
    t.equal(typeof textOf(part.repeat(20_000)), 'string', part);
  t.end();
});

const index = (): SearchIndex => {
  const [bakery, cafe, wall, desk, far] = [
    spot('Bakery', 1, 1, { id: 'bakery' }),
    spot('Old bakery café', 1, 1, { id: 'cafe' }),
    spot('Untitled Object', 1, 1, { id: 'wall' }),
    spot('Untitled Object', 1, 1, { id: 'desk' }),
    spot('Bakers', 1, 1, { id: 'far' }),
  ];
  const silent = spot('Bakery lamp', 1, 1, { id: 'lamp', interactive: false });
  const document = project(
    [artboard('Ground', [bakery, cafe, wall, desk, silent]), artboard('First', [far])],
    [popupAt(desk, { title: 'Help', content: '<p>Ask for the <b>bäkery</b></p>' })],
  );
  const { artboards, popups } = readMap(document);
  const popupOf = (objectId: string) => popups.find(({ attachedTo }) => attachedTo === objectId);
  const responds = (object: Parameters<typeof nameOf>[0] & { id: string; interactive: boolean }): boolean =>
    object.interactive && (nameOf(object) !== '' || popupOf(object.id) !== undefined);
  return new SearchIndex({ artboards, popupOf, responds }, (object) => nameOf(object) || popupOf(object.id)?.title || '');
};

t.test('objects of all artboards are found by names and popups, the best first', (t) => {
  const found = (query: string, current = 'artboard-Ground'): string[] =>
    index()
      .find(query, current)
      .map(({ id }) => id);
  t.strictSame(found('bake'), ['bakery', 'far', 'cafe', 'desk'], 'name, name on another floor, word of a name, popup');
  t.strictSame(found('bake', 'artboard-First'), ['far', 'bakery', 'cafe', 'desk']);
  t.strictSame(found('CAFE bakery'), ['cafe'], 'all words, in any order');
  t.strictSame(found('help bakery'), ['desk']);
  t.strictSame(found('untitled'), [], 'what visitors cannot read is not found');
  t.equal(index().size, 4, 'what does not respond is not searched');
  t.equal(index().find('help', undefined)[0]?.name, 'Help');
  t.end();
});

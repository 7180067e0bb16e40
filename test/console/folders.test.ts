/** Folders and orders of the cards, ranges of a selection, and their addresses. */
import t from 'tap';
import { CardSelection, rangeOf } from '../../src/web/console/cards/card-selection.ts';
import { folderOf, leafOf, nameIn, shownIn, trailOf } from '../../src/web/console/cards/folders.ts';
import { hashOf, routeOf } from '../../src/web/console/screen-route.ts';

const project = (name: string, revision = 0) => ({ id: name, name, created: '', revision });
const namesOf = (shown: ReturnType<typeof shownIn>) => [
  shown.folders.map(({ path, count }) => `${path} ${count}`),
  shown.projects.map(({ name }) => name),
];

t.test('each "/" in a name separates a folder, and a project is in exactly one', async (t) => {
  t.strictSame(
    ['Map', 'A/Map', ' A / B /Map ', '/Map', 'A//Map', 'A/', '/', ''].map((name) => [folderOf(name), leafOf(name)]),
    [
      ['', 'Map'],
      ['A', 'Map'],
      ['A/B', 'Map'],
      ['', 'Map'],
      ['A', 'Map'],
      ['', 'A'],
      ['', ''],
      ['', ''],
    ],
  );
  t.strictSame(trailOf('A/B/C'), ['A', 'A/B', 'A/B/C']);
  t.strictSame(trailOf(''), []);
  t.equal(nameIn('', 'Map'), 'Map');
  t.equal(nameIn('A/B', 'Map'), 'A/B/Map');
});

t.test('a folder shows what is in it, and counts what is below', async (t) => {
  const all = [project('Lobby', 1), project('A/One', 2), project('A/B/Two', 9), project('A/B/C/Three', 4), project('AB/Four', 3)];
  t.strictSame(namesOf(shownIn(all, '', '', 'name')), [['A 3', 'AB 1'], ['Lobby']]);
  t.strictSame(namesOf(shownIn(all, 'A', '', 'name')), [['A/B 2'], ['A/One']]);
  t.strictSame(namesOf(shownIn(all, 'A/B', '', 'name')), [['A/B/C 1'], ['A/B/Two']]);
  t.strictSame(namesOf(shownIn(all, 'None', '', 'name')), [[], []]);
  t.strictSame(namesOf(shownIn(all, '', ' t', 'name')), [[], ['A/B/C/Three', 'A/B/Two']], 'a search finds in all folders');
  t.strictSame(namesOf(shownIn(all, 'A', 'o', 'name')), [[], ['A/B/Two', 'A/One']], 'below the folder that is shown');
});

t.test('cards are in the order of names, with numbers as numbers, or of changes', async (t) => {
  const all = [project('Floor 10', 2), project('floor 9', 5), project('Z/a', 7), project('B/a', 1)];
  t.strictSame(namesOf(shownIn(all, '', '', 'name')), [
    ['B 1', 'Z 1'],
    ['floor 9', 'Floor 10'],
  ]);
  t.strictSame(namesOf(shownIn([...all, project('Older', 1)], '', '', 'change')), [
    ['Z 1', 'B 1'],
    ['floor 9', 'Floor 10', 'Older'],
  ]);
});

t.test('a range begins at the card that was chosen last', async (t) => {
  const shown = ['a', 'b', 'c', 'd', 'e'];
  t.strictSame(rangeOf(shown, 'd', 'b'), ['b', 'c', 'd']);
  t.strictSame(rangeOf(shown, 'gone', 'b'), ['b']);
  const selection = new CardSelection();
  selection.toggle('b');
  selection.extend(shown, 'd');
  t.strictSame([...selection.ids.value], ['b', 'c', 'd']);
  selection.toggle('c');
  selection.extend(shown, 'e');
  t.strictSame([...selection.ids.value].sort(), ['b', 'c', 'd', 'e']);
  selection.clear();
  t.equal(selection.ids.value.size, 0);
});

t.test('a folder has an address', async (t) => {
  for (const folder of ['A', 'A/B c', 'ü/100 %', 'p/x'])
    t.strictSame(routeOf(hashOf({ screen: 'cards', folder })), { screen: 'cards', folder });
  t.equal(hashOf({ screen: 'cards', folder: 'A/B c' }), '#/f/A/B%20c');
  t.strictSame(routeOf('#/f/%ff'), { screen: 'cards' });
});

// tier: normal
/** Copies of objects: what a text in the clipboard can be, and where duplicates are. */
import t from 'tap';
import { DiffBuilder } from '../../src/lib/change/diff-builder.ts';
import { ProjectStore } from '../../src/web/console/document/project-store.ts';
import { copiedIn } from '../../src/web/console/editor/copied-objects.ts';
import { Copies } from '../../src/web/console/editor/copies.ts';
import { kinds } from '../../src/web/console/kinds/resource-kinds.ts';
import { linksToCopies } from '../../src/web/console/kinds/text-links.ts';

t.test('only a text that a page has copied has objects, and only members of objects count', async (t) => {
  for (const text of ['', 'Hello', '[{"mapwright":"objects"}]']) t.equal(copiedIn(text), undefined, text);
  for (const text of ['{"mapwright":"objects"', '{"mapwright":"objects"]']) t.equal(copiedIn(text), 'damaged', text);
  for (const members of [
    { type: 'poly', coords: 'x' },
    { type: 'poly', coords: [null, { x: 1, y: 2 }] },
    { type: 'poly', coords: [{ x: '1', y: 2 }] },
    { type: 'poly', coords: [], holes: [[{ x: 1 }]] },
    { type: 'poly', coords: [], holes: 7 },
    { type: 'spot' },
    { type: 'star', x: 1, y: 2, radius: 3 },
    { type: 'spot', x: 1, y: 2, radius: 3, click_action: 7 },
  ])
    t.equal(
      copiedIn(JSON.stringify({ mapwright: 'objects', artboardId: 'b', objects: [{ id: 'a', ...members }], popups: [] })),
      'damaged',
      JSON.stringify(members),
    );
  const spot = { id: 'a', name: 'A', x: 1, y: 2, radius: 3 };
  const objects = [spot, { name: 'without identifier' }, 7, null];
  t.strictSame(copiedIn(JSON.stringify({ mapwright: 'objects', artboardId: 'b', objects, popups: 'none' })), {
    mapwright: 'objects',
    artboardId: 'b',
    objects: [spot],
    popups: [],
  });
});

t.test('only links within the map lead to the copies', (t) => {
  const ids = new Map([['a-1', 'b-2']]);
  for (const [text, expected] of [
    ['#a-1', '#b-2'],
    [' #a-1 ', ' #b-2 '],
    ['#a-12', '#a-12'],
    ['<a href="#a-1">Bread</a> <A HREF = \'#a-1\'>', '<a href="#b-2">Bread</a> <A HREF = \'#b-2\'>'],
    ['https://other.example/p#a-1', 'https://other.example/p#a-1'],
    ['<a href="https://other.example/p#a-1">See #a-1</a>', '<a href="https://other.example/p#a-1">See #a-1</a>'],
    ['See #a-1 there', 'See #a-1 there'],
  ] as const)
    t.strictSame(linksToCopies('popup', { content: text }, ids), text === expected ? {} : { content: expected }, text);
  t.end();
});

t.test('a copy that was moved is duplicated again at the same distance', async (t) => {
  const store = new ProjectStore('p');
  const at = (id: string) => ({ kind: 'object', id, artboardId: 'floor' }) as const;
  store.put(at('a'), { id: 'a', type: 'spot', x: 10, y: 20, radius: 5 }, undefined);
  const selection = { value: ['a'] as readonly string[] };
  let idleBefore = 0;
  let made = 0;
  const newId = () => `copy${++made}`;
  const run = async ({ diff }: DiffBuilder) =>
    [...diff.changes.values()].map(({ id, to }) => {
      store.put(at(id), { ...to?.members, id }, undefined);
      return at(id);
    });
  const copies = new Copies({
    document: {
      store,
      edits: {
        ...{ run, newId, notices: { say: () => undefined } },
        begin: () => new DiffBuilder(store.expected, kinds, newId),
        idle: async () => void idleBefore++,
      },
      popupsOf: () => [],
    },
    selection: {
      artboardId: { value: 'floor' },
      ids: selection,
      selectedObjects: [],
      select: (ids) => {
        selection.value = ids;
      },
    },
    workspace: { map: undefined },
  });
  const placeOf = (id: string) => [store.shown(id)?.['x'], store.shown(id)?.['y']];
  await copies.duplicate();
  t.strictSame([selection.value, placeOf('copy1')], [['copy1'], [30, 40]]);
  store.put(at('copy1'), { ...store.shown('copy1'), id: 'copy1', x: 110, y: 20 }, undefined);
  // The second one waits for the first.
  await Promise.all([copies.duplicate(), copies.duplicate()]);
  t.strictSame(
    [placeOf('copy2'), placeOf('copy3')],
    [
      [210, 20],
      [310, 20],
    ],
  );
  selection.value = ['a'];
  await copies.duplicate();
  t.strictSame(placeOf('copy4'), [30, 40], 'another object begins next to itself');
  t.equal(idleBefore, 4, 'what is being moved is saved before');
});

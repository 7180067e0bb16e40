// tier: normal
/** Copies of objects: what a text in the clipboard can be, and where duplicates are. */
import t from 'tap';
import { copiedIn } from '../../src/web/console/editor/copied-objects.ts';
import { Copies } from '../../src/web/console/editor/copies.ts';
import type { EditOperation } from '../../src/web/console/project/history.ts';
import { ProjectStore } from '../../src/web/console/project/project-store.ts';

t.test('only a text that a page has copied has objects, and only members of objects count', async (t) => {
  for (const text of ['', 'Hello', '{"mapwright":"objects"', '{"mapwright":"objects"]', '[{"mapwright":"objects"}]'])
    t.equal(copiedIn(text), undefined, text);
  const objects = [{ id: 'a', name: 'A' }, { name: 'without identifier' }, 7, null];
  t.strictSame(copiedIn(JSON.stringify({ mapwright: 'objects', artboardId: 'b', objects, popups: 'none' })), {
    mapwright: 'objects',
    artboardId: 'b',
    objects: [{ id: 'a', name: 'A' }],
    popups: [],
  });
});

t.test('a copy that was moved is duplicated again at the same distance', async (t) => {
  const store = new ProjectStore('p');
  const at = (id: string) => ({ kind: 'object', id, artboardId: 'floor' }) as const;
  store.put(at('a'), { id: 'a', type: 'spot', x: 10, y: 20, radius: 5 }, undefined);
  const selection = { value: ['a'] as readonly string[] };
  let idleBefore = 0;
  const run = async (operations: readonly EditOperation[]) =>
    operations.map((operation) => {
      const ref = at(`copy${store.ids({ kind: 'object', artboardId: 'floor' }).length}`);
      store.put(ref, { ...(operation as Extract<EditOperation, { op: 'create' }>).value, id: ref.id }, undefined);
      return ref;
    });
  const copies = new Copies({
    store,
    edits: { run, say: () => undefined, idle: async () => void idleBefore++ },
    map: undefined,
    artboardId: { value: 'floor' },
    selection,
    selectedObjects: [],
    popupsOf: () => [],
    select: (ids) => {
      selection.value = ids;
    },
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

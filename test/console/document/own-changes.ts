/** What a user does alone: what a change shows immediately, what is sent and in which order, and what undo and redo restore. */
import type { Test } from 'tap';
import { whenSaved } from '../../../src/web/console/document/save-state.ts';
import { until } from '../../support/until.ts';
import { agreed, type Open, secondArtboard as second, waiting } from '../editor-world.ts';

/** Changes of one user, undo and redo. */
export function ownChanges(t: Test, opened: Open): void {
  t.test('what is typed while it is saved is shown, and saved after it', async (t) => {
    const world = await opened(t, 'A');
    const { edits, line, store, idOf } = await world.editor();
    const id = idOf('A');
    const go = line.hold();
    edits.change(id, { color: '#111111' });
    await until('it is on its way', () => line.reads > 1);
    edits.change(id, { color: '#222222', x: 7 });
    t.match([store.shown(id), edits.state.value, edits.hasUnsaved], [{ color: '#222222', x: 7 }, 'saving', true]);
    t.match(await world.stored('A'), { color: '#0000ff' });
    go();
    await edits.idle();
    t.match(await world.stored('A'), { color: '#222222', x: 7 });
    t.match([store.shown(id), edits.state.value, edits.hasUnsaved], [{ color: '#222222', x: 7 }, 'saved', false]);
  });

  t.test('an editor that may not write changes nothing', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor(false);
    const { edits, idOf, shown, line } = editor;
    edits.change(idOf('A'), { color: '#111111' });
    t.strictSame(await editor.remove('A'), []);
    t.match([shown('A'), await world.stored('A'), line.writes], [{ color: '#0000ff' }, { color: '#0000ff' }, 0]);
  });

  t.test('a change while the deletion of its object is on its way, by the same user', async (t) => {
    const world = await opened(t, 'AB');
    const editor = await world.editor();
    const { edits, line, idOf } = editor;
    const id = idOf('A');
    const go = line.hold();
    const removed = editor.remove('A');
    await until('on its way', () => line.reads > 1);
    edits.change(id, { color: '#111111' });
    go();
    await removed;
    await edits.idle();
    t.match(edits.conflicts.value, [{ is: 'deleted' }]);
    await edits.undo();
    const [conflict] = edits.conflicts.value;
    if (conflict?.is === 'deleted') await edits.decisions.createAgain(conflict);
    for (const each of edits.conflicts.value) if (each.is === 'changed') edits.decisions.keepMine(each);
    await edits.idle();
    t.match([await world.stored('A'), edits.state.value], [{ color: '#111111' }, 'saved']);
  });

  t.test('what is typed after an undo that waits is not taken back by it', async (t) => {
    const world = await opened(t, 'AB');
    const { edits, line, idOf } = await world.editor();
    const go = line.hold();
    edits.change(idOf('B'), { color: '#111111' });
    await until('on its way', () => line.reads > 1);
    edits.change(idOf('A'), { color: '#222222' });
    const undone = edits.undo();
    edits.change(idOf('A'), { color: '#333333' });
    go();
    await undone;
    await edits.idle();
    t.match([await world.stored('A'), edits.conflicts.value.length], [{ color: '#333333' }, 0]);
  });

  t.test('what is painted after an undo that waits is in no conflict with it', async (t) => {
    const world = await opened(t, 'AB');
    const { edits, line, idOf } = await world.editor();
    const go = line.hold();
    edits.change(idOf('A'), { color: '#222222' });
    const undone = edits.undo();
    const painted = edits.run(edits.begin().put(idOf('A'), { color: '#333333' }).put(idOf('B'), { x: 4 }));
    go();
    await undone;
    await painted;
    await edits.idle();
    t.match([await world.stored('A'), edits.conflicts.value.length], [{ color: '#333333' }, 0]);
  });

  t.test('undo and redo of a member that has its default', async (t) => {
    const world = await opened(t, 'A');
    const { edits, idOf } = await world.editor();
    edits.change(idOf('A'), { label_size: 10 });
    await edits.idle();
    await edits.undo();
    await edits.redo();
    t.match([await world.stored('A'), edits.conflicts.value.length], [{ label_size: 10 }, 0]);
  });

  t.test('undo of a deletion with a popup', async (t) => {
    const world = await opened(t, 'AB');
    const { mapwright, path } = world;
    const editor = await world.editor();
    const popup = (await mapwright.post(`${path}/popups`, { title: 'P', attachedTo: editor.idOf('A') })).shown;
    await editor.follow();
    await editor.remove('A');
    await editor.edits.undo();
    t.match((await mapwright.get(`${path}/popups/${popup.id}`)).shown, { attachedTo: editor.idOf('A') });
  });

  t.test('a step of more than one part, whose second part is refused, and undo', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    const edit = editor.edits.begin();
    for (let n = 0; n < 700; n++)
      edit.create(`objects:${world.artboardId}`, { type: 'spot', name: 'n', x: n, y: 1, radius: n === 650 ? 'bad' : 2 });
    await editor.edits.run(edit);
    await agreed(editor, world);
    await editor.edits.undo();
    t.equal(await world.names(), 'A');
    await agreed(editor, world);
    await editor.edits.redo();
    await agreed(editor, world);
  });

  t.test('undo of a new artboard with objects, and redo, when no other user has changed it', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    const { edits, store } = editor;
    await editor.follow();
    const edit = edits.begin();
    const id = edit.create('artboards', { name: 'New' });
    for (let n = 0; n < 3; n++)
      edit.create(`objects:${id}`, {
        type: 'poly',
        name: 'I',
        coords: [
          { x: 0.1, y: 1 / 3 },
          { x: 10, y: 1 },
          { x: 3, y: 8 },
        ],
      });
    await edits.run(edit);
    t.equal(store.ids({ kind: 'object', artboardId: id }).length, 3);
    edits.change(id, { name: 'Other' });
    await edits.idle();
    await edits.undo();
    await edits.undo();
    t.equal(store.has(id), false);
    await edits.redo();
    await edits.redo();
    await edits.idle();
    t.match(
      [store.shown(id), store.ids({ kind: 'object', artboardId: id }).length, edits.state.value],
      [{ name: 'Other' }, 3, 'saved'],
    );
  });

  t.test('what the user removes on an artboard is not in conflict with what is in it', async (t) => {
    const world = await opened(t, 'ABC');
    const to = await second(world);
    const editor = await world.editor();
    const { edits } = editor;
    await editor.follow();
    // Own steps on the artboard, and then it.
    await editor.draw({ name: 'X' });
    edits.change(editor.idOf('A'), { color: '#111111' });
    await edits.run(edits.begin().move(editor.idOf('B'), `objects:${to}`));
    await edits.run(edits.begin().remove(world.artboardId));
    t.equal(edits.store.has(world.artboardId), false);
    for (let n = 0; n < 4; n++) await edits.undo();
    t.equal(await world.names(), 'ABC');
    await agreed(editor, world);
    for (let n = 0; n < 4; n++) await edits.redo();
    t.equal(edits.store.has(world.artboardId), false);
    for (let n = 0; n < 4; n++) await edits.undo();
    t.equal(await world.names(), 'ABC');
    await agreed(editor, world);
    t.strictSame(edits.conflicts.value, []);
  });

  t.test('popups, actions and variables: undo and redo of drawing, changes and deletions', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    const { edits, idOf, store } = editor;
    await editor.follow();
    const edit = edits.begin();
    const id = edit.create('popups', { title: 'P', attachedTo: idOf('A') });
    await edits.run(edit);
    edits.change(id, { title: 'Q', content: '<p>x</p>' });
    await edits.idle();
    edits.change(id, { content: '' });
    await edits.idle();
    await edits.run(edits.begin().remove(id).remove(idOf('A')));
    t.equal(store.has(id), false, edits.notices.current.value?.text ?? '');
    for (let n = 0; n < 4; n++) await edits.undo();
    t.match([store.has(id), await world.names(), edits.conflicts.value.length], [false, /^A$/, 0]);
    for (let n = 0; n < 4; n++) await edits.redo();
    t.match([store.has(id), await world.names(), edits.conflicts.value.length], [false, /^$/, 0]);
    await edits.undo();
    t.match([store.shown(id), await world.names()], [{ title: 'Q', content: '', attachedTo: idOf('A') }, /^A$/]);
  });

  t.test('a later value of a change that waits replaces it, and -0 is 0', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    const { edits, idOf, line } = editor;
    line.state = 'down';
    edits.change(idOf('A'), { name: 'One' });
    await waiting(editor);
    edits.change(idOf('One'), { name: 'Two' });
    line.state = 'up';
    edits.retry();
    await whenSaved(edits.state);
    t.equal(await world.names(), 'Two');
    edits.change(idOf('Two'), { x: 7 });
    await edits.idle();
    edits.change(idOf('Two'), { x: -0 });
    await edits.idle();
    await edits.undo();
    t.match([await world.stored('Two'), edits.conflicts.value, edits.state.value], [{ x: 7 }, [], 'saved']);
  });

  t.test('the undo history keeps a hundred steps, and a new one ends what could be redone', async (t) => {
    const world = await opened(t, 'A');
    const { edits, idOf } = await world.editor();
    const paint = (radius: number) => edits.run(edits.begin().put(idOf('A'), { radius }));
    await Promise.all(Array.from({ length: 110 }, (_, n) => paint(10 + n)));
    t.strictSame(edits.steps.value, { undo: 100, redo: 0 });
    await edits.undo();
    t.match([await world.stored('A'), edits.steps.value], [{ radius: 118 }, { undo: 99, redo: 1 }]);
    await paint(200);
    t.strictSame(edits.steps.value, { undo: 100, redo: 0 });
  });
}

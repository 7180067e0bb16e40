// tier: normal
/** Sequences of two editors that lose work, or that end in something else than what the server has. */
import t from 'tap';
import type { Project } from '../../src/web/client/client.ts';
import type { ChangedConflict, DeletedConflict } from '../../src/web/console/document/conflicts.ts';
import { versionIn } from '../../src/web/console/kinds/resource-version.ts';
import type { Shown } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { agreed, type Editor, opened, type World } from './editor-world.ts';

t.setTimeout(600_000);

const waiting = ({ edits }: Editor) => until('the change waits', () => edits.state.value === 'waiting');
const second = async ({ mapwright, path }: World) => (await mapwright.post(`${path}/artboards`, { name: 'Second' })).shown.id;
const idsIn = async ({ mapwright, path }: World, artboardId: string) =>
  ((await mapwright.get(`${path}/artboards/${artboardId}/objects`)).list as readonly Shown[]).map(({ id }) => id);

t.test('undo of a drawing leaves what another user has made of it', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  await editor.draw({ name: 'X' });
  await world.change('X', { label_size: 33 });
  await editor.edits.undo();
  t.match(await world.stored('X'), { label_size: 33 });
});

t.test('undo of a new artboard leaves what another user has drawn on it', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  await editor.follow();
  const edit = editor.edits.begin();
  const id = edit.create('artboards', { name: 'New' });
  await editor.edits.run(edit);
  const { status } = await world.mapwright.post(`${world.path}/artboards/${id}/objects`, {
    type: 'spot',
    name: 'X',
    x: 1,
    y: 1,
    radius: 2,
  });
  t.equal(status, 200);
  await editor.edits.undo();
  t.equal((await idsIn(world, id)).length, 1);
});

t.test('undo of the deletion of an artboard brings back what others did on it meanwhile', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  await world.change('A', { color: '#00ff00' });
  await world.draw('X');
  await editor.edits.run(editor.edits.begin().remove(world.artboardId));
  await editor.edits.undo();
  t.match([await world.names(), await world.stored('A')], ['ABX', { color: '#00ff00' }]);
});

t.test('an object that another user has moved out of an artboard before it is deleted is shown', async (t) => {
  const world = await opened(t, 'AB');
  const to = await second(world);
  const [editor, other] = [await world.editor(), await world.editor()];
  const a = editor.idOf('A');
  await other.edits.run(other.edits.begin().move(a, `objects:${to}`));
  await editor.edits.run(editor.edits.begin().remove(world.artboardId));
  t.strictSame(await idsIn(world, to), [a]);
  await editor.follow();
  await world.mapwright.post(`${world.path}/artboards/${to}/objects`, { type: 'spot', name: 'X', x: 1, y: 1, radius: 2 });
  await until('the last change', () => editor.store.ids({ kind: 'object', artboardId: to }).length > 0);
  t.strictSame(editor.store.ids({ kind: 'object', artboardId: to }), await idsIn(world, to));
});

t.test('what another user moved out of an artboard after a restart stays when it is deleted', async (t) => {
  const world = await opened(t, 'AB', { kept: true });
  const artboardId = await second(world);
  const former = await world.editor();
  const a = former.idOf('A');
  await former.edits.run(former.edits.begin().move(a, `objects:${artboardId}`));
  const [editor, other] = [await world.editor(), await world.editor()];
  await world.mapwright.crash();
  await other.edits.run(other.edits.begin().move(a, `objects:${world.artboardId}`));
  await editor.edits.run(editor.edits.begin().remove(artboardId));
  await agreed(editor, world);
  t.equal(await world.names(), 'BA');
});

t.test('what was drawn, and deleted by another user before the answer comes, is not shown', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  await editor.follow();
  await world.change('A', { color: '#00ff00' });
  await until('the feed', () => editor.shown('A')?.['color'] === '#00ff00');
  editor.line.state = 'lost';
  const drawn = editor.draw({ name: 'X' });
  await waiting(editor);
  await until('the feed', () => editor.shown('X') !== undefined);
  await world.remove('X');
  await until('the deletion', () => editor.shown('X') === undefined);
  editor.line.state = 'up';
  editor.edits.retry();
  await drawn;
  t.equal(editor.shown('X'), undefined);
});

t.test('create again, when another user has brought it back', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  const { edits, idOf, store } = editor;
  const id = idOf('A');
  const value = store.stored(id) as Shown;
  await editor.follow();
  await world.remove('A');
  await until('the deletion', () => !store.has(id));
  edits.change(id, { color: '#111111' });
  t.match(edits.conflicts.value, [{ is: 'deleted' }]);
  await world.createAgain(value);
  await until('it is back', () => store.has(id));
  await edits.decisions.createAgain(edits.conflicts.value[0] as DeletedConflict);
  await edits.idle();
  const [conflict] = edits.conflicts.value;
  if (conflict?.is === 'changed') edits.decisions.keepMine(conflict);
  await edits.idle();
  t.match([await world.stored('A'), edits.state.value], [{ color: '#111111' }, 'saved']);
});

t.test('a refused value of what the user then deletes does not keep the page from being saved', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  editor.edits.change(editor.idOf('A'), { label_size: 'large' });
  await editor.edits.idle();
  t.equal(editor.edits.state.value, 'refused');
  await editor.remove('A');
  t.strictSame([editor.edits.state.value, editor.edits.hasUnsaved], ['saved', false]);
});

t.test('a conflict about what the user then deletes', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  await world.change('A', { color: '#00ff00' });
  editor.edits.change(editor.idOf('A'), { color: '#111111' });
  await editor.edits.idle();
  await editor.remove('A');
  t.strictSame([editor.edits.state.value, editor.edits.hasUnsaved], ['saved', false]);
});

t.test('a value that was typed before another one is refused is in no conflict with it', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  const { edits, idOf, line } = editor;
  const id = idOf('A');
  const go = line.hold();
  edits.change(id, { label_size: 'large', x: 3 });
  await until('it is on its way', () => line.reads > 1);
  edits.change(id, { x: 4 });
  go();
  await edits.idle();
  t.match([await world.stored('A'), edits.conflicts.value.length, edits.state.value], [{ x: 4 }, 0, 'refused']);
});

t.test('a value over that of a step that is refused is in no conflict', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  const { edits, idOf, line } = editor;
  const go = line.hold();
  const painted = edits.run(edits.begin().put(idOf('A'), { color: '#111111' }).put(idOf('B'), { label_size: 'large' }));
  await until('it is on its way', () => line.reads > 1);
  edits.change(idOf('A'), { color: '#222222' });
  go();
  await painted;
  await edits.idle();
  t.match([await world.stored('A'), edits.conflicts.value.length], [{ color: '#222222' }, 0]);
});

t.test('undo while a value is refused, and another value', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf } = await world.editor();
  const id = idOf('A');
  edits.change(id, { label_size: 10 });
  await edits.idle();
  edits.change(id, { label_size: 'large' });
  await edits.idle();
  await edits.undo();
  edits.change(id, { label_size: 20 });
  await edits.idle();
  t.match([await world.stored('A'), edits.conflicts.value.length, edits.state.value], [{ label_size: 20 }, 0, 'saved']);
});

t.test('what the form of a deleted resource commits stays when an earlier change is refused for it', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  const { edits, idOf, line, store } = editor;
  const id = idOf('A');
  await editor.follow();
  line.state = 'down';
  edits.change(id, { x: 7 });
  await waiting(editor);
  await world.remove('A');
  await until('the deletion', () => !store.has(id));
  edits.change(id, { color: '#111111' });
  line.state = 'up';
  edits.retry();
  await edits.idle();
  t.match(edits.conflicts.value, [{ is: 'deleted', mine: { x: 7, color: '#111111' } }]);
});

t.test('settings: the parts that are not in conflict are kept', async (t) => {
  for (const decision of ['keepMine', 'takeTheirs'] as const) {
    const world = await opened(t, 'A');
    const { mapwright, path } = world;
    await mapwright.patch(path, { settings: { a: 0, b: 0, c: 0 } });
    const { edits, store } = await world.editor();
    await mapwright.patch(path, { settings: { a: 2, b: 0, c: 9 } });
    edits.change(store.id, { settings: { a: 1, b: 5, c: 0 } });
    await edits.idle();
    edits.decisions[decision](edits.conflicts.value[0] as ChangedConflict);
    await edits.idle();
    const settings = { a: decision === 'keepMine' ? 1 : 2, b: 5, c: 9 };
    t.match([(await mapwright.get(path)).shown['settings'], edits.state.value], [settings, 'saved']);
  }
});

t.test('a cancelled import asks nothing about what another user has deleted', async (t) => {
  const world = await opened(t, 'AB');
  const { edits, idOf, line } = await world.editor();
  const stop = new AbortController();
  const diffs = (function* () {
    yield edits.begin().put(idOf('A'), { color: '#111111' }).diff;
    stop.abort();
    yield edits.begin().put(idOf('B'), { color: '#111111' }).diff;
  })();
  let go: () => void = () => undefined;
  const run = edits.runImport(diffs, { signal: stop.signal, onProgress: () => undefined, onUndo: () => (go = line.hold()) });
  await until('it is taken back', () => stop.signal.aborted);
  await world.remove('A');
  go();
  const outcome = await run;
  t.match([outcome, edits.conflicts.value.length], [{ is: 'cancelled' }, 0]);
});

t.test('redo of a deletion leaves what another user has made of it', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  await editor.remove('A');
  await editor.edits.undo();
  await world.change('A', { color: '#00ff00' });
  await editor.edits.redo();
  t.match(await world.stored('A'), { color: '#00ff00' });
});

t.test('a move to an artboard that another user has deleted keeps the object', async (t) => {
  const world = await opened(t, 'AB');
  const to = await second(world);
  const editor = await world.editor();
  const edit = editor.edits.begin();
  edit.put(editor.idOf('A'), { color: '#111111' });
  edit.move(editor.idOf('A'), `objects:${to}`);
  edit.put(editor.idOf('B'), { color: '#111111' });
  await world.mapwright.delete(`${world.path}/artboards/${to}`);
  await editor.edits.run(edit);
  t.match(
    [await world.stored('A'), await world.stored('B'), editor.edits.state.value],
    [{ color: '#111111' }, { color: '#111111' }, 'saved'],
  );
  await agreed(editor, world);
});

t.test('a value that is painted over a refused one, and another one', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf, shown } = await world.editor();
  const id = idOf('A');
  edits.change(id, { label_size: 'large' });
  await edits.idle();
  await edits.run(edits.begin().put(id, { label_size: 12 }));
  t.equal(shown('A')?.['label_size'], 12, 'the last value is shown');
  edits.change(id, { label_size: 20 });
  await edits.idle();
  t.match([await world.stored('A'), edits.conflicts.value.length, edits.state.value], [{ label_size: 20 }, 0, 'saved']);
});

t.test('a value typed while one that is too large is sent', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf, line } = await world.editor();
  const id = idOf('A');
  const go = line.hold();
  edits.change(id, { color: 'x'.repeat(6_000_000) });
  await until('it is on its way', () => line.reads > 1);
  edits.change(id, { color: '#222222' });
  go();
  await edits.idle();
  t.match(
    [await world.stored('A'), edits.conflicts.value.length, edits.state.value, edits.notices.current.value?.text],
    [{ color: '#222222' }, 0, 'saved'],
  );
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

t.test('undo and redo of a member that has its default', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf } = await world.editor();
  edits.change(idOf('A'), { label_size: 10 });
  await edits.idle();
  await edits.undo();
  await edits.redo();
  t.match([await world.stored('A'), edits.conflicts.value.length], [{ label_size: 10 }, 0]);
});

t.test('a cancelled import leaves what another user has drawn on its artboard', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  const { edits } = editor;
  const stop = new AbortController();
  let id = '';
  let drawn: Promise<unknown> = Promise.resolve();
  const diffs = (function* () {
    const edit = edits.begin();
    id = edit.create('artboards', { name: 'New' });
    edit.create(`objects:${id}`, { type: 'spot', name: 'I', x: 1, y: 1, radius: 2 });
    yield edit.diff;
    stop.abort();
    yield edits.begin().remove(editor.idOf('A')).diff;
  })();
  let go: () => void = () => undefined;
  const run = edits.runImport(diffs, {
    signal: stop.signal,
    onProgress: () => undefined,
    onUndo: () => (go = editor.line.hold()),
  });
  await until('it is taken back', () => stop.signal.aborted);
  drawn = world.mapwright.post(`${world.path}/artboards/${id}/objects`, { type: 'spot', name: 'X', x: 1, y: 1, radius: 2 });
  await drawn;
  go();
  t.match(await run, { is: 'cancelled' });
  t.ok(world.mapwright.get(`${world.path}/artboards/${id}`).then(({ status }) => status === 200));
  t.match(
    (await world.mapwright.get(`${world.path}/artboards/${id}/objects`)).list.map((each) => each['name']),
    ['I', 'X'],
  );
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
  t.match([store.has(id), await world.names(), edits.conflicts.value.length], [false, 'A', 0]);
  for (let n = 0; n < 4; n++) await edits.redo();
  t.match([store.has(id), await world.names(), edits.conflicts.value.length], [false, '', 0]);
  await edits.undo();
  t.match([store.shown(id), await world.names()], [{ title: 'Q', content: '', attachedTo: idOf('A') }, 'A']);
});

t.test('a feed that is reset while a step is on its way', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  const { edits, line, store } = editor;
  const { shown: value, headers } = await world.mapwright.get(world.path);
  await editor.draw({ name: 'X' });
  const id = editor.idOf('X');
  edits.take({ value: value as unknown as Project, version: versionIn(headers.etag ?? '') });
  edits.change(id, { color: '#111111' });
  await edits.idle();
  line.state = 'up';
  await editor.follow();
  await until('everything', () => store.has(id));
  t.match([await world.stored('X'), edits.conflicts.value.length, edits.state.value], [{ color: '#111111' }, 0, 'saved']);
});

t.test('restore of a version while another editor has waiting changes', async (t) => {
  const world = await opened(t, 'ABC', { kept: true, versions: true });
  const { mapwright, path } = world;
  const [one, two] = [await world.editor(), await world.editor()];
  await one.follow();
  await two.follow();
  const version = (await mapwright.post(`${path}/versions`, { name: 'V' })).shown.id;
  await one.draw({ name: 'X' });
  one.edits.change(one.idOf('A'), { color: '#111111' });
  await one.remove('B');
  await until('the drawing', () => two.shown('X') !== undefined && two.shown('B') === undefined);
  two.line.state = 'down';
  two.edits.change(two.idOf('A'), { color: '#222222', x: 77 });
  two.edits.change(two.idOf('X'), { color: '#333333' });
  two.edits.change(two.idOf('C'), { color: '#444444' });
  const drawn = two.draw({ name: 'Y' });
  await waiting(two);
  t.equal(await one.edits.restore(version, (project) => one.edits.take(project)), '');
  two.line.state = 'up';
  two.edits.retry();
  await drawn;
  await two.edits.idle();
  t.match(await world.stored('A'), { color: '#0000ff', x: 77 });
  t.match(await world.stored('C'), { color: '#444444' });
  t.equal(await world.names(), 'ABCY');
  t.match(two.edits.conflicts.value, [
    { is: 'changed', members: [{ mine: '#222222' }] },
    { is: 'deleted', mine: { color: '#333333' } },
  ]);
  await two.edits.decisions.createAgain(two.edits.conflicts.value[1] as DeletedConflict);
  two.edits.decisions.keepMine(two.edits.conflicts.value[0] as ChangedConflict);
  await two.edits.idle();
  for (const each of [one, two]) await agreed(each, world);
  t.equal(two.edits.state.value, 'saved');
});

t.test('a step over a conflict, and then the decision', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  const { edits, idOf, shown } = editor;
  await world.change('A', { color: '#00ff00' });
  edits.change(idOf('A'), { color: '#111111' });
  await edits.idle();
  await edits.run(edits.begin().put(idOf('A'), { color: '#333333' }));
  await edits.idle();
  t.match([await world.stored('A'), shown('A'), edits.state.value], [{ color: '#333333' }, { color: '#333333' }, 'saved']);
  await edits.undo();
  t.match([await world.stored('A'), edits.conflicts.value.length], [{ color: '#00ff00' }, 0]);
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

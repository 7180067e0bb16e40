// tier: normal
/** Changes by the user and by others at the same time, on a server: what is shown, what is stored, what undo gives, and what the user decides. */
import t from 'tap';
import { emptyDiff } from '../../src/lib/change/diff.ts';
import type { Project } from '../../src/web/client/client.ts';
import type { ChangedConflict, DeletedConflict } from '../../src/web/console/document/conflicts.ts';
import { whenSaved } from '../../src/web/console/document/save-state.ts';
import { versionIn } from '../../src/web/console/kinds/resource-version.ts';
import { until } from '../support/until.ts';
import { agreed, type Editor, opened } from './editor-world.ts';

t.setTimeout(600_000);

/** The editor says that it waits for the server. */
const waiting = ({ edits }: Editor) => until('the change waits', () => edits.state.value === 'waiting');

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

t.test('a change of another member by another user is kept, and said', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf, shown } = await world.editor();
  edits.change(idOf('A'), { x: 3 });
  await edits.idle();
  await world.change('A', { radius: 9 });
  edits.change(idOf('A'), { color: '#111111' });
  await edits.idle();
  t.match(await world.stored('A'), { color: '#111111', radius: 9 });
  t.match(
    [shown('A'), edits.state.value, edits.notices.current.value?.isProblem],
    [{ color: '#111111', radius: 9 }, 'saved', false],
  );
});

t.test('a change of the same member is a conflict until the user decides', async (t) => {
  for (const decision of ['keepMine', 'takeTheirs'] as const) {
    const world = await opened(t, 'A');
    const { edits, idOf, shown } = await world.editor();
    await world.change('A', { color: '#00ff00' });
    edits.change(idOf('A'), { color: '#111111', radius: 9 });
    await edits.idle();
    t.match(await world.stored('A'), { color: '#00ff00', radius: 9 }, 'the other member is saved');
    t.match([edits.state.value, shown('A')?.['color']], ['conflict', '#111111']);
    edits.change(idOf('A'), { color: '#222222' });
    await edits.idle();
    t.match(await world.stored('A'), { color: '#00ff00' }, 'nothing is sent before the decision');
    const [conflict] = edits.conflicts.value as [ChangedConflict];
    t.match(conflict.members, [{ member: 'color', base: '#0000ff', mine: '#222222', theirs: '#00ff00' }]);
    edits.decisions[decision](conflict);
    await edits.idle();
    const color = decision === 'keepMine' ? '#222222' : '#00ff00';
    t.match([await world.stored('A'), shown('A'), edits.state.value], [{ color }, { color }, 'saved']);
  }
});

t.test('a refused value stays with its reason, and the other values are saved', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf, shown } = await world.editor();
  const id = idOf('A');
  edits.change(id, { color: '#111111', label_size: 'large' });
  await edits.idle();
  t.match(await world.stored('A'), { color: '#111111', radius: 5 });
  t.match([edits.state.value, shown('A')?.['label_size']], ['refused', 'large']);
  t.type(edits.errors.value.get(id)?.['label_size'], 'string');
  edits.change(id, { label_size: 20 });
  await edits.idle();
  t.match([await world.stored('A'), edits.state.value, edits.errors.value.size], [{ label_size: 20 }, 'saved', 0]);
  edits.change(id, { label_size: 'large' });
  await edits.idle();
  edits.discard(id, ['label_size']);
  t.match([shown('A'), edits.state.value, edits.errors.value.size], [{ label_size: 20 }, 'saved', 0]);
});

t.test('a value that is typed before the last one is refused replaces it', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf, line } = await world.editor();
  const id = idOf('A');
  const go = line.hold();
  edits.change(id, { label_size: 'large' });
  await until('it is on its way', () => line.reads > 1);
  edits.change(id, { label_size: 20 });
  go();
  await edits.idle();
  t.match(await world.stored('A'), { label_size: 20 });
  t.strictSame([edits.state.value, edits.errors.value.size, edits.conflicts.value], ['saved', 0, []]);
});

t.test('over a broken connection, changes and steps wait, and are made in their order when it is back', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  const { edits, line, idOf } = editor;
  line.state = 'down';
  edits.change(idOf('A'), { color: '#111111' });
  const made = editor.draw({ name: 'C' });
  const removed = editor.remove('B');
  await waiting(editor);
  t.match([editor.shown('A')?.['color'], edits.hasUnsaved, await world.names()], ['#111111', true, 'AB']);
  line.state = 'up';
  edits.retry();
  await Promise.all([made, removed]);
  await whenSaved(edits.state);
  t.match([await world.names(), await world.stored('A')], ['AC', { color: '#111111' }]);
  t.match(edits.notices.current.value?.text ?? '', '');
  await agreed(editor, world);
});

t.test('a step whose answer was lost is made once', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor();
  const { edits, line } = editor;
  line.state = 'lost';
  const made = editor.draw({ name: 'B' });
  await waiting(editor);
  t.equal(await world.names(), 'AB');
  line.state = 'up';
  edits.retry();
  const [ref] = await made;
  t.match([await world.names(), editor.store.shown(ref?.id ?? '')?.['name']], ['AB', 'B']);
  line.state = 'lost';
  const back = edits.undo();
  await waiting(editor);
  line.state = 'up';
  edits.retry();
  await back;
  t.match([await world.names(), edits.steps.value], ['A', { undo: 0, redo: 1 }]);
  await edits.redo();
  t.equal(await world.names(), 'AB');
});

t.test('undo takes a change back, unless another user has changed the member since', async (t) => {
  const world = await opened(t, 'A');
  const { edits, idOf, shown } = await world.editor();
  edits.change(idOf('A'), { color: '#111111' });
  await edits.idle();
  t.strictSame(edits.steps.value, { undo: 1, redo: 0 });
  t.match(await edits.undo(), { id: idOf('A') });
  t.match(
    [await world.stored('A'), shown('A'), edits.steps.value],
    [{ color: '#0000ff' }, { color: '#0000ff' }, { undo: 0, redo: 1 }],
  );
  await edits.redo();
  t.match(await world.stored('A'), { color: '#111111' });
  await world.change('A', { color: '#00ff00' });
  await edits.undo();
  t.match(await world.stored('A'), { color: '#00ff00' });
  t.match(edits.conflicts.value, [{ is: 'changed', members: [{ base: '#111111', mine: '#0000ff', theirs: '#00ff00' }] }]);
});

t.test('a change of a resource that another user has deleted can be created again', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  const { edits, idOf, shown } = editor;
  const id = idOf('A');
  await world.remove('A');
  edits.change(id, { color: '#111111' });
  await edits.idle();
  const [conflict] = edits.conflicts.value as [DeletedConflict];
  t.match([shown('A'), conflict.mine, edits.state.value], [undefined, { color: '#111111' }, 'conflict']);
  await edits.decisions.createAgain(conflict);
  await edits.idle();
  t.match([await world.stored('A'), await world.names()], [{ color: '#111111', radius: 5 }, 'BA']);
  t.strictSame([edits.conflicts.value, edits.state.value], [[], 'saved']);
  await agreed(editor, world);
});

t.test('undo of an earlier change leaves what waits for a decision', async (t) => {
  const world = await opened(t, 'AB');
  const { edits, idOf, shown } = await world.editor();
  for (const name of ['A', 'B']) {
    edits.change(idOf(name), { color: '#111111' });
    await edits.idle();
  }
  await world.change('A', { color: '#00ff00' });
  await world.remove('B');
  for (const name of ['A', 'B']) {
    edits.change(idOf(name), { color: '#222222' });
    await edits.idle();
  }
  const asked = [
    { is: 'changed', members: [{ member: 'color', mine: '#222222' }] },
    { is: 'deleted', mine: { name: 'B', color: '#222222' } },
  ];
  t.match(edits.conflicts.value, asked);
  await edits.undo();
  await edits.undo();
  t.match([edits.conflicts.value, shown('A')], [asked, { color: '#222222' }]);
});

t.test('nothing is left to save of a conflict about what was then deleted, and is given up', async (t) => {
  const world = await opened(t, 'AB');
  const { edits, idOf, store, follow } = await world.editor();
  await world.change('A', { color: '#00ff00' });
  edits.change(idOf('A'), { color: '#111111' });
  await edits.idle();
  t.match(edits.conflicts.value, [{ is: 'changed' }]);
  await follow();
  await world.remove('A');
  await until('the deletion', () => edits.conflicts.value[0]?.is === 'deleted');
  const [conflict] = edits.conflicts.value as [DeletedConflict];
  t.match(conflict.mine, { name: 'A', color: '#111111' });
  edits.decisions.discardDeleted(conflict);
  t.strictSame([edits.state.value, store.hasUnsaved, edits.hasUnsaved], ['saved', false, false]);
});

t.test('undo of a deletion finds its place although the neighbour was deleted, and nothing to do if it is back', async (t) => {
  const world = await opened(t, 'ABC');
  const editor = await world.editor();
  const { edits, idOf, store } = editor;
  const [a, b] = [idOf('A'), idOf('B')];
  await editor.remove('B');
  await world.remove('C');
  await edits.undo();
  t.match([await world.names(), idOf('B'), edits.state.value, edits.conflicts.value], ['AB', b, 'saved', []]);
  await agreed(editor, world);
  const value = { ...store.stored(a), color: '#00ff00' };
  await editor.remove('A');
  await world.createAgain(value);
  await edits.undo();
  t.match([await world.names(), await world.stored('A'), edits.state.value], ['BA', { id: a, color: '#00ff00' }, 'saved']);
  await agreed(editor, world);
});

t.test('objects that move to another artboard keep their identifiers, and come back to their places', async (t) => {
  const world = await opened(t, 'ABCD');
  const editor = await world.editor();
  const { edits, idOf, store } = editor;
  const { id: first } = (await world.mapwright.post(`${world.path}/artboards`, { name: 'First' })).shown;
  const ids = [idOf('B'), idOf('C')];
  store.put({ kind: 'artboard', id: first }, { id: first, name: 'First' }, undefined);
  const edit = edits.begin();
  for (const id of ids) edit.move(id, `objects:${first}`);
  await edits.run(edit);
  t.match([await world.names(), store.ids({ kind: 'object', artboardId: first })], ['AD', ids]);
  edits.change(ids[0] as string, { color: '#111111' });
  await edits.idle();
  await edits.undo();
  await edits.undo();
  t.match([await world.names(), await world.stored('B')], ['ABCD', { id: ids[0], color: '#0000ff' }]);
  await edits.redo();
  t.match([await world.names(), store.ids({ kind: 'object', artboardId: first })], ['AD', ids]);
  await agreed(editor, world);
});

t.test('what came back stays, although the feed is late', async (t) => {
  const world = await opened(t, 'ABC');
  const editor = await world.editor();
  const { edits, idOf, store } = editor;
  await editor.remove('B');
  await edits.undo();
  await edits.run(edits.begin().remove(world.artboardId));
  await edits.undo();
  edits.change(idOf('C'), { color: '#111111' });
  await edits.idle();
  const emptied: string[] = [];
  store.onChange((change) => {
    if (change.is === 'removed') emptied.push(change.ref.id);
  });
  const heard = await editor.follow();
  await world.change('A', { color: '#00ff00' });
  await until('the last change', () => heard.includes('changed A'));
  t.strictSame([heard, emptied], [['changed A'], []]);
  await agreed(editor, world);
});

t.test('two editors see what each other does, and undo only their own steps', async (t) => {
  const world = await opened(t, 'ABC');
  const [one, two] = [await world.editor(), await world.editor()];
  const heard = await two.follow();
  await one.follow();
  one.edits.change(one.idOf('A'), { color: '#111111' });
  two.edits.change(two.idOf('A'), { radius: 9 });
  await two.remove('B');
  await Promise.all([one.edits.idle(), two.edits.idle()]);
  for (const each of [one, two]) await agreed(each, world);
  t.match([await world.stored('A'), await world.names()], [{ color: '#111111', radius: 9 }, 'AC']);
  await until('the change of the other', () => heard.includes('changed A'));
  await one.edits.undo();
  await two.edits.undo();
  await two.edits.undo();
  for (const each of [one, two]) await agreed(each, world);
  t.match([await world.stored('A'), await world.names()], [{ color: '#0000ff', radius: 5 }, 'ABC']);
});

t.test('what others did before an own step has its place before it, although the feed is late', async (t) => {
  const world = await opened(t, 'AB');
  const editor = await world.editor();
  const { id } = await world.draw('X');
  await editor.draw({ name: 'C' });
  await editor.follow();
  await until('what the other has drawn', () => editor.store.has(id));
  await agreed(editor, world);
  t.equal(await world.names(), 'ABXC');
});

t.test('what another user placed before it was moved to another artboard is there once, although the feed is late', async (t) => {
  const world = await opened(t, 'ABC');
  const { id: second } = (await world.mapwright.post(`${world.path}/artboards`, { name: 'Second' })).shown;
  const [editor, other] = [await world.editor(), await world.editor()];
  const [a, b, c] = [editor.idOf('A'), editor.idOf('B'), editor.idOf('C')];
  const at = `objects:${world.artboardId}`;
  await other.edits.run(other.edits.begin().place(at, [b, c, a], new Set([a])));
  await editor.edits.run(editor.edits.begin().move(a, `objects:${second}`));
  await editor.follow();
  await world.draw('X');
  await until('what the other has drawn', () => editor.shown('X') !== undefined);
  t.strictSame(
    [world.artboardId, second].map((artboardId) => editor.store.ids({ kind: 'object', artboardId })),
    [[b, c, editor.idOf('X')], [a]],
  );
});

t.test('the state before an import is kept as a version, also if its first part changes nothing', async (t) => {
  const world = await opened(t, 'A', { kept: true, versions: true });
  const { edits } = await world.editor();
  const drawn = (name: string) => {
    const edit = edits.begin();
    edit.create(`objects:${world.artboardId}`, { type: 'spot', name, x: 1, y: 1, radius: 2 });
    return edit.diff;
  };
  const run = { signal: new AbortController().signal, onProgress: () => undefined, onUndo: () => undefined };
  const diffs = (function* () {
    yield emptyDiff;
    yield drawn('B');
    yield drawn('C');
  })();
  t.match(await edits.runImport(diffs, run), { is: 'written' });
  t.equal(await world.names(), 'ABC');
  await until('the version', async () => {
    const { list } = await world.mapwright.get(`${world.path}/versions`);
    return list.length === 1 && list[0]?.['kind'] === 'automatic';
  });
});

t.test('a project that was read before the feed brought something newer is not taken', async (t) => {
  const world = await opened(t, 'AB');
  const { edits, follow, shown } = await world.editor();
  const { shown: value, headers } = await world.mapwright.get(world.path);
  const heard = await follow();
  await world.change('A', { color: '#00ff00' });
  await until('the change', () => heard.includes('changed A'));
  edits.take({ value: value as unknown as Project, version: versionIn(headers.etag ?? '') });
  t.match(shown('A'), { color: '#00ff00' });
});

t.test('what waits while the server is killed is saved when it is there again', async (t) => {
  const world = await opened(t, 'AB', { kept: true });
  const editor = await world.editor();
  const { edits, line, idOf } = editor;
  edits.change(idOf('A'), { color: '#111111' });
  await edits.idle();
  line.state = 'lost';
  edits.change(idOf('B'), { color: '#222222' });
  const removed = editor.remove('A');
  await waiting(editor);
  await world.mapwright.crash();
  line.state = 'up';
  edits.retry();
  await removed;
  await whenSaved(edits.state);
  t.match([await world.names(), await world.stored('B')], ['B', { color: '#222222' }]);
  while (edits.steps.value.undo > 0) await edits.undo();
  t.match(
    [await world.names(), await world.stored('A'), await world.stored('B')],
    ['AB', { color: '#0000ff' }, { color: '#0000ff' }],
  );
  await agreed(editor, world);
});

t.test('an editor that may not write changes nothing', async (t) => {
  const world = await opened(t, 'A');
  const editor = await world.editor(false);
  const { edits, idOf, shown, line } = editor;
  edits.change(idOf('A'), { color: '#111111' });
  t.strictSame(await editor.remove('A'), []);
  t.match([shown('A'), await world.stored('A'), line.writes], [{ color: '#0000ff' }, { color: '#0000ff' }, 0]);
});

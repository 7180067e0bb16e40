/** Two users change the same project: what is merged, what is in conflict, what undo leaves, and what a decision does. */
import type { Test } from 'tap';
import type { ChangedConflict, DeletedConflict } from '../../../src/web/console/document/conflicts.ts';
import type { Shown } from '../../support/mapwright.ts';
import { until } from '../../support/until.ts';
import { agreed, type Open, secondArtboard as second, type World, waiting } from '../editor-world.ts';

const idsIn = async ({ mapwright, path }: World, artboardId: string) =>
  ((await mapwright.get(`${path}/artboards/${artboardId}/objects`)).list as readonly Shown[]).map(({ id }) => id);

/** Changes by other users. */
export function changesByOthers(t: Test, opened: Open): void {
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
    t.match([await world.stored('A'), await world.names()], [{ color: '#111111', radius: 5 }, /^BA$/]);
    t.strictSame([edits.conflicts.value, edits.state.value], [[], 'saved']);
    await agreed(editor, world);
  });

  t.test('a change of an object whose artboard another user has deleted can be created again, on another one', async (t) => {
    const world = await opened(t, 'A');
    const { mapwright, path, artboardId } = world;
    const to = await second(world);
    const editor = await world.editor();
    const { edits, idOf, line } = editor;
    line.state = 'down';
    edits.change(idOf('A'), { color: '#111111' });
    await waiting(editor);
    await mapwright.delete(`${path}/artboards/${artboardId}`);
    line.state = 'up';
    edits.retry();
    await edits.idle();
    await edits.decisions.createAgain(edits.conflicts.value[0] as DeletedConflict);
    await edits.idle();
    t.match((await mapwright.get(`${path}/artboards/${to}/objects`)).list, [{ name: 'A', color: '#111111' }]);
    t.strictSame([edits.conflicts.value, edits.state.value], [[], 'saved']);
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

  t.test('a conflict about what the user then deletes', async (t) => {
    const world = await opened(t, 'AB');
    const editor = await world.editor();
    await world.change('A', { color: '#00ff00' });
    editor.edits.change(editor.idOf('A'), { color: '#111111' });
    await editor.edits.idle();
    await editor.remove('A');
    t.strictSame([editor.edits.state.value, editor.edits.hasUnsaved], ['saved', false]);
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

  t.test('undo of a deletion has nothing to do if another user has brought the object back', async (t) => {
    const world = await opened(t, 'AB');
    const editor = await world.editor();
    const { edits, idOf, store } = editor;
    const a = idOf('A');
    const value = { ...store.stored(a), color: '#00ff00' };
    await editor.remove('A');
    await world.createAgain(value);
    await edits.undo();
    t.match([await world.names(), await world.stored('A'), edits.state.value], [/^BA$/, { id: a, color: '#00ff00' }, 'saved']);
    await agreed(editor, world);
  });

  t.test('undo of a drawing leaves what another user has made of it', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    await editor.draw({ name: 'X' });
    await editor.draw({ name: 'Y' });
    await world.change('X', { label_size: 33 });
    for (let n = 0; n < 2; n++) await editor.edits.undo();
    t.match([await world.names(), await world.stored('X')], [/^AX$/, { label_size: 33 }]);
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
    const { mapwright, path, artboardId } = world;
    const editor = await world.editor();
    await mapwright.post(`${path}/popups`, { attachedTo: editor.idOf('B') });
    await mapwright.post(`${path}/actions`, { create_object_target_artboard_id: artboardId });
    const to = await second(world);
    await world.change('A', { color: '#00ff00' });
    await world.draw('X');
    await editor.edits.run(editor.edits.begin().remove(artboardId));
    t.equal((await mapwright.get(`${path}/problems`)).list.length, 2, 'references lead nowhere');
    await editor.edits.undo();
    t.match([await world.names(), await world.stored('A')], [/^ABX$/, { color: '#00ff00' }]);
    t.strictSame((await mapwright.get(`${path}/problems`)).list, []);
    t.match((await mapwright.get(`${path}/artboards`)).list, [{ id: artboardId }, { id: to }], 'in its place');
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
    await until('the last change', () => editor.store.ids({ kind: 'object', artboardId: to }).length > 1);
    t.strictSame(editor.store.ids({ kind: 'object', artboardId: to }), await idsIn(world, to));
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
    t.match([await world.stored('A'), await world.names()], [{ color: '#111111', radius: 9 }, /^AC$/]);
    await until('the change of the other', () => heard.includes('changed A'));
    await one.edits.undo();
    await two.edits.undo();
    await two.edits.undo();
    for (const each of [one, two]) await agreed(each, world);
    t.match([await world.stored('A'), await world.names()], [{ color: '#0000ff', radius: 5 }, /^ABC$/]);
  });

  t.test('restore of a version while another editor has waiting changes', async (t) => {
    const world = await opened(t, 'ABC', { versions: true });
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
}

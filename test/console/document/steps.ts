/** Steps of several objects: one step each, whatever others have done, and after undo the former order. */
import type { Test } from 'tap';
import { until } from '../../support/until.ts';
import { agreed, type Open, secondArtboard } from '../editor-world.ts';

/** An editor of two artboards, on the first one objects that are named by single letters, some of them with a popup. */
async function row(t: Test, opened: Open, names: string, popups = '') {
  const world = await opened(t, names);
  const { mapwright, path } = world;
  const second = await secondArtboard(world);
  const first = await world.editor();
  for (const letter of popups) await mapwright.post(`${path}/popups`, { title: letter, attachedTo: first.idOf(letter) });
  const editor = await world.editor();
  const { edits, store, idOf } = editor;
  const idsOf = (letters: string) => [...letters].map(idOf);
  const listed = async (artboard: string) => (await mapwright.get(`${path}/artboards/${artboard}/objects`)).list;
  return {
    ...{ edits, idOf, second, line: editor.line, follow: editor.follow },
    /** The colour that the editor has of the server. */
    stored: (letter: string) => store.stored(idOf(letter))?.['color'],
    /** Another user does these. */
    ...{
      drawByOther: world.draw,
      removeByOther: world.remove,
      recolour: (letter: string, color: string) => world.change(letter, { color }),
    },
    /** Names on the server, which the editor shows in the same order. */
    order: async (artboardId = world.artboardId) => {
      const onServer = (await listed(artboardId)).map(({ name, id }) => `${name} ${id}`);
      const shown = store.members({ kind: 'object', artboardId }).map(({ name, id }) => `${name} ${id}`);
      t.strictSame(shown, onServer, 'the editor shows the order of the server');
      return onServer.map(([letter]) => letter).join('');
    },
    colours: async () => (await listed(world.artboardId)).map(({ color }) => color),
    titles: async () => (await mapwright.get(`${path}/popups`)).list.map(({ title }) => title).join(''),
    /** Deletes objects and their popups. */
    removeAll(letters: string) {
      const objects = idsOf(letters);
      const attached = store.members({ kind: 'popup' }).filter(({ attachedTo }) => objects.includes(String(attachedTo)));
      const edit = edits.begin();
      for (const id of [...attached.map((popup) => popup.id), ...objects]) edit.remove(id);
      return edits.run(edit);
    },
    /** As objects are joined: the first one changes, and the others are deleted. */
    join(letters: string) {
      const [id = '', ...others] = idsOf(letters);
      const edit = edits.begin().put(id, { radius: 200 });
      for (const other of others) edit.remove(other);
      return edits.run(edit);
    },
    move(letters: string) {
      const edit = edits.begin();
      for (const id of idsOf(letters)) edit.move(id, `objects:${second}`);
      return edits.run(edit);
    },
    paint(letters: string, color: string) {
      const edit = edits.begin();
      for (const id of idsOf(letters)) edit.put(id, { color });
      return edits.run(edit);
    },
    conflicts: () => edits.conflicts.value.map((each) => `${each.is} ${store.shown(each.ref.id)?.['name'] ?? ''}`),
  };
}

/** Steps of several objects. */
export function steps(t: Test, opened: Open): void {
  t.test('undo of a deletion of several objects brings them to their places', async (t) => {
    for (const [names, deleted] of [
      ['ABCDEF', 'BC'],
      ['ABCDEF', 'BD'],
      ['ABCDEF', 'EBDC'],
      ['ABCDEF', 'FE'],
      ['ABCDEF', 'AF'],
      ['ABCS', 'ABCS'],
      ['ABC', 'C'],
    ] as const) {
      const { edits, removeAll, order, titles } = await row(t, opened, names, names);
      const rest = names.replaceAll(new RegExp(`[${deleted}]`, 'g'), '');
      await removeAll(deleted);
      t.equal(await order(), rest);
      for (let round = 0; round < 2; round++) {
        await edits.undo();
        t.strictSame([await order(), await titles()], [names, names], `undo of ${deleted} of ${names}`);
        await edits.redo();
        t.strictSame([await order(), await titles()], [rest, rest], `redo of ${deleted} of ${names}`);
      }
    }
  });

  t.test('undo of joining and of moving to another artboard brings objects to their places', async (t) => {
    const { edits, join, move, order, second, idOf } = await row(t, opened, 'ABCDEF');
    const b = idOf('B');
    await join('BCD');
    t.equal(await order(), 'ABEF');
    await edits.undo();
    t.equal(await order(), 'ABCDEF');
    for (const moved of ['BCE', 'DEF', 'ABCDEF']) {
      await move(moved);
      const rest = 'ABCDEF'.replaceAll(new RegExp(`[${moved}]`, 'g'), '');
      for (let round = 0; round < 2; round++) {
        t.strictSame([await order(), await order(second)], [rest, moved]);
        await edits.undo();
        t.strictSame([await order(), await order(second)], ['ABCDEF', ''], `undo of moving ${moved}`);
        t.equal(idOf('B'), b, 'it keeps its identifier');
        if (round === 0) await edits.redo();
      }
    }
  });

  t.test('a chain of steps is undone to the former order, and redone', async (t) => {
    const { edits, removeAll, move, order, second } = await row(t, opened, 'ABCDEF');
    await removeAll('BE');
    await move('CD');
    await removeAll('AF');
    for (let round = 0; round < 2; round++) {
      t.strictSame([await order(), await order(second)], ['', 'CD']);
      await edits.undo();
      t.strictSame([await order(), await order(second)], ['AF', 'CD']);
      await edits.undo();
      t.strictSame([await order(), await order(second)], ['ACDF', '']);
      await edits.undo();
      t.equal(await order(), 'ABCDEF');
      for (let n = 0; n < 3; n++) await edits.redo();
    }
  });

  t.test('what comes back is next to its former neighbours, whatever another user has added or deleted', async (t) => {
    const { edits, removeAll, order, drawByOther, removeByOther, follow } = await row(t, opened, 'ABCDEF');
    await removeAll('BCF');
    for (const letter of 'AD') await removeByOther(letter);
    await drawByOther('X');
    const heard = await follow();
    await until('the feed', () => heard.includes('deleted D'));
    await edits.undo();
    t.match(await order(), /^BCE(?:FX|XF)$/);
  });

  t.test('undo of a change of several objects leaves only what another user has changed to the user', async (t) => {
    const { line, edits, paint, recolour, colours, conflicts } = await row(t, opened, 'ABC');
    await paint('ABC', '#ff0000');
    await recolour('A', '#00ff00');
    const before = line.writes;
    await edits.undo();
    t.strictSame([await colours(), conflicts()], [['#00ff00', '#0000ff', '#0000ff'], ['changed A']]);
    t.match(edits.notices.current.value?.text, 'Another user changed the object A.');
    t.strictSame(
      [edits.steps.value, line.writes - before],
      [{ undo: 0, redo: 1 }, 2],
      'the refused batch, and the one without A',
    );
    await edits.redo();
    t.strictSame(await colours(), ['#00ff00', '#ff0000', '#ff0000']);
    await edits.undo();
    const [conflict] = edits.conflicts.value;
    if (conflict?.is !== 'changed') throw new Error('no conflict');
    edits.decisions.keepMine(conflict);
    await edits.idle();
    t.strictSame([await colours(), edits.state.value], [['#0000ff', '#0000ff', '#0000ff'], 'saved']);
  });

  t.test('a change of several objects is one step, also if another user has changed one of them', async (t) => {
    for (const letter of 'ABC') {
      const { line, edits, paint, recolour, colours, conflicts } = await row(t, opened, 'ABC');
      await paint('ABC', '#333333');
      await recolour(letter, '#00ff00');
      const before = line.writes;
      await paint('ABC', '#ff0000');
      const expected = [...'ABC'].map((each) => (each === letter ? '#00ff00' : '#ff0000'));
      t.strictSame([await colours(), conflicts(), line.writes - before], [expected, [`changed ${letter}`], 2]);
      t.match(edits.notices.current.value?.text, `Another user changed the object ${letter}.`);
      t.strictSame(edits.steps.value, { undo: 2, redo: 0 });
      await edits.undo();
      t.strictSame(
        await colours(),
        [...'ABC'].map((each) => (each === letter ? '#00ff00' : '#333333')),
      );
    }
  });

  t.test('a change or deletion of several objects is carried out without those that another user has deleted', async (t) => {
    const { edits, removeAll, paint, order, colours, removeByOther } = await row(t, opened, 'ABCDE');
    for (const letter of 'BD') await removeByOther(letter);
    await paint('ABCD', '#ff0000');
    t.strictSame(await colours(), ['#ff0000', '#ff0000', '#0000ff']);
    t.strictSame([edits.steps.value.undo, edits.state.value, edits.notices.current.value], [1, 'conflict', undefined]);
    t.match(edits.conflicts.value, [
      { is: 'deleted', mine: { name: 'B', color: '#ff0000' } },
      { is: 'deleted', mine: { name: 'D', color: '#ff0000' } },
    ]);
    const [b, d] = edits.conflicts.value;
    if (b?.is !== 'deleted' || d?.is !== 'deleted') throw new Error('no conflict');
    await edits.decisions.createAgain(b);
    edits.decisions.discardDeleted(d);
    t.strictSame([await order(), edits.state.value], ['ACEB', 'saved']);
    await removeByOther('A');
    await removeAll('AEB');
    t.strictSame([await order(), edits.conflicts.value, edits.state.value], ['C', [], 'saved']);
    await edits.undo();
    t.equal(await order(), 'CEB', 'one step');
    const { undo } = edits.steps.value;
    await removeByOther('C');
    await removeAll('C');
    t.strictSame([await order(), edits.steps.value.undo], ['EB', undo], 'nothing to undo');
  });

  t.test('what this page has deleted stays deleted, although its feed is late', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    await editor.draw({ name: 'B' });
    await editor.edits.undo();
    await world.change('A', { color: '#00ff00' });
    const heard = await editor.follow();
    await until('the last change', () => heard.includes('changed A'));
    t.strictSame([heard, await world.names()], [['changed A'], 'A']);
    await agreed(editor, world);
  });

  t.test('an own change that the feed brings before its answer is not that of another user', async (t) => {
    const { line, edits, paint, recolour, conflicts, idOf, follow, stored } = await row(t, opened, 'ABC');
    const heard = await follow();
    await recolour('A', '#00ff00');
    await until('the change of the other', () => heard.includes('changed A'));
    const said = edits.notices.current.value?.text;
    t.equal(said, 'Another user changed the object A.');
    edits.change(idOf('A'), { color: '#ff0000' }, { color: '#0000ff' });
    await edits.idle();
    t.strictSame([conflicts(), edits.state.value], [['changed A'], 'conflict']);
    const go = line.holdAnswers();
    const painted = paint('BC', '#ff0000');
    await until('the feed', () => stored('C') === '#ff0000');
    go();
    await painted;
    t.equal(edits.notices.current.value?.text, said);
  });
}

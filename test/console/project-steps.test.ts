// tier: normal
/** Steps of several objects on a server, without a browser: their order after undo, and what becomes of them when another user is faster. */
import t, { type Test } from 'tap';
import { createClient } from '../../src/web/client/client.ts';
import { texts } from '../../src/web/console/console-texts.ts';
import { followProject } from '../../src/web/console/document/follow-project.ts';
import { ProjectApi } from '../../src/web/console/document/project-api.ts';
import { ProjectEdits } from '../../src/web/console/document/project-edits.ts';
import { ProjectStore } from '../../src/web/console/document/project-store.ts';
import { startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { room } from './tool-support.ts';

t.setTimeout(600_000);

/** An editor of two floors; on the first one a row of rooms that touch, named by single letters. */
async function opened(t: Test, names: string, popups = '') {
  const mapwright = await startForRequests(t);
  const objects = [...names].map((name, n) => ({ type: 'poly', name, color: '#0000ff', ...room(50 * n, 0, 50 * n + 50, 50) }));
  const artboards = [{ name: 'Ground', objects }, { name: 'First' }];
  const made = (await mapwright.post('/projects', { name: 'Centre', artboards })).shown;
  const path = `/projects/${made.id}`;
  const [ground, first] = (made['artboards'] as { id: string }[]).map(({ id }) => id) as [string, string];
  const client = createClient({ baseUrl: `http://127.0.0.1:${mapwright.port}`, key: mapwright.key });
  const api = new ProjectApi(client, made.id);
  const store = new ProjectStore(made.id);
  const at = (artboardId: string) => ({ kind: 'object', artboardId }) as const;
  const load = async () => {
    const { value, version } = await api.load();
    store.load(value, version);
  };
  await load();
  const edits = new ProjectEdits(store, api, true, () => undefined);
  t.teardown(() => edits.close());
  const idsOf = (letters: string) => {
    const shown = [ground, first].flatMap((id) => store.members(at(id)));
    return [...letters].map((letter) => shown.find(({ name }) => name === letter)?.id ?? letter);
  };
  const idOf = (letter: string) => idsOf(letter)[0] as string;
  for (const letter of popups) await mapwright.post(`${path}/popups`, { title: letter, attachedTo: idOf(letter) });
  if (popups !== '') await load();
  const pathOf = (letter: string) => `${path}/artboards/${ground}/objects/${idOf(letter)}`;
  const listed = async (artboard: string) => (await mapwright.get(`${path}/artboards/${artboard}/objects`)).list;
  return {
    ...{ mapwright, client, api, store, edits, path, ground, first, idOf, pathOf },
    /** Names on the server, which the store has in the same order. */
    order: async (artboard = ground) => {
      const names = (await listed(artboard)).map(({ name }) => name).join('');
      t.equal(
        store
          .members(at(artboard))
          .map(({ name }) => name)
          .join(''),
        names,
        'the store has the order of the server',
      );
      return names;
    },
    colours: async () => (await listed(ground)).map(({ color }) => color),
    titles: async () => (await mapwright.get(`${path}/popups`)).list.map(({ title }) => title).join(''),
    /** Other users do this, and this page does not hear of it. */
    recolour: (letter: string, color: string) => mapwright.patch(pathOf(letter), { color }),
    remove: (letters: string) => {
      const ids = idsOf(letters);
      const popups = store.members({ kind: 'popup' }).filter(({ attachedTo }) => ids.includes(String(attachedTo)));
      const edit = edits.begin();
      for (const id of [...popups.map((popup) => popup.id), ...ids]) edit.remove(id);
      return edits.run(edit);
    },
    /** As objects are joined: the first one changes, and the others are deleted. */
    join: (letters: string) => {
      const [id = '', ...others] = idsOf(letters);
      const edit = edits.begin().put(id, { ...room(0, 0, 200, 50) });
      for (const other of others) edit.remove(other);
      return edits.run(edit);
    },
    move: (letters: string) => {
      const edit = edits.begin();
      for (const id of idsOf(letters)) edit.move(id, `objects:${first}`);
      return edits.run(edit);
    },
    paint: (letters: string, color: string) => {
      const edit = edits.begin();
      for (const id of idsOf(letters)) edit.put(id, { color });
      return edits.run(edit);
    },
    conflicts: () => edits.conflicts.value.map((each) => `${each.is} ${store.shown(each.ref.id)?.['name'] ?? ''}`),
  };
}

/** Counts the batches that are sent. */
function countBatches(api: ProjectApi): { count: number } {
  const sent = { count: 0 };
  const { send } = api;
  api.send = (...given) => {
    sent.count++;
    return send.apply(api, given);
  };
  return sent;
}

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
    const { edits, remove, order, titles } = await opened(t, names, names);
    const rest = names.replaceAll(new RegExp(`[${deleted}]`, 'g'), '');
    await remove(deleted);
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
  const { edits, join, move, order, first } = await opened(t, 'ABCDEF');
  await join('BCD');
  t.equal(await order(), 'ABEF');
  await edits.undo();
  t.equal(await order(), 'ABCDEF');
  for (const moved of ['BCE', 'DEF', 'ABCDEF']) {
    await move(moved);
    const rest = 'ABCDEF'.replaceAll(new RegExp(`[${moved}]`, 'g'), '');
    for (let round = 0; round < 2; round++) {
      t.strictSame([await order(), await order(first)], [rest, moved]);
      await edits.undo();
      t.strictSame([await order(), await order(first)], ['ABCDEF', ''], `undo of moving ${moved}`);
      if (round === 0) await edits.redo();
    }
  }
});

t.test('a chain of steps is undone to the former order, and redone', async (t) => {
  const { edits, remove, move, order, first } = await opened(t, 'ABCDEF');
  await remove('BE');
  await move('CD');
  await remove('AF');
  for (let round = 0; round < 2; round++) {
    t.strictSame([await order(), await order(first)], ['', 'CD']);
    await edits.undo();
    t.strictSame([await order(), await order(first)], ['AF', 'CD']);
    await edits.undo();
    t.strictSame([await order(), await order(first)], ['ACDF', '']);
    await edits.undo();
    t.equal(await order(), 'ABCDEF');
    for (let n = 0; n < 3; n++) await edits.redo();
  }
});

t.test('what comes back is next to its former neighbours, whatever another user has added or deleted', async (t) => {
  const { mapwright, edits, remove, order, path, ground, pathOf, store } = await opened(t, 'ABCDEF');
  const neighbours = ['A', 'D'].map((letter) => [letter, pathOf(letter)] as const);
  await remove('BCF');
  for (const [, at] of neighbours) await mapwright.delete(at);
  const added = (await mapwright.post(`${path}/artboards/${ground}/objects`, { type: 'poly', name: 'X', ...room(0, 0, 5, 5) }))
    .shown;
  store.put({ kind: 'object', id: added.id, artboardId: ground }, added, undefined);
  for (const { id, name } of store.members({ kind: 'object', artboardId: ground }))
    if (name === 'A' || name === 'D') store.remove(id);
  await edits.undo();
  t.match(await order(), /^BCE(?:FX|XF)$/);
});

t.test('undo of a change of several objects leaves only what another user has changed to the user', async (t) => {
  const { api, edits, paint, recolour, colours, conflicts } = await opened(t, 'ABC');
  await paint('ABC', '#ff0000');
  await recolour('A', '#00ff00');
  const sent = countBatches(api);
  await edits.undo();
  t.strictSame([await colours(), conflicts()], [['#00ff00', '#0000ff', '#0000ff'], ['changed A']]);
  t.match(edits.notices.current.value?.text, 'Another user changed the object A.');
  t.strictSame([edits.steps.value, sent.count], [{ undo: 0, redo: 1 }, 2], 'the refused batch, and the one without A');
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
    const { api, edits, paint, recolour, colours, conflicts } = await opened(t, 'ABC');
    await paint('ABC', '#333333');
    await recolour(letter, '#00ff00');
    const sent = countBatches(api);
    await paint('ABC', '#ff0000');
    const expected = [...'ABC'].map((each) => (each === letter ? '#00ff00' : '#ff0000'));
    t.strictSame([await colours(), conflicts(), sent.count], [expected, [`changed ${letter}`], 2]);
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
  const { mapwright, edits, remove, paint, order, colours, pathOf } = await opened(t, 'ABCDE');
  for (const letter of 'BD') await mapwright.delete(pathOf(letter));
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
  await mapwright.delete(pathOf('A'));
  await remove('AEB');
  t.strictSame([await order(), edits.conflicts.value, edits.state.value], ['C', [], 'saved']);
  await edits.undo();
  t.equal(await order(), 'CEB', 'one step');
  const { undo } = edits.steps.value;
  await mapwright.delete(pathOf('C'));
  await remove('C');
  t.strictSame([await order(), edits.steps.value.undo], ['EB', undo], 'nothing to undo');
});

t.test('what this page has deleted stays deleted, although its feed is late', async (t) => {
  const { mapwright, client, edits, store, ground, pathOf, order } = await opened(t, 'A');
  const edit = edits.begin();
  edit.create(`objects:${ground}`, { type: 'poly', name: 'B', coords: [] });
  await edits.run(edit);
  await edits.undo();
  await mapwright.patch(pathOf('A'), { name: 'Z' });
  const said: string[] = [];
  const stop = new AbortController();
  const nothing = () => undefined;
  const followed = followProject(client, store, stop.signal, {
    onDelete: ({ id }) => said.push(`deleted ${store.shown(id)?.['name']}`),
    onForeign: ({ id }) => said.push(`changed ${store.shown(id)?.['name']}`),
    ...{ onPublication: nothing, onFiles: nothing, onVersions: nothing, onGone: nothing, onEnd: nothing },
    onReset: async () => undefined,
  });
  await until('the last change', () => said.includes('changed Z'));
  stop.abort();
  await followed;
  t.strictSame([said, await order()], [['changed Z'], 'Z']);
});

t.test('an own change that the feed brings before its answer is not that of another user', async (t) => {
  const { client, api, edits, store, paint, recolour, conflicts, idOf } = await opened(t, 'ABC');
  const stop = new AbortController();
  const nothing = () => undefined;
  const followed = followProject(client, store, stop.signal, {
    onForeign: (ref) => edits.sayForeign(ref, texts.editor.foreign),
    ...{ onDelete: nothing, onPublication: nothing, onFiles: nothing, onVersions: nothing, onGone: nothing, onEnd: nothing },
    onReset: async () => undefined,
  });
  await recolour('A', '#00ff00');
  await until('the notice', () => edits.notices.current.value?.text === 'Another user changed the object A.');
  edits.change(idOf('A'), { color: '#ff0000' }, { color: '#0000ff' });
  await edits.idle();
  t.strictSame([conflicts(), edits.state.value], [['changed A'], 'conflict']);
  const { send } = api;
  api.send = async (...given) => {
    const answer = await send.apply(api, given);
    await until('the feed', () => store.stored(idOf('C'))?.['color'] === '#ff0000');
    return answer;
  };
  await paint('BC', '#ff0000');
  t.equal(edits.notices.current.value?.text, 'Another user changed the object A.');
  stop.abort();
  await followed;
});

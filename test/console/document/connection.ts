/** Connections that break, answers that are lost or late, a feed that is late or reset, and a server that is killed. */
import type { Test } from 'tap';
import { emptyDiff } from '../../../src/lib/change/diff.ts';
import type { Project } from '../../../src/web/client/client.ts';
import { whenSaved } from '../../../src/web/console/document/save-state.ts';
import { versionIn } from '../../../src/web/console/kinds/resource-version.ts';
import { until } from '../../support/until.ts';
import { agreed, type Open, secondArtboard as second, waiting } from '../editor-world.ts';

/** Connections that break, and a feed that is late. */
export function connections(t: Test, opened: Open): void {
  t.test('over a broken connection, changes and steps wait, and are made in their order when it is back', async (t) => {
    const world = await opened(t, 'AB');
    const editor = await world.editor();
    const { edits, line, idOf } = editor;
    line.state = 'down';
    edits.change(idOf('A'), { color: '#111111' });
    const made = editor.draw({ name: 'C' });
    const removed = editor.remove('B');
    await waiting(editor);
    t.match([editor.shown('A')?.['color'], edits.hasUnsaved, await world.names()], ['#111111', true, /^AB$/]);
    line.state = 'up';
    edits.retry();
    await Promise.all([made, removed]);
    await whenSaved(edits.state);
    t.match([await world.names(), await world.stored('A')], [/^AC$/, { color: '#111111' }]);
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
    t.match([await world.names(), editor.store.shown(ref?.id ?? '')?.['name']], [/^AB$/, 'B']);
    line.state = 'lost';
    const back = edits.undo();
    await waiting(editor);
    line.state = 'up';
    edits.retry();
    await back;
    t.match([await world.names(), edits.steps.value], [/^A$/, { undo: 0, redo: 1 }]);
    await edits.redo();
    t.equal(await world.names(), 'AB');
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

  t.test(
    'what another user placed before it was moved to another artboard is there once, although the feed is late',
    async (t) => {
      const world = await opened(t, 'ABC');
      const to = await second(world);
      const [editor, other] = [await world.editor(), await world.editor()];
      const [a, b, c] = [editor.idOf('A'), editor.idOf('B'), editor.idOf('C')];
      const at = `objects:${world.artboardId}`;
      await other.edits.run(other.edits.begin().place(at, [b, c, a], new Set([a])));
      await editor.edits.run(editor.edits.begin().move(a, `objects:${to}`));
      await editor.follow();
      await world.draw('X');
      await until('what the other has drawn', () => editor.shown('X') !== undefined);
      t.strictSame(
        [world.artboardId, to].map((artboardId) => editor.store.ids({ kind: 'object', artboardId })),
        [[b, c, editor.idOf('X')], [a]],
      );
    },
  );

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
}

/** What a document and its server do together over a kill of the server, and with versions of the project: the server must be on a disk. */
export function onDisk(t: Test, opened: Open): void {
  t.test('what waits while the server is killed is saved when it is there again', async (t) => {
    const world = await opened(t, 'AB');
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
    t.match([await world.names(), await world.stored('B')], [/^B$/, { color: '#222222' }]);
    while (edits.steps.value.undo > 0) await edits.undo();
    t.match(
      [await world.names(), await world.stored('A'), await world.stored('B')],
      [/^AB$/, { color: '#0000ff' }, { color: '#0000ff' }],
    );
    await agreed(editor, world);
  });

  t.test('what another user moved out of an artboard after a restart stays when it is deleted', async (t) => {
    const world = await opened(t, 'AB');
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

  t.test('the state before an import is kept as a version, also if its first part changes nothing', async (t) => {
    const world = await opened(t, 'A', { versions: true });
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
}

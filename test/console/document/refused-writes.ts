/** Writes that the server refuses: the value stays with its reason, and everything else is saved. */
import type { Test } from 'tap';
import { whenSaved } from '../../../src/web/console/document/save-state.ts';
import { until } from '../../support/until.ts';
import { type Open, waiting } from '../editor-world.ts';

/** Values that the server refuses. */
export function refusedWrites(t: Test, opened: Open): void {
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

  t.test('a refused value of what the user then deletes does not keep the page from being saved', async (t) => {
    const world = await opened(t, 'AB');
    const editor = await world.editor();
    editor.edits.change(editor.idOf('A'), { label_size: 'large' });
    await editor.edits.idle();
    t.equal(editor.edits.state.value, 'refused');
    await editor.remove('A');
    t.strictSame([editor.edits.state.value, editor.edits.hasUnsaved], ['saved', false]);
  });

  t.test('a refusal stops with its reason, and the change is sent again on request', async (t) => {
    const world = await opened(t, 'A');
    const { edits, idOf, shown, line } = await world.editor();
    for (const [status, code, state] of [
      [403, 'quota_exceeded', 'stopped'],
      [413, 'payload_too_large', 'stopped'],
      [500, 'internal_error', 'stopped'],
      [507, 'insufficient_storage', 'waiting'],
    ] as const) {
      line.refusal = { status, code };
      edits.change(idOf('A'), { label_size: status / 10 });
      await until('it is refused', () => edits.state.value === state);
      t.match(
        [edits.notices.current.value?.text, shown('A'), edits.hasUnsaved],
        [`because of ${status}`, { label_size: status / 10 }, true],
      );
      line.refusal = undefined;
      edits.retry();
      await whenSaved(edits.state);
      t.match([await world.stored('A'), edits.notices.current.value?.text ?? ''], [{ label_size: status / 10 }, '']);
    }
  });

  t.test('after the end of a session, changes wait for the next one', async (t) => {
    const world = await opened(t, 'A');
    const editor = await world.editor();
    const { edits, idOf, line, sessionEnds } = editor;
    line.refusal = { status: 401, code: 'unauthorized' };
    edits.change(idOf('A'), { color: '#111111' });
    const drawn = editor.draw({ name: 'B' });
    await waiting(editor);
    t.strictSame([sessionEnds, line.writes, await world.names()], [['because of 401'], 1, 'A']);
    line.refusal = undefined;
    edits.retry();
    await drawn;
    await whenSaved(edits.state);
    t.match([await world.stored('A'), await world.names()], [{ color: '#111111' }, /^AB$/]);
  });
}

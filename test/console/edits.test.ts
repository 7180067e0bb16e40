/** Changes by the user and by others at the same time, without a browser: what is sent, what stays, and what the user decides. */
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ProjectEdits } from '../../src/web/console/project/project-edits.ts';
import { ProjectStore } from '../../src/web/console/project/project-store.ts';
import type { ResourceRef } from '../../src/web/console/project/resource-kinds.ts';
import { fakeTimers, MemoryApi, noAnswer, refusal } from './edits-support.ts';

const popup: ResourceRef = { kind: 'popup', id: 'a' };

function opened(t: Test) {
  const timers = fakeTimers(t);
  const store = new ProjectStore('p');
  const api = new MemoryApi();
  const edits = new ProjectEdits(store, api, true, () => undefined);
  t.teardown(() => edits.close());
  const { value, version } = api.write({ id: 'a', title: 'Title', content: 'Content', image: '' });
  store.put(popup, value, version);
  const stored = () => api.resources.get('a')?.value;
  const bodies = () => api.sent.map(({ body }) => body);
  return { timers, store, api, edits, stored, bodies };
}

t.test('what is typed while it is saved is shown, and saved after it', async (t) => {
  const { api, edits, store, stored, bodies } = opened(t);
  let go = (): void => undefined;
  api.before = () => new Promise<void>((resolve) => (go = resolve));
  edits.change('a', { title: 'One' });
  await turn();
  edits.change('a', { title: 'Two' });
  go();
  await turn();
  t.equal(store.shown('a')?.['title'], 'Two');
  go();
  await edits.idle();
  t.strictSame(bodies(), [{ title: 'One' }, { title: 'Two' }]);
  t.match([stored()?.['title'], edits.state.value, edits.hasUnsaved], ['Two', 'saved', false]);
});

t.test('a change of another member by another user is kept', async (t) => {
  const { api, edits, stored } = opened(t);
  api.write({ id: 'a', title: 'Title', content: 'Theirs', image: '' });
  edits.change('a', { title: 'Mine' });
  await edits.idle();
  t.match(stored(), { title: 'Mine', content: 'Theirs' });
  t.match([edits.state.value, edits.notice.value?.isProblem], ['saved', false]);
});

t.test('a change of the same member is a conflict until the user decides', async (t) => {
  for (const decision of ['keepMine', 'takeTheirs'] as const) {
    const { api, edits, store, stored } = opened(t);
    api.write({ id: 'a', title: 'Theirs', content: 'Content', image: '' });
    edits.change('a', { title: 'Mine', content: 'Also mine' });
    await edits.idle();
    t.match(stored(), { title: 'Theirs', content: 'Also mine' }, 'the other member is saved');
    t.strictSame([edits.state.value, store.shown('a')?.['title']], ['conflict', 'Mine']);
    edits.change('a', { title: 'Mine again' });
    await edits.idle();
    t.equal(stored()?.['title'], 'Theirs', 'nothing is sent before the decision');
    const [conflict] = edits.conflicts.value;
    if (conflict?.is !== 'changed') throw new Error('no conflict');
    t.match(conflict.members, [{ member: 'title', base: 'Title', mine: 'Mine again', theirs: 'Theirs' }]);
    edits.decisions[decision](conflict);
    await edits.idle();
    t.equal(stored()?.['title'], decision === 'keepMine' ? 'Mine again' : 'Theirs');
    t.strictSame([edits.state.value, store.shown('a')?.['title']], ['saved', stored()?.['title']]);
  }
});

t.test('a refused value stays with its reason, and the other values are saved', async (t) => {
  const { api, edits, store, stored } = opened(t);
  api.failures.push(refusal(400, 'invalid', 'validation_failed', [{ pointer: '/image', detail: 'must be an address' }]));
  edits.change('a', { title: 'Mine', image: 'none' });
  await edits.idle();
  t.match(stored(), { title: 'Mine', image: '' });
  t.match([edits.state.value, edits.errors.value.get('a')?.['image']], ['refused', /must be an address/]);
  t.equal(store.shown('a')?.['image'], 'none');
  edits.change('a', { image: 'https://a.example/b.png' });
  await edits.idle();
  t.match([edits.state.value, edits.errors.value.size, stored()?.['image']], ['saved', 0, 'https://a.example/b.png']);
});

t.test('a value is sent again when the server answers', async (t) => {
  const { api, timers, edits, stored } = opened(t);
  api.failures.push(noAnswer());
  edits.change('a', { title: 'Mine' });
  await edits.idle();
  t.strictSame([edits.state.value, edits.hasUnsaved, timers.size], ['waiting', true, 1]);
  [...timers.values()][0]?.run();
  await edits.idle();
  t.match([stored()?.['title'], edits.state.value, edits.notice.value?.text], ['Mine', 'saved', '']);
});

t.test('a step that is sent again has the same key', async (t) => {
  const { api, timers, edits, store } = opened(t);
  api.failures.push(noAnswer());
  const created = edits.run([{ op: 'create', at: { kind: 'popup' }, value: { title: 'New' } }]);
  await turn();
  [...timers.values()][0]?.run();
  const [ref] = await created;
  t.equal(store.shown(ref?.id ?? '')?.['title'], 'New');
  const [first, second] = api.keys;
  t.ok(first !== undefined && first === second, `${first}, ${second}`);
});

t.test('undo takes a change back, unless another user has changed the member since', async (t) => {
  const { api, edits, store, stored } = opened(t);
  edits.change('a', { title: 'Mine' });
  await edits.idle();
  t.strictSame(edits.steps.value, { undo: 1, redo: 0 });
  t.match(await edits.undo(), popup);
  t.strictSame([stored()?.['title'], edits.steps.value], ['Title', { undo: 0, redo: 1 }]);
  await edits.redo();
  t.equal(stored()?.['title'], 'Mine');
  const { value, version } = api.write({ id: 'a', title: 'Theirs', content: 'Content', image: '' });
  store.put(popup, value, version);
  await edits.undo();
  t.equal(stored()?.['title'], 'Theirs');
  t.match(edits.conflicts.value, [{ is: 'changed', members: [{ base: 'Mine', mine: 'Title', theirs: 'Theirs' }] }]);
});

t.test('a change of a resource that another user has deleted can be created again', async (t) => {
  const { api, edits, store } = opened(t);
  api.resources.clear();
  store.forgetVersion('a');
  edits.change('a', { title: 'Mine' });
  await edits.idle();
  const [conflict] = edits.conflicts.value;
  if (conflict?.is !== 'deleted') throw new Error('no conflict');
  t.strictSame([store.has('a'), conflict.mine['title'], edits.state.value], [false, 'Mine', 'conflict']);
  const created = await edits.decisions.createAgain(conflict);
  await edits.idle();
  t.match(api.resources.get(created?.id ?? '')?.value, { title: 'Mine', content: 'Content' });
  t.strictSame([edits.conflicts.value, edits.state.value], [[], 'saved']);
});

t.test('an editor that may not write changes nothing', async (t) => {
  const { api, store } = opened(t);
  const reader = new ProjectEdits(store, api, false, () => undefined);
  reader.change('a', { title: 'Mine' });
  t.strictSame(await reader.run([{ op: 'remove', id: 'a' }]), []);
  t.strictSame([store.shown('a')?.['title'], api.sent.length, api.keys.length], ['Title', 0, 0]);
});

// tier: normal
/** The icons of the sets, which the map of the editor fetches once a project names one. */
import t from 'tap';
import { ProjectStore } from '../../src/web/console/document/project-store.ts';
import { showIcons } from '../../src/web/console/map/icon-sets.ts';

const icons = new Map([['maki:cafe', { path: 'M0 0h1z', size: 15 }]]);
const object = (id: string) => ({ kind: 'object', id, artboardId: 'floor' }) as const;
const turn = () => new Promise((resolve) => setImmediate(resolve));

function watched(answers: readonly (() => Promise<typeof icons>)[]) {
  const store = new ProjectStore('p');
  const shown: unknown[] = [];
  let asked = 0;
  const end = showIcons(
    store,
    () => (answers[asked++] as () => Promise<typeof icons>)(),
    (each) => shown.push(each),
  );
  return { store, shown, end, asked: () => asked };
}

t.test('icons are fetched once, when an object names one of a set', async (t) => {
  const { store, shown, asked } = watched([async () => icons]);
  store.put(object('a'), { id: 'a', icon: 'https://example.org/a.svg' }, undefined);
  store.put(object('b'), { id: 'b' }, undefined);
  t.equal(asked(), 0, 'a picture by its address is none of a set');
  store.put(object('c'), { id: 'c', icon: 'maki:cafe' }, undefined);
  store.put(object('d'), { id: 'd', icon: 'temaki:lift' }, undefined);
  await turn();
  t.equal(asked(), 1);
  t.strictSame(shown, [icons]);
});

t.test('an icon of a category needs the sets, too', async (t) => {
  const { store, shown } = watched([async () => icons]);
  const settings = { public_map: { categories: [null, { name: 'Food' }, { name: 'Lifts', icon: 'temaki:lift' }] } };
  store.put({ kind: 'project', id: 'p' }, { id: 'p', settings }, undefined);
  await turn();
  t.strictSame(shown, [icons]);
});

t.test('after a failure the next change asks again; a map that was closed gets no icons', async (t) => {
  const { store, shown, asked, end } = watched([async () => Promise.reject(new Error('no network')), async () => icons]);
  store.put(object('a'), { id: 'a', icon: 'maki:cafe' }, undefined);
  await turn();
  t.strictSame([asked(), shown], [1, []]);
  store.put(object('a'), { id: 'a', icon: 'maki:bar' }, undefined);
  end();
  await turn();
  t.strictSame([asked(), shown], [2, []]);
});

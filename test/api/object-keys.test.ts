// tier: normal
/** Keys of objects: unique on their artboard, found by lists, carried by copies and exports, left out of public maps. */
import t from 'tap';
import { type Answer, type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';

interface Refusal {
  readonly pointer: string;
  readonly detail: string;
}

const errorsOf = ({ text }: Answer): readonly Refusal[] => (JSON.parse(text) as { errors?: Refusal[] }).errors ?? [];

async function make(mapwright: Mapwright, ...keys: (string | undefined)[]) {
  const objects = keys.map((key, i) => ({ type: 'spot', name: `spot ${i}`, ...(key !== undefined && { key }) }));
  const { shown } = await mapwright.post('/projects', { artboards: [{ objects }, {}] });
  const [artboard, other] = shown['artboards'] as [Shown, Shown];
  const at = `/projects/${shown.id}`;
  return {
    project: at,
    artboard: `${at}/artboards/${artboard.id}`,
    objects: `${at}/artboards/${artboard.id}/objects`,
    others: `${at}/artboards/${other.id}/objects`,
    made: artboard['objects'] as Shown[],
  };
}

const keysIn = (objects: unknown): unknown[] => (objects as Shown[]).map(({ key }) => key);

t.test('a key that another object of the artboard has is refused with both names and identifiers', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects, others, made } = await make(mapwright, 'a', 'b', undefined);
  const [a, b, c] = made as [Shown, Shown, Shown];
  const posted = await mapwright.post(objects, { type: 'spot', name: 'new', key: 'a' });
  t.equal(posted.status, 400);
  t.match(errorsOf(posted), [{ pointer: '/key', detail: `"spot 0" (${a.id}) and of the new "new"` }]);
  const patched = await mapwright.patch(`${objects}/${c.id}`, { key: 'b', name: 'renamed' });
  t.match(errorsOf(patched), [{ pointer: '/key', detail: `"spot 1" (${b.id}) and of "renamed" (${c.id})` }]);
  t.equal((await mapwright.post(others, { type: 'spot', key: 'a' })).status, 200, 'another artboard has its own');
  t.equal((await mapwright.patch(`${objects}/${a.id}`, { key: 'a' })).status, 200, 'its own key is no second one');
  for (const key of ['', '']) t.equal((await mapwright.post(objects, { type: 'spot', key })).status, 200);
  t.strictSame(keysIn((await mapwright.get(objects)).list), ['a', 'b', undefined, undefined, undefined]);
  const long = await mapwright.patch(`${objects}/${a.id}`, { key: '𝕏'.repeat(201) });
  t.match(errorsOf(long), [{ pointer: '/key', detail: 'must have at most 200 characters, not 201' }]);
  t.equal((await mapwright.patch(`${objects}/${a.id}`, { key: '𝕏'.repeat(200) })).status, 200);
});

t.test('a key is free again after a deletion, after a change and after a restart', async (t) => {
  const mapwright = await startMapwright(t);
  const { objects, made } = await make(mapwright, 'a', 'b');
  const [a, b] = made as [Shown, Shown];
  const post = async (key: string) => (await mapwright.post(objects, { type: 'spot', key })).status;
  t.strictSame([await post('a'), await post('b')], [400, 400]);
  await mapwright.ask('DELETE', `/v1${objects}/${a.id}`);
  await mapwright.patch(`${objects}/${b.id}`, { key: 'c' });
  t.strictSame([await post('a'), await post('b'), await post('c'), await post('a')], [200, 200, 400, 400]);
  await mapwright.crash();
  t.strictSame([await post('a'), await post('b'), await post('c'), await post('d')], [400, 400, 400, 200]);
  await mapwright.ask('DELETE', `/v1${objects.replace('/objects', '')}`);
  t.equal((await mapwright.get(objects)).status, 404);
});

t.test('a whole collection may exchange keys, and is refused at the second object with one key', async (t) => {
  const mapwright = await startForRequests(t);
  const { project, artboard, objects, made } = await make(mapwright, 'a', 'b', 'c');
  const [a, b, c] = made as [Shown, Shown, Shown];
  t.equal((await mapwright.post(objects, { type: 'spot', key: 'c' })).status, 400, 'the index exists before the exchange');
  const exchanged = await mapwright.patch(artboard, { objects: [{ id: a.id, key: 'b' }, { id: b.id, key: 'a' }, { id: c.id }] });
  t.strictSame(keysIn(exchanged.shown['objects']), ['b', 'a', 'c']);
  t.match(errorsOf(await mapwright.post(objects, { type: 'spot', key: 'b' })), [{ detail: a.id }], 'the index has the exchange');
  const twice = [{ id: c.id }, { type: 'spot', name: 'second', key: 'c' }];
  const refused = await mapwright.patch(artboard, { objects: twice });
  t.match(errorsOf(refused), [{ pointer: '/objects/1/key', detail: `"spot 2" (${c.id}) and of the new "second"` }]);
  const whole = { artboards: [{}, { objects: [{ type: 'spot', key: 'x' }, { type: 'poly' }, { type: 'poly', key: 'x' }] }] };
  for (const answer of [await mapwright.post('/projects', whole), await mapwright.patch(project, whole)]) {
    t.equal(answer.status, 400);
    t.match(errorsOf(answer), [{ pointer: '/artboards/1/objects/2/key' }]);
  }
  const replaced = await mapwright.patch(artboard, { objects: [{ type: 'spot', key: 'a' }] });
  t.strictSame(keysIn(replaced.shown['objects']), ['a'], 'the key of a deleted object is free in the same request');
});

t.test('an operation of a batch sees the keys of those before it', async (t) => {
  const mapwright = await startForRequests(t);
  const { project, artboard, objects, made } = await make(mapwright, 'a', 'b');
  const [a, b] = made as [Shown, Shown];
  const at = `${artboard.slice(project.length)}/objects`;
  const batch = (...operations: object[]) => mapwright.post(`${project}/batch`, { operations });
  const create = (key: string) => ({ method: 'POST', path: at, body: { type: 'spot', key } });
  const change = (id: string, key: string) => ({ method: 'PATCH', path: `${at}/${id}`, body: { key } });
  t.match(errorsOf(await batch(create('n'), create('n'))), [{ pointer: '/operations/1/body/key' }]);
  t.equal((await mapwright.get(`${objects}?key=n`)).list.length, 0, 'nothing was changed');
  t.equal((await batch({ method: 'DELETE', path: `${at}/${a.id}` }, create('a'))).status, 200);
  t.match(errorsOf(await batch(create('a'))), [{ pointer: '/operations/0/body/key' }]);
  t.match(errorsOf(await batch(change(b.id, 'a'))), [{ pointer: '/operations/0/body/key' }]);
  const [made1] = (await mapwright.get(`${objects}?key=a`)).list as [Shown];
  t.equal((await batch(change(b.id, ''), change(made1.id, 'b'), change(b.id, 'a'))).status, 200, 'an exchange');
  t.strictSame(
    (await mapwright.get(`${objects}?key=a`)).list.map(({ id }) => id),
    [b.id],
  );
  t.equal((await batch(create('b'))).status, 400);
  t.equal((await batch(create('c'))).status, 200);
});

t.test('lists are filtered and sorted by key, which copies, exports and imports keep', async (t) => {
  const mapwright = await startForRequests(t);
  const { project, objects } = await make(mapwright, 'b', undefined, 'a');
  const keys = async (query: string) => keysIn((await mapwright.get(`${objects}?${query}`)).list);
  t.strictSame(await keys('key=a'), ['a']);
  t.strictSame(await keys('key='), [undefined]);
  t.strictSame(await keys('sort=-key'), ['b', 'a', undefined]);
  t.strictSame(await keys('fields=key'), ['b', undefined, 'a']);
  const copy = await mapwright.post(`${project}/duplicate`, {});
  const document = JSON.parse((await mapwright.get(`${project}/export`)).text);
  const imported = await mapwright.post('/projects/import', document);
  for (const { shown } of [copy, imported]) {
    const [artboard] = shown['artboards'] as [Shown];
    t.strictSame(keysIn(artboard['objects']), ['b', undefined, 'a']);
    const at = `/projects/${shown.id}/artboards/${artboard.id}/objects`;
    t.equal((await mapwright.post(at, { type: 'spot', key: 'a' })).status, 400);
  }
  document.project.artboards[0].objects[1].key = 'b';
  const refused = await mapwright.post('/projects/import', document);
  t.match(errorsOf(refused), [{ pointer: '/project/artboards/0/objects/1/key', detail: '"spot 0"' }]);
});

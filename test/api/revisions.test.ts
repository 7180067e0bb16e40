/** `GET /revisions`: which projects have changed last. */
import t from 'tap';
import { startForRequests } from '../support/mapwright.ts';

t.test('the project that changed last has the greatest revision', async (t) => {
  const mapwright = await startForRequests(t);
  const made: string[] = [];
  for (const name of ['A', 'B', 'C']) made.push((await mapwright.post('/projects', { name, artboards: [{}] })).shown.id);
  const [a, b, c] = made as [string, string, string];
  const newestFirst = async () => {
    const { list } = await mapwright.get('/revisions');
    const revisions = list as unknown as { project_id: string; revision: number }[];
    return revisions.sort((one, other) => other.revision - one.revision).map(({ project_id }) => project_id);
  };
  t.strictSame(await newestFirst(), [c, b, a]);
  await mapwright.post(`/projects/${a}/popups`, { title: 'Hello' });
  t.strictSame(await newestFirst(), [a, c, b], 'a change of anything in the project counts');
  const artboard = (await mapwright.get(`/projects/${b}/artboards`)).list[0]?.id;
  await mapwright.post(`/projects/${b}/artboards/${artboard}/objects`, { type: 'spot' });
  t.strictSame(await newestFirst(), [b, a, c]);
  const { headers } = await mapwright.get('/revisions');
  const unchanged = await mapwright.get('/revisions', { headers: { 'if-none-match': String(headers['etag']) } });
  t.equal(unchanged.status, 304);
  await mapwright.delete(`/projects/${a}`);
  t.strictSame(await newestFirst(), [b, c]);
});

t.test('revisions come in pages, and only of the projects that the key may read', async (t) => {
  const mapwright = await startForRequests(t);
  const made: string[] = [];
  for (const name of ['A', 'B', 'C']) made.push((await mapwright.post('/projects', { name })).shown.id);
  const first = await mapwright.get('/revisions?limit=2');
  const idsIn = (list: readonly object[]) => list.map((each) => (each as { project_id: string }).project_id);
  t.strictSame(idsIn(first.list), made.slice(0, 2));
  const next = /<([^>]*)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? '';
  const second = await mapwright.get(`/revisions?${new URL(next, 'http://localhost').searchParams}`);
  t.strictSame(idsIn(second.list), made.slice(2));
  t.equal(second.headers['link'], undefined);
});

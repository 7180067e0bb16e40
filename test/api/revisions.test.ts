/** `GET /revisions`: which projects have changed last. */
import t from 'tap';
import { startForRequests } from '../support/mapwright.ts';

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

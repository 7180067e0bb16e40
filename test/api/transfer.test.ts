/** Projects as documents: what an export holds, and what an import makes of it or of anything else. */
import t from 'tap';
import { startMapwright } from '../support/mapwright.ts';
import { makeWorld } from './world.ts';

t.test('an export is the project as it is shown, at a version', async (t) => {
  const world = await makeWorld(await startMapwright(t));
  const { mapwright } = world;
  for (const name of ['Object', 'Popup', 'DataSource', 'Variable', 'Action'] as const) await world.make(name);
  const at = `/projects/${world.projectId}`;
  const [shown, answer] = [await mapwright.get(at), await mapwright.get(`${at}/export`)];
  t.equal(answer.status, 200);
  t.equal(answer.text, `{"format":"mapwright-project","version":1,"project":${shown.text}}`);
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  t.equal(answer.headers.etag, shown.headers.etag);
  const etag = String(answer.headers.etag);
  t.equal((await mapwright.get(`${at}/export`, { headers: { 'if-none-match': etag } })).status, 304);
  t.equal((await mapwright.get(`${at}/export`, { headers: { 'if-match': '"x"' } })).status, 412);
  const head = await mapwright.ask('HEAD', `/v1${at}/export`);
  t.strictSame([head.status, head.text, head.headers.etag], [200, '', etag]);
  t.equal((await mapwright.patch(at, { name: 'x' }, { headers: { 'if-match': etag } })).status, 200);
  t.not((await mapwright.get(`${at}/export`)).headers.etag, etag);
  t.equal((await mapwright.get(`${at}/export?pretty=1`)).status, 400);
  t.equal((await mapwright.post(`${at}/export`, {})).status, 405);
});

t.test('the name of its file', async (t) => {
  const mapwright = await startMapwright(t);
  const names: Record<string, string> = {
    'City walk': 'City-walk',
    '  Wien – Döbling/2027  ': 'Wien-Dobling-2027',
    '"; filename="evil.exe': 'filename-evil-exe',
    '..\\..\r\n': 'project',
    東京: 'project',
    '': 'project',
    ['ﷺ'.repeat(40)]: 'project',
    ['ﬃ'.repeat(400)]: 'ffi'.repeat(40).slice(0, 64),
    ['a'.repeat(100_000)]: 'a'.repeat(64),
  };
  for (const [name, file] of Object.entries(names)) {
    const { id } = (await mapwright.post('/projects', { name })).shown;
    const { headers } = await mapwright.get(`/projects/${id}/export`);
    t.equal(headers['content-disposition'], `attachment; filename="${file}.mapwright.json"`);
  }
});

t.test('who may export', async (t) => {
  const world = await makeWorld(await startMapwright(t));
  const { mapwright } = world;
  const at = `/projects/${world.projectId}/export`;
  const { server } = mapwright;
  const other = (await mapwright.post('/projects', {})).shown.id;
  const reader = (await server.createKey('ann', { readOnly: true, projects: [world.projectId] })).key;
  t.equal((await mapwright.get(at, { key: reader })).status, 200);
  t.equal((await mapwright.get(`/projects/${other}/export`, { key: reader })).status, 404);
  t.equal((await mapwright.get(at, { key: await mapwright.newKey('bob') })).status, 404);
  t.equal((await mapwright.get(at, { key: '' })).status, 401);
});

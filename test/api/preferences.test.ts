// tier: normal
/** Writes that return less: `Prefer: return=minimal` (RFC 7240), and `?fields=`. */
import t from 'tap';
import { type Ask, type Shown, startForRequests } from '../support/mapwright.ts';
import { png } from './pictures.ts';
import { makeWorld } from './world.ts';

const mapwright = await startForRequests(t);
const minimal = { headers: { prefer: 'return=minimal' } };
const put = (at: string, asked: Ask = {}) => mapwright.ask('PUT', `/v1${at}`, asked);

t.test('what creates or changes a project, a file or a version takes the preference, too', async (t) => {
  const { id } = (await mapwright.post('/projects', { name: 'City', popups: [{}] })).shown;
  const at = `/projects/${id}`;
  const exported = (await mapwright.get(`${at}/export`)).text;
  const creating: [path: string, body: unknown, headers?: Record<string, string>][] = [
    ['/projects', { name: 'New' }],
    ['/projects/import', exported],
    [`${at}/duplicate`, {}],
    [`${at}/files?name=a.png`, png(), { 'content-type': 'image/png' }],
    [`${at}/versions`, { name: 'first' }],
  ];
  for (const [path, body, headers] of creating) {
    const answer = await mapwright.post(path, body, { headers: { ...minimal.headers, ...headers } });
    t.match(answer, { status: 204, text: '' }, path);
    const listed = path.includes('/files') || path.includes('/versions') ? path.replace(/\?.*/, '') : '/projects';
    const ids = (await mapwright.get(listed)).list.map((each) => `/v1${listed}/${each.id}`);
    t.ok(ids.includes(answer.headers.location as string), `${path}: ${answer.headers.location}`);
  }
  const batch = { operations: [{ method: 'PATCH', path: '/', body: { name: 'Batch' } }] };
  const batched = await mapwright.post(`${at}/batch`, batch, minimal);
  t.match(batched, { status: 204, text: '', headers: { location: undefined } });
  t.match(await mapwright.get(at), { shown: { name: 'Batch' }, headers: { etag: batched.headers.etag } });
  const published = await mapwright.ask('PUT', `/v1${at}/publication`, minimal);
  t.match(published, { status: 204, text: '' });
  t.equal((await mapwright.get(`${at}/publication`)).headers.etag, published.headers.etag);
  const [version] = (await mapwright.get(`${at}/versions`)).list as [Shown];
  t.match(await mapwright.post(`${at}/versions/${version.id}/restore`, '', minimal), {
    status: 204,
    headers: { location: undefined },
  });
});

t.test('the preference is read as RFC 7240 writes it, and ignored elsewhere', async (t) => {
  const { id } = (await mapwright.post('/projects', {})).shown;
  const statusOf = async (prefer: string) =>
    (await mapwright.patch(`/projects/${id}`, { name: prefer }, { headers: { prefer } })).status;
  for (const prefer of [
    'return=minimal',
    'Return="minimal"',
    'respond-async, return=minimal; a=b',
    'return = minimal, return=representation',
  ])
    t.equal(await statusOf(prefer), 204, prefer);
  for (const prefer of [
    'return=representation',
    'return=minimal2',
    'return',
    'return=representation, return=minimal',
    'minimal',
    'a=", return=minimal"',
    'noreturn=minimal',
  ])
    t.equal(await statusOf(prefer), 200, prefer);
  t.equal((await mapwright.get(`/projects/${id}`, minimal)).status, 200, 'a read has no such preference');
  t.equal((await mapwright.post('/projects', { nome: 'x' }, minimal)).status, 400, 'a refusal has its body');
});

t.test('a repetition with the same Idempotency-Key is as short as the repetition asks for', async (t) => {
  const headers = { 'idempotency-key': 'preference-1' };
  const first = await mapwright.post('/projects', { name: 'Once' }, { headers });
  const again = await mapwright.post('/projects', { name: 'Once' }, { headers: { ...headers, ...minimal.headers } });
  t.match(again, {
    status: 204,
    text: '',
    headers: { location: `/v1/projects/${first.shown.id}`, etag: first.headers.etag, 'idempotency-replayed': 'true' },
  });
  const other = { 'idempotency-key': 'preference-2' };
  const short = await mapwright.post('/projects', { name: 'Twice' }, { headers: { ...other, ...minimal.headers } });
  const whole = await mapwright.post('/projects', { name: 'Twice' }, { headers: other });
  t.equal(`/v1/projects/${whole.shown.id}`, short.headers.location, 'the whole resource is there');
});

t.test('fields names the members in the response to a write, before anything is written', async (t) => {
  const world = await makeWorld(mapwright);
  const at = `/projects/${world.projectId}`;
  const created = await mapwright.post('/projects?fields=name', { name: 'A', popups: [{}] });
  t.strictSame(created.shown, { id: created.shown.id, name: 'A' });
  t.strictSame((await mapwright.patch(`${at}?fields=name,created`, { name: 'B' })).shown, {
    id: world.projectId,
    created: (await mapwright.get(at)).shown['created'],
    name: 'B',
  });
  const tag = (await mapwright.patch(`${at}?fields=id`, { name: 'C' })).headers.etag;
  t.equal((await mapwright.get(at)).headers.etag, tag, 'the tag is that of the whole project');
  const before = await world.bytes();
  t.match(await mapwright.patch(`${at}?fields=nome`, { name: 'D' }), {
    status: 400,
    problem: { errors: [{ parameter: 'fields' }] },
  });
  t.match(await mapwright.post(`${at}/duplicate?fields=nome`, {}), { status: 400 });
  t.equal(await world.bytes(), before);
  t.strictSame(Object.keys((await mapwright.post(`${at}/duplicate?fields=name`, {})).shown), ['id', 'name']);
  const exported = (await mapwright.get(`${at}/export`)).text;
  t.strictSame(Object.keys((await mapwright.post('/projects/import?fields=name', exported)).shown), ['id', 'name']);
  const uploaded = await mapwright.post(`${at}/files?name=a.png&fields=url`, png(), { headers: { 'content-type': 'image/png' } });
  t.strictSame(Object.keys(uploaded.shown), ['id', 'url']);
  const headers = { 'idempotency-key': 'fields-1' };
  const once = await mapwright.post(`${at}/popups?fields=title`, { title: 'x' }, { headers });
  t.strictSame(
    (await mapwright.post(`${at}/popups?fields=title`, { title: 'x' }, { headers })).text,
    once.text,
    'also when it is repeated',
  );
});

t.test('fields names the members of a publication, also in the response to a PUT', async (t) => {
  const { id } = (await mapwright.post('/projects', { name: 'Public' })).shown;
  const at = `/projects/${id}/publication`;
  const refused = { status: 400, problem: { errors: [{ parameter: 'fields' }] } };
  t.match(await put(`${at}?fields=id`), refused);
  t.equal((await mapwright.get(at)).status, 404, 'a name that does not exist publishes nothing');
  const published = await put(`${at}?fields=version,url`);
  t.match(published.shown, { url: /^\/p\//, version: 1 });
  t.strictSame(Object.keys(published.shown), ['url', 'version'], 'there is no id');
  t.equal((await mapwright.get(at)).headers.etag, published.headers.etag, 'the tag is that of the whole publication');
  t.strictSame((await mapwright.get(`${at}?fields=url`)).shown, { url: published.shown['url'] });
  t.match(await mapwright.get(`${at}?fields=slug,slug`), refused);
  const picture = { body: png(1200, 630, 'x'.repeat(100)), headers: { 'content-type': 'image/png' } };
  t.match(await put(`${at}/picture?fields=digest`, picture), refused);
  t.equal((await mapwright.get(at)).shown['picture'], null, 'nor sets a picture');
  const pictured = await put(`${at}/picture?fields=picture`, picture);
  t.strictSame(Object.keys(pictured.shown), ['picture']);
  t.match(pictured.shown, { picture: /^\/p\/.*\/picture-/ });
});

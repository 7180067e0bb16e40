// tier: normal
/** `GET /me`: account, key, access, limits and use. */
import t from 'tap';
import { startForRequests } from '../support/mapwright.ts';
import { png } from './pictures.ts';

t.test('it shows the account and the key of the request, its limits, and what it uses', async (t) => {
  const mapwright = await startForRequests(t, { rateLimit: '5000/s', quotas: { members: 500 } });
  const {
    id: keyId,
    key,
    account,
  } = await mapwright.server.createKey('acme', { label: 'Build', expires: '2999-01-01T00:00:00.000Z', rate: '900/s' });
  const me = async (asking = key) => (await mapwright.get('/me', { key: asking })).shown;
  const nothing = { projects: 0, members: 0, bytes: 0, versions: 0 };
  t.match(await me(), {
    account: { id: account.id, name: 'acme', created: account.created },
    key: { id: keyId, label: 'Build', expires: '2999-01-01T00:00:00.000Z', rate: '900/s' },
    access: 'write',
    projects: null,
    limits: { rate: '5000/s', projects: null, members: 500, bytes: null, versions: 10_000 },
    use: nothing,
  });
  const { id } = (await mapwright.post('/projects', { popups: [{}, {}] }, { key })).shown;
  const first = (await me())['use'] as typeof nothing;
  t.match(first, { projects: 1, members: 2, versions: 0 });
  await mapwright.post(`/projects/${id}/files?name=a.png`, png(3, 2, 'x'.repeat(5000)), {
    key,
    headers: { 'content-type': 'image/png' },
  });
  await mapwright.post(`/projects/${id}/versions`, {}, { key });
  const second = (await me())['use'] as typeof nothing;
  t.match(second, { projects: 1, members: 3, versions: 1 });
  t.ok(second.bytes > first.bytes + 5000, `${second.bytes} bytes after ${first.bytes}`);
  t.equal(
    second.bytes,
    (await mapwright.server.accounts()).find(({ name }) => name === 'acme')?.bytes,
    'as the operator sees it',
  );
  await mapwright.server.setLimits('acme', { rate: 'none', projects: 3, members: 'none', bytes: 1_000_000, versions: 2 });
  t.match(await me(), { limits: { rate: null, projects: 3, members: null, bytes: 1_000_000, versions: 2 }, use: second });
  await mapwright.server.renameAccount('acme', 'Acme Inc');
  t.match(await me(), { account: { id: account.id, name: 'Acme Inc' } });
});

t.test('a key for reading sees its access, and a key of certain projects nothing of the others', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  await mapwright.post('/projects', { name: 'secret' });
  const reader = await mapwright.server.createKey('ann', { readOnly: true });
  t.match((await mapwright.get('/me', { key: reader.key })).shown, {
    access: 'read',
    projects: null,
    key: { expires: null, rate: null },
    use: { projects: 2 },
  });
  const few = await mapwright.server.createKey('ann', { projects: [id] });
  t.match((await mapwright.get('/me', { key: few.key })).shown, { access: 'write', projects: [id], limits: null, use: null });
  const response = await mapwright.server.fetch(new Request('http://local/v1/me'), { account: 'ann' });
  t.match(await response.json(), { account: { name: 'ann' }, key: null, access: 'write' });
  t.match(await mapwright.get('/me', { key: '' }), { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  t.match(await mapwright.get('/me', { key: 'mw_wrong' }), {
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
});

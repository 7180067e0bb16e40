// tier: normal
/** Quotas over HTTP: exact limits under concurrent requests; requests that do not grow the account pass. */
import t from 'tap';
import { type Answer, type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';

const statuses = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status).length;
const accountIn = async (mapwright: Mapwright, name = 'ann') =>
  (await mapwright.server.accounts()).find((account) => account.name === name);

t.test('concurrent requests create exactly as many projects as the quota, also after crashes and snapshots', async (t) => {
  const mapwright = await startMapwright(t);
  const bob = await mapwright.newKey('bob');
  const second = await mapwright.newKey('ann');
  await mapwright.server.setLimits('ann', { projects: 7 });
  const all = () => {
    const one = (_: unknown, i: number) =>
      mapwright.post('/projects', { name: `${i}` }, { key: i % 2 === 0 ? second : mapwright.key });
    return Promise.all(Array.from({ length: 30 }, one));
  };
  const answers = await all();
  t.strictSame([statuses(answers, 200), statuses(answers, 403)], [7, 23]);
  const refused = answers.find(({ status }) => status === 403) as Answer;
  t.match(refused.problem, {
    code: 'quota_exceeded',
    title: 'Quota exceeded',
    detail:
      'Quota exceeded: your account may have 7 projects; it has 7, and this request would add 1: nothing was changed. Deletes and changes without growth still work. Delete projects, or ask the operator for a higher quota.',
  });
  t.equal(refused.headers['www-authenticate'], undefined, 'another key would not help');
  t.equal((await mapwright.get('/projects')).list.length, 7);
  await mapwright.crash();
  t.equal(statuses(await all(), 403), 30, 'after a crash');
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.equal(statuses(await all(), 403), 30, 'after a snapshot and a crash');
  const [first] = (await mapwright.get('/projects')).list;
  t.equal((await mapwright.patch(`/projects/${first?.id}`, { name: 'a longer name' })).status, 200);
  t.equal((await mapwright.delete(`/projects/${first?.id}`)).status, 204);
  t.equal(statuses(await all(), 200), 1, 'one is gone, one more fits');
  t.equal((await mapwright.post('/projects', {}, { key: bob })).status, 200, 'another account has no limit');
  await mapwright.server.setLimits('ann', { projects: 'none' });
  t.equal((await mapwright.post('/projects', {})).status, 200, 'lifted at once');
  t.match((await mapwright.ask('GET', '/metrics', { key: '' })).text, /reason="quota_projects"[^\n]*\} 59\n/);
});

t.test('the quota of members counts all kinds, and a batch beyond it changes nothing', async (t) => {
  const mapwright = await startForRequests(t);
  await mapwright.server.setLimits('ann', { members: 10 });
  const members = async () => (await accountIn(mapwright))?.members;
  const objects = [{ type: 'spot' }, { type: 'spot' }];
  const at = `/projects/${(await mapwright.post('/projects', { artboards: [{ objects }], popups: [{}] })).shown.id}`;
  t.equal(await members(), 4);
  const before = (await mapwright.get(at)).text;
  t.equal((await mapwright.post('/projects', { popups: Array.from({ length: 7 }, () => ({})) })).status, 403);
  t.equal((await mapwright.get('/projects')).list.length, 1, 'nothing of it was made');
  const post = { method: 'POST', path: '/popups', body: {} };
  const batch = (operations: unknown[]) => mapwright.post(`${at}/batch`, { operations });
  const refused = await batch(Array.from({ length: 7 }, () => post));
  t.match([refused.status, refused.problem.detail], [403, /may have 10 members; it has 4, and this request would add 7:/]);
  t.equal((await mapwright.get(at)).text, before);
  t.equal((await batch(Array.from({ length: 6 }, () => post))).status, 200);
  t.equal((await mapwright.post(`${at}/variables`, {})).status, 403);
  const [artboard] = (await mapwright.get(`${at}/artboards`)).list;
  const [popup] = (await mapwright.get(`${at}/popups`)).list;
  const swap = await batch([post, { method: 'DELETE', path: `/popups/${popup?.id}` }]);
  t.equal(swap.status, 200, 'what counts is what comes of all of it');
  const passing = await batch([{ ...post, as: 'a' }, post, { method: 'DELETE', path: '/popups/{a}' }]);
  t.equal(passing.status, 403);
  t.equal(
    (
      await batch([
        { ...post, as: 'a' },
        { method: 'DELETE', path: '/popups/{a}' },
      ])
    ).status,
    200,
  );
  const held = [
    { method: 'POST', path: `/artboards/${artboard?.id}/objects`, body: { type: 'spot' } },
    { method: 'DELETE', path: `/artboards/${artboard?.id}` },
  ];
  t.equal(
    (await batch([...held, post, post, post, post])).status,
    403,
    'an artboard takes its objects with it, also the new one',
  );
  t.equal((await batch([...held, post, post, post])).status, 200);
  t.equal(await members(), 10);
  const again = (await mapwright.get(`${at}/popups`)).list;
  t.equal(
    (await mapwright.patch(at, { popups: again.slice(1).concat({ title: 'new' } as never) })).status,
    200,
    'one for another',
  );
  t.equal((await mapwright.patch(at, { popups: [...again, {}, {}] })).status, 400, 'wrong before too much: that one is gone');
  await mapwright.server.setLimits('ann', { members: 3 });
  t.equal((await mapwright.patch(at, { popups: [{}, {}, {}, {}] })).status, 200, 'fewer, though still above it');
  t.equal((await mapwright.post(`${at}/popups`, {})).status, 403);
  t.equal((await mapwright.patch(at, { name: 'other', popups: [] })).status, 200);
  t.equal(await members(), 0);
});

t.test('versions take no room of members: the server keeps them unasked', async (t) => {
  const mapwright = await startForRequests(t);
  await mapwright.server.setLimits('ann', { members: 1 });
  const at = `/projects/${(await mapwright.post('/projects', {})).shown.id}`;
  const { shown: version } = await mapwright.post(`${at}/versions`, { name: 'empty' });
  t.match(version, { name: 'empty' });
  t.equal((await accountIn(mapwright))?.members, 0);
  t.equal((await mapwright.post(`${at}/popups`, {})).status, 200);
  t.equal((await mapwright.post(`${at}/popups`, {})).status, 403);
  t.equal((await mapwright.post(`${at}/versions`, {})).status, 200, 'and need none');
  t.equal((await mapwright.delete(`${at}/versions/${version.id}`)).status, 204);
  t.equal((await accountIn(mapwright))?.members, 1);
});

t.test('concurrent creates in several projects reach exactly the quota of members', async (t) => {
  const mapwright = await startForRequests(t);
  const paths: string[] = [];
  for (let i = 0; i < 5; i++) paths.push(`/projects/${(await mapwright.post('/projects', {})).shown.id}`);
  await mapwright.server.setLimits('ann', { members: 31 });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => {
      const at = paths[i % 5] as string;
      if (i % 3 > 0) return mapwright.post(`${at}/popups`, { title: `${i}` });
      return mapwright.post(`${at}/batch`, {
        operations: Array.from({ length: 3 }, () => ({ method: 'POST', path: '/variables', body: {} })),
      });
    }),
  );
  const made = answers.reduce((sum, { status }, i) => sum + (status === 200 ? (i % 3 > 0 ? 1 : 3) : 0), 0);
  const shown = await Promise.all(paths.map((at) => mapwright.get(at)));
  const there = shown.reduce((sum, { shown }) => sum + (shown['popups'] as []).length + (shown['variables'] as []).length, 0);
  t.strictSame([made, there, (await accountIn(mapwright))?.members], [31, 31, 31]);
});

t.test('the quota of bytes refuses growth and lets requests that shrink pass', async (t) => {
  const mapwright = await startMapwright(t);
  t.equal((await accountIn(mapwright))?.bytes, 0);
  await mapwright.server.setLimits('ann', { bytes: 5000 });
  const used = async () => (await accountIn(mapwright))?.bytes ?? 0;
  t.equal(await used(), 0);
  const at = `/projects/${(await mapwright.post('/projects', { name: 'a' })).shown.id}`;
  const popup = `${at}/popups/${(await mapwright.post(`${at}/popups`, { content: 'x'.repeat(3000) })).shown.id}`;
  const before = await used();
  t.ok(before > 3000 && before < 3500, `${before}`);
  const refused = await mapwright.post(`${at}/popups`, { content: 'x'.repeat(3000) });
  t.match([refused.status, refused.problem.detail], [403, /may have 5000 bytes; it has \d+, and this request would add \d+:/]);
  t.equal((await mapwright.patch(popup, { content: 'x'.repeat(6000) })).status, 403);
  t.equal(await used(), before, 'nothing was changed');
  t.equal((await mapwright.patch(popup, { content: 'y'.repeat(4000) })).status, 200);
  await mapwright.server.setLimits('ann', { bytes: 100 });
  t.equal((await mapwright.patch(popup, { content: 'y'.repeat(4001) })).status, 403);
  t.equal((await mapwright.patch(popup, { content: 'z'.repeat(4000) })).status, 200, 'as large as before');
  t.equal((await mapwright.patch(popup, { content: 'z'.repeat(3999) })).status, 200);
  t.equal((await mapwright.patch(at, { name: '' })).status, 200);
  t.equal((await mapwright.patch(at, { name: 'bb' })).status, 403);
  const after = await used();
  await mapwright.crash();
  t.equal(await used(), after);
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.equal(await used(), after);
  t.equal((await mapwright.delete(popup)).status, 204);
  t.equal((await mapwright.delete(at)).status, 204);
  t.equal(await used(), 0);
});

t.test('limits of an account override the quotas of the options', async (t) => {
  const mapwright = await startForRequests(t, { quotas: { projects: 1, members: 2, bytes: 10_000 } });
  const bob = await mapwright.newKey('bob');
  await mapwright.server.setLimits('bob', { projects: 2, bytes: 'none' });
  const make = async (key: string, body: unknown = {}) => (await mapwright.post('/projects', body, { key })).status;
  t.strictSame([await make(mapwright.key), await make(mapwright.key)], [200, 403]);
  const large = { settings: { text: 'x'.repeat(20_000) } };
  t.strictSame(
    [await make(bob, large), await make(bob, { popups: [{}, {}, {}] }), await make(bob), await make(bob)],
    [200, 403, 200, 403],
  );
  t.match(await accountIn(mapwright, 'bob'), {
    projects: 2,
    bytes: Number,
    limits: { projects: 2, members: 'default', bytes: 'none' },
  });
  t.match(await accountIn(mapwright), { projects: 1, members: 0, bytes: Number, limits: { projects: 'default' } });
});

t.test('a refused request with an Idempotency-Key is carried out when there is room', async (t) => {
  const mapwright = await startForRequests(t);
  await mapwright.server.setLimits('ann', { projects: 0 });
  const ask = () => mapwright.post('/projects', { name: 'a' }, { headers: { 'idempotency-key': 'k' } });
  t.equal((await ask()).status, 403);
  await mapwright.server.setLimits('ann', { projects: 'default' });
  const made = await ask();
  t.equal(made.status, 200);
  await mapwright.server.setLimits('ann', { projects: 0 });
  t.equal((await ask()).text, made.text, 'the answer is given again, nothing grows by it');
});

t.test('an invalid limit or quota is refused and sets nothing', async (t) => {
  const mapwright = await startForRequests(t);
  const wrong: unknown[] = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null, true, [5], {}];
  for (const projects of wrong)
    await t.rejects(mapwright.server.setLimits('ann', { projects } as never), { name: 'OperationError' }, String(projects));
  await t.rejects(mapwright.server.setLimits('ann', { project: 5 } as never), { message: /did you mean "projects"/ });
  await t.rejects(mapwright.server.setLimits('ann', {}), { message: /No limit given/ });
  await t.rejects(mapwright.server.setLimits('ann', null as never), { name: 'OperationError' });
  await t.rejects(mapwright.server.setLimits(5 as never, { projects: 5 }), { name: 'OperationError' });
  for (const quotas of [{ projects: -1 }, { members: '5' }, { byte: 5 }])
    await t.rejects(startForRequests(t, { quotas } as never), { name: 'TypeError', message: /"quotas/ });
  t.match(await accountIn(mapwright), { limits: { rate: 'default', projects: 'default', members: 'default', bytes: 'default' } });
});

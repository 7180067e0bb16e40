// tier: normal
/** `Idempotency-Key`: each request takes effect once, and repeats get the first response, also after restarts. */
import t from 'tap';
import { type Answer, type Ask, type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { sized } from '../support/tier.ts';
import { leastBody, resourceNames } from './contract.ts';
import { makeWorld } from './world.ts';

const dayMs = 24 * 60 * 60 * 1000;
const keyed = (key: string): Ask => ({ headers: { 'idempotency-key': key } });
const replayed = ({ headers }: Answer): unknown => headers['idempotency-replayed'];

t.test('a repeated create of any kind gets the first response again, also after a crash', async (t) => {
  const mapwright = await startMapwright(t);
  const world = await makeWorld(mapwright);
  const given: { at: string; body: object; key: string; first: Answer }[] = [];
  for (const name of resourceNames) {
    const at = name === 'Project' ? '/projects' : world.at(name);
    const nested = name === 'Project' ? { artboards: [{ objects: [{ type: 'spot' }] }], popups: [{}] } : {};
    const body = { ...leastBody(name), name: `é ${name}`, ...nested };
    const key = `key of ${name}`;
    const first = await mapwright.post(at, body, keyed(`"${key}"`));
    t.equal(first.status, 200, name);
    t.equal(replayed(first), undefined);
    t.strictSame((await mapwright.get(`${at}/${first.shown.id}`)).json, first.json);
    given.push({ at, body, key, first });
  }
  const operations = [
    { method: 'POST', path: '/popups', body: {}, as: 'a' },
    { method: 'DELETE', path: '/popups/{a}' },
  ];
  const at = `/projects/${world.projectId}/batch`;
  given.push({ at, body: { operations }, key: 'batch', first: await mapwright.post(at, { operations }, keyed('"batch"')) });

  const copy = `/projects/${world.projectId}/duplicate`;
  given.push({ at: copy, body: {}, key: 'copy', first: await mapwright.post(copy, {}, keyed('"copy"')) });
  const document = (await mapwright.get(`/projects/${world.projectId}/export`)).json as object;
  const imported = await mapwright.post('/projects/import', document, keyed('"import"'));
  given.push({ at: '/projects/import', body: document, key: 'import', first: imported });

  const all = async (when: string): Promise<void> => {
    for (const { at, body, key, first } of given) {
      const before = mapwright.lastRecord();
      const again = await mapwright.post(at, body, keyed(`"${key}"`));
      t.strictSame([again.status, again.text, again.headers.etag], [200, first.text, first.headers.etag], `${key}, ${when}`);
      t.equal(again.headers['content-type'], first.headers['content-type']);
      t.equal(replayed(again), 'true');
      t.equal(mapwright.lastRecord(), before, 'nothing is logged for it');
    }
  };
  await all('at once');
  for (const { at, first } of given) {
    const { id } = first.json as { id?: string };
    if (id !== undefined)
      await mapwright.patch(`${at.replace(/\/[^/]+\/duplicate$|\/import$/, '')}/${id}`, { name: 'changed since' });
  }
  await all('although they changed since');
  await mapwright.crash();
  await all('after a kill');
  await mapwright.server.snapshot();
  await mapwright.post('/projects', {});
  await all('after a snapshot');
  await mapwright.crash();
  await all('after a snapshot and a kill');
  await mapwright.server.snapshot();
  await mapwright.post('/projects', {}, keyed('another'));
  await mapwright.server.snapshot();
  await mapwright.restart();
  await all('after further snapshots and a restart');
  for (const { at, first } of given) {
    const { id } = first.json as { id?: string };
    const list = at.replace(/\/[^/]+\/duplicate$|\/import$/, '');
    if (id !== undefined) t.equal((await mapwright.delete(`${list}/${id}`)).status, 204);
  }
  await all('although they were deleted since');
});

t.test('an Idempotency-Key with another request gets 422', async (t) => {
  const mapwright = await startForRequests(t);
  const first = await mapwright.post('/projects', { name: 'one', thumb: '' }, keyed('k'));
  const other = (await mapwright.post('/projects', {})).shown.id;
  for (const [at, body] of [
    ['/projects', { name: 'two', thumb: '' }],
    ['/projects', { name: 'one' }],
    [`/projects/${other}/popups`, { name: 'one', thumb: '' }],
    [`/projects/${other}/batch`, { operations: [] }],
  ] as const) {
    const refused = await mapwright.post(at, body, keyed('k'));
    const isSound = at === '/projects' || at.endsWith('batch');
    t.equal(refused.status, 422, `${at} ${JSON.stringify(body)}`);
    t.equal(refused.problem.code, 'unprocessable', isSound ? '' : 'the key is looked at before the body is checked');
  }
  const spaced = await mapwright.post('/projects', ' {"name" :"one",\n"thumb":""}', keyed('k'));
  t.strictSame([spaced.status, spaced.text], [200, first.text], 'the same body in other words');
  const prefix = await mapwright.ask('POST', '/api/v1/projects', { body: { name: 'one', thumb: '' }, ...keyed('"k"') });
  t.strictSame([prefix.status, prefix.text], [200, first.text], 'by the other prefix, and with quotation marks');
  t.equal((await mapwright.get('/projects')).list.length, 2);
  const bob = await mapwright.newKey('bob');
  const his = await mapwright.post('/projects', { name: 'two' }, { ...keyed('k'), key: bob });
  t.strictSame([his.status, replayed(his)], [200, undefined], 'another account has keys of its own');
});

t.test('a batch that changes nothing is remembered under its Idempotency-Key', async (t) => {
  const mapwright = await startMapwright(t);
  const { id } = (await mapwright.post('/projects', { name: 'A' })).shown;
  const batch = (name: string, key: string) =>
    mapwright.post(`/projects/${id}/batch`, { operations: [{ method: 'PATCH', path: '/', body: { name } }] }, keyed(key));
  const before = await mapwright.get(`/projects/${id}`);
  const first = await batch('A', 'k');
  t.strictSame([first.status, first.headers.etag], [200, before.headers.etag], 'it is as it was');
  t.equal((await mapwright.post(`/projects/${id}/batch`, { operations: [] }, keyed('none'))).status, 200);
  const changed = await mapwright.patch(`/projects/${id}`, { name: 'B' });
  const all = async (when: string) => {
    const again = await batch('A', 'k');
    t.strictSame(
      [again.status, again.text, again.headers.etag, replayed(again)],
      [200, first.text, first.headers.etag, 'true'],
      when,
    );
    t.equal(replayed(await mapwright.post(`/projects/${id}/batch`, { operations: [] }, keyed('none'))), 'true');
    t.equal((await mapwright.get(`/projects/${id}`)).text, changed.text, 'the later change is kept');
    t.equal((await batch('C', 'k')).status, 422);
  };
  await all('at once');
  await mapwright.crash();
  await all('after a kill');
  await mapwright.server.snapshot();
  await mapwright.restart();
  await all('from a snapshot');
});

t.test('a refused request is not remembered under its Idempotency-Key', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  t.equal((await mapwright.post(`/projects/${id}/popups`, { titel: '' }, keyed('k'))).status, 400);
  t.equal((await mapwright.post('/projects/none/popups', { title: '' }, keyed('k'))).status, 404);
  t.equal(
    (await mapwright.post(`/projects/${id}/popups`, {}, { headers: { 'idempotency-key': 'k', 'if-match': '"x"' } })).status,
    412,
  );
  const made = await mapwright.post(`/projects/${id}/popups`, { title: '' }, keyed('k'));
  t.strictSame([made.status, replayed(made)], [200, undefined]);
  const batch = (operations: object[]) => mapwright.post(`/projects/${id}/batch`, { operations }, keyed('b'));
  t.equal((await batch([{ method: 'DELETE', path: '/popups/none' }])).status, 404);
  const none = await batch([]);
  t.strictSame([none.status, replayed(none)], [200, undefined]);
});

t.test('a malformed Idempotency-Key gets 400', async (t) => {
  const mapwright = await startForRequests(t);
  for (const key of [
    ' ',
    '""',
    '"',
    '"a',
    'a"',
    'a b',
    'é',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
    '"a", "b"',
    'a\\b',
    '"a\\b"',
  ]) {
    const refused = await mapwright.post('/projects', {}, keyed(key));
    t.equal(refused.status, 400, JSON.stringify(key));
    t.match(refused.problem.detail, /Idempotency-Key/);
    t.strictSame(refused.problem.errors, [{ pointer: '', header: 'Idempotency-Key', detail: refused.problem.detail }]);
  }
  for (const key of ['x', 'x'.repeat(255), '"a b"', '"a\\"b"', '8e03978e-40d5-43dd-bc93-6894a57f9324', '__proto__', 'a,b'])
    t.equal((await mapwright.post('/projects', { name: key }, keyed(key))).status, 200, key);
  t.equal((await mapwright.get('/projects')).list.length, 7);
});

t.test('concurrent requests with one Idempotency-Key take effect once; the others get 409 or the same response', async (t) => {
  const rounds = sized({ sample: 5, all: 20 });
  const mapwright = await startMapwright(t);
  for (let round = 0; round < rounds; round++) {
    const ask = () => mapwright.post('/projects', { name: `${round}` }, keyed(`round ${round}`.replace(' ', '-')));
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    const made = answers.filter(({ status }) => status === 200);
    t.equal(new Set(made.map(({ text }) => text)).size, 1, 'one answer');
    t.equal(made.filter((answer) => replayed(answer) === undefined).length, 1, 'one of them the first');
    for (const { status, headers } of answers.filter(({ status }) => status !== 200)) {
      t.equal(status, 409, 'the rest came while it was carried out');
      t.equal(headers['retry-after'], '1');
    }
    t.equal((await ask()).text, made[0]?.text);
    if (round % 5 === 4) await mapwright.crash();
  }
  t.equal((await mapwright.get('/projects')).list.length, rounds);
});

t.test('repeats that arrive while the first request waits for a lock take effect once', async (t) => {
  const mapwright = await startForRequests(t, { segmentBytes: 16 * 1024 * 1024 });
  const { id } = (await mapwright.post('/projects', {})).shown;
  const list = `/projects/${id}/variables`;
  // A large change holds the project's lock for many slices.
  let over = false;
  const large = mapwright.patch(`/projects/${id}`, {
    popups: Array.from({ length: sized({ sample: 12_000, all: 40_000 }) }, () => ({})),
  });
  const ended = large.then(() => {
    over = true;
  });
  const asked: Promise<Answer>[] = [];
  let keys = 0;
  while (!over) {
    const key = keyed(`k${keys++}`);
    const some = Array.from({ length: 4 }, () => mapwright.post(list, { name: 'one' }, key));
    asked.push(...some);
    await Promise.race([Promise.any(some), ended]);
  }
  t.equal((await large).status, 200);
  const answers = await Promise.all(asked);
  t.strictSame(
    [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 409),
    [200],
  );
  t.equal((await mapwright.get(list)).list.length, keys, 'each made once');
});

t.test('an Idempotency-Key expires after a day', async (t) => {
  let now = Date.now();
  const mapwright = await startMapwright(t, { clock: () => now });
  const ask = async (): Promise<[unknown, string]> => {
    const answer = await mapwright.post('/projects', {}, keyed('k'));
    return [replayed(answer), answer.shown.id];
  };
  const [, first] = await ask();
  now += dayMs - 1;
  t.strictSame(await ask(), ['true', first]);
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.strictSame(await ask(), ['true', first]);
  now += 1;
  const [mark, second] = await ask();
  t.equal(mark, undefined);
  t.not(second, first);
  t.strictSame(await ask(), ['true', second]);
  await mapwright.crash();
  t.strictSame(await ask(), ['true', second]);
});

t.test('an account whose remembered responses are full gets 429 until the oldest expires', async (t) => {
  let now = Date.now();
  const mapwright = await startMapwright(t, { clock: () => now, idempotencyBytes: 20_000 });
  const firsts: Answer[] = [];
  let refused: Answer | undefined;
  for (let i = 0; refused === undefined; i++) {
    now += 1000;
    const answer = await mapwright.post('/projects', { name: `${i}` }, keyed(`k${i}`));
    if (answer.status === 200) firsts.push(answer);
    else refused = answer;
  }
  t.ok(firsts.length > 5 && firsts.length < 100, `${firsts.length} keys`);
  t.strictSame([refused.status, refused.problem.code], [429, 'too_many_requests']);
  t.equal(refused.headers['retry-after'], String(dayMs / 1000 - firsts.length));
  t.equal((await mapwright.get('/projects')).list.length, firsts.length, 'and nothing was made');
  t.equal((await mapwright.post('/projects', { name: 'without a key' })).status, 200);
  t.equal(
    (await mapwright.post('/projects', {}, { ...keyed('k'), key: await mapwright.newKey('bob') })).status,
    200,
    'others have their own',
  );
  for (const [i, first] of firsts.entries())
    t.equal((await mapwright.post('/projects', { name: `${i}` }, keyed(`k${i}`))).text, first.text, 'none is forgotten for it');
  await mapwright.crash();
  t.equal((await mapwright.post('/projects', { name: '0' }, keyed('k0'))).text, firsts[0]?.text);
  t.equal((await mapwright.post('/projects', {}, keyed('new'))).status, 429, 'after a restart as before');
  now += Number(refused.headers['retry-after']) * 1000;
  t.equal((await mapwright.post('/projects', {}, keyed('new'))).status, 200, 'when it says so, there is room');
});

test.all('a response of a megabyte is remembered; a request whose response is too large gets 413', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  const body = { artboards: [{ objects: Array.from({ length: 2500 }, (_, i) => ({ type: 'spot', name: `é${i}` })) }] };
  const first = await mapwright.post('/projects', body, keyed('large'));
  t.equal(first.status, 200);
  const again = await mapwright.post('/projects', body, keyed('large'));
  t.equal(again.text, first.text);
  t.ok(first.text.length > 1024 * 1024);
  const before = (await mapwright.get('/projects?fields=id')).text;
  const huge = { actions: Array.from({ length: 49_999 }, () => ({})) };
  t.equal((await mapwright.post('/projects', huge, keyed('huge'))).status, 413);
  t.equal((await mapwright.get('/projects?fields=id')).text, before);
  await mapwright.crash();
  t.equal((await mapwright.post('/projects', body, keyed('large'))).text, first.text);
});

t.test('a deleted account leaves no remembered responses to a new one of its name', async (t) => {
  const mapwright = await startMapwright(t);
  const bob = await mapwright.newKey('bob');
  await mapwright.post('/projects', {}, { ...keyed('k'), key: bob });
  await mapwright.server.deleteAccount('bob');
  const again: Mapwright = mapwright;
  const newBob = await again.newKey('bob');
  t.equal(replayed(await again.post('/projects', {}, { ...keyed('k'), key: newBob })), undefined);
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.equal(replayed(await again.post('/projects', {}, { ...keyed('k'), key: newBob })), 'true');
});

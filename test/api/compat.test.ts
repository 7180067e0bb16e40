/**
 * One folder, two APIs: what the newer original knows is stored by whichever server has the folder open, and shown by the one that speaks
 * it. What was written by it survives everything that is done to the folder by the contract.
 */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createServer } from '../../src/index.ts';
import { differences, everything } from '../support/everything.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { type Followed, follow } from '../support/follower.ts';
import { type Mapwright, type Shown, silent, startMapwright } from '../support/mapwright.ts';
import { Mirror } from '../support/mirror.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { contract } from './contract.ts';

const nowhere = '01890000-0000-7000-8000-000000000000';
const contractNames = { Action: Object.keys(contract.Action), Object: Object.keys(contract.Object) };
/** Whatever only the newer original says. */
const newerWords = /object_ids|"popup_id"|interactive/;

interface Ids {
  readonly project: string;
  readonly artboard: string;
  /** Of two spots, the first of which is not interactive. */
  readonly spots: readonly [string, string];
  readonly popup: string;
  /** Of three actions: one on two objects and a popup, one on a popup, and one that is the contract's. */
  readonly actions: readonly [string, string, string];
}

/** A project with all that only the newer original knows. */
async function filled(mapwright: Mapwright): Promise<Ids> {
  const { shown } = await mapwright.post('/projects', {
    artboards: [{ objects: [{ type: 'spot', interactive: false }, { type: 'spot' }] }],
    popups: [{ title: 'shown' }],
  });
  const idsOf = (list: unknown) => (list as Shown[]).map(({ id }) => id);
  const [artboard] = shown['artboards'] as [Shown];
  const spots = idsOf(artboard['objects']) as [string, string];
  const [popup] = idsOf(shown['popups']) as [string];
  const bodies = [
    { type: 'modify-objects', object_ids: [...spots, nowhere], popup_id: popup },
    { type: 'modify-popup', popup_id: popup },
    { type: 'modify-object', object_id: spots[0] },
  ];
  const actions = [];
  for (const body of bodies) actions.push((await mapwright.post(`/projects/${shown.id}/actions`, body)).shown.id);
  return { project: shown.id, artboard: artboard.id, spots, popup, actions: actions as [string, string, string] };
}

/** What only the newer original shows of everything, by identifier. */
async function newerOf(mapwright: Mapwright, { project, artboard }: Ids): Promise<Record<string, unknown>> {
  const { list: actions } = await mapwright.get(`/projects/${project}/actions?fields=object_ids,popup_id`);
  const { list: objects } = await mapwright.get(`/projects/${project}/artboards/${artboard}/objects?fields=interactive`);
  return Object.fromEntries([...actions, ...objects].map(({ id, ...rest }) => [id, rest]));
}

const all = (mapwright: Mapwright) => everything((route) => mapwright.get(route));

const ways: readonly [what: string, change: (mapwright: Mapwright, ids: Ids) => Promise<unknown>][] = [
  ['nothing', () => Promise.resolve()],
  [
    'a PATCH of other members',
    async (mapwright, { project, artboard, actions, spots }) => {
      for (const id of actions)
        await mapwright.patch(`/projects/${project}/actions/${id}`, { name: 'patched', object_id: nowhere });
      for (const id of spots)
        await mapwright.patch(`/projects/${project}/artboards/${artboard}/objects/${id}`, { x: 5, pin: false });
    },
  ],
  [
    'another type',
    (mapwright, { project, actions }) => mapwright.patch(`/projects/${project}/actions/${actions[0]}`, { type: 'create-spot' }),
  ],
  [
    'collections sent whole, in another order, with something new among them',
    (mapwright, { project, artboard, actions, spots }) =>
      mapwright.patch(`/projects/${project}`, {
        actions: [{ id: actions[2] }, { name: 'new' }, { id: actions[1], name: 'other' }, { id: actions[0] }],
        artboards: [{ id: artboard, objects: [{ id: spots[1] }, { id: spots[0], color: '#000' }, { type: 'poly' }] }],
      }),
  ],
  [
    'objects sent whole',
    (mapwright, { project, artboard, spots }) =>
      mapwright.patch(`/projects/${project}/artboards/${artboard}`, { objects: [{ id: spots[1] }, { id: spots[0], name: 'n' }] }),
  ],
  [
    'a batch',
    (mapwright, { project, artboard, actions, spots }) =>
      mapwright.post(`/projects/${project}/batch`, {
        operations: [
          { method: 'PATCH', path: `/actions/${actions[0]}`, body: { name: 'one' } },
          { method: 'PATCH', path: `/actions/${actions[0]}`, body: { popup_title: 'two' } },
          { method: 'PATCH', path: `/artboards/${artboard}/objects/${spots[0]}`, body: { radius: 7 } },
          { method: 'PATCH', path: '/', body: { actions: [...actions].reverse().map((id) => ({ id })) } },
        ],
      }),
  ],
  ['a fold', (mapwright) => mapwright.server.snapshot()],
  ['a crash', (mapwright) => mapwright.crash()],
  [
    'a fold of what a PATCH changed, twice, and a crash',
    async (mapwright, { project, actions }) => {
      for (const name of ['once', 'twice', 'three times']) {
        await mapwright.patch(`/projects/${project}/actions/${actions[0]}`, { name });
        await mapwright.server.snapshot();
      }
      await mapwright.crash();
    },
  ],
];

for (const [what, change] of ways) {
  t.test(`nothing is lost by ${what}, by the contract`, async (t) => {
    const mapwright = await startMapwright(t, { compat: 'latest', snapshotPauseMs: 0 });
    const ids = await filled(mapwright);
    const before = await newerOf(mapwright, ids);
    t.strictSame(Object.keys(before).sort(), [...ids.actions, ...ids.spots].sort());
    await mapwright.restart({ compat: 'contract' });
    await change(mapwright, ids);
    const answers = await all(mapwright);
    t.strictSame(
      [...answers].filter(([, text]) => newerWords.test(text)).map(([route]) => route),
      [],
      'none of it is shown',
    );
    const { list } = await mapwright.get(`/projects/${ids.project}/actions`);
    for (const shown of list) t.strictSame(Object.keys(shown), contractNames.Action);
    await mapwright.restart({ compat: 'latest' });
    t.match(await newerOf(mapwright, ids), before, 'all of it is there again');
    const after = await all(mapwright);
    await mapwright.restart({ compat: 'contract' });
    t.strictSame(differences(answers, await all(mapwright)), [], 'and the contract shows what it did');
    await mapwright.restart({ compat: 'latest' });
    t.strictSame(differences(after, await all(mapwright)), []);
  });
}

t.test('a backup that was made by the contract has it', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const ids = await filled(mapwright);
  const before = await all(mapwright);
  await mapwright.restart({ compat: 'contract' });
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'all.backup');
  await mapwright.server.backup(file);
  await mapwright.close();
  const restored = await run(['restore', file, '--data', path.join(folder, 'restored')]);
  t.equal(restored.code, 0, restored.stderr);
  mapwright.data = path.join(folder, 'restored');
  await mapwright.restart({ compat: 'latest' });
  t.strictSame(differences(before, await all(mapwright)), []);
  t.match(await newerOf(mapwright, ids), { [ids.spots[0]]: { interactive: false } });
});

t.test('by the contract they are members and words that there are not', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const ids = await filled(mapwright);
  const actions = `/projects/${ids.project}/actions`;
  const objects = `/projects/${ids.project}/artboards/${ids.artboard}/objects`;
  await mapwright.restart({ compat: 'contract' });
  const before = (await mapwright.get(`/projects/${ids.project}`)).text;
  const records = mapwright.lastRecord();

  const words = '"modify-object", "create-spot", "create-poly", "create-spots", "create-polys"';
  const wrong: [string, object, string, string][] = [
    [actions, { object_ids: [] }, '/object_ids', 'is not a member of an action; did you mean "object_id"?'],
    [actions, { popup_id: '' }, '/popup_id', 'is not a member of an action'],
    [actions, { type: 'modify-objects' }, '/type', `must be one of ${words}; did you mean "modify-object"?`],
    [actions, { type: 'modify-popup' }, '/type', `must be one of ${words}`],
    [objects, { type: 'spot', interactive: true }, '/interactive', 'is not a member of an object'],
    [objects, { type: 'spot', interctive: true }, '/interctive', 'is not a member of an object'],
  ];
  for (const [at, body, pointer, detail] of wrong) {
    const id = at === actions ? ids.actions[0] : ids.spots[0];
    for (const answer of [await mapwright.post(at, body), await mapwright.patch(`${at}/${id}`, body)]) {
      t.strictSame([answer.status, answer.problem.errors], [400, [{ pointer, detail }]]);
    }
    const operations = [{ method: 'POST', path: at.slice(at.indexOf('/', 10)), body }];
    t.strictSame((await mapwright.post(`/projects/${ids.project}/batch`, { operations })).pointers, [
      `/operations/0/body${pointer}`,
    ]);
  }
  for (const [at, name] of [
    [actions, 'object_ids'],
    [actions, 'popup_id'],
    [objects, 'interactive'],
  ]) {
    const answer = await mapwright.get(`${at}?fields=${name}`);
    t.strictSame([answer.status, answer.problem.detail.includes(`"${name}", which does not exist`)], [400, true]);
  }
  t.equal((await mapwright.get(`/projects/${ids.project}`)).text, before);
  t.equal(mapwright.lastRecord(), records, 'nothing was written');
});

t.test('an action of a type that the contract does not have', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project, actions } = await filled(mapwright);
  const [first] = actions;
  const at = `/projects/${project}/actions/${first}`;
  await mapwright.restart({ compat: 'contract' });
  t.equal((await mapwright.get(at)).shown['type'], 'modify-objects', 'is shown as it is');
  t.match((await mapwright.patch(at, { name: 'named' })).shown, { type: 'modify-objects', name: 'named' });
  t.strictSame(
    (await mapwright.patch(at, { type: 'modify-objects' })).pointers,
    ['/type'],
    'but cannot be written, not even back',
  );
  t.strictSame((await mapwright.patch(`/projects/${project}`, { actions: [{ id: first, type: 'modify-objects' }] })).pointers, [
    '/actions/0/type',
  ]);
  t.match((await mapwright.patch(at, { type: 'create-poly' })).shown, { type: 'create-poly' });
  await mapwright.restart({ compat: 'latest' });
  const { shown } = await mapwright.get(at);
  t.match(shown, { type: 'create-poly', name: 'named' });
  t.equal((shown['object_ids'] as string[]).length, 3, 'what went with the type is still there');
});

t.test('references that are not shown are none', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project, artboard, spots, popup, actions } = await filled(mapwright);
  const problems = `/projects/${project}/problems`;
  const dangling = async () => (await mapwright.get(problems)).list.map(({ pointer }) => pointer as unknown as string);
  t.strictSame(await dangling(), ['/actions/0/object_ids/2']);
  const refused = await mapwright.delete(`/projects/${project}/popups/${popup}?strict=true`);
  t.strictSame([refused.status, refused.pointers], [409, ['/actions/0/popup_id', '/actions/1/popup_id']]);
  const spot = `/projects/${project}/artboards/${artboard}/objects/${spots[1]}`;
  t.strictSame((await mapwright.delete(`${spot}?strict=true`)).pointers, ['/actions/0/object_ids/1']);

  await mapwright.restart({ compat: 'contract' });
  t.strictSame(await dangling(), []);
  t.equal((await mapwright.delete(`${spot}?strict=true`)).status, 204, 'nothing that is there to see refers to it');
  t.equal((await mapwright.patch(`/projects/${project}/actions/${actions[0]}?strict=true`, { name: 'x' })).status, 200);
  await mapwright.restart({ compat: 'latest' });
  t.strictSame(await dangling(), ['/actions/0/object_ids/1', '/actions/0/object_ids/2']);
});

t.test('a folder that never heard of it', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'contract' });
  const { shown } = await mapwright.post('/projects', { artboards: [{ objects: [{ type: 'spot' }] }], actions: [{}] });
  const before = await all(mapwright);
  await mapwright.restart({ compat: 'latest' });
  const [action] = (await mapwright.get(`/projects/${shown.id}/actions`)).list as [Shown];
  t.match(action, { object_ids: [], popup_id: '' });
  t.strictSame(Object.keys(action).slice(-2), ['object_ids', 'popup_id'], 'at the end');
  const records = mapwright.lastRecord();
  for (const body of [{ object_ids: [] }, { popup_id: '' }, action])
    t.equal((await mapwright.patch(`/projects/${shown.id}/actions/${action.id}`, body)).status, 200);
  t.equal(mapwright.lastRecord(), records, 'to write a default where there is one is no change');
  await mapwright.patch(`/projects/${shown.id}/actions/${action.id}`, { object_ids: ['x'] });
  await mapwright.patch(`/projects/${shown.id}/actions/${action.id}`, { object_ids: [] });
  t.equal(mapwright.lastRecord(), records + 2);
  await mapwright.restart({ compat: 'contract' });
  t.strictSame(differences(before, await all(mapwright)), []);
});

t.test('names of results stand in lists', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project, artboard } = await filled(mapwright);
  const spot = { method: 'POST', path: `/artboards/${artboard}/objects`, body: { type: 'spot' } };
  const batch = (...operations: object[]) => mapwright.post(`/projects/${project}/batch?strict=true`, { operations });
  const made = await batch(
    { ...spot, as: 'a' },
    { ...spot, as: 'b' },
    { method: 'POST', path: '/popups', body: {}, as: 'p' },
    {
      method: 'POST',
      path: '/actions',
      body: { type: 'modify-objects', object_ids: ['{a}', '', '{b}', '{a}'], popup_id: '{p}' },
    },
    { method: 'PATCH', path: '/', body: { actions: [{ object_ids: ['{b}'] }] } },
  );
  t.equal(made.status, 200, made.text);
  const [a, b, p, action, own] = (made.json as { results: { body: Shown }[] }).results.map(({ body }) => body) as Shown[];
  t.match(action, { object_ids: [a?.id, '', b?.id, a?.id], popup_id: p?.id });
  t.notOk('actions' in (own as Shown), 'a project in the results of a batch is without its collections');
  t.match((await mapwright.get(`/projects/${project}`)).json, { actions: [{ object_ids: [b?.id] }] });
  const wrong = await batch({ ...spot, as: 'a' }, { method: 'POST', path: '/actions', body: { object_ids: ['{a}', '{c}'] } });
  t.strictSame([wrong.status, wrong.pointers], [400, ['/operations/1/body/object_ids/1']]);
  t.match(wrong.problem.detail, '"{c}", but no earlier operation has this "as"');
});

/** What only the newer original shows in the document of a project, with places in it in place of identifiers. */
function newerIn(text: string): unknown {
  const project = JSON.parse(text);
  const spots = project.artboards.flatMap(({ objects }: { objects: Shown[] }) => objects) as Shown[];
  const place = (of: readonly Shown[], id: unknown) => (id === '' ? '' : of.findIndex((each) => each.id === id));
  return {
    interactive: spots.map(({ interactive }) => interactive),
    object_ids: project.actions.map((action: { object_ids: string[] }) => action.object_ids.map((id) => place(spots, id))),
    popup_id: project.actions.map((action: { popup_id: string }) => place(project.popups, action.popup_id)),
  };
}

t.test('copies, and what is exported and imported, have all of it, and refer to their own', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project } = await filled(mapwright);
  const wanted = {
    interactive: [false, true],
    object_ids: [[0, 1, -1], [], []],
    popup_id: [0, 0, ''],
  };
  const copy = await mapwright.post(`/projects/${project}/duplicate`, {});
  t.strictSame(newerIn(copy.text), wanted, 'a copy');
  const { text: document } = await mapwright.get(`/projects/${project}/export`);
  const imported = await mapwright.post('/projects/import', JSON.parse(document));
  t.equal(imported.status, 200, imported.text);
  t.strictSame(newerIn(imported.text), wanted, 'an import');
  for (const { text } of [copy, imported]) t.match(text, nowhere, 'what refers to nothing still does');
  await mapwright.crash();
  for (const made of [copy, imported])
    t.equal((await mapwright.get(`/projects/${made.shown.id}`)).text, made.text, 'after a crash');

  await mapwright.restart({ compat: 'contract' });
  const refused = await mapwright.post('/projects/import', JSON.parse(document));
  t.equal(refused.status, 400, 'the contract knows nothing of it');
  t.ok(refused.pointers.includes('/project/artboards/0/objects/0/interactive'), refused.text);
  const second = await mapwright.post(`/projects/${project}/duplicate`, {});
  t.notMatch(second.text, newerWords);
  t.notMatch((await mapwright.get(`/projects/${project}/export`)).text, newerWords);
  await mapwright.restart({ compat: 'latest' });
  const { text } = await mapwright.get(`/projects/${second.shown.id}`);
  t.strictSame(newerIn(text), wanted, 'a copy that was made by the contract');
});

t.test('events tell it, live and from the log, to those who speak it', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const live = await (await follow(mapwright, '/events')).begun();
  const start = live.id;
  const { project, artboard, spots, actions } = await filled(mapwright);
  await mapwright.patch(`/projects/${project}/artboards/${artboard}/objects/${spots[1]}`, { interactive: false });
  await mapwright.patch(`/projects/${project}/actions/${actions[0]}`, { object_ids: [] });
  const mirrored = async (followed: Followed) => {
    const mirror = new Mirror();
    for (let told = 0; told < 6; told++) mirror.apply(await followed.next());
    return mirror.projects;
  };
  const { list, text } = await mapwright.get('/projects');
  t.match(text, newerWords);
  t.strictSame(await mirrored(live), list, 'live');
  t.strictSame(await mirrored(await follow(mapwright, '/events', { after: start })), list, 'from the log');
  await mapwright.restart({ compat: 'contract' });
  const byContract = await mapwright.get('/projects');
  t.notMatch(byContract.text, newerWords);
  const followed = await follow(mapwright, '/events', { after: start });
  t.strictSame(await mirrored(followed), byContract.list, 'by the contract');
});

t.test('writers at the same time lose nothing of each other', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project, actions, spots, popup } = await filled(mapwright);
  const at = `/projects/${project}/actions/${actions[2]}`;
  const bodies = [{ object_ids: [...spots] }, { popup_id: popup }, { name: 'named' }, { type: 'modify-objects' }];
  for (const { status } of await Promise.all(bodies.map((body) => mapwright.patch(at, body)))) t.equal(status, 200);
  const { text } = await mapwright.get(at);
  t.match(JSON.parse(text), Object.assign({}, ...bodies));
  await mapwright.crash();
  t.equal((await mapwright.get(at)).text, text);
});

t.test('a list that is long and wrong', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest', segmentBytes: 16 * 1024 * 1024 });
  const { project, actions } = await filled(mapwright);
  const at = `/projects/${project}/actions/${actions[2]}`;
  const object_ids = Array.from({ length: 90_000 }, (_, i) => String(i));
  const refused = await mapwright.patch(`${at}?strict=true`, { object_ids });
  t.equal(refused.status, 400);
  t.strictSame(
    refused.pointers,
    Array.from({ length: 100 }, (_, i) => `/object_ids/${i}`),
  );
  t.equal((await mapwright.patch(at, { object_ids })).status, 200);
  t.equal((await mapwright.get(`/projects/${project}/problems`)).list.length, 1000);
  const same = await mapwright.patch(`${at}?strict=true`, { object_ids: object_ids.toReversed(), name: 'turned' });
  t.equal(same.status, 200, 'none of it is new');
  const twice = { object_ids: Array.from({ length: 90_000 }, () => nowhere) };
  t.equal((await mapwright.patch(`${at}?strict=true`, twice)).problem.errors?.length, 100);
});

/** A server beside others in this process, on the same key of its own folder. */
async function embedded(t: Test, compat: 'contract' | 'latest') {
  const server = await createServer({
    data: path.join(temporaryFolder(t), 'data'),
    segmentBytes: 1024 * 1024,
    log: silent,
    compat,
  });
  t.teardown(() => server.close());
  const { url } = await server.listen(0);
  const { key } = await server.createKey('ann');
  return async (method: string, at: string, body?: object, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    const answer = await fetchDescribed(
      `${url}/v1${at}`,
      { method, headers: all, ...(body && { body: JSON.stringify(body) }) },
      compat,
    );
    const text = await answer.text();
    return {
      status: answer.status,
      etag: answer.headers.get('etag'),
      json: text === '' ? undefined : (JSON.parse(text) as Shown),
    };
  };
}

t.test('two in one process', async (t) => {
  const [first, latest] = [await embedded(t, 'contract'), await embedded(t, 'latest')];
  const [one, two] = [await first('POST', '/projects', {}), await latest('POST', '/projects', {})];
  const at = [`/projects/${one.json?.id}/actions`, `/projects/${two.json?.id}/actions`] as const;
  const rounds = Array.from({ length: 20 }, async (_, i) => {
    const body = { type: 'modify-popup', popup_id: `popup ${i}` };
    t.equal((await first('POST', at[0], body)).status, 400);
    t.match((await latest('POST', at[1], body)).json, body);
    t.strictSame(Object.keys((await first('POST', at[0], {})).json as Shown), contractNames.Action);
  });
  await Promise.all(rounds);
  for (const { popup_id: id } of (await latest('GET', at[1])).json as unknown as Shown[]) t.match(id, /^popup \d+$/);
  for (const shown of (await first('GET', at[0])).json as unknown as Shown[])
    t.strictSame(Object.keys(shown), contractNames.Action);
});

t.test('no tag stands for the answers of both', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project, actions } = await filled(mapwright);
  const routes = ['', `/${project}`, `/${project}/actions`, `/${project}/actions/${actions[0]}`].map((at) => `/projects${at}`);
  const tags = async () => {
    const found: string[] = [];
    for (const at of routes) found.push(String((await mapwright.get(at)).headers.etag));
    return found;
  };
  const latest = await tags();
  await mapwright.restart({ compat: 'contract' });
  const first = await tags();
  for (const [i, at] of routes.entries()) {
    t.not(first[i], latest[i], at);
    t.equal((await mapwright.get(at, { headers: { 'if-none-match': latest[i] as string } })).status, 200);
    t.equal((await mapwright.get(at, { headers: { 'if-none-match': first[i] as string } })).status, 304);
  }
  const write = (tag: string | undefined, name: string) =>
    mapwright.patch(routes[3] as string, { name }, { headers: { 'if-match': String(tag) } });
  t.equal((await write(latest[3], 'by what the other said')).status, 200, 'a write compares versions');
  t.equal((await write(first[3], 'too late')).status, 412);
});

t.test('an answer that is given again is the first one', async (t) => {
  const mapwright = await startMapwright(t, { compat: 'latest' });
  const { project } = await filled(mapwright);
  const send = () => mapwright.post(`/projects/${project}/actions`, { name: 'once' }, { headers: { 'idempotency-key': 'once' } });
  const { text } = await send();
  await mapwright.restart({ compat: 'contract' });
  const again = await send();
  t.strictSame([again.headers['idempotency-replayed'], again.text], ['true', text]);
});

t.test('an API that there never was', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const compat = 'newest' as 'latest';
  await t.rejects(createServer({ data, compat }), {
    name: 'TypeError',
    message: 'the option "compat" of createServer must be one of contract, latest',
  });
  t.notOk(fs.existsSync(data));
});

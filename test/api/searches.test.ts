// tier: all, process: own
/** Searches of long lists: other requests run meanwhile, and each result shows one version. */
import type { IncomingHttpHeaders } from 'node:http';
import t, { type Test } from 'tap';
import { type Query, replyTo } from '../../src/api/crud/conditional-read.ts';
import { type List, type Listed, memberList, projectList } from '../../src/api/crud/lists.ts';
import type { Api, Request } from '../../src/api/declaration.ts';
import { searchPublications } from '../../src/engine/projects/find-publications.ts';
import { publishProject, unpublishProject } from '../../src/engine/projects/publish-project.ts';
import type { Problem } from '../../src/http/problem.ts';
import type { Versioned } from '../../src/store/find.ts';
import type { View } from '../../src/store/list/views.ts';
import { accountIn, create, done, member, openWorld, project, publishing, remove, update } from '../support/engine.ts';
import { type Shown, startMapwright } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { type Asked, listed, queryOf } from './model-resources.ts';

t.test('other requests are answered while 138,000 objects are searched', async (t) => {
  const mebibyte = 1024 * 1024;
  const count = 138_000;
  const mapwright = await startMapwright(t, {
    ...{ segmentBytes: 64 * mebibyte, elementsMax: count + 1 },
    limits: { bodyBytesMax: 16 * mebibyte },
  });
  const objects = Array.from({ length: count }, (_, i) => ({
    ...{ type: i % 3 === 0 ? 'poly' : 'spot', name: `n${(i * 7919) % count}`, x: i % 100 },
  }));
  const made = (await mapwright.post('/projects', { artboards: [{ objects }] })).shown;
  const [artboard] = made['artboards'] as [Shown];
  const at = `/projects/${made.id}/artboards/${artboard.id}/objects`;
  // Connections for all three: requests of one turn differ by their duration, not by the order of their connections.
  const open = () => Promise.all([1, 2, 3].map(() => mapwright.get('/projects?fields=id')));
  for (const query of ['sort=name&limit=3', 'sort=x,-name&limit=1000']) {
    await open();
    const order: string[] = [];
    const note = async (what: string, answer: Promise<unknown>) => {
      await answer;
      order.push(what);
    };
    // The search of another list waits for its turn: of those that take long, an account has one at a time.
    const lists = [note('list', mapwright.get(`${at}?${query}`)), note('list', mapwright.get(`${at}?${query}`))];
    await note('other', mapwright.get('/projects?name=Untitled%20Project&fields=id'));
    await Promise.all(lists);
    t.strictSame(order, ['other', 'list', 'list'], query);
  }
  const names = (await mapwright.get(`${at}?sort=name&type=poly&fields=name`)).list.map(({ name }) => name);
  t.strictSame(
    names,
    objects
      .filter(({ type }) => type === 'poly')
      .map(({ name }) => name)
      .sort(),
    'the whole of it',
  );
  const asked = [1, 2, 3].map((limit) => mapwright.get(`${at}?sort=-x,name&limit=${limit}&fields=x`));
  for (const [i, { list }] of (await Promise.all(asked)).entries())
    t.strictSame(
      list.map(({ x }) => x),
      [99, 99, 99].slice(0, i + 1),
    );
});

const size = 600;
const bodies = Array.from({ length: size }, (_, i) => ({ name: i % 2 === 0 ? 'even' : 'odd' }));

async function opened(t: Pick<Test, 'teardown'>) {
  const { engine } = await openWorld(temporaryFolder(t));
  t.teardown(() => engine.close());
  const account = await accountIn(engine);
  return { engine, account };
}

const request = (accountId: string, query: Readonly<Record<string, string>>, only?: readonly string[]): Request => ({
  scope: {
    ...{ accountId, keyId: '', personId: '', projectId: '', projects: only && new Set(only), reach: '', readOnly: false },
    rights: new Set(['read', 'write'] as const),
  },
  ...{
    method: 'GET',
    url: '/v1',
    params: {},
    query,
    headers: {},
    body: {},
    pieces: undefined,
    fieldErrors: [],
    caller: { requestId: '', address: '' },
  },
});

type Search = Generator<void, Versioned<Listed>>;

/** Searches up to its first pause, then lets `change` happen, then goes on. */
async function interrupted(search: Search, change: () => Promise<unknown>): Promise<Versioned<Listed>> {
  if (search.next().done === true) throw new Error('it did not pause');
  await change();
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

function searchOf(list: List, state: Parameters<Extract<List, { search: unknown }>['search']>[0]): Search {
  if (!('search' in list)) throw new Error('it is found at once');
  return list.search(state);
}

const viewsOf = ({ value }: Versioned<Listed>): View[] => [...(value?.views ?? [])];

t.test('a GET whose precondition fails starts no search', async (t) => {
  const { engine, account } = await opened(t);
  const api = { engine } as Api;
  const read = async (headers: IncomingHttpHeaders) => {
    let searches = 0;
    const query: Query<string> = {
      version: () => ({ value: account, version: engine.state.lsn }),
      *search() {
        searches++;
        yield;
        return { value: 'found', version: engine.state.lsn };
      },
    };
    const asking = { ...request(account, {}), headers };
    const reply = async () =>
      replyTo(api, asking, query, (text, etag) => ({ kind: 'text', status: 200, text, contentType: 'text/plain', etag }));
    const { status, etag } = await reply().catch(({ status }: Problem) => ({ status, etag: undefined }));
    return { status, etag: String(etag), searches };
  };
  const { etag, ...found } = await read({});
  t.strictSame(found, { status: 200, searches: 1 });
  t.match(await read({ 'if-none-match': etag }), { status: 304, etag, searches: 0 });
  t.match(await read({ 'if-none-match': '*' }), { status: 304, searches: 0 });
  t.match(await read({ 'if-match': '"other"' }), { status: 412, searches: 0 });
  t.match(await read({ 'if-none-match': '"other"' }), { status: 200, etag, searches: 1 });
  t.match(await read({ 'if-match': etag }), { status: 200, etag, searches: 1 });
});

t.test('a list of publications that changes during its search shows one version', async (t) => {
  const { engine, account } = await opened(t);
  const count = 1100;
  const ids: string[] = [];
  const request = { ...publishing, accountId: account, origins: [], json: () => ['{}'] };
  for (let i = 0; i < count; i++) ids.push(await done(engine, create(project(account))));
  for (const projectId of ids) await publishProject(engine, { ...request, projectId });
  const [first, second] = ids as [string, string];
  const search = searchPublications(engine.state, account, undefined, '');
  t.equal(search.next().done, false, 'it pauses');
  await unpublishProject(engine, { accountId: account, projectId: first, allows: () => true });
  await done(engine, update(project(account, second), { name: 'changed' }));
  const { value, done: isDone } = search.next();
  t.equal(isDone, true);
  t.equal(value?.version, engine.state.lsn);
  const page = value?.value?.page ?? [];
  t.strictSame([page.length, page[0]?.projectId, page[0]?.stale], [count - 1, second, true]);
});

t.test('a list of projects that changes while it is captured shows its last version', async (t) => {
  const { engine, account } = await opened(t);
  const ids: string[] = [];
  for (let i = 0; i < 200; i++) ids.push(await done(engine, create(project(account), { name: `p${i}` })));
  const [first, second] = ids as [string, string];
  const search = searchOf(projectList(request(account, {})), engine.state);
  let added = '';
  const found = await interrupted(search, async () => {
    await done(engine, update(project(account, first), { name: 'changed' }));
    await done(engine, remove(project(account, second)));
    added = await done(engine, create(project(account), { name: 'new' }));
  });
  t.equal(found.version, engine.state.lsn);
  t.strictSame(
    viewsOf(found).map(({ value }) => [value.id, value['name']]),
    [[first, 'changed'], ...ids.slice(2).map((id, i) => [id, `p${i + 2}`]), [added, 'new']],
  );
});

t.test('a list of members does not show changes during its search', async (t) => {
  const { engine, account } = await opened(t);
  const id = await done(engine, create(project(account), { popups: bodies }));
  const path = { accountId: account, projectId: id, collection: 'popups', parentId: '' } as const;
  const popups = engine.state.accounts.get(account)?.projects.get(id)?.collection('popups', '');
  const now = () => [...(popups?.capture() ?? [])].map(({ value }) => value);
  const questions: Asked[] = [
    { filters: { name: 'even' }, sort: [] },
    { filters: {}, sort: ['name'] },
    { filters: { name: 'even' }, sort: ['-name', '-id'] },
  ];
  for (const question of questions) {
    const [before, version] = [now(), engine.state.lsn];
    const query = Object.fromEntries(new URLSearchParams(queryOf(question)));
    const found = await interrupted(searchOf(memberList(request(account, query), path), engine.state), async () => {
      await done(engine, update(member(account, id, 'popups', before.at(-2)?.id), { name: 'changed' }));
      await done(engine, remove(member(account, id, 'popups', before.at(-4)?.id)));
      await done(engine, create(member(account, id, 'popups'), { name: 'even' }));
      const turned = now().reverse();
      await done(engine, update(project(account, id), { popups: turned.map((value) => ({ id: value.id })) }));
    });
    t.equal(found.version, version, 'the version is the one that it began with');
    t.strictSame(
      viewsOf(found).map(({ value }) => value),
      listed(before, question),
    );
    await done(engine, update(project(account, id), { popups: bodies }));
  }
});

t.test('a cursor has the ranks of the beginning of its search', async (t) => {
  const { engine, account } = await opened(t);
  const id = await done(engine, create(project(account), { popups: [...bodies, { name: 'last' }, { name: 'last' }] }));
  const path = { accountId: account, projectId: id, collection: 'popups', parentId: '' } as const;
  const popups = engine.state.accounts.get(account)?.projects.get(id)?.collection('popups', '');
  const search = searchOf(memberList(request(account, { name: 'last', limit: '1' }), path), engine.state);
  const { value } = await interrupted(search, async () => {
    if (popups !== undefined) popups.epoch++;
  });
  const [, epoch] = JSON.parse(Buffer.from(value?.next ?? '', 'base64url').toString()) as [unknown, number];
  t.equal(epoch, 0);
});

t.test('a list of artboards that changes during its search shows the version of its end', async (t) => {
  const { engine, account } = await opened(t);
  const id = await done(engine, create(project(account), { artboards: bodies }));
  const path = { accountId: account, projectId: id, collection: 'artboards', parentId: '' } as const;
  const held = engine.state.accounts.get(account)?.projects.get(id)?.collection('artboards', '');
  const ids = [...(held?.capture() ?? [])].map(({ value }) => value.id);
  const search = (query: Readonly<Record<string, string>>) => searchOf(memberList(request(account, query), path), engine.state);

  const withObject = await interrupted(search({ name: 'odd', sort: '-id' }), () =>
    done(engine, create(member(account, id, 'objects', '', ids.at(-1)), { type: 'spot' })),
  );
  t.equal(withObject.version, engine.state.lsn, 'it waits for the object that it shows');
  t.strictSame(
    viewsOf(withObject).map(({ held }) => [...(held.get('objects') ?? [])].length),
    [1, ...new Array(size / 2 - 1).fill(0)],
  );

  const changed = await interrupted(search({ name: 'odd' }), async () => {
    await done(engine, update(member(account, id, 'artboards', ids[1]), { name: 'even' }));
    await done(engine, remove(member(account, id, 'artboards', ids[3])));
    await done(engine, create(member(account, id, 'artboards'), { name: 'odd', objects: [{ type: 'poly' }] }));
  });
  t.equal(changed.version, engine.state.lsn);
  const shown = viewsOf(changed);
  t.equal(shown.length, size / 2 - 2 + 1);
  t.notOk(shown.some(({ value }) => value.id === ids[1] || value.id === ids[3]));
  t.equal([...(shown.at(-1)?.held.get('objects') ?? [])].length, 1);

  const gone = await interrupted(search({ name: 'odd' }), () => done(engine, remove(project(account, id))));
  t.equal(gone.value, undefined, 'a project that was deleted is not there');
});

t.test('a list of projects that changes during its search shows the version of its end', async (t) => {
  const { engine, account } = await opened(t);
  const ids: string[] = [];
  for (const body of bodies) ids.push(await done(engine, create(project(account), body)));
  const search = (query: Readonly<Record<string, string>>, only?: string[]) =>
    searchOf(projectList(request(account, query, only)), engine.state);

  const filled = await interrupted(search({ name: 'even', sort: 'id', limit: '1' }), () =>
    done(engine, create(member(account, ids[0] as string, 'popups'))),
  );
  t.equal(filled.version, engine.state.lsn);
  t.strictSame(
    viewsOf(filled).map(({ held }) => [...(held.get('popups') ?? [])].length),
    [1],
  );

  const changed = await interrupted(search({ name: 'even' }), async () => {
    await done(engine, update(project(account, ids[0]), { name: 'odd' }));
    await done(engine, remove(project(account, ids[2])));
    await done(engine, create(project(account), { name: 'even' }));
  });
  t.equal(changed.version, engine.state.lsn);
  const shown = viewsOf(changed).map(({ value }) => value.id);
  t.strictSame([shown.length, shown.includes(ids[0] as string), shown.includes(ids[2] as string)], [size / 2 - 1, false, false]);

  const some = ids.slice(0, 300);
  const reached = await interrupted(search({ name: 'odd' }, some), () =>
    done(engine, update(project(account, ids[1]), { name: 'even' })),
  );
  t.strictSame(
    viewsOf(reached).map(({ value }) => value.id),
    [ids[0], ...some.filter((_, i) => i % 2 === 1 && i !== 1)],
  );
});

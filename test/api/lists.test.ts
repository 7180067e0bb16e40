/** Lists: order, pages during changes, and selected fields. */

import t from 'tap';
import fc from '../support/fast-check.ts';
import { type Shown, startMapwright } from '../support/mapwright.ts';
import { sized } from '../support/tier.ts';
import { resourceNames } from './contract.ts';
import { nextOf, Pages } from './pages.ts';
import { makeWorld, memberNames } from './world.ts';

const mapwright = await startMapwright(t);
const paged = new Pages(mapwright);

const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `${i}` }));

t.test('an empty list is an empty array without a link to a next page', async (t) => {
  const world = await makeWorld(mapwright);
  for (const name of memberNames.filter((each) => each !== 'Artboard')) {
    for (const query of ['', '?limit=1', '?fields=id']) {
      const answer = await mapwright.get(`${world.at(name)}${query}`);
      t.strictSame([answer.status, answer.text, answer.headers['link']], [200, '[]', undefined], name);
    }
  }
});

t.test('lists are in creation order, whole and in pages of any size', async (t) => {
  for (const name of memberNames) {
    const world = await makeWorld(mapwright);
    const made: Shown[] = name === 'Artboard' ? (await mapwright.get(world.at(name))).list : [];
    while (made.length < 7) made.push(await world.make(name, { name: `${made.length}` }));
    const at = `/v1${world.at(name)}`;
    t.strictSame((await mapwright.ask('GET', at)).list, made, `${name}: in creation order`);
    for (const limit of [1, 2, 3, 6, 7, 8, 1000]) {
      const pages: Shown[][] = [];
      for await (const page of paged.from(`${at}?limit=${limit}`)) pages.push(page);
      t.strictSame(pages.flat(), made, `${name}: pages of ${limit}`);
      t.equal(pages.length, Math.ceil(7 / limit), 'no page is empty');
      t.ok(pages.slice(0, -1).every(({ length }) => length === limit));
    }
  }
});

t.test('the link to the next page keeps the prefix, the limit and the fields', async (t) => {
  const world = await makeWorld(mapwright);
  await mapwright.patch(`/projects/${world.projectId}`, { popups: named(1001) });
  for (const prefix of ['/v1', '/api/v1']) {
    const first = await mapwright.ask('GET', `${prefix}${world.at('Popup')}?fields=name,title&limit=1000`);
    t.equal(first.list.length, 1000);
    const next = nextOf(first) ?? '';
    t.ok(next.startsWith(`${prefix}${world.at('Popup')}?`), 'under the same prefix');
    const [last, ...none] = (await mapwright.ask('GET', next)).list;
    t.strictSame([{ ...last, id: '' }, none], [{ id: '', name: '1000', title: '' }, []], 'with the same members');
    const cursor = new URL(next, 'http://host').searchParams.get('cursor') ?? '';
    t.match(cursor, /^[\w-]+$/, 'the cursor needs no escaping');
    t.equal((await mapwright.get(`${world.at('Popup')}?cursor=${cursor}`)).list.length, 1, 'a cursor alone: all that follows');
  }
  t.equal((await mapwright.get(world.at('Popup'))).list.length, 1001, 'without a limit the list is whole');
});

t.test('an invalid limit, cursor or list of fields gets 400', async (t) => {
  const full = await makeWorld(mapwright);
  const empty = await makeWorld(mapwright);
  for (const name of memberNames) await full.make(name);
  const wrong = [
    'limit=0',
    'limit=-1',
    'limit=1001',
    'limit=1.5',
    'limit=1e2',
    'limit=',
    'limit=all',
    'limit=1&limit=2',
    'limit',
  ];
  wrong.push(
    'cursor=',
    'cursor',
    'cursor=x',
    'cursor=!!',
    'cursor=bnVsbA',
    'cursor=W10',
    'cursor=e30',
    'cursor=WzEsMl0',
    'cursor=a&cursor=b',
  );
  wrong.push(
    'fields=',
    'fields=,',
    'fields=nonsense',
    'fields=id,',
    'fields=id,id',
    'fields=constructor',
    'fields=id&fields=id',
    'fields=%ff',
  );
  for (const name of resourceNames) {
    for (const world of [full, empty]) {
      const at = name === 'Project' ? '/projects' : world.at(name);
      const taken: string[] = [];
      for (const query of wrong) {
        const { status, text } = await mapwright.get(`${at}?${query}`);
        if (status !== 400 || !text.includes('"code":"bad_request"')) taken.push(`?${query}: ${status} ${text.slice(0, 100)}`);
      }
      t.strictSame(taken, [], `${name}, ${world === full ? 'filled' : 'empty'}`);
    }
  }
});

t.test('pages of projects stay complete while projects are created and deleted', async (t) => {
  const key = await mapwright.newKey('carol');
  const ask = { key };
  t.strictSame((await mapwright.get('/projects', ask)).list, []);
  const made: Shown[] = [];
  for (const body of named(9)) made.push((await mapwright.post('/projects', { ...body, popups: [{}] }, ask)).shown);
  t.strictSame((await mapwright.get('/projects', ask)).list, made, 'in creation order, each with all that it holds');
  t.strictSame(await paged.collect('/v1/projects?limit=4', key), made);
  const pages = paged.from('/v1/projects?limit=3&fields=name', key);
  const seen = [(await pages.next()).value as Shown[]];
  for (const index of [1, 2, 5]) await mapwright.delete(`/projects/${made[index]?.id}`, ask);
  await mapwright.post('/projects', { name: 'late' }, ask);
  for await (const page of pages) seen.push(page);
  t.strictSame(
    seen.flat().map(({ name }) => name),
    ['0', '1', '2', '3', '4', '6', '7', '8', 'late'],
    'deletions skip nothing',
  );
});

t.test('a list keeps its order after 150 moves into the same gap, and older cursors stay valid', async (t) => {
  const world = await makeWorld(mapwright);
  const at = `/projects/${world.projectId}`;
  let ids = ((await mapwright.patch(at, { popups: named(6) })).shown['popups'] as Shown[]).map(({ id }) => id);
  const [first, second, ...others] = ids as [string, string, ...string[]];
  const next = nextOf(await mapwright.get(`${world.at('Popup')}?limit=1`)) ?? '';
  // Each lands between the first and what was put there before it, until there is no room left between two of them.
  for (let turn = 0; turn < 150; turn++) {
    const moved = others[turn % others.length] as string;
    ids = [first, moved, ...ids.filter((id) => id !== first && id !== moved)];
    await mapwright.patch(at, { popups: ids.map((id) => ({ id })) });
  }
  t.strictSame(
    (await mapwright.get(world.at('Popup'))).list.map(({ id }) => id),
    ids,
  );
  t.ok(ids.includes(second));
  const rest = await paged.collect(next);
  t.strictSame(
    rest.map(({ id }) => id),
    ids.slice(1),
    'a page from before goes on behind the member it ended with',
  );
  const late = await world.make('Popup');
  t.equal((await mapwright.get(world.at('Popup'))).list.at(-1)?.id, late.id, 'a new one still comes last');
});

t.test('a cursor stays valid through restarts, snapshots and crashes', async (t) => {
  const world = await makeWorld(mapwright);
  const at = `/projects/${world.projectId}`;
  const made = (await mapwright.patch(at, { popups: named(12) })).shown['popups'] as Shown[];
  for (const index of [0, 3]) await mapwright.delete(`${world.at('Popup')}/${made[index]?.id}`);
  const kept = made.filter((_, i) => i !== 0 && i !== 3).map(({ id }) => ({ id }));
  const popups = [kept[9], kept[0], kept[5], ...kept.slice(1, 5), ...kept.slice(6, 9)];
  await mapwright.patch(at, { popups });
  const next = nextOf(await mapwright.get(`${world.at('Popup')}?limit=3&fields=id`)) ?? '';
  const ways = {
    restart: () => mapwright.restart(),
    snapshot: () => mapwright.server.snapshot(),
    crash: () => mapwright.crash(),
  };
  for (const [way, again] of Object.entries(ways)) {
    await again();
    t.strictSame(await paged.collect(next), popups.slice(3), way);
  }
});

type Move =
  | { kind: 'create' }
  | { kind: 'delete'; at: number }
  | { kind: 'rotate'; from: number; count: number; insert: boolean };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const) }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(30) }),
  fc.record({
    kind: fc.constant('rotate' as const),
    from: fc.nat(30),
    count: fc.integer({ min: 2, max: 4 }),
    insert: fc.boolean(),
  }),
);

t.test('pages skip and repeat no member that existed throughout and kept its place', async () => {
  const world = await makeWorld(mapwright);
  const at = `/projects/${world.projectId}`;
  const inOrder = async () => (await mapwright.get(`${world.at('Popup')}?fields=id`)).list.map(({ id }) => id);
  const apply = async (step: Move, ids: string[]) => {
    if (step.kind === 'create') await world.make('Popup');
    else if (step.kind === 'delete') await mapwright.delete(`${world.at('Popup')}/${ids[step.at % Math.max(ids.length, 1)]}`);
    else {
      const from = step.from % Math.max(ids.length, 1);
      const [head, ...tail] = ids.slice(from, from + step.count);
      const turned = head === undefined ? [] : [...tail, head];
      const popups: object[] = [...ids.slice(0, from), ...turned, ...ids.slice(from + step.count)].map((id) => ({ id }));
      if (step.insert) popups.splice(from, 0, {});
      await mapwright.patch(at, { popups });
    }
  };
  /** Members that stand to all others that stayed as they did before. */
  const unmoved = (before: string[], after: string[]) => {
    const stayed = before.filter((id) => after.includes(id));
    const now = after.filter((id) => before.includes(id));
    return stayed.filter((id, i) => {
      const place = now.indexOf(id);
      const smaller = new Set(stayed.slice(0, i));
      return place === i && now.slice(0, place).every((other) => smaller.has(other));
    });
  };
  const scenario = fc.record({
    members: fc.integer({ min: 3, max: 12 }),
    limit: fc.integer({ min: 1, max: 4 }),
    between: fc.array(fc.array(move, { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ members, limit, between }) => {
      await mapwright.patch(at, { popups: named(members) });
      let ids = await inOrder();
      let faithful = [...ids];
      const seen: string[] = [];
      const turns = [...between];
      for await (const page of paged.from(`/v1${world.at('Popup')}?limit=${limit}&fields=id`)) {
        seen.push(...page.map(({ id }) => id));
        for (const step of turns.shift() ?? []) {
          await apply(step, ids);
          const after = await inOrder();
          const kept = new Set(unmoved(ids, after));
          faithful = faithful.filter((id) => kept.has(id));
          ids = after;
        }
      }
      const counts = faithful.map((id) => seen.filter((other) => other === id).length);
      if (counts.some((count) => count !== 1)) throw new Error(`seen how often: ${counts.join()}`);
      const order = seen.filter((id) => faithful.includes(id));
      if (order.join() !== faithful.join()) throw new Error('seen out of order');
    }),
    { numRuns: sized({ sample: 12, all: 40 }) },
  );
});

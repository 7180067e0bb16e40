// tier: normal
/** The cache of decoded members: its limit, its evictions, and that they do not change any result. */

import t, { type Test } from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { LeafCache } from '../../src/engine/memory/leaf-cache.ts';
import { findMember } from '../../src/store/find.ts';
import type { State } from '../../src/store/state.ts';
import { accountIn, create, done, dump, member, openWorld, project, remove, update } from '../support/engine.ts';
import fc from '../support/fast-check.ts';
import { temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { sized } from '../support/tier.ts';

const chunk = 256;
const size = 8 * chunk;

/** A restarted engine with eight chunks of popups. */
async function restarted(t: Pick<Test, 'teardown'>, decodedBytes: number) {
  const folder = temporaryFolder(t);
  const first = await openWorld(folder);
  const account = await accountIn(first.engine);
  const popups = Array.from({ length: size }, (_, i) => ({ name: `${i}` }));
  const one = await done(first.engine, create(project(account), { popups }));
  const held = first.engine.state.accounts.get(account)?.projects.get(one)?.collection('popups', '');
  const ids = Array.from(held?.capture() ?? [], ({ value }) => value.id);
  await first.engine.snapshot();
  await first.engine.close();
  const { engine } = await openWorld(folder, { decodedCacheBytes: decodedBytes });
  t.teardown(() => engine.close());
  const path = { accountId: account, projectId: one, collection: 'popups', parentId: '' } as const;
  const collection = engine.state.accounts.get(account)?.projects.get(one)?.collection('popups', '');
  if (collection === undefined) throw new Error('no popups');
  return { engine, account, one, ids, path, collection };
}

const decodedIn = (state: State) =>
  [...state.accounts.values()]
    .flatMap(({ projects }) => [...projects.values()])
    .flatMap((held) => [...held.collections()].flatMap(({ collection }) => collection.leaves))
    .filter((leaf) => leaf.decoded).length;

/** A budget that the test sweeps itself: as one that has begun, without its timer. */
function begun(t: Pick<Test, 'teardown'>, state: State, limitBytes: number): LeafCache {
  const decoded = new LeafCache(limitBytes);
  decoded.start(state, () => false);
  t.teardown(() => decoded.close());
  return decoded;
}

t.test('read members stay decoded up to the limit, and one long list evicts none', async (t) => {
  const { engine, collection } = await restarted(t, 200_000);
  t.equal([...collection.capture()].length, size);
  const stayed = collection.leaves.map((leaf) => leaf.decoded);
  t.ok(stayed.includes(true) && stayed.includes(false), `${stayed}`);
  t.ok(engine.memory.decoded.stats.bytes <= 200_000);
  t.equal([...collection.capture()].length, size, 'the rest can be read all the same');
  t.strictSame(
    collection.leaves.map((leaf) => leaf.decoded),
    stayed,
  );
});

t.test('a sweep packs leaves that were not read since the last sweep, down to a share of the limit', async (t) => {
  const { engine, collection } = await restarted(t, 1e9);
  t.equal([...collection.capture()].length, size);
  t.equal(decodedIn(engine.state), 8);
  const bytes = collection.leaves.reduce((sum, leaf) => sum + leaf.decodedBytes, 0);
  const decoded = begun(t, engine.state, bytes);
  decoded.sweep(engine.state);
  t.equal(decodedIn(engine.state), 8, 'all were looked into, so all have another chance');
  t.equal(decoded.stats.bytes, bytes, 'and what there is is known');
  t.equal(collection.leaves[0]?.members.length, chunk);
  decoded.sweep(engine.state);
  t.ok(collection.leaves[0]?.decoded, 'looked into since');
  t.equal(decodedIn(engine.state), 6, 'two of eight are a quarter');
  t.equal(decoded.stats.evicted, 2);
  decoded.sweep(engine.state);
  t.equal(decodedIn(engine.state), 6, 'below the limit everything stays');
  decoded.sweep(engine.state, true);
  decoded.sweep(engine.state, true);
  t.equal(decodedIn(engine.state), 0, 'unless memory is wanted for other things');
  t.equal(decoded.stats.bytes, 0);
});

t.test('members that writes decoded count against the limit and are packed as well', async (t) => {
  const { engine, account } = await restarted(t, 1e9);
  const popups = Array.from({ length: 1000 }, (_, i) => ({ title: `${i}` }));
  const fresh = await done(engine, create(project(account), { popups }));
  const decoded = begun(t, engine.state, 1);
  const before = dump(engine.state);
  decoded.sweep(engine.state);
  t.ok(decoded.stats.bytes > 100_000);
  decoded.sweep(engine.state);
  t.equal(decodedIn(engine.state), 0);
  t.equal(dump(engine.state), before);
  const id = await done(engine, create(member(account, fresh, 'popups'), { title: 'new' }));
  t.equal(
    findMember(engine.state, { accountId: account, projectId: fresh, collection: 'popups', parentId: '' }, id).value?.member
      .value['title'],
    'new',
  );
});

t.test('members read one by one count against the limit and are evicted', async (t) => {
  const { engine, ids, path, collection } = await restarted(t, 1e9);
  const decoded = begun(t, engine.state, 1);
  const seen = findMember(engine.state, path, ids[5] as string).value?.member;
  t.ok((collection.leaves[0]?.decodedBytes ?? 0) > 100);
  decoded.sweep(engine.state);
  decoded.sweep(engine.state);
  t.equal(collection.leaves[0]?.decodedBytes, 0);
  const again = findMember(engine.state, path, ids[5] as string).value?.member;
  t.not(again, seen);
  t.strictSame(again, seen);
});

t.test('sweeps run in the background without a call', async (t) => {
  const { engine, collection } = await restarted(t, 0);
  collection.put({ ...(collection.leaves[0]?.members[0]?.value as { id: string }) }, engine.state.lsn);
  const until = performance.now() + 20_000;
  while (decodedIn(engine.state) > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal(decodedIn(engine.state), 0);
});

const step = fc.record({
  what: fc.constantFrom('get', 'put', 'add', 'remove', 'list', 'turn', 'sweep', 'sweep'),
  number: fc.nat(size - 1),
});

test.all('evictions between any steps change no result of reads and writes', async (t) => {
  const world = await restarted(t, 200_000);
  const { engine, account, one, path } = world;
  const decoded = begun(t, engine.state, 1);
  const titles = new Map<string, string>(world.ids.map((id) => [id, '']));
  let count = 0;
  const popup = (id?: string) => member(account, one, 'popups', id);
  const titleOf = (id: string) => findMember(engine.state, path, id).value?.member.value['title'];
  const take = async (target: Engine, { what, number }: { what: string; number: number }) => {
    const ids = [...titles.keys()];
    const id = ids[number % ids.length] as string;
    if (what === 'sweep') decoded.sweep(target.state);
    if (what === 'get' && titleOf(id) !== titles.get(id)) throw new Error(`${id}: ${titleOf(id)}`);
    if (what === 'put') {
      titles.set(id, `${++count}`);
      await done(target, update(popup(id), { title: `${count}` }));
    }
    if (what === 'add') titles.set(await done(target, create(popup(), { title: 'new' })), 'new');
    if (what === 'remove') {
      titles.delete(id);
      await done(target, remove(popup(id)));
    }
    if (what === 'turn') {
      const turned = [...ids.slice(-3), ...ids.slice(0, -3)];
      await done(target, update(project(account, one), { popups: turned.map((held) => ({ id: held })) }));
      const before = new Map(titles);
      titles.clear();
      for (const held of turned) titles.set(held, before.get(held) as string);
    }
    if (what === 'list') {
      const listed = Array.from(world.collection.capture(), ({ value }) => [value.id, value['title']]);
      if (JSON.stringify(listed) !== JSON.stringify([...titles])) throw new Error('another list');
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25, size: 'max' }), async (steps) => {
      for (const one of steps) await take(engine, one);
      await take(engine, { what: 'list', number: 0 });
    }),
    { numRuns: sized({ sample: 1, all: 3 }), endOnFailure: true },
  );
  t.ok(decoded.stats.evicted > 10, `${decoded.stats.evicted} leaves were let go of`);
});

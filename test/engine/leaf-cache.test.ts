// tier: normal
/** The cache of decoded members: its limit, its evictions, and that they do not change any result. */

import t, { type Test } from 'tap';
import { LeafCache } from '../../src/engine/memory/leaf-cache.ts';
import { findMember } from '../../src/store/find.ts';
import type { State } from '../../src/store/state.ts';
import { chunk, restarted } from '../store/restarted.ts';
import { create, done, dump, member, project } from '../support/engine.ts';

const size = 8 * chunk;

/** A restarted engine with eight chunks of popups in each project. */
const restartedWith = (t: Test, decodedCacheBytes: number) => restarted(t, 8, { decodedCacheBytes });

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
  const { engine, collection } = await restartedWith(t, 200_000);
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
  const { engine, collection } = await restartedWith(t, 1e9);
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
  const { engine, account } = await restartedWith(t, 1e9);
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
  const { engine, ids, path, collection } = await restartedWith(t, 1e9);
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
  const { engine, collection } = await restartedWith(t, 0);
  collection.put({ ...(collection.leaves[0]?.members[0]?.value as { id: string }) }, engine.state.lsn);
  const until = performance.now() + 20_000;
  while (decodedIn(engine.state) > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal(decodedIn(engine.state), 0);
});

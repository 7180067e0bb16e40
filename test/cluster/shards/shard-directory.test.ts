// tier: normal, process: own
/** Lookups of unknown keys: few queries, whatever keys are sent. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { ShardDirectory } from '../../../src/cluster/routing/shard-directory.ts';

function directoryOf(rows: readonly { id: string; shard: number }[] = [], knownMs?: number) {
  const queries: (readonly string[])[] = [];
  const there = new Map(rows.map(({ id, shard }) => [id, shard]));
  const directory = new ShardDirectory(async (ids) => {
    queries.push(ids);
    return ids.flatMap((id) => {
      const shard = there.get(id);
      return shard === undefined ? [] : [{ id, shard }];
    });
  }, knownMs);
  return { directory, queries, there };
}

t.test('known keys need no query, and unknown keys at most one query per second', async (t) => {
  const { directory, queries, there } = directoryOf([{ id: 'there', shard: 3 }]);
  directory.add([{ id: 'known', shard: 1 }]);
  t.equal(directory.known('known'), 1);
  t.equal(await directory.shardOf('known'), 1);
  t.same(queries, []);
  const asked = ['there', 'not', 'there', 'not'].map((id) => directory.shardOf(id));
  t.same(await Promise.all(asked), [3, undefined, 3, undefined]);
  t.same(queries, [['there', 'not']], 'one query for all');
  t.equal(directory.known('there'), 3);
  t.ok(directory.isUnknown('not'));
  there.set('not', 2);
  t.equal(await directory.shardOf('not'), undefined);
  t.equal(queries.length, 1, 'within a second');
  while (directory.isUnknown('not')) await delay(20);
  t.equal(await directory.shardOf('not'), 2);
  t.equal(queries.length, 2);
});

t.test('what can move to another shard is looked up again after a while, and the last answer counts meanwhile', async (t) => {
  const { directory, queries, there } = directoryOf([{ id: 'name', shard: 0 }], 100);
  t.equal(await directory.shardOf('name'), 0);
  there.set('name', 1);
  t.equal(directory.known('name'), 0);
  t.equal(queries.length, 1, 'not yet');
  await delay(100);
  t.equal(directory.known('name'), 0, 'nothing waits for the answer');
  while (directory.known('name') === 0) await delay(20);
  t.equal(directory.known('name'), 1);
  there.delete('name');
  while (directory.known('name') !== undefined) await delay(20);
  t.ok(directory.isUnknown('name'));
});

t.test('what is added during a lookup is not forgotten by an older answer', async (t) => {
  const directory = new ShardDirectory(async () => {
    directory.add([{ id: 'name', shard: 1 }]);
    return [];
  });
  t.equal(await directory.shardOf('name'), 1);
  t.equal(directory.known('name'), 1);
});

t.test('floods of unknown keys need few queries and are refused when too many wait', async (t) => {
  const { directory, queries } = directoryOf();
  const began = performance.now();
  const outcomes = await Promise.allSettled(Array.from({ length: 5_000 }, (_, n) => directory.shardOf(`hostile ${n}`)));
  const ms = performance.now() - began;
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 4_000);
  t.ok(queries.length <= 10 + ms / 50, `${queries.length} queries in ${Math.round(ms)} ms`);
  t.ok(queries.every((ids) => ids.length <= 100));
});

t.test('a lookup in an unavailable database is rejected, and the next one queries again', async (t) => {
  let isAway = true;
  const directory = new ShardDirectory(async (ids) => {
    if (isAway) throw new Error('away');
    return ids.map((id) => ({ id, shard: 0 }));
  });
  await t.rejects(directory.shardOf('a'), { message: 'away' });
  isAway = false;
  t.equal(await directory.shardOf('a'), 0);
  const waiting = directory.shardOf('b');
  directory.close();
  await t.rejects(waiting, { message: 'the node stops' });
});

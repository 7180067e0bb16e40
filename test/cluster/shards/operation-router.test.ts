// tier: normal, process: own
/** The shards to which operations of commands are sent. */
import t from 'tap';
import { OperationRouter, type RouterOptions } from '../../../src/cluster/routing/operation-router.ts';
import { operations } from '../../../src/server/admin/admin-operations.ts';
import type { AdminResponse } from '../../../src/server/admin/control-socket.ts';

type Answer = (shard: number, line: string) => AdminResponse;

function routerOf(answer: Answer, changes: Partial<RouterOptions> = {}) {
  const sent: number[] = [];
  const router = new OperationRouter({
    shards: 3,
    shardOfAccount: async (name) => (name === 'of 1' ? 1 : undefined),
    shardOfKey: async (id) => (id === 'key of 1' ? 1 : undefined),
    shardForAccount: async () => 2,
    defaultShard: () => 0,
    send: async (shard, line) => {
      sent.push(shard);
      return answer(shard, line);
    },
    ...changes,
  });
  const run = (verb: string, args: object) => router.respond(JSON.stringify({ verb, args }), () => undefined);
  return { router, sent, run };
}

const done: Answer = () => ({ ok: true, result: [] });

t.test('each operation is sent to its shard', async (t) => {
  const { sent, run } = routerOf(done);
  const name = { name: 'of 1', account: 'of 1', id: 'key of 1', shard: 1 };
  for (const verb of Object.keys(operations)) {
    await run(verb, name);
    t.same(sent.splice(0), verb.endsWith('.list') ? [0, 1, 2] : [1], verb);
  }
  const other = { name: 'other', account: 'other', id: 'other' };
  for (const [verb, shard] of Object.entries({
    'keys.create': 2,
    'accounts.create': 2,
    'accounts.delete': 0,
    'keys.revoke': 0,
    unknown: 0,
  })) {
    await run(verb, other);
    t.same(sent.splice(0), [shard], verb);
  }
  await run('keys.create', { account: 7 });
  t.same(sent.splice(0), [0], 'an owner says what is wrong');
});

t.test('a name that was reserved meanwhile is sent to its shard', async (t) => {
  const elsewhere: Answer = (shard) => (shard === 2 ? { ok: false, error: 'elsewhere', shard: 1 } : { ok: true, result: 'made' });
  const { sent, run } = routerOf(elsewhere);
  t.same(await run('keys.create', { account: 'new' }), { ok: true, result: 'made' });
  t.same(sent, [2, 1]);
  const never = routerOf(() => ({ ok: false, error: 'elsewhere', shard: 1 }));
  t.match(await never.run('keys.create', { account: 'new' }), { ok: false, error: 'elsewhere' });
  t.equal(never.sent.length, 3);
});

t.test('lists of all shards are merged, or fail with the shard without a response', async (t) => {
  const dates = ['2026-01-02', '2026-01-01', '2026-01-03'];
  const { run } = routerOf((shard) => ({ ok: true, result: [{ shard, created: dates[shard] }] }));
  t.match(await run('keys.list', {}), { result: [{ shard: 1 }, { shard: 0 }, { shard: 2 }] });
  const undated = routerOf((shard) => ({ ok: true, result: [{ shard }] }));
  t.match(await undated.run('failing-sources.list', {}), { result: [{ shard: 0 }, { shard: 1 }, { shard: 2 }] });
  const failing = routerOf((shard) => (shard === 1 ? { ok: false, error: 'no owner' } : { ok: true, result: [] }));
  t.same(await failing.run('accounts.list', {}), { ok: false, error: 'Shard 1: no owner' });
});

t.test('operations for a missing shard or a cluster without owners are refused', async (t) => {
  const { router, run, sent } = routerOf(done, { shardForAccount: async () => undefined });
  t.match(await run('keys.create', { account: 'new' }), {
    error: 'No shard has an owner at the moment: nothing was done. Run the command again.',
  });
  for (const shard of [3, -1, 1.5, 'x']) {
    const error = `The cluster has 3 shards. There is no shard ${shard}. Name one: mapwright snapshot --shard 0 (to 2).`;
    t.same(await run('snapshot', { shard }), { ok: false, error });
  }
  t.match(await router.respond('{', () => undefined), { ok: false });
  t.same(sent, []);
  const one = routerOf(done, { shards: 1 });
  await one.run('backup', { target: 'x' });
  t.same(one.sent, [0], 'one shard needs no name');
});

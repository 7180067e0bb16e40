// tier: all, process: own
/** Claims of a process on a real pair of databases: one at a time, since a claim whose answer is lost may still win. */
import t, { type Test } from 'tap';
import { parseDatabaseUrl } from '../../../src/cluster/database/database-url.ts';
import type { Observed } from '../../../src/cluster/database/owner-statements.ts';
import { type ClaimOptions, ClaimSession, type StrayClaim, settleStray } from '../../../src/cluster/log/claim-session.ts';
import { recordingLog } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { newCluster } from '../support/local-nodes.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startProxy } from '../support/tcp-proxy.ts';

t.setTimeout(120_000);

let pair: Postgres;
t.before(async () => {
  pair = await startPostgres(t);
});

/** A cluster of two shards, one of them locked, and a process that claims through a proxy. */
async function scene(t: Test, changes: Partial<ClaimOptions> = {}) {
  const database = await newCluster(t, pair, 2);
  const name = database.text.slice(database.text.lastIndexOf('/') + 1);
  const lock = await pair.primary.connect({ connectionString: pair.primary.url.replace(/postgres$/, name) });
  t.teardown(() => lock.end());
  const proxy = await startProxy(t, pair.primary.port);
  const seen: Observed[] = [];
  const start = () =>
    new ClaimSession({
      url: parseDatabaseUrl(`postgres://postgres@127.0.0.1:${proxy.port}/${name}`),
      ...{ durability: 'standby', shards: [0, 1], leaseMs: 1_000, address: '', log: recordingLog().log },
      onObserved: (observed) => void seen.push(observed),
      ...changes,
    });
  const waiting = async () =>
    (
      await database.sql(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH silent%'`,
      )
    ).length;
  const leases = async () => (await database.sql('SELECT released FROM mw_lease ORDER BY shard')).map(({ released }) => released);
  return { ...database, lock, proxy, seen, start, waiting, leases };
}

t.test('a process claims no other shard while an unanswered claim may win', async (t) => {
  const { lock, proxy, start, waiting, leases } = await scene(t);
  await lock.query('BEGIN');
  await lock.query('SELECT 1 FROM mw_lease WHERE shard = 0 FOR UPDATE');
  const session = start();
  t.teardown(() => session.close());
  await until('a claim waits', async () => (await waiting()) === 1);
  // The server goes on with the claim; the process connects again and repeats it.
  proxy.resetConnections();
  await until('two claims wait', async () => (await waiting()) === 2);
  t.same(await leases(), [true, true], 'shard 1 is released, and is not claimed');
  await lock.query('COMMIT');
  // The first claim wins, so the second is refused.
  const won = await session.won;
  t.match(won, { shard: 0, strays: [] });
  t.same(await leases(), [false, true]);
});

t.test('a claim that wins while its process owns another shard is released', async (t) => {
  const { connection, lock, seen, sql, start, waiting, leases } = await scene(t);
  await sql(`UPDATE mw_lease SET released = false, address = 'http://a' || shard`);
  const beating = new Set([1]);
  const beat = setInterval(
    () => void sql('UPDATE mw_lease SET beat = beat + 1 WHERE shard = ANY ($1)', [[...beating]]).catch(() => undefined),
    100,
  );
  t.teardown(() => clearInterval(beat));
  const session = start();
  t.teardown(() => session.close());
  await until('leases are observed', () => seen.length > 0);
  await lock.query('BEGIN');
  await lock.query('SELECT 1 FROM mw_lease WHERE shard = 0 FOR UPDATE');
  await until('a claim waits', async () => (await waiting()) === 1);
  await sql(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'WITH silent%' AND wait_event_type = 'Lock'",
  );
  await lock.query('ROLLBACK');
  // The process does not know what became of its claim. The owner of shard 0 lives, and that of shard 1 gives its shard away.
  beating.add(0);
  const before = seen.length;
  await until('leases are observed', () => seen.length > before + 20);
  await sql('UPDATE mw_lease SET released = true WHERE shard = 1');
  const won = await session.won;
  t.match(won, { shard: 1, strays: [{ shard: 0 }] });
  t.same(await leases(), [false, false]);

  const stray = won?.strays[0] as StrayClaim;
  t.equal(await settleStray(connection, stray), 'open');
  clearInterval(beat);
  await sql('UPDATE mw_lease SET owner = $1 WHERE shard = 0', [stray.owner]);
  t.equal(await settleStray(connection, stray), 'released');
  t.same(await leases(), [true, false]);
  await sql('UPDATE mw_lease SET owner = gen_random_uuid() WHERE shard = 0');
  t.equal(await settleStray(connection, stray), 'over');
});

t.test('a process that owns a shard only observes the leases', async (t) => {
  const { seen, start, leases } = await scene(t, { shards: [1], watchesOnly: true });
  const session = start();
  await until('leases are observed', () => seen.length > 10);
  t.same(await leases(), [true, true]);
  t.ok(seen.every(({ shard }) => shard === 1));
  await session.close();
  t.equal(await session.won, undefined);
});

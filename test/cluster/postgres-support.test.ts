// tier: normal
/**
 * What the protocol of the cluster relies on, shown on a real primary with a real synchronous standby: locks, visibility, warnings, timelines,
 * and what `pg` does with pipelined queries. The tests share the two servers, and leave them as they found them, except for the last one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import t, { type Test } from 'tap';
import { tier } from '../support/tier.ts';
import { debianBin, type PostgresServer, startPostgres } from './support/postgres.ts';

const schema = `
  CREATE TABLE mw_shard (shard int PRIMARY KEY, lineage text NOT NULL, epoch bigint NOT NULL, owner uuid NOT NULL);
  CREATE TABLE mw_lease (shard int PRIMARY KEY, owner uuid NOT NULL, beat bigint NOT NULL, address text NOT NULL, released boolean NOT NULL);
  CREATE TABLE mw_log (shard int, last_lsn bigint, first_lsn bigint NOT NULL, epoch bigint NOT NULL, chain bytea NOT NULL, deposit uuid,
    payload bytea NOT NULL, PRIMARY KEY (shard, last_lsn));`;

const appendSql = `WITH mine AS MATERIALIZED (SELECT 1 FROM mw_shard WHERE shard=$1 AND epoch=$2 AND owner=$3 FOR SHARE)
  INSERT INTO mw_log(shard,first_lsn,last_lsn,epoch,chain,deposit,payload)
  SELECT $1,$4,$5,$2,$6,$7,$8 FROM mine
  WHERE EXISTS (SELECT 1 FROM mw_log WHERE shard=$1 AND last_lsn=$4::bigint-1 AND chain=$9)
    AND current_setting('synchronous_commit') IN ('on','remote_apply') AND current_setting('synchronous_standby_names') <> ''`;
const standbysSql = `SELECT current_setting('synchronous_standby_names') <> '' AS kept`;
const renewSql = 'UPDATE mw_lease SET beat=beat+1 WHERE shard=$1 AND owner=$2';
const claimSql = `WITH silent AS (UPDATE mw_lease SET owner=$5,beat=0,address=$4,released=false
    WHERE shard=$1 AND owner=$2 AND (beat=$3 OR released) RETURNING shard)
  UPDATE mw_shard s SET epoch=s.epoch+1, owner=$5 FROM silent
  WHERE s.shard=silent.shard AND s.owner=$2 RETURNING s.epoch, s.lineage`;
const timelineSql = 'SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline';

const chain = Buffer.alloc(32);

/** An owner of a shard of its own with an empty log. */
class Shard {
  static #newest = 0;
  readonly shard = ++Shard.#newest;
  readonly owner = randomUUID();
  readonly claimer = randomUUID();

  static async on(server: PostgresServer): Promise<Shard> {
    const made = new Shard();
    const { shard, owner } = made;
    await server.sql(`INSERT INTO mw_shard VALUES (${shard}, 'lineage', 1, '${owner}')`);
    await server.sql(`INSERT INTO mw_lease VALUES (${shard}, '${owner}', 0, '', false)`);
    await server.sql('INSERT INTO mw_log VALUES ($1, 0, 0, 0, $2, NULL, $2)', [shard, chain]);
    return made;
  }

  /** Values of an append of record 1. */
  get append(): unknown[] {
    return [this.shard, 1, this.owner, 1, 1, chain, null, Buffer.from('payload'), chain];
  }

  claim(beat: number): unknown[] {
    return [this.shard, this.owner, beat, 'http://127.0.0.1:1', this.claimer];
  }

  rows(server: PostgresServer): Promise<Record<string, unknown>[]> {
    return server.sql('SELECT last_lsn FROM mw_log WHERE shard=$1 AND last_lsn > 0', [this.shard]);
  }
}

interface Connection {
  readonly client: pg.Client;
  readonly pid: number;
  /** Code and text of each notice so far. */
  readonly notices: string[];
}

async function connect(t: Test, server: PostgresServer, config: pg.ClientConfig = {}): Promise<Connection> {
  const client = await server.connect({ pipeline: true, ...config });
  t.teardown(() => {
    client.end().catch(() => undefined);
  });
  const notices: string[] = [];
  client.on('notice', ({ severity, code, message }) => notices.push(`${severity} ${code} ${message}`));
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { client, pid: (rows[0] as { pid: number }).pid, notices };
}

/** Waits until a connection waits for this in the server: `Lock/transactionid`, `Lock/tuple`, `IPC/SyncRep`. */
async function waitsFor(server: PostgresServer, pid: number, event: RegExp): Promise<void> {
  const monitor = await server.connect();
  const query = `SELECT wait_event_type || '/' || wait_event AS event FROM pg_stat_activity WHERE pid=$1`;
  while (!event.test((await monitor.query<{ event: string | null }>(query, [pid])).rows[0]?.event ?? '')) await sleep(5);
  await monitor.end();
}

const syncRep = /^IPC\/SyncRep$/;
const rowLock = /^Lock\//;

/** `pending` while it is. */
async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'settled'> {
  const settled = promise.then(
    () => 'settled' as const,
    () => 'settled' as const,
  );
  return Promise.race([settled, sleep(0, 'pending' as const)]);
}

/** The other version only in long runs, where it is installed. */
const versions: readonly (readonly [version: number | string, bin: string | undefined])[] = [
  [process.env['POSTGRES_BIN'] || 18, undefined],
  ...(tier === 'all' && debianBin !== undefined ? ([[15, debianBin]] as const) : []),
];

t.setTimeout(120_000);

for (const [version, bin] of versions)
  t.test(`a primary of PostgreSQL ${version} with a synchronous standby keeps the guarantees of the protocol`, async (t) => {
    const pair = await startPostgres(t, { bin });
    const { primary, standby } = pair;
    await primary.sql(schema);
    /** The standby as well when this ends. */
    const withoutStandby = async (work: () => Promise<void>): Promise<void> => {
      await standby.kill();
      await work();
      if (!standby.isRunning) await standby.start();
      await pair.synchronized();
    };

    t.test('an append during an uncommitted claim inserts nothing', async (t) => {
      const shard = await Shard.on(primary);
      const [claimer, owner] = [await connect(t, primary), await connect(t, primary)];
      await claimer.client.query('BEGIN');
      t.equal((await claimer.client.query(claimSql, shard.claim(0))).rowCount, 1);
      const append = owner.client.query(appendSql, shard.append);
      await waitsFor(primary, owner.pid, rowLock);
      await claimer.client.query('COMMIT');
      t.equal((await append).rowCount, 0);
      t.same(await shard.rows(primary), []);
    });

    t.test('an append after a rolled back claim succeeds', async (t) => {
      const shard = await Shard.on(primary);
      const [claimer, owner] = [await connect(t, primary), await connect(t, primary)];
      await claimer.client.query('BEGIN');
      await claimer.client.query(claimSql, shard.claim(0));
      const append = owner.client.query(appendSql, shard.append);
      await waitsFor(primary, owner.pid, rowLock);
      await claimer.client.query('ROLLBACK');
      t.equal((await append).rowCount, 1);
    });

    t.test('a claim with an old beat changes nothing', async (t) => {
      const shard = await Shard.on(primary);
      const { client } = await connect(t, primary);
      t.equal((await client.query(renewSql, [shard.shard, shard.owner])).rowCount, 1);
      t.equal((await client.query(claimSql, shard.claim(0))).rowCount, 0);
      const token = await primary.sql('SELECT s.epoch, l.owner FROM mw_shard s JOIN mw_lease l USING (shard) WHERE shard=$1', [
        shard.shard,
      ]);
      t.same(token, [{ epoch: '1', owner: shard.owner }]);
      t.same((await client.query(claimSql, shard.claim(1))).rows, [{ epoch: '2', lineage: 'lineage' }]);
      t.equal((await client.query(renewSql, [shard.shard, shard.owner])).rowCount, 0, 'the former owner cannot renew');
    });

    t.test('an append that waits for its standby is invisible and blocks a claim', async (t) => {
      const shard = await Shard.on(primary);
      const [owner, claimer] = [await connect(t, primary), await connect(t, primary)];
      await withoutStandby(async () => {
        const append = owner.client.query(appendSql, shard.append);
        await waitsFor(primary, owner.pid, syncRep);
        t.same(await shard.rows(primary), []);
        const claim = claimer.client.query(claimSql, shard.claim(0));
        await waitsFor(primary, claimer.pid, rowLock);
        t.same(await primary.sql('SELECT pg_blocking_pids($1) AS pids', [claimer.pid]), [{ pids: [owner.pid] }]);
        t.equal(await stateOf(append), 'pending');
        await standby.start();
        t.equal((await append).rowCount, 1);
        t.same((await claim).rows, [{ epoch: '2', lineage: 'lineage' }]);
      });
      t.same(owner.notices, []);
      t.same(await shard.rows(primary), [{ last_lsn: '1' }]);
    });

    t.test('a cancelled wait for the standby succeeds with a WARNING, and the row is visible', async (t) => {
      const shard = await Shard.on(primary);
      const owner = await connect(t, primary);
      await withoutStandby(async () => {
        const [append, kept] = [owner.client.query(appendSql, shard.append), owner.client.query<{ kept: boolean }>(standbysSql)];
        await waitsFor(primary, owner.pid, syncRep);
        await primary.sql('SELECT pg_cancel_backend($1)', [owner.pid]);
        t.equal((await append).rowCount, 1);
        t.same((await kept).rows, [{ kept: true }], 'only the WARNING says so');
        t.same(owner.notices, ['WARNING 01000 canceling wait for synchronous replication due to user request']);
        t.same(await shard.rows(primary), [{ last_lsn: '1' }]);
      });
    });

    t.test('a terminated wait for the standby ends the connection, and the row is visible', async (t) => {
      const shard = await Shard.on(primary);
      const owner = await connect(t, primary);
      await withoutStandby(async () => {
        const append = owner.client.query(appendSql, shard.append).catch((error: unknown) => error);
        await waitsFor(primary, owner.pid, syncRep);
        await primary.sql('SELECT pg_terminate_backend($1)', [owner.pid]);
        t.match(await append, { message: 'Connection terminated unexpectedly', code: undefined });
        t.same(await shard.rows(primary), [{ last_lsn: '1' }]);
      });
      t.match(owner.notices, [/^WARNING 57P01 canceling the wait for synchronous replication/]);
    });

    t.test('emptied standby names end a wait silently, which only the next query shows', async (t) => {
      const shard = await Shard.on(primary);
      const owner = await connect(t, primary);
      await withoutStandby(async () => {
        const [append, kept] = [owner.client.query(appendSql, shard.append), owner.client.query<{ kept: boolean }>(standbysSql)];
        await waitsFor(primary, owner.pid, syncRep);
        await primary.setStandbyNames('');
        t.equal((await append).rowCount, 1);
        t.same((await kept).rows, [{ kept: false }]);
        t.same(owner.notices, []);
        t.equal(
          (await owner.client.query(appendSql, [shard.shard, 1, shard.owner, 2, 2, chain, null, chain, chain])).rowCount,
          0,
        );
        await primary.setStandbyNames('s1');
      });
    });

    t.test('a restarted primary shows an unreplicated row, and a promotion removes it', async (t) => {
      const shard = await Shard.on(primary);
      t.same(await primary.sql(timelineSql), [{ timeline: '00000001' }]);
      const owner = await connect(t, primary);
      await standby.pause();
      const append = owner.client.query(appendSql, shard.append).catch((error: unknown) => error);
      await waitsFor(primary, owner.pid, syncRep);
      t.same(await shard.rows(primary), []);
      await primary.kill();
      t.match(await append, { message: 'Connection terminated unexpectedly' });
      await standby.kill();
      await primary.start();
      t.same(await shard.rows(primary), [{ last_lsn: '1' }]);
      await primary.kill();

      await standby.start();
      await standby.promote();
      t.same(await standby.sql(timelineSql), [{ timeline: '00000002' }]);
      t.same(await shard.rows(standby), []);
    });
  });

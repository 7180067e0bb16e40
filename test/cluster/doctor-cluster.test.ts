// tier: all, process: own
/** `mapwright doctor --cluster` on a real pair of databases. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import t from 'tap';
import type { CheckContext, CheckFinding } from '../../src/cli/doctor/check.ts';
import { clusterChecks } from '../../src/cli/doctor/cluster-checks.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { initCluster } from './support/cluster.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

t.setTimeout(240_000);

let pair: Postgres;
t.before(async () => {
  pair = await startPostgres(t);
});

async function found(name: string, changes: Partial<CheckContext> = {}): Promise<CheckFinding> {
  const context = { cluster: pair.urls, durability: 'standby', port: 8070, ...changes } as CheckContext;
  const check = clusterChecks.find((each) => each.name === name);
  if (check === undefined) throw new Error(`no check "${name}"`);
  return check.run(context);
}

t.test('doctor reports settings of the database, and a missing standby', async (t) => {
  t.match(await found('packages'), { verdict: 'ok' });
  t.match(await found('database'), { verdict: 'ok', found: /^PostgreSQL \d+\.\d+.*, postgres:\/\/postgres@127/ });
  t.match(await found('database', { cluster: pair.primary.url }), { verdict: 'warn', found: /which is one host$/ });
  t.match(await found('database', { cluster: pair.primary.url, durability: 'storage' }), { verdict: 'ok' });
  t.match(await found('database', { cluster: 'postgres://x@127.0.0.1:1/maps' }), { verdict: 'fail', found: /127\.0\.0\.1:1: / });
  t.match(await found('standby'), { verdict: 'ok', found: 's1 (sync)' });
  t.match(await found('standby', { durability: 'storage' }), { verdict: 'ok', found: /^not checked/ });

  await pair.primary.set({ statement_timeout: '30s' });
  t.match(await found('database'), { verdict: 'warn', found: /statement_timeout = 30000$/ });
  await pair.primary.set({ statement_timeout: '0', fsync: 'off' });
  t.match(await found('database'), { verdict: 'fail', found: /fsync is off: set it to "on"/ });
  await pair.primary.set({ fsync: 'on', synchronous_commit: 'off' });
  const { found: off } = await found('database');
  t.equal(off.split('synchronous_commit is off').length - 1, 1, 'a finding is reported once');
  t.match(await found('database', { durability: 'storage' }), {
    verdict: 'fail',
    found: /synchronous_commit is off: set it to "on"/,
  });
  await pair.primary.set({ synchronous_commit: 'on' });
  await pair.primary.setStandbyNames('');
  t.match(await found('database'), { verdict: 'fail', found: /synchronous_standby_names is empty/ });
  t.match(await found('standby'), { verdict: 'warn', found: 'no synchronous standby is connected, only s1 (async)' });
  await pair.primary.setStandbyNames('s1');
  await pair.synchronized();

  await pair.primary.sql('CREATE USER maps');
  const cluster = pair.urls.replace('postgres@', 'maps@');
  t.match(await found('standby', { cluster }), { verdict: 'fail', found: /s1 \(hidden\)$/, advice: /GRANT pg_monitor/ });
});

t.test('doctor reports missing tables, silent nodes and halted shards', async (t) => {
  for (const name of ['cluster', 'nodes'])
    t.match(await found(name), { verdict: 'fail', found: /^The database has no cluster\. Create it once/ });
  await initCluster(pair);
  t.match(await found('cluster'), { verdict: 'warn', found: 'record 0, no snapshot stored yet, no owner' });
  t.match(await found('nodes'), { verdict: 'warn', found: /^none was seen/ });

  const insert = (address: string, role: string, version: string, seconds: number) =>
    pair.primary.sql(
      `INSERT INTO mw_node (id, address, version, schema, role, lsns, options, seen)
      VALUES ($1, $2, $3, 5, $4, '{"0":0}', '', clock_timestamp() - make_interval(secs => $5))`,
      [randomUUID(), address, version, role, seconds],
    );
  await insert('http://a:1', 'owner', '1.0.0', 0);
  await insert('http://gone:1', 'following', '1.0.0', 60);
  t.match(await found('nodes'), { verdict: 'warn', found: 'only http://a:1 (owner, up to date)' });
  await insert('http://b:1', 'following', '1.1.0', 0);
  t.match(await found('nodes'), { verdict: 'warn', found: /, with versions 1\.0\.0, 1\.1\.0$/ });
  await pair.primary.sql(`UPDATE mw_node SET version = '1.1.0', seen = clock_timestamp()`);
  t.match(await found('nodes'), { verdict: 'ok', found: /http:\/\/b:1 \(following, up to date\)/ });
  await pair.primary.sql(`DELETE FROM mw_node WHERE address = 'http://gone:1'`);
  await pair.primary.sql(`INSERT INTO mw_shard SELECT 1, lineage, timeline, epoch, owner FROM mw_shard`);
  await pair.primary.sql(`INSERT INTO mw_lease SELECT 1, owner, beat, '', true FROM mw_lease`);
  await pair.primary.sql(`INSERT INTO mw_log (shard, last_lsn, first_lsn, epoch, chain, payload) SELECT 1, 0, 1, 0, '', ''`);
  await pair.primary.sql(`UPDATE mw_node SET shard = 0 WHERE role = 'owner'`);
  t.match(await found('nodes'), {
    verdict: 'warn',
    found: /http:\/\/a:1 \(owner of shard 0, up to date\)/,
    advice: '2 shards need 3 nodes, so that one can take over. Start 1 more.',
  });
  t.match(await found('cluster'), { verdict: 'warn', found: /^shard 0: record 0, .*; shard 1: record 0, .*, no owner$/ });
  for (const table of ['mw_shard', 'mw_lease', 'mw_log']) await pair.primary.sql(`DELETE FROM ${table} WHERE shard = 1`);
  await pair.primary.sql('UPDATE mw_log SET last_lsn = 200000');
  t.match(await found('nodes'), { verdict: 'warn', found: /b:1 \(following, 200000 records behind\)/, advice: /http:\/\/b:1/ });
  await pair.primary.sql(`UPDATE mw_lease SET released = false, address = 'http://a:1'`);
  t.match(await found('cluster'), { verdict: 'ok', found: 'record 200000, no snapshot stored yet, owned by http://a:1' });
  await pair.primary.sql('UPDATE mw_cluster SET schema_written = 0');
  t.match(await found('cluster'), { verdict: 'warn', found: /records of version 0 only/, advice: /cluster upgrade/ });
  await pair.primary.sql('UPDATE mw_cluster SET schema_written = 1000');
  t.match(await found('cluster'), { verdict: 'fail', found: /^its records have version 1000/ });
  await pair.primary.sql(`UPDATE mw_shard SET halted = 'records up to 7'`);
  t.match(await found('cluster'), { verdict: 'fail', found: 'no node may serve: records up to 7' });

  const data = path.join(temporaryFolder(t), 'data');
  const args = ['doctor', '--json', '--data', data, '--port', '0', '--cluster', pair.urls, '--advertise', 'http://10.0.0.5:8070'];
  const { code, stdout } = await run(args);
  t.equal(code, 1);
  const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
  const names = checks.map(({ name }) => name);
  t.strictSame(names.slice(-7), [...clusterChecks.map(({ name }) => name), 'clock']);
  t.match(
    checks.find(({ name }) => name === 'backups'),
    { verdict: 'ok', found: /^a node schedules none/ },
  );
});

t.test('doctor reports a missing or local --advertise', async (t) => {
  t.match(await found('advertise'), { verdict: 'warn', found: '--advertise is not given' });
  t.match(await found('advertise', { advertise: 'http://127.0.0.1:8070' }), { verdict: 'warn', found: /this machine only$/ });
  t.match(await found('advertise', { advertise: 'http://10.0.0.5:8071' }), {
    verdict: 'ok',
    found: 'http://10.0.0.5:8071, a port for other nodes beside 8070',
  });
  t.match(await found('advertise', { advertise: 'http://10.0.0.5:8070' }), { verdict: 'ok' });
});

/** Connections to the database, when the answer to a statement is late or never comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Connection } from '../../src/cluster/database/database-connection.ts';
import { parseDatabaseUrl } from '../../src/cluster/database/database-url.ts';
import { lifetimeS, poolerProgram, startPooler } from './support/pooler.ts';
import { startPostgres } from './support/postgres.ts';
import { startProxy } from './support/tcp-proxy.ts';

t.jobs = 3;

/** Longer than two questions whether a session lives. */
const longSeconds = 12;
const long = `SELECT pg_sleep(${longSeconds}), 7 AS seven`;

const skip = poolerProgram === undefined && 'pgbouncer is not installed';

const open = (url: string): Promise<Connection> => Connection.open(parseDatabaseUrl(url), 'test', 'storage');

t.test('a statement is waited for as long as it runs', async (t) => {
  const { url } = await startPostgres(t, { standby: false });
  const connection = await open(url);
  t.match(await connection.query(long), [{ seven: 7 }]);
  connection.close();
});

t.test('a statement is waited for behind a pooler too', { skip }, async (t) => {
  const { primary } = await startPostgres(t, { standby: false });
  const connection = await open(`postgres://postgres@127.0.0.1:${await startPooler(t, primary.port)}/postgres`);
  const pid = async () => (await connection.query('SELECT pg_backend_pid() AS pid'))[0]?.['pid'];
  const first = await pid();
  await sleep(3_000 * lifetimeS);
  t.not(await pid(), first, 'another session of the database');
  t.match(await connection.query(long), [{ seven: 7 }]);
  connection.close();
});

t.test('a connection ends when its primary is a standby behind the same pooler', { skip }, async (t) => {
  const { primary, standby } = await startPostgres(t);
  const proxy = await startProxy(t, primary.port);
  const connection = await open(`postgres://postgres@127.0.0.1:${await startPooler(t, proxy.port)}/postgres`);
  proxy.retarget(standby.port);
  proxy.resetConnections();
  await sleep(1_000 * lifetimeS);
  await t.rejects(connection.query('SELECT pg_current_wal_lsn()'), { message: 'recovery is in progress' });
  t.notOk(connection.isOpen);
});

t.test('a connection ends when an answer is lost on its way', async (t) => {
  const { primary } = await startPostgres(t, { standby: false });
  const proxy = await startProxy(t, primary.port);
  // The second host leads around the proxy.
  const connection = await open(`postgres://postgres@127.0.0.1:${proxy.port},${primary.host}/postgres`);
  proxy.fault = { drop: 'toClient' };
  await t.rejects(connection.query('SELECT 1'));
  t.notOk(connection.isOpen);
});

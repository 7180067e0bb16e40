// tier: all, process: own
/** Connections to the database, when the answer to a statement is late or never comes. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Connection } from '../../src/cluster/database/database-connection.ts';
import { DatabaseRefusedError } from '../../src/cluster/database/database-errors.ts';
import { parseDatabaseUrl } from '../../src/cluster/database/database-url.ts';
import { freePort } from '../support/ports.ts';
import { lifetimeS, poolerProgram, startPooler } from './support/pooler.ts';
import { startPostgres } from './support/postgres.ts';
import { startProxy } from './support/tcp-proxy.ts';

t.jobs = 3;

/** Longer than two questions whether a session lives. */
const longSeconds = 12;
const long = `SELECT pg_sleep(${longSeconds}), 7 AS seven`;

const skip = poolerProgram === undefined && 'pgbouncer is not installed';

const open = (url: string): Promise<Connection> => Connection.open(parseDatabaseUrl(url), 'test', 'storage');

t.test('a long statement gets its result', async (t) => {
  const { url } = await startPostgres(t, { standby: false });
  const connection = await open(url);
  t.match(await connection.query(long), [{ seven: 7 }]);
  connection.close();
});

t.test('a long statement gets its result through a pooler', { skip }, async (t) => {
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

t.test('a connection ends when a result is lost', async (t) => {
  const { primary } = await startPostgres(t, { standby: false });
  const proxy = await startProxy(t, primary.port);
  // The second host leads around the proxy.
  const connection = await open(`postgres://postgres@127.0.0.1:${proxy.port},${primary.host}/postgres`);
  proxy.fault = { drop: 'toClient' };
  await t.rejects(connection.query('SELECT 1'));
  t.notOk(connection.isOpen);
});

t.test('a user, password or database that every host refuses is an error with advice', async (t) => {
  const { primary } = await startPostgres(t, { standby: false });
  await primary.sql("CREATE USER careful PASSWORD 'secret'");
  const rules = path.join(primary.data, 'pg_hba.conf');
  fs.writeFileSync(rules, `host all careful all scram-sha-256\n${fs.readFileSync(rules, 'utf8')}`);
  await primary.sql('SELECT pg_reload_conf()');
  const refused = async (url: string, reason: string) => {
    const error = await open(url).then(
      (connection) => connection.close(),
      (error: Error) => error,
    );
    t.ok(error instanceof DatabaseRefusedError);
    const advice = 'Correct user and database in --cluster, or the password in PGPASSWORD or ~/.pgpass.';
    t.equal(error?.message, `The database refuses the connection: ${primary.host}: ${reason}. ${advice}`);
  };
  await refused(`postgres://postgres@${primary.host}/missing`, 'database "missing" does not exist');
  await refused(`postgres://nobody@${primary.host}/postgres`, 'role "nobody" does not exist');
  const wrong = `postgres://careful:wrong@${primary.host}/postgres`;
  await refused(wrong, 'password authentication failed for user "careful"');
  await refused(`postgres://careful@${primary.host}/postgres`, 'it asks for a password');
  const away = open(wrong.replace('/postgres', `,127.0.0.1:${await freePort()}/postgres`));
  const error: Error = await away.then(
    () => new Error('connected'),
    (error: Error) => error,
  );
  t.notOk(error instanceof DatabaseRefusedError, 'another host is away, and may accept');
  t.match(error.message, /^No host of the database can be used: .*password authentication failed/);
});

// tier: normal
/**
 * Behaviour of the package `pg` with pipelined queries: to which query an error or a notice belongs, what a timeout and a closed connection leave
 * running in the server. The cluster counts on it, so a version of `pg` that differs fails here.
 *
 * No standby exists: a commit waits until a test cancels it or removes the standby from the settings.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { type Postgres, type PostgresServer, startPostgres } from './support/postgres.ts';
import { startProxy, type TcpProxy } from './support/tcp-proxy.ts';

t.setTimeout(120_000);

/** What happened on a connection, in order. */
type Events = string[];

interface Connection {
  readonly client: pg.Client;
  readonly events: Events;
  readonly pid: number;
}

/** A connection through the proxy, with pipelining. */
async function connect(t: Test, proxy: TcpProxy, config: pg.ClientConfig = {}): Promise<Connection> {
  const events: Events = [];
  const client = new pg.Client({
    host: '127.0.0.1',
    port: proxy.port,
    user: 'postgres',
    database: 'postgres',
    pipeline: true,
    ...config,
  });
  client.on('error', () => undefined);
  client.on('notice', ({ severity, message }) => events.push(`${severity}: ${message}`));
  await client.connect();
  t.teardown(() => client.connection.stream.destroy());
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { client, events, pid: (rows[0] as { pid: number }).pid };
}

const insert = (value: number): string => `INSERT INTO done VALUES (${value})`;

const warn = (text: string): string => `DO $$ BEGIN RAISE WARNING '${text}'; END $$`;

async function isDone(server: PostgresServer, value: number): Promise<boolean> {
  return (await server.sql('SELECT FROM done WHERE value = $1', [value])).length > 0;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

async function waitsForStandby(server: PostgresServer, pid: number): Promise<boolean> {
  return (await server.sql("SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'", [pid])).length > 0;
}

/**
 * Resolves when commits wait for the standby in the settings: once the checkpointer has read them, which no query shows. So commits are tried
 * until one waits.
 */
async function untilCommitsWait(server: PostgresServer): Promise<void> {
  const client = await server.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { pid } = rows[0] as { pid: number };
  for (let isWaiting = false; !isWaiting; ) {
    let isOver = false;
    const commit = client.query(insert(0)).then(() => {
      isOver = true;
    });
    await until(async () => {
      isWaiting = await waitsForStandby(server, pid);
      return isWaiting || isOver;
    });
    if (isWaiting) await server.sql('SELECT pg_cancel_backend($1)', [pid]);
    await commit;
  }
  await client.end();
}

/** The error of a query that must fail. */
const errorOf = (query: Promise<unknown>): Promise<Error & { code?: string }> =>
  query.then(
    () => {
      throw new Error('the query succeeded');
    },
    (error) => error,
  );

t.test('pipelined queries of pg keep the guarantees that the journal relies on', async (t) => {
  const pair: Postgres = await startPostgres(t, { standby: false });
  const server = pair.primary;
  await server.sql('CREATE TABLE done (value int)');
  const proxy = await startProxy(t, server.port);
  const waitingCommits = async (work: () => Promise<void>): Promise<void> => {
    await server.setStandbyNames('s1');
    await untilCommitsWait(server);
    await work();
    await server.setStandbyNames('');
  };

  t.test('a query is sent before the previous one has its result', async (t) => {
    const { client } = await connect(t, proxy);
    proxy.fault = { hold: 'toClient' };
    const queries = [client.query(insert(1)), client.query(insert(2))];
    await until(() => isDone(server, 2));
    proxy.fault = 'pass';
    t.same(
      (await Promise.all(queries)).map(({ rowCount }) => rowCount),
      [1, 1],
    );
  });

  t.test('each pipelined query is its own transaction', async (t) => {
    const { client } = await connect(t, proxy);
    const queries = [client.query(insert(11)), client.query('SELECT 1/0'), client.query('SELECT $1::int AS one', [1])] as const;
    const failed = errorOf(queries[1]);
    t.equal((await queries[0]).rowCount, 1);
    t.match(await failed, { code: '22012', severity: 'ERROR' });
    t.same((await queries[2]).rows, [{ one: 1 }]);
    t.ok(await isDone(server, 11));
  });

  t.test('a notice arrives right before the callback of its query, and promises resolve later', async (t) => {
    const { client, events } = await connect(t, proxy);
    /** Sends two queries, and lets their answers arrive in one piece: they left the server when the row of a third one shows. */
    const together = async (value: number, send: (text: string) => unknown): Promise<void> => {
      events.length = 0;
      proxy.fault = { hold: 'toClient' };
      send('one');
      send('two');
      const last = client.query(insert(value));
      await until(() => isDone(server, value));
      proxy.fault = 'pass';
      await last;
    };
    await together(61, (text) => client.query(warn(text), () => events.push(`callback ${text}`)));
    t.same(events, ['WARNING: one', 'callback one', 'WARNING: two', 'callback two']);
    await together(62, (text) => client.query(warn(text)).then(() => events.push(`promise ${text}`)));
    t.same(events, ['WARNING: one', 'WARNING: two', 'promise one', 'promise two']);
  });

  t.test('the WARNING of a commit arrives between the result and the end of its query', async (t) => {
    const { client, events, pid } = await connect(t, proxy);
    const messages: string[] = [];
    for (const name of ['commandComplete', 'notice', 'readyForQuery']) client.connection.on(name, () => messages.push(name));
    await waitingCommits(async () => {
      // Values make it an extended query, which commits when its result was sent already.
      client.query('INSERT INTO done VALUES ($1)', [21], (error, result) => events.push(`${error ?? result.rowCount}`));
      const next = client.query('SELECT 1 AS one').then(({ rows }) => rows);
      await until(() => waitsForStandby(server, pid));
      t.same(events, []);
      await server.sql('SELECT pg_cancel_backend($1)', [pid]);
      t.same(await next, [{ one: 1 }]);
    });
    t.same(events, ['WARNING: canceling wait for synchronous replication due to user request', '1']);
    t.same(messages, ['commandComplete', 'notice', 'readyForQuery', 'commandComplete', 'readyForQuery']);
  });

  t.test('a terminated connection fails the running query with its code, and those after it without one', async (t) => {
    const { client, pid } = await connect(t, proxy);
    const errors = Promise.all([errorOf(client.query('SELECT pg_sleep(60)')), errorOf(client.query('SELECT 1'))]);
    await until(async () => (await server.sql("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length > 0);
    await server.sql('SELECT pg_terminate_backend($1)', [pid]);
    const [running, next] = await errors;
    t.match(running, { code: '57P01', severity: 'FATAL' });
    t.match(next, { message: 'Connection terminated unexpectedly' });
    t.equal(next.code, undefined);
  });

  t.test('a connection reset fails all queries with a code that is no SQLSTATE', async (t) => {
    const { client } = await connect(t, proxy);
    proxy.fault = { hold: 'toClient' };
    const errors = Promise.all([errorOf(client.query(insert(31))), errorOf(client.query('SELECT 1'))]);
    await until(() => isDone(server, 31));
    proxy.fault = 'reset';
    for (const error of await errors) {
      t.equal(error.code, 'ECONNRESET');
      t.notOk(error instanceof pg.DatabaseError);
    }
    t.match(await errorOf(client.query('SELECT 1')), { message: /not queryable/ });
    proxy.fault = 'pass';
  });

  for (const pipeline of [true, false]) {
    const effect = pipeline ? 'closes a pipelining connection' : 'keeps another connection';
    t.test(`a timeout ${effect}, and its query goes on in the server`, async (t) => {
      const { client, pid } = await connect(t, proxy, { pipeline });
      const gate = await server.connect();
      await gate.query('BEGIN; LOCK TABLE done');
      const value = pipeline ? 41 : 42;
      const query = errorOf(client.query({ text: insert(value), query_timeout: 20 } as pg.QueryConfig));
      const next = client.query('SELECT 1 AS one').then(
        ({ rows }) => rows,
        (error: Error) => error.message,
      );
      t.match(await query, { message: 'Query read timeout' });
      const waiting = "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'";
      await until(async () => (await server.sql(waiting, [pid])).length > 0);
      await gate.query('COMMIT');
      await gate.end();
      t.same(await next, pipeline ? 'Connection terminated unexpectedly' : [{ one: 1 }]);
      await until(() => isDone(server, value));
    });
  }

  t.test('end() waits for results; a destroyed stream does not, and its query goes on in the server', async (t) => {
    const { client, pid } = await connect(t, proxy);
    await waitingCommits(async () => {
      const query = errorOf(client.query(insert(51)));
      await until(() => waitsForStandby(server, pid));
      let hasEnded = false;
      const ending = client.end().then(() => {
        hasEnded = true;
      });
      await sleep(20);
      t.notOk(hasEnded);
      client.connection.stream.destroy();
      await ending;
      t.match(await query, { message: 'Connection terminated' });
      await sleep(20);
      t.ok(await waitsForStandby(server, pid), 'it holds its locks');
      t.notOk(await isDone(server, 51));
    });
    await until(() => isDone(server, 51));
    t.notMatch(server.log, /canceling statement due to user request/);
  });
});

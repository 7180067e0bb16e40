/**
 * Connections to the database of a cluster: to the first host that is not a standby.
 *
 * Queries of one connection run in order, each in its own transaction, so a pooler in transaction mode may stand between. No statement is ever
 * cancelled and none has a deadline: a dropped statement keeps running in the server and may still commit.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, QueryResultRow } from 'pg';
import type { WriteAnswer, WriteError } from '../protocol/terms.ts';
import { DatabaseRefusedError, DatabaseUnavailableError } from './database-errors.ts';
import type { DatabaseHost, DatabaseUrl } from './database-url.ts';
import { loadPg } from './load-packages.ts';
import { type Durability, replicatesSql, timelineSql } from './tables.ts';

/** Milliseconds that the connection to one host may take. */
const connectTimeoutMs = 3_000;

/** The SQLSTATE of a notice that is no warning. */
const successCode = '00000';

/** SQLSTATEs of what only a primary does. Behind a pooler, a connection outlives the restart of its primary as a standby. */
const standbyCodes: ReadonlySet<unknown> = new Set(['25006', '55000']);

/** SQLSTATEs of a refused connection: no such user or not from this address, wrong password, no such database, no right to connect. */
const refusalCodes: ReadonlySet<unknown> = new Set(['28000', '28P01', '3D000', '42501']);
/** What `pg` says if the server asks for a password, and none is set. It has no code. */
const missingPassword = /client password must be/;

/** PostgreSQL's type `bigint`, which `pg` returns as text: LSNs, epochs and beats stay below 2^53. */
const bigintOid = 20;

/** The answer to a write with the rows that it returned. */
export interface Written<Row> {
  readonly answer: WriteAnswer | WriteError;
  readonly rows: readonly Row[];
}

/** Milliseconds after which the next host is tried beside the one before it. */
const nextHostMs = 250;
/** Milliseconds that a query waits before another connection asks whether its session lives, and between two such questions. */
const probeMs = 5_000;

export class Connection {
  readonly #client: Client;
  readonly #url: DatabaseUrl;
  readonly durability: Durability;
  /** Its name in `pg_stat_activity`, which no other connection has. A pooler passes it on to the session that runs the statement. */
  readonly #session: string;
  /** Whether a warning came since the last write was sent. */
  #warned = false;
  /** The write under way. */
  #writing: Promise<unknown> | undefined;
  #isOpen = true;
  /** Queries without an answer, and since when the first of them waits. */
  #waiting = 0;
  #waitingSince = 0;
  #isProbing = false;
  readonly #probe: NodeJS.Timeout;
  /** Resolves with the reason when the connection is lost or closed. */
  readonly lost: Promise<Error>;

  private constructor(client: Client, url: DatabaseUrl, session: string, durability: Durability) {
    this.#client = client;
    this.#url = url;
    this.#session = session;
    this.durability = durability;
    // By code, because the severity is in the language of the server.
    client.on('notice', ({ code }) => {
      this.#warned ||= code !== successCode;
    });
    this.#probe = setInterval(() => void this.#checkSession(), probeMs).unref();
    this.lost = new Promise((resolve) => {
      const lose = (error: Error): void => {
        this.#isOpen = false;
        clearInterval(this.#probe);
        resolve(error);
      };
      client.on('error', lose);
      client.on('end', () => lose(new DatabaseUnavailableError('the connection to the database ended')));
    });
  }

  /**
   * Connects to the first host that answers and is not a standby. Rejects with {@link DatabaseUnavailableError} if there is none, with
   * {@link DatabaseRefusedError} if each refuses.
   *
   * @param purpose shows in `pg_stat_activity`, with some random digits after it
   */
  static async open(url: DatabaseUrl, purpose: string, durability: Durability): Promise<Connection> {
    // Before any socket: a missing package must not look like a database that is away.
    await loadPg();
    let isDecided = false;
    const attempts: Promise<Connection>[] = [];
    const reasons: string[] = [];
    let refusals = 0;
    let before: Promise<unknown> = Promise.resolve();
    for (const host of url.hosts) {
      const attempt = before.then(async () => {
        if (isDecided) throw new Error('another host was faster');
        return await Connection.#openHost(url, host, `mapwright ${purpose} ${randomBytes(6).toString('hex')}`, durability);
      });
      attempts.push(attempt);
      attempt.catch((error: Error) => {
        const isMissing = missingPassword.test(error.message);
        if (isMissing || refusalCodes.has(sqlStateOf(error))) refusals++;
        reasons.push(`${host.host}:${host.port}: ${isMissing ? 'it asks for a password' : error.message || error.name}`);
      });
      before = Promise.race([attempt.catch(() => undefined), delay(nextHostMs, undefined, { ref: false })]);
    }
    try {
      const first = await Promise.any(attempts);
      isDecided = true;
      for (const attempt of attempts) attempt.then((other) => other !== first && other.close()).catch(() => undefined);
      return first;
    } catch {
      const text = reasons.join('; ');
      if (refusals < url.hosts.length) throw new DatabaseUnavailableError(`No host of the database can be used: ${text}`);
      throw new DatabaseRefusedError(
        `The database refuses the connection: ${text}. Correct user and database in --cluster, or the password in PGPASSWORD or ~/.pgpass.`,
      );
    }
  }

  static async #openHost(url: DatabaseUrl, host: DatabaseHost, session: string, durability: Durability): Promise<Connection> {
    const { Client } = await loadPg();
    const client = new Client({
      ...host,
      application_name: session,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
      connectionTimeoutMillis: connectTimeoutMs,
    });
    client.setTypeParser(bigintOid, Number);
    const connection = new Connection(client, url, session, durability);
    try {
      await client.connect();
      const [row] = await connection.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      if (row?.standby !== false) throw new Error('it is a standby');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Drops the connection if its session is gone or runs nothing: a machine that died, or a cut network, closes no socket. A statement under way is
   * waited for as long as it runs, however long that is.
   */
  async #checkSession(): Promise<void> {
    const isLate = this.#waiting > 0 && performance.now() - this.#waitingSince >= probeMs;
    if (!isLate || this.#isProbing) return;
    this.#isProbing = true;
    try {
      const other = await Connection.open(this.#url, 'probe', this.durability);
      const found = await other.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND state IS DISTINCT FROM 'idle'",
        [this.#session],
      );
      other.close();
      if (found.length === 0) this.close();
    } catch {
      // No primary answers: nothing is known.
    } finally {
      this.#isProbing = false;
    }
  }

  async #counted<T>(query: Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.#waitingSince = performance.now();
    try {
      return await query;
    } catch (error) {
      if (standbyCodes.has(sqlStateOf(error))) this.close();
      throw error;
    } finally {
      this.#waiting--;
      this.#waitingSince = performance.now();
    }
  }

  /** Reads rows. Rejects with the error of the database, which has a `code`, or of the connection, which has none. */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#counted(this.#client.query<Row>({ text, values: [...values] }));
    return rows;
  }

  /**
   * Runs a write, and after its commit asks whether the database still replicates: a commit is released silently when the standbys are
   * removed from its configuration. One write at a time, since warnings belong to the one under way; another one waits. Rejects if the
   * connection is lost: the outcome is unknown.
   */
  async write<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Written<Row>> {
    while (this.#writing !== undefined) await this.#writing;
    const writing = this.#write<Row>(text, values);
    this.#writing = writing.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await writing;
    } finally {
      this.#writing = undefined;
    }
  }

  async #write<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Written<Row>> {
    this.#warned = false;
    const written = this.#counted(this.#client.query<Row>({ text, values: [...values] }));
    const after = this.query<{ replicates: boolean; timeline: string }>(
      `SELECT ${replicatesSql[this.durability]} AS replicates, ${timelineSql} AS timeline`,
    );
    const [write, check] = await Promise.allSettled([written, after]);
    if (write.status === 'rejected') {
      const code = sqlStateOf(write.reason);
      if (code === undefined) throw write.reason;
      return { answer: { code }, rows: [] };
    }
    if (check.status === 'rejected') throw check.reason;
    const { rows, rowCount } = write.value;
    const found = check.value[0];
    if (found === undefined) throw new DatabaseUnavailableError('the database did not say whether it replicates');
    return { answer: { rows: rowCount ?? 0, warned: this.#warned, ...found }, rows };
  }

  /** Drops the connection without a word: a statement under way may still commit. */
  close(): void {
    this.#isOpen = false;
    clearInterval(this.#probe);
    // A graceful end waits for the statement under way.
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** The SQLSTATE of an error of the database; `undefined` for an error of the connection. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** Runs reads that see the database as it is at the first of them, whatever nodes write and delete meanwhile. */
export async function withUnchangedView<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await work();
  } finally {
    await connection.query('ROLLBACK').catch(() => undefined);
  }
}

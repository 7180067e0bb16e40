/**
 * Connections to the database of a cluster: to the first host that is not a standby.
 *
 * Queries of one connection run in order, each in its own transaction, so a pooler in transaction mode may stand between. No statement is ever
 * cancelled and none has a deadline: a dropped statement keeps running in the server and may still commit.
 */
import type { Client, ClientConfig, QueryResultRow } from 'pg';
import type { WriteAnswer, WriteError } from '../protocol/terms.ts';
import { DatabaseUnavailableError } from './database-errors.ts';
import type { DatabaseUrl } from './database-url.ts';
import { loadPg } from './load-pg.ts';
import { type Durability, replicatesSql, timelineSql } from './tables.ts';

/** Milliseconds that the connection to one host may take. */
const connectTimeoutMs = 3_000;

/** PostgreSQL's type `bigint`, which `pg` returns as text: LSNs, epochs and beats stay below 2^53. */
const bigintOid = 20;

/** The answer to a write with the rows that it returned. */
export interface Written<Row> {
  readonly answer: WriteAnswer | WriteError;
  readonly rows: readonly Row[];
}

export class Connection {
  readonly #client: Client;
  readonly durability: Durability;
  /** Whether a WARNING came since the last write was sent. */
  #warned = false;
  #isOpen = true;
  /** Resolves with the reason when the connection is lost or closed. */
  readonly lost: Promise<Error>;

  private constructor(client: Client, durability: Durability) {
    this.#client = client;
    this.durability = durability;
    client.on('notice', ({ severity }) => {
      this.#warned ||= severity === 'WARNING';
    });
    this.lost = new Promise((resolve) => {
      const lose = (error: Error): void => {
        this.#isOpen = false;
        resolve(error);
      };
      client.on('error', lose);
      client.on('end', () => lose(new DatabaseUnavailableError('the connection to the database ended')));
    });
  }

  /**
   * Connects to the first host that answers and is not a standby. Rejects with {@link DatabaseUnavailableError} if there is none.
   *
   * @param purpose shows in `pg_stat_activity`
   */
  static async open(url: DatabaseUrl, purpose: string, durability: Durability): Promise<Connection> {
    const reasons: string[] = [];
    for (const host of url.hosts) {
      const config = { ...host, application_name: `mapwright ${purpose}` };
      try {
        return await Connection.#openHost(config, durability);
      } catch (error) {
        reasons.push(`${host.host}:${host.port}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    throw new DatabaseUnavailableError(`No host of the database can be used: ${reasons.join('; ')}`);
  }

  static async #openHost(config: ClientConfig, durability: Durability): Promise<Connection> {
    const { Client } = await loadPg();
    const client = new Client({
      ...config,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
      connectionTimeoutMillis: connectTimeoutMs,
    });
    client.setTypeParser(bigintOid, Number);
    const connection = new Connection(client, durability);
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

  /** Reads rows. Rejects with the error of the database, which has a `code`, or of the connection, which has none. */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>({ text, values: [...values] });
    return rows;
  }

  /**
   * Runs a write, and after its commit asks whether the database still replicates: a commit is released silently when the standbys are
   * removed from its configuration. One write at a time: warnings belong to the one under way. Rejects if the connection is lost: the outcome
   * is unknown.
   */
  async write<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Written<Row>> {
    this.#warned = false;
    const written = this.#client.query<Row>({ text, values: [...values] });
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
    // A graceful end waits for the statement under way.
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** The SQLSTATE of an error of the database; `undefined` for an error of the connection. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

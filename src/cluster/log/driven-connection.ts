/** One of the connections of an owner: opened again whenever it is lost, with one statement at a time. */
import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../lib/async/deferred.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { Connection } from '../database/database-connection.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import type { Durability } from '../database/tables.ts';
import { pauseFor } from './clock.ts';

export interface DriverOptions {
  readonly url: DatabaseUrl;
  readonly durability: Durability;
  readonly log: Log;
  readonly purpose: 'log' | 'lease';
  connected(): void;
  broken(): void;
  /** Sends the statement that is due; `undefined` if none is. Rejects if the connection is lost. */
  step(connection: Connection): Promise<void> | undefined;
  /** Milliseconds after which time alone may make a statement due. */
  idleMs(): number;
  /** Whether the session has ended. */
  isOver(): boolean;
}

/** Limits of the pause before another attempt, in milliseconds. */
export const pauseMs = { min: 20, max: 1_000 };

export class DrivenConnection {
  readonly #options: DriverOptions;
  #connection: Connection | undefined;
  #wake = new Deferred<void>();

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Something may be due. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Drops the connection. A statement under way may still commit. */
  close(): void {
    this.#connection?.close();
  }

  /** Resolves when the session has ended. Never rejects. */
  async run(): Promise<void> {
    const { url, purpose, durability, log, connected, broken, isOver } = this.#options;
    let failures = 0;
    while (!isOver()) {
      let connection: Connection | undefined;
      try {
        connection = await Connection.open(url, purpose, durability);
        if (isOver()) break;
        this.#connection = connection;
        connected();
        failures = 0;
        await this.#serve(connection);
      } catch (error) {
        if (failures === 0 && !isOver()) log.warn({ err: error, connection: purpose }, 'the database of the cluster is away');
        failures++;
      } finally {
        connection?.close();
        if (this.#connection !== undefined && !isOver()) broken();
        this.#connection = undefined;
      }
      if (!isOver()) await delay(pauseFor(failures, pauseMs));
    }
  }

  /** Runs the statements of one connection until it is lost, or the session is over. */
  async #serve(connection: Connection): Promise<void> {
    const { step, idleMs, isOver } = this.#options;
    while (!isOver()) {
      if (!connection.isOpen) throw await connection.lost;
      const statement = step(connection);
      if (statement !== undefined) {
        await statement;
        continue;
      }
      this.#wake = new Deferred<void>();
      const idle = new AbortController();
      const waits = [this.#wake.promise, connection.lost, delay(idleMs(), undefined, { signal: idle.signal })];
      await Promise.race(waits).catch(() => undefined);
      idle.abort();
    }
  }
}

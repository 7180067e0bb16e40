/** Reserves the names of accounts and of published maps, and the ids of keys, of one shard in the database, as its owner. */
import { setTimeout as delay } from 'node:timers/promises';
import { NotOwnerError, StalledError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { NameElsewhereError, type Registry } from '../../server/admin/registry.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import { free, mapNamesOf, type Reserved, reserve } from '../database/directory.ts';
import type { OwnerSession } from '../log/owner-session.ts';
import type { ShardDirectory } from '../routing/shard-directory.ts';
import type { ShardNode } from './shard-node.ts';

/** Attempts of an owner whose epoch is being raised, and milliseconds between two. */
const attemptsMax = 20;
const retryMs = 50;
/** Milliseconds that a reservation may take. One that is made later does no harm. */
const reserveMs = 10_000;

export class OwnerRegistry implements Registry {
  readonly #session: OwnerSession;
  readonly #bulk: BulkStore;
  readonly #directory: ShardDirectory;
  readonly #names: ShardDirectory;
  readonly #log: Log;
  /** The last change of names. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(session: OwnerSession, { bulk, directory, names }: Pick<ShardNode, 'bulk' | 'directory' | 'names'>, log: Log) {
    this.#session = session;
    this.#bulk = bulk;
    this.#directory = directory;
    this.#names = names;
    this.#log = log;
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const working = this.#changing.then(work);
    this.#changing = working.catch(() => undefined);
    return working;
  }

  async reserveName(name: string): Promise<void> {
    const shard = await this.#reserve('account', name);
    if (shard !== this.#session.shard) throw new NameElsewhereError(name, shard);
  }

  async reserveKey(id: string): Promise<void> {
    const shard = await this.#reserve('key', id);
    if (shard !== this.#session.shard) throw new Error(`the new key ${id} exists in shard ${shard}`);
    this.#directory.add([{ id, shard }]);
  }

  async reserveMapName(name: string): Promise<boolean> {
    const { shard: own } = this.#session;
    try {
      const shard = await this.#reserve('name', name);
      this.#names.add([{ id: name, shard }]);
      return shard === own;
    } catch (error) {
      // A request of a client, not a command.
      throw error instanceof DatabaseUnavailableError ? new StalledError('refused', reserveMs, 'database') : error;
    }
  }

  /** The names of published maps that are reserved for this shard. */
  async reservedMapNames(): Promise<readonly string[]> {
    return await mapNamesOf(await this.#bulk.connection(), this.#session.shard);
  }

  async free(names: readonly string[], keyIds: readonly string[] = []): Promise<void> {
    await this.#free({ account: names, key: keyIds });
  }

  async freeMapNames(names: readonly string[]): Promise<void> {
    await this.#free({ name: names });
  }

  async #free(unused: Partial<Record<Reserved, readonly string[]>>): Promise<void> {
    const { shard, token } = this.#session;
    try {
      const connection = await this.#bulk.connection();
      for (const [what, values] of Object.entries(unused) as [Reserved, readonly string[]][])
        if (values.length > 0) await free(connection, what, shard, token, values);
    } catch (error) {
      this.#log.warn(
        { err: error, shard },
        'cannot delete the reservation of a name: it stays, and the name belongs to this shard',
      );
    }
  }

  async #reserve(what: Reserved, value: string): Promise<number> {
    const timer = new AbortController();
    const late = delay(reserveMs, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new DatabaseUnavailableError(
        `The database has not confirmed the ${what} "${value}" in ${reserveMs / 1000} s: nothing was changed. Run the command again.`,
      );
    });
    const reserving = this.#tryToReserve(what, value);
    for (const promise of [late, reserving]) promise.catch(() => undefined);
    try {
      return await Promise.race([reserving, late]);
    } finally {
      timer.abort();
    }
  }

  async #tryToReserve(what: Reserved, value: string): Promise<number> {
    for (let attempt = 0; attempt < attemptsMax && this.#session.ended === undefined; attempt++) {
      const shard = await reserve(await this.#bulk.connection(), what, this.#session.shard, this.#session.token, value);
      if (shard !== undefined) return shard;
      await delay(retryMs);
    }
    throw this.#session.ended ?? new NotOwnerError();
  }
}

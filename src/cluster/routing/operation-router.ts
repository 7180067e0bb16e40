/**
 * Sends the operations of commands to the shards that they concern.
 *
 * | operation | shard |
 * |---|---|
 * | on an account | the one that has its name; a new account goes to the shard with the fewest bytes |
 * | on a key | the one that has its id |
 * | lists | all, merged |
 * | `snapshot`, `backup` | the one that they name |
 */
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import type { AdminVerb } from '../../server/admin/admin-operations.ts';
import { type AdminResponse, requestIn } from '../../server/admin/control-socket.ts';

export interface RouterOptions {
  /** Number of shards. */
  readonly shards: number;
  /** The shard of an account; `undefined` if its name is not reserved. */
  shardOfAccount(name: string): Promise<number | undefined>;
  /** The shard of a key; `undefined` if its id is not reserved. */
  shardOfKey(id: string): Promise<number | undefined>;
  /** The shard for a new account; `undefined` if no shard has an owner. */
  shardForAccount(): Promise<number | undefined>;
  /** The shard that answers for what does not exist. */
  defaultShard(): number;
  /** Lets the owner of a shard carry an operation out. Never rejects. */
  send(shard: number, line: string, tell: OnProgress): Promise<AdminResponse>;
}

type Route = 'account' | 'newAccount' | 'key' | 'list' | 'one';

/** What an operation names. */
const routes: Readonly<Record<AdminVerb, Route>> = {
  'keys.create': 'newAccount',
  'keys.list': 'list',
  'people.list': 'list',
  'keys.rotate': 'key',
  'keys.revoke': 'key',
  'keys.limit': 'key',
  'console.open': 'account',
  'accounts.create': 'newAccount',
  'accounts.list': 'list',
  'failing-sources.list': 'list',
  'accounts.rename': 'account',
  'accounts.limit': 'account',
  'accounts.delete': 'account',
  snapshot: 'one',
  backup: 'one',
};

/** Shards to which a new account is sent at most: another node may reserve its name first. */
const attemptsMax = 3;

export class OperationRouter {
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Answers the line of a request. Never rejects. */
  async respond(line: string, tell: OnProgress): Promise<AdminResponse> {
    const { shards, send, defaultShard } = this.#options;
    try {
      if (shards === 1) return await send(0, line, tell);
      const { verb, args } = requestIn(line);
      const route = Object.hasOwn(routes, verb) ? routes[verb as AdminVerb] : undefined;
      if (route === 'list') return await this.#list(line, tell);
      if (route === 'one') return await this.#one(verb, args, line, tell);
      const values = args as Readonly<Record<string, unknown>>;
      let shard = (await this.#shardOf(route, values)) ?? defaultShard();
      for (let attempt = 1; ; attempt++) {
        const response = await send(shard, line, tell);
        if (response.ok || response.shard === undefined || attempt === attemptsMax) return response;
        shard = response.shard;
      }
    } catch (error) {
      return { ok: false, error: (error as Error).message };
    }
  }

  async #shardOf(route: Route | undefined, values: Readonly<Record<string, unknown>>): Promise<number | undefined> {
    const { shardOfAccount, shardOfKey, shardForAccount } = this.#options;
    const value = values[route === 'key' ? 'id' : 'account'] ?? values['name'];
    if (route === undefined || typeof value !== 'string') return undefined;
    if (route === 'key') return await shardOfKey(value);
    const shard = await shardOfAccount(value);
    if (shard !== undefined || route === 'account') return shard;
    const placed = await shardForAccount();
    if (placed === undefined) throw new Error('No shard has an owner at the moment: nothing was done. Run the command again.');
    return placed;
  }

  /** The list of every shard, oldest entry first; entries without a time of creation by shard. */
  async #list(line: string, tell: OnProgress): Promise<AdminResponse> {
    const { shards, send } = this.#options;
    const responses = await Promise.all(Array.from({ length: shards }, (_, shard) => send(shard, line, tell)));
    const entries: { readonly created?: string }[] = [];
    for (const [shard, response] of responses.entries()) {
      if (!response.ok) return { ok: false, error: `Shard ${shard}: ${response.error}` };
      entries.push(...(response.result as { readonly created?: string }[]));
    }
    return { ok: true, result: entries.sort((a, b) => order(a.created ?? '', b.created ?? '')) };
  }

  async #one(verb: string, args: object, line: string, tell: OnProgress): Promise<AdminResponse> {
    const { shards, send } = this.#options;
    const { shard } = args as { readonly shard?: unknown };
    if (Number.isInteger(shard) && (shard as number) >= 0 && (shard as number) < shards)
      return await send(shard as number, line, tell);
    const found = shard === undefined ? '' : ` There is no shard ${shard}.`;
    return {
      ok: false,
      error: `The cluster has ${shards} shards.${found} Name one: mapwright ${verb} --shard 0 (to ${shards - 1}).`,
    };
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Operations of commands on a node: each is carried out by the owner of its shard, here or at another node. */
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import type { OperationContext } from '../../server/admin/admin-operations.ts';
import { type AdminResponse, type Respond, respondOn } from '../../server/admin/control-socket.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import { keyRows, shardForAccount, shardOfAccount } from '../database/directory.ts';
import { runningS } from '../database/read-status.ts';
import type { Forwarder } from '../forward/forwarder.ts';
import { sendOperation } from '../forward/peer-operation.ts';
import { OperationRouter } from '../routing/operation-router.ts';
import type { ShardDirectory } from '../routing/shard-directory.ts';

interface OperationsOptions {
  readonly shards: number;
  readonly bulk: BulkStore;
  readonly directory: ShardDirectory;
  readonly forwarder: Forwarder;
  /** See `RouterOptions.defaultShard`. */
  defaultShard(): number;
  /** What commands need of the engine, if this node owns the shard. */
  context(shard: number): OperationContext | undefined;
}

export class ShardOperations {
  readonly #options: OperationsOptions;
  readonly #router: OperationRouter;

  constructor(options: OperationsOptions) {
    const { shards, bulk, directory, defaultShard } = options;
    this.#options = options;
    this.#router = new OperationRouter({
      shards,
      defaultShard,
      shardOfAccount: async (name) => await shardOfAccount(await bulk.connection(), name),
      shardOfKey: async (id) => {
        directory.add(await keyRows(await bulk.connection(), [id]));
        return directory.known(id);
      },
      shardForAccount: async () => await shardForAccount(await bulk.connection(), runningS),
      send: (shard, line, tell) => this.#send(shard, line, tell),
    });
  }

  /** Answers the line of a request. Never rejects. */
  respond(line: string, tell: OnProgress): Promise<AdminResponse> {
    return this.#router.respond(line, tell);
  }

  /** Carries operations on a shard out; `undefined` if this node does not own it. */
  responder(shard: number): Respond | undefined {
    const context = this.#options.context(shard);
    return context && respondOn(context);
  }

  async #send(shard: number, line: string, tell: OnProgress): Promise<AdminResponse> {
    for (;;) {
      const respond = this.responder(shard);
      if (respond !== undefined) return await respond(line, tell);
      const isHere = () => this.responder(shard) !== undefined;
      const reply = await sendOperation(this.#options.forwarder, shard, line, tell, isHere);
      if (reply !== 'here') return reply;
    }
  }
}

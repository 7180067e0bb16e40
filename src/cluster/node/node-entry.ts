/** The entry of a node in `mw_node`, where other nodes find its address, its options and the identifier of its process. */
import { setTimeout as delay } from 'node:timers/promises';
import { packageVersion } from '../../lib/package.ts';
import { schemaVersion } from '../../model/schema-version.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import { enterNode, markStopped, otherAddresses, removeNode } from '../database/node-rows.ts';
import { runningS } from '../database/read-status.ts';
import type { Role } from './node-state.ts';
import { refuseOtherOptions, type SharedOptions, storedOptions } from './shared-options.ts';

/** Milliseconds in which a node that stops may mark its entry. */
const farewellMs = 1_000;

interface EntryOptions {
  readonly id: string;
  readonly address: string;
  readonly shared: SharedOptions;
  readonly bulk: BulkStore;
  role(): Role;
  /** The shard that this node owns. */
  shard(): number | undefined;
  shards(): readonly { readonly shard: number; readonly lsn: number | undefined }[];
}

export class NodeEntry {
  /** URLs of the other nodes, as announced last. */
  otherAddresses: readonly string[] = [];
  readonly #options: EntryOptions;

  constructor(options: EntryOptions) {
    this.#options = options;
  }

  /** Enters this node, unless it would answer otherwise than the nodes there: then it rejects. */
  async enter(): Promise<void> {
    const { id, shared, bulk } = this.#options;
    await this.announce();
    const connection = await bulk.connection();
    try {
      await refuseOtherOptions(connection, id, shared);
    } catch (error) {
      await removeNode(connection, id);
      throw error;
    }
  }

  async announce(): Promise<void> {
    const { id, address, shared, bulk, role, shard, shards } = this.#options;
    const connection = await bulk.connection();
    const lsns = Object.fromEntries(shards().flatMap(({ shard, lsn }) => (lsn === undefined ? [] : [[shard, lsn]])));
    await enterNode(connection, {
      ...{ id, address, version: packageVersion(), schema: schemaVersion },
      ...{ role: role(), shard: shard(), lsns, options: storedOptions(shared) },
    });
    this.otherAddresses = await otherAddresses(connection, { id, address }, runningS);
  }

  /** Marks the entry: the options of this node do not matter any more. */
  async announceEnd(): Promise<void> {
    const { id, bulk } = this.#options;
    const marking = bulk.connection().then((connection) => markStopped(connection, id));
    await Promise.race([marking.catch(() => undefined), delay(farewellMs, undefined, { ref: false })]);
  }
}

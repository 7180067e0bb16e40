/** The options of a node of a cluster. */

import type { Log } from '../../lib/observability/logger.ts';
import type { StartingServer } from '../../server/server.ts';
import type { ServerOptions } from '../../server/server-options.ts';
import type { Durability } from '../database/tables.ts';

export interface ClusterOptions {
  /** URL of the database, with all its hosts: `postgres://user:password@db1,db2/maps`. */
  readonly url: string;
  /** Where other nodes reach this one: `http://10.0.0.5:8071`. */
  readonly advertise: string;
  /** How long a node may answer after its last proof that it owns the data, in milliseconds; default 3000. The same on all nodes. */
  readonly leaseMs?: number;
  /** What guarantees that a commit survives the loss of a machine; default `standby`. */
  readonly durability?: Durability;
  /** Milliseconds that the log stays in the database, for the change feed; default 7 days. */
  readonly logKeepMs?: number;
}

export interface ClusterNodeOptions extends Omit<ServerOptions, 'log' | 'backup' | 'onFatal' | 'metricsListen'> {
  readonly cluster: ClusterOptions;
  readonly log: Log;
  /** Called each time this node has taken over a shard, before it answers. */
  readonly onOwner?: (server: StartingServer, shard: number, shards: number) => Promise<void> | void;
  /** Called when the node cannot go on: it must be restarted, or an operator decides. */
  readonly onFatal: (error: Error) => void;
}

export const clusterDefaults = { leaseMs: 3_000, durability: 'standby', logKeepMs: 7 * 24 * 3_600_000 } as const;

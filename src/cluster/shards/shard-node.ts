/** What a shard needs of its node. */
import type { BulkStore } from '../database/bulk-store.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import type { ClusterNodeOptions } from '../node/cluster-options.ts';
import type { NodeState } from '../node/node-state.ts';
import type { NodeTelemetry } from '../node/node-telemetry.ts';
import type { KeyDirectory } from '../routing/key-directory.ts';

export interface ShardNode {
  readonly id: string;
  readonly options: ClusterNodeOptions;
  readonly url: DatabaseUrl;
  readonly durability: 'standby' | 'storage';
  readonly leaseMs: number;
  readonly bulk: BulkStore;
  readonly telemetry: NodeTelemetry;
  readonly directory: KeyDirectory;
  readonly state: NodeState;
  /** Number of shards of the cluster. */
  readonly shards: number;
  /** Addresses of all nodes and of the database, as `host:port`. */
  addresses(): readonly string[];
  /** Another owner was observed, or none. */
  ownerChanged(): void;
}

/** What a shard needs of its node. */
import type { Alarms } from '../../server/telemetry/alarms.ts';
import type { NodeMetrics } from '../../server/telemetry/metrics.ts';
import type { ClusterNodeOptions } from '../cluster-options.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import type { OwnerCounters } from '../log/owner-counters.ts';
import type { ShardDirectory } from '../routing/shard-directory.ts';

/** The part of the state of a node that its shards read and change. */
interface ShardNodeState {
  readonly isStopping: boolean;
  /** The node has become the owner of the shard, or begins to leave it. */
  on(event: 'own' | 'leave'): void;
}

/** The part of the telemetry of a node that its shards change. */
interface ShardTelemetry {
  readonly alarms: Pick<Alarms, 'check'>;
  readonly node: NodeMetrics;
  readonly owner: OwnerCounters;
  takeovers: number;
  /** The database answered an observation. */
  observed(): void;
}

export interface ShardNode {
  readonly id: string;
  readonly options: ClusterNodeOptions;
  readonly url: DatabaseUrl;
  readonly durability: 'standby' | 'storage';
  readonly leaseMs: number;
  readonly bulk: BulkStore;
  readonly telemetry: ShardTelemetry;
  /** The shards of keys. */
  readonly directory: ShardDirectory;
  /** The shards of the names of published maps. */
  readonly names: ShardDirectory;
  readonly state: ShardNodeState;
  /** Number of shards of the cluster. */
  readonly shards: number;
  /** The secret of the cluster. */
  readonly secret: Uint8Array;
  /** Addresses of all nodes and of the database, as `host:port`. */
  addresses(): readonly string[];
  /** Another owner was observed, or none. */
  ownerChanged(): void;
}

/** Checks of a node before it joins its cluster. Each throws a ClusterSettingsError that says what to change. */
import type { Cluster } from '../../cluster/database/create-cluster.ts';
import { ClusterSettingsError } from '../../cluster/database/database-errors.ts';

/** Refuses a cluster with another number of shards than this program serves. */
export function refuseOtherShards({ shards }: Cluster): void {
  if (shards === 1) return;
  throw new ClusterSettingsError(
    `The cluster has ${shards} shards; this mapwright knows clusters with 1 shard. Install the version that the other nodes run.`,
  );
}

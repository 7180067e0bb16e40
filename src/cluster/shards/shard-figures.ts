/** The figures of a shard on one node, for metrics and alarms. */

export interface ShardFigures {
  readonly shard: number;
  /** The newest record that this node has; `undefined` if it neither owns nor copies the shard. */
  readonly lsn: number | undefined;
  /** The newest record in the database, as it was seen last; 0 if this node owns the shard. */
  readonly newestLsn: number;
  /** Milliseconds until the lease of this node as owner ends; `undefined` while it does not own the shard. */
  readonly leaseLeftMs: number | undefined;
  /** Why no node may serve the shard; empty if nothing is wrong. */
  readonly lossReason: string;
  /** The write that waits for the database: for how long, and how the database answered last. */
  readonly append: { readonly waitingMs: number; readonly refusal: string | undefined } | undefined;
  /** Why the cache cannot be written or read; any other error of the follower counts as one of the database. */
  readonly cacheError: Error | undefined;
}

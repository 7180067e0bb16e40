/** Errors of a node towards its clients. */

/** This node does not own the shard, or not any more (503 or 421): the request did nothing, unless it waited for its change to be durable. */
export class NotOwnerError extends Error {
  override readonly name = 'NotOwnerError';

  constructor() {
    super('This node does not own the data any more. Retry: another node answers.');
  }
}

/** The database did not confirm in time that this node is still the owner (503): a response could be stale, so none is sent. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError';
  /** Recommended delay before a retry, in seconds. */
  readonly retryAfterS: number = 1;

  constructor() {
    super('The database of the cluster does not answer, so this node cannot prove that it still owns the data. Retry later.');
  }
}

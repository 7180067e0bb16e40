/** What a forwarded request needs of its forwarder, and the problems that a client gets when its request cannot be forwarded. */
import { problems } from '../../http/problem.ts';
import type { HttpRequest } from '../../http/transport/transport.ts';
import type { OwnerAddress, Peer } from '../peers/peer.ts';
import type { PeerSignature } from '../peers/peer-signature.ts';

/**
 * Why a request could not be forwarded: `no_owner`: nothing was done; `owner_lost`: a change may have been made; `broken`: the response broke off.
 */
export type ForwardFailure = 'no_owner' | 'owner_lost' | 'broken';

/** What a request needs of its forwarder. */
export interface Route {
  readonly signature: PeerSignature;
  /** Whether this node stops. */
  readonly isClosed: boolean;
  /** See `ForwarderOptions.shardOf`. */
  shardOf(req: HttpRequest): number | Promise<number>;
  /** The connections to the owner of a shard; `undefined` if this node knows none. */
  peer(shard: number): Peer | undefined;
  /** See `ForwarderOptions.nextOwner`. Never rejects. */
  nextOwner(shard: number, not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined>;
  /** Logs the first of several failures. */
  lost(peer: Peer, error: Error): void;
  /** Counts a request that this node could not forward. */
  failed(reason: ForwardFailure): void;
  /** Called once. */
  ended(request: object): void;
}

/** Recommended delay before a retry of the client, in seconds. */
const retryAfterS = 1;

export const noOwner = () =>
  problems.unavailable('No server owns the data at the moment: nothing was changed. Retry.', retryAfterS, 'no_owner');

export const noShard = () =>
  problems.unavailable('The key cannot be looked up at the moment: nothing was changed. Retry.', retryAfterS, 'no_owner');

export const unconfirmed = () =>
  problems.unavailable(
    'The connection to the server that owns the data broke. The change may have been made: read the resource, or repeat the request with the same Idempotency-Key.',
    retryAfterS,
    'owner_lost',
  );

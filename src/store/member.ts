/** A member of a collection in memory, and a leaf of members as bytes. */
import type { Value } from '../model/value.ts';

export interface Member {
  readonly value: Value;
  /** LSN of the record that last changed it. */
  readonly version: number;
  /** Position in its collection: ascending, not contiguous, unchanged until the member is moved. */
  readonly rank: number;
  /** Its JSON, while cached. */
  json: CachedJson<string> | undefined;
}

/** A holder for cached JSON. The cache evicts through the holder and needs no reference to the source. */
export interface CachedJson<T> {
  json: T | undefined;
}

/** Replaces the cache entry of a member that serves one request only: no later request could find its JSON. */
export const uncacheable: CachedJson<never> = Object.freeze({ json: undefined });

/** A leaf, as a snapshot stores it. */
export interface PackedLeaf {
  readonly count: number;
  readonly lastId: string;
  readonly lastRank: number;
  /** The upper bound of its members' versions. */
  readonly version: number;
  /** The rows, encoded by `packMembers` (member-rows.ts), from memory or a file; throws if they are damaged. */
  bytes(): Uint8Array;
  /** The error for invalid rows; it names the file and the position. */
  damage(found: string): Error;
}

/** A member of a collection as it is held in memory, and many of them as bytes. */
import type { Value } from '../model/value.ts';

export interface Member {
  readonly value: Value;
  /** LSN of the record that last changed it. */
  readonly version: number;
  /** Where it stands in its collection: ascending, not contiguous, kept while the member is not moved. */
  readonly rank: number;
  /** Its JSON, while the cache has it. */
  json: Kept<string> | undefined;
}

/** What was made of something, until it is taken away again; whoever does that need not hold what it was made of. */
export interface Kept<T> {
  json: T | undefined;
}

/** In place of the JSON of a member that serves one request and goes: nobody would ever find what is kept for it. */
export const passing: Kept<never> = Object.freeze({ json: undefined });

/** A leaf as a snapshot holds it. */
export interface PackedLeaf {
  readonly count: number;
  readonly lastId: string;
  readonly lastRank: number;
  /** The newest version that a member in it may have. */
  readonly version: number;
  /** The rows as `packMembers` (member-rows.ts) made them, from memory or from the file; throws when they are damaged. */
  bytes(): Uint8Array;
  /** The error for rows that cannot be what was written: it names their file and their place in it. */
  damage(found: string): Error;
}

/**
 * The registry of a cluster: which shard has which key, which account, and which name of a published map. They are reserved there before they
 * are written. On one machine there is nothing to reserve: the state of the server is complete.
 */

import type { NameRegistry } from '../../engine/projects/commit-named.ts';

/** The name of an account is reserved for another shard: the operation belongs there. */
export class NameElsewhereError extends Error {
  override readonly name = 'NameElsewhereError';
  readonly shard: number;

  constructor(name: string, shard: number) {
    super(`The account "${name}" belongs to shard ${shard}.`);
    this.shard = shard;
  }
}

export interface Registry extends NameRegistry {
  /** Reserves the name of an account. Rejects with {@link NameElsewhereError}; nothing may be written after any rejection. */
  reserveName(name: string): Promise<void>;
  /** Reserves the id of a key. Nothing may be written after a rejection. */
  reserveKey(id: string): Promise<void>;
  /** Deletes what is not used any more. Never rejects: what stays does no harm. */
  free(names: readonly string[], keyIds?: readonly string[]): Promise<void>;
}

/** The registry of one machine. */
export const noRegistry: Registry = {
  exclusively: (work) => work(),
  reserveName: async () => undefined,
  reserveKey: async () => undefined,
  free: async () => undefined,
  reserveMapName: async () => true,
  freeMapNames: async () => undefined,
};

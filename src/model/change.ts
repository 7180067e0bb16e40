/**
 * Changes: what a record holds. They say what is, not what was asked: images after the fact, with identifiers and times already
 * fixed. Applying them asks no clock, makes no identifier and decides nothing, so a replay gives the memory that was.
 */

import type { AccountLimits } from './limits.ts';
import type { CollectionName } from './resource.ts';
import type { StoredResponse } from './stored-response.ts';
import type { Value } from './value.ts';

/** Where a collection stands: directly in a project (`parentId` is ''), or `objects` in the artboard `parentId`. */
export interface CollectionPath {
  readonly accountId: string;
  readonly projectId: string;
  readonly collection: CollectionName;
  readonly parentId: string;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  /** RFC 3339 */
  readonly created: string;
  /** Those that are set for it; `undefined` where everything is as the server's options say. */
  readonly limits?: AccountLimits | undefined;
}

/** What a key lets its holder do with what it reaches: `write` everything, `read` only look. */
export type Access = 'write' | 'read';

export interface Key {
  /** Public part of the key. */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the whole key, 64 hex digits. */
  readonly digest: string;
  /** RFC 3339 */
  readonly created: string;
  /** RFC 3339; '' while it is not revoked. */
  readonly revoked: string;
  /** The first moment at which it is not valid any more, RFC 3339 in UTC; '' for never. */
  readonly expires: string;
  readonly access: Access;
  /** Identifiers of the projects it reaches, also of those deleted since; empty for all of the account. */
  readonly projects: readonly string[];
  /** The owner's words to tell keys apart by; '' for none. */
  readonly label: string;
  /** Public part of the key that takes its place; '' for none. */
  readonly replacedBy: string;
  /** Requests that may be made with it, as `100/s`, beside what its account may make; '' for no limit of its own. */
  readonly rate: string;
}

/**
 * `created` says whether all that is put is new, or all of it was there: who follows the log is told so, and no state can be asked any more.
 * It is missing in records of before there were followers. What a change means to the state does not depend on it.
 */
export type Change =
  | { readonly op: 'put-account'; readonly account: Account }
  | { readonly op: 'put-key'; readonly key: Key }
  /** A new project, or a project's own members as they are now. */
  | { readonly op: 'put-project'; readonly accountId: string; readonly value: Value; readonly created?: boolean }
  | { readonly op: 'delete-project'; readonly accountId: string; readonly projectId: string }
  /** Members as they are now: those that are present are replaced in their places, others are added at the end. */
  | { readonly op: 'put'; readonly path: CollectionPath; readonly values: readonly Value[]; readonly created?: boolean }
  /** Members that are gone, with what they held. */
  | { readonly op: 'delete'; readonly path: CollectionPath; readonly ids: readonly string[] }
  /** The order of the whole collection. */
  | { readonly op: 'order'; readonly path: CollectionPath; readonly ids: readonly string[] }
  /** The answer to the request of this record, which is given again when the same request comes again. */
  | { readonly op: 'put-answer'; readonly accountId: string; readonly answer: StoredResponse }
  /** This record is the first that the server has written since its start, which has a random id: 16 hex digits. */
  | { readonly op: 'start-run'; readonly id: string }
  /** The account, its keys and everything in its projects are gone. */
  | { readonly op: 'delete-account'; readonly accountId: string };

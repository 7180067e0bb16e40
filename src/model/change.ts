/**
 * Changes: the content of a record. They store results, not requests: all identifiers and times are already assigned. Applying them reads
 * no clock, assigns no identifier and decides nothing, so a replay restores exactly the same state.
 */

import type { AccountLimits } from './account-limits.ts';
import type { PublicationHead } from './publication.ts';
import type { CollectionName } from './resource.ts';
import type { StoredResponse } from './stored-response.ts';
import type { Value } from './value.ts';

/** The path of a collection: directly in a project (`parentId` is ''), or `objects` in the artboard `parentId`. */
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
  /** The limits set for it; `undefined` if the server's options apply. */
  readonly limits?: AccountLimits | undefined;
}

/** Access level of a key: `write` for everything, `read` for reading only. */
export type Access = 'write' | 'read';

/** Use of a key: any request, those of a signed-in browser, or only to become a session (a sign-in link). */
export type KeyKind = 'key' | 'session' | 'link';

export interface Key {
  /** Public part of the key. */
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the whole key, 64 hex digits. */
  readonly digest: string;
  /** RFC 3339 */
  readonly created: string;
  /** RFC 3339; '' if it is not revoked. */
  readonly revoked: string;
  /** Expiry, RFC 3339 in UTC: the key is invalid from then on; '' for none. */
  readonly expires: string;
  readonly access: Access;
  /** Identifiers of the projects that it can access, including deleted ones; empty for all of the account. */
  readonly projects: readonly string[];
  /** A label that the owner chose; '' for none. */
  readonly label: string;
  /** Public part of the key that replaces it; '' for none. */
  readonly replacedBy: string;
  /** Rate limit of the key, such as `100/s`, in addition to its account's; '' for none. */
  readonly rate: string;
  readonly kind: KeyKind;
  /** Public part of the key that made it through a sign-in link: it works only as long as that one; '' for none. */
  readonly maker: string;
}

/**
 * `created`: whether all resources in the change are new, or all of them existed before. Subscribers need it, and the earlier state is
 * gone when they read the log. A change without it has both. It does not affect the state.
 */
export type Change =
  | { readonly op: 'put-account'; readonly account: Account }
  | { readonly op: 'put-key'; readonly key: Key }
  /** A new project, or the new content of a project's own members. */
  | { readonly op: 'put-project'; readonly accountId: string; readonly value: Value; readonly created?: boolean }
  | { readonly op: 'delete-project'; readonly accountId: string; readonly projectId: string }
  /** New content of members: existing members are replaced in place, others are appended. */
  | { readonly op: 'put'; readonly path: CollectionPath; readonly values: readonly Value[]; readonly created?: boolean }
  /** Deleted members, with their nested collections. */
  | { readonly op: 'delete'; readonly path: CollectionPath; readonly ids: readonly string[] }
  /** The order of the whole collection. */
  | { readonly op: 'order'; readonly path: CollectionPath; readonly ids: readonly string[] }
  /** The response to this record's request, stored for idempotent retries. */
  | { readonly op: 'put-response'; readonly accountId: string; readonly response: StoredResponse }
  /** This record is the first one of a server start. The run's id is random: 16 hex digits. */
  | { readonly op: 'start-run'; readonly id: string }
  /** Deletes the account, its keys and all its projects. */
  | { readonly op: 'delete-account'; readonly accountId: string }
  /** The public copy of a project. The newest version of its head is a new one, or changes the one of its number. */
  | {
      readonly op: 'put-publication';
      readonly accountId: string;
      readonly projectId: string;
      readonly head: PublicationHead;
      readonly created: boolean;
    }
  /** The project is not public any more. */
  | { readonly op: 'delete-publication'; readonly accountId: string; readonly projectId: string }
  /** Forgets a key, which must not work any more. */
  | { readonly op: 'delete-key'; readonly accountId: string; readonly keyId: string };

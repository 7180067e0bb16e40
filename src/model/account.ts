/** Accounts and keys, and their rows in records and snapshots. */
import { type AccountLimits, limitsFromRow, limitsRow, storedRate } from './account-limits.ts';
import { RecordFormatError, stored } from './stored.ts';
import type { Row } from './value.ts';

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

/** Use of a key: any request, those of a browser in which a person is signed in, or only to become such a session. */
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
  /** Whose session or link it is: their role and their projects count, not those of the key. '' for the key of a program. */
  readonly person: string;
}

/** Words of {@link Access}; append, never reorder. */
const accesses = ['write', 'read'] as const satisfies Access[];
const kinds = ['key', 'session', 'link'] as const satisfies KeyKind[];

/** Number of columns in a key's row: without a rate, with one, and of sessions and links. */
const keyRowLengths = [10, 11, 13] as const;

export const accountRow = ({ id, name, created, limits }: Account): Row => [id, name, created, ...limitsRow(limits)];
export const accountFromRow = (row: unknown): Account => {
  const [id, name, created, limits] = stored.list(row, 'an account');
  return {
    id: stored.text(id, 'the id of an account'),
    name: stored.text(name, 'the name of an account'),
    created: stored.text(created, 'the time of an account'),
    ...(limits === undefined ? {} : { limits: limitsFromRow(limits) }),
  };
};

export function keyRow(key: Key): Row {
  const { id, accountId, digest, created, revoked, expires, access, projects, label, replacedBy, rate, kind, person } = key;
  const row = [id, accountId, digest, created, revoked, expires, accesses.indexOf(access), projects, label, replacedBy];
  if (kind !== 'key' || person !== '') return [...row, rate, kinds.indexOf(kind), person];
  return rate === '' ? row : [...row, rate];
}

/** Decodes the row of a key. A shorter row could widen the access of a key, so other lengths are rejected. */
export function keyFromRow(item: unknown): Key {
  const row = stored.list(item, 'a key');
  if (!keyRowLengths.some((length) => length === row.length))
    throw new RecordFormatError(`the row of a key has ${row.length} items, not ${keyRowLengths.join(', ')}`);
  const [
    id,
    accountId,
    digest,
    created,
    revoked,
    expires,
    access,
    projects,
    label,
    replacedBy,
    rate = '',
    kind = 0,
    person = '',
  ] = row;
  return {
    id: stored.text(id, 'the id of a key'),
    accountId: stored.text(accountId, 'the account of a key'),
    digest: stored.text(digest, 'the digest of a key'),
    created: stored.text(created, 'the time of a key'),
    revoked: stored.text(revoked, 'the end of a key'),
    expires: stored.text(expires, 'the expiry of a key'),
    access: stored.word(accesses, access, 'the access of a key'),
    projects: stored.texts(projects, 'the projects of a key'),
    label: stored.text(label, 'the label of a key'),
    replacedBy: stored.text(replacedBy, 'the successor of a key'),
    rate: storedRate(rate, ['']),
    kind: stored.word(kinds, kind, 'the kind of a key'),
    person: stored.text(person, 'the person of a key'),
  };
}

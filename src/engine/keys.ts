/** Accounts and keys: made, listed and revoked through the journal like everything else. */
import type { Account, Change, Key } from '../model/change.ts';
import { digestOf, digestsEqual, keyId, newKey } from '../model/key.ts';
import type { State } from '../store/state.ts';
import type { Engine } from './engine.ts';

export interface CreatedKey {
  /** Public part. */
  readonly id: string;
  /** The key itself; this is the only time it is seen. */
  readonly key: string;
  readonly account: Account;
  readonly created: string;
}

/** A key as it may be shown. */
export interface ListedKey {
  readonly id: string;
  readonly account: string;
  readonly created: string;
  /** RFC 3339; '' while it is valid. */
  readonly revoked: string;
}

/** The account behind a key that is valid now; `undefined` for every other text. */
export function authenticate(state: State, text: string): Key | undefined {
  const id = keyId(text);
  const key = id === undefined ? undefined : state.keys.get(id);
  if (key === undefined || key.revoked !== '' || !digestsEqual(key.digest, digestOf(text))) return undefined;
  return key;
}

/** Whether the key with this id is valid now. */
export function isValid(state: State, id: string): boolean {
  return state.keys.get(id)?.revoked === '';
}

/** Makes a key, and its account when there is none of that name; resolves when both are durable. */
export async function createKey(engine: Engine, accountName: string): Promise<CreatedKey> {
  const { now, newId } = engine.context();
  const created = new Date(now).toISOString();
  const present = engine.state.accountNamed(accountName);
  const account: Account = present ?? { id: newId(), name: accountName, created };
  const { id, text, digest } = newKey();
  const changes: Change[] = [{ op: 'put-key', key: { id, accountId: account.id, digest, created, revoked: '' } }];
  if (present === undefined) changes.unshift({ op: 'put-account', account });
  await engine.journal.durable(engine.commit(changes));
  return { id, key: text, account: { id: account.id, name: account.name, created: account.created }, created };
}

/**
 * Revokes a key; resolves when that is durable. It stops working in the turn in which this is called.
 *
 * @returns whether there is such a key; revoking it again changes nothing
 */
export async function revokeKey(engine: Engine, id: string): Promise<boolean> {
  const key = engine.state.keys.get(id);
  if (key === undefined) return false;
  const revoked = new Date(engine.context().now).toISOString();
  const lsn = key.revoked === '' ? engine.commit([{ op: 'put-key', key: { ...key, revoked } }]) : engine.state.keysVersion;
  await engine.journal.durable(lsn);
  return true;
}

/** Every key, oldest first. */
export function listKeys(state: State): ListedKey[] {
  return [...state.keys.values()].map(({ id, accountId, created, revoked }) => ({
    id,
    account: state.accounts.get(accountId)?.name ?? '',
    created,
    revoked,
  }));
}

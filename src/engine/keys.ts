/**
 * Creates, rotates, lists and revokes keys through the journal.
 *
 * A key is valid from the moment it is durable until it expires or is revoked. Its restrictions are fixed when it is created: no later event
 * widens them, not even the deletion of all its projects.
 */
import { OperationError } from '../lib/errors.ts';
import type { Account, Key } from '../model/account.ts';
import { digestOf, digestsEqual, keyId, type NewKey, newKey } from '../model/key.ts';
import type { Change } from '../store/operations/operations.ts';
import type { State } from '../store/state.ts';
import type { Engine } from './engine.ts';
import { expiryMs, type KeyState, keyState } from './key-state.ts';

/** Options of a new key; see {@link Key}. */
export type KeyTerms = Pick<Key, 'expires' | 'access' | 'projects' | 'label' | 'rate'>;

export interface CreatedKey extends KeyTerms {
  /** Public part. */
  readonly id: string;
  /** The key itself, which is shown only once. */
  readonly key: string;
  readonly account: Account;
  readonly created: string;
}

export interface RotatedKey extends CreatedKey {
  /** The key that it replaces, and when that key stops working (RFC 3339). */
  readonly replaces: { readonly id: string; readonly expires: string };
}

/** A key as it may be shown. */
export interface ListedKey extends KeyTerms {
  readonly id: string;
  /** Name of its account. */
  readonly account: string;
  readonly created: string;
  /** RFC 3339; '' if not revoked. */
  readonly revoked: string;
  /** Public part of the successor; '' for none. */
  readonly replacedBy: string;
  readonly state: KeyState;
}

/** Why a key was refused. `unknown`: well-formed, but no key of this server, even if its public part exists. */
export type KeyRefusal = 'malformed' | 'unknown' | Exclude<KeyState, 'valid'>;

export interface RefusedKey {
  readonly reason: KeyRefusal;
  /** Public part of a well-formed key; '' otherwise. */
  readonly key: string;
  /** Identifier of the account; '' if the key is unknown. */
  readonly account: string;
}

/** Result of the lookup of a key. */
type KeyVerdict = { readonly key: Key; readonly refused: undefined } | { readonly key: undefined; readonly refused: RefusedKey };

/** Compared with the digest of an unknown key; it equals no digest. */
export const noDigest = 'x'.repeat(64);

/**
 * Looks up a key in constant time: every well-formed key is hashed and compared, whether or not its public part exists.
 *
 * @param now milliseconds since 1970
 */
export function authenticate(state: State, text: string, now: number): KeyVerdict {
  const id = keyId(text);
  if (id === undefined) return refusal('malformed', '', '');
  const key = keyOf(state, id, text);
  // Sessions and links (sessions.ts) are no credentials of programs.
  if (key?.kind !== 'key') return refusal('unknown', id, '');
  const is = keyState(state, key, now);
  return is === 'valid' ? { key, refused: undefined } : refusal(is, id, key.accountId);
}

/** The key of any kind and state with this public part and this text, found in constant time; `undefined` without one. */
export function keyOf({ keys }: Pick<State, 'keys'>, id: string, text: string): Key | undefined {
  const key = keys.get(id);
  return digestsEqual(key?.digest ?? noDigest, digestOf(text)) ? key : undefined;
}

export const refusal = (reason: KeyRefusal, key: string, account: string) => ({
  key: undefined,
  refused: { reason, key, account },
});

/**
 * Creates a key, and its account if the name does not exist; resolves when both are durable.
 *
 * Throws {@link OperationError} if {@link refuseTerms} does.
 */
export async function createKey(
  engine: Engine,
  accountName: string,
  terms: Partial<KeyTerms> = {},
  made: NewKey = newKey(),
): Promise<CreatedKey> {
  refuseTerms(engine, accountName, terms);
  const { now, newId } = engine.writer.context();
  const { expires = '', access = 'write', projects = [], label = '', rate = '' } = terms;
  const created = new Date(now).toISOString();
  const present = engine.state.accountNamed(accountName);
  const account: Account = present ?? { id: newId(), name: accountName, created };
  const { key, text } = issue(made, account.id, { expires, access, projects, label, rate }, created);
  const changes: Change[] = [{ op: 'put-key', key }];
  if (present === undefined) changes.unshift({ op: 'put-account', account });
  await engine.journal.durable(engine.writer.commit(changes));
  return shownOnce(key, text, account);
}

/** Throws {@link OperationError} if the account has no such project, or the expiry is in the past. */
export function refuseTerms(engine: Engine, accountName: string, { expires = '', projects = [] }: Partial<KeyTerms>): void {
  const present = engine.state.accountNamed(accountName);
  const missing = projects.find((id) => present?.projects.has(id) !== true);
  if (missing !== undefined) throw new OperationError(`The account "${accountName}" has no project "${missing}".`, 'not_found');
  refusePast(expires, engine.writer.context().now);
}

/**
 * Creates the successor of a key, which then expires; resolves when both are durable.
 *
 * Throws {@link OperationError} if the key does not exist, is not valid, or was already rotated.
 *
 * @param overlapMs time for which the old key stays valid, unless it expires earlier; 0 ends it immediately
 * @param expires expiry of the new key, '' for never; default: the lifetime of the old key
 */
export async function rotateKey(
  engine: Engine,
  id: string,
  overlapMs: number,
  expires?: string,
  made: NewKey = newKey(),
): Promise<RotatedKey> {
  const { now } = engine.writer.context();
  const old = keyNamed(engine.state, id);
  const is = keyState(engine.state, old, now);
  if (is !== 'valid')
    throw new OperationError(
      `The key ${id} is ${is} and cannot be rotated. Create a new one: npx mapwright keys create`,
      'conflict',
    );
  // A second rotation would derive the lifetime from the overlap.
  if (old.replacedBy !== '')
    throw new OperationError(`The key ${id} was already rotated; its successor is ${old.replacedBy}.`, 'conflict');
  const { access, projects, label, rate, accountId } = old;
  const lifetimeMs = expiryMs(old) - Date.parse(old.created);
  const until = expires ?? (old.expires === '' ? '' : new Date(now + lifetimeMs).toISOString());
  refusePast(until, now);
  const terms = { expires: until, access, projects, label, rate };
  const { key, text } = issue(made, accountId, terms, new Date(now).toISOString());
  const replaced: Key = { ...old, replacedBy: key.id, expires: new Date(Math.min(expiryMs(old), now + overlapMs)).toISOString() };
  const account = engine.state.accounts.get(accountId) as Account;
  await engine.journal.durable(
    engine.writer.commit([
      { op: 'put-key', key },
      { op: 'put-key', key: replaced },
    ]),
  );
  return { ...shownOnce(key, text, account), replaces: { id, expires: replaced.expires } };
}

/**
 * Revokes a key; resolves when that is durable. The key is invalid immediately. Revoking it again changes nothing. Throws
 * {@link OperationError} if it does not exist.
 *
 * @returns the key, and whether it was revoked before
 */
export async function revokeKey(engine: Engine, id: string): Promise<{ key: Key; before: boolean }> {
  const key = keyNamed(engine.state, id);
  const before = key.revoked !== '';
  const revoked = new Date(engine.writer.context().now).toISOString();
  const lsn = before ? engine.state.keysVersion : engine.writer.commit([{ op: 'put-key', key: { ...key, revoked } }]);
  await engine.journal.durable(lsn);
  return { key, before };
}

/**
 * Sets the rate limit of a key; resolves when that is durable. Throws {@link OperationError} if the key does not exist.
 *
 * @param rate as `50/s`; '' for no limit but the account's
 */
export async function limitKey(engine: Engine, id: string, rate: string): Promise<Key> {
  const present = keyNamed(engine.state, id);
  const key: Key = { ...present, rate };
  await engine.journal.durable(engine.writer.commit([{ op: 'put-key', key }]));
  return key;
}

/** All keys of programs, oldest first. */
export function listKeys(state: State, now: number): ListedKey[] {
  const ofPrograms = [...state.keys.values()].filter(({ kind }) => kind === 'key');
  return ofPrograms.map((key) => {
    const { id, accountId, created, revoked, expires, access, projects, label, replacedBy, rate } = key;
    const account = state.accounts.get(accountId)?.name ?? '';
    const terms = { label, access, projects, rate };
    return { id, account, ...terms, created, expires, revoked, replacedBy, state: keyState(state, key, now) };
  });
}

/** A key and its text, which is shown once. */
function issue(
  { id, text, digest }: NewKey,
  accountId: string,
  { expires, access, projects, label, rate }: KeyTerms,
  created: string,
): { key: Key; text: string } {
  const terms = { expires, access, projects, label, replacedBy: '', rate, kind: 'key', person: '' } as const;
  const row = { id, accountId, digest, created, revoked: '', ...terms };
  return { key: row, text };
}

function shownOnce({ id, created, expires, access, projects, label, rate }: Key, text: string, account: Account): CreatedKey {
  const { id: accountId, name, created: accountCreated } = account;
  const terms = { expires, access, projects, label, rate };
  return { id, key: text, account: { id: accountId, name, created: accountCreated }, created, ...terms };
}

function refusePast(expires: string, now: number): void {
  if (expiryMs({ expires }) <= now) throw new OperationError(`The expiry ${expires} is in the past.`);
}

/** A key of a program. Throws {@link OperationError} without one. */
function keyNamed({ keys }: State, id: string): Key {
  const key = keys.get(id);
  if (key?.kind !== 'key') throw new OperationError(`There is no key "${id}". See: npx mapwright keys list`, 'not_found');
  return key;
}

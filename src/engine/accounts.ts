/** Creates, lists, renames, limits and deletes accounts through the journal. Most accounts are created with their first key (keys.ts). */

import { runCooperatively } from '../lib/async/cooperative.ts';
import { OperationError } from '../lib/errors.ts';
import { noSuchAccount } from '../lib/text/similar-account.ts';
import type { Account } from '../model/account.ts';
import { type AccountLimits, defaultAccountLimits } from '../model/account-limits.ts';
import type { AccountState, State } from '../store/state.ts';
import { countIn } from '../store/usage.ts';
import type { Engine } from './engine.ts';
import { keyState } from './key-state.ts';
import { boundsOf, bytesOf, countBytes, usageOf } from './write/quotas.ts';

export interface ListedAccount extends Account {
  /** Number of projects. */
  readonly projects: number;
  /** Number of members of all collections of its projects but versions. */
  readonly members: number;
  /** Bytes of the rows of its projects and members, and of its files, versions and published maps, equal bytes once. */
  readonly bytes: number;
  readonly limits: AccountLimits;
  /** Number of valid keys. */
  readonly keys: number;
}

/** An account without its bytes, which would have to be counted. */
export type DeletedAccount = Omit<ListedAccount, 'bytes'>;

export type LimitedAccount = Pick<ListedAccount, 'id' | 'name' | 'created' | 'limits'>;

/** Every account, oldest first. */
export async function listAccounts(engine: Engine): Promise<ListedAccount[]> {
  const { state } = engine;
  const counted = new Map<string, number>();
  for (const account of state.accounts.values()) counted.set(account.id, await accountBytes(engine, account));
  return listed(state, engine.writer.context().now).map((listed) => {
    const account = state.accounts.get(listed.id);
    const isKept = account?.usage?.rowBytes !== undefined;
    return { ...listed, bytes: isKept ? bytesOf(state, account) : (counted.get(listed.id) ?? 0) };
  });
}

/** The stored bytes of an account, counted in slices. From then on they are maintained, if they are limited. */
export async function accountBytes({ state, quotas }: Engine, account: AccountState): Promise<number> {
  const counted = account.usage?.rowBytes === undefined ? await runCooperatively(countBytes(state, account)) : undefined;
  if (Number.isFinite(boundsOf(account.limits, quotas).bytes)) usageOf(account, true);
  return counted ?? bytesOf(state, account);
}

function listed(state: State, now: number): DeletedAccount[] {
  const valid = new Map<string, number>();
  for (const key of state.keys.values()) {
    if (key.kind === 'key' && keyState(state, key, now) === 'valid')
      valid.set(key.accountId, (valid.get(key.accountId) ?? 0) + 1);
  }
  return [...state.accounts.values()].map(({ id, name, created, projects, usage, limits = defaultAccountLimits }) => {
    const members = usage?.members ?? countIn(projects.values()).members;
    return { id, name, created, projects: projects.size, members, limits, keys: valid.get(id) ?? 0 };
  });
}

/** Creates an account, unless the name exists; resolves when it is durable. */
export async function createAccount(engine: Engine, name: string): Promise<{ account: Account; isNew: boolean }> {
  const present = engine.state.accountNamed(name);
  if (present !== undefined) {
    await engine.journal.durable(present.version);
    const { id, created } = present;
    return { account: { id, name, created }, isNew: false };
  }
  const { now, newId } = engine.writer.context();
  const account: Account = { id: newId(), name, created: new Date(now).toISOString() };
  await engine.journal.durable(engine.writer.commit([{ op: 'put-account', account }]));
  return { account, isNew: true };
}

/** Renames an account; resolves when that is durable. Throws {@link OperationError} if it does not exist or the name is taken. */
export async function renameAccount(engine: Engine, name: string, newName: string): Promise<Account> {
  const { id, created, limits } = refuseRename(engine, name, newName);
  const account: Account = { id, name: newName, created, limits };
  await engine.journal.durable(engine.writer.commit([{ op: 'put-account', account }]));
  return account;
}

/** The account. Throws {@link OperationError} if it does not exist or the new name is taken. */
export function refuseRename({ state }: Engine, name: string, newName: string): AccountState {
  const account = accountNamed(state, name);
  if (state.accountNamed(newName) !== undefined) throw nameTaken(newName);
  return account;
}

export function nameTaken(name: string): OperationError {
  return new OperationError(`The account "${name}" already exists. Choose another name.`, 'conflict');
}

/**
 * Sets the rate limit and quotas of an account. Resolves when durable; in effect immediately. Throws {@link OperationError} if the account
 * does not exist.
 */
export async function limitAccount(engine: Engine, name: string, set: Partial<AccountLimits>): Promise<LimitedAccount> {
  const { id, created, limits: before = defaultAccountLimits } = accountNamed(engine.state, name);
  const limits: AccountLimits = { ...before, ...set };
  const isDefault = Object.values(limits).every((limit) => limit === 'default');
  const account: Account = { id, name, created, limits: isDefault ? undefined : limits };
  await engine.journal.durable(engine.writer.commit([{ op: 'put-account', account }]));
  return { id, name, created, limits };
}

/** Counts the bytes of an account in slices; call it before {@link limitAccount}, which needs them. */
export async function prepareLimits(engine: Engine, name: string, { bytes }: Partial<AccountLimits>): Promise<void> {
  if (typeof bytes === 'number') await runCooperatively(countBytes(engine.state, accountNamed(engine.state, name)));
}

/**
 * Deletes an account with its keys and projects, as one record; resolves when that is durable. Its keys are invalid immediately; its pending
 * requests find nothing. Throws {@link OperationError} if the account does not exist.
 */
export async function deleteAccount(engine: Engine, name: string): Promise<DeletedAccount> {
  const { id } = accountNamed(engine.state, name);
  const deleted = listed(engine.state, engine.writer.context().now).find((account) => account.id === id) as DeletedAccount;
  await engine.journal.durable(engine.writer.commit([{ op: 'delete-account', accountId: id }]));
  return deleted;
}

function accountNamed(state: State, name: string): AccountState {
  const account = state.accountNamed(name);
  if (account === undefined) throw noSuchAccount(name, [...state.accounts.values()]);
  return account;
}

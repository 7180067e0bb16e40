/** Accounts: listed, renamed and deleted through the journal; made together with their first key (keys.ts). */
import { OperationError } from '../lib/errors.ts';
import type { Account } from '../model/change.ts';
import type { AccountState, State } from '../store/state.ts';
import type { Engine } from './engine.ts';
import { keyState } from './key-state.ts';

export interface ListedAccount extends Account {
  /** How many it has. */
  readonly projects: number;
  /** Keys of it that work now. */
  readonly keys: number;
}

/** Every account, oldest first. */
export function listAccounts(state: State, now: number): ListedAccount[] {
  const valid = new Map<string, number>();
  for (const key of state.keys.values()) {
    if (keyState(key, now) === 'valid') valid.set(key.accountId, (valid.get(key.accountId) ?? 0) + 1);
  }
  return [...state.accounts.values()].map(({ id, name, created, projects }) => {
    return { id, name, created, projects: projects.size, keys: valid.get(id) ?? 0 };
  });
}

/** Gives an account another name; resolves when that is durable. Throws {@link OperationError} when there is none, or the name is taken. */
export async function renameAccount(engine: Engine, name: string, newName: string): Promise<Account> {
  const { id, created } = accountNamed(engine.state, name);
  if (engine.state.accountNamed(newName) !== undefined) throw new OperationError(`There is an account "${newName}" already.`);
  const account: Account = { id, name: newName, created };
  await engine.journal.durable(engine.commit([{ op: 'put-account', account }]));
  return account;
}

/**
 * Deletes an account with its keys and projects, as one record; resolves when that is durable. Its keys stop working in the turn in which
 * this is called; requests of it that wait for something then find nothing. Throws {@link OperationError} when there is no such account.
 */
export async function deleteAccount(engine: Engine, name: string): Promise<ListedAccount> {
  const { id } = accountNamed(engine.state, name);
  const deleted = listAccounts(engine.state, engine.context().now).find((account) => account.id === id) as ListedAccount;
  await engine.journal.durable(engine.commit([{ op: 'delete-account', accountId: id }]));
  return deleted;
}

function accountNamed(state: State, name: string): AccountState {
  const account = state.accountNamed(name);
  if (account === undefined) throw new OperationError(`There is no account "${name}". See: npx mapwright accounts list`);
  return account;
}

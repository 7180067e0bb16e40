/** Names a similar account in messages about an account that does not exist. */
import { OperationError } from '../lib/errors.ts';
import { suggest } from '../lib/text/suggest.ts';
import type { Account } from './change.ts';

export function noSuchAccount(name: string, accounts: readonly Pick<Account, 'name'>[]): OperationError {
  const similar = similarAccount(name, accounts);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  return new OperationError(`There is no account "${name}".${hint} See: npx mapwright accounts list`, 'not_found');
}

/** The name of the account that `name` was probably meant to be. */
export function similarAccount(name: string, accounts: readonly Pick<Account, 'name'>[]): string | undefined {
  return suggest(
    name,
    accounts.map((account) => account.name),
  );
}

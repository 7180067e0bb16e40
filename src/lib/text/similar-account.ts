/** Names a similar account in messages about an account that does not exist. */
import { OperationError } from '../errors.ts';
import { suggest } from './suggest.ts';

interface Named {
  readonly name: string;
}

export function noSuchAccount(name: string, accounts: readonly Named[]): OperationError {
  const similar = similarAccount(name, accounts);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  return new OperationError(`There is no account "${name}".${hint} See: npx mapwright accounts list`, 'not_found');
}

/** The name of the account that `name` was probably meant to be. */
export function similarAccount(name: string, accounts: readonly Named[]): string | undefined {
  return suggest(
    name,
    accounts.map((account) => account.name),
  );
}

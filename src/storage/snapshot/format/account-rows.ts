/** Rows of accounts and their stored responses in a snapshot. Members have rows of their own kind. */
import { accountFromRow, accountRow } from '../../../model/account.ts';
import { type Person, personFromRow, personRow } from '../../../model/people/person.ts';
import { publicNameFromRow, publicNameRow } from '../../../model/references/public-name.ts';
import { stored } from '../../../model/stored.ts';
import { responseFromRow, type StoredResponse } from '../../../model/stored-response.ts';
import type { OwnedName } from '../../../store/indexes/public-names.ts';
import { type AccountState, newAccount, type State } from '../../../store/state.ts';

/** An account as a snapshot has it, its names of published maps, and its people. */
interface AccountRow {
  readonly account: AccountState;
  readonly names: readonly OwnedName[];
  readonly persons: readonly Person[];
}

/** Columns at the end that have nothing are omitted. */
export function accountToRow(account: AccountState, { names, persons }: State): unknown[] {
  const [id, name, created, limits = []] = accountRow(account) as [unknown, unknown, unknown, unknown[]?];
  const own = Array.from(names.of(account.id).values(), publicNameRow);
  const people = Array.from(persons.of(account.id).values(), personRow);
  const optional: readonly unknown[][] = [limits, own, people];
  const last = optional.findLastIndex(({ length }) => length > 0);
  return [id, name, created, account.version, account.projectsVersion, ...optional.slice(0, last + 1)];
}

/** Decodes an account of a snapshot at `lsn`; throws {@link RecordFormatError}. */
export function accountOf(row: unknown, lsn: number): AccountRow {
  const [id, name, created, version, projectsVersion, limits, names = [], persons = []] = stored.list(row, 'an account');
  const hasLimits = limits !== undefined && stored.list(limits, 'the limits of an account').length > 0;
  const account = newAccount(accountFromRow([id, name, created, ...(hasLimits ? [limits] : [])]), {
    version: stored.count(version, 'the version of an account', lsn),
    projectsVersion: stored.count(projectsVersion, 'the version of an account', lsn),
    publicationsVersion: lsn,
  });
  const own = stored.list(names, 'the names of published maps').map(publicNameFromRow);
  const people = stored.list(persons, 'the people of an account').map(personFromRow);
  return { account, names: own.map((each) => ({ accountId: account.id, ...each })), persons: people };
}

/** Enters an account, its names and its people into a state. */
export function addAccount(state: State, { account, names, persons }: AccountRow): void {
  state.accounts.set(account.id, account);
  for (const name of names) state.names.put(name);
  for (const person of persons) state.persons.put(person);
}

/** Decodes a stored response of a snapshot at `lsnMax`; throws {@link RecordFormatError}. */
export function storedResponseOf(row: unknown, lsnMax: number): { accountId: string; lsn: number; response: StoredResponse } {
  const [accountId, lsn, response] = stored.list(row, 'a stored response');
  return {
    accountId: stored.text(accountId, 'the account of a stored response'),
    lsn: stored.count(lsn, 'the record of a stored response', lsnMax),
    response: responseFromRow(response),
  };
}

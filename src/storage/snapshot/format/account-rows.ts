/** Rows of accounts and their stored responses in a snapshot. Members have rows of their own kind. */
import { accountFromRow, accountRow } from '../../../model/account.ts';
import { publicNameFromRow, publicNameRow } from '../../../model/references/public-name.ts';
import { stored } from '../../../model/stored.ts';
import { responseFromRow, type StoredResponse } from '../../../model/stored-response.ts';
import type { OwnedName } from '../../../store/indexes/public-names.ts';
import { type AccountState, newAccount, type State } from '../../../store/state.ts';

/** An account as a snapshot has it, and its names of published maps. */
interface AccountRow {
  readonly account: AccountState;
  readonly names: readonly OwnedName[];
}

/** The last columns are omitted where there are no names, and no limits. */
export function accountToRow(account: AccountState, { names }: State): unknown[] {
  const [id, name, created, ...limits] = accountRow(account);
  const own = [...names.of(account.id).values()];
  const row = [id, name, created, account.version, account.projectsVersion];
  return own.length === 0 ? [...row, ...limits] : [...row, limits[0] ?? [], own.map(publicNameRow)];
}

/** Decodes an account of a snapshot at `lsn`; throws {@link RecordFormatError}. */
export function accountOf(row: unknown, lsn: number): AccountRow {
  const [id, name, created, version, projectsVersion, limits, names = []] = stored.list(row, 'an account');
  const hasLimits = limits !== undefined && stored.list(limits, 'the limits of an account').length > 0;
  const account = newAccount(accountFromRow([id, name, created, ...(hasLimits ? [limits] : [])]), {
    version: stored.count(version, 'the version of an account', lsn),
    projectsVersion: stored.count(projectsVersion, 'the version of an account', lsn),
    publicationsVersion: lsn,
  });
  const own = stored.list(names, 'the names of published maps').map(publicNameFromRow);
  return { account, names: own.map((each) => ({ accountId: account.id, ...each })) };
}

/** Enters an account and its names into a state. */
export function addAccount(state: State, { account, names }: AccountRow): void {
  state.accounts.set(account.id, account);
  for (const name of names) state.names.put(name);
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

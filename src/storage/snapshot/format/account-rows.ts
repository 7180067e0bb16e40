/** Rows of accounts and their stored responses in a snapshot. Members have rows of their own kind. */
import { accountFromRow } from '../../../model/account.ts';
import { stored } from '../../../model/stored.ts';
import { responseFromRow, type StoredResponse } from '../../../model/stored-response.ts';
import { type AccountState, newAccount } from '../../../store/state.ts';

/** Decodes an account of a snapshot at `lsn`; throws {@link RecordFormatError}. */
export function accountOf(row: unknown, lsn: number): AccountState {
  const [id, name, created, version, projectsVersion, limits] = stored.list(row, 'an account');
  return newAccount(accountFromRow([id, name, created, limits]), {
    version: stored.count(version, 'the version of an account', lsn),
    projectsVersion: stored.count(projectsVersion, 'the version of an account', lsn),
    publicationsVersion: lsn,
  });
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

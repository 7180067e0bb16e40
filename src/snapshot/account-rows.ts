/** Rows of a snapshot about accounts themselves: who they are, and the answers that they get again. Members have rows of their own. */

import { accountFromRow } from '../model/record.ts';
import { stored } from '../model/stored.ts';
import { responseFromRow, type StoredResponse } from '../model/stored-response.ts';
import { type AccountState, newAccount } from '../store/state.ts';

/** An account of a snapshot that goes up to `lsn`; throws {@link RecordFormatError}. */
export function accountOf(row: unknown, lsn: number): AccountState {
  const [id, name, created, version, projectsVersion, limits] = stored.list(row, 'an account');
  return newAccount(accountFromRow([id, name, created, limits]), {
    version: stored.count(version, 'the version of an account', lsn),
    projectsVersion: stored.count(projectsVersion, 'the version of an account', lsn),
  });
}

/** An answer of a snapshot that goes up to `lsnMax`; throws {@link RecordFormatError}. */
export function answerOf(row: unknown, lsnMax: number): { accountId: string; lsn: number; answer: StoredResponse } {
  const [accountId, lsn, answer] = stored.list(row, 'an answer');
  return {
    accountId: stored.text(accountId, 'the account of an answer'),
    lsn: stored.count(lsn, 'the record of an answer', lsnMax),
    answer: responseFromRow(answer),
  };
}

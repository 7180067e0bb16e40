/** The response to the record's request, stored for idempotent retries. */
import { stored } from '../../model/stored.ts';
import { responseFromRow, responseRow, type StoredResponse, weighResponse } from '../../model/stored-response.ts';
import type { Operation } from './operation.ts';
import { accountOf } from './shared/changed-parts.ts';
import { quoted } from './shared/names.ts';

export const putResponse: Operation<'put-response', { readonly accountId: string; readonly response: StoredResponse }> = {
  op: 'put-response',
  needs: 'account',
  encode: ({ accountId, response }) => [accountId, responseRow(response)],
  decode: ([accountId, row]) => ({ accountId: stored.text(accountId, 'an account'), response: responseFromRow(row) }),
  placeOf: ({ accountId }) => ({ accountId }),
  apply: (state, lsn, { accountId, response }) => accountOf(state, accountId).storedResponses.put(response, lsn),
  memoryGrowth: (_, { response }) => weighResponse(response),
  describe: ({ response }) => `stored the response to the Idempotency-Key ${quoted(response.key)}, for retries`,
};

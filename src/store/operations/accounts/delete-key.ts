/** Forgets a key, which must not work any more. */
import { stored } from '../../../model/stored.ts';
import type { Operation } from '../operation.ts';

export const deleteKey: Operation<'delete-key', { readonly accountId: string; readonly keyId: string }> = {
  op: 'delete-key',
  needs: 'nothing',
  encode: ({ accountId, keyId }) => [accountId, keyId],
  decode: ([accountId, keyId]) => ({
    accountId: stored.text(accountId, 'an account'),
    keyId: stored.text(keyId, 'a key'),
  }),
  placeOf: ({ accountId }) => ({ accountId }),
  apply(state, lsn, { keyId }) {
    state.keys.delete(keyId);
    state.keysVersion = lsn;
    state.accessVersion = lsn;
  },
  describe: ({ keyId }) => `deleted the key ${keyId}`,
};

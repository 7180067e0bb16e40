/** A new key, or the new state of one. */
import { type Key, keyFromRow, keyRow } from '../../../model/account.ts';
import type { Operation } from '../operation.ts';

export const putKey: Operation<'put-key', { readonly key: Key }> = {
  op: 'put-key',
  needs: 'nothing',
  encode: ({ key }) => [keyRow(key)],
  decode: ([row]) => ({ key: keyFromRow(row) }),
  placeOf: ({ key }) => ({ accountId: key.accountId }),
  apply(state, lsn, { key }) {
    state.keys.set(key.id, key);
    state.keysVersion = lsn;
    state.accessVersion = lsn;
  },
  describe: ({ key }, state) =>
    `${key.revoked !== '' ? 'revoked' : state.keys.has(key.id) ? 'changed' : 'created'} the key ${key.id}`,
};

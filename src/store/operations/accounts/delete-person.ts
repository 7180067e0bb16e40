/** Erases a person: only the identifier stays, in what they did. */
import { stored } from '../../../model/stored.ts';
import type { Operation } from '../operation.ts';

export const deletePerson: Operation<'delete-person', { readonly accountId: string; readonly personId: string }> = {
  op: 'delete-person',
  needs: 'nothing',
  encode: ({ accountId, personId }) => [accountId, personId],
  decode: ([accountId, personId]) => ({
    accountId: stored.text(accountId, 'the account of a person'),
    personId: stored.text(personId, 'a person'),
  }),
  placeOf: ({ accountId }) => ({ accountId }),
  apply(state, lsn, { personId }) {
    state.persons.delete(personId);
    state.personsVersion = lsn;
    state.keysVersion = lsn;
    state.accessVersion = lsn;
  },
  describe: ({ personId }) => `erased the person ${personId}`,
};

/** A new person, or the new state of one. */
import { type Person, personFromRow, personRow } from '../../../model/people/person.ts';
import type { Operation } from '../operation.ts';
import { accountOf } from '../shared/changed-parts.ts';
import { quoted } from '../shared/names.ts';

/** Memory of a person in the indexes, in bytes, besides the texts. */
const personMemory = 800;

export const putPerson: Operation<'put-person', { readonly person: Person }> = {
  op: 'put-person',
  needs: 'account',
  encode: ({ person }) => [personRow(person)],
  decode: ([row]) => ({ person: personFromRow(row) }),
  placeOf: ({ person: { accountId } }) => ({ accountId }),
  apply(state, lsn, { person }) {
    accountOf(state, person.accountId);
    state.persons.put(person);
    state.personsVersion = lsn;
    state.keysVersion = lsn;
    state.accessVersion = lsn;
  },
  memoryGrowth: ({ state }, { person }) => (state.persons.has(person.id) ? 0 : personMemory),
  describe({ person: { id, name, role, removed } }, state) {
    const what = removed !== '' ? 'removed' : state.persons.has(id) ? 'changed' : 'added';
    return `${what} the ${role} ${quoted(name)}`;
  },
};

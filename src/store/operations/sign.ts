/** Who makes the changes of the record, if a person does: its first change. It changes nothing; events of the record name the person. */
import { stored } from '../../model/stored.ts';
import type { Operation } from './operation.ts';

export const sign: Operation<'sign', { readonly personId: string }> = {
  op: 'sign',
  needs: 'nothing',
  encode: ({ personId }) => [personId],
  decode: ([personId]) => ({ personId: stored.text(personId, 'the person of a record') }),
  placeOf: () => ({}),
  apply: () => undefined,
  describe: ({ personId }, state) => `by ${state.persons.get(personId)?.name ?? `the person ${personId}`}`,
};

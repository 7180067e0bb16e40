/** The first record of a server start. The run's id is random: 16 hex digits. */
import { runIdBytes, runIdFrom } from '../runs.ts';
import type { Operation } from './operation.ts';

export const startRun: Operation<'start-run', { readonly id: string }> = {
  op: 'start-run',
  needs: 'nothing',
  encode: ({ id }) => [runIdBytes(id)],
  decode: ([bytes]) => ({ id: runIdFrom(bytes) }),
  placeOf: () => ({}),
  apply: (state, lsn, { id }) => state.runs.start(lsn, id),
  describe: ({ id }) => `first write since a start of the server (run ${id})`,
};

/** A name of a published map: it leads to a project, is given up, or is forgotten. */
import { type PublicName, publicNameFromRow, publicNameRow } from '../../model/references/public-name.ts';
import { stored } from '../../model/stored.ts';
import type { Operation } from './operation.ts';
import { accountOf } from './shared/changed-parts.ts';
import { projectWords, quoted } from './shared/names.ts';

/** `until` is '' with `projectId` for a name that is forgotten. */
export interface PutName extends PublicName {
  readonly accountId: string;
}

/** Memory of a name in the indexes, in bytes. */
const nameMemory = 600;

const isForgotten = ({ projectId, until }: PublicName): boolean => projectId === '' && until === '';

export const putName: Operation<'put-name', PutName> = {
  op: 'put-name',
  // A repair keeps names of projects that are lost.
  needs: 'account',
  encode: (change) => [change.accountId, publicNameRow(change)],
  decode: ([accountId, row]) => ({ accountId: stored.text(accountId, 'an account'), ...publicNameFromRow(row) }),
  placeOf: ({ accountId, projectId }) => (projectId === '' ? { accountId } : { accountId, projectId }),
  apply(state, lsn, change) {
    const { accountId, name, projectId, until } = change;
    const account = accountOf(state, accountId);
    const before = state.names.get(name);
    // Another account may have taken the name meanwhile: then nothing is given up.
    if (projectId === '' && before !== undefined && before.accountId !== accountId) return;
    if (before !== undefined && before.projectId !== '' && before.projectId !== projectId) {
      state.publicationsVersion = lsn;
      account.publicationsVersion = lsn;
    }
    if (isForgotten(change)) state.names.delete(name);
    else state.names.put({ accountId, name, projectId, until });
  },
  memoryGrowth({ state }, change) {
    const isThere = state.names.get(change.name) !== undefined;
    if (isForgotten(change)) return isThere ? -nameMemory : 0;
    return isThere ? 0 : nameMemory;
  },
  describe(change, _, project) {
    const { name, projectId, until } = change;
    const address = quoted(`/p/${name}`);
    if (isForgotten(change)) return `forgot the readable address ${address}`;
    return projectId === ''
      ? `gave up the readable address ${address}, which stays the account's until ${until}`
      : `gave ${projectWords(projectId, project)} the readable address ${address}`;
  },
};

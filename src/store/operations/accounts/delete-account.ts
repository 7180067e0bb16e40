/** Deletes an account, its people, its keys and all its projects. */
import { plural } from '../../../lib/text/plural.ts';
import { stored } from '../../../model/stored.ts';
import type { Operation } from '../operation.ts';
import { emptyProjectBytes } from '../put-project.ts';
import { accountOf } from '../shared/changed-parts.ts';
import { quoted } from '../shared/names.ts';
import { forgetPublication } from '../shared/public-projects.ts';

export const deleteAccount: Operation<'delete-account', { readonly accountId: string }> = {
  op: 'delete-account',
  needs: 'nothing',
  encode: ({ accountId }) => [accountId],
  decode: ([accountId]) => ({ accountId: stored.text(accountId, 'an account') }),
  placeOf: ({ accountId }) => ({ accountId }),
  apply(state, lsn, { accountId }) {
    const account = accountOf(state, accountId);
    for (const project of [...account.published.values()]) forgetPublication(state, account, project, lsn);
    state.names.deleteAccount(accountId);
    state.persons.deleteAccount(accountId);
    if (state.files !== undefined) for (const [, project] of account.projects) state.files.removeProject(project, lsn);
    state.accounts.delete(account.id);
    for (const key of state.keys.values()) if (key.accountId === accountId) state.keys.delete(key.id);
    state.keysVersion = lsn;
    state.accessVersion = lsn;
  },
  // The record puts nothing, so the exact size is not needed.
  memoryGrowth: () => -emptyProjectBytes,
  describe({ accountId }, state) {
    const account = state.accounts.get(accountId);
    const words = account && `${quoted(account.name)} (${plural(account.projects.size, 'project')})`;
    return `deleted the account ${words ?? accountId}`;
  },
};

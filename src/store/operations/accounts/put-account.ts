/** A new account, or its new name and limits. */
import { type Account, accountFromRow, accountRow } from '../../../model/account.ts';
import { defaultAccountLimits } from '../../../model/account-limits.ts';
import { accountAt } from '../../state.ts';
import type { Operation } from '../operation.ts';
import { noteId } from '../shared/changed-parts.ts';
import { quoted } from '../shared/names.ts';

export const putAccount: Operation<'put-account', { readonly account: Account }> = {
  op: 'put-account',
  needs: 'nothing',
  encode: ({ account }) => [accountRow(account)],
  decode: ([row]) => ({ account: accountFromRow(row) }),
  placeOf: ({ account }) => ({ accountId: account.id }),
  apply(state, lsn, { account }) {
    const present = state.accounts.get(account.id);
    noteId(state, account.id);
    state.accessVersion = lsn;
    if (present === undefined) {
      state.accounts.set(account.id, accountAt(account, lsn));
      return;
    }
    state.accounts.rename(present, account.name);
    // Its usage is counted again when a limit next needs it.
    Object.assign(present, account, { limits: account.limits, usage: undefined, version: lsn });
  },
  describe: ({ account }, state) => putWords(state.accounts.get(account.id), account),
};

function putWords(before: Account | undefined, after: Account): string {
  if (before === undefined) return `created the account ${quoted(after.name)}`;
  const changes: string[] = [];
  if (before.name !== after.name) changes.push(`renamed the account ${quoted(before.name)}, now ${quoted(after.name)}`);
  const set = limitsSet(before.limits, after.limits);
  if (set !== '') changes.push(`limited the account ${quoted(after.name)} (${set})`);
  return changes.length === 0 ? `changed the account ${quoted(after.name)}` : changes.join(' and ');
}

/** `rate 50/s, was default; projects 10, was 5`. */
function limitsSet(before = defaultAccountLimits, after = defaultAccountLimits): string {
  const names = ['rate', 'projects', 'members', 'bytes', 'versions'] as const;
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed.map((name) => `${name} ${after[name]}, was ${before[name]}`).join('; ');
}

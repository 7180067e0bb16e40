/** `mapwright log`: lists changes in words, to find the mistaken write before a point-in-time restore. */

import { resolve } from 'node:path';
import { FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { readHistory } from '../../storage/backup/backup-history.ts';
import type { ChangeDescription } from '../../storage/backup/describe-change.ts';
import { type LoggedRecord, type LogRead, readHistoryLog } from '../../storage/backup/history-log.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { type ArgumentsOf, asGiven, dataOption, inGroups, jsonOption, meantOrAll, UsageError } from '../option-parsing.ts';
import { isoTime } from '../output/format-values.ts';
import { printJsonLine } from '../output/stdout.ts';
import { targetFrom } from './restore-command.ts';

const options = {
  ...dataOption,
  data: { ...dataOption.data, describe: 'A data folder (may be in use), or a backup folder with archived log' },
  log: { type: 'string', describe: 'With a backup folder: a data folder whose log continues after the last backup' },
  from: { type: 'number', describe: 'First record to print' },
  to: { type: 'number', describe: 'Last record to print' },
  since: { type: 'string', describe: 'Only records written since this time, as in restore --at' },
  project: { type: 'string', describe: 'Only records that change the project with this id' },
  account: { type: 'string', describe: 'Only records of the account with this name or id' },
  lineage: {
    type: 'string',
    default: '',
    defaultDescription: 'the only one',
    describe: 'The history to read, if there are several (beginning of its lineage)',
  },
  json: { ...jsonOption.json, describe: 'Print a line of JSON for each record, for programs' },
} as const;
type LogArguments = ArgumentsOf<typeof options>;

export const logCommand = command({
  ...commandOutlines.log,
  options: inGroups({ 'Filters:': ['from', 'to', 'since', 'project', 'account', 'lineage'] }, options),
  examples: [
    ['log --since 2026-11-20T14:00', 'changes since this time'],
    ['log --account acme --from 800', 'changes in one account, from record 800 on'],
    ['log --data backups --log data/store', 'as far back as the backups go'],
  ],
  notes: 'It changes nothing, and works with and without a running server. To go back to a point before a record: restore --at.',
  handler(args) {
    for (const name of ['from', 'to'] as const)
      if (Number.isNaN(args[name])) throw new UsageError(`${asGiven(name)} needs the number of a record.`);
    const since = sinceIn(args.since);
    const history = readHistory(
      nodeFiles,
      [args.data, ...(args.log === undefined ? [] : [args.log])].map((folder) => resolve(folder)),
    );
    const { lineage, to = Number.POSITIVE_INFINITY } = args;
    const seen = new SeenAccounts();
    const request = { from: Math.max(args.from ?? 1, 1), lineage };
    const read = readHistoryLog(nodeFiles, history, request, (record) => {
      if (record.lsn > to) return false;
      seen.note(record.changes);
      const changes = record.timeMs < since ? [] : record.changes.filter((change) => matchesFilter(change, args));
      if (changes.length === 0) return true;
      if (args.json) printJsonLine(asJson(record, changes));
      else process.stdout.write(formatRecord(record, changes));
      return true;
    });
    if (args.account !== undefined) seen.assertKnown(args.account, read.accounts);
    if (!args.json) process.stderr.write(summary(read));
    if (read.reached.end.kind === 'damaged') throw read.reached.end.error;
  },
});

/** The accounts that exist or existed. */
class SeenAccounts {
  readonly #ids = new Set<string>();
  readonly #names = new Set<string>();

  note(accounts: readonly { readonly account: string | undefined; readonly accountId: string | undefined }[]): void {
    for (const { account, accountId } of accounts) {
      if (account !== undefined) this.#names.add(account);
      if (accountId !== undefined) this.#ids.add(accountId);
    }
  }

  /** @param present the accounts at the end of the log */
  assertKnown(account: string, present: LogRead['accounts']): void {
    this.note(present.map(({ id, name }) => ({ account: name, accountId: id })));
    if (this.#names.has(account) || this.#ids.has(account)) return;
    const names = [...this.#names].sort();
    throw new FolderError(
      `There is no account "${account}" in this log. ${names.length === 0 ? 'It has no accounts.' : meantOrAll(account, names, (name) => `"${name}"`)}`,
    );
  }
}

function sinceIn(text: string | undefined): number {
  if (text === undefined) return Number.NEGATIVE_INFINITY;
  const point = targetFrom('since', text);
  if ('lsn' in point) throw new UsageError(`${asGiven('since')} needs a time. To give the number of a record, use --from.`);
  return point.timeMs;
}

function matchesFilter({ account, accountId, projectId }: ChangeDescription, filter: LogArguments): boolean {
  if (filter.project !== undefined && filter.project !== projectId) return false;
  return filter.account === undefined || filter.account === account || filter.account === accountId;
}

/** Number of changes of one record that are printed as text. */
const changesShown = 10;

/** The record's number, time, account and first change; further changes are below the first one. */
function formatRecord({ lsn, timeMs }: LoggedRecord, changes: readonly ChangeDescription[]): string {
  const [first] = changes;
  const head = `${String(lsn).padStart(8)}  ${isoTime(timeMs)}  ${first?.account ?? first?.accountId ?? '-'}  `;
  const lines = changes.slice(0, changesShown).map(({ words }) => words);
  if (changes.length > changesShown) lines.push(`and ${changes.length - changesShown} more changes. To see them, add --json.`);
  return `${head}${lines.join(`\n${' '.repeat(head.length)}`)}\n`;
}

function asJson({ lsn, timeMs }: LoggedRecord, changes: readonly ChangeDescription[]): object {
  const shown = changes.map(({ account, accountId, projectId, words }) => {
    return { account: account ?? null, account_id: accountId ?? null, project_id: projectId ?? null, what: words };
  });
  return { lsn, time: isoTime(timeMs), changes: shown };
}

function summary({ from, reached }: LogRead): string {
  const { lsn, end } = reached;
  const last =
    end.kind === 'stopped' || end.kind === 'open' || end.kind === 'damaged'
      ? ''
      : ' Later records are missing here; add the log of a data folder with --log DIR.';
  if (from > lsn) return `No records: the log begins at record ${from}, and nothing was written since.\n`;
  return `Read records ${from} to ${lsn}.${last} To go back to the state before record N: npx mapwright restore --at N-1 --from DIR --data NEWDIR\n`;
}

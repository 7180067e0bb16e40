/** `mapwright log`: what was changed, when, in words: how the mistaken write is found that a restore is to leave out. */
import { resolve } from 'node:path';
import type { Described } from '../backup/describe.ts';
import { readHistory } from '../backup/history.ts';
import { type LoggedRecord, type LogRead, readLog } from '../backup/log.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { command } from './command.ts';
import { asGiven, dataOption, inGroups, jsonOption, meantOrAll, UsageError } from './options.ts';
import { pointIn } from './restore.ts';
import { printJsonLine } from './stdout.ts';
import { isoTime } from './words.ts';

interface Arguments {
  data: string;
  log?: string;
  from?: number;
  to?: number;
  since?: string;
  project?: string;
  account?: string;
  lineage: string;
  json: boolean;
}

const options = {
  ...dataOption,
  data: { ...dataOption.data, describe: 'A data folder (it may be in use), or a folder of backups with the log between them' },
  log: { type: 'string', describe: 'With a folder of backups: a data folder whose log goes on after the last of them' },
  from: { type: 'number', describe: 'The first record to print' },
  to: { type: 'number', describe: 'The last record to print' },
  since: { type: 'string', describe: 'Only records written since this time, as in restore --at' },
  project: { type: 'string', describe: 'Only records that change the project with this id' },
  account: { type: 'string', describe: 'Only records of the account with this name or id' },
  lineage: {
    type: 'string',
    default: '',
    defaultDescription: 'the only one',
    describe: 'Which history, where there are several',
  },
  json: { ...jsonOption.json, describe: 'Print a line of JSON for each record, for programs' },
} as const;

export const logCommand = command<Arguments>({
  command: 'log',
  describe: 'Print what was changed, record by record, in words',
  options: inGroups({ 'Which records:': ['from', 'to', 'since', 'project', 'account', 'lineage'] }, options),
  examples: [
    ['log --since 2026-11-20T14:00', 'what was changed since then'],
    ['log --account acme --from 800', 'by one account, from record 800 on'],
    ['log --data backups --log data/store', 'as far as backups reach back'],
  ],
  notes: 'It changes nothing, and works while a server runs and while none does. To go back to before a record: restore --at.',
  handler(args) {
    for (const name of ['from', 'to'] as const)
      if (Number.isNaN(args[name])) throw new UsageError(`${asGiven(name)} needs a record\u2019s number.`);
    const since = sinceIn(args.since);
    const history = readHistory(
      nodeFiles,
      [args.data, ...(args.log === undefined ? [] : [args.log])].map((folder) => resolve(folder)),
    );
    const { lineage, to = Number.POSITIVE_INFINITY } = args;
    const seen = new Accounts();
    const request = { from: Math.max(args.from ?? 1, 1), lineage };
    const read = readLog(nodeFiles, history, request, (record) => {
      if (record.lsn > to) return false;
      seen.note(record.changes);
      const changes = record.timeMs < since ? [] : record.changes.filter((change) => isWanted(change, args));
      if (changes.length === 0) return true;
      if (args.json) printJsonLine(asJson(record, changes));
      else process.stdout.write(inWords(record, changes));
      return true;
    });
    if (args.account !== undefined) seen.refuseUnknown(args.account, read.accounts);
    if (!args.json) process.stderr.write(ending(read));
    if (read.reached.end.kind === 'damaged') throw read.reached.end.error;
  },
});

/** The accounts that there are, and were. */
class Accounts {
  readonly #ids = new Set<string>();
  readonly #names = new Set<string>();

  note(accounts: readonly { readonly account: string | undefined; readonly accountId: string | undefined }[]): void {
    for (const { account, accountId } of accounts) {
      if (account !== undefined) this.#names.add(account);
      if (accountId !== undefined) this.#ids.add(accountId);
    }
  }

  /** @param present those at the end of what was read */
  refuseUnknown(wanted: string, present: LogRead['accounts']): void {
    this.note(present.map(({ id, name }) => ({ account: name, accountId: id })));
    if (this.#names.has(wanted) || this.#ids.has(wanted)) return;
    const names = [...this.#names].sort();
    throw new FolderError(
      `There is no account "${wanted}" there. ${names.length === 0 ? 'There is none at all.' : meantOrAll(wanted, names, (name) => `"${name}"`)}`,
    );
  }
}

function sinceIn(text: string | undefined): number {
  if (text === undefined) return Number.NEGATIVE_INFINITY;
  const point = pointIn('since', text);
  if ('lsn' in point) throw new UsageError(`${asGiven('since')} needs a time; for a record\u2019s number there is --from.`);
  return point.timeMs;
}

function isWanted({ account, accountId, projectId }: Described, wanted: Arguments): boolean {
  if (wanted.project !== undefined && wanted.project !== projectId) return false;
  return wanted.account === undefined || wanted.account === account || wanted.account === accountId;
}

function inWords({ lsn, timeMs }: LoggedRecord, changes: readonly Described[]): string {
  const [first] = changes;
  const lines = changes.map(({ words }) => words);
  return `${String(lsn).padStart(8)}  ${isoTime(timeMs)}  ${first?.account ?? first?.accountId ?? '-'}  ${lines.join('; ')}\n`;
}

function asJson({ lsn, timeMs }: LoggedRecord, changes: readonly Described[]): object {
  const shown = changes.map(({ account, accountId, projectId, words }) => {
    return { account: account ?? null, account_id: accountId ?? null, project_id: projectId ?? null, what: words };
  });
  return { lsn, time: isoTime(timeMs), changes: shown };
}

function ending({ from, reached }: LogRead): string {
  const { lsn, end } = reached;
  const last =
    end.kind === 'stopped' || end.kind === 'open' || end.kind === 'damaged'
      ? ''
      : ' What is newer is not here; a data folder\u2019s own log is added with --log DIR.';
  return `Records ${from} to ${lsn} were read.${last} To go back to before record N: npx mapwright restore --at N-1 --from DIR --data NEWDIR\n`;
}

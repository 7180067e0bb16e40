/** `mapwright accounts`: lists, renames, limits and deletes accounts, with or without a running server. */

import { OperationError } from '../../lib/errors.ts';
import { noSuchAccount } from '../../lib/text/similar-account.ts';
import type { AccountLimits, Limit } from '../../model/account-limits.ts';
import { checkRate } from '../../server/admin/account-limit-options.ts';
import { command, commandGroup } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { asGiven, checkedAs, dataOption, inGroups, jsonOption, UsageError, whileItRuns } from '../option-parsing.ts';
import { formatBytes, plural, shellWord } from '../output/format-values.ts';
import { promptLine } from '../output/question.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';
import { runOperation } from '../run-operation.ts';

const common = { ...dataOption, ...jsonOption } as const;
const nameOption = { type: 'string', demandOption: true, describe: 'Name of the account' } as const;

const list = command({
  command: 'list',
  describe: 'List all accounts with their usage and limits',
  options: common,
  examples: [
    ['accounts list', 'as a table'],
    ['accounts list --json', 'for programs'],
  ],
  notes: `${whileItRuns} While the server runs, the list includes the default limits from the options of serve.`,
  async handler({ data, json }) {
    const accounts = await runOperation(data, 'accounts.list', {});
    if (json) printJson(accounts.map(({ inForce, ...account }) => ({ ...account, in_force: inForce ?? null })));
    else if (accounts.length === 0) {
      process.stdout.write('There are no accounts yet. Create one with its first key: npx mapwright keys create NAME\n');
    } else {
      const rows = accounts.map(({ name, id, created, projects, keys, members, bytes, limits, inForce = limits }) => {
        const stored = withLimit(formatBytes(bytes), inForce.bytes, formatBytes);
        const held = [withLimit(projects, inForce.projects), keys, withLimit(members, inForce.members), stored];
        return [name, id, created, ...held, inForce.rate === 'default' ? '' : inForce.rate];
      });
      await printTable(['name', 'id', 'created', 'projects', 'valid keys', 'members', 'stored', 'rate'], rows);
    }
  },
});

/** `2 of 10`; without a limit only the number used. */
function withLimit(used: number | string, limit: Limit, shown: (limit: number) => string = String): string {
  return typeof limit === 'number' ? `${used} of ${shown(limit)}` : `${used}`;
}

const rename = command({
  command: 'rename <name> <new-name>',
  describe: 'Rename an account; its id, keys and projects do not change',
  positionals: { name: nameOption, 'new-name': { type: 'string', demandOption: true, describe: 'The new name' } },
  options: common,
  examples: [["accounts rename default 'City of Vienna'", 'give the account "default" a new name']],
  needs: () => 'Name the account and its new name: npx mapwright accounts rename NAME NEW-NAME',
  notes: whileItRuns,
  async handler({ name, newName, data, json }) {
    const account = await runOperation(data, 'accounts.rename', { name, newName });
    if (json) printJson(account);
    else process.stdout.write(`The account "${name}" is now named "${account.name}".\n`);
  },
});

const mebibyte = 1024 * 1024;

/** Parses a number, or `none` or `default`. */
function limitFrom(name: string, unit = 1) {
  return (text: string | undefined): Limit | undefined => {
    if (text === undefined || text === 'none' || text === 'default') return text;
    const most = Math.round(Number(text) * unit);
    if (/^[0-9]+(\.[0-9]+)?$/.test(text) && (unit > 1 || !text.includes('.')) && Number.isSafeInteger(most)) return most;
    throw new UsageError(
      `${asGiven(name)} is "${text}". It must be a number from 0${unit > 1 ? '' : ', without a fraction'}, or none, or default.`,
    );
  };
}

const limits = {
  rate: {
    type: 'string',
    describe: 'Request rate: 50/s, 600/m, 10000/h',
    coerce: checkedAs('rate', (text: string) => checkRate(text, ['none', 'default'])),
  },
  projects: { type: 'string', describe: 'Number of projects', coerce: limitFrom('projects') },
  members: { type: 'string', describe: 'Number of members in all collections of all projects', coerce: limitFrom('members') },
  mb: { type: 'string', describe: 'Stored size in MiB', coerce: limitFrom('mb', mebibyte) },
  versions: { type: 'string', describe: 'Number of versions of all projects', coerce: limitFrom('versions') },
} as const;

const limit = command({
  command: 'limit <name>',
  describe: 'Set limits of an account: a number, none, or default (the options of serve)',
  positionals: { name: nameOption },
  options: { ...inGroups({ 'Limits:': Object.keys(limits) }, limits), ...common },
  examples: [
    ['accounts limit default --rate 50/s --projects 10', 'limit the request rate and the number of projects'],
    ['accounts limit default --mb 200 --members none', 'limit the stored size, but not the number of members'],
    ['accounts limit default --rate default', 'return to the rate limit in the options of serve'],
  ],
  needs: () =>
    'Name the account and its limits: npx mapwright accounts limit NAME --rate 50/s --projects 10 --members 50000 --mb 200',
  notes: whileItRuns,
  async handler({ name, rate, projects, members, mb: bytes, versions, data, json }) {
    const given = Object.entries({ rate, projects, members, bytes, versions }).filter(([, value]) => value !== undefined);
    if (given.length === 0)
      throw new UsageError(
        `No limit given. Example: npx mapwright accounts limit ${shellWord(name)} --rate 50/s; --help lists all limits.`,
      );
    const account = await runOperation(data, 'accounts.limit', { name, ...Object.fromEntries(given) });
    if (json) printJson(account);
    else process.stdout.write(`The account "${account.name}": ${formatLimits(account.limits)}.\n`);
  },
});

/** `rate 50/s, projects 10`: the limits that are set for this account. */
function formatLimits({ rate, projects, members, bytes, versions }: AccountLimits): string {
  const mb = typeof bytes === 'number' ? bytes / mebibyte : bytes;
  const set = Object.entries({ rate, projects, members, mb, versions }).filter(([, value]) => value !== 'default');
  return set.length === 0
    ? 'all limits are those in the options of serve'
    : set.map(([name, value]) => `${name} ${value}`).join(', ');
}

const remove = command({
  command: 'delete <name>',
  describe: 'Delete an account, its keys and all its projects permanently',
  positionals: { name: nameOption },
  options: { yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' }, ...common },
  examples: [
    ['accounts delete acme', 'shows what will be deleted, and asks for the name as confirmation'],
    ['accounts delete acme --yes', 'without confirmation, for scripts'],
  ],
  needs: () => 'Name the account: npx mapwright accounts delete NAME. List the names with: npx mapwright accounts list',
  notes: whileItRuns,
  async handler({ name, yes, data, json }) {
    if (!yes) await confirm(name, data);
    const deleted = await runOperation(data, 'accounts.delete', { name });
    if (json) return printJson(deleted);
    process.stdout.write(`Deleted the account "${name}" with ${plural(deleted.projects, 'project')}.\n`);
  },
});

/** Asks for the name as confirmation. Throws a {@link UsageError} without a terminal. */
async function confirm(name: string, data: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(
      `Deleting an account cannot be undone. To confirm without a terminal: npx mapwright accounts delete ${shellWord(name)} --yes`,
    );
  const accounts = await runOperation(data, 'accounts.list', {});
  const account = accounts.find((one) => one.name === name);
  if (account === undefined) throw noSuchAccount(name, accounts);
  const { projects, members, bytes, keys } = account;
  const what = `${plural(projects, 'project')} (${plural(members, 'member')}, ${formatBytes(bytes)}) and ${plural(keys, 'valid key')}`;
  const typed = await promptLine(`This permanently deletes the account "${name}" with ${what}. Type its name to continue: `);
  if (typed !== name) throw new OperationError('The name does not match. Nothing was deleted.');
}

export const accountsCommand = commandGroup({
  ...commandOutlines.accounts,
  commands: [list, rename, limit, remove],
});

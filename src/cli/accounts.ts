/** `mapwright accounts`: lists, renames, limits and deletes accounts, whether the server runs or not. */
import { OperationError } from '../lib/errors.ts';
import type { AccountLimits, Limit } from '../model/limits.ts';
import { checkRate } from '../server/account-limits.ts';
import { command, commandGroup } from './command.ts';
import { asGiven, checkedAs, dataOption, inGroups, jsonOption, UsageError, whileItRuns } from './options.ts';
import { answerTo } from './question.ts';
import { runOperation } from './run-operation.ts';
import { printJson } from './stdout.ts';
import { printTable } from './table.ts';
import { megabytes, plural, shellWord } from './words.ts';

const common = { ...dataOption, ...jsonOption } as const;
const itsName = { type: 'string', demandOption: true, describe: 'Its name' } as const;

const list = command<{ data: string; json: boolean }>({
  command: 'list',
  describe: 'List all accounts, with what they hold and may hold',
  options: common,
  examples: [
    ['accounts list', 'as a table'],
    ['accounts list --json', 'for programs'],
  ],
  notes: `${whileItRuns} Limits that the options of serve set for all accounts are shown while it does.`,
  async handler({ data, json }) {
    const accounts = await runOperation(data, 'accounts.list', {});
    if (json) printJson(accounts.map(({ inForce, ...account }) => ({ ...account, in_force: inForce ?? null })));
    else if (accounts.length === 0) {
      process.stdout.write('There are no accounts yet. Make one, and its first key, with: npx mapwright keys create NAME\n');
    } else {
      const rows = accounts.map(({ name, id, created, projects, keys, members, bytes, limits, inForce = limits }) => {
        const stored = withLimit(megabytes(bytes), inForce.bytes, megabytes);
        const held = [withLimit(projects, inForce.projects), keys, withLimit(members, inForce.members), stored];
        return [name, id, created, ...held, inForce.rate === 'default' ? '' : inForce.rate];
      });
      await printTable(['name', 'id', 'created', 'projects', 'valid keys', 'members', 'stored', 'rate'], rows);
    }
  },
});

/** `2 of 10`; only the former where there is no limit. */
function withLimit(used: number | string, limit: Limit, shown: (limit: number) => string = String): string {
  return typeof limit === 'number' ? `${used} of ${shown(limit)}` : `${used}`;
}

const rename = command<{ name: string; newName: string; data: string; json: boolean }>({
  command: 'rename <name> <new-name>',
  describe: 'Give an account another name; its id, keys and projects stay as they are',
  positionals: { name: itsName, 'new-name': { type: 'string', demandOption: true, describe: 'What it is to be called' } },
  options: common,
  examples: [["accounts rename default 'City of Vienna'", 'it is called so from now on']],
  needs: () => 'Which account, and what is it to be called? npx mapwright accounts rename NAME NEW-NAME',
  notes: whileItRuns,
  async handler({ name, newName, data, json }) {
    const account = await runOperation(data, 'accounts.rename', { name, newName });
    if (json) printJson(account);
    else process.stdout.write(`The account "${name}" is called "${account.name}" now.\n`);
  },
});

const bytesPerMb = 1_000_000;

/** A number of things, or one of the words that stand for one. */
function limitFrom(name: string, unit = 1) {
  return (text: string | undefined): Limit | undefined => {
    if (text === undefined || text === 'none' || text === 'default') return text;
    const most = Math.round(Number(text) * unit);
    if (/^[0-9]+(\.[0-9]+)?$/.test(text) && (unit > 1 || !text.includes('.')) && Number.isSafeInteger(most)) return most;
    throw new UsageError(
      `${asGiven(name)} must be a number, 0 or more${unit > 1 ? '' : ', without a fraction'}, or none, or default.`,
    );
  };
}

const limits = {
  rate: {
    type: 'string',
    describe: 'Requests: 50/s, 600/m, 10000/h',
    coerce: checkedAs('rate', (text: string) => checkRate(text, ['none', 'default'])),
  },
  projects: { type: 'string', describe: 'How many projects', coerce: limitFrom('projects') },
  members: { type: 'string', describe: 'How many members, of all collections of all projects', coerce: limitFrom('members') },
  mb: { type: 'string', describe: 'How much is stored of them, in MB', coerce: limitFrom('mb', bytesPerMb) },
} as const;

interface LimitArguments {
  name: string;
  rate: string | undefined;
  projects: Limit | undefined;
  members: Limit | undefined;
  mb: Limit | undefined;
  data: string;
  json: boolean;
}

const limit = command<LimitArguments>({
  command: 'limit <name>',
  describe: 'Set what an account may ask and hold: a number, none, or default, which is what the options of serve say',
  positionals: { name: itsName },
  options: { ...inGroups({ 'Limits:': Object.keys(limits) }, limits), ...common },
  examples: [
    ['accounts limit default --rate 50/s --projects 10', 'so many requests, and so many projects'],
    ['accounts limit default --mb 200 --members none', 'so much stored, in as many members as there are'],
    ['accounts limit default --rate default', 'as the options of serve say, again'],
  ],
  needs: () =>
    'Which account, and what may it? npx mapwright accounts limit NAME --rate 50/s --projects 10 --members 50000 --mb 200',
  notes: whileItRuns,
  async handler({ name, rate, projects, members, mb: bytes, data, json }) {
    const given = Object.entries({ rate, projects, members, bytes }).filter(([, value]) => value !== undefined);
    if (given.length === 0)
      throw new UsageError(
        `Which limit? npx mapwright accounts limit ${shellWord(name)} --rate 50/s; see --help for the others.`,
      );
    const account = await runOperation(data, 'accounts.limit', { name, ...Object.fromEntries(given) });
    if (json) printJson(account);
    else process.stdout.write(`The account "${account.name}": ${limitWords(account.limits)}.\n`);
  },
});

/** `rate 50/s, projects 10`: what is set for the account itself. */
function limitWords({ rate, projects, members, bytes }: AccountLimits): string {
  const mb = typeof bytes === 'number' ? bytes / bytesPerMb : bytes;
  const set = Object.entries({ rate, projects, members, mb }).filter(([, value]) => value !== 'default');
  return set.length === 0
    ? 'everything is as the options of serve say'
    : set.map(([name, value]) => `${name} ${value}`).join(', ');
}

const remove = command<{ name: string; yes: boolean; data: string; json: boolean }>({
  command: 'delete <name>',
  describe: 'Delete an account, its keys and all its projects, for good',
  positionals: { name: itsName },
  options: { yes: { type: 'boolean', default: false, describe: 'Do not ask' }, ...common },
  examples: [
    ['accounts delete acme', 'says how much goes, and has the name typed once more'],
    ['accounts delete acme --yes', 'without asking, as in a script'],
  ],
  needs: () => 'Which account? npx mapwright accounts delete NAME; the names are in: npx mapwright accounts list',
  notes: whileItRuns,
  async handler({ name, yes, data, json }) {
    if (!yes) await confirm(name, data);
    const deleted = await runOperation(data, 'accounts.delete', { name });
    if (json) return printJson(deleted);
    process.stdout.write(`The account "${name}" is deleted, with ${plural(deleted.projects, 'project')}.\n`);
  },
});

/** Has the name typed once more. Throws a {@link UsageError} where nobody sits at a terminal. */
async function confirm(name: string, data: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`This cannot be undone. If it is meant: npx mapwright accounts delete ${shellWord(name)} --yes`);
  const account = (await runOperation(data, 'accounts.list', {})).find((one) => one.name === name);
  if (account === undefined) throw new OperationError(`There is no account "${name}". See: npx mapwright accounts list`);
  const { projects, members, bytes, keys } = account;
  const what = `${plural(projects, 'project')} (${plural(members, 'member')}, ${megabytes(bytes)}) and ${plural(keys, 'valid key')}`;
  const typed = await answerTo(`This deletes the account "${name}" with ${what}, for good. Type its name to go on: `);
  if (typed !== name) throw new OperationError('That was not its name: nothing was deleted.');
}

export const accountsCommand = commandGroup({
  command: 'accounts',
  describe: 'List, rename, limit and delete accounts',
  commands: [list, rename, limit, remove],
});

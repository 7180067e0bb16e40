/** `mapwright accounts`: lists, renames, limits and deletes accounts, whether the server runs or not. */
import { isCancel, text } from '@clack/prompts';
import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import { OperationError } from '../lib/errors.ts';
import type { AccountLimits, Limit } from '../model/limits.ts';
import { checkRate } from '../server/account-limits.ts';
import { printJson } from './names.ts';
import { checkedAs, commandHere, dataOption, jsonOption, UsageError, withOptions } from './options.ts';
import { runOperation } from './run-operation.ts';
import { megabytes, plural, shellWord } from './words.ts';

export const accountsCommand: CommandModule = {
  command: 'accounts',
  describe: 'List, rename, limit and delete accounts (while the server runs, or not)',
  builder: (yargs) => {
    commandHere.commands = ['list', 'rename', 'limit', 'delete'];
    return yargs.command(list).command(rename).command(limit).command(remove).demandCommand(1, 'list, rename, limit or delete?');
  },
  handler: () => undefined,
};

const common = { ...dataOption, ...jsonOption } as const;

const list: CommandModule<object, { data: string; json: boolean }> = {
  command: 'list',
  describe: 'List all accounts, with what they hold and may hold',
  builder: withOptions(common),
  async handler({ data, json }) {
    const accounts = await runOperation(data, 'accounts.list', {});
    if (json) printJson(accounts);
    else if (accounts.length === 0) {
      process.stdout.write('There are no accounts yet. Make one, and its first key, with: npx mapwright keys create NAME\n');
    } else {
      const head = ['name', 'id', 'created', 'projects', 'valid keys', 'members', 'stored', 'rate'];
      const table = new Table({ head, style: { head: [], border: [] } });
      for (const { name, id, created, projects, keys, members, bytes, limits } of accounts) {
        const stored = withLimit(megabytes(bytes), limits.bytes, megabytes);
        const held = [withLimit(projects, limits.projects), keys, withLimit(members, limits.members), stored];
        table.push([name, id, created, ...held, limits.rate === 'default' ? '' : limits.rate]);
      }
      process.stdout.write(`${table.toString()}\n`);
    }
  },
};

/** `2 of 10`; only the former where no number is set for the account itself. */
function withLimit(used: number | string, limit: Limit, shown: (limit: number) => string = String): string {
  return typeof limit === 'number' ? `${used} of ${shown(limit)}` : `${used}`;
}

const rename: CommandModule<object, { name: string; newName: string; data: string; json: boolean }> = {
  command: 'rename <name> <new-name>',
  describe: 'Give an account another name; its id, keys and projects stay as they are',
  builder: (yargs) =>
    withOptions(
      common,
      () => 'Which account, and what is it to be called? npx mapwright accounts rename NAME NEW-NAME',
    )(
      yargs
        .positional('name', { type: 'string', demandOption: true, describe: 'Its name' })
        .positional('new-name', { type: 'string', demandOption: true, describe: 'What it is to be called' }),
    ),
  async handler({ name, newName, data, json }) {
    const account = await runOperation(data, 'accounts.rename', { name, newName });
    if (json) printJson(account);
    else process.stdout.write(`The account "${name}" is called "${account.name}" now.\n`);
  },
};

const bytesPerMb = 1_000_000;

/** A number of things, or one of the words that stand for one. */
function limitFrom(name: string, unit = 1) {
  return (text: string | undefined): Limit | undefined => {
    if (text === undefined || text === 'none' || text === 'default') return text;
    const most = Math.round(Number(text) * unit);
    if (/^[0-9]+(\.[0-9]+)?$/.test(text) && (unit > 1 || !text.includes('.')) && Number.isSafeInteger(most)) return most;
    throw new UsageError(`--${name} must be a number, 0 or more${unit > 1 ? '' : ', without a fraction'}, or none, or default.`);
  };
}

const withLimits = withOptions(
  {
    rate: {
      type: 'string',
      describe: 'Requests: 50/s, 600/m, 10000/h',
      coerce: checkedAs((text: string) => checkRate(text, ['none', 'default'])),
    },
    projects: { type: 'string', describe: 'How many projects', coerce: limitFrom('projects') },
    members: { type: 'string', describe: 'How many members, of all collections of all projects', coerce: limitFrom('members') },
    mb: { type: 'string', describe: 'How much is stored of them, in MB', coerce: limitFrom('mb', bytesPerMb) },
    ...common,
  },
  () => 'Which account, and what may it? npx mapwright accounts limit NAME --rate 50/s --projects 10 --members 50000 --mb 200',
);

interface LimitArguments {
  name: string;
  rate: string | undefined;
  projects: Limit | undefined;
  members: Limit | undefined;
  mb: Limit | undefined;
  data: string;
  json: boolean;
}

const limit: CommandModule<object, LimitArguments> = {
  command: 'limit <name>',
  describe: 'Set what an account may ask and hold: a number, none, or default, which is what the options of serve say',
  builder: (yargs) => withLimits(yargs.positional('name', { type: 'string', demandOption: true, describe: 'Its name' })),
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
};

/** `rate 50/s, projects 10`: what is set for the account itself. */
function limitWords({ rate, projects, members, bytes }: AccountLimits): string {
  const mb = typeof bytes === 'number' ? bytes / bytesPerMb : bytes;
  const set = Object.entries({ rate, projects, members, mb }).filter(([, value]) => value !== 'default');
  return set.length === 0
    ? 'everything is as the options of serve say'
    : set.map(([name, value]) => `${name} ${value}`).join(', ');
}

const withRemove = withOptions(
  { yes: { type: 'boolean', default: false, describe: 'Do not ask' }, ...common },
  () => 'Which account? npx mapwright accounts delete NAME; the names are in: npx mapwright accounts list',
);

const remove: CommandModule<object, { name: string; yes: boolean; data: string; json: boolean }> = {
  command: 'delete <name>',
  describe: 'Delete an account, its keys and all its projects, for good',
  builder: (yargs) => withRemove(yargs.positional('name', { type: 'string', demandOption: true, describe: 'Its name' })),
  async handler({ name, yes, data, json }) {
    if (!yes) await confirm(name, data);
    const deleted = await runOperation(data, 'accounts.delete', { name });
    if (json) return printJson(deleted);
    process.stdout.write(`The account "${name}" is deleted, with ${plural(deleted.projects, 'project')}.\n`);
  },
};

/** Has the name typed once more. Throws a {@link UsageError} where nobody sits at a terminal. */
async function confirm(name: string, data: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`This cannot be undone. If it is meant: npx mapwright accounts delete ${shellWord(name)} --yes`);
  const account = (await runOperation(data, 'accounts.list', {})).find((one) => one.name === name);
  if (account === undefined) throw new OperationError(`There is no account "${name}". See: npx mapwright accounts list`);
  const what = `${plural(account.projects, 'project')} and ${plural(account.keys, 'valid key')}`;
  const typed = await text({
    message: `This deletes the account "${name}" with ${what}, for good. Type its name to go on.`,
    output: process.stderr,
  });
  if (isCancel(typed) || typed !== name) throw new OperationError('That was not its name: nothing was deleted.');
}

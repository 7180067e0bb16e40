/** `mapwright accounts`: lists, renames and deletes accounts, whether the server runs or not. */
import { isCancel, text } from '@clack/prompts';
import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import { OperationError } from '../lib/errors.ts';
import { printJson } from './names.ts';
import { commandHere, dataOption, jsonOption, UsageError, withOptions } from './options.ts';
import { runOperation } from './run-operation.ts';
import { plural, shellWord } from './words.ts';

export const accountsCommand: CommandModule = {
  command: 'accounts',
  describe: 'List, rename and delete accounts (while the server runs, or not)',
  builder: (yargs) => {
    commandHere.commands = ['list', 'rename', 'delete'];
    return yargs.command(list).command(rename).command(remove).demandCommand(1, 'list, rename or delete?');
  },
  handler: () => undefined,
};

const common = { ...dataOption, ...jsonOption } as const;

const list: CommandModule<object, { data: string; json: boolean }> = {
  command: 'list',
  describe: 'List all accounts',
  builder: withOptions(common),
  async handler({ data, json }) {
    const accounts = await runOperation(data, 'accounts.list', {});
    if (json) printJson(accounts);
    else if (accounts.length === 0) {
      process.stdout.write('There are no accounts yet. Make one, and its first key, with: npx mapwright keys create NAME\n');
    } else {
      const head = ['name', 'id', 'created', 'projects', 'valid keys'];
      const table = new Table({ head, style: { head: [], border: [] } });
      for (const { name, id, created, projects, keys } of accounts) table.push([name, id, created, projects, keys]);
      process.stdout.write(`${table.toString()}\n`);
    }
  },
};

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

/** `mapwright keys`: makes, lists and revokes API keys, whether the server runs or not. */
import fs from 'node:fs';
import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import { keyId } from '../model/key.ts';
import { pathsIn } from '../server/data-folder.ts';
import { commandHere, dataOption, jsonOption, UsageError, withOptions } from './options.ts';
import { runOperation } from './run-operation.ts';
import { shellWord } from './words.ts';

export const keysCommand: CommandModule = {
  command: 'keys',
  describe: 'Create, list and revoke API keys (while the server runs, or not)',
  builder: (yargs) => {
    commandHere.commands = ['create', 'list', 'revoke'];
    return yargs.command(create).command(list).command(revoke).demandCommand(1, 'create, list or revoke?');
  },
  handler: () => undefined,
};

const common = { ...dataOption, ...jsonOption } as const;
const withCommon = withOptions(common);

/** Which account to name in the advice: what was typed where none belongs. */
function whichAccount(): string {
  const typed = process.argv[process.argv.indexOf('create') + 1] ?? '';
  const name = typed === '' || typed.startsWith('-') ? 'NAME' : shellWord(typed);
  return `Which account? npx mapwright keys create --account ${name}`;
}

function accountName(value: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError('--account needs the name of an account.');
  return value;
}

const create: CommandModule<object, { account: string; data: string; json: boolean }> = {
  command: 'create',
  describe: 'Create a key, and the account when there is none of that name',
  builder: withOptions(
    { account: { type: 'string', demandOption: true, describe: 'Name of the account', coerce: accountName }, ...common },
    whichAccount,
  ),
  async handler({ account, data, json }) {
    const { path } = pathsIn(data);
    const present = fs.existsSync(path);
    const created = await runOperation(data, 'keys.create', { account }, true);
    if (json) {
      print({
        id: created.id,
        key: created.key,
        account: created.account.name,
        account_id: created.account.id,
        created: created.created,
      });
      return;
    }
    if (!present) process.stderr.write(`Made the data folder ${path}.\n`);
    const isNew = created.account.created === created.created;
    process.stderr.write(
      `Key ${created.id} for ${isNew ? 'the new ' : ''}account "${created.account.name}". It is shown only now; keep it like a password.\n`,
    );
    process.stdout.write(`${created.key}\n`);
  },
};

const list: CommandModule<object, { data: string; json: boolean }> = {
  command: 'list',
  describe: 'List all keys (never the keys themselves)',
  builder: withCommon,
  async handler({ data, json }) {
    const keys = await runOperation(data, 'keys.list', {});
    if (json) {
      print(keys.map(({ revoked, ...key }) => ({ ...key, revoked: revoked === '' ? null : revoked })));
    } else if (keys.length === 0) {
      process.stdout.write('There are no keys yet. Make one with: npx mapwright keys create --account NAME\n');
    } else {
      const table = new Table({ head: ['id', 'account', 'created', 'revoked'], style: { head: [], border: [] } });
      for (const { id, account, created, revoked } of keys) table.push([id, account, created, revoked]);
      process.stdout.write(`${table.toString()}\n`);
    }
  },
};

const revoke: CommandModule<object, { id: string; data: string; json: boolean }> = {
  command: 'revoke <id>',
  describe: 'Revoke a key: it stops working at once, for good',
  builder: (yargs) =>
    withOptions(
      common,
      () => 'Which key? npx mapwright keys revoke ID; the ids are in: npx mapwright keys list',
    )(yargs.positional('id', { type: 'string', demandOption: true, describe: 'The key\u2019s id, from "keys list"' })),
  async handler({ id: given, data, json }) {
    const id = idIn(given);
    const revoked = await runOperation(data, 'keys.revoke', { id });
    if (json) print(revoked);
    else process.stdout.write(`Key ${id} is revoked.\n`);
  },
};

/** The id, also of a key that is given whole; what looks like a key and is none is not repeated. */
function idIn(given: string): string {
  const id = keyId(given);
  if (id === undefined && given.startsWith('mw_')) {
    throw new UsageError('That looks like a key, but is not a whole one. Give its id instead, from: npx mapwright keys list');
  }
  return id ?? given;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** `mapwright keys`: makes, lists and revokes API keys, whether the server runs or not. */
import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import { dataOption, jsonOption, withOptions } from './options.ts';
import { runOperation } from './run-operation.ts';

export const keysCommand: CommandModule = {
  command: 'keys',
  describe: 'Create, list and revoke API keys (while the server runs, or not)',
  builder: (yargs) => yargs.command(create).command(list).command(revoke).demandCommand(1, 'create, list or revoke?'),
  handler: () => undefined,
};

const common = { ...dataOption, ...jsonOption } as const;
const withCommon = withOptions(common);

const create: CommandModule<object, { account: string; data: string; json: boolean }> = {
  command: 'create',
  describe: 'Create a key, and the account when there is none of that name',
  builder: withOptions({ account: { type: 'string', demandOption: true, describe: 'Name of the account' }, ...common }),
  async handler({ account, data, json }) {
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
    process.stderr.write(
      `Key ${created.id} for account "${created.account.name}". It is shown only now; keep it like a password.\n`,
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
      process.stdout.write('There are no keys yet. Make one: mapwright keys create --account NAME\n');
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
    withOptions(common)(
      yargs.positional('id', { type: 'string', demandOption: true, describe: 'The key\u2019s id, from "keys list"' }),
    ),
  async handler({ id, data, json }) {
    const revoked = await runOperation(data, 'keys.revoke', { id });
    if (json) print(revoked);
    else process.stdout.write(`Key ${id} is revoked.\n`);
  },
};

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** `mapwright keys`: makes, rotates, limits, lists and revokes API keys, whether the server runs or not. */
import fs from 'node:fs';
import Table from 'cli-table3';
import type { CommandModule } from 'yargs';
import type { CreatedKey } from '../engine/keys.ts';
import { pathsIn } from '../server/data-folder.ts';
import { expiryFrom, keyRate, overlapFrom } from '../server/key-terms.ts';
import type { ListedKey } from '../server/operations.ts';
import { accountName, idIn, orNull, printJson } from './names.ts';
import { checkedAs, commandHere, dataOption, jsonOption, listFrom, UsageError, withOptions } from './options.ts';
import { runOperation } from './run-operation.ts';
import { plural, shellWord } from './words.ts';

export const keysCommand: CommandModule = {
  command: 'keys',
  describe: 'Create, rotate, limit, list and revoke API keys (while the server runs, or not)',
  builder: (yargs) => {
    commandHere.commands = ['create', 'list', 'rotate', 'limit', 'revoke'];
    return yargs
      .command(create)
      .command(list)
      .command(rotate)
      .command(limit)
      .command(revoke)
      .demandCommand(1, 'create, list, rotate, limit or revoke?');
  },
  handler: () => undefined,
};

const common = { ...dataOption, ...jsonOption } as const;
const withCommon = withOptions(common);

const expires = checkedAs((text: string) => expiryFrom(text, 0));
const rateOption = {
  type: 'string',
  describe: 'Requests that may be made with it, beside what its account may make: 50/s, 600/m, 10000/h; none',
  coerce: checkedAs(keyRate),
} as const;

interface CreateArguments {
  name: string | undefined;
  account: string | undefined;
  expires: string | undefined;
  readOnly: boolean;
  project: string[];
  label: string;
  rate: string | undefined;
  data: string;
  json: boolean;
}

const withCreate = withOptions({
  account: { type: 'string', describe: 'Name of the account, another way to give it', coerce: accountName('--account') },
  expires: {
    type: 'string',
    describe: 'When it stops working: 90d (or 30m, 24h, 8w), 2027-01-31, 2027-01-31T12:00:00Z, never [default: never]',
    coerce: expires,
  },
  'read-only': { type: 'boolean', default: false, describe: 'A key that cannot change anything' },
  project: {
    type: 'string',
    default: '',
    defaultDescription: 'all',
    describe: 'Only for the project with this id; may be given more than once',
    coerce: listFrom('project'),
  },
  label: { type: 'string', default: '', describe: 'A few words to tell it apart by' },
  rate: rateOption,
  ...common,
});

const create: CommandModule<object, CreateArguments> = {
  command: 'create [name]',
  describe: 'Create a key for the account of that name, which is made when it is new',
  builder: (yargs) => withCreate(yargs.positional('name', { type: 'string', describe: 'Name of the account' })),
  async handler({ name, account: named, expires, readOnly, project: projects, label, rate, data, json }) {
    const account = oneName(name, named);
    const { path } = pathsIn(data);
    const present = fs.existsSync(path);
    const terms = {
      readOnly,
      projects,
      label,
      ...(expires === undefined ? {} : { expires }),
      ...(rate === undefined ? {} : { rate }),
    };
    const created = await runOperation(data, 'keys.create', { account, ...terms }, { create: true });
    if (json) return printJson(createdJson(created));
    if (!present) process.stderr.write(`Made the data folder ${path}.\n`);
    const isNew = created.account.created === created.created;
    process.stderr.write(
      `Key ${created.id} for ${isNew ? 'the new ' : ''}account "${created.account.name}"${termsOf(created)}. It is shown only now; keep it like a password.\n`,
    );
    process.stdout.write(`${created.key}\n`);
  },
};

/** The account's name, which stands behind `create` or behind `--account`. */
function oneName(name: string | undefined, account: string | undefined): string {
  if (name !== undefined && account !== undefined && name !== account)
    throw new UsageError(`Which account? It is named twice: ${shellWord(name)}, and --account ${shellWord(account)}.`);
  const one = name ?? account;
  if (one === undefined) throw new UsageError('Which account? npx mapwright keys create NAME');
  return accountName('keys create')(one);
}

const list: CommandModule<object, { data: string; json: boolean }> = {
  command: 'list',
  describe: 'List all keys (never the keys themselves)',
  builder: withCommon,
  async handler({ data, json }) {
    const keys = await runOperation(data, 'keys.list', {});
    if (json) printJson(keys.map(listedJson));
    else if (keys.length === 0) {
      process.stdout.write('There are no keys yet. Make one with: npx mapwright keys create NAME\n');
    } else {
      const head = ['id', 'account', 'label', 'may', 'projects', 'rate', 'created', 'expires', 'last used', 'state'];
      const table = new Table({ head, style: { head: [], border: [] } });
      for (const key of keys) {
        const { id, account, label, access, projects, rate, created, lastUse, state } = key;
        const reach = projects.length === 0 ? 'all' : projects.join('\n');
        const times = [shortTime(created), shortTime(key.expires) || 'never', shortTime(lastUse)];
        table.push([id, account, label, access, reach, rate, ...times, state]);
      }
      process.stdout.write(`${table.toString()}\n`);
    }
  },
};

const idArgument = { type: 'string', demandOption: true, describe: 'The key\u2019s id, from "keys list"' } as const;
const whichKey = (verb: string) => () => `Which key? npx mapwright keys ${verb} ID; the ids are in: npx mapwright keys list`;

const withRotate = withOptions(
  {
    overlap: {
      type: 'string',
      default: '24h',
      describe: 'How long the old key goes on working: 30m, 24h, 7d; 0 for not at all',
      coerce: checkedAs(overlapFrom),
    },
    expires: {
      type: 'string',
      describe: 'When the new key stops working, as in create [default: after as long as the old one was made for]',
      coerce: expires,
    },
    ...common,
  },
  whichKey('rotate'),
);

const rotate: CommandModule<object, { id: string; overlap: string; expires: string | undefined; data: string; json: boolean }> = {
  command: 'rotate <id>',
  describe: 'Create a key that may do the same, and let the old one expire',
  builder: (yargs) => withRotate(yargs.positional('id', idArgument)),
  async handler({ id, overlap, expires, data, json }) {
    const terms = { overlap, ...(expires === undefined ? {} : { expires }) };
    const rotated = await runOperation(data, 'keys.rotate', { id: idIn(id), ...terms });
    const { replaces, key } = rotated;
    if (json) return printJson({ ...createdJson(rotated), replaces: replaces.id, replaced_expires: replaces.expires });
    const until = overlap === '0' ? 'has stopped working' : `works until ${shortTime(replaces.expires)}`;
    process.stderr.write(
      `Key ${rotated.id} for account "${rotated.account.name}"${termsOf(rotated)} takes the place of ${replaces.id}, which ${until}. It is shown only now; keep it like a password.\n`,
    );
    process.stdout.write(`${key}\n`);
  },
};

const limit: CommandModule<object, { id: string; rate: string | undefined; data: string; json: boolean }> = {
  command: 'limit <id>',
  describe: 'Set how many requests may be made with a key',
  builder: (yargs) => withOptions({ rate: rateOption, ...common }, whichKey('limit'))(yargs.positional('id', idArgument)),
  async handler({ id: given, rate, data, json }) {
    if (rate === undefined) throw new UsageError(`How many? npx mapwright keys limit ${shellWord(given)} --rate 50/s (or none)`);
    const limited = await runOperation(data, 'keys.limit', { id: idIn(given), rate });
    if (json) printJson(limited);
    else process.stdout.write(`Key ${limited.id}: ${rate === 'none' ? 'no limit of its own' : `rate ${rate}`}.\n`);
  },
};

const revoke: CommandModule<object, { id: string; data: string; json: boolean }> = {
  command: 'revoke <id>',
  describe: 'Revoke a key: it stops working at once, for good',
  builder: (yargs) => withOptions(common, whichKey('revoke'))(yargs.positional('id', idArgument)),
  async handler({ id: given, data, json }) {
    const id = idIn(given);
    const revoked = await runOperation(data, 'keys.revoke', { id });
    if (json) printJson(revoked);
    else process.stdout.write(`Key ${id} is revoked.\n`);
  },
};

function createdJson({ id, key, account, created, expires, access, projects, label, rate }: CreatedKey): object {
  const terms = { label, access, projects, rate: orNull(rate), expires: orNull(expires) };
  return { id, key, account: account.name, account_id: account.id, created, ...terms };
}

function listedJson({ id, account, label, access, projects, rate, created, state, ...key }: ListedKey): object {
  const times = { created, expires: orNull(key.expires), last_used: orNull(key.lastUse), revoked: orNull(key.revoked) };
  return { id, account, label, access, projects, rate: orNull(rate), ...times, replaced_by: orNull(key.replacedBy), state };
}

/** What sets the key apart from one that may do everything for ever: `, for reading 2 projects, until 2027-01-31 00:00`. */
function termsOf({ expires, access, projects, rate }: CreatedKey): string {
  const reach = projects.length === 0 ? '' : ` ${plural(projects.length, 'project')}`;
  const may = access === 'read' ? `, for reading${reach || ' only'}` : reach && `, for${reach}`;
  return `${may}${rate === '' ? '' : `, ${rate}`}${expires === '' ? '' : `, until ${shortTime(expires)} UTC`}`;
}

/** `2027-01-31 12:00`, in UTC. */
function shortTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

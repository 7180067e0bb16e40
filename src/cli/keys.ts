/** `mapwright keys`: makes, rotates, limits, lists and revokes API keys, whether the server runs or not. */
import fs from 'node:fs';
import type { CreatedKey } from '../engine/keys.ts';
import { OperationError } from '../lib/errors.ts';
import { pathsIn } from '../server/data-folder.ts';
import { expiryFrom, keyRate, overlapFrom } from '../server/key-terms.ts';
import type { ListedKey } from '../server/operations.ts';
import { painter } from './colour.ts';
import { command, commandGroup } from './command.ts';
import { accountName, idIn, orNull } from './names.ts';
import { checkedAs, dataOption, inGroups, jsonOption, listFrom, UsageError, whileItRuns } from './options.ts';
import { runOperation } from './run-operation.ts';
import { printJson } from './stdout.ts';
import { printTable } from './table.ts';
import { plural, shellWord } from './words.ts';

const common = { ...dataOption, ...jsonOption } as const;

const expires = checkedAs('expires', expiryAhead);
const rateOption = {
  type: 'string',
  describe: 'Requests that may be made with it, beside what its account may make: 50/s, 600/m, 10000/h; none',
  coerce: checkedAs('rate', keyRate),
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

const createOptions = {
  account: { type: 'string', describe: 'Name of the account, another way to give it', coerce: accountName('--account') },
  expires: {
    type: 'string',
    defaultDescription: 'never',
    describe: 'When it stops working: 90d (or 30m, 24h, 8w), 2027-01-31, 2027-01-31T12:00:00Z, never',
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
  label: { type: 'string', default: '', defaultDescription: 'none', describe: 'A few words to tell it apart by' },
  rate: rateOption,
} as const;

const create = command<CreateArguments>({
  command: 'create [name]',
  describe: 'Create a key for the account of that name, which is made when it is new',
  positionals: { name: { type: 'string', describe: 'Name of the account' } },
  options: { ...inGroups({ 'What it may:': ['expires', 'read-only', 'project', 'rate'] }, createOptions), ...common },
  examples: [
    ['keys create acme', 'prints the key, once'],
    ["keys create acme --read-only --expires 90d --label 'the widget'", 'only for reading, for a while'],
    ['export MAPWRIGHT_KEY=$(npx mapwright keys create acme)', 'for commands that ask a server'],
  ],
  notes: whileItRuns,
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
});

/** The account's name, which stands behind `create` or behind `--account`. */
function oneName(name: string | undefined, account: string | undefined): string {
  if (name !== undefined && account !== undefined && name !== account)
    throw new UsageError(`Which account? It is named twice: ${shellWord(name)}, and --account ${shellWord(account)}.`);
  const one = name ?? account;
  if (one === undefined) throw new UsageError('Which account? npx mapwright keys create NAME');
  return accountName('keys create')(one);
}

const list = command<{ data: string; json: boolean }>({
  command: 'list',
  describe: 'List all keys (never the keys themselves)',
  options: common,
  examples: [
    ['keys list', 'what each may do, when it expires and was last used'],
    ['keys list --json', 'for programs'],
  ],
  notes: whileItRuns,
  async handler({ data, json }) {
    const keys = await runOperation(data, 'keys.list', {});
    if (json) printJson(keys.map(listedJson));
    else if (keys.length === 0) {
      process.stdout.write('There are no keys yet. Make one with: npx mapwright keys create NAME\n');
    } else {
      const paint = painter();
      const rows = keys.map(({ id, account, label, access, projects, rate, created, lastUse, state, ...key }) => {
        const reach = projects.length === 0 ? 'all' : projects.join('\n');
        const times = [shortTime(created), shortTime(key.expires) || 'never', shortTime(lastUse)];
        return [id, account, label, access, reach, rate, ...times, paint(state === 'valid' ? 'green' : 'dim', state)];
      });
      const head = ['id', 'account', 'label', 'may', 'projects', 'rate', 'created', 'expires', 'last used', 'state'];
      // A terminal is narrow: what none of them has is not worth a column.
      const had: Readonly<Record<string, boolean>> = {
        label: keys.some(({ label }) => label !== ''),
        projects: keys.some(({ projects }) => projects.length > 0),
        rate: keys.some(({ rate }) => rate !== ''),
      };
      const isTold = head.map((name) => had[name] ?? true);
      const told = (row: readonly string[]) => row.filter((_, column) => isTold[column]);
      await printTable(told(head), rows.map(told));
    }
  },
});

const idArgument = { type: 'string', demandOption: true, describe: 'The key\u2019s id, from "keys list"' } as const;
const whichKey = (verb: string) => () => `Which key? npx mapwright keys ${verb} ID; the ids are in: npx mapwright keys list`;

const rotateOptions = {
  overlap: {
    type: 'string',
    default: '24h',
    describe: 'How long the old key goes on working: 30m, 24h, 7d; 0 for not at all',
    coerce: checkedAs('overlap', overlapFrom),
  },
  expires: {
    type: 'string',
    defaultDescription: 'after as long as the old one was made for',
    describe: 'When the new key stops working, as in create',
    coerce: expires,
  },
} as const;

const rotate = command<{ id: string; overlap: string; expires: string | undefined; data: string; json: boolean }>({
  command: 'rotate <id>',
  describe: 'Create a key that may do the same, and let the old one expire',
  positionals: { id: idArgument },
  options: { ...rotateOptions, ...common },
  examples: [
    ['keys rotate k7m2q5x3wz4a', 'both keys work for a day'],
    ['keys rotate k7m2q5x3wz4a --overlap 0', 'the old one stops at once'],
  ],
  needs: whichKey('rotate'),
  notes: whileItRuns,
  async handler({ id, overlap, expires, data, json }) {
    const terms = { overlap, ...(expires === undefined ? {} : { expires }) };
    const rotated = await runOperation(data, 'keys.rotate', { id: idIn(id), ...terms });
    const { replaces, key } = rotated;
    if (json) return printJson({ ...createdJson(rotated), replaces: replaces.id, replaced_expires: replaces.expires });
    const until = overlap === '0' ? 'has stopped working' : `works until ${shortTime(replaces.expires)} UTC`;
    process.stderr.write(
      `Key ${rotated.id} for account "${rotated.account.name}"${termsOf(rotated)} takes the place of ${replaces.id}, which ${until}. It is shown only now; keep it like a password.\n`,
    );
    process.stdout.write(`${key}\n`);
  },
});

const limit = command<{ id: string; rate: string | undefined; data: string; json: boolean }>({
  command: 'limit <id>',
  describe: 'Set how many requests may be made with a key',
  positionals: { id: idArgument },
  options: { rate: rateOption, ...common },
  examples: [
    ['keys limit k7m2q5x3wz4a --rate 50/s', 'beside what its account may make'],
    ['keys limit k7m2q5x3wz4a --rate none', 'only what its account may make'],
  ],
  needs: whichKey('limit'),
  notes: whileItRuns,
  async handler({ id: given, rate, data, json }) {
    if (rate === undefined) throw new UsageError(`How many? npx mapwright keys limit ${shellWord(given)} --rate 50/s (or none)`);
    const limited = await runOperation(data, 'keys.limit', { id: idIn(given), rate });
    if (json) printJson(limited);
    else process.stdout.write(`Key ${limited.id}: ${rate === 'none' ? 'no limit of its own' : `rate ${rate}`}.\n`);
  },
});

const revoke = command<{ id: string; data: string; json: boolean }>({
  command: 'revoke <id>',
  describe: 'Revoke a key: it stops working at once, for good',
  positionals: { id: idArgument },
  options: common,
  examples: [['keys revoke k7m2q5x3wz4a', 'the id, from the list']],
  needs: whichKey('revoke'),
  notes: whileItRuns,
  async handler({ id: given, data, json }) {
    const id = idIn(given);
    const revoked = await runOperation(data, 'keys.revoke', { id });
    if (json) printJson(revoked);
    else process.stdout.write(`Key ${id} is revoked.\n`);
  },
});

export const keysCommand = commandGroup({
  command: 'keys',
  describe: 'Create, list, rotate, limit and revoke API keys',
  commands: [create, list, rotate, limit, revoke],
});

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

/** A time to expire that is to come. Throws {@link OperationError}. */
function expiryAhead(text: string): void {
  const expires = expiryFrom(text, Date.now());
  if (expires !== '' && Date.parse(expires) <= Date.now())
    throw new OperationError(`A key that expires at ${expires} would not work: that is over already.`);
}

/** `2027-01-31 12:00`, in UTC. */
function shortTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

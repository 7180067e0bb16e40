/** `mapwright keys`: creates, rotates, limits, lists and revokes API keys, with or without a running server. */

import fs from 'node:fs';
import type { CreatedKey } from '../../engine/keys.ts';
import { OperationError } from '../../lib/errors.ts';
import type { ListedKeyWithUsage } from '../../server/admin/admin-operations.ts';
import { expiryFrom, keyRate, overlapFrom } from '../../server/admin/key-options.ts';
import { pathsIn } from '../../server/lifecycle/data-folder.ts';
import { accountName, keyIdFrom, orNull } from '../account-arguments.ts';
import { command, commandGroup } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { checkedAs, dataOption, inGroups, jsonOption, listFrom, UsageError, whileItRuns } from '../option-parsing.ts';
import { painter } from '../output/colour.ts';
import { plural, shellWord } from '../output/format-values.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';
import { runOperation } from '../run-operation.ts';

const common = { ...dataOption, ...jsonOption } as const;

const expires = checkedAs('expires', checkExpiry);
const rateOption = {
  type: 'string',
  describe: 'Request rate of this key, within that of its account: 50/s, 600/m, 10000/h; none',
  coerce: checkedAs('rate', keyRate),
} as const;

const createOptions = {
  account: { type: 'string', describe: 'Name of the account, instead of the argument', coerce: accountName('--account') },
  expires: {
    type: 'string',
    defaultDescription: 'never',
    describe: 'When the key expires: 90d (or 30m, 24h, 8w), 2027-01-31, 2027-01-31T12:00:00Z, never',
    coerce: expires,
  },
  'read-only': { type: 'boolean', default: false, describe: 'A key that cannot change anything' },
  project: {
    type: 'string',
    default: '',
    defaultDescription: 'all',
    describe: 'Restrict the key to the project with this id; may be repeated',
    coerce: listFrom('project'),
  },
  label: { type: 'string', default: '', defaultDescription: 'none', describe: 'A short description, shown in the list' },
  rate: rateOption,
} as const;

const create = command({
  command: 'create [name]',
  describe: 'Create a key for an account; creates the account if it does not exist',
  positionals: { name: { type: 'string', describe: 'Name of the account' } },
  options: { ...inGroups({ 'Permissions:': ['expires', 'read-only', 'project', 'rate'] }, createOptions), ...common },
  examples: [
    ['keys create acme', 'prints the key, only once'],
    ["keys create acme --read-only --expires 90d --label 'the widget'", 'read-only and temporary'],
    ['export MAPWRIGHT_KEY=$(npx mapwright keys create acme)', 'for commands that call a server'],
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
    if (!present) process.stderr.write(`Created the data folder ${path}.\n`);
    const isNew = created.account.created === created.created;
    process.stderr.write(
      `Key ${created.id} for ${isNew ? 'the new ' : ''}account "${created.account.name}"${termsOf(created)}. It is shown only once; store it like a password.\n`,
    );
    const { similarAccount: similar, account: owner } = created;
    if (similar !== undefined)
      process.stderr.write(
        `There is also an account "${similar}". If you meant it: npx mapwright accounts delete ${shellWord(owner.name)}, then npx mapwright keys create ${shellWord(similar)}\n`,
      );
    process.stdout.write(`${created.key}\n`);
  },
});

/** The name of the account, from the argument or from `--account`. */
function oneName(name: string | undefined, account: string | undefined): string {
  if (name !== undefined && account !== undefined && name !== account)
    throw new UsageError(
      `Two different accounts given: ${shellWord(name)}, and --account ${shellWord(account)}. Name only one of them.`,
    );
  const one = name ?? account;
  if (one === undefined) throw new UsageError('Name the account: npx mapwright keys create NAME');
  return accountName('keys create')(one);
}

const list = command({
  command: 'list',
  describe: 'List all keys (their properties, never the keys themselves)',
  options: common,
  examples: [
    ['keys list', 'permissions, expiry and last use of each key'],
    ['keys list --json', 'for programs'],
  ],
  notes: whileItRuns,
  async handler({ data, json }) {
    const keys = await runOperation(data, 'keys.list', {});
    if (json) printJson(keys.map(listedJson));
    else if (keys.length === 0) {
      process.stdout.write('There are no keys yet. Create one with: npx mapwright keys create NAME\n');
    } else {
      const paint = painter();
      const rows = keys.map(({ id, account, label, access, projects, rate, created, lastUse, state, ...key }) => {
        const reach = projects.length === 0 ? 'all' : projects.join('\n');
        const times = [shortTime(created), shortTime(key.expires) || 'never', shortTime(lastUse)];
        return [id, account, label, access, reach, rate, ...times, paint(state === 'valid' ? 'green' : 'dim', state)];
      });
      const head = ['id', 'account', 'label', 'may', 'projects', 'rate', 'created', 'expires', 'last used', 'state'];
      // Columns that are empty for all keys are left out, because terminals are narrow.
      const used: Readonly<Record<string, boolean>> = {
        label: keys.some(({ label }) => label !== ''),
        projects: keys.some(({ projects }) => projects.length > 0),
        rate: keys.some(({ rate }) => rate !== ''),
      };
      const isShown = head.map((name) => used[name] ?? true);
      const shownIn = (row: readonly string[]) => row.filter((_, column) => isShown[column]);
      await printTable(shownIn(head), rows.map(shownIn));
    }
  },
});

const idArgument = { type: 'string', demandOption: true, describe: 'The key\u2019s id, from "keys list"' } as const;
const whichKey = (verb: string) => () =>
  `Name the key: npx mapwright keys ${verb} ID. List the ids with: npx mapwright keys list`;

const rotateOptions = {
  overlap: {
    type: 'string',
    default: '24h',
    describe: 'How long the old key keeps working: 30m, 24h, 7d; 0 stops it immediately',
    coerce: (text: string) => checkedAs('overlap', overlapFrom)(text),
  },
  expires: {
    type: 'string',
    defaultDescription: 'the lifetime of the old key',
    describe: 'When the new key expires, as in create',
    coerce: expires,
  },
} as const;

const rotate = command({
  command: 'rotate <id>',
  describe: 'Create a key with the same permissions, and let the old one expire',
  positionals: { id: idArgument },
  options: { ...rotateOptions, ...common },
  examples: [
    ['keys rotate k7m2q5x3wz4a', 'both keys work for a day'],
    ['keys rotate k7m2q5x3wz4a --overlap 0', 'the old key stops working immediately'],
  ],
  needs: whichKey('rotate'),
  notes: whileItRuns,
  async handler({ id, overlap, expires, data, json }) {
    const terms = { overlap, ...(expires === undefined ? {} : { expires }) };
    const rotated = await runOperation(data, 'keys.rotate', { id: keyIdFrom(id), ...terms });
    const { replaces, key } = rotated;
    if (json) return printJson({ ...createdJson(rotated), replaces: replaces.id, replaced_expires: replaces.expires });
    const until = overlap === '0' ? 'no longer works' : `works until ${shortTime(replaces.expires)} UTC`;
    process.stderr.write(
      `Key ${rotated.id} for account "${rotated.account.name}"${termsOf(rotated)} replaces ${replaces.id}, which ${until}. It is shown only once; store it like a password.\n`,
    );
    process.stdout.write(`${key}\n`);
  },
});

const limit = command({
  command: 'limit <id>',
  describe: 'Set the request rate of a key',
  positionals: { id: idArgument },
  options: { rate: rateOption, ...common },
  examples: [
    ['keys limit k7m2q5x3wz4a --rate 50/s', 'within the rate of its account'],
    ['keys limit k7m2q5x3wz4a --rate none', 'only the rate of its account'],
  ],
  needs: whichKey('limit'),
  notes: whileItRuns,
  async handler({ id: given, rate, data, json }) {
    if (rate === undefined)
      throw new UsageError(`No rate given. Example: npx mapwright keys limit ${shellWord(given)} --rate 50/s (or none)`);
    const limited = await runOperation(data, 'keys.limit', { id: keyIdFrom(given), rate });
    if (json) printJson(limited);
    else process.stdout.write(`Key ${limited.id}: ${rate === 'none' ? 'no rate limit of the key' : `rate ${rate}`}.\n`);
  },
});

const revoke = command({
  command: 'revoke <id>',
  describe: 'Revoke a key: it stops working immediately and permanently',
  positionals: { id: idArgument },
  options: common,
  examples: [['keys revoke k7m2q5x3wz4a', 'with an id from the list']],
  needs: whichKey('revoke'),
  notes: whileItRuns,
  async handler({ id: given, data, json }) {
    const id = keyIdFrom(given);
    const revoked = await runOperation(data, 'keys.revoke', { id });
    if (json) printJson(revoked);
    else process.stdout.write(`Revoked key ${id}.\n`);
  },
});

export const keysCommand = commandGroup({
  ...commandOutlines.keys,
  commands: [create, list, rotate, limit, revoke],
});

function createdJson({ id, key, account, created, expires, access, projects, label, rate }: CreatedKey): object {
  const terms = { label, access, projects, rate: orNull(rate), expires: orNull(expires) };
  return { id, key, account: account.name, account_id: account.id, created, ...terms };
}

function listedJson({ id, account, label, access, projects, rate, created, state, ...key }: ListedKeyWithUsage): object {
  const times = { created, expires: orNull(key.expires), last_used: orNull(key.lastUse), revoked: orNull(key.revoked) };
  return {
    id,
    account,
    label,
    access,
    projects,
    rate: orNull(rate),
    ...times,
    replaced_by: orNull(key.replacedBy),
    state,
  };
}

/** The restrictions of a key: `, for reading 2 projects, until 2027-01-31 00:00 UTC`. */
function termsOf({ expires, access, projects, rate }: CreatedKey): string {
  const reach = projects.length === 0 ? '' : ` ${plural(projects.length, 'project')}`;
  const may = access === 'read' ? `, for reading${reach || ' only'}` : reach && `, for${reach}`;
  return `${may}${rate === '' ? '' : `, ${rate}`}${expires === '' ? '' : `, until ${shortTime(expires)} UTC`}`;
}

/** Checks that an expiry is in the future. Throws {@link OperationError}. */
function checkExpiry(text: string): void {
  const expires = expiryFrom(text, Date.now());
  if (expires !== '' && Date.parse(expires) <= Date.now())
    throw new OperationError(`The expiry ${expires} is in the past. Give a later time.`);
}

/** `2027-01-31 12:00`, in UTC. */
function shortTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

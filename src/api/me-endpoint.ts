/** `GET /me`: the account and the key of a request, what they may do, and how much the account uses. */
import Type, { type Static } from 'typebox';
import { accountBytes } from '../engine/accounts.ts';
import { limitsInForce, usageOf } from '../engine/write/quotas.ts';
import { problems } from '../http/problem.ts';
import type { Reply } from '../http/response/reply.ts';
import { type AccountLimits, defaultAccountLimits, type Limit, type Quotas } from '../model/account-limits.ts';
import { roleNames } from '../model/people/roles.ts';
import type { AccountState } from '../store/state.ts';
import type { Scope } from './authorize.ts';
import { type Api, endpoint, type Request } from './declaration.ts';
import { exampleIds } from './openapi/resource-examples.ts';

const orNull = <T extends Type.TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description });
const time = (description: string) => Type.String({ description: `${description}, RFC 3339 in UTC` });
const closed = { additionalProperties: false };

const count = Type.Integer({ minimum: 0 });
const LimitsSchema = Type.Object(
  {
    rate: orNull(Type.String(), 'Requests of the account, such as `600/m`; `null` for no limit'),
    projects: orNull(count, 'Number of projects; `null` for no limit'),
    members: orNull(count, 'Number of members of all collections but versions; `null` for no limit'),
    bytes: orNull(count, 'Stored bytes; `null` for no limit'),
    versions: orNull(count, 'Number of versions; `null` for no limit'),
  },
  closed,
);
const UseSchema = Type.Object({ projects: count, members: count, bytes: count, versions: count }, closed);
const KeySchema = Type.Object(
  {
    id: Type.String({ description: 'Public part of the key' }),
    label: Type.String({ description: 'Label that its owner chose; `""` for none' }),
    created: time('Creation'),
    expires: orNull(Type.String(), 'When the key stops working, RFC 3339 in UTC; `null` for never'),
    rate: orNull(Type.String(), 'Requests of this key, beside the limit of the account; `null` for no limit'),
  },
  closed,
);
const PersonSchema = Type.Object(
  {
    id: Type.String({ description: 'Identifier' }),
    name: Type.String({ description: 'Name' }),
    role: Type.Enum([...roleNames], { description: 'Role in the account' }),
  },
  closed,
);
const MeSchema = Type.Object(
  {
    account: Type.Object(
      { id: Type.String(), name: Type.String(), created: time('Creation') },
      { ...closed, description: 'Account that the request acts for' },
    ),
    key: Type.Optional(
      orNull(KeySchema, 'Key of the request; `null` for a request that the program around the server makes for an account'),
    ),
    person: Type.Optional({ ...PersonSchema, description: 'Who is signed in, instead of `key`: of a session of the console' }),
    access: Type.Enum(['read', 'write'], { description: '`read`: the request may change nothing' }),
    projects: orNull(
      Type.Array(Type.String()),
      'Identifiers of the projects that the key reaches; `null` for all of the account',
    ),
    limits: orNull(LimitsSchema, 'Limits of the account; `null` for a key of certain projects'),
    use: orNull(UseSchema, 'What counts towards the limits; `null` for a key of certain projects'),
  },
  { title: 'Me', description: 'Who makes the request, and what it may do.', ...closed },
);

type Me = Static<typeof MeSchema>;

export const meEndpoints = [
  endpoint({
    method: 'GET',
    path: '/me',
    id: 'getMe',
    tag: 'Account',
    summary: 'Show the account and the key of the request',
    description:
      'The account, the key, its access, and the limits and the use of the account. It is not a change of the account if a number here changes, so the response has no `ETag`.',
    response: MeSchema,
    isUnversioned: true,
    example: () => ({ response: example }),
    handle: show,
  }),
];

async function show({ engine, rateLimit }: Api, { scope }: Request): Promise<Reply> {
  const { accountId, projects, readOnly } = scope;
  const account = engine.state.accounts.get(accountId);
  if (account === undefined) throw problems.notFound();
  // Counting takes more than one turn.
  const bytes = projects === undefined ? await accountBytes(engine, account) : 0;
  const { id, name, created, limits = defaultAccountLimits } = account;
  const me: Me = {
    account: { id, name, created },
    ...credentialOf(engine.state, scope),
    access: readOnly ? 'read' : 'write',
    projects: projects === undefined ? null : [...projects],
    limits: projects === undefined ? shownLimits(limitsInForce(limits, rateLimit, engine.quotas)) : null,
    use: projects === undefined ? useOf(account, bytes) : null,
  };
  await engine.journal.durable(engine.state.lsn);
  return { kind: 'json', status: 200, json: JSON.stringify(me), headers: { 'Cache-Control': 'no-store' } };
}

function credentialOf({ keys, persons }: Api['engine']['state'], { keyId, personId }: Scope): Pick<Me, 'key' | 'person'> {
  const person = persons.get(personId);
  if (person !== undefined) return { person: { id: person.id, name: person.name, role: person.role } };
  const key = keys.get(keyId);
  if (key === undefined) return { key: null };
  const { id, label, created, expires, rate } = key;
  return { key: { id, label, created, expires: expires === '' ? null : expires, rate: rateOf(rate) } };
}

function useOf(account: AccountState, bytes: number): Quotas<number> {
  const { members, versions } = usageOf(account, false);
  return { projects: account.projects.size, members, bytes, versions };
}

const rateOf = (rate: string): string | null => (rate === '' || rate === 'none' ? null : rate);

/** Limits as in JSON, which says `null` for none. */
function shownLimits({ rate, projects, members, bytes, versions }: AccountLimits): Me['limits'] {
  const bound = (most: Limit): number | null => (typeof most === 'number' ? most : null);
  return {
    rate: rateOf(rate),
    ...{ projects: bound(projects), members: bound(members), bytes: bound(bytes), versions: bound(versions) },
  };
}

const example: Me = {
  account: { id: exampleIds.account, name: 'acme', created: '2026-11-20T08:00:00.000Z' },
  key: { id: 'jc2u5y3hq7dk', label: 'Build', created: '2026-11-20T08:00:00.000Z', expires: null, rate: null },
  access: 'write',
  projects: null,
  limits: { rate: '600/m', projects: null, members: 50_000, bytes: 209_715_200, versions: 10_000 },
  use: { projects: 3, members: 1204, bytes: 812_331, versions: 18 },
};

/**
 * `/console/people`: the people of an account, for owners. Like all routes of the console, they are not in the description of the API: no API
 * key manages people.
 */
import Type, { type Static } from 'typebox';
import { problems } from '../../http/problem.ts';
import { type Endpoint, type PrivateEndpoint, paramOf } from '../../http/route.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { type Role, roleNames } from '../../model/people/roles.ts';
import { type Principal, refuseWithout } from '../authorize.ts';
import type { Api } from '../declaration.ts';
import { json } from './console-reply.ts';

/** A person of the account. */
export interface ListedPerson {
  readonly id: string;
  readonly name: string;
  /** `#` and six hex digits. */
  readonly color: string;
  /** '' for none. */
  readonly email: string;
  readonly role: Role;
  /** Identifiers of the projects; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339 */
  readonly created: string;
  /** RFC 3339; `null` for a member. */
  readonly removed: string | null;
  /** The hour of the last use: RFC 3339; `null` for never, or unknown. */
  readonly lastSeen: string | null;
  /** Until when an invitation that was not used works: RFC 3339; `null` for none. */
  readonly invited: string | null;
  /** Issuers of OpenID Connect with which they sign in. */
  readonly signsInWith: readonly string[];
}

/** A person, and their new link, which is shown only here. */
export interface Invitation extends ListedPerson {
  /** Path of the console below the address of the server, with a code that works once. */
  readonly path: string;
  /** RFC 3339 */
  readonly expires: string;
}

const members = {
  name: Type.String(),
  role: Type.Enum([...roleNames]),
  projects: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  email: Type.Optional(Type.String()),
  color: Type.Optional(Type.String()),
};
const closed = { additionalProperties: false };
const WishSchema = Type.Object(members, closed);
const ChangeSchema = Type.Object({ ...members, name: Type.Optional(members.name), role: Type.Optional(members.role) }, closed);

/** A new person. Default: all projects, no e-mail address, the next colour. */
export type PersonWish = Static<typeof WishSchema>;
export type PersonChange = Static<typeof ChangeSchema>;

/** What the routes need of the server. */
export interface People<Principal> {
  /** The oldest first, with those that were removed. */
  list(principal: Principal): Promise<ListedPerson[]>;
  /** Rejects with a problem for invalid values, and beyond the limit. */
  create(principal: Principal, wish: PersonWish): Promise<Invitation>;
  /** People without the right `people` change their own name and colour. `undefined` if the principal sees no such person. */
  change(principal: Principal, id: string, change: PersonChange): Promise<ListedPerson | undefined>;
  /** Makes another link; the one before ends. `undefined` if there is no such person. */
  invite(principal: Principal, id: string): Promise<Invitation | undefined>;
  /** @param erases the name, too. `false` if there is no such person. Rejects with a problem for the last owner. */
  remove(principal: Principal, id: string, erases: boolean): Promise<boolean>;
}

const wishShape = shapeOf('person', WishSchema);
const changeShape = shapeOf('person', ChangeSchema);
/** More projects than a person may have, so that a refusal names the limit. */
const bodyBytesMax = 65_536;
const path = '/console/people';

/** @param onForbidden called for every refusal */
export function peopleEndpoints<Of extends Principal>(
  people: People<Of>,
  onForbidden: Api['onForbidden'],
): Endpoint<Of, unknown>[] {
  const refusing = onForbidden === undefined ? {} : { onForbidden };
  const authorize: PrivateEndpoint<Of>['authorize'] = (principal, _, caller) => {
    refuseWithout({ right: 'people', ...refusing }, principal, caller);
    return principal;
  };
  const list: PrivateEndpoint<Of> = {
    ...{ method: 'GET', path, prefixes: [''], authorize },
    handle: async ({ scope }) => json(await people.list(scope)),
  };
  const create: PrivateEndpoint<Of> = {
    ...{ method: 'POST', path, prefixes: [''], authorize, acceptsBody: true, bodyBytesMax },
    handle: async ({ scope, body }) => json(await people.create(scope, checked(wishShape, body) as PersonWish), 201),
  };
  const change: PrivateEndpoint<Of> = {
    ...{ method: 'PATCH', path: `${path}/:person_id`, prefixes: [''], acceptsBody: true, bodyBytesMax },
    async handle(request) {
      const given = checked(changeShape, request.body) as PersonChange;
      return json(found(await people.change(request.scope, paramOf(request, 'person_id'), given)));
    },
  };
  const invite: PrivateEndpoint<Of> = {
    ...{ method: 'POST', path: `${path}/:person_id/invitation`, prefixes: [''], authorize },
    handle: async (request) => json(found(await people.invite(request.scope, paramOf(request, 'person_id')))),
  };
  const remove: PrivateEndpoint<Of> = {
    ...{ method: 'DELETE', path: `${path}/:person_id`, prefixes: [''], query: ['erase'], authorize },
    async handle(request) {
      const { scope, query } = request;
      if (!(await people.remove(scope, paramOf(request, 'person_id'), query['erase'] === 'true'))) throw problems.notFound();
      return { kind: 'empty', status: 204 };
    },
  };
  return [list, create, change, invite, remove];
}

function checked(shape: typeof wishShape, body: Readonly<Record<string, unknown>>): unknown {
  const fieldErrors = new FieldErrorList();
  if (!checkShape(shape, body, '', fieldErrors)) throw problems.validationFailed(fieldErrors.toArray());
  return body;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw problems.notFound();
  return value;
}

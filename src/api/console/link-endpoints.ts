/**
 * `/console/links`: sign-in links, with which a signed-in user lets others in without a command line. Like all routes of the console, they
 * are not in the description of the API.
 */
import Type, { type Static } from 'typebox';
import { problems } from '../../http/problem.ts';
import { type Endpoint, type PrivateEndpoint, paramOf } from '../../http/route.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import type { Principal } from '../authorize.ts';
import type { Api } from '../declaration.ts';

/** A sign-in link that was not used. */
export interface ListedLink {
  /** Public part of its key. */
  readonly id: string;
  /** '' for none. */
  readonly label: string;
  readonly access: 'read' | 'write';
  /** Identifiers of the projects; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339 */
  readonly created: string;
  /** RFC 3339 */
  readonly expires: string;
  /** Public part of the key that made it; `null` for a command. */
  readonly by: string | null;
}

/** A new link. Its code is shown only here. */
export interface NewLink extends ListedLink {
  /** Path of the console below the address of the server, with a code that works once. */
  readonly path: string;
}

const LinkSchema = Type.Object(
  {
    label: Type.Optional(Type.String()),
    access: Type.Optional(Type.Enum(['read', 'write'])),
    projects: Type.Optional(Type.Array(Type.String())),
    expires: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** What is asked of a link. Default: the access and the projects of its maker, a day, or until its maker ends. */
export type LinkWish = Static<typeof LinkSchema>;

/** What the routes need of the server. */
export interface Links<Principal> {
  /** Those that the principal may see, the newest first. */
  list(principal: Principal): Promise<ListedLink[]>;
  /** @param wish of projects that the principal may access. Rejects with a problem for invalid values, and beyond the limit. */
  create(principal: Principal, wish: LinkWish): Promise<NewLink>;
  /** `false` if the principal sees no such link. */
  remove(principal: Principal, id: string): Promise<boolean>;
}

const linkShape = shapeOf('link', LinkSchema);
/** More projects than a link may have, so that a refusal names the limit. */
const bodyBytesMax = 65_536;
const path = '/console/links';
const noStore = { 'Cache-Control': 'no-store' };

/** @param onForbidden called for every refusal */
export function linkEndpoints<Of extends Principal>(links: Links<Of>, onForbidden: Api['onForbidden']): Endpoint<Of, unknown>[] {
  const list: PrivateEndpoint<Of> = {
    method: 'GET',
    path,
    prefixes: [''],
    handle: async ({ scope }) => ({ kind: 'json', status: 200, json: JSON.stringify(await links.list(scope)), headers: noStore }),
  };
  const create: PrivateEndpoint<Of> = {
    method: 'POST',
    path,
    prefixes: [''],
    acceptsBody: true,
    bodyBytesMax,
    authorize(principal, _, caller) {
      if (!principal.readOnly) return principal;
      onForbidden?.(principal, 'read-only', caller);
      throw problems.forbidden('This session is for reading only: it makes no sign-in links.');
    },
    async handle({ scope, body, caller }) {
      const fieldErrors = new FieldErrorList();
      if (!checkShape(linkShape, body, '', fieldErrors)) throw problems.validationFailed(fieldErrors.toArray());
      const wish = body as LinkWish;
      if (scope.projects !== undefined && wish.projects?.every((id) => scope.projects?.has(id)) === false) {
        onForbidden?.(scope, 'other-project', caller);
        throw problems.forbidden('A sign-in link reaches only projects that the session reaches which makes it.');
      }
      const link = await links.create(scope, wish);
      return { kind: 'json', status: 200, json: JSON.stringify(link), headers: noStore };
    },
  };
  const remove: PrivateEndpoint<Of> = {
    method: 'DELETE',
    path: `${path}/:link_id`,
    prefixes: [''],
    async handle(request) {
      if (!(await links.remove(request.scope, paramOf(request, 'link_id')))) throw problems.notFound();
      return { kind: 'empty', status: 204 };
    },
  };
  return [list, create, remove];
}

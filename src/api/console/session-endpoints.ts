/**
 * `/console/session`: signs a browser in to the console. The code of a sign-in link becomes an ordinary key, which the page then sends with
 * every request like any other client. `/console/sessions`: who is signed in. These routes belong to the console, not to the API: they are
 * not in its description.
 */
import { problems } from '../../http/problem.ts';
import { type Endpoint, type PrivateEndpoint, type PublicEndpoint, paramOf } from '../../http/route.ts';
import type { TileSource } from '../pages/map-tiles.ts';
import type { ListedLink } from './link-endpoints.ts';

/** What a key may do, for the page that uses it. */
export interface Session {
  /** Public part of the key. */
  readonly id: string;
  /** Name of the account. */
  readonly account: string;
  readonly access: 'read' | 'write';
  /** Identifiers of the projects that it can access; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339; `null` for never. */
  readonly expires: string | null;
  /** '' for none. */
  readonly label: string;
  /** Whether the console made it, so that it is revoked when the user signs out. */
  readonly revocable: boolean;
  /** Sources of map tiles, of which the first is the default. */
  readonly tiles: readonly TileSource[];
  /** Whether the server stores the files of projects. */
  readonly files: boolean;
  /** Bytes of the largest file that it takes. */
  readonly fileBytesMax: number;
  /** Address of the server for others, if the operator has set a whole one. */
  readonly publicUrl: string | null;
}

/** A new session. The key is shown only here. */
export interface NewSession extends Session {
  readonly key: string;
}

/** A session in the list of those that are valid. */
export interface ListedSession extends ListedLink {
  /** The hour of its last use, at least its creation: RFC 3339; `null` if unknown. */
  readonly lastUse: string | null;
  /** Whether the request has its key. */
  readonly current: boolean;
}

/** What the routes need of the server. */
export interface Sessions<Principal> {
  /** Exchanges a code; `undefined` if it is wrong, used or too old. Throws a problem if the client has sent too many wrong ones. */
  exchange(code: string, address: string): Promise<NewSession | undefined>;
  /** The session of a key. */
  describe(principal: Principal): Session;
  /** Those that the principal may see, the newest first. */
  list(principal: Principal): Promise<ListedSession[]>;
  /** Revokes the key of a session; `false` if the principal sees no such session, or the console did not make it. */
  end(principal: Principal, id: string): Promise<boolean>;
}

/** A code has 65 characters. */
const bodyBytesMax = 1024;

const path = '/console/session';
const listPath = '/console/sessions';
const noStore = { 'Cache-Control': 'no-store' };

const wrongCode = () =>
  problems.refusedCode(
    'This code is wrong, was used before, or is over. Ask for a new link, or make an address with: npx mapwright console',
  );

export function sessionEndpoints<Principal extends { readonly keyId: string }>(
  sessions: Sessions<Principal>,
): Endpoint<Principal, unknown>[] {
  const create: PublicEndpoint = {
    public: true,
    method: 'POST',
    path,
    prefixes: [''],
    acceptsBody: true,
    bodyBytesMax,
    async handle({ body, caller }) {
      const { code } = body;
      if (typeof code !== 'string' || Object.keys(body).length !== 1)
        throw problems.badRequest('The body must be {"code": "..."}, with the code from the address that the server printed.');
      const session = await sessions.exchange(code, caller.address);
      if (session === undefined) throw wrongCode();
      return { kind: 'json', status: 200, json: JSON.stringify(session), headers: noStore };
    },
  };
  const describe: PrivateEndpoint<Principal> = {
    method: 'GET',
    path,
    prefixes: [''],
    query: 'any',
    handle: ({ scope }) => ({ kind: 'json', status: 200, json: JSON.stringify(sessions.describe(scope)), headers: noStore }),
  };
  const revoke: PrivateEndpoint<Principal> = {
    method: 'DELETE',
    path,
    prefixes: [''],
    query: 'any',
    async handle({ scope }) {
      if (!(await sessions.end(scope, scope.keyId)))
        throw problems.forbidden('This key was not made by the console. Revoke it with: npx mapwright keys revoke ID');
      return { kind: 'empty', status: 204 };
    },
  };
  const list: PrivateEndpoint<Principal> = {
    method: 'GET',
    path: listPath,
    prefixes: [''],
    handle: async ({ scope }) => ({
      kind: 'json',
      status: 200,
      json: JSON.stringify(await sessions.list(scope)),
      headers: noStore,
    }),
  };
  const end: PrivateEndpoint<Principal> = {
    method: 'DELETE',
    path: `${listPath}/:session_id`,
    prefixes: [''],
    async handle(request) {
      if (!(await sessions.end(request.scope, paramOf(request, 'session_id')))) throw problems.notFound();
      return { kind: 'empty', status: 204 };
    },
  };
  return [create, describe, revoke, list, end];
}

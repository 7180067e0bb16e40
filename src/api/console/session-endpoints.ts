/**
 * `/console/session`: signs a browser in to the console. A one-time code becomes an ordinary key, which the page then sends with every
 * request like any other client. These routes belong to the console, not to the API: they are not in its description.
 */
import { problems } from '../../http/problem.ts';
import type { Endpoint, PrivateEndpoint, PublicEndpoint } from '../../http/route.ts';

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
  /** Whether the console made it, so that it is revoked when the user signs out. */
  readonly revocable: boolean;
  /** Address of the map tiles, `none` for a plain grid; `null` for those of OpenStreetMap. */
  readonly tiles: string | null;
  /** Whether the server stores the files of projects. */
  readonly files: boolean;
}

/** A new session. The key is shown only here. */
export interface NewSession extends Session {
  readonly key: string;
}

/** What the routes need of the server. */
export interface Sessions<Principal> {
  /** Exchanges a code; `undefined` if it is wrong, used or too old. Throws a problem if the client has sent too many wrong ones. */
  exchange(code: string, address: string): Promise<NewSession | undefined>;
  /** The session of a key. */
  describe(principal: Principal): Session;
  /** Revokes the key of a session; `false` if the console did not make it. */
  revoke(principal: Principal): Promise<boolean>;
}

/** A code has 22 characters. */
const bodyBytesMax = 1024;

const path = '/console/session';
const noStore = { 'Cache-Control': 'no-store' };

const wrongCode = () =>
  problems.refusedCode(
    'This code is wrong, was used before, or is older than 10 minutes. Make a new address with: npx mapwright console',
  );

export function sessionEndpoints<Principal>(sessions: Sessions<Principal>): Endpoint<Principal, unknown>[] {
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
      if (!(await sessions.revoke(scope)))
        throw problems.forbidden('This key was not made by the console. Revoke it with: npx mapwright keys revoke ID');
      return { kind: 'empty', status: 204 };
    },
  };
  return [create, describe, revoke];
}

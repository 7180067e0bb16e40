/**
 * `/console/session`: signs a browser in to the console. The code of a link becomes a session, whose secrets the browser keeps in two places: a
 * cookie, and the storage of the page. `/console/sessions`: where a person is signed in. These routes belong to the console, not to the API: they
 * are not in its description.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { problems } from '../../http/problem.ts';
import { type Endpoint, type PrivateEndpoint, type PublicEndpoint, paramOf } from '../../http/route.ts';
import type { Right, Role } from '../../model/people/roles.ts';
import type { Principal } from '../authorize.ts';
import type { TileSource } from '../pages/map-tiles.ts';
import { json } from './console-reply.ts';

/** Who is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly role: Role;
}

/** What a session, or a key, may do, for the page that uses it. */
export interface Session {
  /** Public part of the session or the key. */
  readonly id: string;
  /** Name of the account. */
  readonly account: string;
  /** `null` for an API key. */
  readonly person: SignedIn | null;
  readonly rights: readonly Right[];
  /** Identifiers of the projects that it can access; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339; `null` for never. */
  readonly expires: string | null;
  /** Of an API key; '' for none. */
  readonly label: string;
  /** Sources of map tiles, of which the first is the default. */
  readonly tiles: readonly TileSource[];
  /** Whether the server stores the files of projects. */
  readonly files: boolean;
  /** Bytes of the largest file that it takes. */
  readonly fileBytesMax: number;
  /** Address of the server for others, if the operator has set a whole one. */
  readonly publicUrl: string | null;
}

/** A new session. Its secrets are shown only here. */
export interface NewSession {
  readonly session: Session;
  /** For the storage of the page, and the header `Mapwright-Session`. */
  readonly secret: string;
  readonly setCookie: string;
}

/** A session in the list of those that are valid. */
export interface ListedSession {
  readonly id: string;
  /** Identifier of the person. */
  readonly person: string;
  /** `Firefox on Windows` */
  readonly device: string;
  /** RFC 3339 */
  readonly created: string;
  /** RFC 3339, unless it is used again. */
  readonly expires: string;
  /** The hour of its last use, at least its creation: RFC 3339; `null` if unknown. */
  readonly lastUse: string | null;
  /** Whether the request is of it. */
  readonly current: boolean;
}

/** A link that signs another device in once. */
export interface DeviceLink {
  /** Path of the console below the address of the server, with a code that works once. */
  readonly path: string;
  /** RFC 3339 */
  readonly expires: string;
}

/** The browser that signs in. */
export interface Client {
  readonly address: string;
  readonly port: number | undefined;
  /** Of its request: they name the browser, and the session that it had before. */
  readonly headers: IncomingHttpHeaders;
  /** Whether the session of another person that it had before may end. */
  readonly replaces: boolean;
}

/** What the routes need of the server. */
export interface Sessions<Principal> {
  /**
   * Exchanges a code; `undefined` if it is wrong, used or too old. Throws a problem if the client has sent too many wrong ones, or is signed in
   * as another person.
   */
  exchange(code: string, client: Client): Promise<NewSession | undefined>;
  describe(principal: Principal): Session;
  /** The newest first. @param ofAll those of all people, for a principal with that right */
  list(principal: Principal, ofAll: boolean): Promise<ListedSession[]>;
  /** `false` if the principal sees no such session. */
  end(principal: Principal, id: string): Promise<boolean>;
  /** Ends the other sessions of the same person. */
  endOthers(principal: Principal): Promise<void>;
  /** Throws a problem for a principal who is no person. */
  linkDevice(principal: Principal): Promise<DeviceLink>;
  /** The value of `Set-Cookie` that deletes the cookie. */
  clearCookie(port: number | undefined): string;
}

/** A code has 65 characters. */
const bodyBytesMax = 1024;

const path = '/console/session';
const listPath = '/console/sessions';

const wrongCode = () =>
  problems.refusedCode('This code is wrong, was used before, or is over. Ask an owner of the account for a new invitation.');

/** Browsers say where a request comes from: only the page of this server may sign in. */
export function refuseOtherSites({ headers }: { readonly headers: IncomingHttpHeaders }): void {
  const { host, origin, 'sec-fetch-site': site } = headers;
  // Browsers name the site only where the connection is safe.
  const isOther = site === undefined ? origin !== undefined && hostOf(origin) !== host : site !== 'same-origin';
  if (isOther) throw problems.forbidden('Only the console of this server signs in here.');
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

export function sessionEndpoints<Of extends Principal>(sessions: Sessions<Of>): Endpoint<Of, unknown>[] {
  return [...sessionOfBrowser(sessions), ...sessionsOfPerson(sessions)];
}

function sessionOfBrowser<Of extends Principal>(sessions: Sessions<Of>): Endpoint<Of, unknown>[] {
  const create: PublicEndpoint = {
    ...{ public: true, method: 'POST', path, prefixes: [''], acceptsBody: true, bodyBytesMax },
    async handle({ body, caller: { address, port }, headers }) {
      refuseOtherSites({ headers });
      const { code, replace = false, ...others } = body;
      if (typeof code !== 'string' || typeof replace !== 'boolean' || Object.keys(others).length > 0)
        throw problems.badRequest('The body must be {"code": "..."}, with the code from the address of an invitation.');
      const made = await sessions.exchange(code, { address, port, headers, replaces: replace });
      if (made === undefined) throw wrongCode();
      const { session, secret, setCookie } = made;
      return json({ ...session, secret }, 200, { 'Set-Cookie': setCookie });
    },
  };
  const describe: PrivateEndpoint<Of> = {
    ...{ method: 'GET', path, prefixes: [''], query: 'any' },
    handle: ({ scope }) => json(sessions.describe(scope)),
  };
  const leave: PrivateEndpoint<Of> = {
    ...{ method: 'DELETE', path, prefixes: [''], query: 'any' },
    async handle({ scope, caller }) {
      if (!(await sessions.end(scope, scope.keyId)))
        throw problems.forbidden('This is an API key, not a session. Revoke it with: npx mapwright keys revoke ID');
      return { kind: 'empty', status: 204, headers: { 'Set-Cookie': sessions.clearCookie(caller.port) } };
    },
  };
  const linkDevice: PrivateEndpoint<Of> = {
    ...{ method: 'POST', path: `${path}/device`, prefixes: [''] },
    handle: async ({ scope }) => json(await sessions.linkDevice(scope)),
  };
  return [create, describe, leave, linkDevice];
}

function sessionsOfPerson<Of extends Principal>(sessions: Sessions<Of>): Endpoint<Of, unknown>[] {
  const list: PrivateEndpoint<Of> = {
    ...{ method: 'GET', path: listPath, prefixes: [''], query: ['all'] },
    handle: async ({ scope, query }) => json(await sessions.list(scope, query['all'] === 'true')),
  };
  const endOthers: PrivateEndpoint<Of> = {
    ...{ method: 'DELETE', path: listPath, prefixes: [''] },
    async handle({ scope }) {
      await sessions.endOthers(scope);
      return { kind: 'empty', status: 204 };
    },
  };
  const end: PrivateEndpoint<Of> = {
    ...{ method: 'DELETE', path: `${listPath}/:session_id`, prefixes: [''] },
    async handle(request) {
      if (!(await sessions.end(request.scope, paramOf(request, 'session_id')))) throw problems.notFound();
      return { kind: 'empty', status: 204 };
    },
  };
  return [list, endOthers, end];
}

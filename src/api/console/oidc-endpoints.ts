/**
 * `/console/oidc`: signs a browser in with a provider of OpenID Connect. The page begins; the provider sends the browser back to the callback,
 * which leads to the page with a one-time code, as an invitation does, or is a page that says what failed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { problems } from '../../http/problem.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import type { Caller } from '../../http/transport/transport.ts';
import { isUuid } from '../../lib/text/ids.ts';
import { privateNoteReply } from '../pages/note-page.ts';
import type { Note } from '../publish/published-page.ts';
import { json, noStore } from './console-reply.ts';
import { refuseOtherSites } from './session-endpoints.ts';

/** What the page wants. */
export interface SignOnWish {
  /** Identifier of the project to show after it; '' for the first screen. */
  readonly project: string;
  /** True: the person who is signed in connects the provider. */
  readonly binds: boolean;
}

export interface SignOnStart {
  /** Address at the provider. */
  readonly location: string;
  readonly setCookie: string;
}

export interface SignOnEnd {
  /** Path of the console below the server, with a code that works once; or what failed, and the status. */
  readonly result: { readonly path: string } | { readonly note: Note; readonly status: number };
  readonly setCookie: string;
}

/** What the routes need of the server. */
export interface SignOn {
  /** Throws a problem for a person who is not signed in and connects a provider, and for a provider that does not answer. */
  start(wish: SignOnWish, headers: IncomingHttpHeaders): Promise<SignOnStart>;
  /** @param search the query as sent */
  finish(search: string, headers: IncomingHttpHeaders, caller: Caller): Promise<SignOnEnd>;
}

const path = '/console/oidc';
export const callbackPath = `${path}/callback`;
const bodyBytesMax = 1024;
/** The only place to return to: a project, whose identifier follows. */
const projectScreen = '/p/';

/** @param basePath of the public URL; '' for none */
export function oidcEndpoints(signOn: SignOn, basePath: string): PublicEndpoint[] {
  const start: PublicEndpoint = {
    ...{ public: true, method: 'POST', path, prefixes: [''], acceptsBody: true, bodyIsOptional: true, bodyBytesMax },
    async handle({ body, headers }) {
      refuseOtherSites({ headers });
      const { location, setCookie } = await signOn.start(wishIn(body), headers);
      return json({ location }, 200, { 'Set-Cookie': setCookie });
    },
  };
  const callback: PublicEndpoint = {
    ...{ public: true, method: 'GET', path: callbackPath, prefixes: [''] },
    async handle({ method, url, headers, caller }) {
      // A HEAD would use the answer up, and show nobody where to go.
      if (method !== 'GET') throw problems.methodNotAllowed('GET');
      const at = url.indexOf('?');
      const { result, setCookie } = await signOn.finish(at === -1 ? '' : url.slice(at), headers, caller);
      const cookie = { 'Set-Cookie': setCookie };
      if ('note' in result) return privateNoteReply(withLink(result.note, basePath), result.status, cookie);
      const Location = `${basePath}${result.path}`;
      return { kind: 'empty', status: 303, headers: { Location, ...noStore, 'Referrer-Policy': 'no-referrer', ...cookie } };
    },
  };
  return [start, callback];
}

const withLink = (note: Note, basePath: string): Note => ({
  ...note,
  link: { text: 'Back to the console', href: `${basePath}/console` },
});

function wishIn(body: Readonly<Record<string, unknown>>): SignOnWish {
  const { return: to = '', bind = false, ...others } = body;
  const project = typeof to === 'string' && to.startsWith(projectScreen) ? to.slice(projectScreen.length) : '';
  const isScreen = to === '' || isUuid(project);
  if (!isScreen || typeof bind !== 'boolean' || Object.keys(others).length > 0)
    throw problems.badRequest(
      'The body must be {"return": "/p/ID", "bind": true}, each of them optional: the project to show, and whether who is signed in connects the provider.',
    );
  return { project, binds: bind };
}

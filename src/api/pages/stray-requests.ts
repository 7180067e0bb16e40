/**
 * Requests of browsers whose path belongs to no endpoint: `/` leads to the console, `/favicon.ico` is the icon, and any other path is a page that
 * says so. Programs get a problem. An embedding program with routes of its own gets these requests itself.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { belowBasePath } from '../../http/proxy.ts';
import type { Reply } from '../../http/response/reply.ts';
import { pathOf } from '../../http/router.ts';
import { isForPeople, noteReply, nothingHere } from './note-page.ts';
import { iconFile } from './site-icon.ts';

interface StrayRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

interface Site {
  /** Path of the public URL: `/maps`; '' for none. */
  readonly basePath: string;
  readonly hasConsole: boolean;
}

/** The reply to such a request; `undefined` for one of a program. */
export function strayReply({ basePath, hasConsole }: Site): (request: StrayRequest) => Reply | undefined {
  return (request) => {
    const { method = '', url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const own = belowBasePath(pathOf(url), basePath);
    if (own === '/favicon.ico') return icon;
    if (!isForPeople(request)) return undefined;
    if (hasConsole && (own === '/' || own === '')) return leadTo(`${basePath}/console`);
    return noteReply(nothingHere);
  };
}

const icon: Reply = {
  kind: 'text',
  status: 200,
  text: iconFile,
  contentType: 'image/x-icon',
  headers: { 'Cache-Control': 'public, max-age=86400' },
};

const leadTo = (Location: string): Reply => ({ kind: 'empty', status: 302, headers: { Location, 'Cache-Control': 'no-store' } });

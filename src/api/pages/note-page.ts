/** A page with a heading and a text, for a person whose link leads nowhere. Programs get a problem instead. */
import { Problem } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { ApiRequest, PublicEndpoint } from '../../http/route.ts';
import { pageHeaders } from '../publish/page-headers.ts';
import { type Note, notePage, pagePolicy } from '../publish/published-page.ts';

export const nothingHere: Note = {
  title: 'There is nothing at this address.',
  text: 'Check the address, or ask the person who gave you the link.',
};

/** True if a client is a browser that opens a page. */
export const isForPeople = ({ headers }: Pick<ApiRequest<unknown>, 'headers'>): boolean =>
  headers.accept?.includes('text/html') === true;

/** The page of a 404. */
export const noteReply = (note: Note): Reply => ({
  kind: 'text',
  status: 404,
  text: notePage(note),
  contentType: 'text/html; charset=utf-8',
  headers: pageHeaders(pagePolicy(undefined, '*')),
});

/** The page of a request that failed and belongs to one browser: no other page shows or reads it, and no address leaves it. */
export const privateNoteReply = (note: Note, status: number, headers: Readonly<Record<string, string>>): Reply => ({
  kind: 'text',
  status,
  text: notePage(note),
  contentType: 'text/html; charset=utf-8',
  headers: {
    'Content-Security-Policy': pagePolicy(undefined, "'none'"),
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    ...headers,
  },
});

/** A browser gets a page instead of the problem that there is nothing. */
export function orNote(note: Note, handle: PublicEndpoint['handle']): PublicEndpoint['handle'] {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (!isForPeople(request) || !(error instanceof Problem) || error.code !== 'not_found') throw error;
      return noteReply(note);
    }
  };
}

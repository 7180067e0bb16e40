/** `Prefer: return=minimal` (RFC 7240): a write replies with its entity tag, and without the resource. */
import type { Reply } from '../../http/response/reply.ts';
import { type Api, publicPath, type Request } from '../declaration.ts';

/** The first preference `return`, among others that are separated by commas. */
const returnPreference = /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?=[;,]|$)/i;

const quotedText = /"(?:[^"\\]|\\.)*"/g;

/** The client wants no body in the response to a write. */
export function prefersMinimal({ headers }: Pick<Request, 'headers'>): boolean {
  const { prefer } = headers;
  if (prefer === undefined) return false;
  // Commas in the values of other preferences separate nothing.
  const unquoted = String(prefer).replaceAll(quotedText, (text) => (/^"(?:minimal|representation)"$/i.test(text) ? text : '""'));
  return returnPreference.exec(unquoted)?.[1]?.toLowerCase() === 'minimal';
}

/**
 * The reply without a body.
 *
 * @param createdId identifier of the resource that a POST created
 */
export function replyMinimal(api: Api, request: Request, etag: string, createdId?: string): Reply {
  const location = createdId === undefined ? undefined : locationOf(api, request, createdId);
  return {
    kind: 'empty',
    status: 204,
    etag,
    headers: { 'Preference-Applied': 'return=minimal', ...(location === undefined ? {} : { Location: location }) },
  };
}

/** Paths of a POST that creates a project elsewhere, or nothing. */
const elsewhere = /^(.*\/projects)\/(?:import|[^/]+\/duplicate)$/;
const nowhere = /\/(?:batch|restore)$/;

/** The path of what a POST created; `undefined` if it creates nothing. */
function locationOf(api: Api, request: Request, id: string): string | undefined {
  const path = publicPath(api, request);
  if (request.method !== 'POST' || nowhere.test(path)) return undefined;
  return encodeURI(`${elsewhere.exec(path)?.[1] ?? path}/${id}`);
}

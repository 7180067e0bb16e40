/** Decides whether a redirect is followed, and to which URL: a pure function of the request so far. */
import { SourceFailure } from './source-problem.ts';
import { urlFault } from './source-request.ts';

const redirectsMax = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => redirectStatuses.has(status);

export interface Redirect {
  readonly method: string;
  /** The URL that redirects. */
  readonly url: URL;
  readonly status: number;
  /** Value of its `Location` header. */
  readonly location: string | undefined;
  /** Redirects followed so far. */
  readonly followed: number;
}

/** The target of a redirect. Throws a SourceFailure if it is not followed. Its addresses are checked later, like those of every URL. */
export function redirectTarget({ method, url, status, location = '', followed }: Redirect): URL {
  const refused = (reason: string): SourceFailure =>
    new SourceFailure('redirect_refused', `The source redirects ${reason}`, status);
  if (location === '' || !URL.canParse(location, url.href))
    throw refused('without a valid Location header. Check the URL of the data source.');
  const target = new URL(location, url);
  target.hash = '';
  const fault = urlFault(target);
  if (fault !== undefined) throw refused(`to a URL that is not fetched: ${fault}. Check the source.`);
  // A request with another method may have an effect, which must not happen twice or elsewhere.
  if (method !== 'GET')
    throw refused(`a ${method} request to ${target.host}. Only GET follows redirects: write the final URL into the data source.`);
  if (followed >= redirectsMax)
    throw refused(`more than ${redirectsMax} times, last to ${target.host}. Write the final URL into the data source.`);
  if (url.protocol === 'https:' && target.protocol === 'http:')
    throw refused(`from https to http (${target.host}), which is not encrypted. Write a URL that stays with https.`);
  return target;
}

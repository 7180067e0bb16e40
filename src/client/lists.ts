/** Lists page by page. No page skips or repeats a member that was there throughout and that nobody moved. */
import { unexpected } from './errors.ts';
import type { AnyInit, Requests } from './requests.ts';

/** Members on a page, where nothing else is said. */
const pageLength = 100;

export async function* pagesOf(requests: Requests, path: string, init: AnyInit = {}): AsyncGenerator<unknown[], void> {
  let query: Readonly<Record<string, unknown>> = { limit: pageLength, ...init.params?.query };
  /** Each page begins behind the one before it, so that a cursor never comes again: not in a row, and not after a round of any length. */
  let landmark: unknown;
  for (let count = 1; ; count++) {
    const { data, response } = await requests.must('GET', path, { ...init, params: { ...init.params, query } });
    const name = `GET ${path}`;
    if (!Array.isArray(data)) throw unexpected(name, response);
    yield data;
    const cursor = cursorIn(response.headers.get('link'));
    if (cursor === undefined) return;
    if (cursor === query['cursor'] || cursor === landmark)
      throw unexpected(name, response, `Its pages have no end: after page ${count} they begin again.`);
    // Brent: a round is noticed by one cursor that is kept, each time twice as long.
    if ((count & (count - 1)) === 0) landmark = cursor;
    query = { ...query, cursor };
  }
}

/** Where the next page begins, from the `Link` to it (RFC 8288). The rest of that address is what was asked for, as the server sees it. */
export function cursorIn(link: string | null): string | undefined {
  const next = /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(link ?? '')?.[1];
  return next === undefined ? undefined : (new URLSearchParams(next.replace(/^[^?]*/, '')).get('cursor') ?? undefined);
}

/** Lists, page by page. Paging never skips or repeats a member, unless it was moved between two pages. */
import { unexpected } from './client-errors.ts';
import type { AnyInit, Requests } from './requests.ts';

/** Default number of members on a page. */
const pageLength = 100;

export async function* pagesOf(requests: Requests, path: string, init: AnyInit = {}): AsyncGenerator<unknown[], void> {
  let query: Readonly<Record<string, unknown>> = { limit: pageLength, ...init.params?.query };
  /** An earlier cursor, to detect a loop. Each page starts after the previous one, so no cursor may occur twice. */
  let landmark: unknown;
  for (let count = 1; ; count++) {
    const { data, response } = await requests.must('GET', path, { ...init, params: { ...init.params, query } });
    const name = `GET ${path}`;
    if (!Array.isArray(data)) throw unexpected(name, response);
    yield data;
    const cursor = cursorIn(response.headers.get('link'));
    if (cursor === undefined) return;
    if (cursor === query['cursor'] || cursor === landmark)
      throw unexpected(
        name,
        response,
        `The pages form a loop: after page ${count} they repeat. Check any proxy in front of the server.`,
      );
    // Brent's algorithm: it compares with one saved cursor, which is replaced at powers of two.
    if ((count & (count - 1)) === 0) landmark = cursor;
    query = { ...query, cursor };
  }
}

/** The cursor in the `Link` to the next page (RFC 8288). The rest of that link repeats the request, as seen by the server. */
export function cursorIn(link: string | null): string | undefined {
  const next = /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(link ?? '')?.[1];
  return next === undefined ? undefined : (new URLSearchParams(next.replace(/^[^?]*/, '')).get('cursor') ?? undefined);
}

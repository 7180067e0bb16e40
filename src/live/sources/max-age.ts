/** How long a response may be used, as its source says. */

/** No clock of a source matters beyond this number of seconds. */
const longest = 2 ** 31;

/**
 * Seconds from the directive `max-age` of a header `Cache-Control`; `null` without a valid one. That for shared caches (`s-maxage`) is
 * about others.
 */
export function maxAgeOf(cacheControl: string | undefined): number | null {
  for (const directive of (cacheControl ?? '').split(',')) {
    const seconds = /^\s*max-age\s*=\s*"?(\d+)"?\s*$/i.exec(directive)?.[1];
    if (seconds !== undefined) return Math.min(longest, Number(seconds));
  }
  return null;
}

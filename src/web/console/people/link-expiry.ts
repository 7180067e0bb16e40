/** How long a new sign-in link may work. */

/** What a link can be until: one of some durations that end before the session, or its end. */
export function choicesOfExpiry(sessionEnds: string | null, now: number): readonly string[] {
  const hours = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };
  const leftMs = sessionEnds === null ? Number.POSITIVE_INFINITY : Date.parse(sessionEnds) - now;
  // Not by a hair: the clocks of server and browser may differ.
  const possible = Object.entries(hours).filter(([, count]) => count * 3_600_000 < leftMs - 60_000);
  return [...possible.map(([text]) => text), ...(sessionEnds === null ? [] : [sessionEnds])];
}

/** Which versions that the server made by itself are kept: fewer the older they are. */
import type { VersionKind } from '../../model/resources/version.ts';

/** What the rule needs of a version. */
export interface Aged {
  readonly id: string;
  readonly kind: VersionKind;
  /** RFC 3339 */
  readonly created: string;
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

/** From the youngest to the oldest: up to which age one version of each period is kept. A period of 0 keeps all. */
const periods: readonly { readonly upToMs: number; readonly periodMs: number }[] = [
  { upToMs: hourMs, periodMs: 0 },
  { upToMs: dayMs, periodMs: hourMs },
  { upToMs: 30 * dayMs, periodMs: dayMs },
  { upToMs: 365 * dayMs, periodMs: weekMs },
];

/** How many versions of published states are kept: that of the publication, and those before. */
const publishedMax = 1 + 50;

/** How long a version from before a restore is kept in any case, in milliseconds. */
const beforeRestoreMs = 30 * dayMs;

/**
 * The versions that are not kept any more. Named ones are kept until they are deleted. Of each period the oldest one stays, so that the
 * choice is the same at each later time.
 *
 * @param now Unix time in milliseconds
 */
export function expired(versions: readonly Aged[], now: number): string[] {
  const gone: string[] = [];
  const kept = new Set<string>();
  const byAge = versions
    .map((version) => ({ ...version, time: Date.parse(version.created) }))
    .toSorted((a, b) => a.time - b.time);
  const published = byAge.filter(({ kind }) => kind === 'published');
  gone.push(...published.slice(0, -publishedMax).map(({ id }) => id));
  for (const { id, kind, time } of byAge) {
    if (kind === 'named' || kind === 'published') continue;
    const age = now - time;
    if (kind === 'before-restore' && age < beforeRestoreMs) continue;
    const period = periods.find(({ upToMs }) => age <= upToMs);
    if (period?.periodMs === 0) continue;
    const name = period && `${period.periodMs} ${Math.floor(time / period.periodMs)}`;
    if (name === undefined || kept.has(name)) gone.push(id);
    else kept.add(name);
  }
  return gone;
}

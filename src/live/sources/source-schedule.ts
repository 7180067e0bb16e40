/**
 * When a data source is fetched: pure decisions about one source, with the time as an argument. Times are milliseconds of a clock that
 * never goes back.
 */

/** Requests that show data of the source no older than `refreshMs`. */
interface Watcher {
  readonly refreshMs: number;
  /** Two refreshes after the last request. */
  readonly until: number;
}

export interface Schedule {
  readonly isFetching: boolean;
  /** End of the newest fetch, or the newest push; `undefined` before the first. */
  readonly endedAt: number | undefined;
  /** Failed fetches since the last success or push. */
  readonly failures: number;
  /** One for each refresh in use. */
  readonly watchers: readonly Watcher[];
}

export const newSchedule: Schedule = { isFetching: false, endedAt: undefined, failures: 0, watchers: [] };

/** Longest pause after failures, unless the refresh is longer. */
const pauseMaxMs = 600_000;

/** Pause until the next fetch: the refresh, doubled by each failure, up to ten minutes. */
export function pauseMs(refreshMs: number, failures: number): number {
  return Math.max(refreshMs, Math.min(pauseMaxMs, refreshMs * 2 ** Math.min(failures, 30)));
}

/** Notes a request that wants the data every `refreshMs`. */
export function watched(schedule: Schedule, refreshMs: number, now: number): Schedule {
  const others = schedule.watchers.filter((watcher) => watcher.refreshMs !== refreshMs && watcher.until > now);
  return { ...schedule, watchers: [...others, { refreshMs, until: now + 2 * refreshMs }] };
}

export const started = (schedule: Schedule): Schedule => ({ ...schedule, isFetching: true });

/** Notes the end of a fetch. */
export function ended(schedule: Schedule, isSuccess: boolean, now: number): Schedule {
  return { ...schedule, isFetching: false, endedAt: now, failures: isSuccess ? 0 : schedule.failures + 1 };
}

/** Notes the end of a fetch that was not sent, which says nothing about the source. */
export const postponed = (schedule: Schedule, now: number): Schedule => ({ ...schedule, isFetching: false, endedAt: now });

/** Notes a push, which counts as a fetch that succeeded and replaces one that runs. */
export const pushedAt = (schedule: Schedule, now: number): Schedule => ({
  ...schedule,
  isFetching: false,
  endedAt: now,
  failures: 0,
});

/** Whether a watcher is active. */
export const isWatched = (schedule: Schedule, now: number): boolean => schedule.watchers.some(({ until }) => until > now);

/**
 * When the next fetch starts, perhaps in the past; `undefined` if one runs, or if no watcher is active then. The shortest refresh of the
 * active watchers counts.
 */
export function nextFetchAt(schedule: Schedule, now: number): number | undefined {
  if (schedule.isFetching) return undefined;
  const { endedAt, failures } = schedule;
  const times = schedule.watchers.flatMap(({ refreshMs, until }) => {
    if (until <= now) return [];
    const at = endedAt === undefined ? now : endedAt + pauseMs(refreshMs, failures);
    return at < until ? [at] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether a single request that accepts data of `maxAgeMs` starts a fetch. */
export function isDue(schedule: Schedule, maxAgeMs: number, now: number): boolean {
  const { isFetching, endedAt, failures } = schedule;
  return !isFetching && (endedAt === undefined || now - endedAt >= pauseMs(maxAgeMs, failures));
}

/** Whether the newest fetch or push is older than `maxAgeMs`. */
export const isStale = ({ endedAt }: Schedule, maxAgeMs: number, now: number): boolean =>
  endedAt === undefined || now - endedAt >= maxAgeMs;

/** Whether a schedule may be forgotten: no watcher is active, and every pause is over. */
export const isIdle = (schedule: Schedule, now: number): boolean =>
  !schedule.isFetching && !isWatched(schedule, now) && isStale(schedule, pauseMaxMs, now);

/** How fresh the data of a live map are: pure decisions about the newest responses of its sources, with the time as an argument. */
import type { SourceResponse } from './response-store.ts';

/** The worst that is true of some data sources. */
export interface SourcesState {
  readonly sources: 'fresh' | 'stale' | 'failed';
  /** Only of stale ones: RFC 3339 time of the oldest of their last good answers. */
  readonly since?: string;
}

export const freshSources: SourcesState = { sources: 'fresh' };

/** The newest response of a data source, as far as it says how fresh the source is. */
export interface SourceAnswer extends Pick<SourceResponse, 'problem' | 'body_at'> {}

/**
 * The state of one data source.
 *
 * @param isFetched false for a source without a URL: it is pushed, and no push has an expected time
 * @param oldestMs Unix time in milliseconds: an earlier answer is stale
 */
export function stateOfSource(answer: SourceAnswer | undefined, isFetched: boolean, oldestMs: number): SourcesState {
  const since = answer?.body_at ?? undefined;
  if (since === undefined) return { sources: 'failed' };
  const hasFailed = answer?.problem !== null;
  return isFetched && (hasFailed || Date.parse(since) < oldestMs) ? { sources: 'stale', since } : freshSources;
}

/** The worse of two states. Of two stale ones it is the one with the older answer. */
export function worseOf(a: SourcesState, b: SourcesState): SourcesState {
  if (a.sources !== b.sources) return severity[a.sources] > severity[b.sources] ? a : b;
  return (a.since ?? '') <= (b.since ?? '') ? a : b;
}

const severity = { fresh: 0, stale: 1, failed: 2 };

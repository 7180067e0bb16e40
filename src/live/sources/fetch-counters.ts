/** Counts fetches by outcome, and measures their durations. */
import { durationBoundsS, Histogram } from '../../lib/observability/histogram.ts';
import type { FetchOutcome } from './fetch-source.ts';

export class FetchCounters {
  /** By `ok`, `unchanged`, or the code of the problem. */
  readonly fetches = new Map<string, number>([['ok', 0]]);
  /** In seconds. */
  readonly durations = new Histogram(durationBoundsS);

  add(outcome: FetchOutcome): void {
    const label = outcome.kind === 'failed' ? outcome.problem.code : outcome.kind === 'body' ? 'ok' : outcome.kind;
    this.fetches.set(label, (this.fetches.get(label) ?? 0) + 1);
    this.durations.observe(outcome.ms / 1000);
  }
}

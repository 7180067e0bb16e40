/**
 * Counts durations in fixed buckets: a few comparisons and two additions for each, so that it can stand on the path of every request.
 * Whoever shows them adds the buckets up, as Prometheus wants them.
 */

/** Upper bounds of the buckets in seconds, from what a good disk needs for a sync to what nobody waits for. */
export const durationBoundsS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

export class Durations {
  /** How many ended in each bucket, and, last, beyond all of them. */
  readonly counts: number[] = new Array<number>(durationBoundsS.length + 1).fill(0);
  /** All of them together, in seconds. */
  sumS = 0;

  observe(seconds: number): void {
    let at = 0;
    while (at < durationBoundsS.length && seconds > (durationBoundsS[at] as number)) at++;
    (this.counts[at] as number)++;
    this.sumS += seconds;
  }
}

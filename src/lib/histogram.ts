/**
 * Counts values in fixed buckets: a few comparisons and two additions for each, so that it can stand on the path of every request.
 * Whoever shows them adds the buckets up, as Prometheus wants them.
 */

/** Upper bounds for durations in seconds, from what a good disk needs for a sync to what nobody waits for. */
export const durationBoundsS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

/** Upper bounds for how many records share a sync. */
export const batchBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

export class Histogram {
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** How many values are in each bucket, and, last, beyond all of them. */
  readonly counts: number[];
  /** All values together. */
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at++;
    (this.counts[at] as number)++;
    this.sum += value;
  }
}

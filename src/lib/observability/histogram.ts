/**
 * A histogram with fixed buckets: a few comparisons and two additions per value, cheap enough for every request. Buckets are not
 * cumulative; the Prometheus output adds them up.
 */

/** Upper bounds for durations, in seconds: from a sync on a good disk to far beyond any client's timeout. */
export const durationBoundsS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

/** Upper bounds for the number of records per sync. */
export const batchBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

export class Histogram {
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** Number of values in each bucket; the last bucket is for values above all bounds. */
  readonly counts: number[];
  /** Sum of all values. */
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

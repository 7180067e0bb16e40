/**
 * Recent event loop delay. Reading it does not reset it, so that frequent readers do not affect rare ones: the result is the worse of two
 * periods, the current one and the previous one.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** In seconds. */
interface Delays {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Interval between measurements, in milliseconds. */
const everyMs = 20;
/** A period ends with the first reading after this many milliseconds. */
const stretchMs = 15_000;
const nanosecondsPerSecond = 1e9;

export class LoopDelay {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: everyMs });
  #before: Delays | undefined;
  #since = performance.now();

  constructor() {
    this.#histogram.enable();
  }

  sample(): Delays {
    const now = this.#measured();
    const before = this.#before;
    if (performance.now() - this.#since > stretchMs) {
      this.#before = now;
      this.#since = performance.now();
      this.#histogram.reset();
    }
    if (before === undefined) return now;
    const worse = (name: keyof Delays) => Math.max(now[name], before[name]);
    return { mean: worse('mean'), p50: worse('p50'), p90: worse('p90'), p99: worse('p99'), max: worse('max') };
  }

  close(): void {
    this.#histogram.disable();
  }

  #measured(): Delays {
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / nanosecondsPerSecond - everyMs / 1000) || 0;
    const { mean, max } = this.#histogram;
    const [p50, p90, p99] = [50, 90, 99].map((of) => late(this.#histogram.percentile(of))) as [number, number, number];
    return { mean: late(mean), p50, p90, p99, max: late(max) };
  }
}

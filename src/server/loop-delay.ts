/**
 * How late the event loop was lately. Looking does not begin anew, so that whoever looks often takes nothing from whoever looks seldom:
 * what is shown is the worse of two stretches of time, the one that goes on and the one before it.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** In seconds. */
export interface Delays {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** How often the delay is measured, in milliseconds. */
const everyMs = 20;
/** A stretch ends with the first look after so many milliseconds. */
const stretchMs = 15_000;
const nanosecondsPerSecond = 1e9;

export class LoopDelay {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: everyMs });
  #before: Delays | undefined;
  #since = performance.now();

  constructor() {
    this.#histogram.enable();
  }

  look(): Delays {
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

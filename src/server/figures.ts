/** Metrics of prom-client whose values come from elsewhere: from plain numbers that the parts keep, read when somebody asks. */
import { Counter, Gauge, type Metric, type Registry } from 'prom-client';
import type { Histogram } from '../lib/histogram.ts';

export type Labels = Readonly<Record<string, string | number>>;
export type Sample = readonly [labels: Labels, value: number];

/** What a figure is at a scrape: one number, or one for each combination of labels. */
type Read = () => number | readonly Sample[];

export class Figures {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  gauge(name: string, help: string, labelNames: readonly string[], read: Read): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        for (const [labels, value] of samplesOf(read())) this.set(labels, value);
      },
    });
  }

  counter(name: string, help: string, labelNames: readonly string[], read: Read): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [labels, value] of samplesOf(read())) this.inc(labels, value);
      },
    });
  }

  /** Buckets were counted already: what prom-client's own histogram does for each request costs more than many an answer. */
  histogram(name: string, help: string, read: () => readonly (readonly [Labels, Histogram])[]): void {
    const get = async () => {
      const values = read().flatMap(([labels, histogram]) => linesOf(name, labels, histogram));
      return { name, help, type: 'histogram', aggregator: 'sum', values };
    };
    // All that a registry needs of a metric.
    this.#registry.registerMetric({ name, get } as unknown as Metric<string>);
  }
}

const samplesOf = (read: number | readonly Sample[]): readonly Sample[] => (typeof read === 'number' ? [[{}, read]] : read);

/** One histogram's figures as lines: buckets that add up, their sum and their count. */
function linesOf(name: string, labels: Labels, { bounds, counts, sum }: Histogram) {
  let count = 0;
  const buckets = counts.map((inBucket, at) => {
    count += inBucket;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: count };
  });
  return [...buckets, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count }];
}

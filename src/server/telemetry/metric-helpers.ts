/** prom-client metrics whose values come from the components' plain counters, read at a scrape. */
import { Counter, Gauge, type Metric, type Registry } from 'prom-client';
import type { Histogram } from '../../lib/observability/histogram.ts';

type Labels = Readonly<Record<string, string | number>>;
export type Sample = readonly [labels: Labels, value: number];

/** The value of a metric at a scrape: one number, or one for each combination of labels. */
type Read = () => number | readonly Sample[];

export class MetricBuilder {
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
        this.reset();
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

  /** Values come from existing buckets: prom-client's own histogram costs more per request than many a response. */
  histogram(name: string, help: string, read: () => readonly (readonly [Labels, Histogram])[]): void {
    const get = async () => {
      const values = read().flatMap(([labels, histogram]) => linesOf(name, labels, histogram));
      return { name, help, type: 'histogram', aggregator: 'sum', values };
    };
    // The part of a metric that a registry uses.
    this.#registry.registerMetric({ name, get } as unknown as Metric<string>);
  }
}

const samplesOf = (read: number | readonly Sample[]): readonly Sample[] => (typeof read === 'number' ? [[{}, read]] : read);

/** The samples of one histogram: cumulative buckets, sum and count. */
function linesOf(name: string, labels: Labels, { bounds, counts, sum }: Histogram) {
  let count = 0;
  const buckets = counts.map((inBucket, at) => {
    count += inBucket;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: count };
  });
  return [...buckets, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count }];
}

/** Reads `/metrics` of a server for `mapwright top`, and computes rates between two scrapes. */

/** One sample in the Prometheus text format. */
interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The result of one scrape, by names of metrics. */
export interface Scrape {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly readings: ReadonlyMap<string, readonly MetricSample[]>;
}

interface RouteSample {
  readonly method: string;
  readonly route: string;
  readonly perSecond: number;
  /** `null` without requests. */
  readonly p99Ms: number | null;
}

export interface CacheSample {
  readonly bytes: number;
  readonly limitBytes: number;
  /** Hit ratio; `null` without lookups. */
  readonly hits: number | null;
}

/** All values shown by `top`, printed by `--json`. Rates and percentiles cover the time since the previous scrape. */
export interface TopSample {
  /** RFC 3339. */
  readonly time: string;
  readonly url: string;
  readonly version: string;
  readonly uptimeS: number;
  /** Seconds since the previous scrape. */
  readonly intervalS: number;
  /** Names of the active alarms. */
  readonly alarms: readonly string[];
  readonly requests: {
    readonly perSecond: number;
    /** By class of status: `2xx`; `none` for clients that disconnected before their response. */
    readonly byStatus: Readonly<Record<string, number>>;
    readonly p50Ms: number | null;
    readonly p99Ms: number | null;
    readonly inFlight: number;
    readonly connections: number;
    readonly streams: number;
    readonly refusedKeysPerSecond: number;
    readonly rateLimitedPerSecond: number;
  };
  readonly writes: {
    readonly perSecond: number;
    readonly bytesPerSecond: number;
    readonly syncsPerSecond: number;
    /** Average number of records per sync. */
    readonly batch: number | null;
    readonly syncP50Ms: number | null;
    readonly syncP99Ms: number | null;
    readonly queueBytes: number;
  };
  readonly log: {
    readonly lagBytes: number;
    readonly snapshots: number;
    readonly snapshotFailures: number;
    readonly snapshotRunning: boolean;
  };
  readonly memory: {
    readonly neededBytes: number;
    readonly budgetBytes: number;
    readonly residentBytes: number;
    readonly heapBytes: number;
  };
  readonly caches: { readonly json: CacheSample; readonly compressed: CacheSample };
  readonly process: {
    /** Average number of busy processor cores. */
    readonly cores: number;
    readonly loopP99Ms: number;
    readonly loopMaxMs: number;
    readonly openFiles: number;
    readonly openFilesMax: number;
  };
  readonly accounts: number;
  readonly projects: number;
  /** Busiest first. */
  readonly routes: readonly RouteSample[];
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parses a response of `/metrics`; `undefined` if it is not from mapwright. */
export function scrape(text: string, atMs: number): Scrape | undefined {
  const readings = new Map<string, MetricSample[]>();
  for (const written of text.split('\n')) {
    const [, name, inner = '', number = ''] = (written.startsWith('#') ? undefined : line.exec(written)) ?? [];
    if (name === undefined) continue;
    // The text is untrusted, and a terminal would act on control characters.
    const labels = Object.fromEntries(
      [...inner.matchAll(label)].map(([, key = '', value = '']) => [key, value.replaceAll(/\p{C}/gu, '')]),
    );
    const samples = readings.get(name);
    const reading = { labels, value: Number(number.replace('Inf', 'Infinity')) };
    if (samples === undefined) readings.set(name, [reading]);
    else samples.push(reading);
  }
  return readings.has('mapwright_build_info') ? { atMs, readings } : undefined;
}

/** Whether two scrapes are of the same process, so that counters can be compared. */
export function isSameRun(before: Scrape, now: Scrape): boolean {
  return valueIn(before, 'process_start_time_seconds') === valueIn(now, 'process_start_time_seconds');
}

/** @param before a scrape of the same process */
export function topSample(url: string, before: Scrape, now: Scrape): TopSample {
  const intervalS = Math.max(0.001, (now.atMs - before.atMs) / 1000);
  const current = (name: string, labels?: MetricSample['labels']) => valueIn(now, name, labels);
  const increase = (name: string, labels?: MetricSample['labels']) =>
    Math.max(0, current(name, labels) - valueIn(before, name, labels));
  const rate = (name: string, labels?: MetricSample['labels']) => increase(name, labels) / intervalS;
  const percentileMs = (name: string, part: number, labels?: MetricSample['labels']) => {
    const seconds = percentile(bucketsOf(name, before, now, labels), part);
    return seconds === undefined ? null : seconds * 1000;
  };
  const requests = 'mapwright_http_requests_total';
  const durations = 'mapwright_http_request_duration_seconds';
  const syncs = 'mapwright_wal_sync_duration_seconds';
  const batches = increase('mapwright_wal_batch_records_count');
  const cacheOf = (cache: string): CacheSample => {
    const hits = increase('mapwright_cache_hits_total', { cache });
    const lookups = hits + increase('mapwright_cache_misses_total', { cache });
    const [bytes, limitBytes] = [current('mapwright_cache_bytes', { cache }), current('mapwright_cache_limit_bytes', { cache })];
    return { bytes, limitBytes, hits: lookups === 0 ? null : hits / lookups };
  };
  return {
    time: new Date(now.atMs).toISOString(),
    url,
    version: now.readings.get('mapwright_build_info')?.[0]?.labels['version'] ?? '',
    uptimeS: Math.max(0, Math.round(now.atMs / 1000 - current('process_start_time_seconds'))),
    intervalS,
    alarms: (now.readings.get('mapwright_alarm') ?? []).flatMap(({ labels, value }) => (value > 0 ? [labels['name'] ?? ''] : [])),
    requests: {
      perSecond: rate(requests),
      byStatus: Object.fromEntries(['2xx', '3xx', '4xx', '5xx', 'none'].map((status) => [status, rate(requests, { status })])),
      p50Ms: percentileMs(durations, 0.5),
      p99Ms: percentileMs(durations, 0.99),
      inFlight: current('mapwright_http_requests_in_flight'),
      connections: current('mapwright_http_connections'),
      streams: current('mapwright_feed_subscribers'),
      refusedKeysPerSecond: rate('mapwright_key_refusals_total'),
      rateLimitedPerSecond: rate('mapwright_http_refusals_total', { reason: 'rate_limited' }),
    },
    writes: {
      perSecond: rate('mapwright_wal_records_total'),
      bytesPerSecond: rate('mapwright_wal_written_bytes_total'),
      syncsPerSecond: rate('mapwright_wal_syncs_total'),
      batch: batches === 0 ? null : increase('mapwright_wal_batch_records_sum') / batches,
      syncP50Ms: percentileMs(syncs, 0.5),
      syncP99Ms: percentileMs(syncs, 0.99),
      queueBytes: current('mapwright_wal_queue_bytes'),
    },
    log: {
      lagBytes: current('mapwright_snapshot_lag_bytes'),
      snapshots: current('mapwright_snapshots_total'),
      snapshotFailures: current('mapwright_snapshot_failures_total'),
      snapshotRunning: current('mapwright_snapshot_running') > 0,
    },
    memory: {
      neededBytes: current('mapwright_memory_used_bytes'),
      budgetBytes: current('mapwright_memory_budget_bytes'),
      residentBytes: current('process_resident_memory_bytes'),
      heapBytes: current('nodejs_heap_size_used_bytes'),
    },
    caches: { json: cacheOf('json'), compressed: cacheOf('compressed') },
    process: {
      cores: rate('process_cpu_seconds_total'),
      loopP99Ms: current('nodejs_eventloop_lag_p99_seconds') * 1000,
      loopMaxMs: current('nodejs_eventloop_lag_max_seconds') * 1000,
      openFiles: current('process_open_fds'),
      openFilesMax: current('process_max_fds'),
    },
    accounts: current('mapwright_accounts'),
    projects: current('mapwright_projects'),
    routes: (now.readings.get(`${durations}_count`) ?? [])
      .map(({ labels }) => {
        const { method = '', route = '' } = labels;
        return { method, route, perSecond: rate(requests, labels), p99Ms: percentileMs(durations, 0.99, labels) };
      })
      .filter(({ perSecond }) => perSecond > 0)
      .sort((a, b) => b.perSecond - a.perSecond),
  };
}

/** Sums all samples with these labels. A status may be a class (`2xx`). */
function valueIn({ readings }: Scrape, name: string, labels: MetricSample['labels'] = {}): number {
  const expected = Object.entries(labels);
  let sum = 0;
  for (const reading of readings.get(name) ?? []) {
    if (expected.every(([key, value]) => hasLabel(reading.labels[key], value))) sum += reading.value;
  }
  return sum;
}

function hasLabel(current: string | undefined, expected: string): boolean {
  return current === expected || (expected.endsWith('xx') && current?.length === expected.length && current[0] === expected[0]);
}

/** Upper bounds, ascending, with the number of observations up to each bound between two scrapes. */
type Buckets = readonly (readonly [bound: number, count: number])[];

function bucketsOf(name: string, before: Scrape, now: Scrape, labels: MetricSample['labels'] = {}): Buckets {
  const bounds = new Set((now.readings.get(`${name}_bucket`) ?? []).map((reading) => reading.labels['le'] ?? ''));
  const at = (look: Scrape, le: string) => valueIn(look, `${name}_bucket`, { ...labels, le });
  return [...bounds]
    .map((le) => [le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), Math.max(0, at(now, le) - at(before, le))] as const)
    .sort(([a], [b]) => a - b);
}

/**
 * Estimates a quantile by linear interpolation within a bucket, like `histogram_quantile` in Prometheus. Values in the last bucket count
 * as its lower bound; `undefined` without observations.
 */
export function percentile(buckets: Buckets, part: number): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = part * total;
  let [lower, below] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= rank)
      return bound === Number.POSITIVE_INFINITY ? lower : lower + ((bound - lower) * (rank - below)) / (count - below);
    [lower, below] = [bound, count];
  }
  return lower;
}

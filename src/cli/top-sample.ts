/** What `mapwright top` knows of a server at a moment: its `/metrics`, and what changed in them since the look before. */

/** One line of the Prometheus text format. */
interface Reading {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What one look found, by the names of the metrics. */
export interface Look {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly readings: ReadonlyMap<string, readonly Reading[]>;
}

export interface RouteSample {
  readonly method: string;
  readonly route: string;
  readonly perSecond: number;
  /** `null` where nothing was asked. */
  readonly p99Ms: number | null;
}

export interface CacheSample {
  readonly bytes: number;
  readonly limitBytes: number;
  /** Share of what was asked for that was there; `null` where nothing was asked. */
  readonly hits: number | null;
}

/** Everything that is shown; `--json` prints it. Rates and percentiles are those of the time since the look before. */
export interface TopSample {
  /** RFC 3339. */
  readonly time: string;
  readonly url: string;
  readonly version: string;
  readonly uptimeS: number;
  /** Time since the look before. */
  readonly intervalS: number;
  /** Names of the alarms that are raised. */
  readonly alarms: readonly string[];
  readonly requests: {
    readonly perSecond: number;
    /** By class of status: `2xx`; `none` for clients that left before their answer. */
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
    /** Records that share a sync, on average. */
    readonly batch: number | null;
    readonly syncP50Ms: number | null;
    readonly syncP99Ms: number | null;
    readonly queueBytes: number;
  };
  readonly log: {
    readonly uncoveredBytes: number;
    readonly folds: number;
    readonly foldFailures: number;
    readonly folding: boolean;
  };
  readonly memory: {
    readonly neededBytes: number;
    readonly budgetBytes: number;
    readonly residentBytes: number;
    readonly heapBytes: number;
  };
  readonly caches: { readonly json: CacheSample; readonly compressed: CacheSample };
  readonly process: {
    /** Processors in use. */
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

/** Reads what `/metrics` answered; `undefined` when that is not a mapwright's. */
export function lookAt(text: string, atMs: number): Look | undefined {
  const readings = new Map<string, Reading[]>();
  for (const written of text.split('\n')) {
    const [, name, inner = '', number = ''] = (written.startsWith('#') ? undefined : line.exec(written)) ?? [];
    if (name === undefined) continue;
    // What answers may be anything, and a terminal obeys control characters.
    const labels = Object.fromEntries(
      [...inner.matchAll(label)].map(([, key = '', value = '']) => [key, value.replaceAll(/\p{C}/gu, '')]),
    );
    const of = readings.get(name);
    const reading = { labels, value: Number(number.replace('Inf', 'Infinity')) };
    if (of === undefined) readings.set(name, [reading]);
    else of.push(reading);
  }
  return readings.has('mapwright_build_info') ? { atMs, readings } : undefined;
}

/** Whether two looks are of the same run of the server: what is counted goes on from one to the other. */
export function isSameRun(before: Look, now: Look): boolean {
  return valueIn(before, 'process_start_time_seconds') === valueIn(now, 'process_start_time_seconds');
}

/** @param before a look at the same run */
export function sampleOf(url: string, before: Look, now: Look): TopSample {
  const intervalS = Math.max(0.001, (now.atMs - before.atMs) / 1000);
  const is = (name: string, labels?: Reading['labels']) => valueIn(now, name, labels);
  const more = (name: string, labels?: Reading['labels']) => Math.max(0, is(name, labels) - valueIn(before, name, labels));
  const rate = (name: string, labels?: Reading['labels']) => more(name, labels) / intervalS;
  const percentileMs = (name: string, part: number, labels?: Reading['labels']) => {
    const seconds = percentile(bucketsOf(name, before, now, labels), part);
    return seconds === undefined ? null : seconds * 1000;
  };
  const requests = 'mapwright_http_requests_total';
  const durations = 'mapwright_http_request_duration_seconds';
  const syncs = 'mapwright_journal_sync_duration_seconds';
  const batches = more('mapwright_journal_batch_records_count');
  const cacheOf = (cache: string): CacheSample => {
    const hits = more('mapwright_cache_hits_total', { cache });
    const asked = hits + more('mapwright_cache_misses_total', { cache });
    const [bytes, limitBytes] = [is('mapwright_cache_bytes', { cache }), is('mapwright_cache_limit_bytes', { cache })];
    return { bytes, limitBytes, hits: asked === 0 ? null : hits / asked };
  };
  return {
    time: new Date(now.atMs).toISOString(),
    url,
    version: now.readings.get('mapwright_build_info')?.[0]?.labels['version'] ?? '',
    uptimeS: Math.max(0, Math.round(now.atMs / 1000 - is('process_start_time_seconds'))),
    intervalS,
    alarms: (now.readings.get('mapwright_alarm') ?? []).flatMap(({ labels, value }) => (value > 0 ? [labels['name'] ?? ''] : [])),
    requests: {
      perSecond: rate(requests),
      byStatus: Object.fromEntries(['2xx', '3xx', '4xx', '5xx', 'none'].map((status) => [status, rate(requests, { status })])),
      p50Ms: percentileMs(durations, 0.5),
      p99Ms: percentileMs(durations, 0.99),
      inFlight: is('mapwright_http_requests_in_flight'),
      connections: is('mapwright_http_connections'),
      streams: is('mapwright_feed_streams'),
      refusedKeysPerSecond: rate('mapwright_key_refusals_total'),
      rateLimitedPerSecond: rate('mapwright_http_refusals_total', { reason: 'rate_limited' }),
    },
    writes: {
      perSecond: rate('mapwright_journal_records_total'),
      bytesPerSecond: rate('mapwright_journal_written_bytes_total'),
      syncsPerSecond: rate('mapwright_journal_syncs_total'),
      batch: batches === 0 ? null : more('mapwright_journal_batch_records_sum') / batches,
      syncP50Ms: percentileMs(syncs, 0.5),
      syncP99Ms: percentileMs(syncs, 0.99),
      queueBytes: is('mapwright_journal_queue_bytes'),
    },
    log: {
      uncoveredBytes: is('mapwright_snapshot_uncovered_bytes'),
      folds: is('mapwright_snapshot_folds_total'),
      foldFailures: is('mapwright_snapshot_fold_failures_total'),
      folding: is('mapwright_snapshot_fold_running') > 0,
    },
    memory: {
      neededBytes: is('mapwright_memory_needed_bytes'),
      budgetBytes: is('mapwright_memory_budget_bytes'),
      residentBytes: is('process_resident_memory_bytes'),
      heapBytes: is('nodejs_heap_size_used_bytes'),
    },
    caches: { json: cacheOf('json'), compressed: cacheOf('compressed') },
    process: {
      cores: rate('process_cpu_seconds_total'),
      loopP99Ms: is('nodejs_eventloop_lag_p99_seconds') * 1000,
      loopMaxMs: is('nodejs_eventloop_lag_max_seconds') * 1000,
      openFiles: is('process_open_fds'),
      openFilesMax: is('process_max_fds'),
    },
    accounts: is('mapwright_accounts'),
    projects: is('mapwright_projects'),
    routes: (now.readings.get(`${durations}_count`) ?? [])
      .map(({ labels }) => {
        const { method = '', route = '' } = labels;
        return { method, route, perSecond: rate(requests, labels), p99Ms: percentileMs(durations, 0.99, labels) };
      })
      .filter(({ perSecond }) => perSecond > 0)
      .sort((a, b) => b.perSecond - a.perSecond),
  };
}

/** The sum of all that have these labels; a status may be a class of them (`2xx`). */
function valueIn({ readings }: Look, name: string, labels: Reading['labels'] = {}): number {
  const wanted = Object.entries(labels);
  let sum = 0;
  for (const reading of readings.get(name) ?? []) {
    if (wanted.every(([key, value]) => hasLabel(reading.labels[key], value))) sum += reading.value;
  }
  return sum;
}

function hasLabel(is: string | undefined, wanted: string): boolean {
  return is === wanted || (wanted.endsWith('xx') && is?.length === wanted.length && is[0] === wanted[0]);
}

/** Upper bounds, ascending, and how many values came up to each between two looks. */
type Buckets = readonly (readonly [bound: number, count: number])[];

function bucketsOf(name: string, before: Look, now: Look, labels: Reading['labels'] = {}): Buckets {
  const bounds = new Set((now.readings.get(`${name}_bucket`) ?? []).map((reading) => reading.labels['le'] ?? ''));
  const at = (look: Look, le: string) => valueIn(look, `${name}_bucket`, { ...labels, le });
  return [...bounds]
    .map((le) => [le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), Math.max(0, at(now, le) - at(before, le))] as const)
    .sort(([a], [b]) => a - b);
}

/**
 * The value below which a part of them are, on the assumption that those in one bucket are spread evenly, as Prometheus has it; the last
 * bound for what lies beyond it; `undefined` where there are none.
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

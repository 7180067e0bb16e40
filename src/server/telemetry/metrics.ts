/**
 * Creates `/metrics` in the Prometheus text format. The components keep plain counters, which are collected at a scrape, so that no request
 * pays for metrics. No label contains an account, a project or a key.
 */
import fs from 'node:fs';
import { Registry } from 'prom-client';
import type { JsonCache } from '../../api/crud/json-cache.ts';
import type { Engine } from '../../engine/engine.ts';
import { heapLimitBytes } from '../../engine/memory/memory-budget.ts';
import type { Opened } from '../../engine/open-engine.ts';
import { descriptorLimit } from '../../http/descriptors.ts';
import type { Listener } from '../../http/listener.ts';
import type { CompressedCache } from '../../http/response/compressed-cache.ts';
import { packageVersion } from '../../lib/package.ts';
import type { Live } from '../../live/live.ts';
import type { Schedule } from '../../storage/backup/schedule.ts';
import { preallocationStates } from '../../storage/wal/write/segment-preallocator.ts';
import type { AuditLog } from '../admin/audit-log.ts';
import type { Alarms } from './alarms.ts';
import { LoopDelay } from './loop-delay.ts';
import { MetricBuilder, type Sample } from './metric-helpers.ts';

interface MetricsSources {
  readonly engine: Engine;
  readonly wal: Opened['wal'];
  readonly cache: JsonCache;
  readonly compressedCache: CompressedCache;
  readonly listener: Listener;
  readonly alarms: Alarms;
  readonly audit: AuditLog;
  /** The backup schedule, if there is one. */
  readonly schedule: Schedule | undefined;
  /** What fetches and evaluates; `undefined` if that is disabled. */
  readonly live: Live | undefined;
  readonly node: NodeMetrics;
}

/** What a node of a cluster adds to the metrics of its listener; nothing on one machine. */
export interface NodeMetrics {
  readonly alarms: readonly Alarms[];
  addMetrics(builder: MetricBuilder): void;
}

/** The metrics are made before what they measure, which is added when it exists. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #builder = new MetricBuilder(this.#registry);
  #delay: LoopDelay | undefined;

  /** True once there is something to show. */
  get isComplete(): boolean {
    return this.#delay !== undefined;
  }

  addServer(sources: MetricsSources): void {
    const { alarms, node } = sources;
    const builder = this.#builder;
    httpMetrics(builder, sources);
    keyMetrics(builder, sources);
    feedMetrics(builder, sources);
    journalMetrics(builder, sources);
    fileMetrics(builder, sources);
    snapshotMetrics(builder, sources);
    backupMetrics(builder, sources);
    stateMetrics(builder, sources);
    memoryMetrics(builder, sources);
    liveMetrics(builder, sources);
    versionMetrics(builder, sources);
    node.addMetrics(builder);
    this.#delay = everyProcess(builder, [alarms, ...node.alarms]);
  }

  /** Adds those of a node that follows: of its listener, of the node and of the process. */
  addFollower(listener: Listener, node: NodeMetrics): void {
    httpMetrics(this.#builder, { listener });
    node.addMetrics(this.#builder);
    this.#delay = everyProcess(this.#builder, node.alarms);
  }

  async exposition(): Promise<{ readonly text: string; readonly contentType: string }> {
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  close(): void {
    this.#delay?.close();
  }
}

/** Adds the metrics of every process. */
function everyProcess(builder: MetricBuilder, alarms: readonly Alarms[]): LoopDelay {
  builder.gauge('mapwright_build_info', 'Always 1; the labels contain the versions.', ['version', 'node'], () => [
    [{ version: packageVersion(), node: process.version }, 1],
  ]);
  const delay = processMetrics(builder);
  builder.gauge(
    'mapwright_alarm',
    '1 while an alarm is raised; docs/operations.md describes each alarm and its solution.',
    ['name'],
    () =>
      alarms.flatMap((checked) => {
        const raised = checked.check();
        return checked.names.map((name): Sample => [{ name }, raised.has(name) ? 1 : 0]);
      }),
  );
  return delay;
}

function httpMetrics(builder: MetricBuilder, { listener }: Pick<MetricsSources, 'listener'>): void {
  const { metrics } = listener;
  builder.counter(
    'mapwright_http_requests_total',
    'Completed requests, by route and status; "none" if the client disconnected before the response.',
    ['route', 'method', 'status'],
    () =>
      metrics.routes.flatMap(({ route, method, endings }) =>
        endings.map(({ ending, count }): Sample => [{ route, method, status: ending }, count]),
      ),
  );
  builder.histogram('mapwright_http_request_duration_seconds', 'From the end of the headers to the end of the response.', () =>
    metrics.routes.map(({ route, method, durations }) => [{ route, method }, durations]),
  );
  builder.counter('mapwright_http_refusals_total', 'Problem responses, by status and reason.', ['status', 'reason'], () =>
    [...metrics.refusals.values()].map(({ status, reason, count }) => [{ status, reason }, count]),
  );
  builder.gauge('mapwright_http_requests_in_flight', 'Requests whose response is not complete.', [], () => listener.inFlight);
  builder.gauge('mapwright_http_bodies_bytes', 'Request bodies in memory.', [], () => listener.stats().bodiesBytes);
  builder.gauge(
    'mapwright_http_responses_pending_bytes',
    'Response bytes that clients have not received yet.',
    [],
    () => listener.stats().outputBytes,
  );
  builder.counter(
    'mapwright_http_slow_readers_disconnected_total',
    'Responses aborted because the client did not read them.',
    ['reason'],
    () => {
      const { slow, noRoom } = listener.stats().readersCutOff;
      return [
        [{ reason: 'slow' }, slow],
        [{ reason: 'no_room' }, noRoom],
      ];
    },
  );
  // Only the server's own sockets; those of an embedding program are not counted.
  builder.gauge('mapwright_http_connections', 'Open connections.', [], () => listener.stats().connections);
  builder.counter('mapwright_http_connections_refused_total', 'Connections closed without a response.', ['reason'], () => {
    const { tooMany, tooManyOfAddress } = listener.stats().connectionsRefused;
    return [
      [{ reason: 'too_many' }, tooMany],
      [{ reason: 'too_many_of_address' }, tooManyOfAddress],
    ];
  });
}

function keyMetrics(builder: MetricBuilder, { audit }: MetricsSources): void {
  builder.counter(
    'mapwright_key_refusals_total',
    'Rejected keys, by reason; requests without a key are not counted.',
    ['reason'],
    () => Object.entries(audit.refusals).map(([reason, count]) => [{ reason }, count]),
  );
}

function feedMetrics(builder: MetricBuilder, { engine: { feed }, listener }: MetricsSources): void {
  builder.gauge('mapwright_feed_subscribers', 'Connected subscribers.', [], () => listener.stats().streams);
  builder.gauge(
    'mapwright_feed_backlog_bytes',
    'Events that some subscribers have not received yet.',
    [],
    () => feed.stats.backlogBytes,
  );
  builder.counter('mapwright_feed_resumed_total', 'Subscribers that resumed at an event id.', [], () => feed.stats.resumed);
  builder.counter('mapwright_feed_resets_total', 'Subscribers that were sent a reset.', [], () => feed.stats.resets);
  // Subscribers that read nothing at all count as slow readers of the HTTP layer.
  builder.counter(
    'mapwright_feed_disconnected_total',
    'Subscribers disconnected because their backlog was too large.',
    [],
    () => feed.stats.disconnected,
  );
}

function journalMetrics(builder: MetricBuilder, { wal }: MetricsSources): void {
  builder.counter('mapwright_wal_records_total', 'Records written since the start.', [], () => wal.stats.records);
  builder.counter('mapwright_wal_frames_total', 'Frames written, including marks and seals.', [], () => wal.stats.frames);
  builder.counter('mapwright_wal_written_bytes_total', 'Bytes of these frames.', [], () => wal.stats.bytes);
  builder.counter('mapwright_wal_syncs_total', 'fdatasync calls of the log.', [], () => wal.stats.syncs);
  builder.histogram('mapwright_wal_sync_duration_seconds', 'Syncs that made a batch of records durable.', () => [
    [{}, wal.stats.batchSyncs],
  ]);
  builder.histogram('mapwright_wal_batch_records', 'Records written as one frame, with one sync.', () => [
    [{}, wal.stats.batchSizes],
  ]);
  builder.gauge('mapwright_wal_queue_bytes', 'Records that wait for the disk.', [], () => wal.stats.queueBytes);
  builder.gauge('mapwright_wal_segments', 'Segments of the log, without the preallocated one.', [], () => wal.stats.segments);
  builder.gauge('mapwright_wal_durable_lsn', 'LSN of the newest durable record.', [], () => wal.durableLsn);
  builder.gauge('mapwright_wal_preallocation', 'State of the next segment, which is preallocated.', ['state'], () =>
    preallocationStates.map((state) => [{ state }, wal.stats.spare === state ? 1 : 0]),
  );
}

function liveMetrics(builder: MetricBuilder, { live }: MetricsSources): void {
  if (live === undefined) return;
  const { sources, runs, maps } = live;
  builder.counter('mapwright_data_source_fetches_total', 'Fetches of data sources, by outcome.', ['outcome'], () =>
    [...sources.stats.fetches].map(([outcome, count]): Sample => [{ outcome }, count]),
  );
  builder.histogram('mapwright_data_source_fetch_duration_seconds', 'From the start of a fetch to the end of its body.', () => [
    [{}, sources.stats.durations],
  ]);
  builder.gauge('mapwright_data_sources_watched', 'Data sources that are fetched regularly.', [], () => sources.stats.watched);
  builder.gauge(
    'mapwright_data_source_responses_bytes',
    'Responses of data sources in memory.',
    [],
    () => sources.stats.responseBytes,
  );
  builder.counter('mapwright_evaluations_total', 'Evaluations of projects and live maps, by outcome.', ['outcome'], () =>
    Object.entries(runs.counts).map(([outcome, count]): Sample => [{ outcome }, count]),
  );
  builder.gauge('mapwright_live_maps', 'Live maps with a result in memory.', [], () => maps.size);
}

function stateMetrics(builder: MetricBuilder, { engine: { state } }: MetricsSources): void {
  builder.gauge('mapwright_accounts', 'Accounts.', [], () => state.accounts.size);
  builder.gauge('mapwright_projects', 'Projects of all accounts.', [], () =>
    [...state.accounts.values()].reduce((sum, { projects }) => sum + projects.size, 0),
  );
}

function fileMetrics(builder: MetricBuilder, { engine: { state } }: MetricsSources): void {
  const { files } = state;
  if (files === undefined) return;
  builder.gauge('mapwright_referenced_bytes', 'Files, versions and published maps on the disk.', [], () => files.referencedBytes);
  builder.gauge('mapwright_unreferenced_bytes', 'The same, of those that nothing refers to any more.', [], () =>
    [...files.unreferencedBytes().values()].reduce((sum, bytes) => sum + bytes, 0),
  );
}

/** Only where the server keeps versions by itself. */
function versionMetrics(builder: MetricBuilder, { engine: { automaticVersions } }: MetricsSources): void {
  if (automaticVersions === undefined) return;
  builder.counter(
    'mapwright_automatic_versions_dropped_total',
    'States before a change that were not kept, because too many of the account were waiting.',
    [],
    () => automaticVersions.dropped,
  );
}

function snapshotMetrics(builder: MetricBuilder, { engine: { snapshots } }: MetricsSources): void {
  builder.counter('mapwright_snapshots_total', 'Snapshots made since the start.', [], () => snapshots.stats.written);
  builder.counter('mapwright_snapshot_failures_total', 'Snapshots that failed.', [], () => snapshots.stats.failures);
  builder.gauge('mapwright_snapshot_running', 'Whether a snapshot is running.', [], () => (snapshots.stats.running ? 1 : 0));
  builder.gauge(
    'mapwright_snapshot_last_duration_seconds',
    'Duration of the last snapshot.',
    [],
    () => snapshots.stats.lastMs / 1000,
  );
  builder.gauge('mapwright_snapshot_lsn', 'LSN of the newest snapshot.', [], () => snapshots.stats.snapshotLsn);
  builder.gauge(
    'mapwright_snapshot_timestamp_seconds',
    'Creation time of the newest snapshot; 0 without one.',
    [],
    () => snapshots.stats.madeAt / 1000,
  );
  builder.gauge('mapwright_snapshot_lag_segments', 'Sealed segments after it.', [], () => snapshots.stats.lagSegments);
  builder.gauge('mapwright_snapshot_lag_bytes', 'Bytes of these segments.', [], () => snapshots.stats.lagBytes);
}

/** Only with a backup schedule: a time of 0 would look like an overdue backup. */
function backupMetrics(builder: MetricBuilder, { schedule }: MetricsSources): void {
  if (schedule === undefined) return;
  builder.gauge(
    'mapwright_backup_last_success_timestamp_seconds',
    'Time when the newest backup was made, or was found to be still complete; 0 before the first.',
    [],
    () => (schedule.lastGoodAtMs ?? 0) / 1000,
  );
  builder.gauge('mapwright_backup_lsn', 'LSN of the newest backup.', [], () => schedule.lastLsn);
  builder.counter('mapwright_backup_failures_total', 'Scheduled backups that failed.', [], () => schedule.failures);
}

function memoryMetrics(builder: MetricBuilder, { engine: { memory }, cache, compressedCache }: MetricsSources): void {
  builder.gauge(
    'mapwright_memory_budget_bytes',
    'Memory limit above which writes that grow the state are rejected.',
    [],
    () => memory.budgetBytes,
  );
  builder.gauge('mapwright_memory_used_bytes', 'Upper bound of the memory in use.', [], () => memory.boundBytes);
  builder.counter('mapwright_memory_collections_total', 'Garbage collections made to measure it.', [], () => memory.collections);
  builder.gauge(
    'mapwright_decoded_cache_bytes',
    'Upper bound of the memory for decoded members.',
    [],
    () => memory.decoded.stats.bytes,
  );
  builder.gauge(
    'mapwright_decoded_cache_limit_bytes',
    'Limit of the memory for decoded members.',
    [],
    () => memory.decoded.limitBytes,
  );
  builder.counter(
    'mapwright_decoded_cache_evictions_total',
    'Groups of up to 256 decoded members that were evicted.',
    [],
    () => memory.decoded.stats.evicted,
  );
  const caches = Object.entries({ json: cache, compressed: compressedCache });
  const ofCaches = (read: (of: (typeof caches)[number][1]) => number) => () =>
    caches.map(([name, of]): Sample => [{ cache: name }, read(of)]);
  builder.gauge(
    'mapwright_cache_bytes',
    'Size of the cache.',
    ['cache'],
    ofCaches(({ bytes }) => bytes),
  );
  builder.gauge(
    'mapwright_cache_limit_bytes',
    'Limit of the cache.',
    ['cache'],
    ofCaches(({ limitBytes }) => limitBytes),
  );
  builder.counter(
    'mapwright_cache_hits_total',
    'Cache hits.',
    ['cache'],
    ofCaches(({ hits }) => hits),
  );
  builder.counter(
    'mapwright_cache_misses_total',
    'Cache misses.',
    ['cache'],
    ofCaches(({ misses }) => misses),
  );
}

/** Metrics of the process, under the names that prom-client uses and dashboards expect. */
function processMetrics(builder: MetricBuilder): LoopDelay {
  const startedS = Math.round(Date.now() / 1000 - process.uptime());
  builder.counter('process_cpu_seconds_total', 'Processor time of all threads.', [], () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  builder.gauge('process_start_time_seconds', 'Start time of the process.', [], () => startedS);
  builder.gauge('process_resident_memory_bytes', 'Memory of the process.', [], () => process.memoryUsage.rss());
  const descriptorsMax = descriptorLimit();
  if (descriptorsMax !== undefined) {
    builder.gauge('process_open_fds', 'Open files and connections.', [], () => fs.readdirSync('/proc/self/fd').length);
    builder.gauge('process_max_fds', 'Limit of open files and connections.', [], () => descriptorsMax);
  }
  builder.gauge(
    'nodejs_heap_size_total_bytes',
    "Size of the main thread's heap, including free space.",
    [],
    () => process.memoryUsage().heapTotal,
  );
  builder.gauge('nodejs_heap_size_used_bytes', "Used size of the main thread's heap.", [], () => process.memoryUsage().heapUsed);
  builder.gauge('nodejs_heap_size_limit_bytes', "Limit of the main thread's heap.", [], heapLimitBytes);
  builder.gauge('nodejs_external_memory_bytes', 'Buffers outside the heap.', [], () => process.memoryUsage().external);
  const delay = new LoopDelay();
  for (const name of ['mean', 'p50', 'p90', 'p99', 'max'] as const)
    builder.gauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      'Event loop delay, in the last 15 to 30 s or since the previous scrape.',
      [],
      () => delay.sample()[name],
    );
  return delay;
}

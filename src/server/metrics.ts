/**
 * What `/metrics` shows, in the Prometheus text format. The parts keep plain numbers; they are collected here when somebody asks, so that
 * no request pays for it. No label names an account, a project or a key.
 */
import fs from 'node:fs';
import { Registry } from 'prom-client';
import type { JsonCache } from '../api/json-cache.ts';
import type { Schedule } from '../backup/schedule.ts';
import type { Engine } from '../engine/engine.ts';
import { heapLimitBytes } from '../engine/memory.ts';
import type { Opened } from '../engine/recover.ts';
import { descriptorLimit } from '../http/descriptors.ts';
import type { KeptBodies } from '../http/kept-bodies.ts';
import type { Listener } from '../http/listener.ts';
import type { SpareState } from '../journal/segment-preallocator.ts';
import { packageVersion } from '../lib/package.ts';
import { type Alarms, alarmTexts } from './alarms.ts';
import type { AuditLog } from './audit-log.ts';
import { Figures, type Sample } from './figures.ts';
import { LoopDelay } from './loop-delay.ts';

export interface MetricsSources {
  readonly engine: Engine;
  readonly wal: Opened['wal'];
  readonly cache: JsonCache;
  readonly kept: KeptBodies;
  readonly listener: Listener;
  readonly alarms: Alarms;
  readonly audit: AuditLog;
  /** Of backups, where there is one. */
  readonly schedule: Schedule | undefined;
}

export interface Metrics {
  exposition(): Promise<{ readonly text: string; readonly contentType: string }>;
  close(): void;
}

const spareStates: readonly SpareState[] = ['none', 'making', 'ready', 'failed'];

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const figures = new Figures(registry);
  figures.gauge('mapwright_build_info', 'Always 1; what runs is in the labels.', ['version', 'node'], () => [
    [{ version: packageVersion(), node: process.version }, 1],
  ]);
  httpFigures(figures, sources);
  keyFigures(figures, sources);
  feedFigures(figures, sources);
  journalFigures(figures, sources);
  snapshotFigures(figures, sources);
  backupFigures(figures, sources);
  stateFigures(figures, sources);
  memoryFigures(figures, sources);
  const delay = processFigures(figures);
  figures.gauge(
    'mapwright_alarm',
    '1 while an alarm is raised; docs/operations.md says what each means and what to do.',
    ['name'],
    () => {
      const raised = sources.alarms.look();
      return (Object.keys(alarmTexts) as (keyof typeof alarmTexts)[]).map((name) => [{ name }, raised.has(name) ? 1 : 0]);
    },
  );
  return {
    exposition: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    close: () => delay.close(),
  };
}

function httpFigures(figures: Figures, { listener }: MetricsSources): void {
  const { traffic } = listener;
  figures.counter(
    'mapwright_http_requests_total',
    'Requests that are over, by route and status; "none" when the client was gone before there was an answer.',
    ['route', 'method', 'status'],
    () =>
      traffic.tallies.flatMap(({ route, method, endings }) =>
        endings.map(({ ending, count }): Sample => [{ route, method, status: ending }, count]),
      ),
  );
  figures.histogram('mapwright_http_request_duration_seconds', 'From the end of the headers to the end of the answer.', () =>
    traffic.tallies.map(({ route, method, durations }) => [{ route, method }, durations]),
  );
  figures.counter('mapwright_http_refusals_total', 'Problems that were sent, by status and reason.', ['status', 'reason'], () =>
    [...traffic.refusals.values()].map(({ status, reason, count }) => [{ status, reason }, count]),
  );
  figures.gauge('mapwright_http_requests_in_flight', 'Requests whose answer is not out yet.', [], () => listener.inFlight);
  figures.gauge('mapwright_http_bodies_bytes', 'Bodies that are held.', [], () => listener.stats().bodiesBytes);
  figures.gauge('mapwright_http_answers_bytes', 'Answers that wait for their readers.', [], () => listener.stats().answersBytes);
  figures.counter('mapwright_http_readers_cut_off_total', 'Answers broken off since they were not taken.', ['reason'], () => {
    const { slow, noRoom } = listener.stats().readersCutOff;
    return [
      [{ reason: 'slow' }, slow],
      [{ reason: 'no_room' }, noRoom],
    ];
  });
  // Of the server's own sockets; those of an embedding program are its own affair.
  figures.gauge('mapwright_http_connections', 'Open connections.', [], () => listener.stats().connections);
  figures.counter('mapwright_http_connections_refused_total', 'Connections closed unheard.', ['reason'], () => {
    const { tooMany, tooManyOfAddress } = listener.stats().connectionsRefused;
    return [
      [{ reason: 'too_many' }, tooMany],
      [{ reason: 'too_many_of_address' }, tooManyOfAddress],
    ];
  });
}

function keyFigures(figures: Figures, { audit }: MetricsSources): void {
  figures.counter(
    'mapwright_key_refusals_total',
    'Keys that were refused, by reason; requests without any are not among them.',
    ['reason'],
    () => Object.entries(audit.refusals).map(([reason, count]) => [{ reason }, count]),
  );
}

function feedFigures(figures: Figures, { engine: { feed }, listener }: MetricsSources): void {
  figures.gauge('mapwright_feed_streams', 'Open streams of events.', [], () => listener.stats().streams);
  figures.gauge('mapwright_feed_unread_bytes', 'Events that wait until all have taken them.', [], () => feed.stats.unreadBytes);
  figures.counter('mapwright_feed_resumed_total', 'Streams that said where to go on.', [], () => feed.stats.resumed);
  figures.counter('mapwright_feed_resets_total', 'Streams that were told to begin anew.', [], () => feed.stats.resets);
  // Those that take nothing at all are among the readers that were cut off.
  figures.counter('mapwright_feed_dropped_total', 'Streams cut off since they fell behind.', [], () => feed.stats.cut);
}

function journalFigures(figures: Figures, { wal }: MetricsSources): void {
  figures.counter('mapwright_journal_records_total', 'Records written since the start.', [], () => wal.stats.records);
  figures.counter('mapwright_journal_frames_total', 'Frames written, marks and seals included.', [], () => wal.stats.frames);
  figures.counter('mapwright_journal_written_bytes_total', 'Bytes of these frames.', [], () => wal.stats.bytes);
  figures.counter('mapwright_journal_syncs_total', 'Calls of fdatasync for the log.', [], () => wal.stats.syncs);
  figures.histogram('mapwright_journal_sync_duration_seconds', 'Syncs that made a batch of records durable.', () => [
    [{}, wal.stats.batchSyncs],
  ]);
  figures.histogram('mapwright_journal_batch_records', 'Records that were written as one frame, and shared its sync.', () => [
    [{}, wal.stats.batchSizes],
  ]);
  figures.gauge('mapwright_journal_queue_bytes', 'Records that wait for the disk.', [], () => wal.stats.queueBytes);
  figures.gauge('mapwright_journal_segments', 'Files of the log, the spare left out.', [], () => wal.stats.segments);
  figures.gauge('mapwright_journal_durable_lsn', 'Number of the newest record that survives a crash.', [], () => wal.durableLsn);
  figures.gauge('mapwright_journal_spare', 'State of the next segment, which is made in advance.', ['state'], () =>
    spareStates.map((state) => [{ state }, wal.stats.spare === state ? 1 : 0]),
  );
}

function stateFigures(figures: Figures, { engine: { state } }: MetricsSources): void {
  figures.gauge('mapwright_accounts', 'Accounts.', [], () => state.accounts.size);
  figures.gauge('mapwright_projects', 'Projects of all accounts.', [], () =>
    [...state.accounts.values()].reduce((sum, { projects }) => sum + projects.size, 0),
  );
}

function snapshotFigures(figures: Figures, { engine: { folding } }: MetricsSources): void {
  figures.counter('mapwright_snapshot_folds_total', 'Snapshots folded since the start.', [], () => folding.stats.folds);
  figures.counter('mapwright_snapshot_fold_failures_total', 'Folds that failed.', [], () => folding.stats.failures);
  figures.gauge('mapwright_snapshot_fold_running', 'Whether one is being folded.', [], () => (folding.stats.running ? 1 : 0));
  figures.gauge(
    'mapwright_snapshot_fold_last_duration_seconds',
    'How long the last one took.',
    [],
    () => folding.stats.lastMs / 1000,
  );
  figures.gauge('mapwright_snapshot_lsn', 'Newest record in the newest snapshot.', [], () => folding.stats.snapshotLsn);
  figures.gauge(
    'mapwright_snapshot_timestamp_seconds',
    'When the newest snapshot was made; 0 without one.',
    [],
    () => folding.stats.madeAt / 1000,
  );
  figures.gauge('mapwright_snapshot_uncovered_segments', 'Sealed segments above it.', [], () => folding.stats.uncoveredSegments);
  figures.gauge('mapwright_snapshot_uncovered_bytes', 'Bytes of these.', [], () => folding.stats.uncoveredBytes);
}

/** Only where backups are made on a schedule: a time of 0 would otherwise look like one that is long overdue. */
function backupFigures(figures: Figures, { schedule }: MetricsSources): void {
  if (schedule === undefined) return;
  figures.gauge(
    'mapwright_backup_last_success_timestamp_seconds',
    'When the newest backup was made, or was found to hold everything still; 0 before the first.',
    [],
    () => (schedule.lastGoodAtMs ?? 0) / 1000,
  );
  figures.gauge('mapwright_backup_lsn', 'Newest record in the newest backup.', [], () => schedule.lastLsn);
  figures.counter('mapwright_backup_failures_total', 'Backups on the schedule that failed.', [], () => schedule.failures);
}

function memoryFigures(figures: Figures, { engine: { memory }, cache, kept }: MetricsSources): void {
  figures.gauge('mapwright_memory_budget_bytes', 'What may be needed before growth is refused.', [], () => memory.budgetBytes);
  figures.gauge('mapwright_memory_needed_bytes', 'What is needed, at most.', [], () => memory.boundBytes);
  figures.counter('mapwright_memory_collections_total', 'Collections made to learn that.', [], () => memory.collections);
  figures.gauge('mapwright_memory_decoded_bytes', 'Members that are decoded, at most.', [], () => memory.decoded.stats.bytes);
  figures.gauge('mapwright_memory_decoded_limit_bytes', 'What these may take.', [], () => memory.decoded.limitBytes);
  figures.counter(
    'mapwright_memory_leaves_let_go_total',
    'Groups of up to 256 members that became bytes again after resting.',
    [],
    () => memory.decoded.stats.letGo,
  );
  const caches = Object.entries({ json: cache, compressed: kept });
  const ofCaches = (read: (of: (typeof caches)[number][1]) => number) => () =>
    caches.map(([name, of]): Sample => [{ cache: name }, read(of)]);
  figures.gauge(
    'mapwright_cache_bytes',
    'Answers that are kept.',
    ['cache'],
    ofCaches(({ bytes }) => bytes),
  );
  figures.gauge(
    'mapwright_cache_limit_bytes',
    'What these may take.',
    ['cache'],
    ofCaches(({ limitBytes }) => limitBytes),
  );
  figures.counter(
    'mapwright_cache_hits_total',
    'What was asked for and was kept.',
    ['cache'],
    ofCaches(({ hits }) => hits),
  );
  figures.counter(
    'mapwright_cache_misses_total',
    'What had to be made.',
    ['cache'],
    ofCaches(({ misses }) => misses),
  );
}

/** The process as every Node program shows it, under the names that dashboards know. */
function processFigures(figures: Figures): LoopDelay {
  const startedS = Math.round(Date.now() / 1000 - process.uptime());
  figures.counter('process_cpu_seconds_total', 'Processor time, of all threads.', [], () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  figures.gauge('process_start_time_seconds', 'When the process began.', [], () => startedS);
  figures.gauge('process_resident_memory_bytes', 'Memory of the process.', [], () => process.memoryUsage.rss());
  const descriptorsMax = descriptorLimit();
  if (descriptorsMax !== undefined) {
    figures.gauge('process_open_fds', 'Open files and connections.', [], () => fs.readdirSync('/proc/self/fd').length);
    figures.gauge('process_max_fds', 'How many there may be.', [], () => descriptorsMax);
  }
  figures.gauge(
    'nodejs_heap_size_total_bytes',
    "Main thread's heap, free room included.",
    [],
    () => process.memoryUsage().heapTotal,
  );
  figures.gauge('nodejs_heap_size_used_bytes', "Main thread's heap.", [], () => process.memoryUsage().heapUsed);
  figures.gauge('nodejs_heap_size_limit_bytes', 'What it may grow to.', [], heapLimitBytes);
  figures.gauge('nodejs_external_memory_bytes', 'Buffers outside of the heap.', [], () => process.memoryUsage().external);
  const delay = new LoopDelay();
  for (const name of ['mean', 'p50', 'p90', 'p99', 'max'] as const)
    figures.gauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      'How late the event loop was, in the last 15 to 30 s or since the last look.',
      [],
      () => delay.look()[name],
    );
  return delay;
}

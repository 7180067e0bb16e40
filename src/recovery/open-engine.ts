/**
 * Opens the engine on a data folder: restores the newest snapshot that verifies, replays the log after it, repairs the tail and starts the
 * threads. Nothing on disk changes before snapshot and log are known to fit together.
 *
 * | newest snapshot | then                                                                                          |
 * | --------------- | --------------------------------------------------------------------------------------------- |
 * | verifies        | replay the log after it; refuse what the log's own table (wal/recovery/recover-wal.ts) refuses |
 * | does not        | report the damage; use the snapshot before it, or none, with the log from there, which must be complete |
 *
 * Damage is a {@link CorruptError}: file, offset, what was expected.
 */

import { dirname, join } from 'node:path';
import { type AssembleOptions, assemble } from '../engine/assemble.ts';
import type { Engine } from '../engine/engine.ts';
import { LogReaderThread } from '../engine/feed/log-reader-worker.ts';
import { MemoryBudget, memoryBytesDefault } from '../engine/memory/memory-budget.ts';
import { runCooperatively } from '../lib/async/cooperative.ts';
import { DisposeStack } from '../lib/async/dispose-stack.ts';
import { runToEnd } from '../lib/async/run-to-end.ts';
import { CorruptError } from '../lib/errors.ts';
import { type Files, nodeFiles } from '../lib/files/files.ts';
import { filesIn, type OpenFolder } from '../lib/files/open-folder.ts';
import type { Log } from '../lib/observability/logger.ts';
import type { ProgressCounter } from '../lib/threads/progress-counter.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { replayRecord } from '../snapshot/replay-record.ts';
import type { SnapshotReport } from '../snapshot/run/snapshot-run.ts';
import { SnapshotThreads, type SnapshotWorker } from '../snapshot/run/snapshot-worker.ts';
import { SnapshotScheduler, snapshotDefaults } from '../snapshot/scheduler.ts';
import { listSnapshots, quarantine, type RestoredSnapshot, restoreNewest } from '../snapshot/snapshot-folder.ts';
import { listSegments, readSegmentHeader, segmentBytesDefault } from '../wal/format/segment.ts';
import { logBytesAbove, type RecoveryPlan, recoveringWal } from '../wal/recovery/recover-wal.ts';
import { repairTail } from '../wal/recovery/repair-tail.ts';
import type { Tail } from '../wal/tail.ts';
import type { StallLimits } from '../wal/write/stall-watch.ts';
import { openWal, type Wal } from '../wal/write/wal.ts';
import { WalThreads, type WalWorker } from '../wal/write/wal-worker.ts';
import { cacheFormat, type FolderFormat, folderFormat, hasMarker, writeMarker } from './marker.ts';

export interface Folders {
  readonly journal: string;
  readonly snapshots: string;
  /** Path of the marker file (marker.ts). */
  readonly marker: string;
  /** The data folder itself: when it is replaced, the log stops. `undefined` skips this check. */
  readonly root?: OpenFolder;
}

/** The result of a recovery. */
export interface Recovery {
  readonly accounts: number;
  readonly projects: number;
  /** Records replayed from the log. */
  readonly records: number;
  /** LSN of the restored snapshot; 0 without one. */
  readonly snapshotLsn: number;
  /** Errors of the snapshots that did not verify and were quarantined. */
  readonly damaged: readonly CorruptError[];
}

export type OpenOptions = AssembleOptions & {
  readonly files?: Files;
  /** Workers for the log and the snapshots; threads by default. */
  readonly workers?: { readonly journal?: WalWorker; readonly snapshot?: SnapshotWorker };
  /** The folder is the cache of a log elsewhere. */
  readonly cacheOf?: CachedLog;
  /** What the folder must be; by default the data of one machine, or a cache with {@link cacheOf}. */
  readonly format?: FolderFormat;
  /**
   * Deletes no log during the start. The caller may still have to archive it: it takes a hold and then calls
   * {@link SnapshotScheduler.collectGarbage}.
   */
  readonly keepLog?: boolean;
  /** Limits for a slow disk; see {@link WalOptions.stall}. */
  readonly stall?: StallLimits;
  /** Counts the bytes to read and the bytes read. */
  readonly progress?: ProgressCounter;
} & Watchers;

/** A log elsewhere, of which the folder is a cache: it decides the lineage, and whether a response may be sent. */
export interface CachedLog {
  readonly lineage: string;
  readonly gate: () => Promise<void> | undefined;
}

/** Callbacks for events of the engine's parts. */
export interface Watchers {
  /** Called with the newest durable LSN, once for all records that became durable together. */
  readonly onDurable?: (lsn: number) => void;
  /** Called after every snapshot. */
  readonly onSnapshot?: (report: SnapshotReport) => void;
}

export interface Opened {
  readonly engine: Engine;
  /** Metrics of the engine's journal. */
  readonly wal: Pick<Wal, 'stats' | 'durableLsn'>;
  readonly recovery: Recovery;
}

/** Opens the engine. On failure, closes everything that it opened. Throws {@link CorruptError} for damage. */
export async function openEngine(folders: Folders, options: OpenOptions): Promise<Opened> {
  const opened = new DisposeStack();
  try {
    return await openWithin(opened, folders, options);
  } catch (error) {
    await opened.disposeAsync().catch(() => undefined);
    throw error;
  }
}

async function openWithin(opened: DisposeStack, folders: Folders, options: OpenOptions): Promise<Opened> {
  const memory = new MemoryBudget(options.memoryBytes ?? memoryBytesDefault(), undefined, options.decodedCacheBytes);
  opened.defer(() => memory.close());
  const { log, onFatal, workers, cacheOf } = options;
  const { root } = folders;
  const files = filesIn(options.files ?? nodeFiles, root?.identity);
  const worker = workers?.journal ?? new WalThreads(root).warm();
  opened.defer(() => worker.close());
  const { restored, plan, tail } = await runCooperatively(recovering(files, folders, options, memory));
  const { state, lsn: snapshotLsn, madeAt, damaged } = restored;
  const { onDurable, onSnapshot, stall } = options;
  const journal = await openWal(tail, {
    onFatal,
    log,
    ...(onDurable && { onDurable }),
    ...(stall && { stall }),
    ...(cacheOf && { gate: cacheOf.gate }),
    worker,
  });
  if (root !== undefined) root.onReplaced = (error) => journal.fail(error);
  opened.defer(() => journal.close());
  markFolder(files, folders.marker, formatOf(options), log);
  const snapshots = new SnapshotScheduler(journal, snapshotLsn, {
    files,
    journalFolder: folders.journal,
    snapshotFolder: folders.snapshots,
    bytes: options.snapshotBytes ?? snapshotDefaults.bytes,
    minutes: options.snapshotMinutes ?? snapshotDefaults.minutes,
    pauseMs: options.snapshotPauseMs ?? snapshotDefaults.pauseMs,
    log,
    madeAt,
    damage: damaged[0],
    ...(onSnapshot && { onSnapshot }),
    worker: workers?.snapshot ?? new SnapshotThreads(log, root?.identity),
  });
  opened.defer(() => snapshots.close());
  // A crash between a snapshot and its cleanup leaves obsolete files.
  if (options.keepLog !== true) await snapshots.collectGarbage();
  const reader = new LogReaderThread(log, root?.identity);
  opened.defer(() => reader.close());
  const engine = assemble({ state, journal, snapshots, memory, folder: folders.journal, worker: reader }, options);
  let projects = 0;
  for (const account of state.accounts.values()) projects += account.projects.size;
  return {
    engine,
    wal: journal,
    recovery: { accounts: state.accounts.size, projects, records: plan.records, snapshotLsn, damaged },
  };
}

/** The recovered state, the plan for the log, and its tail. */
interface Recovered {
  readonly restored: RestoredSnapshot;
  readonly plan: RecoveryPlan;
  readonly tail: Tail;
}

type RecoverOptions = Pick<OpenOptions, 'log' | 'sync' | 'segmentBytes' | 'clock' | 'progress' | 'cacheOf' | 'format'>;

/** Restores the state and repairs the tail: the part of a start before the threads, and before any read. */
export function recoverFolder(files: Files, folders: Folders, options: RecoverOptions): Recovered {
  return runToEnd(recovering(files, folders, options));
}

/** {@link recoverFolder} in slices, so that the startup listener can report progress meanwhile. */
function* recovering(files: Files, folders: Folders, options: RecoverOptions, memory?: MemoryBudget): Generator<void, Recovered> {
  const { log, sync = 'always', segmentBytes = segmentBytesDefault, clock = Date.now, cacheOf } = options;
  const { restored, plan } = yield* restoring(files, folders, formatOf(options), memory, options.progress);
  for (const error of restored.damaged)
    log.error(
      { file: error.file, offset: error.offset },
      `a snapshot is damaged; restored the one before it, or none, and replayed the log from there: ${error.message}`,
    );
  files.makeFolder(folders.snapshots);
  files.syncFolder(dirname(folders.snapshots));
  quarantine(files, folders.snapshots, restored.broken);
  // The name of a snapshot must be durable before anything that it covers is deleted.
  files.syncFolder(folders.snapshots);
  return {
    restored,
    plan,
    tail: repairTail(files, plan, {
      sync,
      segmentBytes,
      now: clock,
      log,
      ...(cacheOf && { lineage: cacheOf.lineage, isCache: true }),
    }),
  };
}

/** Restores the state and plans the log's recovery, whatever the folder is. Changes nothing on disk. */
export function restore(files: Files, folders: Folders): Omit<Recovered, 'tail'> {
  return runToEnd(restoring(files, folders, 'any'));
}

function* restoring(
  files: Files,
  folders: Folders,
  format: FolderFormat | 'any',
  memory?: MemoryBudget,
  progress?: ProgressCounter,
): Generator<void, Omit<Recovered, 'tail'>> {
  const { journal, snapshots, marker } = folders;
  const marked = hasMarker(files, marker, format);
  if (progress !== undefined) {
    const [newest = 0] = listSnapshots(files, snapshots);
    progress.expect(logBytesAbove(files, journal, newest));
  }
  const restored = yield* restoreNewest(files, snapshots, memory, progress);
  try {
    const plan = yield* recoveringWal(files, journal, {
      after: restored.lsn,
      onBytes: (bytes) => progress?.add(bytes),
      onRecord: (lsn, bytes) => {
        replayRecord(restored.state, files, journal, lsn, bytes);
        memory?.replayed(restored.state, bytes.byteLength);
      },
    });
    if (marked && plan.last === undefined) {
      throw new CorruptError(
        journal,
        0,
        `no segment found, but ${marker} shows that the folder had a log: restore the files of this folder`,
      );
    }
    if (restored.nextSalt !== undefined) refuseForeign(files, folders, restored.lsn, restored.nextSalt);
    return { restored, plan };
  } catch (error) {
    const [newest] = restored.damaged;
    if (newest === undefined || !(error instanceof CorruptError)) throw error;
    // Without that snapshot the log must reach further back, and it does not: so the snapshot's damage is reported.
    throw new CorruptError(
      newest.file,
      newest.offset,
      `the snapshot does not verify (${newest.found}), and the log before it is incomplete (${error.message})`,
    );
  }
}

function formatOf({ cacheOf, format }: Pick<OpenOptions, 'cacheOf' | 'format'>): FolderFormat {
  return format ?? (cacheOf === undefined ? folderFormat : cacheFormat);
}

/** A full disk must not prevent the start: the next start writes the marker. */
function markFolder(files: Files, marker: string, format: FolderFormat, log: Log): void {
  try {
    writeMarker(files, marker, format);
  } catch (error) {
    log.warn({ err: error, file: marker }, 'cannot write the marker of the data folder; the next start tries again');
  }
}

/** Refuses a snapshot of another folder: its LSN may fit the log, but it does not have the salt of the segment that continues it. */
function refuseForeign(files: Files, { journal, snapshots }: Folders, lsn: number, salt: number): void {
  const next = listSegments(files, journal).find(({ firstLsn }) => firstLsn === lsn + 1);
  if (next === undefined || readSegmentHeader(files, next.path).salt === salt) return;
  throw new CorruptError(join(snapshots, snapshotName(lsn)), 48, `it is not a snapshot of the log that ${next.path} continues`);
}

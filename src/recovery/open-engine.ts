/**
 * Opens the engine on a data folder: the newest snapshot that verifies, then every record of the log above it, then the tail is
 * settled and the threads start. Nothing is changed on disk before snapshot and log were found to fit together.
 *
 * | newest snapshot | then                                                                                          |
 * | --------------- | --------------------------------------------------------------------------------------------- |
 * | verifies        | the log above it is replayed; what the log's own table (wal/recovery/recover-wal.ts) refuses is refused  |
 * | does not        | told as damage; the one before it, or the beginning, with the log from there, which must be whole |
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
import type { FoldReport } from '../snapshot/fold/fold.ts';
import { SnapshotThreads, type SnapshotWorker } from '../snapshot/fold/snapshot-worker.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { replayRecord } from '../snapshot/replay-record.ts';
import { SnapshotScheduler, snapshotDefaults } from '../snapshot/scheduler.ts';
import { listSnapshots, quarantine, type RestoredSnapshot, restoreNewest } from '../snapshot/snapshot-folder.ts';
import { listSegments, readSegmentHeader, segmentBytesDefault } from '../wal/format/segment.ts';
import { logBytesAbove, type RecoveryPlan, recoveringWal } from '../wal/recovery/recover-wal.ts';
import { repairTail, type Tail } from '../wal/recovery/repair-tail.ts';
import type { StallLimits } from '../wal/write/stall-watch.ts';
import { openWal, type Wal } from '../wal/write/wal.ts';
import { WalThreads, type WalWorker } from '../wal/write/wal-worker.ts';
import { hasMarker, writeMarker } from './marker.ts';

export interface Folders {
  readonly journal: string;
  readonly snapshots: string;
  /** Path of the file that says what the data folder is (marker.ts). */
  readonly marker: string;
  /** The data folder itself, where the log is to stop when it is replaced. */
  readonly root?: OpenFolder;
}

/** What a restart found. */
export interface Recovery {
  readonly accounts: number;
  readonly projects: number;
  /** Records replayed from the log. */
  readonly records: number;
  /** LSN of the snapshot that was used; 0 without one. */
  readonly snapshotLsn: number;
  /** Snapshots that did not verify and were set aside. */
  readonly damaged: readonly CorruptError[];
}

export type OpenOptions = AssembleOptions & {
  readonly files?: Files;
  /** Who works on the files; threads of their own. */
  readonly crews?: { readonly journal: WalWorker; readonly fold: SnapshotWorker };
  /** Deletes nothing yet: somebody may still have to copy the log, says so with a hold, and then calls {@link SnapshotScheduler.collectGarbage}. */
  readonly keepLog?: boolean;
  /** How long the disk may take; see {@link WalOptions.stall}. */
  readonly stall?: StallLimits;
  /** Shows how much of what has to be read was. */
  readonly meter?: ProgressCounter;
} & Watchers;

/** Who is told what the engine's parts do. */
export interface Watchers {
  /** Of the newest record that is durable, once for all that became so together. */
  readonly onDurable?: (lsn: number) => void;
  /** Of every snapshot that was folded. */
  readonly onFold?: (report: FoldReport) => void;
}

export interface Opened {
  readonly engine: Engine;
  /** Figures of the engine's journal. */
  readonly wal: Pick<Wal, 'stats' | 'durableLsn'>;
  readonly recovery: Recovery;
}

/** Opens the engine. Where that fails, all that was opened for it is closed again. */
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
  const { log, onFatal, crews } = options;
  const { root } = folders;
  const files = filesIn(options.files ?? nodeFiles, root?.identity);
  const { restored, plan, tail } = await runCooperatively(recovering(files, folders, options, memory));
  const { state, lsn: snapshotLsn, madeAt, damaged } = restored;
  const { onDurable, onFold, stall } = options;
  const journal = await openWal(tail, {
    onFatal,
    log,
    ...(onDurable && { onDurable }),
    ...(stall && { stall }),
    crew: crews?.journal ?? new WalThreads(root),
  });
  if (root !== undefined) root.onReplaced = (error) => journal.fail(error);
  opened.defer(() => journal.close());
  markFolder(files, folders.marker, log);
  const folding = new SnapshotScheduler(journal, snapshotLsn, {
    files,
    journalFolder: folders.journal,
    snapshotFolder: folders.snapshots,
    bytes: options.snapshotBytes ?? snapshotDefaults.bytes,
    minutes: options.snapshotMinutes ?? snapshotDefaults.minutes,
    pauseMs: options.snapshotPauseMs ?? snapshotDefaults.pauseMs,
    log,
    madeAt,
    damage: damaged[0],
    ...(onFold && { onFold }),
    crew: crews?.fold ?? new SnapshotThreads(log, root?.identity),
  });
  opened.defer(() => folding.close());
  // A crash between a fold and its deletions leaves what they would have deleted.
  if (options.keepLog !== true) await folding.collectGarbage();
  const crew = new LogReaderThread(log, root?.identity);
  opened.defer(() => crew.close());
  const engine = assemble({ state, journal, snapshots: folding, memory, folder: folders.journal, crew }, options);
  let projects = 0;
  for (const account of state.accounts.values()) projects += account.projects.size;
  return {
    engine,
    wal: journal,
    recovery: { accounts: state.accounts.size, projects, records: plan.records, snapshotLsn, damaged },
  };
}

/** State and log as they fit together, and where the log goes on. */
interface Recovered {
  readonly restored: RestoredSnapshot;
  readonly plan: RecoveryPlan;
  readonly tail: Tail;
}

type RecoverOptions = Pick<OpenOptions, 'log' | 'sync' | 'segmentBytes' | 'clock' | 'meter'>;

/** Restores and settles: all of a start that comes before the threads, and before anybody may read. */
export function recoverFolder(files: Files, folders: Folders, options: RecoverOptions): Recovered {
  return runToEnd(recovering(files, folders, options));
}

/** The same; may be interrupted, so that whoever asks meanwhile can be told how far it is. */
function* recovering(files: Files, folders: Folders, options: RecoverOptions, memory?: MemoryBudget): Generator<void, Recovered> {
  const { log, sync = 'always', segmentBytes = segmentBytesDefault, clock = Date.now } = options;
  const { restored, plan } = yield* restoring(files, folders, memory, options.meter);
  for (const error of restored.damaged)
    log.error(
      { file: error.file, offset: error.offset },
      `damage in a snapshot, what is before it is used, with the log from there: ${error.message}`,
    );
  files.makeFolder(folders.snapshots);
  files.syncFolder(dirname(folders.snapshots));
  quarantine(files, folders.snapshots, restored.broken);
  // Before anything is deleted that a snapshot covers: its name may not be on the disk yet.
  files.syncFolder(folders.snapshots);
  return { restored, plan, tail: repairTail(files, plan, { sync, segmentBytes, now: clock, log }) };
}

/** State and log as they fit together. Reads only. */
export function restore(files: Files, folders: Folders): Omit<Recovered, 'tail'> {
  return runToEnd(restoring(files, folders));
}

function* restoring(
  files: Files,
  folders: Folders,
  memory?: MemoryBudget,
  meter?: ProgressCounter,
): Generator<void, Omit<Recovered, 'tail'>> {
  const { journal, snapshots, marker } = folders;
  const marked = hasMarker(files, marker);
  if (meter !== undefined) {
    const [newest = 0] = listSnapshots(files, snapshots);
    meter.expect(logBytesAbove(files, journal, newest));
  }
  const restored = yield* restoreNewest(files, snapshots, memory, meter);
  try {
    const plan = yield* recoveringWal(files, journal, {
      after: restored.lsn,
      onBytes: (bytes) => meter?.add(bytes),
      onRecord: (lsn, bytes) => {
        replayRecord(restored.state, files, journal, lsn, bytes);
        memory?.replayed(restored.state, bytes.byteLength);
      },
    });
    if (marked && plan.last === undefined) {
      throw new CorruptError(journal, 0, `there is no segment, and ${marker} says that this is no new folder`);
    }
    if (restored.nextSalt !== undefined) refuseForeign(files, folders, restored.lsn, restored.nextSalt);
    return { restored, plan };
  } catch (error) {
    const [newest] = restored.damaged;
    if (newest === undefined || !(error instanceof CorruptError)) throw error;
    // Without that snapshot the log has to reach further back, and it does not: the snapshot is what is wrong.
    throw new CorruptError(
      newest.file,
      newest.offset,
      `the snapshot does not verify (${newest.found}), and the log before it is not whole (${error.message})`,
    );
  }
}

/** A disk too full for one line must not keep the maps from being read: the next start tries again. */
function markFolder(files: Files, marker: string, log: Log): void {
  try {
    writeMarker(files, marker);
  } catch (error) {
    log.warn({ err: error }, 'the data folder could not be marked as one');
  }
}

/** A snapshot of another folder may fit the log by its number alone; the segment that continues it is the one whose salt it knows. */
function refuseForeign(files: Files, { journal, snapshots }: Folders, lsn: number, salt: number): void {
  const next = listSegments(files, journal).find(({ firstLsn }) => firstLsn === lsn + 1);
  if (next === undefined || readSegmentHeader(files, next.path).salt === salt) return;
  throw new CorruptError(join(snapshots, snapshotName(lsn)), 48, `it is not a snapshot of the log that ${next.path} continues`);
}

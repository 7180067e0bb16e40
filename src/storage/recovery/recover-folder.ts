/**
 * Recovers a data folder: restores the newest snapshot that verifies, plans the log after it, repairs the tail. Nothing on disk changes before
 * snapshot and log are known to fit together.
 *
 * | newest snapshot | then                                                                                          |
 * | --------------- | --------------------------------------------------------------------------------------------- |
 * | verifies        | replay the log after it; refuse what the log's own table (wal/recovery/recover-wal.ts) refuses |
 * | does not        | report the damage; use the snapshot before it, or none, with the log from there, which must be complete |
 *
 * Damage is a {@link CorruptError}: file, offset, what was expected.
 */
import { dirname, join } from 'node:path';
import { runToEnd } from '../../lib/async/run-to-end.ts';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import type { OpenFolder } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import type { LeafKind } from '../../store/leaf.ts';
import { runLeaves } from '../../store/run-leaf.ts';
import type { State } from '../../store/state.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { replayRecord } from '../snapshot/replay-record.ts';
import { listSnapshots, quarantine, type RestoredSnapshot, restoreNewest } from '../snapshot/snapshot-folder.ts';
import { listSegments, readSegmentHeader, type SyncMode, segmentBytesDefault } from '../wal/format/segment.ts';
import { logBytesAbove, type RecoveryPlan, recoveringWal } from '../wal/recovery/recover-wal.ts';
import { repairTail } from '../wal/recovery/repair-tail.ts';
import type { Tail } from '../wal/tail.ts';
import { cacheFormat, type FolderFormat, folderFormat, hasMarker } from './marker.ts';

export interface Folders {
  readonly journal: string;
  readonly snapshots: string;
  /** The blobs of files; `undefined` for a folder without files. */
  readonly blobs?: string;
  /** Path of the marker file (marker.ts). */
  readonly marker: string;
  /** The data folder itself: when it is replaced, the log stops. `undefined` skips this check. */
  readonly root?: OpenFolder;
}

/** The recovered state, the plan for the log, and its tail. */
interface Recovered {
  readonly restored: RestoredSnapshot;
  readonly plan: RecoveryPlan;
  readonly tail: Tail;
  /** Greatest time of a record, Unix time in milliseconds; 0 without records. */
  readonly newestMs: number;
}

interface RecoverOptions {
  readonly log: Log;
  readonly sync?: SyncMode;
  readonly segmentBytes?: number;
  readonly clock?: () => number;
  /** Counts the bytes to read and the bytes read. */
  readonly progress?: ProgressCounter;
  /** The folder is the cache of a log elsewhere, of this lineage. */
  readonly cacheOf?: { readonly lineage: string };
  /** What the folder must be; by default the data of one machine, or a cache with {@link cacheOf}. */
  readonly format?: FolderFormat;
}

/** The memory of a state. */
interface ReplayMemory {
  readonly leafKind: LeafKind;
  /** Called for each replayed record, with its size. */
  replayed(state: State, bytes: number): void;
}

/** For a state that is looked at once: nothing is evicted. */
const unbounded: ReplayMemory = { leafKind: runLeaves, replayed: () => undefined };

/** Restores the state and repairs the tail: the part of a start before the threads, and before any read. */
export function recoverFolder(files: Files, folders: Folders, options: RecoverOptions): Recovered {
  return runToEnd(recovering(files, folders, options, unbounded));
}

/** {@link recoverFolder} in slices, so that the startup listener can report progress meanwhile. */
export function* recovering(
  files: Files,
  folders: Folders,
  options: RecoverOptions,
  memory: ReplayMemory,
): Generator<void, Recovered> {
  const { log, sync = 'always', segmentBytes = segmentBytesDefault, clock = Date.now, cacheOf } = options;
  const { restored, plan, newestMs } = yield* restoring(files, folders, formatOf(options), memory, options.progress);
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
    newestMs,
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
  return runToEnd(restoring(files, folders, 'any', unbounded));
}

function* restoring(
  files: Files,
  folders: Folders,
  format: FolderFormat | 'any',
  memory: ReplayMemory,
  progress?: ProgressCounter,
): Generator<void, Omit<Recovered, 'tail'>> {
  const { journal, snapshots, marker } = folders;
  const marked = hasMarker(files, marker, format);
  if (progress !== undefined) {
    const [newest = 0] = listSnapshots(files, snapshots);
    progress.expect(logBytesAbove(files, journal, newest));
  }
  const restored = yield* restoreNewest(files, snapshots, memory.leafKind, progress);
  let newestMs = restored.newestTime;
  try {
    const plan = yield* recoveringWal(files, journal, {
      after: restored.lsn,
      onBytes: (bytes) => progress?.add(bytes),
      onRecord: (lsn, bytes) => {
        newestMs = Math.max(newestMs, replayRecord(restored.state, files, journal, lsn, bytes));
        memory.replayed(restored.state, bytes.byteLength);
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
    return { restored, plan, newestMs };
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

/** Refuses a snapshot of another folder: its LSN may fit the log, but it does not have the salt of the segment that continues it. */
function refuseForeign(files: Files, { journal, snapshots }: Folders, lsn: number, salt: number): void {
  const next = listSegments(files, journal).find(({ firstLsn }) => firstLsn === lsn + 1);
  if (next === undefined || readSegmentHeader(files, next.path).salt === salt) return;
  throw new CorruptError(join(snapshots, snapshotName(lsn)), 48, `it is not a snapshot of the log that ${next.path} continues`);
}

export function formatOf({ cacheOf, format }: Pick<RecoverOptions, 'cacheOf' | 'format'>): FolderFormat {
  return format ?? (cacheOf === undefined ? folderFormat : cacheFormat);
}

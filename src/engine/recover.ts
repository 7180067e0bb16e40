/**
 * Opens the engine on a data folder: the newest snapshot that verifies, then every record of the log above it, then the tail is
 * settled and the threads start. Nothing is changed on disk before snapshot and log were found to fit together.
 *
 * | newest snapshot | then                                                                                          |
 * | --------------- | --------------------------------------------------------------------------------------------- |
 * | verifies        | the log above it is replayed; what the log's own table (journal/recover.ts) refuses is refused  |
 * | does not        | told as damage; the one before it, or the beginning, with the log from there, which must be whole |
 *
 * Damage is a {@link CorruptError}: file, offset, what was expected.
 */

import { dirname, join } from 'node:path';
import type { Crew } from '../journal/crew.ts';
import { openWal } from '../journal/open-wal.ts';
import { type RecoveryPlan, recoverWal } from '../journal/recover.ts';
import { listSegments, readSegmentHeader, type SyncMode, segmentBytesDefault } from '../journal/segment.ts';
import { settleWal, type Tail } from '../journal/settle.ts';
import type { Wal } from '../journal/wal.ts';
import { CorruptError } from '../lib/errors.ts';
import { type Files, nodeFiles } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { Quotas } from '../model/limits.ts';
import type { Compat } from '../model/resource.ts';
import type { FoldCrew } from '../snapshot/fold-crew.ts';
import { type Restored, restoreNewest, tidySnapshots } from '../snapshot/folder.ts';
import { snapshotName } from '../snapshot/format.ts';
import { replayRecord } from '../snapshot/replay-record.ts';
import { Engine } from './engine.ts';
import { Feed, unreadBytesDefault } from './feed.ts';
import { Folding, foldingDefaults } from './folding.ts';
import { LogThread } from './log-thread.ts';
import { hasMarker, writeMarker } from './marker.ts';
import { Memory, memoryBytesDefault } from './memory.ts';
import { unbounded } from './quotas.ts';

/** The most that events which wait for their followers may hold of the memory budget. */
const unreadShare = 1 / 16;

export interface EngineOptions {
  /** When writes reach the disk; default `always`. With the others, a crash may lose what was acknowledged. */
  readonly sync: SyncMode;
  /** Size of a log segment in bytes; default 16 MiB. */
  readonly segmentBytes: number;
  /** Sealed log that calls for a snapshot, in bytes; default 64 MiB. */
  readonly snapshotBytes: number;
  /** Time with at least one record that calls for a snapshot, in minutes; default 60. */
  readonly snapshotMinutes: number;
  /** Pause of a fold after each megabyte it writes, in milliseconds; default 10. */
  readonly foldPauseMs: number;
  /** Elements that the collections in one request may hold together; default 50,000. */
  readonly elementsMax: number;
  /** Which original is spoken: the one that the contract describes, or what has become of it since; default `contract`. */
  readonly compat: Compat;
  /** Memory for the answers that an account gets again when it repeats a request with an `Idempotency-Key`, in bytes; default 64 MiB. */
  readonly idempotencyBytes: number;
  /** What an account may hold for which nothing else is set; no bounds by default. */
  readonly quotas: Partial<Quotas<number>>;
  /**
   * Memory that the process may need before changes that grow are refused, in bytes; by default a share of what the machine and V8's heap
   * limit allow (memory.ts).
   */
  readonly memoryBytes: number;
  /** Memory for members as values, in bytes; beyond, they are bytes again when nobody looks; default two fifths of `memoryBytes`. */
  readonly decodedBytes: number;
  /** Milliseconds since 1970; default `Date.now`. Order and identifiers do not depend on it. */
  readonly clock: () => number;
}

export interface Folders {
  readonly journal: string;
  readonly snapshots: string;
  /** Path of the file that says what the data folder is (marker.ts). */
  readonly marker: string;
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

export type OpenOptions = Partial<EngineOptions> & {
  readonly log: Log;
  readonly onFatal: (error: unknown) => void;
  readonly files?: Files;
  /** Whether nobody but one client asks: its records are then written without the detour through a thread. By default never. */
  readonly alone?: () => boolean;
  /** Who works on the files; threads of their own. */
  readonly crews?: { readonly journal: Crew; readonly fold: FoldCrew };
  /** Deletes nothing yet: somebody may still have to copy the log, says so with a hold, and then calls {@link Folding.tidy}. */
  readonly keepLog?: boolean;
};

export interface Opened {
  readonly engine: Engine;
  /** The engine's journal, as what it is. */
  readonly wal: Wal;
  readonly recovery: Recovery;
}

export async function openEngine(folders: Folders, options: OpenOptions): Promise<Opened> {
  const memory = new Memory(options.memoryBytes ?? memoryBytesDefault(), undefined, options.decodedBytes);
  try {
    return await openWithin(memory, folders, options);
  } catch (error) {
    memory.close();
    throw error;
  }
}

async function openWithin(memory: Memory, folders: Folders, options: OpenOptions): Promise<Opened> {
  const { log, onFatal, files = nodeFiles, clock = Date.now, crews } = options;
  const { restored, plan, tail } = recoverFolder(files, folders, options, memory);
  const { state, lsn: snapshotLsn, madeAt, damaged } = restored;
  const { alone } = options;
  const journal = await openWal(tail, { onFatal, log, ...(alone && { alone }), ...(crews && { crew: crews.journal }) });
  markFolder(files, folders.marker, log);
  const folding = new Folding(journal, snapshotLsn, {
    files,
    journalFolder: folders.journal,
    snapshotFolder: folders.snapshots,
    bytes: options.snapshotBytes ?? foldingDefaults.bytes,
    minutes: options.snapshotMinutes ?? foldingDefaults.minutes,
    pauseMs: options.foldPauseMs ?? foldingDefaults.pauseMs,
    log,
    madeAt,
    damage: damaged[0],
    ...(crews && { crew: crews.fold }),
  });
  // A crash between a fold and its deletions leaves what they would have deleted.
  if (options.keepLog !== true) await folding.tidy();
  const unreadBytesMax = Math.min(unreadBytesDefault, memory.budgetBytes * unreadShare);
  const { compat = 'contract' } = options;
  const crew = new LogThread(log);
  const feed = new Feed({ state, journal, folder: folders.journal, crew, log, compat, clock, unreadBytesMax });
  const engine = new Engine({
    state,
    journal,
    folding,
    memory,
    feed,
    elementsMax: options.elementsMax ?? 50_000,
    answersBytesMax: options.idempotencyBytes ?? 64 * 1024 * 1024,
    quotas: options.quotas === undefined ? unbounded : { ...unbounded, ...options.quotas },
    compat,
    clock,
    onFatal,
  });
  memory.letGoOf(state);
  let projects = 0;
  for (const account of state.accounts.values()) projects += account.projects.size;
  return {
    engine,
    wal: journal,
    recovery: { accounts: state.accounts.size, projects, records: plan.records, snapshotLsn, damaged },
  };
}

/** Restores and settles: all of a start that comes before the threads, and before anybody may read. */
export function recoverFolder(
  files: Files,
  folders: Folders,
  options: Pick<OpenOptions, 'log' | 'sync' | 'segmentBytes' | 'clock'>,
  memory?: Memory,
): { restored: Restored; plan: RecoveryPlan; tail: Tail } {
  const { log, sync = 'always', segmentBytes = segmentBytesDefault, clock = Date.now } = options;
  const { restored, plan } = restore(files, folders, memory);
  for (const error of restored.damaged)
    log.error(
      { file: error.file, offset: error.offset },
      `damage in a snapshot, what is before it is used, with the log from there: ${error.message}`,
    );
  files.makeFolder(folders.snapshots);
  files.syncFolder(dirname(folders.snapshots));
  tidySnapshots(files, folders.snapshots, restored.broken);
  return { restored, plan, tail: settleWal(files, plan, { sync, segmentBytes, now: clock, log }) };
}

/** State and log as they fit together. Reads only. */
export function restore(files: Files, folders: Folders, memory?: Memory): { restored: Restored; plan: RecoveryPlan } {
  const { journal, snapshots, marker } = folders;
  const marked = hasMarker(files, marker);
  const restored = restoreNewest(files, snapshots, memory);
  try {
    const plan = recoverWal(files, journal, {
      after: restored.lsn,
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

/** Opens the engine on a data folder: recovers it, and starts the threads of log, snapshots and change feed. */

import { runCooperatively } from '../lib/async/cooperative.ts';
import { DisposeStack } from '../lib/async/dispose-stack.ts';
import type { CorruptError } from '../lib/errors.ts';
import { type Files, nodeFiles } from '../lib/files/files.ts';
import { filesIn } from '../lib/files/open-folder.ts';
import type { Log } from '../lib/observability/logger.ts';
import { PictureRecognizer } from '../lib/pictures/picture-recognizer.ts';
import type { ProgressCounter } from '../lib/threads/progress-counter.ts';
import { readNote } from '../storage/blobs/blob-note.ts';
import type { BlobOrigin } from '../storage/blobs/blob-origin.ts';
import { BlobStore } from '../storage/blobs/blob-store.ts';
import type { BlobWorker } from '../storage/blobs/blob-threads.ts';
import { type FolderFormat, writeMarker } from '../storage/recovery/marker.ts';
import { type Folders, formatOf, recovering } from '../storage/recovery/recover-folder.ts';
import type { SnapshotReport } from '../storage/snapshot/run/snapshot-run.ts';
import { SnapshotThreads, type SnapshotWorker } from '../storage/snapshot/run/snapshot-worker.ts';
import { SnapshotScheduler, snapshotDefaults } from '../storage/snapshot/scheduler.ts';
import type { StallLimits } from '../storage/wal/write/stall-watch.ts';
import { openWal, type Wal } from '../storage/wal/write/wal.ts';
import { WalThreads, type WalWorker } from '../storage/wal/write/wal-worker.ts';
import type { FileIndex } from '../store/file-index.ts';
import { indexFiles } from '../store/index-files.ts';
import type { State } from '../store/state.ts';
import { type AssembleOptions, assemble, quotasIn } from './assemble.ts';
import type { Engine } from './engine.ts';
import { LogReaderThread, type LogReaderWorker } from './feed/log-reader-worker.ts';
import { BlobCollector } from './files/blob-collector.ts';
import { StoredFiles } from './files/stored-files.ts';
import { MemoryBudget } from './memory/memory-budget.ts';

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
  /** Workers for the log, the snapshots and the change feed; threads by default. */
  readonly workers?: {
    readonly journal?: WalWorker;
    readonly snapshot?: SnapshotWorker;
    readonly reader?: LogReaderWorker;
    /** Keeps blobs elsewhere than in a folder. */
    readonly blobs?: BlobWorker;
  };
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
interface CachedLog {
  readonly lineage: string;
  readonly gate: () => Promise<void> | undefined;
  /** Where the bytes of files are durable. */
  readonly blobs: BlobOrigin;
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
  const memory = options.memory ?? MemoryBudget.of(options);
  opened.defer(() => memory.close());
  const { log, onFatal, workers, cacheOf } = options;
  const { root } = folders;
  const files = filesIn(options.files ?? nodeFiles, root?.identity);
  const worker = workers?.journal ?? new WalThreads(root).warm();
  opened.defer(() => worker.close());
  const { restored, plan, tail, newestMs } = await runCooperatively(recovering(files, folders, options, memory));
  warnOfClock(newestMs, options);
  const { state, lsn: snapshotLsn, madeAt, damaged } = restored;
  const { onDurable, onSnapshot, stall } = options;
  await runCooperatively(indexFiles(state));
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
  const stored = openFiles(files, folders, state, options, memory);
  if (stored !== undefined) {
    opened.defer(() => stored.close());
    snapshots.onCollected = (lsn) => void stored.collector.collect(lsn);
  }
  // A crash between a snapshot and its cleanup leaves obsolete files.
  if (options.keepLog !== true) await snapshots.collectGarbage();
  const reader = workers?.reader ?? new LogReaderThread(log, root?.identity);
  opened.defer(() => reader.close());
  const engine = assemble({ state, journal, snapshots, memory, files: stored, folder: folders.journal, worker: reader }, options);
  let projects = 0;
  for (const account of state.accounts.values()) projects += account.projects.size;
  return {
    engine,
    wal: journal,
    recovery: { accounts: state.accounts.size, projects, records: plan.records, snapshotLsn, damaged },
  };
}

/** A clock that is further behind what was written before was set back, or was wrong then, in milliseconds. */
const behindMsMax = 86_400_000;

function warnOfClock(newestMs: number, { log, clock = Date.now }: OpenOptions): void {
  const now = clock();
  if (newestMs <= now + behindMsMax) return;
  log.warn(
    { now: new Date(now).toISOString(), newest: new Date(newestMs).toISOString() },
    'the clock of this machine is more than a day behind the newest record: it went back, or was wrong before. Set it. Keys expire by it, and times in the data are in another order than the records',
  );
}

/** Opens the blobs of the files. What is missing is found while requests are served. */
function openFiles(
  files: Files,
  { root, blobs: folder }: Folders,
  state: State,
  options: OpenOptions,
  memory: MemoryBudget,
): StoredFiles | undefined {
  const { log, onFatal, stall, workers, cacheOf, clock = Date.now } = options;
  if (folder === undefined && workers?.blobs === undefined) return undefined;
  const index = state.files as FileIndex;
  const blobs =
    folder === undefined
      ? BlobStore.inMemory(log, workers?.blobs)
      : BlobStore.open(files, folder, {
          ...{ log, onFatal, ...(root && { root }), ...(stall && { stall }), ...(cacheOf && { origin: cacheOf.blobs }) },
          onLeft: (digest) => index.foundUnreferenced(digest, state.lsn),
        });
  const collector = new BlobCollector(index, blobs, { log, clock });
  if (folder !== undefined) collector.resume(readNote(files, folder), state.lsn);
  void collector.check(state.lsn);
  return new StoredFiles(new PictureRecognizer({ log }), { state, blobs, collector, quotas: quotasIn(options), log }, memory);
}

/** A full disk must not prevent the start: the next start writes the marker. */
function markFolder(files: Files, marker: string, format: FolderFormat, log: Log): void {
  try {
    writeMarker(files, marker, format);
  } catch (error) {
    log.warn({ err: error, file: marker }, 'cannot write the marker of the data folder; the next start tries again');
  }
}

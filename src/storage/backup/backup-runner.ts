/**
 * Backups of a running engine. The engine's own thread only seals the log and passes names on; nothing waits for the rest. A thread of
 * lowest priority merges the newest snapshot and the sealed segments after it straight into the target:
 *
 *     seal -> hold snapshot and log -> write <target>.tmp -> sync -> read back -> rename -> sync the folder -> release
 *
 * One backup runs at a time. An interrupted backup leaves at most a `.tmp` file, which is never read as a backup.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { FolderError, StoppedError } from '../../lib/errors.ts';
import { deleteFiles, nodeFiles } from '../../lib/files/files.ts';
import type { FolderIdentity } from '../../lib/files/open-folder.ts';
import { type BackupMessage, diagnostics, traceOperation } from '../../lib/observability/diagnostics.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { type OnProgress, ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { BlobFolders, LostBlobName } from '../snapshot/run/blob-keeper.ts';
import { type BackupDestination, backupPathOf } from './backup-path.ts';
import type { BackupTask } from './backup-worker.ts';
import { blobsName } from './blobs/backup-blobs.ts';
import type { JobName, JobRequest, JobResult } from './jobs.ts';

/** The parts of an engine that a backup needs. */
export interface BackupSource {
  readonly journal: {
    readonly lineage: string;
    readonly nextLsn: number;
    /** Seals the records appended so far. Returns the newest sealed LSN. */
    seal(): Promise<number>;
    readonly sealed: readonly { readonly lastLsn: number; readonly bytes: number }[];
  };
  readonly snapshots: {
    /** LSN of the newest snapshot; 0 when there is none. */
    readonly snapshotLsn: number;
    hold(lsn: number, what: { readonly snapshot: boolean }): { move(lsn: number): void; release(): void };
  };
}

interface BackupRunnerOptions {
  readonly dataFolder: string;
  /** Identity of the data folder: a backup fails if the folder was replaced. `undefined`: not checked. */
  readonly root?: FolderIdentity;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** The folder of blobs; `undefined`: no file has any. */
  readonly blobFolder?: string;
  /**
   * Called before a backup is written, and once more with what it lacks: brings blobs that the folder is a cache of. Resolves with whether
   * it brought any. By default the folder has all there are.
   */
  readonly bringBlobs?: (lost?: readonly LostBlobName[]) => Promise<boolean>;
  /** Pause after each megabyte written, in milliseconds. */
  readonly pauseMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
}

export interface BackupReport {
  readonly path: string;
  /** The newest record in it. */
  readonly lsn: number;
  /** RFC 3339. */
  readonly time: string;
  readonly bytes: number;
  /** Blobs that files need and that are missing or damaged in the data folder: the backup is without them. */
  readonly lostBlobs: readonly LostBlobName[];
}

/** Interval between two progress reports, in milliseconds. */
const progressMs = 200;

/** How many bytes of the files beside the backups a backup reads again. It begins anywhere, so all of them are read in time. */
const rereadBytes = 64 * 1024 * 1024;

export class BackupRunner {
  readonly #source: BackupSource;
  readonly #options: BackupRunnerOptions;
  readonly #thread: JobThread;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(source: BackupSource, options: BackupRunnerOptions) {
    this.#source = source;
    this.#options = options;
    this.#thread = new JobThread(workerFile(import.meta.url, './backup-worker'), {
      what: 'backups',
      log: options.log,
      pauses: true,
    });
  }

  /**
   * Writes a backup, after the one that is running. A rejected backup leaves no file.
   *
   * Rejects with FolderError (unusable target, or nothing was ever written), NoSpaceError (the log cannot be sealed), CorruptError
   * (damaged source), or the error of the target's disk.
   *
   * @param place with an absolute path
   */
  write(place: BackupDestination, onProgress?: OnProgress): Promise<BackupReport> {
    const backup = this.#last.then(() => this.#traced(place, onProgress));
    this.#last = backup.catch(() => undefined);
    return backup;
  }

  /** Runs one job in the backup thread. */
  async run<N extends JobName>(name: N, request: JobRequest<N>): Promise<JobResult<N>> {
    if (this.#closed) throw new StoppedError('the server is closing');
    const task: BackupTask<N> = { root: this.#options.root, name, request };
    return await this.#thread.run(task);
  }

  /** Aborts the running backup. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.stop();
    await this.#last;
  }

  async #traced(place: BackupDestination, onProgress: OnProgress | undefined): Promise<BackupReport> {
    const { lineage } = this.#source.journal;
    const requestedPath = typeof place === 'string' ? place : place.folder;
    const message: BackupMessage = { lineage, path: requestedPath, lsn: 0, bytes: 0, durationMs: 0, error: undefined };
    const report = await traceOperation([diagnostics.backupStart, diagnostics.backupEnd], message, async () => {
      const written = await this.#write(place, onProgress);
      const { path, lsn, bytes } = written;
      Object.assign(message, { path, lsn, bytes });
      return written;
    });
    const { path, lsn, bytes, lostBlobs } = report;
    if (lostBlobs.length > 0)
      this.#options.log.error({ path, lostBlobs }, 'the backup is without some files: their bytes are missing or damaged');
    this.#options.log.info({ path, lsn, bytes, ms: Math.round(message.durationMs) }, 'backup written');
    return report;
  }

  async #write(place: BackupDestination, onProgress: OnProgress | undefined): Promise<BackupReport> {
    const {
      dataFolder,
      journalFolder,
      snapshotFolder,
      blobFolder,
      pauseMs,
      clock,
      bringBlobs = async () => false,
    } = this.#options;
    const { journal, snapshots } = this.#source;
    const { lineage } = journal;
    // Read the clock before the seal: no record of the backup is then newer than the backup's time says.
    const madeAt = clock();
    backupPathOf(place, dataFolder, madeAt, 0, lineage);
    const sealed = await journal.seal();
    const from = snapshots.snapshotLsn;
    // A snapshot taken in the meantime may be newer than the seal.
    const to = Math.max(sealed, from);
    if (to === 0) throw new FolderError('There is nothing to back up: no record was ever written to this data folder.');
    const target = backupPathOf(place, dataFolder, madeAt, to, lineage);
    // A killed process may have left a temporary file.
    fs.rmSync(target.temporary, { force: true });
    // Also keeps the blobs of these records: what became unreferenced later than the held snapshot is not deleted.
    const hold = snapshots.hold(from, { snapshot: true });
    const progress = new ProgressCounter();
    const timer = setInterval(() => onProgress?.({ done: progress.done, total: progress.expected }), progressMs);
    try {
      const reread = { from: randomBytes(32).toString('hex'), bytes: rereadBytes };
      const blobs = blobFolder === undefined ? {} : { blobs: blobFoldersOf(blobFolder, place, lineage, reread) };
      const task = { journalFolder, snapshotFolder, from, to, lineage, pauseMs, target, madeAt, progress: progress.shared };
      await bringBlobs();
      let written = await this.run('write', { ...task, ...blobs });
      if ((written.lostBlobs ?? []).length > 0 && (await bringBlobs(written.lostBlobs))) {
        fs.rmSync(target.path, { force: true });
        written = await this.run('write', { ...task, ...blobs });
      }
      const { bytes, lostBlobs = [], replacedBlobs = [] } = written;
      if (replacedBlobs.length > 0)
        this.#options.log.warn(
          { path: target.path, replacedBlobs },
          'files beside the backups were damaged and were copied again: the disk of the backups may be failing',
        );
      return { path: target.path, lsn: to, time: new Date(madeAt).toISOString(), bytes, lostBlobs };
    } catch (error) {
      // A terminated thread could not delete its file. If this fails too, the next survey of the schedule deletes the file.
      deleteFiles(nodeFiles, [target.temporary]);
      throw error;
    } finally {
      clearInterval(timer);
      hold.release();
    }
  }
}

/** A backup of a schedule shares the folder of blobs beside it with the others; another one contains its blobs. */
export function blobFoldersOf(
  from: string,
  place: BackupDestination,
  lineage: string,
  reread?: NonNullable<BlobFolders['beside']>['reread'],
): BlobFolders {
  if (typeof place === 'string') return { from };
  return { from, beside: { folder: join(place.folder, blobsName), writer: lineage.slice(0, 8), ...(reread && { reread }) } };
}

/**
 * Backups of a running engine: the log is sealed, and a thread of lowest priority folds the newest snapshot and the sealed segments after
 * it straight into the target. The engine's own thread only seals and hands over names; nothing waits for the rest.
 *
 *     seal -> hold snapshot and log -> fold into <target>.tmp -> sync -> read back -> rename -> sync the folder -> let go
 *
 * One at a time. What breaks off leaves at most a `.tmp`, which nothing takes for a backup.
 */
import fs from 'node:fs';
import { type BackupMessage, diagnostics, tellWork } from '../lib/diagnostics.ts';
import { FolderError, StoppedError } from '../lib/errors.ts';
import { deleteFiles, nodeFiles } from '../lib/files.ts';
import { JobThread } from '../lib/job-thread.ts';
import type { Log } from '../lib/log.ts';
import { Meter, type OnProgress } from '../lib/meter.ts';
import type { FolderIdentity } from '../lib/open-folder.ts';
import { workerFile } from '../lib/worker-file.ts';
import type { BackupTask } from './backup-worker.ts';
import type { JobName, JobRequest, JobResult } from './jobs.ts';
import { type BackupPlace, targetOf } from './target.ts';

/** What backups need of an engine. */
export interface BackupSource {
  readonly journal: {
    readonly lineage: string;
    readonly nextLsn: number;
    /** Seals what was appended so far; the newest sealed LSN. */
    seal(): Promise<number>;
    readonly sealed: readonly { readonly lastLsn: number; readonly bytes: number }[];
  };
  readonly folding: {
    /** LSN of the newest snapshot; 0 when there is none. */
    readonly snapshotLsn: number;
    hold(lsn: number, what: { readonly snapshot: boolean }): { move(lsn: number): void; release(): void };
  };
}

export interface BackupsOptions {
  readonly dataFolder: string;
  /** The same, so that a backup fails when it was replaced; `undefined`: not checked. */
  readonly root?: FolderIdentity;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** Pause after each megabyte that is written, in milliseconds. */
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
}

/** How often progress is told, in milliseconds. */
const progressMs = 200;

export class Backups {
  readonly #source: BackupSource;
  readonly #options: BackupsOptions;
  readonly #thread: JobThread;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(source: BackupSource, options: BackupsOptions) {
    this.#source = source;
    this.#options = options;
    this.#thread = new JobThread(workerFile(import.meta.url, './backup-worker'), { what: 'backups', log: options.log });
  }

  /**
   * Writes a backup; waits for one that is under way. Rejects with FolderError when the target will not do or nothing was ever written,
   * with NoSpaceError when the log cannot be sealed, with CorruptError when what it is made from is damaged, and with what the
   * target's disk says. Nothing is left behind then.
   *
   * @param place with an absolute path
   */
  write(place: BackupPlace, onProgress?: OnProgress): Promise<BackupReport> {
    const turn = this.#last.then(() => this.#traced(place, onProgress));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Has the thread do one job. */
  async run<N extends JobName>(name: N, request: JobRequest<N>): Promise<JobResult<N>> {
    if (this.#closed) throw new StoppedError('the server is closing');
    const task: BackupTask<N> = { root: this.#options.root, name, request };
    return await this.#thread.run(task);
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.letGo();
    await this.#last;
  }

  async #traced(place: BackupPlace, onProgress: OnProgress | undefined): Promise<BackupReport> {
    const { lineage } = this.#source.journal;
    const asked = typeof place === 'string' ? place : place.folder;
    const message: BackupMessage = { lineage, path: asked, lsn: 0, bytes: 0, durationMs: 0, error: undefined };
    const report = await tellWork([diagnostics.backupStart, diagnostics.backupEnd], message, async () => {
      const written = await this.#write(place, onProgress);
      const { path, lsn, bytes } = written;
      Object.assign(message, { path, lsn, bytes });
      return written;
    });
    const { path, lsn, bytes } = report;
    this.#options.log.info({ path, lsn, bytes, ms: Math.round(message.durationMs) }, 'backup written');
    return report;
  }

  async #write(place: BackupPlace, onProgress: OnProgress | undefined): Promise<BackupReport> {
    const { dataFolder, journalFolder, snapshotFolder, pauseMs, clock } = this.#options;
    const { journal, folding } = this.#source;
    const { lineage } = journal;
    // Before the seal: a record that comes while it is under way is not older than what the backup says of itself.
    const madeAt = clock();
    targetOf(place, dataFolder, madeAt, 0, lineage);
    const sealed = await journal.seal();
    const from = folding.snapshotLsn;
    // A snapshot that was folded meanwhile may be further on than the seal.
    const to = Math.max(sealed, from);
    if (to === 0) throw new FolderError('Nothing was ever written here: there is nothing to back up.');
    const target = targetOf(place, dataFolder, madeAt, to, lineage);
    // Left by a process that was killed.
    fs.rmSync(target.temporary, { force: true });
    const hold = folding.hold(from, { snapshot: true });
    const meter = new Meter();
    const timer = setInterval(() => onProgress?.({ done: meter.done, total: meter.expected }), progressMs);
    try {
      const request = { journalFolder, snapshotFolder, from, to, lineage, pauseMs, target, madeAt, progress: meter.shared };
      const { bytes } = await this.run('write', request);
      return { path: target.path, lsn: to, time: new Date(madeAt).toISOString(), bytes };
    } catch (error) {
      // A thread that was ended could not clean up. What stays is deleted by the next survey of a schedule.
      deleteFiles(nodeFiles, [target.temporary]);
      throw error;
    } finally {
      clearInterval(timer);
      hold.release();
    }
  }
}

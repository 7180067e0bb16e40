/**
 * Scheduled backups. A backup is due by the age of the newest one in the folder, not by the uptime of the server. Between two backups,
 * sealed segments of the log are archived, so that a restore can reach any point. Old backups and archived segments are deleted.
 *
 * Failures are logged, counted and retried. Meanwhile, log that is not archived yet is kept from deletion, up to a limit. Beyond that
 * limit, the disk of the data folder matters more than a gap between two backups.
 *
 * The folder is never created. A start refuses a missing one, which is a mistyped path or a disk that is not mounted, unless the disk is said to
 * come later. A new folder in the place of a missing disk would fill another disk and be hidden after the next mount. So nothing is written
 * while the folder is missing, or while it is no longer a mount point although it was one. This is checked every second, and the folder is
 * read again after it has come back.
 */
import fs from 'node:fs';
import { retryDelayMs } from '../../lib/async/backoff.ts';
import { FolderError } from '../../lib/errors.ts';
import type { Undeleted } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { duration, number, text, toggle, type ValuesOf } from '../../lib/option-declaration.ts';
import { assertOutside, noBackupFolder } from './backup-path.ts';
import { type BackupRunner, type BackupSource, blobFoldersOf } from './backup-runner.ts';
import type { Survey } from './jobs.ts';

/** Options of scheduled backups. */
export const scheduleOptions = {
  /** Backup folder. It must exist, see `later`. */
  dir: text({
    flag: 'backup-dir',
    group: 'Backups',
    help: 'Folder for [scheduled backups](backups.md#scheduled-backups) and the archived log; it must exist, outside of the data folder, preferably on another disk',
    common: true,
    problemOf: (dir) => (dir === '' ? 'needs the name of a folder' : undefined),
  }),
  /** Milliseconds between two backups. */
  everyMs: duration({
    flag: 'backup-every',
    group: 'Backups',
    help: 'Time between two scheduled backups: `30m`, `6h`, `1d`',
    common: true,
    byDefault: '6h',
  }),
  /** Number of newest backups to keep. */
  keep: number({
    flag: 'backup-keep',
    group: 'Backups',
    help: 'Number of newest backups to keep',
    common: true,
    range: [28, 1, 1_000_000],
    count: true,
  }),
  /** Starts without the folder: its disk is mounted later. */
  later: toggle({
    flag: 'backup-dir-later',
    group: 'Backups',
    help: 'Start without the folder of `--backup-dir`, which is on a disk that is mounted later; until then no backup is written',
    byDefault: false,
  }),
};

type AllOptions = Required<ValuesOf<typeof scheduleOptions>>;
export type ScheduleOptions = Omit<AllOptions, 'later'> & Partial<Pick<AllOptions, 'later'>>;

interface ScheduleParts {
  readonly source: BackupSource;
  readonly backups: BackupRunner;
  readonly dataFolder: string;
  readonly journalFolder: string;
  /** The folder of blobs; `undefined`: no file has any. */
  readonly blobFolder?: string;
  /** Pause after each copied megabyte, in milliseconds. */
  readonly pauseMs: number;
  /** Limit for log that is kept from deletion, in bytes. */
  readonly heldBytesMax: number;
  readonly clock: () => number;
  readonly log: Log;
}

/** Interval between two checks for due work, in milliseconds. */
const checkMs = 1000;
/** Delay before deletions are retried, in milliseconds. */
const cleanupRetryMs = 5000;

/** Distinguishes the folder from another one at the same path. */
interface FolderStamp {
  readonly id: string;
  readonly isMountPoint: boolean;
}

/** The backup folder is missing, or its disk is not mounted. */
class NoFolderError extends FolderError {}

/** State of the scheduled backups. */
export interface ScheduleState {
  /** Time of the newest backup, or of the last check that found nothing new to back up: milliseconds since 1970. */
  readonly lastGoodAtMs: number | undefined;
  /** LSN of the newest backup; 0 if there is none. */
  readonly lastLsn: number;
  /** Failed backups and archive copies since the start. */
  readonly failures: number;
}

export class Schedule implements ScheduleState {
  lastGoodAtMs: number | undefined;
  lastLsn = 0;
  failures = 0;
  /** The error of the last attempt; `undefined` if it succeeded. */
  failure: Error | undefined;
  /** Unneeded files in the folder that could not be deleted. */
  undeleted: readonly Undeleted[] = [];
  readonly #options: ScheduleOptions;
  readonly #context: ScheduleParts;
  readonly #timer: NodeJS.Timeout;
  readonly #hold: { move(lsn: number): void; release(): void };
  /** Records up to this LSN are archived, or will never be. */
  #archivedTo = 0;
  #surveyed = false;
  /** The folder at the last survey; `undefined` before the first one. */
  #stamp: FolderStamp | undefined;
  /** In the time of `performance.now`, so that clock changes do not matter. */
  #dueAt = 0;
  #retryAt = 0;
  #olderCopy: FolderError | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  /** Holds the whole log until the first survey. Throws FolderError if the backup folder lies in the data folder. */
  constructor(options: ScheduleOptions, parts: ScheduleParts) {
    assertOutside(options.dir, parts.dataFolder);
    this.#options = options;
    this.#context = parts;
    this.#hold = parts.source.snapshots.hold(0, { snapshot: false });
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
    this.#check();
  }

  /** Starts no more work, and resolves when the current work has ended. To abort that, close the backups meanwhile. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #check(): void {
    if (this.#running !== undefined || this.#closed || performance.now() < this.#retryAt) return;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async #work(): Promise<void> {
    const started = performance.now();
    try {
      await this.#requireFolder();
      if (!this.#surveyed) await this.#survey();
      if (performance.now() >= this.#dueAt) await this.#backUp();
      else await this.#copyLog(this.#sealedTo());
      await this.#cleanUp();
      this.failure = undefined;
    } catch (error) {
      if (!this.#closed) this.#noteFailure(error, performance.now() - started);
    }
  }

  #noteFailure(error: unknown, tookMs: number): void {
    const before = this.failure?.message;
    this.failure = error instanceof Error ? error : new Error(String(error));
    const isNews = this.failure.message !== before;
    // A check that finds the folder still missing is not a new failure.
    const isGone = error instanceof NoFolderError;
    if (isNews || !isGone) this.failures++;
    const wait = isGone ? checkMs : Math.min(this.#options.everyMs, retryDelayMs(tookMs));
    this.#retryAt = isGone ? 0 : performance.now() + wait;
    const fields = { err: error, folder: this.#options.dir, failures: this.failures, retryInS: Math.round(wait / 1000) };
    // Retries are frequent, so each reason is logged only once.
    if (isNews) this.#context.log.error(fields, 'backup failed; the server keeps running and retries');
    this.#boundHeldLog();
  }

  /** Rejects with {@link NoFolderError} if the folder is gone, or its disk is no longer mounted. */
  async #requireFolder(): Promise<void> {
    const { dir } = this.#options;
    const before = this.#stamp;
    const stamp = await stampOf(dir);
    if (stamp === undefined) throw new NoFolderError(noBackupFolder(dir).message);
    if (before === undefined) return;
    if (before.isMountPoint && !stamp.isMountPoint)
      throw new NoFolderError(
        `No disk is mounted at the backup folder ${dir} any more. Mount it; no backup is written until then.`,
      );
    if (stamp.id !== before.id) this.#surveyed = false;
  }

  async #survey(): Promise<void> {
    const { dir, everyMs } = this.#options;
    const { source, backups, clock, journalFolder } = this.#context;
    const now = clock();
    const found = await backups.run('survey', { folder: dir, lineage: source.journal.lineage, now, journalFolder });
    this.#stamp = await stampOf(dir);
    this.undeleted = found.undeleted;
    this.#refuseOlderCopy(found);
    this.lastGoodAtMs = found.newestMs;
    this.lastLsn = found.newestLsn;
    this.#dueAt = performance.now() + (found.newestMs === undefined ? 0 : Math.max(0, found.newestMs + everyMs - now));
    // Without a backup there is no base that archived log could continue.
    this.#archivedTo = found.newestLsn === 0 ? this.#sealedTo() : found.archivedTo;
    this.#hold.move(this.#archivedTo);
    this.#surveyed = true;
  }

  /** Throws if the data folder is a copy of an older state. Its records form a different history and must not replace archived ones. */
  #refuseOlderCopy({ newestLsn, newestArchivedLsn, foreignSegment }: Survey): void {
    const { dir } = this.#options;
    const { nextLsn } = this.#context.source.journal;
    const isBackup = newestLsn >= newestArchivedLsn;
    const reached = Math.max(newestLsn, newestArchivedLsn);
    // The error stays, even if the folder gets more records than the newest backup.
    if (this.#olderCopy === undefined && reached < nextLsn && foreignSegment === undefined) return;
    const found =
      reached < nextLsn
        ? `${foreignSegment} does not belong to the log of this data folder, although both have the same lineage`
        : `The ${isBackup ? 'newest backup' : 'log archive'} in ${dir} holds record ${reached}, but this data folder ends with record ${nextLsn - 1}`;
    this.#olderCopy ??= new FolderError(
      `${found}: the data folder is a copy of an older state. Nothing is written to ${dir}. Use another backup folder, or restore the newest backup.`,
    );
    throw this.#olderCopy;
  }

  async #backUp(): Promise<void> {
    const { dir, everyMs, keep } = this.#options;
    const { source, backups, clock, log } = this.#context;
    const { lineage, nextLsn } = source.journal;
    if (nextLsn - 1 > this.lastLsn) {
      const { lsn } = await backups.write({ folder: dir });
      if (this.lastLsn === 0) this.#archivedTo = lsn;
      this.lastLsn = lsn;
      await this.#copyLog(lsn);
      const { removed, undeleted } = await backups.run('retain', { folder: dir, lineage, keep, now: clock() });
      this.undeleted = [...this.undeleted, ...undeleted];
      if (removed.length > 0) log.info({ folder: dir, removed: removed.length }, 'older backups removed');
    }
    this.lastGoodAtMs = clock();
    this.#dueAt = performance.now() + everyMs;
  }

  async #copyLog(to: number): Promise<void> {
    const { source, backups, journalFolder, blobFolder, pauseMs, log } = this.#context;
    const { dir: folder } = this.#options;
    if (to > this.#archivedTo) {
      const blobs = blobFolder === undefined ? {} : { blobs: blobFoldersOf(blobFolder, { folder }, source.journal.lineage) };
      const above = this.#archivedTo;
      const { lostBlobs } = await backups.run('keepLog', { journalFolder, folder, above, to, pauseMs, ...blobs });
      if (lostBlobs.length > 0)
        log.error({ folder, lostBlobs }, 'archived log needs files that the data folder has lost; nothing else is missing');
      this.#archivedTo = to;
    }
    this.#hold.move(this.#archivedTo);
  }

  /** Retries failed deletions. */
  async #cleanUp(): Promise<void> {
    if (this.undeleted.length === 0) return;
    const paths = [...new Set(this.undeleted.map(({ path }) => path))];
    ({ undeleted: this.undeleted } = await this.#context.backups.run('remove', { paths }));
    if (this.undeleted.length > 0) this.#retryAt = performance.now() + cleanupRetryMs;
  }

  #sealedTo(): number {
    return this.#context.source.journal.sealed.at(-1)?.lastLsn ?? 0;
  }

  #boundHeldLog(): void {
    const { source, heldBytesMax, log } = this.#context;
    const held = source.journal.sealed.filter(({ lastLsn }) => lastLsn > this.#archivedTo);
    const bytes = held.reduce((sum, segment) => sum + segment.bytes, 0);
    if (bytes <= heldBytesMax) return;
    log.error(
      { bytes, fromLsn: this.#archivedTo + 1, toLsn: this.#sealedTo() },
      'too much log waits to be archived: it may now be deleted, and no restore can reach a point inside it',
    );
    this.#archivedTo = this.#sealedTo();
    this.#hold.move(this.#archivedTo);
  }
}

/** Identifies the folder at a path without blocking this thread; `undefined` if it is not a folder. */
async function stampOf(path: string): Promise<FolderStamp | undefined> {
  try {
    // `..` resolved by the file system, not in the text: the path may be a symbolic link.
    const [folder, parent] = await Promise.all([fs.promises.stat(path), fs.promises.stat(`${path}/..`)]);
    return folder.isDirectory() ? { id: `${folder.dev}:${folder.ino}`, isMountPoint: folder.dev !== parent.dev } : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

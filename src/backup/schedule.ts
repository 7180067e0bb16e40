/**
 * Backups on a schedule: one when it is due by the time of the newest in the folder, not by how long the server runs; between them the log,
 * segment by segment as it is sealed, so that a restore can go to any point; and of both no more than is to be kept.
 *
 * What fails is told, counted and tried again. Meanwhile the log that was not copied yet is held back from deletion, up to a bound: past
 * that the data folder's disk is worth more than a gap between two backups.
 *
 * The folder is made at a start, in a folder that is there, and never after that: a folder that vanishes was on a disk that was unmounted,
 * and what is made in its place would fill another disk and be hidden when the disk is back. While it is gone, or is no mount point any
 * more though it was one, nothing is written. This is checked every second, and the folder is read again when it is back.
 */
import fs from 'node:fs';
import { retryDelayMs } from '../lib/backoff.ts';
import { FolderError } from '../lib/errors.ts';
import type { Undeleted } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { BackupSource, Backups } from './backups.ts';
import type { Survey } from './jobs.ts';
import { noBackupFolder, refuseInside } from './target.ts';

export interface ScheduleOptions {
  /** Folder of the backups. A start makes it when the folder that it is in is there. */
  readonly dir: string;
  /** Milliseconds between two backups. */
  readonly everyMs: number;
  /** How many of the newest backups stay. */
  readonly keep: number;
}

export interface ScheduleParts {
  readonly source: BackupSource;
  readonly backups: Backups;
  readonly dataFolder: string;
  readonly journalFolder: string;
  /** Pause after each megabyte that is copied, in milliseconds. */
  readonly pauseMs: number;
  /** Log that may be held back from deletion, in bytes. */
  readonly heldBytesMax: number;
  readonly clock: () => number;
  readonly log: Log;
}

/** How often it is looked whether there is something to do, in milliseconds. */
const lookMs = 1000;
/** How soon it is tried again to delete what could not be deleted, in milliseconds. */
const cleanupRetryMs = 5000;

/** What distinguishes a folder from another one of the same path. */
interface Place {
  readonly id: string;
  readonly isMountPoint: boolean;
}

/** The folder that all backups go to is gone. */
class NoFolderError extends FolderError {}

export class Schedule {
  /** When the newest backup was made, or was found to hold everything still: milliseconds since 1970. */
  lastGoodAtMs: number | undefined;
  /** LSN of the newest backup; 0 without one. */
  lastLsn = 0;
  /** Backups, and copies of the log, that failed since the start. */
  failures = 0;
  /** Why the last try failed; `undefined` when it did not. */
  failure: Error | undefined;
  /** Files in the folder that nothing needs and that could not be deleted. */
  undeleted: readonly Undeleted[] = [];
  readonly #options: ScheduleOptions;
  readonly #parts: ScheduleParts;
  readonly #timer: NodeJS.Timeout;
  readonly #hold: { move(lsn: number): void; release(): void };
  /** Records up to here are in the copied log, or will never be. */
  #keptTo = 0;
  #surveyed = false;
  /** The folder as it was surveyed last; `undefined` before the first survey. */
  #place: Place | undefined;
  /** On the clock of `performance.now`, which no jump of the time of day moves. */
  #dueAt = 0;
  #retryAt = 0;
  #olderCopy: FolderError | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  /** Holds all of the log that there is until it knows what was copied. Throws FolderError when the folder lies in the data folder. */
  constructor(options: ScheduleOptions, parts: ScheduleParts) {
    refuseInside(options.dir, parts.dataFolder);
    this.#options = options;
    this.#parts = parts;
    this.#hold = parts.source.folding.hold(0, { snapshot: false });
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
    this.#look();
  }

  /** Begins nothing more; resolves when what is under way has ended. To break that off, close the backups meanwhile. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
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
    // To see that it is still gone is no further try.
    const isGone = error instanceof NoFolderError;
    if (isNews || !isGone) this.failures++;
    const wait = isGone ? lookMs : Math.min(this.#options.everyMs, retryDelayMs(tookMs));
    this.#retryAt = isGone ? 0 : performance.now() + wait;
    const fields = { err: error, folder: this.#options.dir, failures: this.failures, retryInS: Math.round(wait / 1000) };
    // Once for as long as the reason is the same: it is tried again often.
    if (isNews) this.#parts.log.error(fields, 'a backup failed; the server goes on');
    this.#boundHeldLog();
  }

  /** Rejects with {@link NoFolderError} when the folder was there and is gone, or the disk that was mounted there is. */
  async #requireFolder(): Promise<void> {
    const { dir } = this.#options;
    const before = this.#place;
    if (before === undefined) return;
    const place = await placeOf(dir);
    if (place === undefined) throw new NoFolderError(noBackupFolder(dir).message);
    if (before.isMountPoint && !place.isMountPoint)
      throw new NoFolderError(
        `No disk is mounted at the folder of backups ${dir} any more. Mount it; nothing is written until it is.`,
      );
    if (place.id !== before.id) this.#surveyed = false;
  }

  async #survey(): Promise<void> {
    const { dir, everyMs } = this.#options;
    const { source, backups, clock, journalFolder } = this.#parts;
    const now = clock();
    const create = this.#place === undefined;
    const found = await backups.run('survey', { folder: dir, lineage: source.journal.lineage, now, create, journalFolder });
    this.#place = await placeOf(dir);
    this.undeleted = found.undeleted;
    this.#refuseOlderCopy(found);
    this.lastGoodAtMs = found.newestMs;
    this.lastLsn = found.newestLsn;
    this.#dueAt = performance.now() + (found.newestMs === undefined ? 0 : Math.max(0, found.newestMs + everyMs - now));
    // Without a backup there is nothing yet that the log could continue.
    this.#keptTo = found.newestLsn === 0 ? this.#sealedTo() : found.keptTo;
    this.#hold.move(this.#keptTo);
    this.#surveyed = true;
  }

  /** What goes on after a copy of an older state was put in place is another history under the same name: it must not replace what is kept. */
  #refuseOlderCopy({ newestLsn, newestKeptLsn, otherHistory }: Survey): void {
    const { dir } = this.#options;
    const { nextLsn } = this.#parts.source.journal;
    const isBackup = newestLsn >= newestKeptLsn;
    const reached = Math.max(newestLsn, newestKeptLsn);
    // Once it is one it remains one, however many records it gets.
    if (this.#olderCopy === undefined && reached < nextLsn && otherHistory === undefined) return;
    const found =
      reached < nextLsn
        ? `${otherHistory} is not a copy of this data folder's log, although both have the same lineage`
        : `The ${isBackup ? 'newest backup' : 'log'} in ${dir} holds record ${reached}, and this data folder ends with record ${nextLsn - 1}`;
    this.#olderCopy ??= new FolderError(
      `${found}: the data folder is a copy of an older state. Nothing is written to ${dir}. Name another folder of backups, or restore the newest one.`,
    );
    throw this.#olderCopy;
  }

  async #backUp(): Promise<void> {
    const { dir, everyMs, keep } = this.#options;
    const { source, backups, clock, log } = this.#parts;
    const { lineage, nextLsn } = source.journal;
    if (nextLsn - 1 > this.lastLsn) {
      const { lsn } = await backups.write({ folder: dir });
      if (this.lastLsn === 0) this.#keptTo = lsn;
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
    const { backups, journalFolder, pauseMs } = this.#parts;
    if (to > this.#keptTo) {
      await backups.run('keepLog', { journalFolder, folder: this.#options.dir, above: this.#keptTo, to, pauseMs });
      this.#keptTo = to;
    }
    this.#hold.move(this.#keptTo);
  }

  /** Tries again to delete what could not be deleted. */
  async #cleanUp(): Promise<void> {
    if (this.undeleted.length === 0) return;
    const paths = [...new Set(this.undeleted.map(({ path }) => path))];
    ({ undeleted: this.undeleted } = await this.#parts.backups.run('remove', { paths }));
    if (this.undeleted.length > 0) this.#retryAt = performance.now() + cleanupRetryMs;
  }

  #sealedTo(): number {
    return this.#parts.source.journal.sealed.at(-1)?.lastLsn ?? 0;
  }

  #boundHeldLog(): void {
    const { source, heldBytesMax, log } = this.#parts;
    const held = source.journal.sealed.filter(({ lastLsn }) => lastLsn > this.#keptTo);
    const bytes = held.reduce((sum, segment) => sum + segment.bytes, 0);
    if (bytes <= heldBytesMax) return;
    log.error(
      { bytes, fromLsn: this.#keptTo + 1, toLsn: this.#sealedTo() },
      'too much of the log waits to be copied beside the backups: it is let go, and no restore can go to a point in there',
    );
    this.#keptTo = this.#sealedTo();
    this.#hold.move(this.#keptTo);
  }
}

/** What is at a path, without waiting for its disk in this thread; `undefined` when it is no folder. */
async function placeOf(path: string): Promise<Place | undefined> {
  try {
    // The path's own `..`, not that of its text: it may be a symbolic link.
    const [folder, parent] = await Promise.all([fs.promises.stat(path), fs.promises.stat(`${path}/..`)]);
    return folder.isDirectory() ? { id: `${folder.dev}:${folder.ino}`, isMountPoint: folder.dev !== parent.dev } : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

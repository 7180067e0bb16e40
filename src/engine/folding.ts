/**
 * When snapshots are folded: after enough log was sealed, after enough time, or when somebody asks. One at a time, in a worker of its
 * own, from files; nothing waits for it. A fold that fails changes nothing, is told and counted, and is tried again later.
 */
import type { Journal } from '../journal/journal.ts';
import type { Files } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { FoldReport } from '../snapshot/fold.ts';
import { type FoldCrew, FoldThread } from '../snapshot/fold-crew.ts';
import type { FoldTask } from '../snapshot/fold-worker.ts';
import { retainSnapshots } from '../snapshot/folder.ts';

export interface FoldingOptions {
  readonly files: Files;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** Sealed log, in bytes, that calls for a snapshot. */
  readonly bytes: number;
  /** Time with at least one record, in minutes, that calls for a snapshot. */
  readonly minutes: number;
  /** Pause after each megabyte that a fold writes, in milliseconds. */
  readonly pauseMs: number;
  readonly log: Log;
  /** Who folds; a thread. */
  readonly crew?: FoldCrew;
}

/** What folding needs of a journal beside the contract. */
export interface SealingJournal extends Journal {
  /** Sealed segments, oldest first. */
  readonly sealed: readonly { readonly firstLsn: number; readonly lastLsn: number; readonly bytes: number }[];
}

/** How often the triggers are looked at, in milliseconds. */
const checkMs = 1000;
/** Segments in one fold, at most: what bounds its memory when many have piled up. */
const segmentsPerFold = 16;
/** Segments without a snapshot that are worth an alarm. */
const alarmSegments = 32;
/** How many times the log that calls for a snapshot must have piled up for a fold to be urgent. */
const urgentFactor = 4;
/** Shortest and longest time until a failed fold is tried again, in milliseconds. */
const retryMs = { min: 10_000, max: 300_000 };

export class Folding {
  /** Folds that failed since the start. */
  failures = 0;
  readonly #journal: SealingJournal;
  readonly #options: FoldingOptions;
  readonly #crew: FoldCrew;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<FoldReport | undefined> | undefined;
  #snapshotLsn: number;
  #lastFold = performance.now();
  #retryAt = 0;
  #closed = false;

  /** @param snapshotLsn LSN of the newest snapshot; 0 when there is none */
  constructor(journal: SealingJournal, snapshotLsn: number, options: FoldingOptions) {
    this.#journal = journal;
    this.#snapshotLsn = snapshotLsn;
    this.#options = options;
    this.#crew = options.crew ?? new FoldThread(options.log);
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
  }

  /** LSN of the newest snapshot. */
  get snapshotLsn(): number {
    return this.#snapshotLsn;
  }

  /** Sealed segments above the newest snapshot. */
  get uncoveredSegments(): number {
    return this.#uncovered().length;
  }

  /** Seals the log and folds all of it; `undefined` when there is no record since the last snapshot. Rejects when that fails. */
  async fold(): Promise<FoldReport | undefined> {
    await this.#running?.catch(() => undefined);
    try {
      const to = await this.#journal.seal();
      let newest: FoldReport | undefined;
      // Who closes while the log is sealed does not own the folder any more when a fold would begin.
      while (this.#snapshotLsn < to && !this.#closed) {
        const report = await this.#once();
        if (report === undefined) break;
        newest = report;
      }
      return newest;
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
  }

  /** Stops; a fold under way is broken off, which loses nothing. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#crew.close();
    await this.#running?.catch(() => undefined);
  }

  #check(): void {
    if (this.#running !== undefined || this.#closed || performance.now() < this.#retryAt) return;
    const minutes = (performance.now() - this.#lastFold) / 60_000;
    const records = this.#journal.nextLsn - 1 > this.#snapshotLsn;
    if (this.#uncoveredBytes() < this.#options.bytes && !(records && minutes >= this.#options.minutes)) return;
    if (this.uncoveredSegments >= alarmSegments) {
      this.#options.log.warn({ segments: this.uncoveredSegments }, 'many segments of the log are not in a snapshot yet');
    }
    this.fold().catch(() => undefined); // told and counted already
  }

  #uncovered() {
    return this.#journal.sealed.filter(({ lastLsn }) => lastLsn > this.#snapshotLsn);
  }

  #uncoveredBytes(): number {
    return this.#uncovered().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** One fold of a bounded number of segments; a call while one runs gets that one. */
  #once(): Promise<FoldReport | undefined> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<FoldReport | undefined> {
    const { files, journalFolder, snapshotFolder, pauseMs, log } = this.#options;
    const to = this.#uncovered().slice(0, segmentsPerFold).at(-1)?.lastLsn;
    if (to === undefined) return undefined;
    const { lineage } = this.#journal;
    // At lowest priority a fold may starve beside writers that never rest, and the log would grow without end.
    const urgent = this.#uncoveredBytes() >= urgentFactor * this.#options.bytes;
    const request = { journalFolder, snapshotFolder, from: this.#snapshotLsn, to, lineage, pauseMs: urgent ? 0 : pauseMs };
    const task: FoldTask = { request, urgent };
    const started = performance.now();
    const report = await this.#crew.fold(task);
    this.#snapshotLsn = report.lsn;
    this.#lastFold = performance.now();
    this.#retryAt = 0;
    log.info({ ...report, ms: Math.round(performance.now() - started) }, 'snapshot folded');
    await this.#journal.trim(retainSnapshots(files, snapshotFolder));
    return report;
  }

  #noteFailure(error: unknown): void {
    if (this.#closed) return;
    this.failures++;
    const wait = Math.min(retryMs.max, retryMs.min * 2 ** Math.min(this.failures - 1, 5));
    this.#retryAt = performance.now() + wait;
    const fields = { err: error, failures: this.failures, retryInS: wait / 1000 };
    this.#options.log.error(fields, 'a snapshot could not be folded; nothing is lost');
  }
}

/**
 * Starts snapshot runs: after enough sealed log, after enough time, when the disk is full of log, or on request. One run at a time, in a
 * worker thread, from files alone; no request waits for it. A failed run changes nothing. It is logged, counted and retried, and no segment
 * and no snapshot is deleted until a run succeeds.
 *
 * The cleanup after a run is a separate step. A file that cannot be deleted fails no run and does not stop the deletion of other files; it is
 * retried until it succeeds.
 *
 * Sealing needs room for the next segment. On a disk without that room, the run covers only segments that are sealed already. The log is
 * kept up to the snapshot before the newest, so one run would free nothing if there is no snapshot yet. Therefore one run covers all sealed
 * segments but the last, and the next run covers the last. The log up to the first of these two snapshots is then deleted.
 *
 * If such a disk has no room for the next snapshot either, the newest snapshot is read back completely. If it is intact, the one before it and
 * the log up to the newest are deleted, and the run is repeated. Then there are two snapshots again.
 */
import { join } from 'node:path';
import { retryDelayMs } from '../../lib/async/backoff.ts';
import { CorruptError, NoSpaceError, StoppedError } from '../../lib/errors.ts';
import type { Files, Undeleted } from '../../lib/files/files.ts';
import { isNoSpace } from '../../lib/files/system-errors.ts';
import { diagnostics, traceOperation } from '../../lib/observability/diagnostics.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { listSegments } from '../wal/format/segment.ts';
import type { Journal } from '../wal/journal.ts';
import { snapshotName } from './format/snapshot-format.ts';
import type { SnapshotReport } from './run/snapshot-run.ts';
import { type SnapshotTask, SnapshotThreads, type SnapshotWorker } from './run/snapshot-worker.ts';
import { retainSnapshots } from './snapshot-folder.ts';

/** Default triggers and throttling of snapshots. */
export const snapshotDefaults = { bytes: 64 * 1024 * 1024, minutes: 60, pauseMs: 10 } as const;

interface SnapshotSchedulerOptions {
  readonly files: Files;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** Bytes of sealed log that trigger a snapshot. */
  readonly bytes: number;
  /** Minutes after which a snapshot is triggered, if there is a new record. */
  readonly minutes: number;
  /** Pause after each megabyte that a snapshot run writes, in milliseconds. */
  readonly pauseMs: number;
  readonly log: Log;
  /** Time of the newest snapshot, in milliseconds since 1970; 0, the default, if there is none. */
  readonly madeAt?: number;
  /** Damage that recovery found in snapshots. */
  readonly damage?: CorruptError | undefined;
  /** Writes the snapshots; a thread by default. */
  readonly worker?: SnapshotWorker;
  /** Called after every snapshot. */
  readonly onSnapshot?: (report: SnapshotReport) => void;
}

interface SnapshotStats {
  /** Snapshots written, and runs that failed, since the start. */
  readonly written: number;
  readonly failures: number;
  readonly running: boolean;
  /** Error of the last run; `undefined` if it succeeded. */
  readonly failure: Error | undefined;
  /** Damage that recovery or the last run found; cleared when a run succeeds. */
  readonly damage: CorruptError | undefined;
  /** Duration of the last successful run, in milliseconds; 0 before the first. */
  readonly lastMs: number;
  /** LSN and time, in milliseconds since 1970, of the newest snapshot; 0 if there is none. */
  readonly snapshotLsn: number;
  readonly madeAt: number;
  /** Sealed segments with records after the newest snapshot, and their bytes. */
  readonly lagSegments: number;
  readonly lagBytes: number;
  /** Whether these bytes exceed the threshold of the alarm. */
  readonly lagging: boolean;
  /** Unneeded files that could not be deleted; empty if the last cleanup deleted all. */
  readonly undeleted: readonly Undeleted[];
}

/** Protects files from deletion while they are read or copied. */
interface Hold {
  /** From now on only records above `lsn` are protected. */
  move(lsn: number): void;
  release(): void;
}

/** What the scheduler needs of a journal in addition to its interface. */
export interface SealingJournal extends Journal {
  /** Sealed segments, oldest first. */
  readonly sealed: readonly { readonly firstLsn: number; readonly lastLsn: number; readonly bytes: number }[];
  /** Why there is no room for the next segment; `undefined` if there is room. */
  readonly noSpace: string | undefined;
}

/** Interval between two checks of the triggers, in milliseconds. */
const checkMs = 1000;
/** Maximum number of segments in one snapshot run, which bounds its memory. */
const segmentsPerRun = 16;
/** The alarm is raised when the log after the newest snapshot is this many times the trigger (or a segment, if that is larger). */
export const alarmFactor = 8;
/** A snapshot is urgent when the log after the newest one is this many times the trigger. */
const urgentFactor = 4;
/** Delay before an incomplete cleanup is repeated, in milliseconds. */
const cleanupRetryMs = 2000;

/** The scheduler as the engine and the metrics see it. */
export type Snapshots = Pick<SnapshotScheduler, keyof SnapshotScheduler>;

export class SnapshotScheduler {
  /** Runs that failed since the start. */
  failures = 0;
  readonly #journal: SealingJournal;
  readonly #options: SnapshotSchedulerOptions;
  readonly #worker: SnapshotWorker;
  readonly #timer: NodeJS.Timeout;
  readonly #holds = new Set<{ lsn: number; readonly snapshot: boolean }>();
  #running: Promise<SnapshotReport | undefined> | undefined;
  #snapshotLsn: number;
  #madeAt: number;
  #written = 0;
  #lastMs = 0;
  #failure: Error | undefined;
  #damage: CorruptError | undefined;
  #lastRun = performance.now();
  #retryAt = 0;
  #undeleted: readonly Undeleted[] = [];
  /** Time of the next cleanup. */
  #cleanupAt = 0;
  /** An automatic run is in progress; it may be waiting for the log to be sealed. */
  #automatic = false;
  #closed = false;
  /** Called after each cleanup with the LSN up to which neither a kept snapshot, an archive nor a backup needs the log. Must not throw. */
  onCollected: (lsn: number) => void = () => undefined;
  /** Position of the scrub in the newest snapshot and in the previous one. */
  #scrubAt: readonly [number, number] = [0, 0];

  /** @param snapshotLsn LSN of the newest snapshot; 0 when there is none */
  constructor(journal: SealingJournal, snapshotLsn: number, options: SnapshotSchedulerOptions) {
    this.#journal = journal;
    this.#snapshotLsn = snapshotLsn;
    this.#options = options;
    this.#madeAt = options.madeAt ?? 0;
    this.#damage = options.damage;
    this.#worker = options.worker ?? new SnapshotThreads(options.log);
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
  }

  /** LSN of the newest snapshot. */
  get snapshotLsn(): number {
    return this.#snapshotLsn;
  }

  /** Sealed segments above the newest snapshot. */
  get lagSegments(): number {
    return this.#uncovered().length;
  }

  get stats(): SnapshotStats {
    const uncovered = this.#uncovered();
    const lagBytes = this.#lagBytes();
    const largest = uncovered.reduce((max, { bytes }) => Math.max(max, bytes), this.#options.bytes);
    return {
      written: this.#written,
      failures: this.failures,
      running: this.#running !== undefined,
      failure: this.#failure,
      damage: this.#damage,
      lastMs: this.#lastMs,
      snapshotLsn: this.#snapshotLsn,
      madeAt: this.#madeAt,
      lagSegments: uncovered.length,
      lagBytes,
      lagging: lagBytes >= alarmFactor * largest,
      undeleted: this.#undeleted,
    };
  }

  /**
   * Protects the log after `lsn`, even if a snapshot covers it, and with `snapshot` the snapshot of that LSN.
   */
  hold(lsn: number, { snapshot }: { readonly snapshot: boolean }): Hold {
    const hold = { lsn, snapshot };
    this.#holds.add(hold);
    return {
      move: (to) => {
        hold.lsn = to;
      },
      release: () => void this.#holds.delete(hold),
    };
  }

  /**
   * Deletes unneeded snapshots and segments. Never rejects: files that cannot be deleted are in {@link SnapshotStats.undeleted} and are
   * retried every few seconds.
   */
  collectGarbage(): Promise<void> {
    return this.#cleanUp();
  }

  /** @param newestOnly also deletes the snapshot before the newest, and the log up to the newest */
  async #cleanUp(newestOnly = false): Promise<void> {
    this.#cleanupAt = Number.POSITIVE_INFINITY;
    const holds = [...this.#holds];
    const inUse = holds.flatMap(({ lsn, snapshot }) => (snapshot ? [lsn] : []));
    const { files, journalFolder, snapshotFolder } = this.#options;
    try {
      const logFrom = listSegments(files, journalFolder)[0]?.firstLsn;
      const { covered, undeleted } = retainSnapshots(files, snapshotFolder, {
        inUse,
        newestOnly,
        ...(logFrom !== undefined && { logFrom }),
      });
      const needed = Math.min(covered, ...holds.map(({ lsn }) => lsn));
      const segments = await this.#journal.trim(needed);
      this.#undeleted = [...undeleted, ...segments];
      this.onCollected(needed);
    } catch (error) {
      const { path = snapshotFolder, message } = error as NodeJS.ErrnoException;
      this.#undeleted = [{ path, reason: message }];
    }
    this.#cleanupAt = performance.now() + cleanupRetryMs;
  }

  /**
   * Seals the log and writes a snapshot of all of it; `undefined` if there is no record since the last one. If there is no space to seal,
   * first writes one of the sealed segments, which may free space. Rejects if the snapshot fails.
   */
  async run(): Promise<SnapshotReport | undefined> {
    await this.#running?.catch(() => undefined);
    const started = performance.now();
    try {
      const sealed = await this.#journal.seal().catch((error: unknown) => {
        if (error instanceof NoSpaceError && this.#uncovered().length > 0) return undefined;
        throw error;
      });
      const made = sealed === undefined ? await this.#runTo(this.#journal.sealed.at(-1)?.lastLsn ?? 0) : undefined;
      const newest = await this.#runTo(sealed ?? (await this.#journal.seal()));
      this.#failure = undefined;
      this.#retryAt = 0;
      return newest ?? made;
    } catch (error) {
      this.#noteFailure(error, performance.now() - started);
      throw error;
    }
  }

  /** Stops. A running snapshot is cancelled; nothing is lost. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#worker.close();
    await this.#running?.catch(() => undefined);
  }

  #check(): void {
    if (this.#running !== undefined || this.#closed) return;
    if (this.#undeleted.length > 0 && performance.now() >= this.#cleanupAt) void this.collectGarbage();
    if (this.#automatic || performance.now() < this.#retryAt) return;
    const minutes = (performance.now() - this.#lastRun) / 60_000;
    const records = this.#journal.nextLsn - 1 > this.#snapshotLsn;
    const lagBytes = this.#lagBytes();
    const full = this.#journal.noSpace !== undefined && lagBytes > 0;
    const due = full || lagBytes >= this.#options.bytes || (records && minutes >= this.#options.minutes);
    // A failed snapshot is retried, also one that a command requested.
    if (!due && this.#failure === undefined) return;
    this.#automatic = true;
    this.run()
      .catch(() => undefined) // logged and counted already
      .finally(() => {
        this.#automatic = false;
      });
  }

  /** Runs until the newest snapshot covers `to`, which is sealed, a bounded number of segments each time. Returns the last report. */
  async #runTo(to: number): Promise<SnapshotReport | undefined> {
    let newest: SnapshotReport | undefined;
    // Closed while the log was being sealed: the folder may belong to another process now.
    while (this.#snapshotLsn < to && !this.#closed) {
      const report = await this.#runOnce();
      if (report === undefined) break;
      newest = report;
    }
    return newest;
  }

  #uncovered() {
    return this.#journal.sealed.filter(({ lastLsn }) => lastLsn > this.#snapshotLsn);
  }

  #lagBytes(): number {
    return this.#uncovered().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** One run over a bounded number of segments; a call during a run returns that run. */
  #runOnce(): Promise<SnapshotReport | undefined> {
    this.#running ??= this.#start().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #start(): Promise<SnapshotReport | undefined> {
    const { journalFolder, snapshotFolder, pauseMs, log } = this.#options;
    const uncovered = this.#uncovered();
    const isFull = this.#journal.noSpace !== undefined && uncovered.length > 1;
    const to = uncovered
      .slice(0, isFull ? -1 : undefined)
      .slice(0, segmentsPerRun)
      .at(-1)?.lastLsn;
    if (to === undefined) return undefined;
    const { lineage } = this.#journal;
    // With lowest priority the run could starve under constant writes, and the log would grow without bound.
    const urgent = this.#lagBytes() >= urgentFactor * this.#options.bytes;
    const [scrubAt, scrubNextAt] = this.#scrubAt;
    const from = this.#snapshotLsn;
    const request = { journalFolder, snapshotFolder, from, to, lineage, pauseMs: urgent ? 0 : pauseMs, scrubAt };
    const task: SnapshotTask = { request, urgent };
    const started = performance.now();
    const report = await traceOperation(
      [diagnostics.snapshotStart, diagnostics.snapshotEnd],
      { lineage, from, to, durationMs: 0, error: undefined },
      () => this.#runOrMakeRoom(task),
    );
    // The two positions swap: the newest snapshot becomes the previous one.
    this.#scrubAt = [scrubNextAt, report.scrubbedTo];
    this.#snapshotLsn = report.lsn;
    this.#madeAt = report.madeAt;
    this.#written++;
    this.#damage = undefined;
    this.#lastRun = performance.now();
    this.#lastMs = this.#lastRun - started;
    for (const { file, offset, found } of report.damaged)
      log.error({ file, offset }, `damage found; the new snapshot was written from an older snapshot and the log: ${found}`);
    log.info({ ...report, damaged: report.damaged.length, ms: Math.round(this.#lastMs) }, 'snapshot written');
    this.#options.onSnapshot?.(report);
    await this.collectGarbage();
    return report;
  }

  /** Runs the task; repeats it after {@link #makeRoom} if the disk was full. */
  async #runOrMakeRoom(task: SnapshotTask): Promise<SnapshotReport> {
    try {
      return await this.#worker.run(task);
    } catch (error) {
      if (!isNoSpace(error) || !(await this.#makeRoom()) || this.#closed) throw error;
      return this.#worker.run(task);
    }
  }

  /**
   * If the log cannot grow either, deletes the previous snapshot and all files that only it needs. Rejects if the newest snapshot is damaged.
   *
   * @returns whether there was anything to delete
   */
  async #makeRoom(): Promise<boolean> {
    const covered = Math.min(this.#snapshotLsn, ...[...this.#holds].map(({ lsn }) => lsn));
    if (this.#journal.noSpace === undefined || !this.#journal.sealed.some(({ lastLsn }) => lastLsn <= covered)) return false;
    const newest = join(this.#options.snapshotFolder, snapshotName(this.#snapshotLsn));
    await this.#worker.check(newest);
    if (this.#closed) throw new StoppedError('the server is closing');
    this.#options.log.warn(
      { file: newest },
      'the disk has no room for another snapshot: the newest was read back and is sound; deleting the one before it and the log up to the newest',
    );
    await this.#cleanUp(true);
    return true;
  }

  #noteFailure(error: unknown, tookMs: number): void {
    if (this.#closed) return;
    this.failures++;
    const before = this.#failure?.message;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    if (error instanceof CorruptError) this.#damage = error;
    const wait = retryDelayMs(tookMs);
    this.#retryAt = performance.now() + wait;
    // Logged once per reason, because it is retried often.
    if (this.#failure.message === before) return;
    const fields = { err: error, failures: this.failures, retryInS: Math.round(wait / 1000) };
    this.#options.log.error(fields, 'cannot write a snapshot; nothing is lost; it is retried');
  }
}

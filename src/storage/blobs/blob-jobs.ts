/**
 * Runs the jobs of a store of blobs: chooses the thread of each upload, rejects what waits too long for a disk that does not respond, and
 * stores nothing more after a failed write or sync.
 */
import { NoSpaceError, StalledError, type StalledMedium, StoppedError } from '../../lib/errors.ts';
import { isNoSpace, systemMessage } from '../../lib/files/system-errors.ts';
import { type StallLimits, StallWatch } from '../wal/write/stall-watch.ts';
import { type BlobJob, type BlobJobResult, diskFailed, type JobKind, type UploadJobKind } from './blob-files.ts';
import type { BlobWorker } from './blob-threads.ts';

export interface BlobJobsOptions {
  /** Called once, after a failed write or sync: what the disk has is unknown, and nothing more is stored. */
  readonly onFatal?: (error: Error) => void;
  /** `undefined`: a disk that does not respond is waited for without limit. */
  readonly stall?: StallLimits;
}

/** A request that waits for the disk. */
interface Wait {
  readonly medium: StalledMedium;
  ticks: number;
  reject(error: Error): void;
}

export class BlobJobs {
  readonly #worker: BlobWorker;
  readonly #onFatal: BlobJobsOptions['onFatal'];
  /** Jobs of each upload thread, oldest first. */
  readonly #running: readonly Set<object>[];
  /** Number of running uploads of each thread. */
  readonly #loads: number[];
  readonly #waits = new Set<Wait>();
  readonly #stallWatch: StallWatch | undefined;
  #stopped: StoppedError | undefined;
  #isFailed = false;

  constructor(worker: BlobWorker, { stall, onFatal }: BlobJobsOptions) {
    this.#worker = worker;
    this.#onFatal = onFatal;
    const threads = Array.from({ length: worker.uploadThreads }, (_, i) => i);
    this.#running = threads.map(() => new Set());
    this.#loads = threads.map(() => 0);
    this.#stallWatch =
      stall &&
      new StallWatch({
        ...stall,
        ops: this.#running.map((jobs) => () => jobs.values().next().value),
        isAwaited: () => this.#waits.size > 0,
        onTick: (ticksMax) => this.#tick(ticksMax, stall.writeTimeoutMs),
      });
  }

  /** How long the disk has not responded to an upload, in milliseconds; `undefined` if it responds. */
  get stalledMs(): number | undefined {
    return this.#stallWatch?.stalledMs;
  }

  /** Why nothing more is stored: the store is closed, or a write or a sync failed. */
  get stopped(): StoppedError | undefined {
    return this.#stopped;
  }

  /** Chooses the thread of an upload: the one with the fewest. Give it back with {@link leaveThread}. */
  takeThread(): number {
    const thread = this.#loads.indexOf(Math.min(...this.#loads));
    this.#loads[thread] = (this.#loads[thread] as number) + 1;
    return thread;
  }

  leaveThread(thread: number): void {
    this.#loads[thread] = (this.#loads[thread] as number) - 1;
    if (this.#loads.every((uploads) => uploads === 0)) this.#worker.idle();
  }

  async runUpload<K extends UploadJobKind>(thread: number, job: BlobJob<K>): Promise<BlobJobResult<K>> {
    const jobs = this.#running[thread] as Set<object>;
    jobs.add(job);
    this.#stallWatch?.start();
    try {
      // After a failed sync nothing is acknowledged, but what is left may be deleted.
      if (this.#isFailed && job.kind !== 'abort') throw this.#stopped;
      return await this.#worker.upload(thread, job);
    } catch (error) {
      throw this.#described(error);
    } finally {
      jobs.delete(job);
    }
  }

  async runBackground<K extends Exclude<JobKind, UploadJobKind>>(job: BlobJob<K>): Promise<BlobJobResult<K>> {
    if (this.#stopped !== undefined) throw this.#stopped;
    try {
      return await this.#worker.background(job);
    } catch (error) {
      throw this.#described(error);
    }
  }

  /** Compares a blob for a request: it waits neither for a listing nor for a deletion. */
  async compare(job: BlobJob<'verify'>): Promise<string> {
    if (this.#stopped !== undefined) throw this.#stopped;
    return await this.#worker.compare(job);
  }

  /** Rejects with StalledError if the disk, or the database, takes longer than the timeout of writes. */
  timed<T>(work: Promise<T>, medium: StalledMedium = 'disk'): Promise<T> {
    if (this.#stallWatch === undefined) return work;
    this.#stallWatch.start();
    return new Promise<T>((resolve, reject) => {
      const wait: Wait = { medium, ticks: 0, reject };
      this.#waits.add(wait);
      work.then(resolve, reject).finally(() => this.#waits.delete(wait));
    });
  }

  /** Accepts no further uploads and jobs in the background. Returns the error for them. */
  stop(): StoppedError {
    this.#stopped ??= new StoppedError('the store of blobs is closed');
    return this.#stopped;
  }

  /** Ends the threads. Resolves only when the disk responds. */
  async close(): Promise<void> {
    this.#stallWatch?.stop();
    await this.#worker.close();
  }

  /** The error for the caller. A failed write or sync stops the store. */
  #described(error: unknown): unknown {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isNoSpace(error)) return new NoSpaceError(`cannot store the upload: ${systemMessage(error)}`);
    if (code !== diskFailed) return error;
    const isFirst = !this.#isFailed;
    this.#isFailed = true;
    this.#stopped = new StoppedError(`the store of blobs has stopped: ${message}`);
    if (isFirst) this.#onFatal?.(error as Error);
    return this.#stopped;
  }

  #tick(ticksMax: number, timeoutMs: number): void {
    for (const wait of this.#waits) {
      wait.ticks += 1;
      if (wait.ticks <= ticksMax) continue;
      this.#waits.delete(wait);
      wait.reject(new StalledError('unconfirmed', timeoutMs, wait.medium));
    }
  }
}

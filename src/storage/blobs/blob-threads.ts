/**
 * Runs the work on blobs: in production on two threads for uploads, one that deletes, one that compares what requests read, and one of the
 * lowest priority that lists and reads again; in tests on the calling thread with another file system.
 */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { FolderReplacedError } from '../../lib/errors.ts';
import { assertSame, type OpenFolder } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { JobThread } from '../../lib/threads/job-thread.ts';
import { urgently } from '../../lib/threads/priority.ts';
import { workerFile } from '../../lib/threads/worker-file.ts';
import type { BlobJob, BlobJobResult, JobKind, UploadJobKind } from './blob-files.ts';
import type { BlobTask } from './blob-worker.ts';
import { type BlobHandle, stampOf } from './open-blob.ts';

export interface BlobWorker {
  /** Number of threads for uploads. */
  readonly uploadThreads: number;
  /** Runs a job of an upload. All jobs of an upload go to one thread, which keeps its open file; it runs one job at a time, in order. */
  upload<K extends UploadJobKind>(thread: number, job: BlobJob<K>): Promise<BlobJobResult<K>>;
  /** No upload needs the threads until the next job. */
  idle(): void;
  /** Lists, reads or deletes, beside the uploads. */
  background<K extends Exclude<JobKind, UploadJobKind>>(job: BlobJob<K>): Promise<BlobJobResult<K>>;
  /** Compares a blob for a request, beside all other jobs. */
  compare(job: BlobJob<'verify'>): Promise<string>;
  /** Opens a file for reading. Rejects with the error of the system, and with FolderReplacedError. */
  open(path: string): Promise<BlobHandle>;
  /** Identifies the content of a file, see {@link stampOf}; `undefined` if there is none. Rejects with FolderReplacedError. */
  stamp(path: string): Promise<string | undefined>;
  /** Ends all threads; running jobs reject. */
  close(): Promise<void>;
}

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Two, so that the sync of one upload does not delay all others. */
const uploadThreads = 2;
/** Jobs that change the disk, beside those of uploads. */
const changing: ReadonlySet<JobKind> = new Set(['delete', 'clean', 'write-note']);
/** How long threads without work stay, in milliseconds. */
const idleMs = 60_000;

export class BlobThreads implements BlobWorker {
  readonly uploadThreads = uploadThreads;
  readonly uploads: readonly JobThread[];
  readonly #background: JobThread;
  readonly #deletions: JobThread;
  readonly #reads: JobThread;
  readonly #folder: string;
  /** The data folder; `undefined` disables the check. */
  readonly #root: OpenFolder | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(folder: string, log: Log, root?: OpenFolder) {
    this.#folder = folder;
    this.#root = root;
    const filename = workerFile(import.meta.url, './blob-worker');
    // An upload may pause for longer than any idle time: the store says when its thread may end.
    const options = { what: 'uploads', log, idleMs: Number.POSITIVE_INFINITY, argv: [urgently] };
    this.uploads = Array.from({ length: uploadThreads }, () => new JobThread(filename, options));
    this.#background = new JobThread(filename, { what: 'blobs', log, idleMs, onlyReads: true });
    this.#reads = new JobThread(filename, { what: 'reads of blobs', log, idleMs, argv: [urgently], onlyReads: true });
    // A stop waits for them: at the lowest priority, beside busy programs, that would take longer than it may.
    this.#deletions = new JobThread(filename, { what: 'deletions of blobs', log, idleMs, argv: [urgently] });
  }

  upload<K extends UploadJobKind>(thread: number, job: BlobJob<K>): Promise<BlobJobResult<K>> {
    clearTimeout(this.#idle);
    return this.#run(this.uploads[thread] as JobThread, job);
  }

  idle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#endUploadThreads(), idleMs).unref();
  }

  background<K extends Exclude<JobKind, UploadJobKind>>(job: BlobJob<K>): Promise<BlobJobResult<K>> {
    return this.#run(changing.has(job.kind) ? this.#deletions : this.#background, job);
  }

  compare(job: BlobJob<'verify'>): Promise<string> {
    return this.#run(this.#reads, job);
  }

  async open(path: string): Promise<BlobHandle> {
    // A named pipe would be waited for without end.
    return this.#same(() => open(path, O_RDONLY | O_NONBLOCK));
  }

  async stamp(path: string): Promise<string | undefined> {
    return this.#same(() => stat(path, { bigint: true })).then(stampOf, (error: unknown) => {
      if (error instanceof FolderReplacedError) throw error;
      return undefined;
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const threads = [this.#background, this.#deletions, this.#reads];
    await Promise.all([this.#endUploadThreads(), ...threads.map((thread) => thread.stop())]);
  }

  /** Rejects with FolderReplacedError if the folder was replaced before the call, or before it failed. */
  async #same<T>(call: () => Promise<T>): Promise<T> {
    this.#assertSame();
    try {
      return await call();
    } catch (error) {
      this.#assertSame();
      throw error;
    }
  }

  #assertSame(): void {
    if (this.#root?.check() === false) assertSame(this.#root.identity);
  }

  async #endUploadThreads(): Promise<void> {
    await Promise.all(this.uploads.map((thread) => thread.stop()));
  }

  async #run<K extends JobKind>(thread: JobThread, job: BlobJob<K>): Promise<BlobJobResult<K>> {
    const task: BlobTask<K> = { root: this.#root?.identity, folder: this.#folder, job };
    try {
      return await thread.run(task);
    } catch (error) {
      // A replaced folder must be reported before its caller takes this error for one of the disk.
      this.#root?.check();
      throw error;
    }
  }
}

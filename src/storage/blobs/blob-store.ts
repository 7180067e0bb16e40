/**
 * Blobs: immutable bytes on disk, named by their SHA-256. Memory holds nothing of them; who refers to which blob is the caller's matter.
 *
 *     upload() -> write() ... -> finish(): tmp/<name> -> sync -> rename to ab/<digest> -> sync of ab -> append the record -> release the hold
 *
 * A crash at any point leaves garbage (a leftover in `tmp`, or a blob that no record refers to), never a missing or half-written blob under
 * its name.
 */
import { randomBytes } from 'node:crypto';
import { BlobDamagedError, StalledError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import type { OpenFolder } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { BlobCache } from './blob-cache.ts';
import type { BlobDeletion, BlobJobResult, ListedMembers } from './blob-files.ts';
import { BlobFolders } from './blob-folders.ts';
import { BlobHolds, type Hold } from './blob-holds.ts';
import { BlobJobs, type BlobJobsOptions } from './blob-jobs.ts';
import { BlobListing } from './blob-listing.ts';
import { BlobMemory, memoryFolder } from './blob-memory.ts';
import type { BlobOrigin } from './blob-origin.ts';
import { blobFolders, blobPath } from './blob-path.ts';
import type { BlobName } from './blob-source.ts';
import { BlobThreads, type BlobWorker } from './blob-threads.ts';
import { type BlobUpload, pieceBytesDefault, UploadInThread } from './blob-upload.ts';
import { type BlobHandle, type OpenBlob, openBlobFile, readAll } from './open-blob.ts';
import { VerifiedBlobs } from './verified-blobs.ts';

export interface BlobStoreOptions extends BlobJobsOptions {
  readonly log: Log;
  /** The data folder: every thread checks that it was not replaced. `undefined`: not checked. */
  readonly root?: OpenFolder;
  /** For tests; default: threads. */
  readonly worker?: BlobWorker;
  /** Bytes that an upload collects for one write; default 256 KiB. */
  readonly pieceBytes?: number;
  /** Where the bytes are durable; the folder is then a cache of them. Default: the folder itself. */
  readonly origin?: BlobOrigin;
  /** Called with the digest of an upload that failed after its bytes were stored: nothing holds them. */
  readonly onLeft?: (digest: string) => void;
}

export class BlobStore {
  readonly folder: string;
  readonly #options: BlobStoreOptions;
  readonly #worker: BlobWorker;
  readonly #holds = new BlobHolds();
  /** Begins the name of each upload of this store. */
  readonly #run = randomBytes(8).toString('hex');
  #uploadCount = 0;
  /** Uploads that run, by name. */
  readonly #uploads = new Map<string, BlobUpload>();
  readonly #jobs: BlobJobs;
  /** Moves bytes between the folder and its origin, if it has one. */
  readonly #cache: BlobCache | undefined;
  readonly #verified: VerifiedBlobs;
  /** The deletions so far: one runs at a time. */
  #deletions: Promise<unknown> = Promise.resolve();
  /** `undefined` for a store in memory. */
  readonly #folders: BlobFolders | undefined;

  /**
   * Opens the folder `data/store/blobs`. Its 256 folders and `tmp` are created and synced; if the disk has no room for them, by the first
   * upload when it has. Throws any other error of the disk.
   *
   * @param files used to create the folders; a worker has its own
   */
  static open(files: Files, folder: string, options: BlobStoreOptions): BlobStore {
    const folders = new BlobFolders(files, folder);
    const store = new BlobStore(folder, options, folders);
    folders.begin(options.log);
    return store;
  }

  /** A store of a process that keeps nothing: its blobs are in memory. */
  static inMemory(log: Log, worker: BlobWorker = new BlobMemory()): BlobStore {
    return new BlobStore(memoryFolder, { log, worker });
  }

  private constructor(folder: string, options: BlobStoreOptions, folders?: BlobFolders) {
    this.folder = folder;
    this.#folders = folders;
    this.#options = options;
    this.#worker = options.worker ?? new BlobThreads(folder, options.log, options.root);
    this.#jobs = new BlobJobs(this.#worker, options);
    const { origin, log, onLeft } = options;
    this.#cache =
      origin &&
      new BlobCache(origin, {
        ...{ log, ...(onLeft && { onLeft }) },
        openFile: async (blob) => (await openBlobFile(this.#worker, this.#pathOf(blob.digest), blob)).handle,
        upload: (digest) => this.#begin(Number.POSITIVE_INFINITY, digest),
        timed: (work) => this.#jobs.timed(work, 'database'),
      });
    this.#verified = new VerifiedBlobs({
      open: (blob) => openBlobFile(this.#worker, this.#pathOf(blob.digest), blob),
      stamp: (digest) => this.#worker.stamp(this.#pathOf(digest)),
      compare: ({ fd }, blob, pace) => {
        const job = { kind: 'verify', fd, ...blob } as const;
        return pace === 'request' ? this.#jobs.compare(job) : this.#jobs.runBackground(job);
      },
      damaged: (digest, found) => new BlobDamagedError(digest, this.#pathOf(digest), found),
      repair: async (blob, error) => {
        if (this.#cache === undefined) throw error;
        await this.#cache.load(blob);
      },
    });
  }

  /** Whether its blobs are no files. */
  get isInMemory(): boolean {
    return this.#worker instanceof BlobMemory;
  }

  /** How long the disk has not responded to an upload, in milliseconds; `undefined` if it responds. */
  get stalledMs(): number | undefined {
    return this.#jobs.stalledMs;
  }

  /** Number of running uploads. */
  get uploads(): number {
    return this.#uploads.size;
  }

  /** Takes a hold on a digest: its blob is not deleted before the hold is released. Holds are counted. */
  hold(digest: string): Hold {
    return this.#holds.hold(digest);
  }

  /** Starts an upload. Throws StalledError if the disk does not respond, and StoppedError. */
  upload({ bytesMax }: { readonly bytesMax: number }): BlobUpload {
    const upload = this.#begin(bytesMax);
    return this.#cache?.finishing(upload) ?? upload;
  }

  /** @param digest that the bytes must have; if it is given, the upload fails with BlobDamagedError for others */
  #begin(bytesMax: number, digest?: string): BlobUpload {
    if (this.#jobs.stopped !== undefined) throw this.#jobs.stopped;
    this.#folders?.make();
    const { stalledMs } = this;
    if (stalledMs !== undefined) throw new StalledError('refused', stalledMs);
    this.#uploadCount += 1;
    const name = `${this.#run}-${this.#uploadCount}`;
    const thread = this.#jobs.takeThread();
    const upload = new UploadInThread({
      name,
      bytesMax,
      ...(digest !== undefined && { digest }),
      pieceBytes: this.#options.pieceBytes ?? pieceBytesDefault,
      run: (job) => this.#jobs.runUpload(thread, job),
      hold: (digest) => this.#holds.hold(digest),
      settled: (digest) => this.#holds.settled(digest),
      timed: (work) => this.#jobs.timed(work),
      onEnd: () => {
        if (this.#uploads.delete(name)) this.#jobs.leaveThread(thread);
      },
      onLeft: (digest) => this.#options.onLeft?.(digest),
    });
    this.#uploads.set(name, upload);
    return upload;
  }

  /**
   * Opens a blob for reading, and holds it until it is closed. All of its bytes have its digest: see `verified-blobs.ts`. Loads it from the
   * origin first if the folder is a cache and does not have it, or a damaged file. Rejects with BlobDamagedError if it is missing or damaged,
   * and with BusyError if the origin does not respond, or if too many blobs of the account wait.
   *
   * @param bytes the size that its record has
   * @param accountId of the account that has the blob; the others wait for at most one of its blobs
   */
  async openBlob(digest: string, bytes: number, accountId = ''): Promise<OpenBlob> {
    const blob = { digest, bytes };
    const recent = await this.#verified.recent(blob);
    if (recent !== undefined) return { digest, bytes, ...recent, close: async () => undefined };
    const hold = this.#holds.hold(digest);
    try {
      await this.#holds.settled(digest);
      const opening = this.isInMemory
        ? openBlobFile(this.#worker, this.#pathOf(digest), blob)
        : this.#verified.open(blob, accountId);
      const { handle, stamp } = await opening;
      return { digest, bytes, handle, stamp, close: closing(handle, hold) };
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** Rejects with BlobDamagedError if there is no file of this size. Reads none of its bytes; loads it into a cache that does not have it. */
  async checkPresence(blob: BlobName): Promise<void> {
    await this.#held(blob, () => this.#verified.checkPresence(blob));
  }

  /** Whether the bytes are durable elsewhere, and the folder is a cache of them. */
  get isCache(): boolean {
    return this.#cache !== undefined;
  }

  /**
   * Loads a blob of the origin into the cache. Rejects as {@link openBlob} does.
   *
   * @param isDamaged whether a copy in the cache is worthless
   * @returns whether it was loaded
   */
  async bring(blob: BlobName, isDamaged: boolean): Promise<boolean> {
    return await this.#held(blob, async () => (await this.#cache?.bring(blob, isDamaged)) ?? false);
  }

  /** Rejects as {@link openBlob} does unless the blob is durable. What only the cache has is put into the origin. */
  async check(digest: string, bytes: number): Promise<void> {
    const blob = { digest, bytes };
    await this.#held(blob, async () => {
      if (this.#cache !== undefined) await this.#cache.check(blob);
      else await this.#verified.checkPresence(blob);
    });
  }

  /**
   * Reads the file of a blob in a thread and compares its digest. Rejects with BlobDamagedError if it is missing or damaged. A cache reads
   * only what it has, and loads a damaged file again.
   */
  async verify(blob: BlobName): Promise<void> {
    await this.#held(blob, async () => {
      if (this.#cache === undefined || (await this.#cache.isCached(blob))) await this.#verified.verify(blob);
    });
  }

  /** All bytes of a blob. Rejects as {@link openBlob} does. */
  async read(digest: string, bytes: number, accountId = ''): Promise<Buffer> {
    const opened = await this.openBlob(digest, bytes, accountId);
    try {
      const all = await readAll(opened.handle, bytes);
      if (all.length === bytes) return all;
      throw new BlobDamagedError(digest, this.#pathOf(digest), `it ends at byte ${all.length}`);
    } finally {
      await opened.close();
    }
  }

  /**
   * Deletes the blobs of the given digests that nothing holds. A hold that is taken before the turn of its blob spares it. Resolves with the
   * digests that are gone, durably; a file that cannot be deleted is logged and not among them. Rejects with StoppedError.
   *
   * @param onGone called for each of them before an upload can store it again
   */
  delete(digests: Iterable<string>, onGone: (digest: string) => void = () => {}): Promise<string[]> {
    const waiting = this.#holds.waiting(digests);
    const deleting = this.#oneDeletion(() =>
      this.#holds.delete(waiting, async (batch) => {
        // Before the cache: a file of the cache that remains is found by a later listing.
        const due = (await this.#cache?.delete(batch)) ?? batch;
        const gone = this.#logged(await this.#jobs.runBackground({ kind: 'delete', digests: due }));
        for (const digest of gone) onGone(digest);
        return gone;
      }),
    );
    return deleting.finally(() => this.#holds.ended(waiting));
  }

  /** Deletes the leftovers of a listing. Resolves with the names that are gone. */
  clean(leftovers: readonly string[]): Promise<string[]> {
    return this.#oneDeletion(async () => {
      const names = leftovers.filter((name) => !this.#uploads.has(name));
      return names.length === 0 ? [] : [...this.#logged(await this.#jobs.runBackground({ kind: 'clean', names }))];
    });
  }

  /**
   * Lists all blobs with sizes and times, and the leftovers of uploads, in a thread. A blob that is stored meanwhile may be missing.
   *
   * @param what `names` takes a third of the time: sizes and times are NaN. With an origin it counts what is there: its sizes, and 0 for a
   *     blob that only the cache has; times are NaN
   */
  async list(what: ListedMembers = 'all'): Promise<BlobListing> {
    const folders: BlobJobResult<'list'>[] = [];
    // A folder at a time, so that deletions do not wait for a million names.
    for (const prefix of blobFolders) {
      const cached = await this.#jobs.runBackground({ kind: 'list', prefix, what });
      folders.push((await this.#cache?.list(prefix, cached)) ?? cached);
    }
    const names = await this.#jobs.runBackground({ kind: 'leftovers' });
    return new BlobListing(
      folders,
      names.filter((name) => !this.#uploads.has(name)),
    );
  }

  /** Size of the file of a blob in bytes; 0 if there is none. */
  async sizeOf(digest: string): Promise<number> {
    return await this.#jobs.runBackground({ kind: 'size', digest });
  }

  /** Replaces the text that is kept in the folder, durably. See `blob-note.ts`. */
  async writeNote(text: string): Promise<void> {
    await this.#jobs.runBackground({ kind: 'write-note', text });
  }

  /** Discards running uploads, waits for those that finish, and ends the threads. Resolves only when the disk responds. */
  async close(): Promise<void> {
    const stopped = this.#jobs.stop();
    this.#cache?.stop(stopped);
    await Promise.all([...this.#uploads.values()].map((upload) => upload.abort()));
    await this.#deletions;
    await this.#jobs.close();
  }

  #oneDeletion<T>(work: () => Promise<T>): Promise<T> {
    const deletion = this.#deletions.then(() => {
      if (this.#jobs.stopped !== undefined) throw this.#jobs.stopped;
      return work();
    });
    this.#deletions = deletion.catch(() => undefined);
    return deletion;
  }

  /** Does work on a blob that is not deleted meanwhile. */
  async #held<T>({ digest }: BlobName, work: () => Promise<T>): Promise<T> {
    const hold = this.#holds.hold(digest);
    try {
      await this.#holds.settled(digest);
      return await work();
    } finally {
      hold.release();
    }
  }

  #pathOf(digest: string): string {
    return blobPath(this.folder, digest);
  }

  #logged({ gone, undeleted }: BlobDeletion): readonly string[] {
    const [first] = undeleted;
    if (first !== undefined) this.#options.log.warn({ ...first, count: undeleted.length }, 'cannot delete blobs');
    return gone;
  }
}

function closing(handle: BlobHandle, hold: Hold): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= handle.close().finally(() => hold.release());
    return closed;
  };
}

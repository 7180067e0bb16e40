/** The work on blobs in the calling thread, over any {@link Files}: each job in a turn of its own, so that their order is that of threads. */
import { crc32 } from 'node:zlib';
import type { Files } from '../../src/lib/files/files.ts';
import { BlobFiles, type BlobJob, type BlobJobResult, type JobKind } from '../../src/storage/blobs/blob-files.ts';
import type { BlobWorker } from '../../src/storage/blobs/blob-threads.ts';
import { type BlobHandle, stampOf } from '../../src/storage/blobs/open-blob.ts';

export class InlineBlobWorker implements BlobWorker {
  readonly uploadThreads = 2;
  /** Jobs that have run, by kind. */
  readonly ran: JobKind[] = [];
  /** A job waits for what this returns before it runs, as it does for a slow disk. */
  gate: (job: BlobJob) => Promise<void> | undefined = () => undefined;
  idleCount = 0;
  isClosed = false;
  readonly #files: Files;
  readonly #blobs: BlobFiles;
  /** The last job of each thread; those of lists and deletions, and of comparisons, come last. */
  readonly #last: Promise<unknown>[] = Array.from({ length: 4 }, () => Promise.resolve());

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#blobs = new BlobFiles(files, folder);
  }

  upload<K extends JobKind>(thread: number, job: BlobJob<K>): Promise<BlobJobResult<K>> {
    const result = (this.#last[thread] ?? Promise.resolve()).then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await this.gate(job as BlobJob);
      this.ran.push(job.kind);
      return this.#blobs.perform(job);
    });
    this.#last[thread] = result.catch(() => undefined);
    return result;
  }

  background<K extends JobKind>(job: BlobJob<K>): Promise<BlobJobResult<K>> {
    return this.upload(this.uploadThreads, job);
  }

  compare(job: BlobJob<'verify'>): Promise<string> {
    return this.upload(this.uploadThreads + 1, job);
  }

  idle(): void {
    this.idleCount += 1;
  }

  async open(path: string): Promise<BlobHandle> {
    const files = this.#files;
    const fd = files.open(path, 'r');
    const handle = {
      fd,
      read: async (into: Uint8Array, offset: number, length: number, position: number) => ({
        bytesRead: files.read(fd, into.subarray(offset, offset + length), position),
        buffer: into,
      }),
      stat: async () => this.#stats(fd),
      close: async () => files.close(fd),
    };
    return handle as unknown as BlobHandle;
  }

  async stamp(path: string): Promise<string | undefined> {
    if (this.#files.stat(path) === undefined) return undefined;
    const fd = this.#files.open(path, 'r');
    try {
      return stampOf(this.#stats(fd));
    } finally {
      this.#files.close(fd);
    }
  }

  /** The model has no inodes and times: the time of change is that of the bytes. */
  #stats(fd: number) {
    const bytes = Buffer.alloc(this.#files.size(fd));
    try {
      this.#files.read(fd, bytes, 0);
    } catch {
      // What cannot be read has a size and a time, too.
    }
    return { ino: 0n, size: BigInt(bytes.length), mtimeNs: 0n, ctimeNs: BigInt(crc32(bytes)), isFile: () => true };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

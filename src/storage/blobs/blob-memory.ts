/** Blobs of a process without a data folder: the work on blobs in memory. {@link BlobStore.inMemory} uses it. */
import { createHash } from 'node:crypto';
import type { BlobDeletion, BlobJob, BlobJobResult, FolderListing, JobKind } from './blob-files.ts';
import { blobPath } from './blob-path.ts';
import type { BlobWorker } from './blob-threads.ts';
import { type BlobHandle, handleOf } from './open-blob.ts';

/** Where its blobs seem to be. */
export const memoryFolder = '/memory';

interface MemoryBlob {
  readonly bytes: Uint8Array;
  /** Unix time in milliseconds. */
  readonly changedMs: number;
}

type Handlers = { readonly [K in JobKind]: (job: BlobJob<K>) => BlobJobResult<K> };

export class BlobMemory implements BlobWorker {
  readonly uploadThreads = 1;
  /** By path. */
  readonly #blobs = new Map<string, MemoryBlob>();
  readonly #uploads = new Map<string, Uint8Array[]>();
  readonly #handlers: Handlers = {
    write: ({ upload, bytes }) => {
      const pieces = this.#uploads.get(upload);
      // Its memory is used again.
      const copy = bytes.slice();
      if (pieces === undefined) this.#uploads.set(upload, [copy]);
      else pieces.push(copy);
      return undefined;
    },
    seal: ({ upload }) => {
      const hash = createHash('sha256');
      for (const piece of this.#uploads.get(upload) ?? []) hash.update(piece);
      return hash.digest('hex');
    },
    name: ({ upload, digest }) => {
      const path = blobPath(memoryFolder, digest);
      const isNew = !this.#blobs.has(path);
      this.#blobs.set(path, { bytes: Buffer.concat(this.#uploads.get(upload) ?? []), changedMs: Date.now() });
      this.#uploads.delete(upload);
      return { path, isNew };
    },
    abort: ({ upload }) => void this.#uploads.delete(upload) as undefined,
    delete: ({ digests }) => this.#delete(digests),
    clean: ({ names }) => ({ gone: names, undeleted: [] }),
    list: ({ prefix }) => this.#list(prefix),
    verify: () => '',
    size: ({ digest }) => this.#blobs.get(blobPath(memoryFolder, digest))?.bytes.byteLength ?? 0,
    'write-note': () => undefined,
    leftovers: () => [],
  };

  upload<K extends JobKind>(_thread: number, job: BlobJob<K>): Promise<BlobJobResult<K>> {
    return this.background(job);
  }

  async background<K extends JobKind>(job: BlobJob<K>): Promise<BlobJobResult<K>> {
    const handler = this.#handlers[job.kind] as (job: BlobJob<K>) => BlobJobResult<K>;
    return handler(job);
  }

  async compare(): Promise<string> {
    return '';
  }

  idle(): void {}

  async open(path: string): Promise<BlobHandle> {
    const blob = this.#blobs.get(path);
    if (blob === undefined) throw Object.assign(new Error(`ENOENT: no blob in memory has the path ${path}`), { code: 'ENOENT' });
    return handleOf(blob.bytes);
  }

  async stamp(): Promise<undefined> {}

  async close(): Promise<void> {
    this.#blobs.clear();
    this.#uploads.clear();
  }

  #delete(digests: readonly string[]): BlobDeletion {
    for (const digest of digests) this.#blobs.delete(blobPath(memoryFolder, digest));
    return { gone: digests, undeleted: [] };
  }

  #list(prefix: string): FolderListing {
    const found = [...this.#blobs]
      .map(([path, blob]) => ({ digest: path.slice(-64), ...blob }))
      .filter(({ digest }) => digest.startsWith(prefix))
      .sort((a, b) => (a.digest < b.digest ? -1 : 1));
    return {
      digests: Buffer.from(found.map(({ digest }) => digest).join(''), 'hex'),
      bytes: Float64Array.from(found, ({ bytes }) => bytes.byteLength),
      changedMs: Float64Array.from(found, ({ changedMs }) => changedMs),
    };
  }
}

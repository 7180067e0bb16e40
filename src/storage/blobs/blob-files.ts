/**
 * The work on blobs that blocks: it runs in the threads of `blob-worker.ts`, in tests in the calling thread. An upload keeps its open file
 * and its hash here between jobs.
 *
 *     write (tmp/<name>) ... -> seal: sync, close -> name: rename to ab/<digest>, sync of ab
 *
 * A failed job of an upload closes and deletes its file.
 */
import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import { CorruptError, FolderReplacedError } from '../../lib/errors.ts';
import { type FileStats, type Files, removeIfThere, type Undeleted } from '../../lib/files/files.ts';
import { isNoSpace, isUnreadable, systemMessage } from '../../lib/files/system-errors.ts';
import { invariant } from '../../lib/invariant.ts';
import { writeNote } from './blob-note.ts';
import { blobFolders, blobPath, isDigest, uploadFolder, uploadPath } from './blob-path.ts';
import { type BlobName, readOpenBlob } from './blob-source.ts';

/** The jobs, by kind. */
interface Jobs {
  /** Appends bytes to an upload; the first creates its file. `at` is their position. Their memory is used again after the job. */
  write: { readonly upload: string; readonly at: number; readonly bytes: Uint8Array };
  /** Makes the bytes durable and closes the file. */
  seal: { readonly upload: string };
  /** Gives a sealed upload the name of its blob, durably. A blob that exists is replaced, by the same steps. */
  name: { readonly upload: string; readonly digest: string };
  /** Deletes the file of an upload, whatever its state. */
  abort: { readonly upload: string };
  delete: { readonly digests: readonly string[] };
  /** Deletes the files of uploads that ended without a result. */
  clean: { readonly names: readonly string[] };
  /** Lists one folder of blobs, by its name. */
  list: { readonly prefix: string; readonly what: ListedMembers };
  /** Reads an open file and compares the digest of its bytes. Its descriptor is that of another thread, which keeps it open. */
  verify: BlobName & { readonly fd: number };
  leftovers: Readonly<Record<never, never>>;
  size: { readonly digest: string };
  'write-note': { readonly text: string };
}

interface Results {
  write: undefined;
  /** The digest of all bytes. */
  seal: string;
  name: NamedBlob;
  abort: undefined;
  delete: BlobDeletion;
  clean: BlobDeletion;
  list: FolderListing;
  /** What is wrong with it; '' if nothing is. */
  verify: string;
  leftovers: readonly string[];
  /** In bytes; 0 if there is no file. */
  size: number;
  'write-note': undefined;
}

/** A blob under its name. */
export interface NamedBlob {
  readonly path: string;
  /** There was no file of this name before. */
  readonly isNew: boolean;
}

export type JobKind = keyof Jobs;
export type UploadJobKind = 'write' | 'seal' | 'name' | 'abort';
export type BlobJob<K extends JobKind = JobKind> = { [Each in K]: { readonly kind: Each } & Jobs[Each] }[K];
export type BlobJobResult<K extends JobKind> = Results[K];

export interface BlobDeletion {
  /** Names that are gone, also those that did not exist. */
  readonly gone: readonly string[];
  readonly undeleted: readonly Undeleted[];
}

/** `names` omits sizes and times, which take most of the time. */
export type ListedMembers = 'all' | 'names';

/** The blobs of one folder, sorted by name: arrays of equal length, which change threads without a copy. */
export interface FolderListing {
  /** 32 bytes each. */
  readonly digests: Uint8Array;
  /** Sizes in bytes; NaN if only names were listed. */
  readonly bytes: Float64Array;
  /** Times of change, Unix time in milliseconds; NaN if only names were listed. */
  readonly changedMs: Float64Array;
}

/** Code of an error after which nothing may be acknowledged any more: a write or a sync failed, but not for lack of space. */
export const diskFailed = 'disk_failed';

/** Bytes between two syncs of an upload: a burst would delay the syncs of the log. */
export const syncEveryBytes = 1024 * 1024;

const unknownStats: FileStats = { bytes: Number.NaN, changedMs: Number.NaN };

interface OpenUpload {
  /** `undefined` after the seal. */
  fd: number | undefined;
  readonly hash: Hash;
  bytes: number;
  unsyncedBytes: number;
}

type Handlers = { readonly [K in JobKind]: (job: Jobs[K]) => Results[K] };

export class BlobFiles {
  readonly #files: Files;
  readonly #folder: string;
  readonly #uploads = new Map<string, OpenUpload>();
  readonly #handlers: Handlers = {
    write: ({ upload, at, bytes }) => this.#attempt(upload, () => this.#write(upload, at, bytes)),
    seal: ({ upload }) => this.#attempt(upload, () => this.#seal(upload)),
    name: ({ upload, digest }) => this.#attempt(upload, () => this.#name(upload, digest)),
    abort: ({ upload }) => this.#discard(upload),
    delete: ({ digests }) => this.#delete(digests, (digest) => blobPath(this.#folder, digest)),
    clean: ({ names }) => this.#delete(names, (name) => uploadPath(this.#folder, name)),
    list: ({ prefix, what }) => this.#list(prefix, what),
    verify: ({ fd, ...blob }) => this.#verify(fd, blob),
    leftovers: () => this.#files.list(path.join(this.#folder, uploadFolder)),
    size: ({ digest }) => this.#files.stat(blobPath(this.#folder, digest))?.bytes ?? 0,
    'write-note': ({ text }) => writeNote(this.#files, this.#folder, text),
  };

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** Runs one job. Throws the error of the disk, with the code {@link diskFailed} if a write or a sync failed. */
  perform<K extends JobKind>(job: BlobJob<K>): Results[K] {
    const handler = this.#handlers[job.kind] as (job: BlobJob<K>) => Results[K];
    return handler(job);
  }

  /** Runs a step of an upload; if it fails, nothing of the upload is left. */
  #attempt<T>(upload: string, step: () => T): T {
    try {
      return step();
    } catch (error) {
      try {
        this.#discard(upload);
      } catch {
        // The first error is the one that matters; the file is a leftover, which a later cleanup deletes.
      }
      throw error;
    }
  }

  #write(name: string, at: number, bytes: Uint8Array): undefined {
    const upload = at === 0 ? this.#create(name) : this.#open(name);
    const { fd } = upload;
    invariant(fd !== undefined && upload.bytes === at, 'the bytes at {} of the upload {} follow those before', at, name);
    finalIfFailed(() => this.#files.write(fd, bytes, at), 'write', name);
    upload.hash.update(bytes);
    upload.bytes += bytes.byteLength;
    upload.unsyncedBytes += bytes.byteLength;
    if (upload.unsyncedBytes >= syncEveryBytes) this.#sync(upload, fd, name);
    return undefined;
  }

  #seal(name: string): string {
    const upload = this.#uploads.get(name) ?? this.#create(name);
    const { fd } = upload;
    invariant(fd !== undefined, 'the upload {} is sealed once', name);
    this.#sync(upload, fd, name);
    upload.fd = undefined;
    this.#files.close(fd);
    return upload.hash.digest('hex');
  }

  #name(name: string, digest: string): NamedBlob {
    invariant(this.#open(name).fd === undefined, 'the upload {} is sealed before it gets the name {}', name, digest);
    const blob = blobPath(this.#folder, digest);
    const folder = path.dirname(blob);
    // Opened first, so that a lack of descriptors does not leave a name that is not durable.
    const fd = this.#files.openFolder(folder);
    try {
      const isNew = this.#files.stat(blob) === undefined;
      // A blob that exists is replaced: the same steps take the same time, and damaged bytes are repaired.
      this.#files.rename(uploadPath(this.#folder, name), blob);
      this.#uploads.delete(name);
      this.#syncFolder(folder, fd);
      return { path: blob, isNew };
    } finally {
      this.#files.close(fd);
    }
  }

  #create(name: string): OpenUpload {
    const fd = this.#files.open(uploadPath(this.#folder, name), 'wx+');
    const upload: OpenUpload = { fd, hash: createHash('sha256'), bytes: 0, unsyncedBytes: 0 };
    this.#uploads.set(name, upload);
    return upload;
  }

  /** Throws if this thread does not have the upload: an earlier thread that had it died. */
  #open(name: string): OpenUpload {
    const upload = this.#uploads.get(name);
    if (upload === undefined) throw new Error(`the thread that wrote the upload ${name} has ended`);
    return upload;
  }

  #sync(upload: OpenUpload, fd: number, name: string): void {
    finalIfFailed(() => this.#files.sync(fd), 'sync', name);
    upload.unsyncedBytes = 0;
  }

  #syncFolder(folder: string, fd: number): void {
    finalIfFailed(() => this.#files.syncFolder(folder, fd), 'sync the folder', folder, 'always');
  }

  #discard(name: string): undefined {
    const fd = this.#uploads.get(name)?.fd;
    this.#uploads.delete(name);
    try {
      if (fd !== undefined) this.#files.close(fd);
    } finally {
      removeIfThere(this.#files, uploadPath(this.#folder, name));
    }
    return undefined;
  }

  #delete(names: readonly string[], pathOf: (name: string) => string): BlobDeletion {
    const gone: string[] = [];
    const undeleted: Undeleted[] = [];
    for (const [folder, inFolder] of byFolder(names, pathOf)) {
      const fd = this.#files.openFolder(folder);
      try {
        const removed = inFolder.filter((name) => this.#remove(pathOf(name), undeleted));
        this.#syncFolder(folder, fd);
        gone.push(...removed);
      } finally {
        this.#files.close(fd);
      }
    }
    return { gone, undeleted };
  }

  #remove(file: string, undeleted: Undeleted[]): boolean {
    try {
      removeIfThere(this.#files, file);
      return true;
    } catch (error) {
      undeleted.push({ path: file, reason: (error as Error).message });
      return false;
    }
  }

  #verify(fd: number, blob: BlobName): string {
    try {
      readOpenBlob(this.#files, fd, blobPath(this.#folder, blob.digest), blob, () => undefined);
      return '';
    } catch (error) {
      if (error instanceof CorruptError) return error.found;
      if (isUnreadable(error)) return systemMessage(error);
      throw error;
    }
  }

  #list(prefix: string, what: ListedMembers): FolderListing {
    invariant(blobFolders.includes(prefix), 'the folder {} holds blobs', prefix);
    const names = this.#files.list(path.join(this.#folder, prefix)).filter((name) => isDigest(name) && name.startsWith(prefix));
    const digests = Buffer.allocUnsafeSlow(names.length * 32);
    const bytes = new Float64Array(names.length);
    const changedMs = new Float64Array(names.length);
    let count = 0;
    for (const name of names) {
      const stats = what === 'names' ? unknownStats : this.#files.stat(path.join(this.#folder, prefix, name));
      // Deleted in the meantime.
      if (stats === undefined) continue;
      digests.write(name, count * 32, 'hex');
      bytes[count] = stats.bytes;
      changedMs[count] = stats.changedMs;
      count += 1;
    }
    return { digests: digests.subarray(0, count * 32), bytes: bytes.subarray(0, count), changedMs: changedMs.subarray(0, count) };
  }
}

/**
 * Runs a write or a sync. Its failure is final (decision 004), because what the disk has is then unknown; only a lack of space is not.
 *
 * @param final `always`: a lack of space is final, too
 */
function finalIfFailed<T>(step: () => T, what: string, name: string, final: 'always' | undefined = undefined): T {
  try {
    return step();
  } catch (error) {
    if ((final === undefined && isNoSpace(error)) || error instanceof FolderReplacedError) throw error;
    const { message } = error as Error;
    throw Object.assign(new Error(`cannot ${what} ${name}: ${message}`, { cause: error }), { code: diskFailed });
  }
}

function byFolder(names: readonly string[], pathOf: (name: string) => string): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const name of names) {
    const folder = path.dirname(pathOf(name));
    const inFolder = folders.get(folder);
    if (inFolder === undefined) folders.set(folder, [name]);
    else inFolder.push(name);
  }
  return folders;
}

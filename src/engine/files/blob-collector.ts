/**
 * Deletes blobs that nothing refers to, and reports those that are missing. A blob may go when no snapshot that is kept, no log that is
 * archived and no upload, reader or backup needs it, and a day after a snapshot first found it without a reference at the earliest: a copy
 * of a project that began before may still refer to it. A reference in between starts the day again. After each snapshot some blobs are
 * read again, so that damage is found before somebody needs them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BlobDamagedError, StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { FileIndex } from '../../store/file-index.ts';
import { listOf, unreferencedIn } from './unreferenced-list.ts';

const dayMs = 24 * 60 * 60 * 1000;

export interface BlobCollectorOptions {
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** How long a blob without a reference is kept, in milliseconds; default a day. */
  readonly keptMs?: number;
  /** How many bytes are read again after each snapshot; the last blob is read completely. Default 64 MiB. */
  readonly scrubBytes?: number;
}

/** A blob that something refers to and that is not on the disk as it should be. */
export interface DamagedBlob {
  readonly digest: string;
  readonly found: string;
}

const scrubBytesDefault = 64 * 1024 * 1024;

/** How long a blob that was read again and is still damaged is not read once more, in milliseconds. */
const recheckMs = 10_000;

const checkAfterMs = 1000;

/** Most blobs that one call deletes. */
const deletedAtOnce = 1024;

/** Blobs compared per slice. */
const sliceBlobs = 4096;

export class BlobCollector {
  /** Blobs found damaged so far and not stored again, by digest. */
  readonly #damaged = new Map<string, DamagedBlob>();
  readonly #files: FileIndex;
  readonly #blobs: BlobStore;
  readonly #options: BlobCollectorOptions;
  /** When a damaged blob that is needed was read again last, and the result, by digest. */
  readonly #rechecks = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  /** What was not scrubbed in this round. Blobs that are referred to later come last in it. */
  #unscrubbed: Iterator<BlobName, void> | undefined;
  /** LSN of the start, if references could not be compared with the disk yet. */
  #unchecked: number | undefined;
  /** Digests that the list of the last process has, until the listing after the start. */
  readonly #former = new Set<string>();
  /** The list that is on the disk. */
  #kept: string | undefined;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(files: FileIndex, blobs: BlobStore, options: BlobCollectorOptions) {
    this.#files = files;
    this.#blobs = blobs;
    this.#options = options;
  }

  /**
   * Compares references with what is on the disk: after a start. Resolves when done, or closed; logs its own failure. All work of the
   * collector waits for it.
   *
   * @param lsn of the start
   * @param afterMs so much later, in milliseconds: the start, and the first requests, need the processor more
   */
  async check(lsn: number, afterMs = checkAfterMs): Promise<void> {
    this.#unchecked = lsn;
    this.#running = delay(afterMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    await this.#inTurn('compare files with the disk', () => this.#checkOnce());
  }

  /**
   * Deletes blobs that became unreferenced at `lsn` or before: what neither a snapshot nor the archived log needs. Never rejects.
   *
   * @param lsn that the oldest kept snapshot, and the archive of a backup, have reached
   */
  async collect(lsn: number): Promise<void> {
    await this.#inTurn('delete files that nothing refers to', async () => {
      // After a start without the database of the cluster, for example.
      await this.#checkOnce();
      await this.#collect(lsn);
    });
    await this.#inTurn('keep the list of files that nothing refers to', () => this.#keepList());
    await this.#inTurn('read files again', () => this.#scrub());
  }

  /** Notes a blob that cannot be read. */
  noteDamage(damaged: DamagedBlob): void {
    if (this.#damaged.has(damaged.digest)) return;
    this.#damaged.set(damaged.digest, damaged);
    this.#options.log.error(
      { ...damaged },
      'a file, a version or a published map is damaged: restore it from a backup, upload the same bytes again, or publish again',
    );
  }

  /** Whether the blob was found damaged, and not stored again. */
  isDamaged(digest: string): boolean {
    return this.#damaged.has(digest);
  }

  /**
   * Rejects with a BlobDamagedError if the blob was found damaged and still is. It is read again for that, so that its repair is noticed;
   * once in ten seconds; a cache loads it again for that.
   */
  async refuseDamaged(blob: BlobName): Promise<void> {
    if (!this.#damaged.has(blob.digest)) return;
    const now = this.#options.clock();
    let recheck = this.#rechecks.get(blob.digest);
    if (recheck === undefined || now - recheck.at >= recheckMs) {
      recheck = { at: now, done: this.#blobs.isCache ? this.#bring(blob) : this.#verify(blob) };
      this.#rechecks.set(blob.digest, recheck);
    }
    await recheck.done;
  }

  /** Damaged blobs that something refers to. */
  *stillDamaged(): Generator<DamagedBlob> {
    for (const damaged of this.#damaged.values()) if (this.#files.isReferenced(damaged.digest)) yield damaged;
  }

  /** Notes that the blob was stored again, or is right again. */
  noteStored(digest: string): void {
    this.#damaged.delete(digest);
    this.#rechecks.delete(digest);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  #inTurn(what: string, work: () => Promise<void>): Promise<void> {
    const unlessClosed = async () => {
      if (!this.#closing.signal.aborted) await work();
    };
    this.#running = this.#running.then(unlessClosed).catch((error: unknown) => {
      if (error instanceof StoppedError) return;
      this.#options.log.warn({ err: error }, `cannot ${what}; the next snapshot tries again`);
    });
    return this.#running;
  }

  async #checkOnce(): Promise<void> {
    if (this.#unchecked === undefined) return;
    await this.#check(this.#unchecked);
    this.#unchecked = undefined;
  }

  async #check(lsn: number): Promise<void> {
    const listing = await this.#blobs.list('names');
    const missing = new Map<string, number>();
    for (const { digest, bytes } of this.#files.referenced()) missing.set(digest, bytes);
    const listed = new Set(this.#former);
    let count = 0;
    for (const { digest, bytes } of listing) {
      if (++count % sliceBlobs === 0) await new Promise(setImmediate);
      listed.delete(digest);
      const needed = missing.get(digest);
      if (needed === undefined) await this.#foundUnreferenced({ digest, bytes }, lsn);
      else if (!(bytes < needed)) missing.delete(digest);
    }
    for (const digest of listed) this.#forgetFormer(digest);
    this.#former.clear();
    // They may have been stored, or deleted with their files, after the listing.
    for (const [digest, bytes] of missing) await this.#checkAgain(digest, bytes);
    await this.#blobs.clean(listing.leftovers);
  }

  async #foundUnreferenced({ digest, bytes }: BlobName, lsn: number): Promise<void> {
    if (this.#files.unreferenced().has(digest)) return;
    this.#files.foundUnreferenced(digest, lsn, { bytes: Number.isNaN(bytes) ? await this.#blobs.sizeOf(digest) : bytes });
  }

  /** A blob of the list is not on the disk, and was not stored or referred to since the start. */
  #forgetFormer(digest: string): void {
    const known = this.#files.unreferenced().get(digest);
    if (known?.since !== undefined && !known.isFresh) this.#files.forget(digest);
  }

  async #checkAgain(digest: string, bytes: number): Promise<void> {
    if (this.#files.isReferenced(digest)) await this.#orDamaged({ digest, bytes }, () => this.#blobs.check(digest, bytes));
  }

  /** Verifies the next blobs, and begins anew after the last one: the cost of one call does not grow with what is stored. */
  async #scrub(): Promise<void> {
    const { scrubBytes = scrubBytesDefault } = this.#options;
    for (let bytes = 0; bytes < scrubBytes; ) {
      this.#unscrubbed ??= this.#files.referenced();
      const { value: blob } = this.#unscrubbed.next();
      if (blob === undefined) {
        this.#unscrubbed = undefined;
        return;
      }
      bytes += blob.bytes;
      await this.#orDamaged(blob, () => this.#verify(blob));
    }
  }

  /** Reads a blob. Its damage is over if it is right. Rejects with a BlobDamagedError. */
  async #verify(blob: BlobName): Promise<void> {
    await this.#blobs.verify(blob);
    // A cache reads only what it has: the bytes in the database may still be damaged.
    if (!this.#blobs.isCache) this.noteStored(blob.digest);
  }

  /** Loads a damaged blob into the cache again. Its damage is over if the origin has the right bytes. Rejects with a BlobDamagedError. */
  async #bring(blob: BlobName): Promise<void> {
    await this.#blobs.bring(blob, true);
    this.noteStored(blob.digest);
  }

  /** Notes damage of a blob that something refers to. */
  async #orDamaged({ digest }: BlobName, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof BlobDamagedError)) throw error;
      if (this.#files.isReferenced(digest)) this.noteDamage({ digest, found: error.message });
    }
  }

  /**
   * Notes what the last process knew of blobs that nothing refers to, before the first upload: they count for their accounts at once.
   *
   * @param text the list that it kept
   */
  resume(text: string, lsn: number): void {
    this.#kept = text;
    for (const [digest, former] of unreferencedIn(text)) {
      this.#files.foundUnreferenced(digest, lsn, former);
      this.#former.add(digest);
    }
  }

  /** Keeps the list when the server stops. Logs its own failure. */
  async keepList(): Promise<void> {
    try {
      await this.#keepList();
    } catch (error) {
      if (!(error instanceof StoppedError)) this.#options.log.warn({ err: error }, 'cannot keep the list of deleted bytes');
    }
  }

  /** Keeps what is known of blobs without a reference for the next process: the day of each goes on. */
  async #keepList(): Promise<void> {
    const text = listOf(this.#files.unreferenced(), this.#options.clock());
    if (text === this.#kept) return;
    await this.#blobs.writeNote(text);
    this.#kept = text;
  }

  async #collect(lsn: number): Promise<void> {
    const { clock, keptMs = dayMs } = this.#options;
    const now = clock();
    const unreferenced = this.#files.unreferenced();
    const isDue = (digest: string): boolean => {
      const { since, goneAt } = unreferenced.get(digest) ?? {};
      return since !== undefined && goneAt !== undefined && goneAt <= lsn && now - since >= keptMs;
    };
    // A clock that was ahead must not keep a blob for years.
    for (const each of unreferenced.values()) if (each.since === undefined || each.since > now) each.since = now;
    const due = [...unreferenced.keys()].filter(isDue);
    // The deletion of the bytes of a refused upload comes between two calls; and a record may refer to a blob again meanwhile.
    for (let at = 0; at < due.length; at += deletedAtOnce) {
      const digests = due.slice(at, at + deletedAtOnce).filter(isDue);
      await this.#blobs.delete(digests, (digest) => this.#files.forget(digest));
    }
  }
}

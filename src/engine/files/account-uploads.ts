/**
 * Uploads of an account: the only way by which files, versions and maps come into the store of blobs. An upload takes bytes of the account's
 * quota from its beginning. When the request is over and no record refers to its bytes, they are deleted, and only then the quota has them
 * back: refused uploads cannot fill the disk.
 *
 *     begin ─▶ write: reserve, store ... ─▶ finish: durable, held ─▶ release ─┬▶ a record refers to the blob: it stays
 *                                                                            └▶ this run made it, nothing holds it: deleted
 */
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { QuotaError, StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { Hold } from '../../storage/blobs/blob-holds.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { BlobUpload, StoredBlob } from '../../storage/blobs/blob-upload.ts';
import type { FileIndex } from '../../store/file-index.ts';
import type { AccountState, State } from '../../store/state.ts';
import { type Bounds, boundsOf, bytesOf, countBytes } from '../write/quotas.ts';
import type { BlobCollector } from './blob-collector.ts';

export interface AccountUploadsParts {
  readonly state: State;
  readonly blobs: BlobStore;
  readonly collector: BlobCollector;
  readonly quotas: Bounds;
  readonly log: Log;
}

export interface UploadLimits {
  /** Size limit of the upload. */
  readonly bytesMax: number;
  /** Its size, if the client says it. */
  readonly announcedBytes?: number;
}

export class AccountUploads {
  readonly #parts: AccountUploadsParts;
  /** Bytes that running requests of an account have reserved. */
  readonly #reserved = new Map<string, number>();
  #keepsAll = false;
  /** Bytes of refused uploads, to be deleted. */
  #refused: Refused[] = [];
  #deleting: Promise<void> | undefined;

  constructor(parts: AccountUploadsParts) {
    this.#parts = parts;
  }

  /**
   * Starts an upload. Rejects with QuotaError if its announced size does not fit, and as {@link BlobStore.upload} throws. Its calls also
   * reject with QuotaError; nothing of the upload is left then.
   */
  async begin(accountId: string, { bytesMax, announcedBytes = 0 }: UploadLimits): Promise<BlobUpload> {
    const { state, quotas, blobs } = this.#parts;
    const account = state.accounts.get(accountId);
    const bound = boundsOf(account?.limits, quotas).bytes;
    // In slices, before the first use: from then on the use is kept.
    if (account !== undefined && Number.isFinite(bound) && account.usage?.rowBytes === undefined)
      await runCooperatively(countBytes(state, account));
    const reservation = new Reservation(this, accountId, this.#isRepair(account, announcedBytes));
    reservation.grow(announcedBytes);
    try {
      return new AccountUpload(blobs.upload({ bytesMax }), this, reservation);
    } catch (error) {
      reservation.release();
      throw error;
    }
  }

  /** Bytes that running requests of an account have reserved. */
  reservedBytes(accountId: string): number {
    return this.#reserved.get(accountId) ?? 0;
  }

  /** From now on, nothing is deleted: what refers to blobs is not known any more. */
  keepAll(): void {
    this.#keepsAll = true;
  }

  /** Waits until the bytes of all refused uploads are deleted. */
  async close(): Promise<void> {
    await this.#deleting;
  }

  /** Takes bytes of the quota of an account, or gives them back. Throws QuotaError if they do not fit. */
  reserve(accountId: string, bytes: number): void {
    const { state, quotas } = this.#parts;
    const account = state.accounts.get(accountId);
    const reserved = this.reservedBytes(accountId);
    const bound = boundsOf(account?.limits, quotas).bytes;
    if (bytes > 0 && account !== undefined && Number.isFinite(bound)) {
      const used = bytesOf(state, account) + reserved;
      if (used + bytes > bound) throw new QuotaError('bytes', bound, used, bytes);
      const deleted = state.files?.unreferencedBytes().get(accountId) ?? 0;
      if (deleted > bound) throw new QuotaError('deleted_bytes', bound, deleted, bytes);
    }
    if (reserved + bytes > 0) this.#reserved.set(accountId, reserved + bytes);
    else this.#reserved.delete(accountId);
  }

  /** Notes what an upload has stored. Nothing refers to it yet. */
  noteStored(accountId: string, { digest, bytes, isNew: isFresh }: StoredBlob): void {
    const { state, collector } = this.#parts;
    collector.noteStored(digest);
    state.files?.foundUnreferenced(digest, state.lsn, { accountId, bytes, isFresh });
  }

  /** The request of an upload is over. Its bytes go, unless a record refers to them, or something that is not known here may need them. */
  settle(digest: string, reservation: Reservation): void {
    const { files } = this.#parts.state;
    if (this.#keepsAll || files?.unreferenced().get(digest)?.isFresh !== true) {
      reservation.release();
      return;
    }
    this.#refused.push({ digest, reservation });
    this.#deleting ??= this.#deleteRefused(files);
  }

  /** Deletes together what was refused meanwhile: on a busy machine each job of the thread for deletions waits for the processor. */
  async #deleteRefused(files: FileIndex): Promise<void> {
    while (this.#refused.length > 0) {
      const refused = this.#refused;
      this.#refused = [];
      await this.#delete(
        files,
        refused.map(({ digest }) => digest),
      );
      for (const { reservation } of refused) reservation.release();
    }
    // Nothing is left in this turn of the event loop: the next refused upload starts another deletion.
    this.#deleting = undefined;
  }

  async #delete(files: FileIndex, digests: readonly string[]): Promise<void> {
    const { blobs, log } = this.#parts;
    // A record may refer to one of them since it was refused.
    const fresh = digests.filter((digest) => files.unreferenced().get(digest)?.isFresh === true);
    try {
      if (!this.#keepsAll) await blobs.delete(fresh, (digest) => files.forget(digest));
    } catch (error) {
      if (!(error instanceof StoppedError))
        log.warn({ err: error, digests: fresh }, 'cannot delete the bytes of refused uploads');
    }
  }

  /** An upload of this size may repair a damaged blob of the account, which its quota counts already. */
  #isRepair(account: AccountState | undefined, bytes: number): boolean {
    const { state, collector } = this.#parts;
    if (account === undefined || bytes === 0) return false;
    return [...collector.stillDamaged()].some(({ digest }) => state.files?.ofAccount(account).bytesOf(digest) === bytes);
  }
}

interface Refused {
  readonly digest: string;
  readonly reservation: Reservation;
}

/** Bytes of the quota of an account, as long as a request may store them. */
class Reservation {
  readonly accountId: string;
  readonly #uploads: AccountUploads;
  readonly #isFree: boolean;
  #bytes = 0;

  /** @param isFree it takes nothing */
  constructor(uploads: AccountUploads, accountId: string, isFree: boolean) {
    this.#uploads = uploads;
    this.accountId = accountId;
    this.#isFree = isFree;
  }

  /** Grows up to so many bytes. Throws QuotaError. */
  grow(bytes: number): void {
    const more = bytes - this.#bytes;
    if (this.#isFree || more <= 0) return;
    this.#uploads.reserve(this.accountId, more);
    this.#bytes = bytes;
  }

  release(): void {
    this.#uploads.reserve(this.accountId, -this.#bytes);
    this.#bytes = 0;
  }
}

class AccountUpload implements BlobUpload {
  readonly #upload: BlobUpload;
  readonly #uploads: AccountUploads;
  readonly #reservation: Reservation;
  #bytes = 0;

  constructor(upload: BlobUpload, uploads: AccountUploads, reservation: Reservation) {
    this.#upload = upload;
    this.#uploads = uploads;
    this.#reservation = reservation;
  }

  get heldBytes(): number {
    return this.#upload.heldBytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      this.#bytes += bytes.byteLength;
      this.#reservation.grow(this.#bytes);
      await this.#upload.write(bytes);
    } catch (error) {
      // Not awaited: the disk may not respond.
      void this.abort();
      throw error;
    }
  }

  async finish(): Promise<StoredBlob> {
    try {
      const blob = await this.#upload.finish();
      this.#uploads.noteStored(this.#reservation.accountId, blob);
      return { ...blob, hold: this.#settling(blob.hold) };
    } catch (error) {
      void this.abort();
      throw error;
    }
  }

  async abort(): Promise<void> {
    await this.#upload.abort();
    this.#reservation.release();
  }

  /** The hold of the request: its release decides what becomes of the bytes. */
  #settling(hold: Hold): Hold {
    let isHeld = true;
    return {
      digest: hold.digest,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        hold.release();
        this.#uploads.settle(hold.digest, this.#reservation);
      },
    };
  }
}

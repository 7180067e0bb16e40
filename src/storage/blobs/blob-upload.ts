/**
 * One upload. It collects bytes to pieces, each a job of its thread; while one is written, the next fills. So a fast client waits for the
 * disk, and a slow one keeps no thread busy.
 */
import { BlobTooLargeError } from '../../lib/errors.ts';
import { type Transitions, transition } from '../../lib/invariant.ts';
import type { BlobJob, BlobJobResult, UploadJobKind } from './blob-files.ts';
import type { Hold } from './blob-holds.ts';

/** Bytes of a piece. */
export const pieceBytesDefault = 256 * 1024;

/** Bytes of one job. */
const sharedBytes = pieceBytesDefault;

/** Memory that an upload shares with its thread, for the next upload. */
const spare: Uint8Array[] = [];
const spareMax = 16;

/** The bytes of an upload, durable under the name of their digest. */
export interface StoredBlob {
  /** Release it when the record that refers to the blob is applied or refused. */
  readonly hold: Hold;
  readonly digest: string;
  readonly bytes: number;
  readonly path: string;
  /** No blob of this digest was there before. */
  readonly isNew: boolean;
}

export interface BlobUpload {
  /** Bytes in memory: those that the disk does not have yet. */
  readonly heldBytes: number;
  /**
   * Appends bytes; one call at a time. They must not change afterwards. Resolves when more may come. After a rejection nothing is left, and
   * each later call rejects with the same error: BlobTooLargeError, NoSpaceError, StalledError, StoppedError, or that of the disk.
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Makes the blob durable under its name. Call it once. Rejects as {@link write} does; after StalledError the blob may exist later, without a
   * hold.
   */
  finish(): Promise<StoredBlob>;
  /** Discards the upload. Resolves when nothing is left of it; does nothing after {@link finish}, and never rejects. */
  abort(): Promise<void>;
}

type State = 'open' | 'finishing' | 'finished' | 'ended';
type Event = 'finish' | 'finished' | 'end';

// biome-ignore format: a table
export const uploadTransitions: Transitions<State, Event> = {
  open:      { finish: 'finishing', end: 'ended' },
  finishing: { finished: 'finished', end: 'ended' },
  finished:  { end: 'finished' },
  ended:     { finished: 'ended', end: 'ended' },
};

/** What an upload needs of its store. */
export interface UploadParts {
  /** Name of its temporary file. */
  readonly name: string;
  readonly bytesMax: number;
  readonly pieceBytes: number;
  /** The digest that the bytes must have; without it, any. */
  readonly digest?: string;
  run<K extends UploadJobKind>(job: BlobJob<K>): Promise<BlobJobResult<K>>;
  hold(digest: string): Hold;
  /** Waits for a deletion of this digest that is in progress. */
  settled(digest: string): Promise<void>;
  /** Rejects with StalledError if the promise takes too long. */
  timed<T>(work: Promise<T>): Promise<T>;
  /** Called once, when no job of the upload runs or will run. */
  onEnd(): void;
  /** A blob was stored too late for its caller. */
  onLeft(digest: string): void;
}

/** The bytes do not have the digest that they must have. */
export class OtherBytesError extends Error {
  override readonly name = 'OtherBytesError';
}

export class UploadInThread implements BlobUpload {
  readonly #parts: UploadParts;
  #state: State = 'open';
  #failure: Error | undefined;
  /** Bytes that are not in a job yet. */
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  /** Bytes of all jobs. */
  #sentBytes = 0;
  /** Bytes of the jobs that have ended. */
  #writtenBytes = 0;
  /** The jobs so far; rejects with their first error. */
  #jobs: Promise<unknown> = Promise.resolve();
  #finishing: Promise<StoredBlob> | undefined;
  #discarding: Promise<void> | undefined;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  get heldBytes(): number {
    return this.#pieceBytes + this.#sentBytes - this.#writtenBytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#assertOpen();
    const { bytesMax, pieceBytes } = this.#parts;
    if (this.#sentBytes + this.#pieceBytes + bytes.byteLength > bytesMax) throw this.#fail(new BlobTooLargeError(bytesMax));
    this.#pieces.push(bytes);
    this.#pieceBytes += bytes.byteLength;
    if (this.#pieceBytes < pieceBytes) return;
    // One piece is being written at most, so an upload holds two in memory.
    await this.#settle();
    this.#assertOpen();
    this.#send();
  }

  finish(): Promise<StoredBlob> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#on('finish');
    const finishing = this.#finish();
    this.#finishing = finishing;
    return this.#parts.timed(finishing).catch((error: unknown) => {
      // The result comes too late for its caller.
      finishing.then(({ hold }) => this.#left(hold)).catch(() => undefined);
      throw this.#fail(error as Error);
    });
  }

  #left({ digest, release }: Hold): void {
    this.#parts.onLeft(digest);
    release();
  }

  async abort(): Promise<void> {
    if (this.#state === 'open') this.#fail(new Error('the upload was aborted'));
    if (this.#state === 'finishing') await this.#finishing?.catch(() => undefined);
    await this.#discarding;
  }

  async #finish(): Promise<StoredBlob> {
    const { name, run, settled } = this.#parts;
    this.#send();
    await this.#jobs;
    const digest = await run({ kind: 'seal', upload: name });
    if (digest !== (this.#parts.digest ?? digest)) throw new OtherBytesError(`the bytes have the digest ${digest}`);
    // The hold comes before the file of this name is looked at: a deletion spares it from now on, or has to end first.
    const hold = this.#parts.hold(digest);
    try {
      await settled(digest);
      const named = await run({ kind: 'name', upload: name, digest });
      if (this.#state === 'finishing') this.#parts.onEnd();
      this.#on('finished');
      return { hold, digest, bytes: this.#sentBytes, ...named };
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** Sends the collected bytes to the thread, if there are any. */
  #send(): void {
    if (this.#pieceBytes === 0) return;
    const pieces = this.#pieces;
    const at = this.#sentBytes;
    this.#sentBytes += this.#pieceBytes;
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#jobs = this.#jobs.then(() => this.#writeAll(pieces, at));
    // The next call reports it; the client may send nothing for a long time.
    this.#jobs.catch((error: unknown) => this.#fail(error as Error));
  }

  /** Writes pieces through the shared memory: what a thread received by itself would stay until its next collection of garbage. */
  async #writeAll(pieces: readonly Uint8Array[], position: number): Promise<void> {
    const { name: upload, run } = this.#parts;
    const shared = spare.pop() ?? new Uint8Array(new SharedArrayBuffer(sharedBytes));
    let at = position;
    let filled = 0;
    const flush = async (): Promise<void> => {
      if (filled > 0) await run({ kind: 'write', upload, at, bytes: shared.subarray(0, filled) });
      at += filled;
      this.#writtenBytes += filled;
      filled = 0;
    };
    for (const piece of pieces) {
      for (let from = 0; from < piece.byteLength; ) {
        const part = piece.subarray(from, from + sharedBytes - filled);
        shared.set(part, filled);
        filled += part.byteLength;
        from += part.byteLength;
        if (filled === sharedBytes) await flush();
      }
    }
    await flush();
    // Not after an error: a thread that is late may still read it.
    if (spare.length < spareMax) spare.push(shared);
  }

  async #settle(): Promise<void> {
    try {
      await this.#parts.timed(this.#jobs);
    } catch (error) {
      throw this.#fail(error as Error);
    }
  }

  /** Ends the upload with its first error, which it returns, and deletes its file after the job in progress. */
  #fail(error: Error): Error {
    if (this.#state === 'finished') return error;
    this.#failure ??= error;
    this.#on('end');
    this.#discarding ??= this.#discard();
    return this.#failure;
  }

  async #discard(): Promise<void> {
    this.#pieces = [];
    this.#pieceBytes = 0;
    const { name, run, onEnd } = this.#parts;
    try {
      await (this.#finishing ?? this.#jobs).catch(() => undefined);
      // A file that remains is a leftover, which a later cleanup deletes.
      await run({ kind: 'abort', upload: name }).catch(() => undefined);
    } finally {
      onEnd();
    }
  }

  #assertOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#state !== 'open') throw new Error('the upload is finished');
  }

  #on(event: Event): void {
    this.#state = transition(uploadTransitions, this.#state, event);
  }
}

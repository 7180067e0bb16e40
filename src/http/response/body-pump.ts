/**
 * Sends a body piece by piece: asks a source for the next piece when the client has taken the one before, so a client that reads nothing
 * costs one piece. Whatever a body is made of (parts of JSON, a file, a stored body that is decompressed), bytes that wait are counted in one
 * place, and one timer watches whether the client reads.
 */
import type { HttpResponse } from '../transport/transport.ts';
import type { OutputBuffers, PendingBytes } from './output-buffers.ts';

/** Receives a piece; a string contains only Latin-1 characters. Without a piece, the body has ended. */
export type Made = (error: unknown, piece?: Buffer | string, isLast?: boolean) => void;

/** Makes the pieces of a body. */
export interface BodySource {
  /**
   * Makes the next piece, one at a time, and calls `made` once, in this turn or later. The source may reuse the memory of a piece when it is
   * asked for the next one.
   */
  next(made: Made): void;
  /** Forgets the piece that is made: `made` is not called then. `false` if that cannot be stopped. */
  cancel?(): boolean;
  /** Frees what it holds. Called once, and not while a piece is made. @param isSent whether the client has all of the body */
  close(isSent: boolean): void;
}

export interface Pumping {
  /** Writes the head, before the first piece. */
  begin(): void;
  /** The first piece could not be made; nothing of the response was sent. Called once. */
  onUnsent(error: unknown): void;
  /** A later piece could not be made. The connection is closed, so that no client takes a part of a body for all of it. Called once. */
  onBroken(error: unknown): void;
}

/** Memory of one body, as the limits see it. */
interface Account {
  /** The client has not taken these bytes. */
  wait(bytes: number): void;
  /** The client has taken everything. */
  taken(): void;
  end(): void;
}

/** Counts what waits for the client, while it waits. @param others other memory that the rest of the body needs */
export function countedPieces(buffers: OutputBuffers, res: HttpResponse, others?: { readonly bytes: number }): Account {
  let pending: PendingBytes | undefined;
  const taken = (): void => {
    if (pending !== undefined) buffers.release(pending);
    pending = undefined;
  };
  return {
    wait: (bytes) => {
      pending = buffers.hold(res, bytes, others?.bytes);
    },
    taken,
    end: taken,
  };
}

/** Memory that is reserved for all of the body. */
export const reservedMemory = (buffers: OutputBuffers, memory: PendingBytes): Account => ({
  wait: (bytes) => buffers.wait(memory, bytes),
  taken: () => buffers.read(memory),
  end: () => buffers.release(memory),
});

/** One response in progress. */
export class BodyPump {
  readonly #res: HttpResponse;
  readonly #source: BodySource;
  readonly #account: Account;
  readonly #pumping: Pumping;
  #isBegun = false;
  #isMaking = false;
  /** The response is sent, or the client has disconnected. */
  #isOver = false;
  #isFreed = false;

  constructor(res: HttpResponse, source: BodySource, account: Account, pumping: Pumping) {
    this.#res = res;
    this.#source = source;
    this.#account = account;
    this.#pumping = pumping;
  }

  start(buffers: OutputBuffers): void {
    // `close` comes after the last byte is handed over, and also when the client disconnects earlier.
    this.#res.once('close', () => {
      this.#isOver = true;
      if (!this.#isMaking || this.#source.cancel?.() === true) this.#free();
    });
    buffers.cutOffWhenStalled(this.#res);
    this.#next();
  }

  #next(): void {
    if (this.#isOver || this.#res.destroyed) return;
    this.#isMaking = true;
    this.#source.next(this.#made);
  }

  readonly #made: Made = (error, piece, isLast = piece === undefined) => {
    this.#isMaking = false;
    if (this.#isOver) this.#free();
    else if (error !== undefined) this.#fail(error);
    else {
      if (!this.#isBegun) this.#pumping.begin();
      this.#isBegun = true;
      this.#write(piece ?? '', isLast);
    }
  };

  #write(piece: Buffer | string, isLast: boolean): void {
    if (isLast) this.#res.end(piece, 'latin1');
    else this.#res.write(piece, 'latin1', this.#taken);
    // Usually the kernel has accepted everything by now.
    if (this.#res.writableLength > 0) this.#account.wait(piece.length);
  }

  /** Called after the turn in which the piece was written; after a disconnect, too, ahead of `close`. */
  readonly #taken = (error?: Error | null): void => {
    if (error || this.#res.socket?.destroyed === true) return;
    this.#account.taken();
    this.#next();
  };

  #fail(error: unknown): void {
    if (this.#isBegun) {
      this.#res.destroy();
      this.#pumping.onBroken(error);
    } else {
      this.#isOver = true;
      this.#free();
      this.#pumping.onUnsent(error);
    }
  }

  #free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#account.end();
    try {
      this.#source.close(this.#res.writableFinished);
    } catch (error) {
      this.#pumping.onBroken(error);
    }
  }
}

/** Bytes in memory as a list of pieces. Hundreds of megabytes are neither made, joined nor copied in one step, which would stop everything else. */
export class BytePieces implements Iterable<Buffer> {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  /** Makes the pieces of a text in slices. */
  static *of(parts: Iterable<Buffer | string>): Generator<void, BytePieces> {
    const pieces = new BytePieces();
    for (const part of parts) {
      pieces.add(typeof part === 'string' ? Buffer.from(part) : part);
      yield;
    }
    return pieces;
  }

  /** Bytes of the pieces that were not taken. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param bytes long ones become several pieces */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += pieceBytesMax) this.#pieces.push(bytes.subarray(at, at + pieceBytesMax));
    this.#bytes += bytes.length;
  }

  /** Takes the pieces one after the other: each is freed. */
  *[Symbol.iterator](): Generator<Buffer, void> {
    for (const [i, piece] of this.#pieces.entries()) {
      this.#pieces[i] = none;
      this.#bytes -= piece.length;
      yield piece;
    }
  }

  /** Takes and joins the pieces in slices. */
  *joining(): Generator<void, Buffer> {
    const all = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this) {
      at += piece.copy(all, at);
      yield;
    }
    return all;
  }
}

/** Longest piece. */
const pieceBytesMax = 256 * 1024;

const none = Buffer.alloc(0);

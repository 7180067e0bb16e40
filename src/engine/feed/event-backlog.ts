/**
 * Texts that not all who follow have taken yet. Each is held once, however many wait for it; what it costs is counted, so that a follower
 * who does not take what comes cannot make the others' texts pile up without bound.
 */

/** What a text costs beside its bytes, and what each who waits for it costs, in bytes. */
const textBytes = 200;
const waiterBytes = 16;

export class QueuedEvent {
  readonly lsn: number;
  readonly bytes: Buffer;
  /** Nothing comes after it for who follows its project alone. */
  readonly isLast: boolean;
  /** Nothing comes after it for anyone. */
  readonly endsStream: boolean;
  waiters = 0;

  constructor(lsn: number, bytes: Buffer, isLast: boolean, endsStream = false) {
    this.lsn = lsn;
    this.bytes = bytes;
    this.isLast = isLast;
    this.endsStream = endsStream;
  }
}

/** Bytes of a text that are written together with those of others. */
export interface Part {
  readonly text: QueuedEvent;
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly parts: readonly Part[];
  readonly bytes: Buffer;
}

/** Pieces that are remembered: subscribers that read the same texts of the log are not further apart than this. */
const piecesMax = 16;

export class EventBacklog {
  bytes = 0;
  /** In the order in which they were first waited for. */
  readonly #texts = new Set<QueuedEvent>();
  /** The newest one last. */
  #pieces: Piece[] = [];

  /** The text that has waited longest; `undefined` when there is at most one. */
  get oldest(): QueuedEvent | undefined {
    return this.#texts.size > 1 ? this.#texts.values().next().value : undefined;
  }

  hold(text: QueuedEvent): void {
    if (text.waiters++ === 0) {
      this.#texts.add(text);
      this.bytes += text.bytes.length + textBytes;
    }
    this.bytes += waiterBytes;
  }

  release(text: QueuedEvent): void {
    this.bytes -= waiterBytes;
    if (--text.waiters > 0) return;
    this.#texts.delete(text);
    this.bytes -= text.bytes.length + textBytes;
    if (this.#texts.size === 0) this.#pieces = [];
  }

  /** The bytes of these parts, one behind the other: the same buffer for all who write the same parts. */
  piece(parts: readonly Part[]): Buffer {
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return bytesOf(first);
    const known = this.#pieces.findLast((piece) => areSame(piece.parts, parts));
    if (known !== undefined) return known.bytes;
    const bytes = Buffer.concat(parts.map(bytesOf));
    this.#pieces.push({ parts, bytes });
    if (this.#pieces.length > piecesMax) this.#pieces.shift();
    return bytes;
  }
}

const bytesOf = ({ text: { bytes }, start, end }: Part): Buffer =>
  start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);

function areSame(one: readonly Part[], other: readonly Part[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ text, start, end }, i) => {
      const part = other[i];
      return part?.text === text && part.start === start && part.end === end;
    })
  );
}

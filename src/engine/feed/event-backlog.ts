/**
 * The event backlog: events that wait to be written to at least one subscriber. Each text is in memory once, however many subscribers wait
 * for it. Its size is counted, so that the feed can disconnect slow subscribers before the backlog exceeds its limit.
 */

import type { EventTexts, RecordEvents } from './event-encoder.ts';

/** Overhead of a text, and of each subscriber that waits for it, in bytes. */
const textBytes = 200;
const waiterBytes = 16;

export class QueuedEvent {
  readonly lsn: number;
  readonly bytes: Buffer;
  /** Whether the stream of a subscriber to this one project ends after it. */
  readonly isLast: boolean;
  /** Whether the stream of every subscriber ends after it. */
  readonly endsStream: boolean;
  /** The same events for keys for reading. */
  readonly forReaders: QueuedEvent;
  waiters = 0;

  constructor(lsn: number, bytes: Buffer, isLast: boolean, endsStream = false, bytesForReaders?: Buffer) {
    this.lsn = lsn;
    this.bytes = bytes;
    this.isLast = isLast;
    this.endsStream = endsStream;
    this.forReaders = bytesForReaders === undefined ? this : new QueuedEvent(lsn, bytesForReaders, isLast, endsStream);
  }

  static of({ lsn, isLast }: RecordEvents, { text, textForReaders }: EventTexts): QueuedEvent {
    const bytesForReaders = textForReaders === undefined ? undefined : Buffer.from(textForReaders);
    return new QueuedEvent(lsn, Buffer.from(text), isLast, false, bytesForReaders);
  }
}

/** A byte range of a text that is written together with others. */
export interface Part {
  readonly text: QueuedEvent;
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly parts: readonly Part[];
  readonly bytes: Buffer;
}

/** How many pieces are cached. Subscribers that read the same texts of the log are at most this many pieces apart. */
const piecesMax = 16;

export class EventBacklog {
  bytes = 0;
  /** In the order in which they were queued first. */
  readonly #texts = new Set<QueuedEvent>();
  /** The newest piece last. */
  #pieces: Piece[] = [];

  /** The text that has waited longest; `undefined` if there is at most one. */
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

  /** The concatenated bytes of the parts: the same buffer for all subscribers that write the same parts. */
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

/**
 * The queue: records that wait for the flusher, in a double buffer of shared memory.
 *
 *     half A: | record | record | record |        <- being written, as one frame or several
 *     half B: | record | record ...               <- append copies in here
 *
 * A half is packed like a frame's payload (length, bytes, length, bytes ...), so the flusher copies a range of it unchanged. When A is
 * written completely and B has records, they swap. A half holds any record that fits into a segment; its size bounds the waiting bytes.
 *
 * A wait for a record is a wait for its half.
 */
import { invariant } from '../../../lib/invariant.ts';
import { frameBytes, recordLengthBytes } from '../format/frame.ts';
import type { Lsn } from '../journal.ts';
import { DeadlineWaiters } from './deadline-waiters.ts';

/** A range of a half: the payload of one frame. */
interface QueuedRange {
  readonly half: 0 | 1;
  readonly start: number;
  readonly bytes: number;
  readonly count: number;
}

class Half {
  readonly shared: SharedArrayBuffer;
  readonly bytes: Buffer;
  /** Packed bytes, and the part of them that was taken. */
  used = 0;
  taken = 0;
  /** The LSN after its last record. */
  endLsn: Lsn = 0;
  readonly waiters = new DeadlineWaiters();

  constructor(size: number) {
    this.shared = new SharedArrayBuffer(size);
    this.bytes = Buffer.from(this.shared);
  }
}

export class Queue {
  readonly #halves: readonly [Half, Half];
  #filling: 0 | 1 = 0;
  /** The next record to take. */
  #nextLsn: Lsn;

  constructor(halfBytes: number, nextLsn: Lsn) {
    this.#halves = [new Half(halfBytes), new Half(halfBytes)];
    this.#nextLsn = nextLsn;
    for (const half of this.#halves) half.endLsn = nextLsn;
  }

  get shared(): SharedArrayBuffer[] {
    return this.#halves.map((half) => half.shared);
  }

  /** Bytes of records that wait or are being written. */
  get bytes(): number {
    return this.#halves[0].used + this.#halves[1].used;
  }

  /** Whether a record has not been taken yet. */
  get waiting(): boolean {
    return this.#halves.some((half) => half.taken < half.used);
  }

  fits(recordBytes: number): boolean {
    const half = this.#halves[this.#filling];
    return half.used + recordLengthBytes + recordBytes <= half.bytes.byteLength;
  }

  /** Copies a record that {@link fits}. */
  push(lsn: Lsn, record: Uint8Array): void {
    const half = this.#halves[this.#filling];
    invariant(lsn >= this.#nextLsn && lsn >= half.endLsn, 'record {} follows {}', lsn, half.endLsn);
    half.bytes.writeUInt32LE(record.byteLength, half.used);
    half.bytes.set(record, half.used + recordLengthBytes);
    half.used += recordLengthBytes + record.byteLength;
    half.endLsn = lsn + 1;
  }

  /**
   * Takes the records of one frame of at most `frameBytesMax` bytes, up to but not including record `fence`.
   *
   * @param onRecord called for each record with its LSN and the bytes that it would take as a separate frame
   * @returns `undefined` if no record fits
   */
  take(frameBytesMax: number, fence: Lsn, onRecord: (lsn: Lsn, bytes: number) => void): QueuedRange | undefined {
    const index = this.#taking();
    const half = this.#halves[index];
    const start = half.taken;
    let count = 0;
    while (half.taken < half.used && this.#nextLsn < fence) {
      const size = recordLengthBytes + half.bytes.readUInt32LE(half.taken);
      if (frameBytes(half.taken + size - start) > frameBytesMax) break;
      onRecord(this.#nextLsn, frameBytes(size));
      half.taken += size;
      this.#nextLsn += 1;
      count += 1;
    }
    return count === 0 ? undefined : { half: index, start, bytes: half.taken - start, count };
  }

  /** Skips one LSN: its record is a large one, which is not in the queue. */
  skip(): void {
    this.#nextLsn += 1;
  }

  /** The half to take from. Swaps the halves when the other one is completely written. */
  #taking(): 0 | 1 {
    const other = this.#filling === 0 ? 1 : 0;
    if (this.#halves[other].used > 0) return other;
    this.#filling = other;
    return other === 0 ? 1 : 0;
  }

  /** The taken records are durable. If that is the whole half, empties it and resolves its waits. */
  written(): void {
    const half = this.#halves[this.#filling === 0 ? 1 : 0];
    if (half.taken < half.used) return;
    half.used = 0;
    half.taken = 0;
    half.waiters.resolve();
  }

  /** Whether a request waits for a record. */
  get isAwaited(): boolean {
    return this.#halves.some(({ waiters }) => waiters.any);
  }

  /** See {@link DeadlineWaiters.tick}. */
  tick(ticksMax: number, late: () => Error): void {
    for (const { waiters } of this.#halves) waiters.tick(ticksMax, late);
  }

  /** Resolves when the half that holds record `lsn` is written. */
  wait(lsn: Lsn): Promise<void> {
    const written = this.#halves[this.#filling === 0 ? 1 : 0];
    const half = written.used > 0 && lsn < written.endLsn ? written : this.#halves[this.#filling];
    return half.waiters.wait();
  }

  /** Rejects all waits: nothing more will be written. */
  fail(error: Error): void {
    for (const { waiters } of this.#halves) waiters.reject(error);
  }
}

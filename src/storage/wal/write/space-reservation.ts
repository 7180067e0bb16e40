/**
 * The space that is reserved for admitted records: the rest of the current segment, and one spare.
 *
 *     | current segment ... | free                 | seal |      | spare: all of it           | seal |
 *                           | waiting "in current" |             | waiting "in the spare" |
 *
 * Invariant: the waiting records fit, each counted as a separate frame: first those reserved in the current segment, then those reserved
 * in the spare. The flusher never needs more than that, however it forms frames, because
 *
 * - a frame of several records takes at most as much as one frame for each;
 * - it fills the current segment before it rotates to the spare, so everything reserved in the current one always fits there;
 * - once a record is reserved in the spare, so is every later one: order is kept and nothing is counted twice.
 *
 * When a frame is written, its real size replaces the reservation. So an admitted record never fails because the disk is full.
 *
 * A large record has a separate segment, between the two: the current one ends before it, and all later records are reserved in the
 * spare. So a large record is admitted only if a spare is ready and nothing is reserved in it.
 *
 *     | current segment ... | seal |   | large record | seal |   | spare |
 */
import { invariant } from '../../../lib/invariant.ts';
import type { Lsn } from '../journal.ts';

export class SpaceReservation {
  /** Free bytes for frames; 0 in a segment that takes no more records. */
  #currentFree: number;
  /** Free bytes for frames; 0 without a spare. */
  #spareFree = 0;
  #inCurrent = 0;
  #inSpare = 0;
  /** The first record reserved in the spare. */
  #spill: Lsn = Number.POSITIVE_INFINITY;
  #pinned = false;

  constructor(currentFree: number) {
    this.#currentFree = currentFree;
  }

  /** Bytes left for frames in the current segment. */
  get currentFree(): number {
    return this.#currentFree;
  }

  get hasSpare(): boolean {
    return this.#spareFree > 0;
  }

  /** Whether waiting records, or the next one, are already reserved in the spare. */
  get usesSpare(): boolean {
    return this.#spill !== Number.POSITIVE_INFINITY;
  }

  /** Whether the next record may be a large one, in a separate segment. */
  get admitsLarge(): boolean {
    return this.hasSpare && !this.usesSpare;
  }

  /** Records from here on must not be written to the current segment. */
  get fence(): Lsn {
    return this.#pinned ? this.#spill : Number.POSITIVE_INFINITY;
  }

  /** Reserves space for a record that takes `bytes` as a separate frame. Returns false if it may not fit. */
  reserve(lsn: Lsn, bytes: number): boolean {
    invariant(bytes > 0, 'a frame of its own takes {} bytes for record {}', bytes, lsn);
    if (!this.usesSpare && this.#inCurrent + bytes <= this.#currentFree) {
      this.#inCurrent += bytes;
      return true;
    }
    if (this.#inSpare + bytes > this.#spareFree) return false;
    if (!this.usesSpare) this.#spill = lsn;
    this.#inSpare += bytes;
    return true;
  }

  /** Releases the reservation of a record that is about to be written. {@link use} then counts the real size of its frame. */
  release(lsn: Lsn, bytes: number): void {
    if (lsn < this.#spill) this.#inCurrent -= bytes;
    else this.#inSpare -= bytes;
    invariant(
      this.#inCurrent >= 0 && this.#inSpare >= 0,
      'record {}, of {} bytes, was reserved before it was released',
      lsn,
      bytes,
    );
    if (this.#inSpare === 0 && !this.#pinned) this.#spill = Number.POSITIVE_INFINITY;
  }

  /** Counts a frame of `bytes` in the current segment. */
  use(bytes: number): void {
    this.#currentFree -= bytes;
    this.#assertFits();
  }

  /** A spare with `free` bytes for frames is ready. */
  addSpare(free: number): void {
    invariant(
      !this.hasSpare && this.#inSpare === 0,
      'there is one spare; {} bytes of the last one are free, {} reserved',
      this.#spareFree,
      this.#inSpare,
    );
    this.#spareFree = free;
  }

  /** Ends the current segment before record `lsn`: it will be sealed, so later records are reserved in the spare. */
  sealBefore(lsn: Lsn): void {
    invariant(
      this.hasSpare && !this.usesSpare,
      'a segment ends before record {} only when there is a spare and it is unreserved',
      lsn,
    );
    this.#spill = lsn;
    this.#pinned = true;
  }

  /** A large record's segment, with `free` bytes for frames, has become the current one; the spare follows it. */
  rotateToLarge(free: number): void {
    this.#assertWritten();
    this.#currentFree = free;
    this.#pinned = false;
    if (this.#inSpare === 0) this.#spill = Number.POSITIVE_INFINITY;
  }

  /** The spare has become the current segment; no spare is left. */
  rotate(): void {
    this.#assertWritten();
    invariant(this.hasSpare, 'a rotation to the spare needs a spare');
    this.#currentFree = this.#spareFree;
    this.#inCurrent = this.#inSpare;
    this.#spareFree = 0;
    this.#inSpare = 0;
    this.#spill = Number.POSITIVE_INFINITY;
    this.#pinned = false;
  }

  #assertFits(): void {
    const fits = this.#inCurrent <= this.#currentFree && this.#inSpare <= this.#spareFree;
    invariant(
      fits,
      'the {} bytes that are reserved in the current segment fit into its {} free bytes',
      this.#inCurrent,
      this.#currentFree,
    );
  }

  /** Asserts that all records reserved in the current segment are written before it ends. */
  #assertWritten(): void {
    invariant(this.#inCurrent === 0, 'a segment ends with {} bytes reserved in it', this.#inCurrent);
    this.#assertFits();
  }
}

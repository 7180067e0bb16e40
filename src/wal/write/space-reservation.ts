/**
 * The room that admitted records are sure to have: what is left of the current segment, and one spare.
 *
 *     | current segment ... | free                 | seal |      | spare: all of it           | seal |
 *                           | waiting "in current" |             | waiting "in the spare" |
 *
 * Invariant: the records that wait, each taken for a frame of its own, fit: first those counted against the current segment, then
 * those counted against the spare. The flusher needs no more than that, however it forms frames, because
 *
 * - a frame of several records takes at most what a frame for each would take;
 * - it fills the current segment before it turns to the spare, so what is counted against the current one always fits there;
 * - once a record is counted against the spare, so is every later one: order is kept and nothing is counted twice.
 *
 * What a frame really took is put right when it is written. So what has been admitted never finds the disk full.
 *
 * A large record has a segment of its own, which comes between the two: the current one ends before it, and all that comes after it is
 * counted against the spare. So it is admitted only when there is a spare, and nothing is counted against that yet.
 *
 *     | current segment ... | seal |   | large record | seal |   | spare |
 */
import { invariant } from '../../lib/invariant.ts';
import type { Lsn } from '../journal.ts';

export class SpaceReservation {
  /** Bytes for frames. A segment that takes no more records has none. */
  #currentFree: number;
  /** Bytes for frames; 0 while there is no spare. */
  #spareFree = 0;
  #inCurrent = 0;
  #inSpare = 0;
  /** The first record counted against the spare. */
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

  /** Whether waiting records, or the next one, are already counted against the spare. */
  get usesSpare(): boolean {
    return this.#spill !== Number.POSITIVE_INFINITY;
  }

  /** Whether the next record may have a segment of its own. */
  get admitsLarge(): boolean {
    return this.hasSpare && !this.usesSpare;
  }

  /** Records from here on must not be written to the current segment. */
  get fence(): Lsn {
    return this.#pinned ? this.#spill : Number.POSITIVE_INFINITY;
  }

  /** Counts a record whose own frame would take `bytes`; false when it is not sure to fit. */
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

  /** The record no longer waits: it is about to be written, and `used` will tell what its frame takes. */
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

  /** A frame takes this much of the current segment. */
  use(bytes: number): void {
    this.#currentFree -= bytes;
    this.#assertFits();
  }

  /** A spare is there. */
  addSpare(free: number): void {
    invariant(
      !this.hasSpare && this.#inSpare === 0,
      'there is one spare; {} bytes of the last one are free, {} reserved',
      this.#spareFree,
      this.#inSpare,
    );
    this.#spareFree = free;
  }

  /** The current segment ends before record `lsn`: it will be sealed, so later records are counted against the spare. */
  sealBefore(lsn: Lsn): void {
    invariant(
      this.hasSpare && !this.usesSpare,
      'a segment ends before record {} only when there is a spare and it is unreserved',
      lsn,
    );
    this.#spill = lsn;
    this.#pinned = true;
  }

  /** A large record's segment has become the current one, with so many bytes for frames; the spare comes after it. */
  rotateToLarge(free: number): void {
    this.#assertWritten();
    this.#currentFree = free;
    this.#pinned = false;
    if (this.#inSpare === 0) this.#spill = Number.POSITIVE_INFINITY;
  }

  /** The spare has become the current segment; there is no spare. */
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

  /** What is reserved in the current segment is written before the segment ends. */
  #assertWritten(): void {
    invariant(this.#inCurrent === 0, 'a segment ends with {} bytes reserved in it', this.#inCurrent);
    this.#assertFits();
  }
}

/**
 * The segments of the log: the sealed ones, the current one, and the spare that becomes the next. Their space is reserved here, and a
 * seal is waited for here.
 */
import { Deferred } from '../../../lib/async/deferred.ts';
import type { Undeleted } from '../../../lib/files/files.ts';
import { invariant } from '../../../lib/invariant.ts';
import { framesEnd, type SealedSegment, segmentHeaderBytes, segmentPath } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import type { Tail, TailSegment } from '../tail.ts';
import type { Op } from './flusher.ts';
import { newSalt } from './preallocate.ts';
import { SealedList } from './sealed-list.ts';
import { SegmentPreallocator } from './segment-preallocator.ts';
import { SpaceReservation } from './space-reservation.ts';
import type { WalStats } from './wal-stats.ts';
import type { WalWorker } from './wal-worker.ts';

type Rotation = Op & { readonly kind: 'rotate' };

interface SegmentsOptions {
  readonly tail: Tail;
  readonly worker: WalWorker;
  /** An op for the flusher is due. */
  readonly onDue: () => void;
  /** An error of this program: the log must stop. */
  readonly onFatal: (error: Error) => void;
}

export class Segments {
  /** Which space of the current segment and of the spare is reserved. */
  readonly space: SpaceReservation;
  readonly #options: SegmentsOptions;
  readonly #spares: SegmentPreallocator;
  readonly #seals = new SealWaiters();
  readonly #sealed: SealedList;
  #current: Pick<TailSegment, 'firstLsn' | 'bytes' | 'salt' | 'state'>;
  /** The spare is made, but the flusher has not opened it yet: nothing may be reserved in it. */
  #openDue = false;
  /** Whether {@link whenReady} was resolved. */
  #opened = false;
  readonly #whenReady = new Deferred<void>();

  constructor(options: SegmentsOptions) {
    const { tail, worker, onFatal } = options;
    const { segment } = tail;
    this.#options = options;
    this.#current = segment;
    this.#sealed = new SealedList(tail.sealed);
    this.space = new SpaceReservation(segment.state === 'open' ? framesEnd(segment.bytes) - segment.offset : 0);
    this.#spares = new SegmentPreallocator({ worker, onChange: () => this.#onSpare(), onFatal });
  }

  /** Uses the spare that an earlier process left, or orders one. Call it once. */
  start(): void {
    const { folder, spare } = this.#options.tail;
    if (spare === undefined) this.#orderSpare();
    else this.#spares.found({ folder, header: spare });
  }

  /** Segments that are never written again, oldest first. */
  get sealed(): readonly SealedSegment[] {
    return this.#sealed.segments;
  }

  /** Path of the current segment. */
  get path(): string {
    return segmentPath(this.#options.tail.folder, this.#current.firstLsn);
  }

  /** Whether the current segment takes records. */
  get isOpen(): boolean {
    return this.#current.state === 'open';
  }

  /** Whether the flusher must open the spare. */
  get openDue(): boolean {
    return this.#openDue;
  }

  /** Whether the next segment is wanted, although no record needs it. */
  get isNextWanted(): boolean {
    return this.#seals.any || this.#current.state === 'stale';
  }

  /** Why the next segment cannot be created; `undefined` if it can. */
  get noSpace(): string | undefined {
    return this.#spares.failing ? this.#spares.reason : undefined;
  }

  get stats(): Pick<WalStats, 'segments' | 'spare' | 'noSpace' | 'spareIsLate'> {
    return {
      segments: this.sealed.length + 1,
      spare: this.#openDue ? 'making' : this.#spares.state,
      noSpace: this.noSpace,
      spareIsLate: this.#spares.late,
    };
  }

  /** Resolves when there is a spare, or when waiting for one is pointless. */
  get whenReady(): Promise<void> {
    return this.#whenReady.promise;
  }

  /** Reserves space for a record that takes `bytes` as a separate frame. Throws if there is none. */
  reserve(lsn: Lsn, bytes: number): void {
    if (!this.space.reserve(lsn, bytes)) throw this.#spares.refusal();
  }

  /** Throws if the next record must not be a large one, in a separate segment. */
  refuseUnlessLargeFits(): void {
    if (this.#current.state === 'stale' || !this.space.admitsLarge) throw this.#spares.refusal();
  }

  /** LSN of the newest sealed record. */
  get sealedLsn(): Lsn {
    return this.#current.firstLsn - 1;
  }

  /** Resolves with the newest sealed LSN when all records up to `upTo` are sealed. See {@link Journal.seal}. */
  seal(upTo: Lsn): Promise<Lsn> {
    this.#spares.retryNow();
    if (this.#spares.isUnavailable) throw this.#spares.unavailableError();
    return this.#seals.wait(upTo);
  }

  /** Ends the current segment before record `lsn`, if a seal waits for it and there is a spare. */
  endForSeal(lsn: Lsn): void {
    if (this.#seals.any && this.space.hasSpare && !this.space.usesSpare) this.space.sealBefore(lsn);
  }

  /** See {@link Journal.trim}. */
  async trim(lsn: Lsn): Promise<readonly Undeleted[]> {
    const { length } = this.sealed;
    const undeleted = await this.#sealed.trim(lsn, this.#options.worker);
    if (this.sealed.length < length) this.#spares.retry();
    return undeleted;
  }

  /**
   * The op that leaves the current segment after record `lastLsn`.
   *
   * @param large the rotation to a large record, if one is due
   */
  rotation(large: Rotation | undefined, lastLsn: Lsn): Rotation {
    // A segment that replaces an empty one gets its salt: the seal before names it.
    if (large !== undefined) return this.#isEmpty(lastLsn) ? { ...large, salt: this.#current.salt } : large;
    const { salt, segmentBytes } = this.#spares.take().header;
    return { kind: 'rotate', salt, segmentBytes, to: 'spare' };
  }

  /** The flusher has done a rotation after record `lastLsn`. Returns the sealed segment; `undefined` if it was empty. */
  rotated({ salt, segmentBytes, to }: Rotation, lastLsn: Lsn): SealedSegment | undefined {
    const { firstLsn, bytes } = this.#current;
    const sealed = this.#isEmpty(lastLsn) ? undefined : { firstLsn, lastLsn, bytes, path: this.path };
    if (sealed !== undefined) this.#sealed.add(sealed);
    this.#current = { firstLsn: lastLsn + 1, bytes: segmentBytes, salt, state: 'open' };
    if (to === 'large') this.space.rotateToLarge(framesEnd(segmentBytes) - segmentHeaderBytes);
    else {
      this.space.rotate();
      this.#orderSpare();
    }
    this.#seals.resolve(lastLsn);
    return sealed;
  }

  /** The flusher has opened the spare. @param openError why it could not */
  opened(openError: string | undefined): void {
    this.#openDue = false;
    if (openError !== undefined) {
      this.#spares.fail(openError);
      return;
    }
    this.space.addSpare(framesEnd(this.#options.tail.segmentBytes) - segmentHeaderBytes);
    if (this.#current.state !== 'stale') this.#ready();
  }

  /** A frame was written. In the second half of a segment, the spare is needed soon. */
  written(): void {
    if (this.space.currentFree < this.#current.bytes / 2) this.#spares.disablePauses();
  }

  /** Asserts that flusher and reservation agree. @param offset where the flusher writes the next frame */
  assertOffset(offset: number): void {
    if (!this.isOpen) return;
    const free = framesEnd(this.#current.bytes) - offset;
    invariant(
      free === this.space.currentFree,
      'at byte {} of its segment the flusher has {} bytes left; {} are reserved',
      offset,
      free,
      this.space.currentFree,
    );
  }

  /** Rejects the waits for a seal: no further rotation follows. */
  fail(error: Error): void {
    this.#seals.reject(error);
    this.#ready();
  }

  /** Ends the work on the spare. */
  stop(): Promise<void> {
    return this.#spares.stop();
  }

  /** Whether the current segment holds no record, if `lastLsn` is the last one in the log. */
  #isEmpty(lastLsn: Lsn): boolean {
    return lastLsn < this.#current.firstLsn;
  }

  #ready(): void {
    this.#opened = true;
    this.#whenReady.resolve();
  }

  #orderSpare(): void {
    const { folder, segmentBytes, lineage, sync } = this.#options.tail;
    // A spare that replaces a stale segment keeps its salt: the seal before names it.
    const salt = this.#current.state === 'stale' ? this.#current.salt : newSalt();
    this.#spares.order({ folder, header: { segmentBytes, lineage, salt, sync, createdMs: Date.now() } });
    if (this.#seals.any || !this.isOpen || !this.#opened) this.#spares.disablePauses();
  }

  #onSpare(): void {
    if (this.#spares.state === 'ready') {
      this.#openDue = true;
      this.#options.onDue();
      return;
    }
    this.fail(this.#spares.unavailableError());
  }
}

interface SealWaiter {
  readonly upTo: Lsn;
  readonly resolve: (sealed: Lsn) => void;
  readonly reject: (error: Error) => void;
}

/** Waits until all records up to an LSN are sealed. */
class SealWaiters {
  #waiters: SealWaiter[] = [];

  get any(): boolean {
    return this.#waiters.length > 0;
  }

  wait(upTo: Lsn): Promise<Lsn> {
    return new Promise((resolve, reject) => this.#waiters.push({ upTo, resolve, reject }));
  }

  /** Records up to LSN `sealed` are sealed. */
  resolve(sealed: Lsn): void {
    const done = this.#waiters.filter((waiter) => waiter.upTo <= sealed);
    this.#waiters = this.#waiters.filter((waiter) => waiter.upTo > sealed);
    for (const waiter of done) waiter.resolve(sealed);
  }

  reject(error: Error): void {
    const all = this.#waiters;
    this.#waiters = [];
    for (const waiter of all) waiter.reject(error);
  }
}

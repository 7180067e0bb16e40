/**
 * The cache of decoded leaves. Accessed members are decoded to values, which take about five times their bytes and which the garbage collector
 * visits. Leaves that are not accessed any more are packed to bytes again.
 *
 *     below the limit          decoded leaves stay
 *     at the limit             a leaf is decoded for its request only, so one long list does not evict the cached leaves
 *     above `high` of the limit  a sweep evicts leaves that were not accessed since its last pass (second chance), down to `low`
 *
 * Changes and deletions are not counted: the sweep walks over the state and measures it, and what is decoded until the next sweep is added.
 * So the size may be too large for a while; the next sweep corrects it.
 *
 * A sweep runs for about a millisecond at a time. Below the limit it still runs every ten seconds, to measure what writers have decoded.
 */
import type { Leaf } from '../../store/leaf.ts';
import type { State } from '../../store/state.ts';

/** Shares of the limit: eviction starts above `high` and stops at `low`. */
const share = { high: 0.9, low: 0.75 };
/** How long a sweep runs at a time, and the pauses between, in milliseconds. */
const workMs = 1;
const restMs = { needed: 10, otherwise: 50 };
/** Time between two sweeps that only measure, in milliseconds. */
const idleMs = 10_000;
/** Leaves between two reads of the clock. */
const leavesPerClockCheck = 32;

interface LeafCacheStats {
  /** Approximate memory of decoded members, in bytes. */
  readonly bytes: number;
  readonly limitBytes: number;
  /** Leaves that sweeps evicted since the start. */
  readonly evicted: number;
}

export class LeafCache {
  readonly limitBytes: number;
  /** Bytes that the last sweep found, and bytes decoded since it began. */
  #foundBytes = 0;
  #addedBytes = 0;
  #evicted = 0;
  #timer: NodeJS.Timeout | undefined;
  #sweep: Sweep | undefined;
  #nextSweepAt = 0;

  /** @param limitBytes memory limit of decoded members */
  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get stats(): LeafCacheStats {
    return { bytes: this.bytes, limitBytes: this.limitBytes, evicted: this.#evicted };
  }

  /** Approximate memory of decoded members, in bytes; rather too high. */
  get bytes(): number {
    return this.#foundBytes + this.#addedBytes;
  }

  /** Whether so many more bytes fit. Always true before {@link start}: a restart decodes the leaves that its log changes. */
  hasRoom(bytes: number): boolean {
    return this.#timer === undefined || this.bytes + bytes <= this.limitBytes;
  }

  add(bytes: number): void {
    this.#addedBytes += bytes;
  }

  /**
   * Starts sweeping in the background.
   *
   * @param isShort whether memory is short for other reasons: then all unused leaves are evicted, regardless of the limit
   */
  start(state: State, isShort: () => boolean): void {
    const next = () => {
      this.#step(state, isShort());
      this.#timer = setTimeout(next, this.#needed(isShort()) ? restMs.needed : restMs.otherwise).unref();
    };
    this.#timer = setTimeout(next, restMs.needed).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Sweeps over all leaves once, in this turn. */
  sweep(state: State, isShort = false): void {
    this.#go(new Sweep(state, this.#addedBytes, this.#needed(isShort)), isShort, Number.POSITIVE_INFINITY);
  }

  #needed(isShort: boolean): boolean {
    return isShort || this.bytes > this.limitBytes * share.high;
  }

  #step(state: State, isShort: boolean): void {
    if (this.#sweep === undefined) {
      if (!this.#needed(isShort) && performance.now() < this.#nextSweepAt) return;
      this.#sweep = new Sweep(state, this.#addedBytes, this.#needed(isShort));
    }
    this.#go(this.#sweep, isShort, performance.now() + workMs);
  }

  #go(sweep: Sweep, isShort: boolean, untilMs: number): void {
    for (let looked = 1; ; looked++) {
      const { value: leaf, done } = sweep.leaves.next();
      if (done === true) {
        this.#foundBytes = sweep.foundBytes;
        // Bytes added before the sweep began are included. Of those added later, some are included too and count twice until the next.
        this.#addedBytes -= sweep.addedBefore;
        this.#sweep = undefined;
        this.#nextSweepAt = performance.now() + idleMs;
        return;
      }
      const worked = this.#visit(sweep, leaf, isShort);
      if ((worked || looked % leavesPerClockCheck === 0) && performance.now() >= untilMs) return;
    }
  }

  /** @returns whether the leaf was packed, which takes time */
  #visit(sweep: Sweep, leaf: Leaf, isShort: boolean): boolean {
    const bytes = leaf.decodedBytes;
    if (bytes === 0) return false;
    const isUnused = !leaf.wasAccessed();
    if (isUnused && sweep.isEvicting && (isShort || this.bytes - sweep.freedBytes > this.limitBytes * share.low)) {
      leaf.pack();
      this.#evicted++;
      sweep.freedBytes += bytes;
      return true;
    }
    sweep.foundBytes += bytes;
    return false;
  }
}

/** One walk over all leaves of a state, which changes meanwhile. */
class Sweep {
  readonly leaves: Generator<Leaf, void>;
  /** Bytes decoded between the start of the previous sweep and the start of this one. */
  readonly addedBefore: number;
  readonly isEvicting: boolean;
  /** Bytes that it visited and left, and bytes that it evicted. */
  foundBytes = 0;
  freedBytes = 0;

  constructor(state: State, addedBefore: number, isEvicting: boolean) {
    this.leaves = leavesOf(state);
    this.addedBefore = addedBefore;
    this.isEvicting = isEvicting;
  }
}

function* leavesOf(state: State): Generator<Leaf, void> {
  for (const account of state.accounts.values()) {
    for (const project of account.projects.values()) {
      for (const { collection } of project.collections()) yield* collection.leaves;
    }
  }
}

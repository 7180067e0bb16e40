/**
 * The budget for decoded members: what is looked into becomes values, which take some five times their bytes and which the garbage
 * collector has to walk over; what nobody looks into any more becomes bytes again.
 *
 *     below the limit       what is decoded stays
 *     at the limit          what is decoded serves its request and goes; what stayed before is not driven out by one long list
 *     from `high` of it on  a sweep lets go of leaves that nobody looked into since it came by last (second chance), down to `low`
 *
 * Nothing is counted by hand when something is changed, deleted or replaced: the sweep walks over the state and finds what is there, and
 * until it is round again what was decoded meanwhile is added to that. So the figure may be too large for a while and heals by itself.
 *
 * A sweep works for a millisecond or so at a time. Without need it comes by once in a while, to know what writers have made.
 */
import type { Leaf } from '../../store/leaf.ts';
import type { State } from '../../store/state.ts';

/** Shares of the limit: from where on leaves are let go, and down to where. */
const share = { high: 0.9, low: 0.75 };
/** How long a sweep works at a time, and rests in between, in milliseconds. */
const workMs = 1;
const restMs = { needed: 10, otherwise: 50 };
/** Time between two sweeps without need, in milliseconds. */
const idleMs = 10_000;
/** Leaves between two looks at the clock. */
const leavesPerLook = 32;

export interface LeafCacheStats {
  /** What decoded members take, about; in bytes. */
  readonly bytes: number;
  readonly limitBytes: number;
  /** Leaves that became bytes again in sweeps, since the start. */
  readonly evicted: number;
}

export class LeafCache {
  readonly limitBytes: number;
  /** What the last sweep found, and what was decoded since it began. */
  #foundBytes = 0;
  #addedBytes = 0;
  #letGo = 0;
  #timer: NodeJS.Timeout | undefined;
  #sweep: Sweep | undefined;
  #nextSweepAt = 0;

  /** @param limitBytes what decoded members may take */
  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get stats(): LeafCacheStats {
    return { bytes: this.bytes, limitBytes: this.limitBytes, evicted: this.#letGo };
  }

  /** What decoded members take, about; rather too much. */
  get bytes(): number {
    return this.#foundBytes + this.#addedBytes;
  }

  /** Whether there is room for so many bytes more. Before sweeps have begun there is: a restart decodes what its log changes. */
  hasRoom(bytes: number): boolean {
    return this.#timer === undefined || this.bytes + bytes <= this.limitBytes;
  }

  add(bytes: number): void {
    this.#addedBytes += bytes;
  }

  /**
   * Sweeps from now on, in the background.
   *
   * @param wanted whether memory is short for other reasons: then it is let go of what rests, whatever the limit
   */
  start(state: State, wanted: () => boolean): void {
    const next = () => {
      this.#step(state, wanted());
      this.#timer = setTimeout(next, this.#needed(wanted()) ? restMs.needed : restMs.otherwise).unref();
    };
    this.#timer = setTimeout(next, restMs.needed).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Goes over all leaves once, at once. */
  sweep(state: State, wanted = false): void {
    this.#go(new Sweep(state, this.#addedBytes, this.#needed(wanted)), wanted, Number.POSITIVE_INFINITY);
  }

  #needed(wanted: boolean): boolean {
    return wanted || this.bytes > this.limitBytes * share.high;
  }

  #step(state: State, wanted: boolean): void {
    if (this.#sweep === undefined) {
      if (!this.#needed(wanted) && performance.now() < this.#nextSweepAt) return;
      this.#sweep = new Sweep(state, this.#addedBytes, this.#needed(wanted));
    }
    this.#go(this.#sweep, wanted, performance.now() + workMs);
  }

  #go(sweep: Sweep, wanted: boolean, untilMs: number): void {
    for (let looked = 1; ; looked++) {
      const { value: leaf, done } = sweep.leaves.next();
      if (done === true) {
        this.#foundBytes = sweep.foundBytes;
        // What was added before it began was found; of what came later some was found as well, and counts twice until the next.
        this.#addedBytes -= sweep.addedBefore;
        this.#sweep = undefined;
        this.#nextSweepAt = performance.now() + idleMs;
        return;
      }
      const worked = this.#visit(sweep, leaf, wanted);
      if ((worked || looked % leavesPerLook === 0) && performance.now() >= untilMs) return;
    }
  }

  /** @returns whether it cost more than a look */
  #visit(sweep: Sweep, leaf: Leaf, wanted: boolean): boolean {
    const bytes = leaf.decodedBytes;
    if (bytes === 0) return false;
    const rests = !leaf.wasAccessed();
    if (rests && sweep.lettingGo && (wanted || this.bytes - sweep.freedBytes > this.limitBytes * share.low)) {
      leaf.pack();
      this.#letGo++;
      sweep.freedBytes += bytes;
      return true;
    }
    sweep.foundBytes += bytes;
    return false;
  }
}

/** One walk over all leaves of a state, which goes on changing meanwhile. */
class Sweep {
  readonly leaves: Generator<Leaf, void>;
  /** What had been decoded since the sweep before when this one began. */
  readonly addedBefore: number;
  readonly lettingGo: boolean;
  /** What it came by and left, and what it let go; in bytes. */
  foundBytes = 0;
  freedBytes = 0;

  constructor(state: State, addedBefore: number, lettingGo: boolean) {
    this.leaves = leavesOf(state);
    this.addedBefore = addedBefore;
    this.lettingGo = lettingGo;
  }
}

function* leavesOf(state: State): Generator<Leaf, void> {
  for (const account of state.accounts.values()) {
    for (const project of account.projects.values()) {
      for (const { collection } of project.collections()) yield* collection.leaves;
    }
  }
}

/**
 * How fast a segment is made ahead, and how far it is. Two numbers in shared memory: a flag that the main thread sets while the other thread is
 * at work, and the number of steps that are on the disk.
 */

/** Rest between two steps, so that the flusher's syncs get their turn. */
const pauseMs = 10;
const calm = 0;
const urgent = 1;
const stop = 2;

export class Pace {
  readonly shared: SharedArrayBuffer;
  readonly #flag: Int32Array;
  readonly #steps: Int32Array;

  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared;
    this.#flag = new Int32Array(shared, 0, 1);
    this.#steps = new Int32Array(shared, 4, 1);
  }

  /** Another number after each step, and after each {@link begin}. */
  get steps(): number {
    return Atomics.load(this.#steps, 0);
  }

  /** Main thread: the work that begins now has made no step. */
  begin(): void {
    Atomics.add(this.#steps, 0, 1);
  }

  /** Main thread: no more pauses; somebody waits for the spare. */
  hurry(): void {
    if (Atomics.compareExchange(this.#flag, 0, calm, urgent) === calm) Atomics.notify(this.#flag, 0);
  }

  /** Main thread: give up after the step at hand. */
  stop(): void {
    Atomics.store(this.#flag, 0, stop);
    Atomics.notify(this.#flag, 0);
  }

  /** The other thread, after a step: counts it, and pauses unless it is urgent; false when it is to give up. */
  wait(): boolean {
    Atomics.add(this.#steps, 0, 1);
    Atomics.wait(this.#flag, 0, calm, pauseMs);
    return Atomics.load(this.#flag, 0) !== stop;
  }
}

/** How fast a spare is made: a flag in shared memory, set by the main thread while the spare's thread is at work. */

/** Rest between two steps, so that the flusher's syncs get their turn. */
const pauseMs = 10;
const calm = 0;
const urgent = 1;
const stop = 2;

export class Pace {
  readonly shared: SharedArrayBuffer;
  readonly #flag: Int32Array;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#flag = new Int32Array(shared);
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

  /** Spare's thread, between two steps: pauses unless it is urgent; false when it is to give up. */
  wait(): boolean {
    Atomics.wait(this.#flag, 0, calm, pauseMs);
    return Atomics.load(this.#flag, 0) !== stop;
  }
}

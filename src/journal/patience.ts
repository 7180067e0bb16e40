/** How long the calling thread lets a disk hold it up before it leaves the work to the other thread. */

/**
 * What the disk may hold this thread up for, in milliseconds. When it took longer, the other thread does all work for so many times as long:
 * a disk that stalls holds nobody up for more than a thousandth of the time.
 */
const heldUpMaxMs = 1;
const restTimes = 1000;

export class Patience {
  /** Until then nothing is written in this thread: the disk was slow. */
  #slowUntil = 0;

  /** Whether the disk has been quick lately, at a time of `performance.now`. */
  lasts(now: number): boolean {
    return now >= this.#slowUntil;
  }

  /** The disk held the thread up from then to now. */
  heldUp(from: number): void {
    const now = performance.now();
    if (now - from > heldUpMaxMs) this.#slowUntil = now + restTimes * (now - from);
  }
}

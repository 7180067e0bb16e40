/** A pause of a worker thread. */

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread, a worker thread, so that the journal can use the disk. */
export function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(sleeper, 0, 0, milliseconds);
}

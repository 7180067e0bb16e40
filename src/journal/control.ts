/**
 * How the main thread tells the flusher's thread what to do: a few numbers in shared memory and a counter to wake it.
 *
 *     main                          flusher's thread
 *     writes the op's numbers
 *     counter + 1, notify  ------>  wakes from Atomics.wait, reads the numbers, does the op
 *     takes the report     <------  posts it on a message port, waits for the counter again
 *
 * There is one op at a time: the main thread sends the next only after the report, so the numbers are never overwritten while
 * they are read. The thread blocks in between, in `Atomics.wait`, which wakes some ten times faster than a message to an event
 * loop. The catch: its event loop never turns, so nothing that needs one (timers, promises) may be used there.
 */
import type { NextSegment, Op } from './flusher.ts';

const counterBytes = 8;
const numbersCount = 5;
const opCodes: Readonly<Record<Op['kind'], number>> = {
  ...{ flush: 1, mark: 2, sync: 3, rotate: 4, stop: 5, prepare: 6, place: 7, dismiss: 8 },
};
/** Kinds of the next segment; by number. */
const nextSegments: readonly NextSegment[] = ['spare', 'large'];

export class Control {
  readonly shared: SharedArrayBuffer;
  readonly #counter: Int32Array;
  readonly #numbers: Float64Array;
  #seen = 0;

  constructor(shared = new SharedArrayBuffer(counterBytes + numbersCount * 8)) {
    this.shared = shared;
    this.#counter = new Int32Array(shared, 0, 1);
    this.#numbers = new Float64Array(shared, counterBytes, numbersCount);
  }

  /** Main thread: hands over an op. */
  send(op: Op): void {
    this.#numbers[0] = opCodes[op.kind];
    if (op.kind === 'flush') this.#numbers.set([op.half, op.start, op.bytes, op.count], 1);
    if (op.kind === 'rotate') this.#numbers.set([op.salt, op.segmentBytes, nextSegments.indexOf(op.to)], 1);
    if (op.kind === 'prepare') this.#numbers[1] = nextSegments.indexOf(op.segment);
    if (op.kind === 'place') this.#numbers.set([op.bytes, op.payloadCrc], 1);
    Atomics.add(this.#counter, 0, 1);
    Atomics.notify(this.#counter, 0);
  }

  /** Flusher's thread: blocks until there is an op. */
  receive(): Op {
    // Only the counter says that there is an op. The thread may see it before the notification and be done with the op when that comes,
    // late, because the main thread was held up in between: the same op would then be done twice.
    while (Atomics.load(this.#counter, 0) === this.#seen) Atomics.wait(this.#counter, 0, this.#seen);
    this.#seen = Atomics.load(this.#counter, 0);
    const [code, a, b, c, d] = this.#numbers as unknown as [number, number, number, number, number];
    if (code === opCodes.flush) return { kind: 'flush', half: a === 0 ? 0 : 1, start: b, bytes: c, count: d };
    if (code === opCodes.mark) return { kind: 'mark' };
    if (code === opCodes.sync) return { kind: 'sync' };
    if (code === opCodes.prepare) return { kind: 'prepare', segment: nextSegments[a] as NextSegment };
    if (code === opCodes.dismiss) return { kind: 'dismiss' };
    if (code === opCodes.rotate) return { kind: 'rotate', salt: a, segmentBytes: b, to: nextSegments[c] as NextSegment };
    if (code === opCodes.place) return { kind: 'place', bytes: a, payloadCrc: b };
    return { kind: 'stop' };
  }
}

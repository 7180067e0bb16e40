/**
 * How the main thread and the flusher's thread talk: a few numbers in shared memory each way, and a counter to wake the other.
 *
 *     main                                   flusher's thread
 *     writes the op's numbers
 *     counter of ops + 1, notify  -------->  wakes from Atomics.wait, reads the numbers, does the op
 *     wakes from Atomics.waitAsync  <------  writes the report's numbers, counter of reports + 1, notify
 *
 * There is one op at a time: the main thread sends the next only after the report, so numbers are never overwritten while they are read.
 * The flusher's thread blocks in between, in `Atomics.wait`, which wakes some ten times faster than a message to an event loop. The catch:
 * its event loop never turns, so nothing that needs one (timers, promises) may be used there. The main thread never blocks: a report wakes
 * its event loop without the cost of a message, which has to be serialised and dispatched.
 */
import type { NextSegment, Op, Report } from './flusher.ts';

/** Counters, in order: ops, reports. */
const opsAt = 0;
const reportsAt = 1;
const countersBytes = 8;
const opNumbers = 5;
const reportNumbers = 6;
/** Bytes of the one text of a report; a longer one is cut. */
const textBytes = 1024;
const reportAt = countersBytes + opNumbers * Float64Array.BYTES_PER_ELEMENT;
const textAt = reportAt + reportNumbers * Float64Array.BYTES_PER_ELEMENT;

const opCodes: Readonly<Record<Op['kind'], number>> = {
  ...{ flush: 1, mark: 2, sync: 3, rotate: 4, stop: 5, prepare: 6, place: 7, dismiss: 8 },
};
/** Kinds of the next segment; by number. */
const nextSegments: readonly NextSegment[] = ['spare', 'large'];

export class OpChannel {
  readonly shared: SharedArrayBuffer;
  readonly #counters: Int32Array<SharedArrayBuffer>;
  readonly #op: Float64Array;
  readonly #report: Float64Array;
  readonly #text: Buffer;
  /** Ops that were received, reports that were. */
  #seen = 0;
  #ended = false;

  constructor(shared = new SharedArrayBuffer(textAt + textBytes)) {
    this.shared = shared;
    this.#counters = new Int32Array(shared, 0, 2);
    this.#op = new Float64Array(shared, countersBytes, opNumbers);
    this.#report = new Float64Array(shared, reportAt, reportNumbers);
    this.#text = Buffer.from(shared, textAt, textBytes);
  }

  /** Main thread: hands over an op. */
  send(op: Op): void {
    this.#op[0] = opCodes[op.kind];
    if (op.kind === 'flush') this.#op.set([op.half, op.start, op.bytes, op.count], 1);
    if (op.kind === 'rotate') this.#op.set([op.salt, op.segmentBytes, nextSegments.indexOf(op.to)], 1);
    if (op.kind === 'prepare') this.#op[1] = nextSegments.indexOf(op.segment);
    if (op.kind === 'place') this.#op.set([op.bytes, op.payloadCrc], 1);
    this.#wake(opsAt);
  }

  /** Flusher's thread: blocks until there is an op. */
  receive(): Op {
    // Only the counter says that there is an op. The thread may see it before the notification and be done with the op when that comes,
    // late, because the main thread was held up in between: the same op would then be done twice.
    while (Atomics.load(this.#counters, opsAt) === this.#seen) Atomics.wait(this.#counters, opsAt, this.#seen);
    this.#seen = Atomics.load(this.#counters, opsAt);
    const [code, a, b, c, d] = this.#op as unknown as [number, number, number, number, number];
    if (code === opCodes.flush) return { kind: 'flush', half: a === 0 ? 0 : 1, start: b, bytes: c, count: d };
    if (code === opCodes.mark) return { kind: 'mark' };
    if (code === opCodes.sync) return { kind: 'sync' };
    if (code === opCodes.prepare) return { kind: 'prepare', segment: nextSegments[a] as NextSegment };
    if (code === opCodes.dismiss) return { kind: 'dismiss' };
    if (code === opCodes.rotate) return { kind: 'rotate', salt: a, segmentBytes: b, to: nextSegments[c] as NextSegment };
    if (code === opCodes.place) return { kind: 'place', bytes: a, payloadCrc: b };
    if (code === opCodes.stop) return { kind: 'stop' };
    throw new Error(`the flusher got op code ${code}; it knows ${Object.values(opCodes).join(', ')}`);
  }

  /** Flusher's thread: hands over what became of an op. */
  report({ offset, frames, bytes, syncs, syncMs, prepareError: unprepared }: Report): void {
    const textLength = unprepared === undefined ? -1 : this.#text.write(unprepared);
    this.#report.set([offset, frames, bytes, syncs, syncMs, textLength]);
    this.#wake(reportsAt);
  }

  /** Main thread: hands every report to `onReport`, in a turn of its own, until {@link end}. */
  async listen(onReport: (report: Report) => void): Promise<void> {
    for (;;) {
      const { async, value } = Atomics.waitAsync(this.#counters, reportsAt, this.#seen);
      if (async) await value;
      if (this.#ended) return;
      const count = Atomics.load(this.#counters, reportsAt);
      if (count === this.#seen) continue;
      this.#seen = count;
      onReport(this.#received());
    }
  }

  /** Main thread: no report comes any more. Without this, what listens would stay in memory. */
  end(): void {
    this.#ended = true;
    this.#wake(reportsAt);
  }

  #received(): Report {
    const [offset, frames, bytes, syncs, syncMs, textLength] = this.#report as unknown as Record<number, number> & number[];
    const report = { offset, frames, bytes, syncs, syncMs } as Report;
    return textLength === -1 ? report : { ...report, prepareError: this.#text.toString('utf8', 0, textLength) };
  }

  #wake(counter: number): void {
    Atomics.add(this.#counters, counter, 1);
    Atomics.notify(this.#counters, counter);
  }
}

/**
 * The channel between the main thread and the flusher's thread: a few numbers in shared memory each way, and a counter to wake the other.
 *
 *     main                                   flusher's thread
 *     writes the op's numbers
 *     counter of ops + 1, notify  -------->  wakes from Atomics.wait, reads the numbers, does the op
 *     wakes from Atomics.waitAsync  <------  writes the report's numbers, counter of reports + 1, notify
 *
 * There is one op at a time: the main thread sends the next only after the report, so numbers are never overwritten while they are read.
 * Between ops the flusher's thread blocks in `Atomics.wait`, which wakes about ten times faster than a message to an event loop. So its
 * event loop never turns, and timers and promises must not be used there. The main thread never blocks: a report wakes its event loop
 * without the cost of serialising and dispatching a message.
 */
import type { NextSegment, Op, Report } from './flusher.ts';

/** Counters, in order: ops, reports. */
const opsAt = 0;
const reportsAt = 1;
const countersBytes = 8;
const opNumbers = 5;
const reportNumbers = 6;
/** Limit for the text of a report, in bytes; a longer text is cut. */
const textBytes = 1024;
const reportAt = countersBytes + opNumbers * Float64Array.BYTES_PER_ELEMENT;
const textAt = reportAt + reportNumbers * Float64Array.BYTES_PER_ELEMENT;

const opCodes: Readonly<Record<Op['kind'], number>> = {
  ...{ flush: 1, mark: 2, sync: 3, rotate: 4, stop: 5, openNext: 6, commitLarge: 7, abortLarge: 8 },
};
/** Kinds of the next segment, by number. */
const nextSegments: readonly NextSegment[] = ['spare', 'large'];

export class OpChannel {
  readonly shared: SharedArrayBuffer;
  readonly #counters: Int32Array<SharedArrayBuffer>;
  readonly #op: Float64Array;
  readonly #report: Float64Array;
  readonly #text: Buffer;
  /** Count of received ops in the flusher's thread, of received reports in the main thread. */
  #seen = 0;
  #ended = false;

  constructor(shared = new SharedArrayBuffer(textAt + textBytes)) {
    this.shared = shared;
    this.#counters = new Int32Array(shared, 0, 2);
    this.#op = new Float64Array(shared, countersBytes, opNumbers);
    this.#report = new Float64Array(shared, reportAt, reportNumbers);
    this.#text = Buffer.from(shared, textAt, textBytes);
  }

  /** Main thread: sends an op. */
  send(op: Op): void {
    this.#op[0] = opCodes[op.kind];
    if (op.kind === 'flush') this.#op.set([op.half, op.start, op.bytes, op.count], 1);
    if (op.kind === 'rotate') this.#op.set([op.salt, op.segmentBytes, nextSegments.indexOf(op.to)], 1);
    if (op.kind === 'openNext') this.#op[1] = nextSegments.indexOf(op.segment);
    if (op.kind === 'commitLarge') this.#op.set([op.bytes, op.payloadCrc], 1);
    this.#wake(opsAt);
  }

  /** Flusher's thread: blocks until an op arrives. */
  receive(): Op {
    // Only the counter proves a new op. If the main thread is delayed between counter and notification, this thread may have finished
    // the op when the notification arrives, and would then run it twice.
    while (Atomics.load(this.#counters, opsAt) === this.#seen) Atomics.wait(this.#counters, opsAt, this.#seen);
    this.#seen = Atomics.load(this.#counters, opsAt);
    const [code, a, b, c, d] = this.#op as unknown as [number, number, number, number, number];
    if (code === opCodes.flush) return { kind: 'flush', half: a === 0 ? 0 : 1, start: b, bytes: c, count: d };
    if (code === opCodes.mark) return { kind: 'mark' };
    if (code === opCodes.sync) return { kind: 'sync' };
    if (code === opCodes.openNext) return { kind: 'openNext', segment: nextSegments[a] as NextSegment };
    if (code === opCodes.abortLarge) return { kind: 'abortLarge' };
    if (code === opCodes.rotate) return { kind: 'rotate', salt: a, segmentBytes: b, to: nextSegments[c] as NextSegment };
    if (code === opCodes.commitLarge) return { kind: 'commitLarge', bytes: a, payloadCrc: b };
    if (code === opCodes.stop) return { kind: 'stop' };
    throw new Error(`the flusher got op code ${code}; it knows ${Object.values(opCodes).join(', ')}`);
  }

  /** Flusher's thread: sends the report on an op. */
  report({ offset, frames, bytes, syncs, syncMs, openError }: Report): void {
    const textLength = openError === undefined ? -1 : this.#text.write(openError);
    this.#report.set([offset, frames, bytes, syncs, syncMs, textLength]);
    this.#wake(reportsAt);
  }

  /** Main thread: calls `onReport` for each report, in a separate turn of the event loop, until {@link end}. */
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

  /** Main thread: ends {@link listen}, which would otherwise stay in memory. */
  end(): void {
    this.#ended = true;
    this.#wake(reportsAt);
  }

  #received(): Report {
    const [offset, frames, bytes, syncs, syncMs, textLength] = this.#report as unknown as Record<number, number> & number[];
    const report = { offset, frames, bytes, syncs, syncMs } as Report;
    return textLength === -1 ? report : { ...report, openError: this.#text.toString('utf8', 0, textLength) };
  }

  #wake(counter: number): void {
    Atomics.add(this.#counters, counter, 1);
    Atomics.notify(this.#counters, counter);
  }
}

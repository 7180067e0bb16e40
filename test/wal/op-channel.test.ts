/** Operations sent between threads: each is executed once, also with a late notification. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import type { Op, Report } from '../../src/storage/wal/write/flusher.ts';
import { OpChannel } from '../../src/storage/wal/write/op-channel.ts';

const receiver = `
import { parentPort, workerData } from 'node:worker_threads';
const { OpChannel } = await import(workerData.module);
const control = new OpChannel(workerData.shared);
for (let op = control.receive(); ; op = control.receive()) {
  parentPort.postMessage(op);
  if (op.kind === 'stop') break;
}
`;

const ops: Op[] = [
  { kind: 'flush', half: 1, start: 24, bytes: 1000, count: 3 },
  { kind: 'mark' },
  { kind: 'sync' },
  { kind: 'openNext', segment: 'spare' },
  { kind: 'openNext', segment: 'large' },
  { kind: 'abortLarge' },
  { kind: 'commitLarge', bytes: 200 * 1024 * 1024, payloadCrc: 0xffff_ffff },
  { kind: 'rotate', salt: 0xffff_ffff, segmentBytes: 16 * 1024 * 1024, to: 'spare' },
  { kind: 'rotate', salt: 1, segmentBytes: 256 * 1024 * 1024, to: 'large' },
  { kind: 'stop' },
];

t.test('an unknown operation is an error that names the known ones', (t) => {
  const control = new OpChannel();
  control.send({ kind: 'compact' } as unknown as Op);
  t.throws(() => control.receive(), /op code NaN; it knows 1, 2, /);
  t.end();
});

t.test('a late notification does not execute an operation twice', async (t) => {
  const control = new OpChannel();
  const counter = new Int32Array(control.shared, 0, 1);
  const module = new URL('../../src/storage/wal/write/op-channel.js', import.meta.url).href;
  const source = new URL(`data:text/javascript,${encodeURIComponent(receiver)}`);
  const worker = new Worker(source, { workerData: { module, shared: control.shared } });
  t.teardown(() => worker.terminate());
  const received: Op[] = [];
  worker.on('message', (op: Op) => received.push(op));
  const ended = once(worker, 'exit');
  for (const op of ops) {
    const message = once(worker, 'message');
    control.send(op);
    await message;
    if (op.kind === 'stop') break;
    // As when the thread that sent it was held up: once it waits again, it is woken.
    while (Atomics.notify(counter, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  t.strictSame(received, ops);
});

t.test('reports of the flusher arrive in order, each once, until the end', async (t) => {
  const control = new OpChannel();
  const flusher = new OpChannel(control.shared);
  const received: Report[] = [];
  let next: () => void = () => undefined;
  const listening = control.listen((report) => {
    received.push(report);
    next();
  });
  const counter = new Int32Array(control.shared, 4, 1);
  const report = { offset: 512, frames: 3, bytes: 1024, syncs: 2, syncMs: 0.25 };
  const reports: Report[] = [report, { ...report, openError: '' }, { ...report, openError: `EMFILE: ${'é'.repeat(2000)}` }];
  for (const each of reports) {
    const arrived = new Promise<void>((resolve) => {
      next = resolve;
    });
    flusher.report(each);
    await arrived;
    Atomics.notify(counter, 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  control.end();
  await listening;
  t.strictSame(received.slice(0, 2), reports.slice(0, 2));
  t.equal(received[2]?.openError, `EMFILE: ${'é'.repeat(508)}`, 'a long text is cut between two characters');
  t.equal(received.length, 3, 'a notification without a report is none');
});

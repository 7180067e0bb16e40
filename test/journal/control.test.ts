/** Ops handed from one thread to another: each is done once, however late its notification. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { Control } from '../../src/journal/control.ts';
import type { Op } from '../../src/journal/flusher.ts';

const receiver = `
import { parentPort, workerData } from 'node:worker_threads';
const { Control } = await import(workerData.module);
const control = new Control(workerData.shared);
for (let op = control.receive(); ; op = control.receive()) {
  parentPort.postMessage(op);
  if (op.kind === 'stop') break;
}
`;

const ops: Op[] = [
  { kind: 'flush', half: 1, start: 24, bytes: 1000, count: 3 },
  { kind: 'mark' },
  { kind: 'sync' },
  { kind: 'prepare', segment: 'spare' },
  { kind: 'prepare', segment: 'large' },
  { kind: 'dismiss' },
  { kind: 'place', bytes: 200 * 1024 * 1024, payloadCrc: 0xffff_ffff },
  { kind: 'rotate', salt: 0xffff_ffff, segmentBytes: 16 * 1024 * 1024, to: 'spare' },
  { kind: 'rotate', salt: 1, segmentBytes: 256 * 1024 * 1024, to: 'large' },
  { kind: 'stop' },
];

t.test('a notification that comes when the op is done already is no second op', async (t) => {
  const control = new Control();
  const counter = new Int32Array(control.shared, 0, 1);
  const module = new URL('../../src/journal/control.js', import.meta.url).href;
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

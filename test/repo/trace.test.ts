// tier: all, process: own
/** The trace of a request (`npm run trace`) shows the steps that the architecture describes. */
import t from 'tap';
import { traceRequests, type Visit } from './trace.ts';

const { get, post } = await traceRequests(t);
const at = (visits: readonly Visit[], file: string, name: string): number =>
  visits.findIndex((visit) => visit.file === file && visit.name === name);

t.test('a POST is decided, logged, synced by the thread of the log, and answered, in this order', async (t) => {
  const steps = [
    at(post, 'http/pipeline', 'authenticate'),
    at(post, 'engine/write/decide', 'decide'),
    at(post, 'storage/wal/write/wal', 'append'),
    at(post, 'store/apply', 'applyRecord'),
    at(post, 'storage/wal/write/flusher', '#sync'),
    at(post, 'http/response/reply', 'send'),
  ];
  t.notOk(steps.includes(-1), String(steps));
  t.strictSame(
    steps,
    steps.toSorted((a, b) => a - b),
  );
  t.ok(post[at(post, 'storage/wal/write/flusher', '#sync')]?.inWorker);
});

t.test('a GET is answered by the main thread without a write', async (t) => {
  t.notOk(at(get, 'http/response/reply', 'send') === -1);
  t.strictSame(
    get.filter(({ inWorker }) => inWorker),
    [],
  );
  t.equal(at(get, 'engine/write/write', 'execute'), -1);
});

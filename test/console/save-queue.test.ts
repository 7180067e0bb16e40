/** The queue of requests of the editor, without a browser and without a server. */
import { setImmediate as turn } from 'node:timers/promises';
import { signal } from '@preact/signals';
import t, { type Test } from 'tap';
import { ConnectionError } from '../../src/web/client/client.ts';
import type { Notice } from '../../src/web/console/document/notices.ts';
import { SaveQueue } from '../../src/web/console/document/save-queue.ts';
import { type QueueState, saveStateOf } from '../../src/web/console/document/save-state.ts';

interface FakeTimer {
  readonly run: () => void;
  readonly ms: number;
}

/** Timers that are set and neither run nor cleared, by their number. */
function fakeTimers(t: Test): Map<number, FakeTimer> {
  const pending = new Map<number, FakeTimer>();
  const { setTimeout: original, clearTimeout: originalClear } = globalThis;
  t.teardown(() => Object.assign(globalThis, { setTimeout: original, clearTimeout: originalClear }));
  let count = 0;
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms: number) => {
      const id = ++count;
      pending.set(id, {
        ms,
        run: () => {
          pending.delete(id);
          run();
        },
      });
      return id;
    },
    clearTimeout: (id: number) => pending.delete(id),
  });
  return pending;
}

const noAnswer = (): ConnectionError => new ConnectionError('PATCH /', new Error('no route'));

function opened(t: Test) {
  const timers = fakeTimers(t);
  const notice = signal<Notice | undefined>(undefined);
  const queue = new SaveQueue({
    notice,
    onChange: () => undefined,
    onRetry: () => undefined,
    onSessionEnd: () => undefined,
  });
  return { queue, timers, text: () => notice.value?.text };
}

/** Runs the only timer, and returns its time in milliseconds. */
async function runTimer(timers: ReturnType<typeof fakeTimers>): Promise<number> {
  const [timer, ...others] = [...timers.values()];
  if (timer === undefined || others.length > 0) throw new Error(`${timers.size} timers, not one`);
  timer.run();
  await turn();
  return timer.ms;
}

t.test('a request is sent again after growing pauses until the server answers', async (t) => {
  const { queue, timers, text } = opened(t);
  let answers = false;
  const ask = () =>
    queue.result(
      () =>
        queue.patiently(async () => {
          if (!answers) throw noAnswer();
          return 'done';
        }),
      'failed',
    );
  const result = ask();
  await turn();
  t.match([queue.state, text()], ['paused', /./], 'it says why it waits');
  const pauses: number[] = [];
  for (let round = 0; round < 6; round++) pauses.push(await runTimer(timers));
  t.strictSame(pauses, [1000, 2000, 4000, 8000, 15_000, 15_000]);
  answers = true;
  await runTimer(timers);
  t.equal(await result, 'done');
  await queue.idle();
  t.strictSame([queue.state, text(), timers.size], ['idle', '', 0], 'the reason disappears');
  answers = false;
  const later = ask();
  await turn();
  answers = true;
  t.equal(await runTimer(timers), 1000, 'the next one is tried soon again');
  t.equal(await later, 'done');
});

t.test('a closed queue begins nothing, ends its pause, and leaves no timer', async (t) => {
  const { queue, timers } = opened(t);
  const result = queue.result(() => queue.patiently(() => Promise.reject(noAnswer())), 'failed');
  let began = false;
  queue.add(async () => {
    began = true;
  });
  await turn();
  queue.close();
  t.equal(await result, 'failed');
  await queue.idle();
  t.strictSame([began, timers.size, queue.state], [false, 0, 'closed']);
});

t.test('the state names what the user can do about it', async (t) => {
  const state = (more: object, queue: QueueState = 'idle') =>
    saveStateOf({ hasConflicts: false, hasErrors: false, hasUnsaved: false, ...more, queue });
  t.equal(state({}), 'saved');
  t.equal(state({}, 'running'), 'saving');
  t.equal(state({}, 'paused'), 'waiting');
  t.equal(state({ hasUnsaved: true }), 'waiting');
  t.equal(state({ hasUnsaved: true }, 'stopped'), 'stopped');
  t.equal(state({ hasUnsaved: true, hasErrors: true }, 'stopped'), 'refused');
  t.equal(state({ hasUnsaved: true, hasErrors: true, hasConflicts: true }, 'running'), 'conflict');
});

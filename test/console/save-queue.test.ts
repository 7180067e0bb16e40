/** The queue of requests of the editor, without a browser and without a server. */
import { setImmediate as turn } from 'node:timers/promises';
import { signal } from '@preact/signals';
import t, { type Test } from 'tap';
import type { Notice } from '../../src/web/console/document/notices.ts';
import { SaveQueue } from '../../src/web/console/document/save-queue.ts';
import { type QueueState, saveStateOf } from '../../src/web/console/document/save-state.ts';
import { fakeTimers, noAnswer, refusal } from './queue-support.ts';

function opened(t: Test) {
  const timers = fakeTimers(t);
  const notice = signal<Notice | undefined>(undefined);
  const ended: string[] = [];
  let retries = 0;
  const queue = new SaveQueue({
    notice,
    onChange: () => undefined,
    onRetry: () => retries++,
    onSessionEnd: (reason) => ended.push(reason),
  });
  return { queue, timers, notice, ended, retries: () => retries, text: () => notice.value?.text };
}

/** Runs the only timer, and returns its time in milliseconds. */
async function runTimer(timers: ReturnType<typeof fakeTimers>): Promise<number> {
  const [timer, ...others] = [...timers.values()];
  if (timer === undefined || others.length > 0) throw new Error(`${timers.size} timers, not one`);
  timer.run();
  await turn();
  return timer.ms;
}

t.test('tasks run one after the other, also after one that fails', async (t) => {
  const { queue } = opened(t);
  const done: string[] = [];
  const results = Promise.all([
    queue.result(async () => {
      await turn();
      done.push('first');
      return 1;
    }, 0),
    queue.result(async () => {
      done.push('second');
      throw refusal(409, 'no');
    }, 0),
    queue.result(async () => {
      done.push('third');
      return 3;
    }, 0),
  ]);
  t.equal(queue.state, 'running');
  t.strictSame(await results, [1, 0, 3]);
  await queue.idle();
  t.strictSame(done, ['first', 'second', 'third']);
  t.equal(queue.isRunning, false);
});

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

t.test('after a refused key a request waits for another sign-in, without a timer', async (t) => {
  const { queue, timers, ended } = opened(t);
  let key = 'old';
  const result = queue.result(
    () =>
      queue.patiently(async () => {
        if (key === 'old') throw refusal(401, 'the key has expired');
        return key;
      }),
    'failed',
  );
  await turn();
  t.strictSame([ended, queue.state, timers.size], [['the key has expired'], 'paused', 0]);
  key = 'new';
  queue.retry();
  t.equal(await result, 'new');
});

t.test('a refusal stops, and a retry begins again', async (t) => {
  const { queue, timers, text, retries } = opened(t);
  queue.add(async () => {
    throw refusal(507, 'the account is full');
  });
  await queue.idle();
  // A status of 502 and more is temporary.
  t.strictSame([queue.state, text(), timers.size], ['idle', 'the account is full', 1]);
  queue.add(async () => {
    throw refusal(403, 'the quota is used up');
  });
  await queue.idle();
  t.strictSame([queue.state, text()], ['stopped', 'the quota is used up']);
  queue.retry();
  t.strictSame([queue.state, retries(), timers.size], ['idle', 1, 0]);
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

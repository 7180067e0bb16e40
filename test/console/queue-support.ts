/** Gives tests of the queue what they need without a browser and a server: timers that the test runs, and failures. */
import type { Test } from 'tap';
import { ConnectionError, ProblemError } from '../../src/web/client/client.ts';

interface FakeTimer {
  readonly run: () => void;
  readonly ms: number;
}

/** Timers that are set and neither run nor cleared, by their number. */
export function fakeTimers(t: Test): Map<number, FakeTimer> {
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

export const noAnswer = (): ConnectionError => new ConnectionError('PATCH /', new Error('no route'));

export const refusal = (
  status: number,
  detail: string,
  code: ProblemError['code'] = 'bad_request',
  errors: ProblemError['errors'] = [],
): ProblemError => new ProblemError('PATCH /', new Response(null, { status }), { code, detail, errors });

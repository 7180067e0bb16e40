/** Live maps: the result that visitors get while no new one can be made. */
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { BusyError, OverrunError } from '../../src/lib/errors.ts';
import { LiveMaps, type LivePublished } from '../../src/live/live-maps.ts';

/** Maps whose evaluations succeed or fail as `next` says, and a clock that `pass` moves. */
function world(t: Pick<Test, 'teardown'>) {
  const now = performance.now;
  let aheadMs = 0;
  performance.now = () => now.call(performance) + aheadMs;
  t.teardown(() => {
    performance.now = now;
  });
  const next: { error: Error | undefined; runs: number } = { error: undefined, runs: 0 };
  let arrived = (_: unknown): void => undefined;
  const maps = new LiveMaps({
    sources: {
      onResponse: (listener: typeof arrived) => {
        arrived = listener;
        return () => undefined;
      },
      watch: () => undefined,
      fresh: async () => ({ responses: {}, complete: true }),
    } as never,
    runs: {
      run: async () => {
        next.runs++;
        if (next.error !== undefined) throw next.error;
        return { gzip: new Uint8Array(), jsonBytes: 0, digest: `${next.runs}` };
      },
    } as never,
    clock: Date.now,
  });
  const published: LivePublished = {
    ...{ accountId: 'ann', projectId: 'p', lsn: 1, version: 1, map: async () => new Uint8Array() },
    live: { refresh: 3600, rules: gzipSync('{}'), secret: 'secret' },
  };
  const pass = (ms: number): void => {
    aheadMs += ms;
  };
  return { maps, published, next, arrive: () => arrived(published), pass };
}

t.test('a live map keeps its last result while an evaluation is refused, and is evaluated soon after', async (t) => {
  for (const error of [new BusyError('busy'), new OverrunError('too much', 64)]) {
    const { maps, published, next, arrive, pass } = world(t);
    next.error = error;
    await t.rejects(maps.result(published), error, 'there is none');
    next.error = undefined;
    t.match(await maps.result(published), { digest: '2', isComplete: true });
    arrive();
    pass(1000);
    next.error = error;
    t.match(await maps.result(published), { digest: '2', isComplete: false });
    pass(1000);
    next.error = undefined;
    t.match(await maps.result(published), { digest: '4', isComplete: true }, 'the response does not wait for the refresh');
    maps.close();
  }
});

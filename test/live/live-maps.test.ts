/** Live maps: the result that visitors get while no new one can be made. */
import { gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { BusyError, OverrunError } from '../../src/lib/errors.ts';
import { LiveMaps, type LivePublished, type LiveResult } from '../../src/live/live-maps.ts';
import type { PublicationTask } from '../../src/live/runs/evaluation-runs.ts';
import { publicEvaluation } from '../../src/live/runs/public-evaluation.ts';
import type { SourcesState } from '../../src/live/sources/source-freshness.ts';

const start = Date.parse('2026-11-24T09:00:00Z');

/** The next evaluation: what it has and does. */
interface World {
  error: Error | undefined;
  /** Evaluations so far. */
  runs: number;
  state: SourcesState;
  /** How long each evaluation would have waited for its sources. */
  readonly waits: number[];
  /** Default: another one each time. */
  content: string | undefined;
}

/** Members of a result as visitors read them. */
const shown = ({ gzip }: LiveResult) => JSON.parse(gunzipSync(gzip).toString());

/** Maps whose evaluations succeed or fail as `next` says, and a clock that `pass` moves. */
function world(t: Pick<Test, 'teardown'>) {
  const now = performance.now;
  let aheadMs = 0;
  performance.now = () => now.call(performance) + aheadMs;
  t.teardown(() => {
    performance.now = now;
  });
  const next: World = { error: undefined, runs: 0, state: { sources: 'fresh' }, waits: [], content: undefined };
  let arrived = (_: unknown): void => undefined;
  const maps = new LiveMaps({
    sources: {
      onResponse: (listener: typeof arrived) => {
        arrived = listener;
        return () => undefined;
      },
      watch: () => undefined,
      fresh: async (_: unknown, __: unknown, { waitMs }: { readonly waitMs: number }) => {
        next.waits.push(waitMs);
        return { responses: {}, complete: true };
      },
      state: () => next.state,
    } as never,
    runs: {
      run: async (_: unknown, make: () => Promise<PublicationTask>) => {
        next.runs++;
        if (next.error !== undefined) throw next.error;
        const { content = `content ${next.runs}` } = next;
        const changed = { values: {}, objects: { room: { name: content } }, popups: {}, created: [], problems: [] };
        const evaluation = { ...changed, created_popups: [], unmatched: [] };
        return publicEvaluation(evaluation, await make());
      },
    } as never,
    clock: () => start + aheadMs,
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
    const second = await maps.result(published);
    t.match([shown(second), second.isComplete], [{ objects: { room: { name: 'content 2' } } }, true]);
    arrive();
    pass(1000);
    next.error = error;
    const kept = await maps.result(published);
    t.match([shown(kept), kept.isComplete], [{ objects: { room: { name: 'content 2' } } }, false]);
    pass(1000);
    next.error = undefined;
    const fourth = await maps.result(published);
    t.match(shown(fourth), { objects: { room: { name: 'content 4' } } }, 'the response does not wait for the refresh');
    t.equal(fourth.isComplete, true);
    maps.close();
  }
});

t.test('a result that could not be replaced says since when, in one answer until that changes', async (t) => {
  const { maps, published, next, arrive, pass } = world(t);
  next.content = 'the same';
  const first = await maps.result(published);
  t.match(shown(first), { at: '2026-11-24T09:00:00.000Z', sources: 'fresh', since: undefined });
  arrive();
  pass(1000);
  t.equal((await maps.result(published)).gzip, first.gzip, 'equal content has its bytes');
  arrive();
  pass(1000);
  next.error = new Error('the thread has ended');
  const [kept, other] = await Promise.all([maps.result(published), maps.result(published)]);
  t.match(shown(kept), { at: '2026-11-24T09:00:00.000Z', sources: 'stale', since: '2026-11-24T09:00:01.000Z' });
  t.not(kept.digest, first.digest);
  t.equal(other.gzip, kept.gzip, 'it is made once for all requests');
  pass(5000);
  const later = await maps.result(published);
  t.strictSame([later.digest, later.gzip === kept.gzip, next.runs], [kept.digest, true, 4], 'nothing has changed');
  pass(1000);
  next.error = undefined;
  const again = await maps.result(published);
  t.match(shown(again), { sources: 'fresh', since: undefined });
  t.equal(again.digest, first.digest, 'a visitor who has it gets a 304');
  maps.close();
});

t.test('a result that could not be replaced keeps a worse state', async (t) => {
  for (const state of [{ sources: 'failed' }, { sources: 'stale', since: '2026-11-24T08:00:00.000Z' }] as const) {
    const { maps, published, next, arrive, pass } = world(t);
    next.state = state;
    const first = await maps.result(published);
    t.match(shown(first), state);
    arrive();
    pass(1000);
    next.error = new BusyError('busy');
    const kept = await maps.result(published);
    t.strictSame([kept.gzip === first.gzip, kept.isComplete], [true, false]);
    maps.close();
  }
});

t.test('the state of the sources is in the result with the next refresh, and a state alone is another result', async (t) => {
  const { maps, published, next, pass } = world(t);
  next.content = 'the same';
  const results = [await maps.result(published)];
  for (const state of [
    { sources: 'stale', since: '2026-11-24T08:00:00.000Z' },
    { sources: 'stale', since: '2026-11-24T08:00:00.000Z' },
    { sources: 'failed' },
  ] as const) {
    next.state = state;
    pass(3_600_000);
    const result = await maps.result(published);
    t.match(shown(result), state);
    results.push(result);
  }
  t.equal(results[2]?.digest, results[1]?.digest);
  t.equal(new Set(results.map(({ digest }) => digest)).size, 3);
  maps.close();
});

t.test('a map waits for its sources at first, and after a time without viewers, since nothing was fetched then', async (t) => {
  const { maps, published, next, pass } = world(t);
  for (const ms of [0, 3_600_000, 1.9 * 3_600_000, 2.1 * 3_600_000, 3_600_000]) {
    pass(ms);
    await maps.result(published);
  }
  const isWaiting = next.waits.map((ms) => ms > 0);
  t.strictSame(isWaiting, [true, false, false, true, false]);
  maps.close();
});

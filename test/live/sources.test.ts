// tier: normal, process: shared
/** When data sources are fetched, and what is kept of their responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import type { FetchOutcome, fetchSource } from '../../src/live/sources/fetch-source.ts';
import { HostRules } from '../../src/live/sources/host-rules.ts';
import { LiveSources, type LiveSourcesOptions, type SourceName } from '../../src/live/sources/live-sources.ts';
import { maxAgeOf } from '../../src/live/sources/max-age.ts';
import { ResponseStore } from '../../src/live/sources/response-store.ts';
import {
  freshSources,
  type SourceAnswer,
  type SourcesState,
  stateOfSource,
  worseOf,
} from '../../src/live/sources/source-freshness.ts';
import type { StoredSource } from '../../src/live/sources/source-request.ts';
import {
  ended,
  isDue,
  isIdle,
  isWatched,
  newSchedule,
  nextFetchAt,
  pauseMs,
  postponed,
  pushedAt,
  type Schedule,
  started,
  watched,
} from '../../src/live/sources/source-schedule.ts';
import fc from '../support/fast-check.ts';
import { startSource } from './hostile-source.ts';

// The schedule.

/** A step of the shell that the schedule decides for. */
type Step =
  | { readonly kind: 'watch'; readonly refreshMs: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'push' };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('watch' as const), refreshMs: fc.constantFrom(5000, 60_000, 3_600_000) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 200_000 }) }),
  fc.record({ kind: fc.constant('push' as const) }),
);

interface Run {
  readonly from: number;
  /** The fetch or push before it. */
  readonly after: number | undefined;
  to: number;
  isSuccess: boolean;
}

/** Plays the shell: fetches start when the schedule says so, take a time, and succeed or fail. */
function play(steps: readonly Step[], fetches: readonly { readonly ms: number; readonly isSuccess: boolean }[]) {
  let now = 0;
  let schedule: Schedule = newSchedule;
  let running: Run | undefined;
  const runs: Run[] = [];
  let last: number | undefined;
  const watches: { readonly at: number; readonly refreshMs: number }[] = [];
  const advance = (until: number): void => {
    for (;;) {
      const at = running === undefined ? nextFetchAt(schedule, now) : running.to;
      if (at === undefined || at > until) break;
      now = Math.max(now, at);
      if (running === undefined) {
        const { ms, isSuccess } = fetches[runs.length % fetches.length] ?? { ms: 1, isSuccess: true };
        running = { from: now, after: last, to: now + ms, isSuccess };
        runs.push(running);
        schedule = started(schedule);
      } else {
        schedule = ended(schedule, running.isSuccess, now);
        last = now;
        running = undefined;
      }
    }
    now = until;
  };
  for (const step of steps) {
    if (step.kind === 'watch') {
      watches.push({ at: now, refreshMs: step.refreshMs });
      schedule = watched(schedule, step.refreshMs, now);
    } else if (step.kind === 'push') {
      last = now;
      if (running !== undefined) Object.assign(running, { to: now, isSuccess: true });
      running = undefined;
      schedule = pushedAt(schedule, now);
    }
    advance(now + (step.kind === 'wait' ? step.ms : 0));
  }
  return { runs, watches, schedule, now };
}

const fetchesArbitrary = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 10_000 }), isSuccess: fc.boolean() }), {
  minLength: 1,
});

t.test('a source is fetched at most once per refresh, and only while a watcher is active', async () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 60 }), fetchesArbitrary, (steps, fetches) => {
      const { runs, watches } = play(steps, fetches);
      for (const { from, after } of runs) {
        const active = watches.filter(({ at, refreshMs }) => at <= from && from < at + 2 * refreshMs);
        if (active.length === 0) throw new Error(`a fetch at ${from}, when no watcher is active`);
        const shortest = Math.min(...active.map(({ refreshMs }) => refreshMs));
        if (after !== undefined && from - after < shortest)
          throw new Error(`a fetch at ${from}, ${from - after} ms after the last`);
      }
    }),
  );
});

t.test('a watched source that responds is fetched every refresh', async () => {
  fc.assert(
    fc.property(fc.constantFrom(5000, 60_000), fc.integer({ min: 1, max: 4000 }), (refreshMs, ms) => {
      const steps = Array.from({ length: 20 }, () => [
        { kind: 'watch' as const, refreshMs },
        { kind: 'wait' as const, ms: refreshMs },
      ]).flat();
      const { runs } = play(steps, [{ ms, isSuccess: true }]);
      for (const [i, { from }] of runs.entries())
        if (i > 0 && from !== (runs[i - 1] as Run).to + refreshMs) throw new Error(`fetch ${i} is late`);
      if (runs.length !== 1 + Math.floor((20 * refreshMs) / (refreshMs + ms))) throw new Error(`${runs.length} fetches`);
    }),
  );
});

t.test('pauses after failures double, up to ten minutes or a longer refresh, and end with a success or a push', async (t) => {
  t.strictSame(
    [0, 1, 2, 3, 6, 7, 1000].map((failures) => pauseMs(5000, failures)),
    [5000, 10_000, 20_000, 40_000, 320_000, 600_000, 600_000],
  );
  t.strictSame(
    [0, 1, 5].map((failures) => pauseMs(86_400_000, failures)),
    [86_400_000, 86_400_000, 86_400_000],
  );
  const failing = ended(ended(watched(newSchedule, 5000, 0), false, 100), false, 200);
  t.equal(nextFetchAt(failing, 300), undefined, 'the pause ends after the last watcher');
  t.equal(nextFetchAt(watched(failing, 5000, 15_000), 15_000), 20_200, 'who still watches then gets a fetch');
  t.equal(isDue(failing, 5000, 20_199), false);
  t.equal(isDue(failing, 5000, 20_200), true);
  t.equal(ended(failing, true, 300).failures, 0);
  t.strictSame(postponed(started(failing), 300), { ...failing, endedAt: 300 }, 'a fetch that was not sent is no failure');
  t.equal(pushedAt(failing, 300).failures, 0);
});

t.test('the shortest refresh of those who watch counts, until two of it after their last request', async (t) => {
  const both = watched(watched(ended(newSchedule, true, 0), 60_000, 0), 5000, 0);
  t.equal(nextFetchAt(both, 1), 5000);
  t.equal(nextFetchAt(both, 10_000), 60_000);
  t.equal(isWatched(both, 119_999), true);
  t.equal(isWatched(both, 120_000), false);
  t.equal(nextFetchAt(both, 120_000), undefined);
  t.equal(nextFetchAt(started(both), 1), undefined, 'not while a fetch runs');
  t.equal(watched(both, 5000, 1).watchers.length, 2, 'one entry per refresh');
  t.equal(watched(both, 5000, 130_000).watchers.length, 1, 'entries that are over are dropped');
});

t.test('a schedule is forgotten only when that makes no fetch earlier', async () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 40 }), fetchesArbitrary, fc.nat(4_000_000), (steps, fetches, later) => {
      const { schedule, now } = play(steps, fetches);
      const at = now + later;
      if (!isIdle(schedule, at)) return;
      for (const maxAgeMs of [5000, 60_000, 600_000]) {
        if (isDue(schedule, maxAgeMs, at) !== isDue(newSchedule, maxAgeMs, at)) throw new Error('it mattered');
      }
    }),
  );
});

// The store.

const name = (sourceId = 's', projectId = 'p', accountId = 'a'): SourceName => ({ accountId, projectId, sourceId });
const end = (status: number | null = 200) => ({ at: '2026-01-01T00:00:00Z', status, ms: 5 });
const bodyOf = (json: string, etag?: string) => ({
  json,
  bytes: Buffer.byteLength(json),
  validator: etag === undefined ? undefined : { url: 'http://a.example/', etag },
  maxAge: null as number | null,
});
const problem = { code: 'timeout', detail: 'The source did not answer.' } as const;

t.test('a failed fetch keeps the last body and says what is wrong', async (t) => {
  const store = new ResponseStore(1e6);
  t.equal(store.newest(name(), 'x'), undefined);
  store.keepFailure(name(), 'x', end(500), problem);
  t.match(store.newest(name(), 'x'), { status: 500, bytes: 0, pushed: false, problem, body_at: null, body: undefined });
  store.keepBody(name(), 'x', end(), bodyOf('"ä"', '"1"'));
  const at = '2026-01-01T00:00:00Z';
  t.strictSame(store.newest(name(), 'x'), {
    ...end(),
    bytes: 4,
    pushed: false,
    problem: null,
    body_at: at,
    max_age: null,
    body: '"ä"',
  });
  store.keepFailure(name(), 'x', { ...end(null), at: '2026-01-01T00:01:00Z' }, problem);
  t.match(store.newest(name(), 'x'), { at: '2026-01-01T00:01:00Z', body_at: at, status: null, bytes: 4, problem, body: '"ä"' });
  t.strictSame(store.validator(name(), 'x'), { url: 'http://a.example/', etag: '"1"' });
  store.renew(name(), 'x', { ...end(304), at: '2026-01-02T00:00:00Z' }, null);
  t.match(store.newest(name(), 'x'), { body_at: '2026-01-02T00:00:00Z', status: 304, problem: null, body: '"ä"' });
});

t.test('how long a body may be used stays until the source says otherwise', async (t) => {
  const store = new ResponseStore(1e6);
  const maxAge = () => store.newest(name(), 'x')?.max_age;
  store.keepBody(name(), 'x', end(), { ...bodyOf('1', '"1"'), maxAge: 300 });
  t.equal(maxAge(), 300);
  store.keepFailure(name(), 'x', end(500), problem);
  t.equal(maxAge(), 300, 'that of the body that stays in use');
  store.renew(name(), 'x', end(304), null);
  t.equal(maxAge(), 300);
  store.renew(name(), 'x', end(304), 20);
  t.equal(maxAge(), 20);
  store.push(name(), '2', '2026-01-03T00:00:00Z');
  t.equal(maxAge(), null, 'a push comes when it comes');
});

t.test('max-age is read from Cache-Control, that of shared caches is not', async (t) => {
  for (const [header, seconds] of [
    [undefined, null],
    ['', null],
    ['no-store', null],
    ['s-maxage=5', null],
    ['max-age', null],
    ['max-age=-1', null],
    ['max-age=soon', null],
    ['x-max-age=7', null],
    ['max-age=0', 0],
    ['public, s-maxage=5, Max-Age = "60"', 60],
    ['max-age=30, max-age=60', 30],
    [`max-age=${'9'.repeat(400)}`, 2 ** 31],
  ] as const)
    t.equal(maxAgeOf(header), seconds, String(header).slice(0, 40));
});

t.test('a push counts for all settings of its source until the next response', async (t) => {
  const store = new ResponseStore(1e6);
  store.keepBody(name(), 'x', end(), bodyOf('1', '"1"'));
  store.push(name(), '2', '2026-01-03T00:00:00Z');
  for (const settings of ['x', 'y']) {
    t.strictSame(store.newest(name(), settings), {
      at: '2026-01-03T00:00:00Z',
      status: null,
      ms: 0,
      bytes: 1,
      pushed: true,
      problem: null,
      body_at: '2026-01-03T00:00:00Z',
      max_age: null,
      body: '2',
    });
  }
  store.keepFailure(name(), 'x', end(500), problem);
  t.match(store.newest(name(), 'x'), { status: 500, pushed: true, problem, body: '2' }, 'the newest body is the push');
  store.renew(name(), 'x', end(304), null);
  t.match(store.newest(name(), 'x'), { status: 304, pushed: false, body: '1' }, 'the source said that its body is current');
  t.match(store.newest(name(), 'y'), { pushed: true, body: '2' });
  t.equal(store.newest(name('other'), 'x'), undefined);
  t.equal(store.forget(name()), true);
  t.equal(store.forget(name()), false);
  t.equal(store.newest(name(), 'y'), undefined);
  t.equal(store.bytes, 0);
});

t.test('the oldest bodies of an account go first, and those of others stay', async (t) => {
  const kib = (count: number) => `"${'x'.repeat(count * 1024 - 2)}"`;
  const store = new ResponseStore(40 * 1024);
  store.keepBody(name('other', 'p', 'b'), 'x', end(), bodyOf(kib(30)));
  for (const id of ['1', '2', '3']) store.keepBody(name(id), 'x', end(), bodyOf(kib(10)));
  store.renew(name('1'), 'x', end(304), null);
  store.keepFailure(name('2'), 'x', end(500), problem);
  store.push(name('4'), kib(10), '2026-01-01T00:00:00Z');
  t.strictSame(
    ['1', '2', '3', '4'].map((id) => store.newest(name(id), 'x') !== undefined),
    [true, false, true, true],
    'a renewed body is young, one that could not be renewed is old',
  );
  t.ok(store.newest(name('other', 'p', 'b'), 'x'));
  store.push(name('5'), kib(41), '2026-01-01T00:00:00Z');
  t.equal(store.newest(name('5'), 'x'), undefined, 'what is larger than the memory is not kept');
});

t.test('the store stays within its memory whatever is kept, and a deleted account leaves nothing', async (t) => {
  const op = fc.record({
    kind: fc.constantFrom('body', 'failure', 'renew', 'push', 'forget', 'project'),
    name: fc.record({
      accountId: fc.constantFrom('a', 'b'),
      projectId: fc.constantFrom('p', 'q'),
      sourceId: fc.constantFrom('1', '2', '3'),
    }),
    settings: fc.constantFrom('x', 'y', 'z', 'u', 'v', 'w'),
    size: fc.integer({ min: 2, max: 9000 }),
  });
  const max = 20_000;
  fc.assert(
    fc.property(fc.array(op, { maxLength: 100 }), (ops) => {
      const store = new ResponseStore(max);
      for (const { kind, name, settings, size } of ops) {
        const json = JSON.stringify('x'.repeat(size - 2));
        if (kind === 'body') store.keepBody(name, settings, end(), bodyOf(json));
        else if (kind === 'failure') store.keepFailure(name, settings, end(500), problem);
        else if (kind === 'renew') store.renew(name, settings, end(304), null);
        else if (kind === 'push') store.push(name, json, end().at);
        else if (kind === 'forget') store.forget(name);
        else store.forgetProject(name);
        if (store.bytes > 2 * max) throw new Error(`${store.bytes} bytes`);
        if (kind === 'body' || kind === 'push') {
          const newest = store.newest(name, settings);
          if (newest?.body !== json || newest.pushed !== (kind === 'push')) throw new Error('the newest is not the last one');
        }
      }
      store.forgetAccount('a');
      store.forgetProject({ accountId: 'b', projectId: 'p' });
      store.forgetProject({ accountId: 'b', projectId: 'q' });
      if (store.bytes !== 0 || store.count !== 0) throw new Error('something is left');
    }),
  );
  t.pass('in all orders');
});

// How fresh it is.

const minute = (minutes: number): string => new Date(minutes * 60_000).toISOString();
const arrived = (body_at: string | null, more: Partial<SourceAnswer> = {}): SourceAnswer => ({ problem: null, body_at, ...more });

t.test('a source is fresh, stale or failed by its newest attempt and its last good answer', async (t) => {
  const [old, young, oldestMs] = [minute(1), minute(3), Date.parse(minute(2))];
  for (const [expected, isFetched, answer] of [
    ['failed', true, undefined],
    ['failed', false, undefined],
    ['failed', true, arrived(null, { problem })],
    ['fresh', true, arrived(young)],
    ['fresh', true, arrived(minute(2))],
    ['stale', true, arrived(old)],
    ['stale', true, arrived(young, { problem })],
    ['fresh', false, arrived(old)],
    ['fresh', false, arrived(old, { problem: { code: 'no_url', detail: '' } })],
  ] as const) {
    const since = expected === 'stale' ? { since: answer?.body_at } : {};
    t.strictSame(stateOfSource(answer, isFetched, oldestMs), { sources: expected, ...since });
  }
});

const stateArbitrary: fc.Arbitrary<SourcesState> = fc.oneof(
  fc.constantFrom<SourcesState>({ sources: 'fresh' }, { sources: 'failed' }),
  fc.nat(20).map((at): SourcesState => ({ sources: 'stale', since: minute(at) })),
);

t.test('the worst of some states is one of them in any order, and of stale ones the oldest', async (t) => {
  fc.assert(
    fc.property(fc.array(stateArbitrary), fc.array(stateArbitrary), (some, others) => {
      const worst = [...some, ...others].reduce(worseOf, freshSources);
      const sources = ['failed', 'stale', 'fresh'].find((each) =>
        [...some, ...others, freshSources].some((s) => s.sources === each),
      );
      if (worst.sources !== sources) throw new Error(`${worst.sources} instead of ${sources}`);
      const oldest = [...some, ...others].flatMap(({ since }) => since ?? []).sort()[0];
      if (worst.since !== (sources === 'stale' ? oldest : undefined)) throw new Error(`since ${worst.since}, not ${oldest}`);
      if (!isDeepStrictEqual([...others, ...some].reduce(worseOf, freshSources), worst)) throw new Error('the order matters');
    }),
  );
  t.strictSame([].reduce(worseOf, freshSources), { sources: 'fresh' }, 'of none');
});

// All together.

interface Pending {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  readonly end: (outcome: FetchOutcome) => void;
}

const good = (json: string): FetchOutcome => ({
  kind: 'body',
  status: 200,
  ms: 3,
  json,
  bytes: json.length,
  validator: undefined,
  maxAge: null,
});
const bad: FetchOutcome = { kind: 'failed', status: 500, ms: 3, problem };

/** Sources whose fetches end when the test says so, on a clock that the test sets. */
function liveSources(more: Partial<LiveSourcesOptions> = {}) {
  const pending: Pending[] = [];
  const logged: string[] = [];
  const clock = { now: 0 };
  const line = (fields: object, message: string): void => void logged.push(`${JSON.stringify(fields)} ${message}`);
  const fetch: typeof fetchSource = ({ url }, { signal }) =>
    new Promise((resolve) => {
      const cancelled: FetchOutcome = { kind: 'failed', status: null, ms: 0, problem: { code: 'cancelled', detail: '' } };
      signal?.addEventListener('abort', () => resolve(cancelled), { once: true });
      if (signal?.aborted === true) resolve(cancelled);
      pending.push({ url: url.href, signal, end: resolve });
    });
  const sources = new LiveSources({
    hosts: new HostRules(),
    timeoutMs: 10_000,
    responseBytesMax: 1000,
    accountBytesMax: 1e6,
    forbidden: () => [],
    log: { info: line, warn: line, error: line },
    now: () => clock.now,
    fetch,
    ...more,
  });
  return { sources, pending, logged, clock };
}

/** Lets fetches start: one in each turn of the event loop. */
async function turn(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}
const project = { accountId: 'a', projectId: 'p' };
const stored = (id: string, more: StoredSource = {}): StoredSource => ({
  id,
  url: `https://${id}.example/data?token=secret`,
  headers: [{ name: 'Authorization', value: 'secret' }],
  ...more,
});

t.test('fetches of one source at a time share one request', async (t) => {
  const { sources, pending } = liveSources();
  const both = [sources.fetchNow(name(), stored('s')), sources.fetchNow(name(), stored('s'))];
  const all = sources.fresh(project, [stored('s')], { maxAgeMs: 0, waitMs: 60_000 });
  await turn();
  t.equal(pending.length, 1);
  pending[0]?.end(good('1'));
  for (const response of await Promise.all(both)) t.match(response, { status: 200, body: '1', problem: null, pushed: false });
  t.strictSame(await all, { responses: { s: '1' }, complete: true });
  t.match(sources.newest(name(), stored('s')), { body: '1' });
  t.equal(sources.newest(name(), stored('s', { url: 'https://s.example/other' })), undefined, 'other settings');
  t.equal(sources.newest(name(), stored('s', { headers: [] })), undefined, 'other headers');
  t.match(sources.newest(name(), stored('s', { method: 'GET', body: '' })), { body: '1' }, 'defaults may be left out');
});

t.test('however many watch, a source is fetched once per refresh', async (t) => {
  const { sources, pending, clock } = liveSources();
  const source = stored('s');
  for (let i = 0; i < 1000; i++) sources.watch(project, [source], 5000);
  await turn();
  t.equal(pending.length, 1);
  pending[0]?.end(good('1'));
  await turn();
  for (let i = 0; i < 1000; i++) {
    clock.now += 4;
    sources.watch(project, [{ ...source }], 5000);
  }
  await turn();
  t.equal(pending.length, 1, 'within the refresh');
  clock.now = 5000;
  sources.watch(project, [source], 5000);
  sources.watch(project, [source], 60_000);
  await turn();
  t.equal(pending.length, 2, 'after it');
  t.match(sources.newest(name(), source), { body: '1' }, 'the stale response stays in use meanwhile');
  t.match(sources.stats, { watched: 1, running: 1, responses: 1 });
  clock.now = 200_000;
  t.equal(sources.stats.watched, 0);
  await sources.close();
});

t.test('a watched source is fetched by a timer until its watchers are gone', async (t) => {
  const { sources, pending } = liveSources({ now: () => performance.now() });
  const source = stored('s');
  const refreshMs = 20;
  while (pending.length < 4) {
    sources.watch(project, [source], refreshMs);
    pending.at(-1)?.end(good(`${pending.length}`));
    await sleep(1);
  }
  pending.at(-1)?.end(good('4'));
  const asked = pending.length;
  while (sources.stats.watched > 0) await sleep(1);
  pending.at(-1)?.end(good('5'));
  await turn();
  const last = pending.length;
  t.ok(last <= asked + 2, 'two refreshes have two fetches at most');
  t.match(sources.newest(name(), source), { problem: null });
  await sources.close();
  t.equal(pending.length, last);
});

t.test('sources are as fresh as the worst one, and grow old after two refreshes and the time limit of a fetch', async (t) => {
  const { sources, pending, clock } = liveSources({ clock: () => clock.now });
  const all = [stored('1'), stored('2'), { id: 'pushed' }];
  const state = (refreshMs = 60_000) => sources.state(project, all, refreshMs);
  const at = (ms: number) => new Date(ms).toISOString();
  t.strictSame(sources.state(project, [], 60_000), { sources: 'fresh' });
  sources.push(name('pushed'), '[7]');
  clock.now = 1000;
  const fetched = ['1', '2'].map((id) => sources.fetchNow(name(id), stored(id)));
  await turn();
  pending[0]?.end(good('1'));
  await fetched[0];
  t.strictSame(state(), { sources: 'failed' }, 'the second one never had an answer');
  clock.now = 2000;
  pending[1]?.end(good('2'));
  await fetched[1];
  t.strictSame(state(), { sources: 'fresh' });
  clock.now = 1000 + 2 * 60_000 + 10_000;
  t.strictSame(state(), { sources: 'fresh' });
  clock.now++;
  t.strictSame(state(), { sources: 'stale', since: at(1000) }, 'a push never grows old');
  t.strictSame(state(3_600_000), { sources: 'fresh' });
  const again = sources.fetchNow(name('1'), stored('1'));
  await turn();
  pending[2]?.end({ kind: 'unchanged', status: 304, ms: 1, maxAge: null });
  await again;
  t.strictSame(state(3_600_000), { sources: 'fresh' }, 'an answer that has not changed is one');
  const failed = sources.fetchNow(name('2'), stored('2'));
  await turn();
  pending[3]?.end(bad);
  await failed;
  t.strictSame(state(3_600_000), { sources: 'stale', since: at(2000) }, 'a fetch that fails');
  sources.push(name('2'), '3');
  t.strictSame(state(3_600_000), { sources: 'fresh' }, 'a push ends it');
});

t.test('sources that are too old are fetched and waited for, others are not', async (t) => {
  const { sources, pending, clock } = liveSources();
  const all = [stored('1'), stored('2'), { id: 'none', url: '' }, { id: 'pushed' }];
  sources.push(name('pushed'), '[7]');
  const first = sources.fresh(project, all, { maxAgeMs: 60_000, waitMs: 5 });
  t.strictSame(await first, { responses: { pushed: '[7]' }, complete: false }, 'after waitMs there is what there is');
  // Two fetches do not begin in one turn, and the wait may end between them.
  await turn();
  t.equal(pending.length, 2, 'a source without a URL is never fetched');
  for (const { end } of pending) end(good('1'));
  await turn();
  t.strictSame(await sources.fresh(project, all, { maxAgeMs: 60_000, waitMs: 0 }), {
    responses: { 1: '1', 2: '1', pushed: '[7]' },
    complete: false,
  });
  clock.now = 59_999;
  await sources.fresh(project, all, { maxAgeMs: 60_000, waitMs: 0 });
  t.equal(pending.length, 2);
  clock.now = 60_000;
  const second = sources.fresh(project, [all[0] as StoredSource], { maxAgeMs: 60_000, waitMs: 60_000 });
  await turn();
  t.equal(pending.length, 3);
  pending[2]?.end(bad);
  t.strictSame(await second, { responses: { 1: '1' }, complete: true }, 'a failure keeps the stale response');
  t.match(sources.newest(name('1'), stored('1')), { status: 500, problem, body: '1' });
  clock.now = 179_999;
  await sources.fresh(project, [all[0] as StoredSource], { maxAgeMs: 60_000, waitMs: 0 });
  t.equal(pending.length, 3, 'not before the end of the pause');
  clock.now = 180_000;
  await sources.fresh(project, [all[0] as StoredSource], { maxAgeMs: 60_000, waitMs: 0 });
  await turn();
  t.equal(pending.length, 4);
  await sources.close();
});

t.test('a push replaces a fetch that runs, and delays the next one by a refresh', async (t) => {
  const { sources, pending, clock } = liveSources();
  const notified: [string, boolean][] = [];
  const stop = sources.onResponse(({ sourceId }, pushed) => notified.push([sourceId, pushed]));
  const running = sources.fetchNow(name(), stored('s'));
  await turn();
  sources.push(name(), '"pushed"');
  t.equal(pending[0]?.signal?.aborted, true);
  t.match(await running, { pushed: true, body: '"pushed"', status: null, ms: 0 });
  t.match(sources.newest(name(), stored('s', { method: 'POST' })), { pushed: true }, 'whatever the settings');
  clock.now = 4999;
  sources.watch(project, [stored('s')], 5000);
  sources.watch(project, [stored('s', { method: 'POST' })], 5000);
  await sources.fresh(project, [stored('s')], { maxAgeMs: 5000, waitMs: 0 });
  t.equal(pending.length, 1);
  const asked = sources.fetchNow(name(), stored('s'));
  await turn();
  t.equal(pending.length, 2, 'unless a client asks for it');
  pending[1]?.end(good('"fetched"'));
  t.match(await asked, { pushed: false, body: '"fetched"' });
  t.strictSame(notified, [
    ['s', true],
    ['s', false],
  ]);
  stop();
  sources.push(name(), '1');
  t.equal(notified.length, 2);
  t.throws(() => sources.push(name(), `"${'x'.repeat(1000)}"`), { message: 'a response has at most 1000 bytes' });
  await sources.close();
});

for (const [what, forget] of [
  ['data source', (sources: LiveSources) => sources.forget(name())],
  ['project', (sources: LiveSources) => sources.forgetProject(project)],
  ['account', (sources: LiveSources) => sources.forgetAccount('a')],
] as const) {
  t.test(`a ${what} that is deleted while it is fetched and watched leaves nothing behind`, async (t) => {
    const { sources, pending } = liveSources();
    const notified: string[] = [];
    sources.onResponse(({ sourceId }) => notified.push(sourceId));
    sources.watch(project, [stored('s')], 5000);
    const running = sources.fetchNow(name(), stored('s'));
    await turn();
    forget(sources);
    t.equal(pending[0]?.signal?.aborted, true);
    pending[0]?.end(good('1'));
    t.match(await running, { status: null, body: undefined, problem: { code: 'cancelled' } });
    t.strictSame(notified, []);
    t.match(sources.stats, { watched: 0, running: 0, responses: 0, responseBytes: 0, failing: [] });
    t.equal(sources.newest(name(), stored('s')), undefined);
    await sources.close();
    t.equal(pending.length, 1, 'and it is not fetched again');
  });
}

t.test('a fetch that gets no slot within the time limit says why, and keeps the last response', async (t) => {
  const { sources, pending } = liveSources({ timeoutMs: 5 });
  for (let i = 0; i < 4; i++) void sources.fetchNow(name(`${i}`), stored(`${i}`));
  await turn();
  t.match(await sources.fetchNow(name('5'), stored('5')), {
    status: null,
    problem: {
      code: 'busy',
      detail:
        'Too many other fetches were running (limit: 4 per account, 16 in all, 8 per host). Fetch again later, and check the data sources that do not respond.',
    },
  });
  t.equal(pending.length, 4);
  await sources.close();
});

t.test('a fetch that was not sent hides nothing that is known of its source', async (t) => {
  const { sources, pending } = liveSources({ timeoutMs: 5 });
  const first = sources.fetchNow(name('5'), stored('5'));
  await turn();
  pending[0]?.end({ kind: 'failed', status: 500, ms: 1, problem: { code: 'http_status', detail: 'It answers 500.' } });
  await first;
  for (let i = 0; i < 4; i++) void sources.fetchNow(name(`${i}`), stored(`${i}`));
  await turn();
  t.match(await sources.fetchNow(name('5'), stored('5')), { status: null, problem: { code: 'busy' } });
  t.match(sources.newest(name('5'), stored('5')), { status: 500, problem: { code: 'http_status' } });
  t.match([...sources.failing('a')], [{ problem: { code: 'http_status' } }]);
  await sources.close();
});

/** A data source of one host. */
const ofHost = (host: string, id: number | string): StoredSource => stored(`${id}`, { url: `https://${host}/${id}` });
const hostsOf = (pending: readonly Pending[]): string[] => pending.map(({ url }) => new URL(url).host);

t.test('an account has two fetches of a host at a time, whatever the port, and its other hosts do not wait', async (t) => {
  const { sources, pending } = liveSources({ timeoutMs: 200 });
  for (let i = 0; i < 10; i++) void sources.fetchNow(name(`slow${i}`), ofHost(`slow.example:${i + 1}`, i));
  await turn();
  t.strictSame(hostsOf(pending), ['slow.example:1', 'slow.example:2']);
  void sources.fetchNow(name('other'), ofHost('other.example', 1));
  void sources.fetchNow(name('dot'), ofHost('slow.example.', 1));
  await turn();
  t.strictSame(hostsOf(pending).slice(2), ['other.example']);
  t.match(await sources.fetchNow(name('late'), ofHost('slow.example', 'late')), {
    problem: {
      code: 'busy',
      detail:
        'Too many other fetches of slow.example were waiting (limit for an account and a host: 2 at a time, 200 in 10 s). The server tries again later. Use a longer refresh, or one data source with the values of several.',
    },
  });
  await sources.close();
});

t.test('a slow host leaves half of all fetches to others, also to accounts that wait for it', async (t) => {
  const { sources, pending } = liveSources();
  const accounts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const account of accounts)
    for (const i of [1, 2, 3]) void sources.fetchNow(name(`${i}`, 'p', account), ofHost('slow.example', i));
  await turn(40);
  t.equal(pending.length, 8, 'eight of sixteen');
  for (const account of accounts) void sources.fetchNow(name('other', 'p', account), ofHost(`${account}.example`, 1));
  await turn(40);
  t.strictSame(
    hostsOf(pending).slice(8),
    accounts.map((account) => `${account}.example`),
    'a fetch that waits for the slow host holds no place of its account',
  );
  await sources.close();
});

t.test('a thousand data sources on one host are asked at a pace', async (t) => {
  let fetches = 0;
  const fetch = async (): Promise<FetchOutcome> => {
    fetches++;
    return good('1');
  };
  const { sources } = liveSources({ fetch });
  const all = Array.from({ length: 1000 }, (_, i) => ofHost('one.example', i));
  sources.watch(project, all, 60_000);
  while (fetches < 200) await turn(1);
  await turn(100);
  t.ok(fetches < 250, 'a burst of 200, and then one each 50 ms');
  void sources.fetchNow(name('other'), ofHost('other.example', 1));
  const before = fetches;
  await turn();
  t.ok(fetches > before, 'another host does not wait');
  await sources.close();
});

t.test('fetches that are due together start in turns of the event loop of their own', async (t) => {
  let turns = 0;
  const startedIn: number[] = [];
  const { sources } = liveSources({
    fetch: async () => {
      startedIn.push(turns);
      return good('1');
    },
  });
  sources.watch(
    project,
    Array.from({ length: 60 }, (_, i) => stored(`${i}`)),
    60_000,
  );
  for (; startedIn.length < 60; turns++) await turn(1);
  t.equal(new Set(startedIn).size, 60);
  await sources.close();
});

t.test('an account has at most 2,000 fetches that run or wait, and another account has its own', async (t) => {
  const { sources, pending } = liveSources();
  for (let i = 0; i < 2000; i++) void sources.fetchNow(name(`${i}`), stored(`${i % 500}`));
  t.match(await sources.fetchNow(name('more'), stored('more')), {
    problem: { code: 'busy', detail: /More than 2000 fetches of the account/ },
  });
  void sources.fetchNow(name('s', 'p', 'b'), stored('other'));
  await turn();
  t.equal(pending.length, 5);
  await sources.close();
});

t.test('a repeated watch within the refresh does not look at the data sources', async (t) => {
  const { sources, pending, clock } = liveSources();
  let looks = 0;
  const all = [stored('s')];
  const counting = new Proxy(all, {
    get(target, member) {
      looks++;
      return Reflect.get(target, member);
    },
  });
  sources.watch(project, counting, 5000);
  const once = looks;
  t.ok(once > 0);
  for (clock.now = 0; clock.now < 5000; clock.now += 100) sources.watch(project, counting, 5000);
  t.equal(looks, once);
  sources.watch(project, counting, 5000);
  t.equal(looks, 2 * once, 'after the refresh it does');
  sources.watch(project, counting, 10_000);
  t.equal(looks, 3 * once, 'and with another refresh');
  await turn();
  t.equal(pending.length, 1);
  await sources.close();
});

t.test('a source whose settings are wrong says where, and nothing is fetched', async (t) => {
  const { sources, pending } = liveSources();
  const wrong = stored('s', {
    headers: [
      { name: 'A', value: '' },
      { name: 'Host', value: 'other' },
    ],
  });
  t.match(await sources.fetchNow(name(), wrong), {
    status: null,
    problem: {
      code: 'invalid_header',
      detail: '/headers/1/name: "Host" belongs to the connection; the server sets it. Remove it.',
    },
  });
  t.match(await sources.fetchNow(name('none'), { id: 'none' }), { problem: { code: 'no_url' } });
  t.equal(pending.length, 0);
});

t.test('a source that fails while it is watched is logged once, without its query and headers, and so is its end', async (t) => {
  const { sources, pending, logged, clock } = liveSources();
  for (const outcome of [bad, bad, good('1')]) {
    clock.now += 600_000;
    sources.watch(project, [stored('s')], 5000);
    await turn();
    pending.at(-1)?.end(outcome);
    await turn();
    if (outcome === bad) t.match(sources.stats.failing, [{ name: name(), code: 'timeout', since: Number }]);
  }
  t.strictSame(logged, [
    '{"project_id":"p","data_source_id":"s","code":"timeout"} a data source fails; its last response stays in use',
    '{"project_id":"p","data_source_id":"s"} a data source that failed responds again',
  ]);
  t.strictSame(sources.stats.failing, []);
  t.strictSame(
    [...sources.stats.fetches],
    [
      ['ok', 1],
      ['timeout', 2],
    ],
  );
  t.equal(
    sources.stats.durations.counts.reduce((sum, count) => sum + count),
    3,
  );
  await sources.close();
});

t.test('after close nothing is fetched, and running fetches end', async (t) => {
  const { sources, pending } = liveSources();
  const running = Array.from({ length: 6 }, (_, i) => sources.fetchNow(name(`${i}`), stored(`${i}`)));
  await turn();
  t.equal(pending.length, 4, 'two wait for a slot');
  await sources.close();
  for (const response of await Promise.all(running)) t.match(response, { problem: { code: 'cancelled' } });
  const before = pending.length;
  t.match(await sources.fetchNow(name(), stored('s')), { problem: { code: 'cancelled' } });
  sources.watch(project, [stored('s')], 5000);
  t.strictSame(await sources.fresh(project, [stored('s')], { maxAgeMs: 0, waitMs: 60_000 }), { responses: {}, complete: false });
  await turn();
  t.equal(pending.length, before);
});

t.test('an unchanged response of a real source keeps its body and gets a new time', async (t) => {
  const source = await startSource(t, {
    '/data': (response, { headers }) =>
      void (headers['if-none-match'] === '"1"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: '"1"' }).end('[1]')),
  });
  const line = (): void => undefined;
  const sources = new LiveSources({
    hosts: new HostRules(source.host),
    timeoutMs: 30_000,
    responseBytesMax: 1000,
    accountBytesMax: 1e6,
    forbidden: () => [],
    log: { info: line, warn: line, error: line },
  });
  const data = { id: 's', url: source.url('/data') };
  const first = await sources.fetchNow(name(), data);
  t.match(first, { status: 200, body: '[1]' });
  while (new Date().toISOString() <= first.at) await sleep(1);
  const second = await sources.fetchNow(name(), data);
  t.match(second, { status: 304, body: '[1]', bytes: 3, problem: null });
  t.ok(second.at > first.at);
  sources.forget(name());
  t.match(await sources.fetchNow(name(), data), { status: 200 }, 'what is forgotten is no condition');
  t.strictSame(
    [...sources.stats.fetches],
    [
      ['ok', 2],
      ['unchanged', 1],
    ],
  );
  await sources.close();
});

// tier: normal
/** Evaluations in the worker thread: queue, limits, the public form, and the thread of the bundle. */
import { createHash, createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { problemOf } from '../../src/http/problem.ts';
import { BusyError, OverrunError, StoppedError } from '../../src/lib/errors.ts';
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import type { LiveProject } from '../../src/live/evaluate/evaluation.ts';
import {
  type Evaluated,
  EvaluationRuns,
  type EvaluationRunsOptions,
  type ProjectTask,
  type PublicationTask,
} from '../../src/live/runs/evaluation-runs.ts';
import { OverrunPauses } from '../../src/live/runs/overrun-pauses.ts';
import { publicBytesMax } from '../../src/live/runs/public-evaluation.ts';
import { restated } from '../../src/live/runs/restated-evaluation.ts';
import type { SourcesState } from '../../src/live/sources/source-freshness.ts';
import { recordingLog } from '../support/engine.ts';
import { projectRoot } from '../support/project.ts';
import { test } from '../support/test.ts';

const root = projectRoot(import.meta.dirname);
const given = { seed: 1, now: '2026-11-24T12:00:00Z' };
const visitorsId = 'source-1';
const pathTo = (...keys: string[]) => ({
  nodes: keys.map((key, i) => ({ id: `${i}`, key, ...(i > 0 && { parent: `${i - 1}` }) })),
  node_id: `${keys.length - 1}`,
});
/** A spot with a popup for each visitor of a floor with one room. */
const project: LiveProject = {
  artboards: [{ id: 'floor-1', name: 'Floor', objects: [{ id: 'room-1', type: 'spot' }] }],
  popups: [],
  data_sources: [{ id: visitorsId, name: 'Visitors', url: 'https://sensors.example/visitors' }],
  variables: [
    { id: 'v1', name: 'Each visitor', type: 'iterator', data_source_id: visitorsId, data_path: pathTo('visitors') },
    { id: 'v2', name: 'Desks x', type: 'primitive-from-iterator', iterator_id: 'v1', data_path: pathTo('position', 'x') },
    { id: 'v3', name: 'Desks y', type: 'primitive-from-iterator', iterator_id: 'v1', data_path: pathTo('position', 'y') },
  ],
  actions: [
    {
      ...{ id: 'action-1', name: 'A spot for each visitor', type: 'create-spots' },
      ...{ create_object_target_artboard_id: 'floor-1', create_object_name: 'Visitor' },
      ...{ create_spot_x_source_type: 'variable', create_spot_x_variable_id: 'v2' },
      ...{ create_spot_y_source_type: 'variable', create_spot_y_variable_id: 'v3' },
      style_radius: { name: 'radius', type: 'custom', value: 9 },
      ...{ create_popup: true, popup_max_width: 240, popup_title: 'Visitor', popup_content: '<p>Please offer help.</p>' },
      popup_button_action: 'none',
    },
  ],
};
const visitors = { visitors: [{ id: 'badge-1', position: { x: 1, y: 2 }, allowed: [] }] };
const responses = { [visitorsId]: JSON.stringify(visitors) };
const task = (json: string = JSON.stringify(project)) => ({ kind: 'project', project: json, responses, ...given }) as const;

const of = (projectId: string, more: Partial<Evaluated<'project'>> = {}) =>
  ({ kind: 'project', accountId: 'ann', projectId, version: 1, ...more }) as const;
const runProject = (runs: EvaluationRuns, projectId: string, task: ProjectTask) => runs.run(of(projectId), async () => task);
const runPublication = (runs: EvaluationRuns, task: PublicationTask) =>
  runs.run({ kind: 'publication', accountId: 'ann', projectId: 'p', version: 1 }, async () => task);

/** With time for a busy machine, unless a test is about the limit. */
function startRuns(t: Pick<Test, 'teardown'>, options: Partial<EvaluationRunsOptions> = {}): EvaluationRuns {
  const runs = new EvaluationRuns({ log: recordingLog().log, runMs: 60_000, ...options });
  t.teardown(() => runs.close());
  return runs;
}

/** A project that takes minutes: each of many filters searches a long text for one that is nearly in it everywhere. */
const endless = {
  ...task(
    JSON.stringify({
      data_sources: [{ id: visitorsId }],
      variables: Array.from({ length: 2000 }, (_, i) => ({
        id: `v${i}`,
        type: 'iterator',
        data_source_id: visitorsId,
        data_path: { filters: [{ operator: 'contains', value: `${'a'.repeat(250)}b${'a'.repeat(250)}` }] },
      })),
    }),
  ),
  responses: { [visitorsId]: JSON.stringify(['a'.repeat(2_000_000)]) },
};

const publication = (more: Partial<PublicationTask> = {}, document: LiveProject = project): PublicationTask => {
  const { artboards, popups, data_sources, variables, actions } = document;
  return {
    kind: 'publication',
    map: gzipSync(JSON.stringify({ id: 'p', artboards, popups })),
    rules: gzipSync(JSON.stringify({ data_sources, variables, actions })),
    responses,
    secret: 'secret',
    version: 7,
    state: { sources: 'stale', since: '2026-11-24T09:00:00.000Z' },
    ...given,
    ...more,
  };
};

const jsonOf = (gzip: Uint8Array) => JSON.parse(gunzipSync(gzip).toString());

t.test('a run in the thread gives what the function gives', async (t) => {
  const runs = startRuns(t);
  const expected = JSON.stringify(evaluate(project, { [visitorsId]: visitors }, given));
  t.equal(Buffer.from(await runProject(runs, 'p', task())).toString(), expected);
  const bytes = await runProject(runs, 'p', { ...task(), project: Buffer.from(JSON.stringify(project)) });
  t.equal(Buffer.from(bytes).toString(), expected, 'also of bytes');
});

t.test('a response that is no JSON, or nested too deeply, is none', async (t) => {
  const runs = startRuns(t);
  for (const json of ['{"visitors":', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]) {
    const bytes = await runProject(runs, 'p', { ...task(), responses: { [visitorsId]: json } });
    const { problems } = JSON.parse(Buffer.from(bytes).toString());
    t.ok(JSON.stringify(problems).includes('\\"Visitors\\" has no response yet'));
  }
});

const empty = { ...task('{}'), responses: {} };

t.test('runs beyond the places of a project are refused with 503 and Retry-After, and take none of other lanes', async (t) => {
  const runs = startRuns(t);
  const many = Array.from({ length: 18 }, (_, n) => runs.run(of('p', { inputs: `${n}` }), async () => empty));
  const others = [
    runs.run(of('p'), async () => empty),
    runPublication(runs, publication()),
    runs.run(of('q', { inputs: '1' }), async () => empty),
    runs.run(of('p', { accountId: 'bob' }), async () => empty),
  ];
  const settled = await Promise.allSettled(many);
  t.strictSame(
    settled.map(({ status }) => status),
    [...Array<string>(17).fill('fulfilled'), 'rejected'],
  );
  const { reason } = settled[17] as PromiseRejectedResult;
  t.ok(reason instanceof BusyError);
  t.match(problemOf(reason), { status: 503, headers: { 'Retry-After': '1' } });
  await Promise.all(others);
  t.match(runs.counts, { ok: 21, busy: 1 });
});

t.test('an account has 64 projects that wait, and takes no place of another account', async (t) => {
  const runs = startRuns(t);
  const many = Array.from({ length: 66 }, (_, n) => runs.run(of(`p${n}`), async () => empty));
  const foreign = runs.run(of('p', { accountId: 'bob' }), async () => empty);
  const settled = await Promise.allSettled(many);
  t.equal(settled.filter(({ status }) => status === 'fulfilled').length, 65);
  t.match(settled[65], { status: 'rejected', reason: { name: 'BusyError' } });
  t.ok(await foreign);
});

t.test('accounts take turns, and in an account its projects', async (t) => {
  const runs = startRuns(t);
  const order: string[] = [];
  const note = (accountId: string, projectId: string, inputs: string) =>
    runs.run(of(projectId, { accountId, inputs }), async () => {
      order.push(`${accountId} ${projectId}${inputs}`);
      return empty;
    });
  await Promise.all([
    ...['1', '2', '3'].map((n) => note('ann', 'a', n)),
    note('ann', 'b', '1'),
    ...['1', '2'].map((n) => note('bob', 'c', n)),
  ]);
  t.strictSame(order, ['ann a1', 'bob c1', 'ann b1', 'bob c2', 'ann a2', 'ann a3']);
});

t.test('equal requests share one run, which begins after all of them', async (t) => {
  const runs = startRuns(t);
  let made = 0;
  const ask = (more: Partial<Evaluated<'project'>> = {}) =>
    runs.run(of('p', more), async () => {
      made++;
      return empty;
    });
  const first = ask();
  t.equal(made, 1);
  const later = Array.from({ length: 100 }, () => ask());
  await Promise.all([first, ...later]);
  t.equal(made, 2, 'a run that has begun is not shared');
  made = 0;
  const differing = [{}, { inputs: 'a' }, { inputs: 'b' }, { projectId: 'q' }, { accountId: 'bob' }];
  const busy = ask({ accountId: 'eve' });
  await Promise.all([busy, ...[...differing, ...differing].map(ask)]);
  t.equal(made, 1 + differing.length);
});

t.test('a run that waits makes its task in its turn, and an error of that is its own', async (t) => {
  const runs = startRuns(t);
  const first = runs.run(of('p'), async () => empty);
  const gone = runs.run(of('q'), async () => {
    throw new Error('gone');
  });
  await t.rejects(gone, /gone/);
  await first;
  t.ok(await runs.run(of('q'), async () => empty));
  t.match(runs.counts, { ok: 2, failed: 1 });
});

t.test('a run that takes too long is ended with 503, and the next run has a new thread', async (t) => {
  const runs = startRuns(t, { runMs: 500 });
  const late = runProject(runs, 'p', endless);
  const next = runProject(runs, 'q', { ...task('{}'), responses: {} });
  const error = await late.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  t.ok(error instanceof OverrunError, `${error}`);
  t.match(problemOf(error), {
    status: 503,
    reason: 'evaluation_overrun',
    headers: { 'Retry-After': '1' },
    detail: /takes more than 0.5 s of processor time. It is tried again after 1 s, or when it has changed. Use fewer/,
  });
  t.match(JSON.parse(Buffer.from(await next).toString()), { created: [] });
});

t.test('after an overrun a project is not evaluated during a pause, and runs that wait are refused', async (t) => {
  let nowMs = 0;
  const runs = startRuns(t, { runMs: 300, pauses: new OverrunPauses(() => nowMs) });
  const ask = (task: ProjectTask, more: Partial<Evaluated<'project'>> = {}) =>
    runs
      .run(of('p', { inputs: 'a', ...more }), async () => task)
      .then(
        () => 'ok',
        (error: unknown) => (error instanceof OverrunError ? error.retryAfterS : `${error}`),
      );
  t.strictSame(await Promise.all([ask(endless), ask(endless, { inputs: 'b' }), ask(endless, { inputs: 'c' })]), [1, 1, 1]);
  t.match(runs.counts, { overrun: 1, paused: 2 });
  nowMs = 999;
  t.equal(await ask(empty), 1);
  t.match(runs.counts, { overrun: 1, paused: 3 });
  t.equal(await ask(empty, { inputs: undefined }), 'ok', 'without inputs of the request');
  t.equal(await ask(empty, { projectId: 'q' }), 'ok', 'another project');
  nowMs = 1000;
  t.equal(await ask(endless), 2);
  nowMs = 1001;
  t.equal(await ask(empty), 2, 'the rest of the pause, rounded up');
  t.equal(await ask(empty, { version: 2 }), 'ok', 'a change ends it');
  t.match(runs.counts, { overrun: 2, paused: 4, ok: 3 });
});

t.test('pauses grow with each overrun, until a success or a change', (t) => {
  const pauses = new OverrunPauses(() => 0);
  const overrun = (version: number) => pauses.overrun('p', version, new OverrunError('too much')).retryAfterS;
  t.strictSame([overrun(1), overrun(1), overrun(1), overrun(2), overrun(2)], [1, 2, 4, 1, 2]);
  pauses.succeeded('p');
  t.doesNotThrow(() => pauses.check('p', 2));
  t.equal(overrun(2), 1);
  t.end();
});

t.test('pauses end at five minutes, and the oldest of a thousand are forgotten', (t) => {
  let nowMs = 0;
  const pauses = new OverrunPauses(() => nowMs);
  const seconds = Array.from({ length: 11 }, () => pauses.overrun('p', 1, new OverrunError('too much')).retryAfterS);
  t.strictSame(seconds, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  for (let i = 0; i < 999; i++) pauses.overrun(`other ${i}`, 1, new OverrunError('too much'));
  t.throws(() => pauses.check('p', 1), { message: /^too much\. It is tried again after 300 s/ });
  pauses.overrun('other 999', 1, new OverrunError('too much'));
  t.doesNotThrow(() => pauses.check('p', 1));
  t.throws(() => pauses.check('other 0', 1));
  nowMs = 1000;
  t.doesNotThrow(() => pauses.check('other 0', 1));
  t.end();
});

test.all('a run that needs too much memory is ended, and the process goes on', async (t) => {
  const runs = startRuns(t, { heapMb: 16 });
  const many = JSON.stringify({ settings: Array.from({ length: 1_000_000 }, () => [[]]) });
  await t.rejects(runProject(runs, 'p', task(many)), { name: 'OverrunError', message: /more memory/ });
  t.match(JSON.parse(Buffer.from(await runProject(runs, 'q', empty)).toString()), { created: [] });
});

t.test('closing rejects what runs and what waits', async (t) => {
  const runs = startRuns(t);
  const all = ['a', 'b', 'c'].map((key) => runProject(runs, key, endless));
  const settled = Promise.allSettled(all);
  await runs.close();
  for (const result of await settled) t.ok(result.status === 'rejected' && result.reason instanceof StoppedError);
  await t.rejects(runProject(runs, 'd', task()), StoppedError);
});

t.test('a published evaluation hides items, actions, values and problems', async (t) => {
  const runs = startRuns(t);
  const { gzip, jsonBytes, digest } = await runPublication(runs, publication());
  const text = gunzipSync(gzip).toString();
  const json = JSON.parse(text);
  t.equal(jsonBytes, Buffer.byteLength(text));
  t.strictSame(Object.keys(json), ['version', 'at', 'sources', 'since', 'objects', 'popups', 'created']);
  t.equal(json.version, 7);
  t.equal(json.at, given.now);
  t.notMatch(text, /badge-1|action-1|Desks|sensors\.example/);
  const hidden = createHmac('sha256', 'secret').update('action-1\nbadge-1').digest('hex').slice(0, 32);
  const created = json.created.find(({ object }: { object: { id: string } }) => object.id === `live-${hidden}`);
  t.strictSame(created, {
    artboard_id: 'floor-1',
    object: { id: `live-${hidden}`, name: 'Visitor', type: 'spot', x: 1, y: 2, radius: 9 },
    popup: {
      id: `live-${hidden}-popup`,
      attachedTo: `live-${hidden}`,
      maxWidth: 240,
      title: 'Visitor',
      content: '<p>Please offer help.</p>',
      buttonAction: 'none',
    },
  });
  const { at: _, ...rest } = json;
  t.equal(digest, createHash('sha256').update(JSON.stringify(rest)).digest('hex'));
});

t.test('the digest of a published evaluation depends on all but the time', async (t) => {
  const runs = startRuns(t);
  const digest = async (more: Partial<PublicationTask>) => (await runPublication(runs, publication(more))).digest;
  const first = await digest({});
  t.equal(await digest({ now: '2027-01-01T00:00:00Z' }), first);
  t.not(await digest({ version: 8 }), first);
  t.not(await digest({ secret: 'other' }), first);
  t.not(await digest({ responses: {} }), first);
  t.not(await digest({ state: { sources: 'fresh' } }), first);
  t.not(await digest({ state: { sources: 'stale', since: '2026-11-24T09:00:01.000Z' } }), first);
});

t.test('a published evaluation gets another state without another evaluation', async (t) => {
  const runs = startRuns(t);
  const states: SourcesState[] = [{ sources: 'fresh' }, { sources: 'failed' }, { sources: 'stale', since: given.now }];
  for (const before of states) {
    const made = await runPublication(runs, publication({ state: before }));
    const { sources: _, since: __, ...others } = jsonOf(made.gzip);
    for (const after of states) {
      const { gzip, jsonBytes, digest } = await restated(made, after);
      const text = gunzipSync(gzip).toString();
      t.equal(jsonBytes, Buffer.byteLength(text));
      t.equal(text, JSON.stringify({ version: 7, at: given.now, ...after, ...others }));
      t.equal((await restated(made, after)).digest, digest);
      t.not(digest, made.digest);
    }
  }
});

test.all('created objects of more than 4 MiB are left out of a published evaluation', async (t) => {
  const runs = startRuns(t);
  const long = (length: number): LiveProject => ({
    ...project,
    actions: [
      {
        id: 'm',
        type: 'modify-object',
        object_id: 'room-1',
        style_opacity: { type: 'custom', value: 0.5 },
      },
      {
        id: 'c',
        type: 'create-spot',
        create_object_target_artboard_id: 'floor-1',
        create_spot_x_custom_value: '1',
        create_spot_y_custom_value: '1',
        create_popup: true,
        popup_title: 'x'.repeat(length),
        popup_content: 'x'.repeat(length),
        popup_button_text: 'x'.repeat(length),
        create_object_name: 'x'.repeat(length),
        popup_button_link: `/${'x'.repeat(length)}`,
      },
    ],
  });
  const small = await runPublication(runs, publication({}, long(100_000)));
  t.equal(jsonOf(small.gzip).created.length, 1);
  const large = await runPublication(runs, publication({}, long(900_000)));
  t.strictSame(jsonOf(large.gzip).created, []);
  t.strictSame(jsonOf(large.gzip).objects, { 'room-1': { opacity: 0.5 } });
  t.ok(large.jsonBytes < publicBytesMax);
});

test.all('10,000 spots fit into a published evaluation', async (t) => {
  const runs = startRuns(t);
  const many = { visitors: Array.from({ length: 10_000 }, (_, i) => ({ id: `badge-${i}`, position: { x: i / 7, y: i / 9 } })) };
  const { gzip, jsonBytes } = await runPublication(runs, publication({ responses: { [visitorsId]: JSON.stringify(many) } }));
  t.ok(jsonOf(gzip).created.length > 9999, `${jsonBytes} bytes`);
});

t.test('the bundle has the worker', async (t) => {
  const { default: run } = createRequire(import.meta.url)(path.join(root, 'dist/bin/evaluate-worker.js')) as {
    default(task: unknown): { readonly value: Uint8Array };
  };
  const { value } = run(task());
  t.equal(Buffer.from(value).toString(), JSON.stringify(evaluate(project, { [visitorsId]: visitors }, given)));
});

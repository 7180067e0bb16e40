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
import { EvaluationRuns, type EvaluationRunsOptions, type PublicationTask } from '../../src/live/runs/evaluation-runs.ts';
import { publicBytesMax } from '../../src/live/runs/public-evaluation.ts';
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
      variables: Array.from({ length: 10_000 }, (_, i) => ({
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
    ...given,
    ...more,
  };
};

const jsonOf = (gzip: Uint8Array) => JSON.parse(gunzipSync(gzip).toString());

t.test('a run in the thread gives what the function gives', async (t) => {
  const runs = startRuns(t);
  const expected = JSON.stringify(evaluate(project, { [visitorsId]: visitors }, given));
  t.equal(Buffer.from(await runs.run('p', task())).toString(), expected);
  const bytes = await runs.run('p', { ...task(), project: Buffer.from(JSON.stringify(project)) });
  t.equal(Buffer.from(bytes).toString(), expected, 'also of bytes');
});

t.test('a response that is no JSON, or nested too deeply, is none', async (t) => {
  const runs = startRuns(t);
  for (const json of ['{"visitors":', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]) {
    const bytes = await runs.run('p', { ...task(), responses: { [visitorsId]: json } });
    const { problems } = JSON.parse(Buffer.from(bytes).toString());
    t.ok(JSON.stringify(problems).includes('\\"Visitors\\" has no response yet'));
  }
});

t.test('runs beyond the queue are refused with 503 and Retry-After', async (t) => {
  const runs = startRuns(t, { waitingMax: 2 });
  const all = [1, 2, 3, 4].map((n) => runs.run(`p${n}`, task()));
  t.equal(runs.pending, 3);
  const [first, second, third, fourth] = await Promise.allSettled(all);
  t.strictSame([first?.status, second?.status, third?.status], ['fulfilled', 'fulfilled', 'fulfilled']);
  const { reason } = fourth as PromiseRejectedResult;
  t.ok(reason instanceof BusyError);
  t.match(problemOf(reason), { status: 503, headers: { 'Retry-After': '1' } });
  t.equal(runs.pending, 0);
});

t.test('the runs of one project wait for those of others', async (t) => {
  const runs = startRuns(t);
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  await Promise.all([
    runs.run('a', task()).then(note('a1')),
    runs.run('a', task()).then(note('a2')),
    runs.run('a', task()).then(note('a3')),
    runs.run('b', task()).then(note('b1')),
  ]);
  t.strictSame(order, ['a1', 'b1', 'a2', 'a3']);
});

t.test('a run that takes too long is ended with 503, and the next run has a new thread', async (t) => {
  const runs = startRuns(t, { runMs: 500 });
  const late = runs.run('p', endless);
  const next = runs.run('q', { ...task('{}'), responses: {} });
  const error = await late.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  t.ok(error instanceof OverrunError, `${error}`);
  t.match(problemOf(error), {
    status: 503,
    reason: 'evaluation_overrun',
    headers: { 'Retry-After': '30' },
    detail: /takes more than 0.5 s/,
  });
  t.match(JSON.parse(Buffer.from(await next).toString()), { created: [] });
});

test.all('a run that needs too much memory is ended, and the process goes on', async (t) => {
  const runs = startRuns(t, { heapMb: 16 });
  const many = JSON.stringify({ settings: Array.from({ length: 1_000_000 }, () => [[]]) });
  await t.rejects(runs.run('p', task(many)), { name: 'OverrunError', message: /more memory/ });
  t.match(JSON.parse(Buffer.from(await runs.run('p', { ...task('{}'), responses: {} })).toString()), { created: [] });
});

t.test('closing rejects what runs and what waits', async (t) => {
  const runs = startRuns(t);
  const all = ['a', 'b', 'c'].map((key) => runs.run(key, endless));
  const settled = Promise.allSettled(all);
  await runs.close();
  for (const result of await settled) t.ok(result.status === 'rejected' && result.reason instanceof StoppedError);
  await t.rejects(runs.run('d', task()), StoppedError);
});

t.test('a published evaluation hides items, actions, values and problems', async (t) => {
  const runs = startRuns(t);
  const { gzip, jsonBytes, digest } = await runs.run('p', publication());
  const text = gunzipSync(gzip).toString();
  const json = JSON.parse(text);
  t.equal(jsonBytes, Buffer.byteLength(text));
  t.strictSame(Object.keys(json), ['version', 'at', 'objects', 'popups', 'created']);
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
  const digest = async (more: Partial<PublicationTask>) => (await runs.run('p', publication(more))).digest;
  const first = await digest({});
  t.equal(await digest({ now: '2027-01-01T00:00:00Z' }), first);
  t.not(await digest({ version: 8 }), first);
  t.not(await digest({ secret: 'other' }), first);
  t.not(await digest({ responses: {} }), first);
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
  const small = await runs.run('p', publication({}, long(100_000)));
  t.equal(jsonOf(small.gzip).created.length, 1);
  const large = await runs.run('p', publication({}, long(900_000)));
  t.strictSame(jsonOf(large.gzip).created, []);
  t.strictSame(jsonOf(large.gzip).objects, { 'room-1': { opacity: 0.5 } });
  t.ok(large.jsonBytes < publicBytesMax);
});

test.all('10,000 spots fit into a published evaluation', async (t) => {
  const runs = startRuns(t, { runMs: 60_000 });
  const many = { visitors: Array.from({ length: 10_000 }, (_, i) => ({ id: `badge-${i}`, position: { x: i / 7, y: i / 9 } })) };
  const { gzip, jsonBytes } = await runs.run('p', publication({ responses: { [visitorsId]: JSON.stringify(many) } }));
  t.ok(jsonOf(gzip).created.length > 9999, `${jsonBytes} bytes`);
});

t.test('the bundle has the worker', async (t) => {
  const { default: run } = createRequire(import.meta.url)(path.join(root, 'dist/bin/evaluate-worker.js')) as {
    default(task: unknown): { readonly value: Uint8Array };
  };
  const { value } = run(task());
  t.equal(Buffer.from(value).toString(), JSON.stringify(evaluate(project, { [visitorsId]: visitors }, given)));
});

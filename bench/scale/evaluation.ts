/**
 * The evaluation of a live map: 10,000 items with four variables each become spots, in the calling thread and in the worker thread, and change the
 * objects that they name, with popups.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as evaluating from '../../src/live/evaluate/evaluate.ts';
import type * as running from '../../src/live/runs/evaluation-runs.ts';
import { rowOfOurs, said } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import type { Bench, Context, Row } from '../row.ts';

const silent = { info() {}, warn() {}, error() {} };
const now = '2026-11-24T12:00:00Z';

/** Evaluations before those that are measured: until then the compiler is at work. */
const sizes = { full: { items: 10_000, warmUp: 10, measured: 20 }, tiny: { items: 20, warmUp: 1, measured: 2 } };

const node = (key: string) => ({ nodes: [{ id: 'n', key }], node_id: 'n' });
const ofItem = (id: string) => ({ id, name: id, type: 'primitive-from-iterator', iterator_id: 'items', data_path: node(id) });

/** Coordinates, an expression, and a colour of a scale for each item. */
export const projectOfItems = {
  id: 'p',
  artboards: [{ id: 'a', objects: [] }],
  data_sources: [{ id: 's' }],
  variables: [
    { id: 'items', name: 'items', type: 'iterator', data_source_id: 's', data_path: node('items') },
    ofItem('x'),
    ofItem('y'),
    { id: 'use', name: 'use', type: 'expression', expression: 'round(({x} + {y}) / 20, 1)' },
    {
      id: 'heat',
      name: 'heat',
      type: 'interpolate-color',
      color_interpolation_factor_variable_id: 'use',
      color_interpolation_colors: ['#22c55e', '#eab308', '#dc2626'],
    },
  ],
  actions: [
    {
      id: 'spots',
      type: 'create-spots',
      create_object_target_artboard_id: 'a',
      create_object_name: 'Desk {use}',
      create_spot_x_source_type: 'variable',
      create_spot_x_variable_id: 'x',
      create_spot_y_source_type: 'variable',
      create_spot_y_variable_id: 'y',
      style_color: { type: 'variable', variable_id: 'heat' },
    },
  ],
};

/** Items of the response of its data source. */
export const itemsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ id: `desk-${i}`, x: i % 1000, y: Math.floor(i / 10) }));

/** Each item names one of as many objects by its key: a colour, a text, a popup; a tenth of both find no partner. */
export const projectOfObjects = (count: number) => ({
  ...projectOfItems,
  artboards: [
    {
      id: 'a',
      objects: Array.from({ length: count }, (_, i) => ({
        id: `o${i}`,
        type: 'spot',
        key: `desk-${i + Math.floor(count / 10)}`,
      })),
    },
  ],
  variables: [...projectOfItems.variables, ofItem('id')],
  actions: [
    {
      ...{ id: 'named', type: 'modify-objects', match_variable_id: 'id' },
      conditions: [{ variable_id: 'use', operator: 'greater-or-equal', value: 0 }],
      style_color: { type: 'variable', variable_id: 'heat' },
      style_label_text: { type: 'custom', value: '{use} %' },
      otherwise: { style_color: { type: 'custom', value: '#9ca3af' } },
    },
    {
      ...{ id: 'popups', type: 'modify-popup', match_variable_id: 'id', create_popup: true },
      ...{ popup_title: '{id}', popup_content: '<p>{x}, {y}</p>' },
    },
  ],
});

/** Milliseconds of one evaluation, as a median. */
async function measured(context: Context, evaluate: () => Promise<number>): Promise<number> {
  const { items, warmUp, measured: count } = context.tiny ? sizes.tiny : sizes.full;
  const times: number[] = [];
  for (let i = 0; i < warmUp + count; i++) {
    const started = performance.now();
    assert.equal(await evaluate(), items);
    if (i >= warmUp) times.push(performance.now() - started);
  }
  return median(times);
}

async function run(context: Context): Promise<Row[]> {
  const folder = path.join(context.program, 'src', 'live');
  // A commit before live maps has nothing to measure.
  if (!fs.existsSync(folder)) return [];
  const load = (file: string) => import(pathToFileURL(path.join(folder, file)).href);
  const { evaluate }: typeof evaluating = await load('evaluate/evaluate.js');
  const { EvaluationRuns }: typeof running = await load('runs/evaluation-runs.js');
  const { items: count } = context.tiny ? sizes.tiny : sizes.full;
  const items = itemsOf(count);
  const [json, document] = [JSON.stringify({ items }), JSON.stringify(projectOfItems)];
  const task = { kind: 'project', project: document, responses: { s: json }, seed: 1, now } as const;
  const of = { kind: 'project', accountId: 'a', projectId: 'p', version: 1 } as const;
  const runs = new EvaluationRuns({ log: silent, runMs: 60_000 });
  const [inCaller, inThread, ofList]: [number[], number[], number[]] = [[], [], []];
  const withObjects = projectOfObjects(count);
  try {
    for (let round = 0; round < context.rounds; round++) {
      inCaller.push(
        await measured(context, async () => evaluate(projectOfItems, { s: { items } }, { seed: 1, now }).created.length),
      );
      ofList.push(
        await measured(
          context,
          async () => Object.keys(evaluate(withObjects, { s: { items } }, { seed: 1, now }).objects).length,
        ),
      );
      const text = '"action_id":"spots"';
      inThread.push(
        await measured(
          context,
          async () =>
            Buffer.from(await runs.run(of, async () => task))
              .toString()
              .split(text).length - 1,
        ),
      );
    }
  } finally {
    await runs.close();
  }
  const rows = [
    rowOfOurs('evaluation of 10,000 items as spots', 'ms', inCaller, 'four variables each', { atMost: 150 }),
    rowOfOurs('evaluation in its thread, JSON to JSON', 'ms', inThread, 'the same items'),
    rowOfOurs('evaluation of 10,000 items that name 10,000 objects', 'ms', ofList, 'colour, text and popup', { atMost: 150 }),
  ];
  for (const row of rows) context.say(said(row));
  return rows;
}

export const evaluation: Bench = {
  name: 'evaluation',
  about: 'evaluates a live map: 10,000 items with four variables each become spots, or change 10,000 objects',
  run,
};

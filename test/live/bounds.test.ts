// tier: normal
/** Bounds of an evaluation, and projects and responses that would exceed them: each ends early, and a problem names the bound. */
import t from 'tap';
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import { bounds } from '../../src/live/evaluate/evaluation.ts';

type Members = Readonly<Record<string, unknown>>;

const given = { seed: 1, now: '2026-11-24T12:00:00Z' };
const node = (key: string) => ({ nodes: [{ id: 'n', key }], node_id: 'n' });
const iterator: Members = { id: 'i', name: 'i', type: 'iterator', data_source_id: 's', data_path: node('items') };
const ofItem = (id: string): Members => ({
  id,
  name: id,
  type: 'primitive-from-iterator',
  iterator_id: 'i',
  data_path: node(id),
});
const expression = (id: string, text: string): Members => ({ id, name: id, type: 'expression', expression: text });
const custom = (id: string, text: string): Members => ({ id, name: id, type: 'custom', custom_value: text });
const spots = (id: string, more: Members = {}): Members => ({
  id,
  type: 'create-spots',
  create_object_target_artboard_id: 'a',
  create_spot_x_source_type: 'variable',
  create_spot_x_variable_id: 'x',
  create_spot_y_custom_value: '0',
  ...more,
});

function evaluated(variables: readonly Members[], response: unknown = undefined, actions: readonly Members[] = []) {
  const project = { artboards: [{ id: 'a', objects: [{ id: 'o' }] }], data_sources: [{ id: 's' }], variables, actions };
  const result = evaluate(project, response === undefined ? {} : { s: response }, given);
  return { ...result, says: (part: string) => result.problems.some(({ detail }) => detail.includes(part)) };
}

const items = (count: number, more: Members = {}) => Array.from({ length: count }, (_, i) => ({ id: `k${i}`, x: i, ...more }));

t.test('no more than 10,000 objects are created, in all actions together', async (t) => {
  const all = evaluated([iterator, ofItem('x')], { items: items(6000) }, [spots('1'), spots('2'), spots('3')]);
  t.equal(all.created.length, bounds.createdObjects);
  t.strictSame(
    all.problems.map(({ pointer, detail }) => [pointer, detail.includes('more than 10,000 objects')]),
    [
      ['/actions/1', true],
      ['/actions/2', true],
    ],
  );
});

t.test('an expression of more than 100,000 steps is refused, and one of as many is evaluated', async (t) => {
  const sum = (terms: number) => evaluated([expression('e', Array.from({ length: terms }, () => '1').join('+'))]);
  t.equal(sum(50_000).values['e'], 50_000);
  const { values, says } = sum(50_001);
  t.equal(values['e'], undefined);
  t.ok(says('more than 100,000 steps'));
});

t.test('an evaluation ends after 5,000,000 steps, and says so', async (t) => {
  const long = Array.from({ length: 200 }, () => '{x}').join('+');
  const { values, says, created } = evaluated(
    [iterator, ofItem('x'), ...['d', 'e', 'f'].map((id) => expression(id, long))],
    { items: items(10_000) },
    [spots('1')],
  );
  const list = values['e'] as unknown[];
  t.ok(list.includes(null), 'some items have no value');
  t.notSame(list[0], null, 'the first have one');
  t.equal((values['f'] as unknown[]).filter((value) => value !== null).length, 0, 'later variables have none');
  t.ok(says('5,000,000 steps'));
  t.equal(created.length, 0);
});

t.test('no text is longer than 1,048,576 characters', async (t) => {
  const doubled = (i: number) => expression(`v${i}`, `{v${i - 1}} + {v${i - 1}}`);
  const { values, says } = evaluated([custom('v0', 'x'.repeat(1024)), ...Array.from({ length: 40 }, (_, i) => doubled(i + 1))]);
  t.equal((values['v10'] as string).length, bounds.textLength);
  t.equal(values['v11'], undefined);
  t.ok(says('the text is longer than 1,048,576 characters'));

  const templates = evaluated([custom('a', 'x'.repeat(1000)), custom('b', '{a}'.repeat(1000)), custom('c', '{b}{b}')]);
  t.equal((templates.values['b'] as string).length, 1_000_000);
  t.equal(templates.values['c'], undefined);
  t.ok(templates.says('the text is longer'));

  const sources = evaluated([
    expression('e', `'${'x'.repeat(bounds.textLength)}'`),
    custom('c', 'x'.repeat(bounds.textLength + 1)),
  ]);
  t.ok(sources.says('the expression is longer than 1,048,576 characters'));
  t.equal(sources.problems.length, 2);
});

t.test('long texts of many objects use up the steps before the memory', async (t) => {
  const action = spots('1', { create_popup: true, popup_content: '{long}'.repeat(10) });
  const { created, says } = evaluated([iterator, ofItem('x'), custom('long', 'y'.repeat(100_000))], { items: items(10_000) }, [
    action,
  ]);
  t.ok(created.length < 100, `${created.length} objects`);
  t.ok(says('5,000,000 steps'));
});

t.test('brackets are counted before the parser sees them', async (t) => {
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
  ] as const) {
    const deep = evaluated([expression('e', open.repeat(500_000) + close.repeat(500_000))]);
    t.ok(deep.says('the brackets are more than 64 deep'), open);
  }
  t.ok(evaluated([expression('e', `${'-'.repeat(500_000)}1`)]).says('more than 64 signs in a row'));
  t.ok(evaluated([expression('e', `${'- '.repeat(500_000)}1`)]).says('more than 64 signs in a row'));
  t.ok(evaluated([expression('e', `${'1?'.repeat(100_000)}1${':1'.repeat(100_000)}`)]).says('more than 256 question marks'));
  t.ok(
    evaluated([expression('e', Array.from({ length: 5000 }, () => '1').join('**'))]).says('the expression is more than 512 deep'),
  );
  t.equal(evaluated([expression('e', `len("${'('.repeat(1000)}")`)]).values['e'], 1000, 'brackets in a text are none');
});

t.test('a chain of 20,000 variables is evaluated, and a circle of 20,000 is refused', async (t) => {
  const chain = Array.from({ length: 20_000 }, (_, i) => expression(`v${i}`, i === 0 ? '1' : `{v${i - 1}} + 1`));
  const { values } = evaluated(chain.toReversed());
  t.equal(values['v19999'], 20_000);
  const circle = evaluated([...chain.slice(1), expression('v0', '{v19999} + 1')]);
  t.equal(Object.keys(circle.values).length, 0);
  t.ok(circle.says('in a circle'));
});

t.test('no more than 1,000 problems are listed, and the last says that there are more', async (t) => {
  const { problems } = evaluated(Array.from({ length: 3000 }, (_, i) => expression(`v${i}`, '1 +')));
  t.equal(problems.length, bounds.problems + 1);
  t.match(problems.at(-1), { resource: { kind: 'project' }, pointer: '', detail: /more problems than the first 1,000/ });
});

t.test('a problem quotes a long name only in part', async (t) => {
  const { problems } = evaluated([expression('e', `{${'n'.repeat(100_000)}}`)]);
  t.ok((problems[0]?.detail.length ?? 0) < 600);
});

t.test('one billion items are no items: a length is a number', async (t) => {
  const { values } = evaluated([iterator, ofItem('x')], { items: { length: 1e9 } });
  t.equal(JSON.stringify(values), '{"i":[1000000000],"x":[null]}');
});

t.test('a million items use up the steps', async (t) => {
  const { values, says, created } = evaluated(
    [iterator, ofItem('x'), ...['a', 'b', 'c', 'd'].map((id) => expression(id, '{x} * 2'))],
    { items: Array.from({ length: 1_000_000 }, (_, x) => ({ x })) },
    [spots('1')],
  );
  t.equal((values['x'] as unknown[]).at(-1), 999_999);
  t.ok(says('5,000,000 steps'));
  t.equal(created.length, 0);
});

t.test('numbers that are not finite are no values', async (t) => {
  const { values, problems } = evaluated([
    expression('nan', '0 / 0'),
    expression('infinity', '-1 / 0'),
    expression('literal', '1e999'),
    expression('text', "'1e999' * 1"),
    expression('large', '1e308 * 10'),
    { id: 'random', type: 'random', random_from: -1.7e308, random_to: 1.7e308 },
    { id: 'nothing', type: 'random', random_from: null, random_to: 'x' },
  ]);
  t.strictSame(Object.keys(values), ['random', 'nothing']);
  t.ok(Number.isFinite(values['random']));
  t.equal(problems.length, 5);
});

t.test('structures of any depth in open members do not end the evaluation', async (t) => {
  const depth = 200_000;
  const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const variables = [
    {
      id: 'p',
      data_source_id: 's',
      data_path: { nodes: [{ id: deep, key: deep }], node_id: deep, filters: [{ operator: deep }] },
    },
    { id: 'c', type: 'interpolate-color', color_interpolation_factor_variable_id: 'p', color_interpolation_colors: [deep] },
    { id: 'f', data_source_id: 's', data_path: { filters: [{ key: 'x', operator: 'contains', value: deep }] } },
    { id: 'k', type: 'coords-from-data-source', data_source_id: 's' },
  ];
  const actions = [
    {
      id: 't',
      object_id: deep,
      conditions: [{ operator: deep, variable_id: deep }],
      style_color: { type: 'custom', value: deep },
    },
  ];
  const { problems } = evaluated(variables, deep, actions);
  t.ok(problems.length >= 6, `${problems.length} problems`);
});

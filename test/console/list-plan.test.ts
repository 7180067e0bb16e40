/** The expressions and texts that stand for a plan of a list, and how they are read back. */
import t from 'tap';
import { evaluateVariables } from '../../src/live/evaluate/variables/evaluate-variables.ts';
import { columnsOfRows, guessMatch, matchRows } from '../../src/web/console/follow-list/list-columns.ts';
import { columnsOf, contentOf, expressionOf, legendOf, ruleOf, withNames } from '../../src/web/console/follow-list/list-plan.ts';
import fc from '../support/fast-check.ts';

const columnOf = (name: string): string | undefined => (name === 'Taken' ? 'taken' : undefined);
const colour = fc.constantFrom('#22c55e', '#eab308', '#dc2626', '#9ca3af80');
const number = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }));

/** The colour that an expression gives for a value of the column. */
function colourFor(expression: string, value: unknown): unknown {
  const variables = [
    { id: 'r', name: 'rows', type: 'iterator', data_source_id: 's' },
    { id: 't', name: 'Taken', type: 'primitive-from-iterator', iterator_id: 'r' },
    { id: 'c', name: 'colour', type: 'expression', expression },
  ];
  const project = { data_sources: [{ id: 's' }], variables };
  const { values } = evaluateVariables(project, { s: [value] }, { seed: 1, now: '2026-11-30T00:00:00Z' });
  return (values['c'] as unknown[])[0];
}

t.test('steps become an expression that gives the colour of the last step that is reached, and is read back', async (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(number, { minLength: 1, maxLength: 6 }),
      fc.array(colour, { minLength: 7 }),
      number,
      (from, colours, value) => {
        const steps = [Number.NEGATIVE_INFINITY, ...from.sort((a, b) => a - b)].map((each, at) => ({
          from: each,
          colour: colours[at] ?? '',
        }));
        const rule = { is: 'steps', column: 'taken', steps } as const;
        const expression = expressionOf(rule, 'Taken');
        const reached = steps.findLast((step) => value >= step.from);
        return (
          JSON.stringify(ruleOf(expression, columnOf)) === JSON.stringify(rule) &&
          colourFor(expression, value) === reached?.colour
        );
      },
    ),
  );
  t.pass();
});

t.test('values become an expression that gives the colour of each, and is read back', async (t) => {
  const text = fc.string({ minLength: 1 }).filter((each) => Number.isNaN(Number(each)));
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), colour, (texts, first) => {
      const values = texts.map((value, at) => ({ value, colour: at === 0 ? first : `#00000${at}` }));
      const rule = { is: 'values', column: 'taken', values, other: '#ffffff' } as const;
      const expression = expressionOf(rule, 'Taken');
      return (
        JSON.stringify(ruleOf(expression, columnOf)) === JSON.stringify(rule) &&
        values.every((each) => colourFor(expression, each.value) === each.colour) &&
        colourFor(expression, `${texts.join('')}-`) === '#ffffff'
      );
    }),
  );
  t.pass();
});

t.test('an expression of other origin is no rule', async (t) => {
  for (const each of [
    '',
    '{Taken}',
    '"#fff"',
    '{Taken} > 1 ? "#fff" : "#000"',
    '{Taken} >= 1 ? "#fff" : {x} >= 2 ? "#000" : "#111"',
  ])
    t.equal(ruleOf(each, columnOf), undefined, each);
  t.equal(ruleOf('{Other} >= 1 ? "#fff" : "#000"', columnOf), undefined, 'of another list');
});

t.test('the content of a popup is read back, and stays text whatever columns are called', async (t) => {
  const names = new Map([
    ['Taken', 'taken'],
    ['Note', 'a <b> {note}'],
  ]);
  const content = contentOf(['taken', 'a <b> {note}'], (column) => [...names].find(([, each]) => each === column)?.[0] ?? '');
  t.equal(content, '<p><strong>taken</strong> {Taken}</p><p><strong>a &#60;b&#62; {{note}</strong> {Note}</p>');
  t.strictSame(
    columnsOf(content, (name) => names.get(name)),
    ['taken', 'a <b> {note}'],
  );
  t.strictSame(columnsOf('', columnOf), []);
  for (const other of ['<p>{Taken}</p>', `${content}<p>more</p>`, '<p><strong>x</strong> {gone}</p>'])
    t.equal(
      columnsOf(other, (name) => names.get(name)),
      undefined,
      other,
    );
  t.equal(
    withNames('{taken}/{seats} {{x}', (name) => (name === 'taken' ? 'Taken' : undefined)),
    '{Taken}/{seats} {{x}',
  );
});

t.test('the legend explains steps and values', async (t) => {
  const until = (from: number, to: number | undefined): string => `${from} ${to}`;
  const steps = [
    { from: 0, colour: 'a' },
    { from: 5, colour: 'c' },
    { from: 3, colour: 'b' },
  ];
  t.strictSame(legendOf({ is: 'steps', column: 'x', steps }, until), [
    { color: 'a', name: '-Infinity 3' },
    { color: 'b', name: '3 5' },
    { color: 'c', name: '5 undefined' },
  ]);
  t.strictSame(legendOf({ is: 'range', column: 'x', from: 0, to: 1, colours: [] }, until), []);
});

t.test('columns are found in rows of different members, also inside objects', async (t) => {
  const rows = [
    { id: 1, room: { name: 'A', 'x.y': 1 }, list: [1] },
    { id: '2', state: 'free' },
    { id: 3, state: 'free', deep: { a: { b: { c: { d: 1 } } } } },
  ];
  const columns = columnsOfRows(rows);
  t.strictSame(
    columns.map(({ name }) => name),
    ['id', 'room.name', 'state'],
  );
  t.match(columns[0], { isNumber: true, least: 1, most: 3, values: ['1', '2', '3'] });
  t.match(columns[2], { isNumber: false, values: ['free'] });
});

t.test('the column and the way that find most objects are guessed, and what has no partner is named', async (t) => {
  const object = (id: string, members: object) => ({ object: { id, ...members }, artboardId: 'a' });
  const objects = [
    object('1', { name: 'Hall', key: '', properties: { no: 7 } }),
    object('2', { name: 'Lab', key: 'x', properties: { no: 8 } }),
    object('3', { name: 'Plain', key: '' }),
  ];
  const rows = [{ room: 7, name: 'Hall' }, { room: 8, name: 'other' }, { room: 9 }, {}];
  const match = guessMatch(rows, columnsOfRows(rows), objects);
  t.match(match, { column: 'room', by: 'property', property: 'no' });
  const found = matchRows(rows, objects, match);
  t.equal(found.matched, 2);
  t.strictSame(found.rows, [
    { row: 2, text: '9' },
    { row: 3, text: '' },
  ]);
  t.strictSame(
    found.objects.map(({ id }) => id),
    ['3'],
    'an object without a property can be given one',
  );
  t.equal(found.unnamed, 0);
  t.equal(matchRows(rows, objects, { ...match, artboardId: 'b' }).matched, 0);
});

t.test('values that expressions find equal are offered once', async (t) => {
  const texts = ['1', '1.0', 1, 'x', '10', '1e1', 'X', true, '01'];
  const [column] = columnsOfRows(texts.map((kind) => ({ kind })));
  t.strictSame(column?.values, ['1', 'x', '10', 'X', 'true', '01']);
  const colours = ['#22c55e', '#eab308', '#dc2626', '#9ca3af', '#0000ff', '#00ffff'];
  const values = (column?.values ?? []).map((value, at) => ({ value, colour: colours[at] ?? '' }));
  const expression = expressionOf({ is: 'values', column: 'kind', values, other: '#000000' }, 'Taken');
  t.strictSame(new Set(texts.map((kind) => colourFor(expression, kind))), new Set(colours), 'each colour is seen');
});

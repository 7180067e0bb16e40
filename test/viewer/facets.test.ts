/** Filters and counts of the panel, without a browser. */
import t from 'tap';
import { type MapObject, propertyOf, readMap, readObject } from '../../src/web/viewer/drawing/map-document.ts';
import { conditionIn, type FieldCondition, numberIn, partsOf } from '../../src/web/viewer/element/filter/field-value.ts';
import { type FilterState, initialFilter, MapFilter } from '../../src/web/viewer/element/filter/map-filter.ts';
import { Facets } from '../../src/web/viewer/element/panel/facets.ts';

type Properties = Readonly<Record<string, unknown>>;

const place = (category: string, properties: Properties = {}): MapObject =>
  readObject({ id: `${category} ${JSON.stringify(properties)}`, name: category || 'Kiosk', category, properties });

const fields = [
  { name: 'kind', kind: 'choice' },
  { name: 'open', kind: 'yes-no' },
  { name: 'seats', kind: 'number' },
  { name: 'since', kind: 'date' },
] as const;

const judge = {
  isPlace: ({ category, properties }: MapObject) => category !== '' || Object.keys(properties).length > 0,
  isListed: ({ name }: MapObject) => name !== '',
};

const facetsOf = (objects: readonly MapObject[]): Facets =>
  new Facets({ objects, fields, fieldValue: (object, { name }) => propertyOf(object, name), ...judge });

const state = (off: readonly string[] = [], conditions: Readonly<Record<string, FieldCondition>> = {}): FilterState => ({
  off: new Set(off),
  conditions: new Map(Object.entries(conditions)),
  query: '',
});

const values = (...all: string[]): FieldCondition => ({ kind: 'values', values: new Set(all) });
const range = (least?: number, most?: number): FieldCondition => ({ kind: 'range', least, most });

const objects = [
  place('Food', { kind: 'Vegan', open: true, seats: 10, since: '2020-05-01' }),
  place('Food', { kind: 'Vegan', open: false, seats: 30, since: '2021-05-01T10:00:00Z' }),
  place('Food', { kind: 'Italian', open: true, seats: 50 }),
  place('Museum', { open: true, seats: 5 }),
  place('__proto__', { kind: 'constructor', open: false }),
  place('', { kind: 'Vegan' }),
  readObject({ id: 'wall', name: '' }),
];

function counted(given: FilterState) {
  const facets = facetsOf(objects);
  const { passing, categories, values } = facets.count(given, { from: 0, to: objects.length });
  return {
    passing: [...passing],
    categories: [...categories],
    kind: [...(values.get('kind') ?? [])],
    open: [...(values.get('open') ?? [])],
  };
}

t.test('without conditions everything is counted', async (t) => {
  t.strictSame(counted(state()), {
    passing: [1, 1, 1, 1, 1, 1, 1],
    categories: [
      ['Food', 3],
      ['Museum', 1],
      ['__proto__', 1],
      ['', 1],
    ],
    kind: [
      ['Vegan', 3],
      ['Italian', 1],
      ['constructor', 1],
    ],
    open: [
      ['true', 3],
      ['false', 2],
    ],
  });
});

t.test('counts follow all conditions but their own', async (t) => {
  const { passing, categories, kind, open } = counted(state(['Museum'], { kind: values('Vegan'), open: values('true') }));
  t.strictSame(passing, [1, 0, 0, 0, 0, 0, 1], 'the wall is no place');
  t.strictSame(new Map(categories).get('Food'), 1);
  t.strictSame(new Map(categories).get('Museum'), 0, 'the museum has no kind, even if it is switched on');
  t.strictSame(new Map(kind), new Map([['Vegan', 1], ['Italian', 1], ['constructor', 0]])); // biome-ignore format: short
  t.strictSame(new Map(open), new Map([['true', 1], ['false', 1]])); // biome-ignore format: short
});

t.test('a category that is switched off hides its objects, and keeps its count', async (t) => {
  const { passing, categories } = counted(state(['Food', '__proto__']));
  t.strictSame(passing, [0, 0, 0, 1, 0, 1, 1]);
  t.strictSame(new Map(categories), new Map([['Food', 3], ['Museum', 1], ['__proto__', 1], ['', 1]])); // biome-ignore format: short
});

t.test('objects of one artboard are counted alone, and values of all are known', async (t) => {
  const facets = facetsOf(objects);
  const { passing, categories, values } = facets.count(state(), { from: 3, to: 5 });
  t.strictSame([...passing], [1, 1]);
  t.equal(categories.get('Food'), 0);
  t.strictSame([...(values.get('kind') ?? [])], [['Vegan', 0], ['Italian', 0], ['constructor', 1]]); // biome-ignore format: short
});

t.test('ranges of numbers and dates include their ends; texts of other kinds are not in them', async (t) => {
  const facets = facetsOf([...objects, place('Food', { seats: 'many', since: 'soon' }), place('Food', { seats: '20' })]);
  const seats = facets.fields.find(({ name }) => name === 'seats');
  t.strictSame(seats?.limits, [5, 50]);
  const passing = (condition: Readonly<Record<string, FieldCondition>>): number[] =>
    [...facets.count(state([], condition), { from: 0, to: 9 }).passing].flatMap((is, at) => (is === 1 ? [at] : []));
  t.strictSame(passing({ seats: range(10, 30) }), [0, 1, 6, 8]);
  t.strictSame(passing({ seats: range(undefined, 5) }), [3, 6]);
  t.strictSame(passing({ since: range(Date.parse('2021-05-01')) }), [1, 6], 'a time of day belongs to its day');
});

t.test('the filter of the map and the counts of the panel agree', async (t) => {
  const map = readMap({
    artboards: [],
    settings: { public_map: { fields: fields.map((field) => ({ ...field, show: ['filter'] })) } },
  });
  for (const given of [
    state(),
    state(['Food']),
    state([''], { open: values('true') }),
    state(['Museum'], { kind: values('Vegan', 'Italian'), seats: range(20) }),
    state([], { since: range(undefined, Date.parse('2020-12-31')) }),
  ]) {
    const filter = new MapFilter(() => undefined);
    filter.take(map, judge, true);
    filter.change(given);
    const { passing } = facetsOf(objects).count(given, { from: 0, to: objects.length });
    t.strictSame(
      objects.map((object) => filter.passes(object)),
      [...passing].map((is) => is === 1),
    );
  }
});

t.test('the filter begins with hidden categories, and shows an object that something leads to', async (t) => {
  let changes = 0;
  const map = readMap({
    artboards: [],
    settings: {
      public_map: {
        categories: [{ name: 'Food', hidden: true }, { name: '__proto__', hidden: true }, { name: 'Museum' }],
        fields: [{ name: 'open', kind: 'yes-no', show: ['filter'] }],
      },
    },
  });
  const filter = new MapFilter(() => changes++);
  filter.take(map, judge, true);
  t.strictSame([...filter.state.off], ['Food', '__proto__']);
  t.strictSame(filter.state, initialFilter(map.categories));
  filter.take({ ...map, categories: [] }, judge, false);
  t.strictSame([...filter.state.off], [], 'a new version hides what its author says, as long as the visitor has chosen nothing');
  filter.take(map, judge, false);
  t.strictSame([...filter.state.off], ['Food', '__proto__']);
  t.equal(filter.isActive, false, 'the visitor has hidden nothing');
  filter.change({ conditions: new Map([['open', values('false')]]) });
  filter.admit(objects[0] as MapObject);
  t.strictSame([...filter.state.off], ['__proto__'], 'its category only');
  t.equal(filter.state.conditions.size, 0, 'and the condition that hid it');
  t.equal(changes, 2);
  filter.take(map, judge, false);
  t.strictSame([...filter.state.off], ['__proto__'], 'a new version keeps what the visitor has chosen');
  filter.change({ conditions: new Map([['open', values('true')]]) });
  filter.take({ ...map, fields: [] }, judge, false);
  t.equal(filter.state.conditions.size, 0, 'a condition without a control is gone');
  filter.clear();
  t.equal(filter.isActive, false);
});

t.test('values of any form are read as their kind, or not at all', async (t) => {
  for (const [kind, value, number] of [
    ['number', 5, 5],
    ['number', ' 5.5 ', 5.5],
    ['number', '', undefined],
    ['number', 'five', undefined],
    ['number', true, undefined],
    ['number', 1e308, 1e308],
    ['number', '1e999', undefined],
    ['date', '2024-02-29', Date.parse('2024-02-29')],
    ['date', '2024-02-29T12:00', Date.parse('2024-02-29')],
    ['date', '2024', undefined],
    ['date', '2024-13-40', undefined],
    ['date', 20240229, undefined],
  ] as const)
    t.equal(numberIn(kind, value), number, `${kind} ${value}`);
});

t.test('conditions survive their way through an address', async (t) => {
  for (const [kind, condition, parts] of [
    ['choice', values('a', 'b'), ['a', 'b']],
    ['yes-no', values('true'), ['true']],
    ['number', range(1, 2.5), ['1..2.5']],
    ['number', range(undefined, -3), ['..-3']],
    ['date', range(Date.parse('2024-02-29')), ['2024-02-29..']],
  ] as const) {
    t.strictSame(partsOf(kind, condition), parts);
    t.strictSame(conditionIn(kind, parts), condition);
  }
  for (const parts of [[], [''], ['..'], ['x..y'], ['..x']]) t.equal(conditionIn('number', parts), undefined, parts.join());
  t.equal(conditionIn('choice', ['']), undefined);
});

// tier: normal, process: shared
/** The mapping of columns to names, colours, radii, popups and keys. */
import t from 'tap';
import type { Mapping } from '../../src/web/convert/conversion.ts';
import { paletteNames } from '../../src/web/convert/map/palettes.ts';
import fc from '../support/fast-check.ts';
import { bodiesOf, codesOf, collection, convertText, feature, point, polygon, refusalOf } from './support.ts';

/** A CSV with a column v, and w. */
const rowsOf = (values: readonly (string | number)[]): string =>
  `name,lat,lng,v,w\n${values.map((value, i) => `n${i},48.2,16.37,${value},<w${i}>\n`).join('')}`;
const converted = (values: readonly (string | number)[], mapping: Mapping) => convertText(rowsOf(values), { mapping });

t.test('values become colours of classes with equally many objects, or of equal width, with a legend', async (t) => {
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100];
  const quantiles = await converted(values, { color: { column: 'v', by: 'value', from: '#000000', to: '#ffffff', count: 2 } });
  t.same(
    bodiesOf(quantiles).map(({ color }) => color),
    [...Array(5).fill('#000000'), ...Array(5).fill('#ffffff')],
  );
  t.same(quantiles.legend, [
    { color: '#000000', name: '1 – 6' },
    { color: '#ffffff', name: '6 – 100' },
  ]);
  const equal = await converted(values, {
    color: { column: 'v', by: 'value', from: '#000', to: '#fff', steps: 'equal', count: 2 },
  });
  t.same(
    bodiesOf(equal).map(({ color }) => color),
    [...Array(9).fill('#000000'), '#ffffff'],
  );
  const few = await converted([3, 3, 3], { color: { column: 'v', by: 'value' } });
  t.equal(few.legend?.length, 1, 'one value is one class');
  const gaps = await converted([1, '', 'x', 4], { color: { column: 'v', by: 'value', palette: 'magma', count: 2 } });
  t.equal(gaps.legend?.at(-1)?.name, 'no value');
  t.same(codesOf(gaps), ['no-number']);
});

t.test('each value of a random column has the colour of the class in the legend that contains it', async (t) => {
  const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 });
  const mapping = fc.record({ steps: fc.constantFrom('quantiles', 'equal'), count: fc.integer({ min: 2, max: 12 }) });
  await fc.assert(
    fc.asyncProperty(numbers, mapping, async (values, { steps, count }) => {
      const { objects, legend = [] } = await converted(values, { color: { column: 'v', by: 'value', steps, count } });
      const position = (i: number): number => legend.findIndex(({ color }) => color === objects[i]?.body['color']);
      // Greater values are never in a lower class.
      return values.every(
        (value, i) => values.every((other, j) => value >= other || position(i) <= position(j)) && position(i) >= 0,
      );
    }),
    { numRuns: 50 },
  );
  t.pass();
});

t.test('categories have the colours of a palette, the most frequent first, and the rest is grey', async (t) => {
  const conversion = await converted(['b', 'a', 'b', ''], { color: { column: 'v', by: 'category' } });
  t.same(
    conversion.legend?.map(({ name }) => name),
    ['b', 'a', 'other'],
  );
  const colors = bodiesOf(conversion).map(({ color }) => color);
  t.equal(colors[0], colors[2]);
  t.equal(new Set(colors).size, 3);
  const many = await converted(
    Array.from({ length: 20 }, (_, i) => `c${i}`),
    { color: { column: 'v', by: 'category' } },
  );
  t.equal(many.legend?.length, 13);
  t.same(codesOf(many), ['categories']);
  for (const by of ['value', 'category'] as const)
    for (const palette of paletteNames[by]) {
      const each = await converted([1, 2, 3], { color: { column: 'v', by, palette, count: 3 } });
      t.equal(new Set(bodiesOf(each).map(({ color }) => color)).size, 3, `${by} ${palette}`);
    }
});

t.test('the area of a spot grows with its value', async (t) => {
  const conversion = await converted([4, 16, 0, ''], { radius: { column: 'v', least: 2, most: 40 } });
  t.same(
    bodiesOf(conversion).map(({ radius }) => radius),
    [20, 40, 2, 8],
  );
  t.match(await refusalOf(rowsOf([0, 'x']), { mapping: { radius: { column: 'v' } } }), /^columns: .* no numbers above 0/);
});

t.test('templates make popups: values are escaped in the content, and are text in the title', async (t) => {
  const conversion = await converted([1, 2], { popupTitle: '{name} & {w}', popupContent: '<b>{v}</b> {w} {unknown}' });
  t.same(conversion.popups, [
    { object: 0, body: { title: 'n0 & <w0>', content: '<b>1</b> &lt;w0&gt; {unknown}' } },
    { object: 1, body: { title: 'n1 & <w1>', content: '<b>2</b> &lt;w1&gt; {unknown}' } },
  ]);
  const twice = await convertText('name,lat,lng,a,b\nx,48.2,16.37,{b},1\n', { mapping: { popupContent: '{a}' } });
  t.equal(twice.popups[0]?.body['content'], '{b}', 'values are no templates');
});

t.test('a name with markup stays text, and a long one is cut', async (t) => {
  const conversion = await convertText(`name,lat,lng\n<img src=x onerror=alert(1)>,48.2,16.37\n${'x'.repeat(500)},48.2,16.37\n`);
  t.equal(bodiesOf(conversion)[0]?.['name'], '<img src=x onerror=alert(1)>');
  t.equal(String(bodiesOf(conversion)[1]?.['name']).length, 200);
});

t.test('keys mark objects, and two rows with one key are refused with both rows', async (t) => {
  const conversion = await converted(['k1', 'k2', ''], { key: 'v' });
  t.same(
    bodiesOf(conversion).map(({ key }) => key),
    ['k1', 'k2', undefined],
  );
  t.same(codesOf(conversion), ['no-key at row 4']);
  t.match(
    await refusalOf(rowsOf(['k', 'l', 'k']), { mapping: { key: 'v' } }),
    /^columns: "n0" \(row 2\) and "n2" \(row 4\) have one key, "k"/,
  );
  const ring = [
    [16.3, 48.2],
    [16.4, 48.2],
    [16.4, 48.3],
    [16.3, 48.2],
  ];
  const parts = await convertText(feature({ type: 'MultiPolygon', coordinates: [[ring], [ring]] }, { k: 7 }), {
    mapping: { key: 'k' },
  });
  t.same(
    bodiesOf(parts).map(({ key }) => key),
    ['7', '7/2'],
    'the parts of one feature have keys of their own',
  );
  t.match(await refusalOf(rowsOf(['k'.repeat(201)]), { mapping: { key: 'v' } }), /^columns: The key in row 2 has more than/);
});

t.test('a mapping with a column or palette that does not exist is refused with those that do', async (t) => {
  const refusal = (mapping: Mapping) => refusalOf(rowsOf([1]), { mapping });
  t.match(await refusal({ name: 'title' }), /^columns: The file has no column "title" for name\. Its columns are: "name", "lat"/);
  t.match(await refusal({ color: { column: 'x', by: 'value' } }), /no column "x" for color/);
  t.match(
    await refusal({ color: { column: 'v', by: 'value', palette: 'rainbow' } }),
    /^columns: There is no palette "rainbow"\. There are: viridis/,
  );
  t.match(await refusal({ color: { column: 'v', by: 'value', from: 'nope' } }), /^columns: "nope" is no colour/);
  t.match(
    await refusal({ color: { column: 'name', by: 'value' } }),
    /^columns: The column "name" has no numbers: colour it by category/,
  );
});

t.test('the conversion describes columns and first rows, and returns the mapping that it used', async (t) => {
  const { columns, rows, mapping } = await convertText('Titel;Breite;Länge;Adresse;leer\nA;48,2;16,3;x;\nB;48,3;16,4;x;\n');
  t.same(columns, [
    { name: 'Titel', kind: 'text', fieldKind: 'text', distinct: 2, role: 'name' },
    { name: 'Breite', kind: 'number', fieldKind: 'number', distinct: 2, least: 48.2, most: 48.3, role: 'latitude' },
    { name: 'Länge', kind: 'number', fieldKind: 'number', distinct: 2, least: 16.3, most: 16.4, role: 'longitude' },
    { name: 'Adresse', kind: 'text', fieldKind: 'text', distinct: 1, role: 'address' },
    { name: 'leer', kind: 'empty', fieldKind: 'text', distinct: 0 },
  ]);
  t.same(rows, [
    ['A', '48,2', '16,3', 'x', ''],
    ['B', '48,3', '16,4', 'x', ''],
  ]);
  t.same(mapping, { latitude: 'Breite', longitude: 'Länge', name: 'Titel' });
});

t.test('colours of the file apply where no mapping sets them', async (t) => {
  const file = collection(
    feature(point(16.37, 48.2), { 'marker-color': '#ff0000', v: 1 }),
    feature(
      polygon([
        [16, 48],
        [17, 48],
        [17, 49],
        [16, 48],
      ]),
      { fill: '#00ff00', 'fill-opacity': 0.25, v: 2 },
    ),
  );
  t.match(
    bodiesOf(await convertText(file)),
    [{ color: '#00ff00', opacity: 0.25 }, { color: '#ff0000' }],
    'areas are below spots',
  );
  const mapped = bodiesOf(
    await convertText(file, { mapping: { color: { column: 'v', by: 'value', from: '#000000', to: '#ffffff', count: 2 } } }),
  );
  t.match(mapped, [{ color: '#ffffff', opacity: 0.25 }, { color: '#000000' }]);
});

// tier: normal, process: shared
/** Columns that become categories, fields and properties, and the settings after an import. */
import { differenceCiede2000, filterDeficiencyDeuter, filterDeficiencyProt, filterDeficiencyTrit, parse } from 'culori';
import t from 'tap';
import { categoryColours, type FieldKind, otherColour, propertyBounds } from '../../src/lib/draw/public-map.ts';
import type { GivenMapping } from '../../src/web/convert/conversion.ts';
import { fieldFor, valueFor } from '../../src/web/convert/map/field-kind.ts';
import { planImport } from '../../src/web/convert/plan/plan-import.ts';
import { knownCategories, savedMapping, settingsAfter } from '../../src/web/convert/plan/settings-after.ts';
import { bodiesOf, codesOf, collection, convertText, feature, point, polygon, refusalOf } from './support.ts';

const shops = [
  'id;title;lat;lng;Type;ZIP;Opened;Free;Website;Mail;Phone;Seats;Price;Note',
  '1;Bakery;48,20;16,37;Food;08010;24.12.2019;ja;https://example.org/1;a@example.org;+43 316 872-0;1.200;3,50 €;x',
  '2;Florist;48,21;16,38;Plants;08020;1.2.2020;nein;www.example.org;b@example.org;0316/872 11;80;4 €;',
  '3;Café;48,22;16,39;Food;08010;2020-05-01;ja;https://example.org/3;c@example.org;(0316) 87 22;12,5;;z',
  '4;Garden;48,23;16,36;Plants;08010;;;;;;;;',
].join('\n');

const converted = (mapping: GivenMapping, file: string | object = shops) => convertText(file, { mapping });
const all: GivenMapping = { category: 'auto', fields: 'all', key: 'id' };

t.test('columns become properties with the types of their kinds; places, name, key and category are members', async (t) => {
  const conversion = await converted(all);
  const [bakery, florist, cafe, garden] = bodiesOf(conversion);
  t.match([bakery?.['name'], bakery?.['category'], bakery?.['key']], ['Bakery', 'Food', '1']);
  t.strictSame(bakery?.['properties'], {
    ...{ ZIP: '08010', Opened: '2019-12-24', Free: true, Website: 'https://example.org/1', Mail: 'a@example.org' },
    ...{ Phone: '+43 316 872-0', Seats: 1200, Price: '3,50 €', Note: 'x' },
  });
  t.match(florist?.['properties'], { Opened: '2020-02-01', Free: false, Website: 'www.example.org' });
  t.strictSame(
    [cafe, garden].map((body) => (body?.['properties'] as Record<string, unknown> | undefined)?.['Seats']),
    [12.5, undefined],
  );
  t.strictSame(garden?.['properties'], { ZIP: '08010' }, 'empty cells are no properties');
  const named = await converted({ ...all, fields: [{ column: 'id' }, { column: 'title' }] });
  t.match(bodiesOf(named)[0]?.['properties'], { id: 1, title: 'Bakery' }, 'unless visitors see them');
});

t.test('fields are suggested with kinds and places, which the mapping can set', async (t) => {
  const { mapping } = await converted(all);
  t.strictSame(mapping.category, { column: 'Type' });
  t.strictSame(
    mapping.fields?.map(({ column, kind, show }) => `${column} ${kind} ${show.join('+')}`),
    [
      ...['ZIP choice popup+filter', 'Opened date popup+filter', 'Free yes-no popup+filter', 'Website link popup'],
      ...[
        'Mail mail popup',
        'Phone telephone popup',
        'Seats number popup+filter',
        'Price text popup+search',
        'Note text popup+search',
      ],
    ],
  );
  const { mapping: own, objects } = await converted({
    fields: [
      { column: 'Price', kind: 'number' },
      { column: 'Seats', kind: 'text', show: ['list'], label: 'Places' },
      { column: 'Price' },
    ],
  });
  t.strictSame(own.fields, [
    { column: 'Price', kind: 'number', show: ['popup', 'filter'] },
    { column: 'Seats', label: 'Places', kind: 'text', show: ['list'] },
  ]);
  t.match(objects[0]?.body['properties'], { Price: 3.5, Seats: '1.200', id: 1 });
  t.strictSame((await converted({})).mapping.fields, undefined, 'nothing is public that was not chosen');
  t.match(
    await refusalOf(shops, { mapping: { fields: [{ column: 'Colour' }] } }),
    /^columns: The file has no column "Colour" for a field/,
  );
  t.match(await refusalOf(shops, { mapping: { category: { column: 'Kind' } } }), /no column "Kind" for category/);
});

t.test('the kind of a column follows from its name and its values', async (t) => {
  const cases: readonly (readonly [FieldKind, string, readonly unknown[]])[] = [
    ['number', 'Seats', ['12', 3, '4.5']],
    ['text', 'Year', ['1998', '2004']],
    ['text', 'Postleitzahl', ['8010', '8020']],
    ['text', 'EAN', ['4006381333931000', '4006381333932000']],
    ['text', 'Number plate', ['007', '11']],
    ['telephone', 'Telefon', ['43316872', '0316 872']],
    ['telephone', 'contact', ['+43 316 872-0', '(030) 1234567']],
    ['text', 'Price', ['3.50 €', '4 €']],
    ['date', 'Opened', ['24.12.2026', '2026-01-31T10:00:00Z']],
    ['text', 'Opened', ['31.02.2026', '30.02.2026']],
    ['yes-no', 'Free', ['WAHR', 'falsch', 'oui', 'sí']],
    ['link', 'Website', ['https://example.org', 'www.example.org/a']],
    ['text', 'Website', ['javascript:alert(1)', 'data:text/html,x']],
    ['picture', 'Photo', ['https://example.org/a.JPG', '/f/0123.png']],
    ['choice', 'Season', ['summer', 'winter', 'summer', 'winter']],
    ['text', 'Season', ['summer', 'summer']],
    ['text', 'empty', ['', ' ']],
  ];
  for (const [kind, name, values] of cases) t.equal(fieldFor(name, values).kind, kind, `${name}: ${values.join(' | ')}`);
  const none = (): undefined => undefined;
  t.equal(valueFor('number', 'many', none), 'many', 'a value of another kind stays');
  t.equal(valueFor('yes-no', 'perhaps', none), 'perhaps');
  t.equal(valueFor('date', '31.02.2026', none), '31.02.2026');
});

t.test('categories have colours that differ, and known ones keep their look', async (t) => {
  const { categories, objects, legend } = await converted(all);
  t.strictSame(categories, [
    { name: 'Food', count: 2, color: categoryColours[0], icon: '' },
    { name: 'Plants', count: 2, color: categoryColours[1], icon: '' },
  ]);
  t.strictSame(
    objects.map(({ body }) => body['color']),
    [0, 1, 0, 1].map((at) => categoryColours[at]),
  );
  t.equal(legend, undefined, 'the list of categories is the legend');
  const known = [{ name: 'Food', color: categoryColours[1], icon: 'maki:cafe' }, { name: 'Plants' }];
  const again = await convertText(shops, { mapping: all, categories: known });
  t.match(bodiesOf(again).slice(0, 2), [
    { color: categoryColours[1], icon: 'maki:cafe' },
    { color: categoryColours[0], icon: '' },
  ]);
  const coloured = await converted({
    ...all,
    color: { column: 'Seats', from: '#000000', to: '#ffffff', steps: 'equal', count: 2 },
  });
  t.strictSame(
    bodiesOf(coloured)
      .map(({ color, category }) => `${category} ${color}`)
      .slice(0, 2),
    ['Food #ffffff', 'Plants #000000'],
  );
  const rows = Array.from({ length: 20 }, (_, i) => `n${i},48.2,16.37,c${i}`);
  const many = await converted({ category: { column: 'c' } }, ['name,lat,lng,c', ...rows, 'none,48.2,16.37,'].join('\n'));
  t.strictSame(codesOf(many), ['categories']);
  t.strictSame(
    bodiesOf(many)
      .slice(11)
      .map(({ color }) => color)[9],
    otherColour,
  );
  t.match(bodiesOf(many).at(-1), { category: '', color: otherColour });
  t.match(await refusalOf(shops, { mapping: { category: { column: 'Type', palette: 'rainbow' } } }), /no palette "rainbow"/);
});

t.test('two colours of categories differ for people who see no red, green or blue, too', async (t) => {
  const difference = differenceCiede2000();
  const colours = [...categoryColours, otherColour].map((text) => parse(text) ?? { mode: 'rgb' as const, r: 0, g: 0, b: 0 });
  for (const seen of [
    (colour: (typeof colours)[number]) => colour,
    filterDeficiencyProt(1),
    filterDeficiencyDeuter(1),
    filterDeficiencyTrit(1),
  ])
    for (const [at, one] of colours.entries())
      for (const other of colours.slice(0, at)) t.ok(difference(seen(one), seen(other)) >= 14);
});

t.test(
  'a line has the colour of its category in its stroke, and a file with its own colours gets no category by itself',
  async (t) => {
    const line = {
      type: 'LineString',
      coordinates: [
        [16.3, 48.2],
        [16.4, 48.3],
      ],
    };
    const paths = [1, 2, 3, 4].map((n) => feature(line, { kind: n % 2 === 0 ? 'path' : 'road' }));
    const [first] = bodiesOf(await converted({ category: 'auto' }, collection(...paths)));
    t.match(first, { category: 'road', stroke_color: categoryColours[1] });
    t.equal(first?.['color'], undefined);
    const styled = [1, 2, 3, 4].map((n) => feature(point(16, 48), { kind: n % 2 === 0 ? 'a' : 'b', 'marker-color': '#ff0000' }));
    const kept = await converted({ category: 'auto', fields: 'all' }, collection(...styled));
    t.match(bodiesOf(kept)[0], { color: '#ff0000' });
    t.strictSame(
      kept.mapping.fields?.map(({ column }) => column),
      ['kind'],
      'and colours are no fields',
    );
  },
);

t.test('properties are bounded, and what does not fit is noted', async (t) => {
  const ring = [
    [16, 48],
    [17, 48],
    [17, 49],
    [16, 48],
  ];
  const wide = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, i]));
  const many = await converted({ fields: [{ column: 'p79' }] }, feature(polygon(ring), { ...wide, ['n'.repeat(101)]: 1, '': 2 }));
  const names = Object.keys(bodiesOf(many)[0]?.['properties'] as object);
  t.equal(names.length, propertyBounds.most);
  t.ok(names.includes('p79'), 'what visitors see comes first');
  t.strictSame(codesOf(many), ['properties', 'properties']);
  const text = '\u0001é'.repeat(1500);
  const long = await converted({}, feature(point(16, 48), { name: 'A', a: 'x'.repeat(5000), b: text, c: text, d: 'small' }));
  const properties = bodiesOf(long)[0]?.['properties'] as Record<string, string>;
  t.equal(properties['a']?.length, propertyBounds.textLengthMax);
  t.strictSame(Object.keys(properties), ['a', 'b', 'd']);
  t.ok(Buffer.byteLength(JSON.stringify(properties)) <= propertyBounds.bytesMax);
  t.match(long.report.notes, [
    { leftOut: true, detail: /"a" has more than 4096/ },
    { leftOut: true, detail: /Left out: "c"/ },
  ]);
  const hostile = await converted(
    { fields: 'all' },
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[16,48]},"properties":{"name":"A","__proto__":"x","constructor":"y"}}',
  );
  const own = bodiesOf(hostile)[0]?.['properties'] as object;
  t.equal(Object.getPrototypeOf(own), Object.prototype);
  t.strictSame(
    Object.entries(own),
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ],
    'names are ordinary',
  );
});

t.test('a drawing and an export suggest nothing, and an export keeps its own members', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="A" class="room" width="5" height="5"/></svg>';
  const drawing = await convertText(svg, { mapping: all.key === undefined ? all : { category: 'auto', fields: 'all' } });
  t.strictSame([drawing.mapping.category, drawing.mapping.fields], [undefined, undefined]);
  t.match(bodiesOf(drawing)[0]?.['properties'], { class: 'room' });
  const exported = {
    ...collection(feature(point(16, 48), { type: 'spot', x: 1, y: 2, name: 'A', category: 'Food', properties: { a: 1 } })),
    mapwright: { artboard: { type: 'osm', width: 800, height: 600, osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 12 } },
  };
  const again = await converted({ category: 'auto', fields: 'all' }, exported);
  t.match(bodiesOf(again)[0], { category: 'Food', properties: { a: 1 } });
  t.strictSame(again.properties, []);
});

t.test('the description of a placemark is its popup, and no field besides', async (t) => {
  const placemark =
    '<Placemark><name>A</name><description>Text</description><ExtendedData><Data name="seats"><value>7</value></Data></ExtendedData><Point><coordinates>16,48</coordinates></Point></Placemark>';
  const { mapping, popups } = await convertText(`<kml xmlns="http://www.opengis.net/kml/2.2">${placemark}</kml>`, {
    mapping: { fields: 'all' },
  });
  t.match(popups[0]?.body, { content: 'Text' });
  t.strictSame(
    mapping.fields?.map(({ column }) => column),
    ['seats'],
  );
});

t.test('a name can be a template of several columns', async (t) => {
  const [first] = bodiesOf(await converted({ name: '{title} ({Type})' }));
  t.equal(first?.['name'], 'Bakery (Food)');
  t.match(await refusalOf(shops, { mapping: { name: '{nothing}' } }), /no column "\{nothing\}" for name/);
});

t.test('a second import updates categories and properties by key, and keeps what the file does not have', async (t) => {
  const conversion = await converted(all);
  const existing = [
    { id: 'A', key: '1', name: 'Bakery', category: 'Food', properties: { ZIP: '1', own: 'mine', Note: 'old' } },
    { id: 'B', key: '2', name: 'Florist', category: 'Food' },
  ];
  const { update, create, notes } = planImport(conversion, existing, 'keep');
  t.equal(create.length, 2);
  t.equal(update[0]?.body['color'], undefined, 'the colour stays while the category does');
  t.match(update[0]?.body['properties'], { ZIP: '08010', Note: 'x', own: 'mine' });
  t.match(update[1]?.body, { category: 'Plants', color: categoryColours[1] });
  t.strictSame(notes, []);
  const full = {
    ...existing[0],
    id: 'A',
    name: '',
    properties: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`own${i}`, i])),
  };
  const bounded = planImport(conversion, [full], 'keep');
  t.equal(Object.keys(bounded.update[0]?.body['properties'] as object).length, propertyBounds.most);
  t.match(bounded.notes, [{ code: 'properties', at: 'row 2', leftOut: true }]);
});

t.test('settings get the mapping, and categories and fields that they do not have', async (t) => {
  const conversion = await converted({ ...all, fields: [{ column: 'Seats', label: 'Places' }, { column: 'Mail' }] });
  const field = { name: 'Mail', label: 'Write to us', kind: 'text' };
  const before = {
    ...{ theme: 'dark', imports: { other: { name: 'x' } } },
    public_map: { description: 'Shops', categories: [{ name: 'Food', label: 'Eating' }], fields: [field] },
  };
  const { settings, notes } = settingsAfter(before, conversion, 'board', 'add');
  t.match(settings, { theme: 'dark', imports: { other: { name: 'x' }, board: conversion.mapping } });
  t.strictSame(settings['public_map'], {
    description: 'Shops',
    categories: [
      { name: 'Food', label: 'Eating' },
      { name: 'Plants', color: categoryColours[1] },
    ],
    fields: [field, { name: 'Seats', label: 'Places', kind: 'number', show: ['popup', 'filter'] }],
  });
  t.strictSame(notes, []);
  t.strictSame(settingsAfter(settings, conversion, 'board', 'add').settings, settings, 'a second import changes nothing');
  t.strictSame(savedMapping(settings, 'board'), conversion.mapping);
  t.strictSame(savedMapping(settings, '__proto__'), {});
  t.strictSame(
    knownCategories(settings).map(({ name }) => name),
    ['Food', 'Plants'],
  );
  const full = Array.from({ length: 64 }, (_, i) => ({ name: `f${i}` }));
  const crowded = settingsAfter({ public_map: { fields: full } }, conversion, 'board', 'add');
  t.match(crowded.notes, [{ code: 'settings', detail: /at most 64 fields.*"Seats", "Mail"/ }]);
  t.equal((crowded.settings['public_map'] as { fields: unknown[] }).fields.length, 64);
  t.strictSame(Object.keys(settingsAfter('damaged', await converted({}), 'board', 'add').settings), ['imports']);
});

// tier: normal, process: shared
/** Files that are broken, hostile or not what they seem: each is refused with a remedy, or imported with notes. */
import t from 'tap';
import { convert } from '../../src/web/convert/convert.ts';
import { test } from '../support/test.ts';
import {
  bodiesOf,
  bytesOf,
  codesOf,
  collection,
  convertText,
  feature,
  point,
  polygon,
  refusalOf,
  sheet,
  spotsOf,
  vienna,
  world,
} from './support.ts';

const xmlns = 'xmlns="http://www.w3.org/2000/svg"';

t.test('truncated files of each format are refused, or imported up to the cut', async (t) => {
  const files = {
    geojson: JSON.stringify(collection(feature(point(16.37, 48.2)))),
    kml: '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Point><coordinates>16.37,48.2</coordinates></Point></Placemark></kml>',
    gpx: '<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="48.2" lon="16.37"><name>a</name></wpt></gpx>',
    svg: `<svg ${xmlns} width="10" height="10"><rect id="a" width="5" height="5"/></svg>`,
    wkt: 'POLYGON ((16.3 48.2, 16.4 48.2, 16.4 48.3, 16.3 48.2))',
    csv: 'name,lat,lng\n"A",48.2,16.37\n',
  };
  for (const [format, text] of Object.entries(files)) {
    t.equal((await convertText(text)).format, format);
    for (let length = 0; length < text.length; length += 3) {
      const outcome = await refusalOf(text.slice(0, length));
      t.match(outcome, /^(?:converted|unreadable: |columns: )/, `${format} at ${length}`);
    }
    if (format !== 'csv' && format !== 'wkt')
      t.match(await refusalOf(text.slice(0, -4)), /^unreadable: .* perhaps it was cut off/);
  }
});

t.test('files that are no text, empty, or of another format are refused with the remedy', async (t) => {
  const refusal = (text: string) => refusalOf(Buffer.from(text, 'latin1'));
  t.match(await refusal('PK\x03\x04rest'), /^unreadable: The archive is broken/);
  t.match(await refusal('\x1f\x8b\b'), /gzip/);
  t.match(await refusal('%PDF-1.7'), /^unreadable: The file is a PDF/);
  t.match(await refusal('\x89PNG\r\n'), /background of an artboard/);
  t.match(await refusal('BM\x36\0\0\0\0\0\0\0'), /picture \(BMP\)/);
  t.match(await refusal('BMW,lat,lng\nA,48.2,16.37\n'), /^converted/, 'a text that begins like it');
  t.match(await refusal(`\x03\x7e\x01\x01\x01\0\0\0\x41\0\x15\0${'\0'.repeat(80)}`), /a table \(.dbf\)/);
  t.match(await refusal('\0\0\0\x20ftypisom'), /a film/);
  t.match(await refusal('\0\0\0\x0d\n\tOSMHeader'), /OpenStreetMap \(PBF\)/);
  t.match(await refusal('8BPS\0'), /PSD/);
  t.match(await refusal('{\\rtf1 x}'), /RTF/);
  t.match(await refusal('%!PS-Adobe-3.0'), /PostScript/);
  t.match(await refusal('<TrainingCenterDatabase/>'), /TCX.*gpsbabel/);
  t.match(await refusal('<osm version="0.6"><node/></osm>'), /OSM XML.*osmtogeojson/);
  t.match(await refusal('<gml:FeatureCollection xmlns:gml="x"/>'), /GML.*ogr2ogr/);
  t.match(await refusal('<rss version="2.0"/>'), /feed \(RSS\)/);
  const ole = (stream: string) => `\xd0\xcf\x11\xe0${'\0'.repeat(508)}${[...stream].map((letter) => `${letter}\0`).join('')}`;
  t.match(await refusal(ole('EncryptedPackage')), /^unreadable: The file is a document with a password/);
  t.match(await refusal(ole('Workbook')), /^unreadable: The file is an old spreadsheet/);
  t.match(await refusal('abc\0def'), /^unreadable: The file is not text\. Formats/);
  t.match(await refusal(''), /^unreadable: The file is empty/);
  t.match(await refusal(' \n\t '), /^unreadable: The file is empty/);
  t.match(await refusal(`${' '.repeat(100_000)}<kml/>`), /^converted/, 'blanks before the document');
  t.match(await refusal('<html><body>x</body></html>'), /^unreadable: The file is a web page/);
});

t.test('entities in XML are refused before the document is parsed, a document type without any is not', async (t) => {
  const lols = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  const bomb = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">${lols}]><svg ${xmlns}><title>&l9;</title></svg>`;
  t.match(await refusalOf(bomb), /^refused: .*"<!DOCTYPE", line 1.*Delete the declaration/);
  t.match(await refusalOf(`<svg ${xmlns}>\n<!ENTITY x SYSTEM "file:///etc/passwd"></svg>`), /^refused: .*"<!ENTITY", line 2/);
  t.match(await refusalOf(`<!DOCTYPE svg PUBLIC "x" "y" [<!ELEMENT a>]><svg ${xmlns}/>`), /^refused/);
  t.match(await refusalOf(`<!DOCTYPE svg PUBLIC "x" "y">\n<svg ${xmlns}><g></svg>`), /^unreadable: .*line 2/, 'lines stay');
  t.match(await refusalOf(`<svg ${xmlns}><title>&unknown;</title></svg>`), /^converted/, 'text');
  t.match(await refusalOf('<kml><!DOCTYPE kml [<!ENTITY a "b">]></kml>'), /^refused/);
  t.match(await refusalOf('<gpx><!ENTITY></gpx>'), /^refused/);
});

t.test('a picture that uses itself many times is refused, not expanded', async (t) => {
  const levels = Array.from({ length: 7 }, (_, i) => `<g id="l${i + 1}">${`<use href="#l${i}"/>`.repeat(10)}</g>`).join('');
  const file = `<svg ${xmlns}><defs><rect id="l0" width="1" height="1"/>${levels}</defs><use href="#l7"/></svg>`;
  t.match(await refusalOf(file), /^too-large: The picture has more than 20000 shapes/);
});

test.all('a large SVG is refused with the usual reason', async (t) => {
  const file = `<svg ${xmlns}><image href="data:image/png;base64,${'A'.repeat(50 * 1024 * 1024)}"/></svg>`;
  t.match(await refusalOf(file), /^too-large: The file has 51 MB of XML; at most 16 MB can be read\. Embedded pictures/);
});

test.all('100 MB of CSV are refused at the row that is too much', async (t) => {
  const row = 'Shop,48.2,16.37\n';
  const head = 'name,lat,lng\n';
  const bytes = new Uint8Array(100 * 1024 * 1024);
  bytes.set(bytesOf(head));
  bytes.set(Buffer.alloc(bytes.length - head.length, row), head.length);
  const shares: number[] = [];
  t.match(
    await refusalOf(bytes, { onProgress: (share) => shares.push(share) }),
    /^too-large: The file has more than 100000 rows\. Split it/,
  );
  t.ok((shares.at(-1) ?? 1) < 0.1, 'most of it is not read');
});

t.test('quotation marks that do not end are text, and no row is lost', async (t) => {
  t.match(await refusalOf(`name,lat,lng\n"${'x\n'.repeat(1_000_000)}`), /^too-large: The file has more than 100000 rows/);
  const marks = await convertText(`name,lat,lng\n${'"'.repeat(2_000_001)}\nA,48.2,16.37\n`);
  t.same(codesOf(marks), ['quotes at row 2', 'cells at row 2', 'no-place at row 2']);
  const small = await convertText(
    'name,lat,lng\nA,48.2,16.37\n"B,48.2,16.37\nC,48.2,16.37\n"D" x,48.2,16.37\n"E,\nF",48.2,16.37\n',
  );
  t.same(
    bodiesOf(small).map(({ name }) => name),
    ['A', '"B', 'C', 'D x', 'E,\nF'],
  );
  t.same(codesOf(small), ['quotes at row 3']);
});

t.test('latitude 91, NaN and coordinates that are no numbers leave out one element', async (t) => {
  const file = collection(
    feature(point(16.37, 48.2), { name: 'ok' }),
    feature(point(16.37, 91), { name: 'high' }),
    feature(point(400, 48), { name: 'far' }),
    feature({ type: 'Point', coordinates: ['a', null] }, { name: 'text' }),
    feature({ type: 'Point', coordinates: [] }, { name: 'empty' }),
    feature(
      polygon([
        [16, 48],
        [17, 48],
      ]),
      { name: 'two corners' },
    ),
    feature({ type: 'Point' }, { name: 'no coordinates' }),
    feature({ type: 'Circle', coordinates: [1, 2] }, { name: 'no type' }),
    feature(point(16.38, 48.2), { name: 'ok, too' }),
    null as never,
  );
  const conversion = await convertText(file);
  t.same(
    bodiesOf(conversion).map(({ name }) => name),
    ['ok', 'ok, too'],
  );
  const left = conversion.report.notes.filter(({ leftOut }) => leftOut);
  t.same(left.map(({ at }) => at).sort(), [
    ...['element 10', 'element 2, high', 'element 3, far', 'element 4, text', 'element 5, empty', 'element 6, two corners'],
    ...['element 7, no coordinates', 'element 8, no type'],
  ]);
  t.match(await refusalOf('{"type":"Point","coordinates":[NaN,1]}'), /^unreadable: The file is not valid JSON/);
});

t.test('exchanged axes are a warning, and the remedy exchanges them', async (t) => {
  const places = [
    [48.2, 16.37],
    [48.21, 16.36],
    [48.19, 16.38],
  ];
  const file = collection(...places.map(([x = 0, y = 0]) => feature(point(x, y), { name: 'a' })));
  const conversion = await convertText(file);
  t.equal(conversion.report.warning, 'swapped-axes', 'outside of the frame, and inside if they are exchanged');
  const remedied = await convertText(file, { swapAxes: true });
  t.equal(remedied.report.warning, undefined);
  t.same(spotsOf(remedied)[0], 'a 400,300');
  const far = await convertText('name,lat,lng\nA,170.5,-41.2\nB,171.2,-42.5\n', { artboard: world });
  t.equal(far.report.warning, 'swapped-axes', 'latitudes beyond 90');
  t.equal(far.objects.length, 0);
  t.equal(
    (await convertText('name,lat,lng\nA,170.5,-41.2\nB,171.2,-42.5\n', { artboard: world, swapAxes: true })).objects.length,
    2,
  );
  t.equal((await convertText(collection(feature(point(16.37, 48.2))))).report.warning, undefined);
});

t.test('coordinates of another system are refused by the name of the system or by value, with the remedy', async (t) => {
  const named = (name: string) => ({ ...collection(feature(point(16.37, 48.2))), crs: { type: 'name', properties: { name } } });
  t.match(
    await refusalOf(named('urn:ogc:def:crs:EPSG::31287')),
    /^coordinates: .*its member "crs" is "urn:ogc:def:crs:EPSG::31287".*WGS 84, EPSG:4326/,
  );
  t.equal(await refusalOf(named('urn:ogc:def:crs:OGC:1.3:CRS84')), 'converted');
  t.equal(await refusalOf(named('EPSG:4326')), 'converted');
  const metres = collection(feature(point(1_822_000, 6_139_000)), feature(point(1_823_000, 6_138_000)));
  t.match(await refusalOf(metres), /^coordinates: .*no degrees, for example 1822000, 6139000.*Export the file in degrees/);
  t.match(await refusalOf('name;lat;lng\nA;482.000;163.700\nB;483.000;163.800\n'), /^coordinates: .*no degrees/);
});

t.test('a ring that crosses itself is imported with a note', async (t) => {
  const bow = polygon([
    [16.3, 48.2],
    [16.4, 48.3],
    [16.4, 48.2],
    [16.3, 48.3],
    [16.3, 48.2],
  ]);
  const conversion = await convertText(feature(bow, { name: 'bow' }));
  t.same(codesOf(conversion), ['crosses-itself at element 1, bow']);
  t.equal(conversion.objects.length, 1);
  const plain = polygon([
    [16.3, 48.2],
    [16.4, 48.2],
    [16.4, 48.3],
    [16.3, 48.3],
    [16.3, 48.2],
  ]);
  t.same(codesOf(await convertText(feature(plain))), []);
});

t.test('a point at a pole is left out, and the corners of a polygon move to the edge of the map', async (t) => {
  const cap = polygon([
    [0, 80],
    [90, 80],
    [90, 90],
    [0, 90],
    [0, 80],
  ]);
  const conversion = await convertText(collection(feature(point(0, 90), { name: 'pole' }), feature(cap, { name: 'cap' })), {
    artboard: world,
  });
  t.same(codesOf(conversion), ['pole at element 1, pole', 'pole at element 2, cap']);
  const ys = ((bodiesOf(conversion)[0]?.['coords'] ?? []) as { y: number }[]).map(({ y }) => Math.round(y));
  t.equal(Math.min(...ys), 0);
});

t.test('deep nesting and hostile names in JSON are refused, or are text', async (t) => {
  const deep = `${'{"type":"GeometryCollection","geometries":['.repeat(3000)}${']}'.repeat(3000)}`;
  t.match(await refusalOf(`{"type":"Feature","properties":{},"geometry":${deep}}`), /^converted/);
  const wkt = await convertText('GEOMETRYCOLLECTION('.repeat(100_000));
  t.match(wkt.report.notes, [{ code: 'bad-geometry', detail: /nested too deeply\.$/ }]);
  const conversion = await convertText(
    '{"type":"Feature","properties":{"__proto__":{"x":1},"constructor":"c","name":"a"},"geometry":{"type":"Point","coordinates":[16.37,48.2]}}',
  );
  t.same(
    conversion.columns.map(({ name }) => name),
    ['__proto__.x', 'constructor', 'name'],
  );
  t.equal(({} as Record<string, unknown>)['x'], undefined);
});

t.test('files that would grow without bound are refused, or cut with a note', async (t) => {
  const drawing = (content: string) => `<svg ${xmlns} width="10" height="10">${content}</svg>`;
  const line = `<path id="l" d="M0 0${'l1 1'.repeat(20_000)}"/>`;
  const used = drawing(`<defs>${line}</defs>${'<use href="#l"/>'.repeat(200)}`);
  t.match(await refusalOf(used), /^too-large: The picture has more than 1000000 corners/, 'a path that is used many times');
  const curves = drawing(`<path d="M0 0${'q1e9 1e9 2 2'.repeat(16_000)}"/>`);
  t.match(await refusalOf(curves), /^too-large: The picture has more than 1000000 corners/, 'curves that are large');
  const points = { type: 'MultiPoint', coordinates: Array.from({ length: 100_001 }, () => [1, 2]) };
  t.match(await refusalOf(points), /^too-large: The file has 100001 points and shapes/);
  const value = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const deep = (properties: string) => `{"type":"Feature","geometry":null,"properties":${properties}}`;
  t.match(await refusalOf(deep(`{"a":${value}}`)), /^unreadable: A value of the file is nested too deeply/);
  const popup = `{"mapwright":{},"type":"FeatureCollection","features":[${deep(`{"type":"poly","popup":{"title":${value}}}`)}]}`;
  t.match(await refusalOf(popup), /^unreadable: A value of the file is nested too deeply/);
  const wide = await convertText(
    collection(...Array.from({ length: 1100 }, (_, i) => feature(point(16.37, 48.2), { [`c${i}`]: i }))),
  );
  t.equal(wide.columns.length, 1000);
  t.match(wide.report.notes, [{ code: 'columns', leftOut: true }]);
  t.equal(wide.objects.length, 1100);
  const classes = drawing(`<rect width="1" height="1" class="${'a '.repeat(200_000)}"/>`);
  t.equal(await refusalOf(classes), 'converted');
});

t.test('XML whose tree takes much more than its text is refused before it is parsed', async (t) => {
  const document = (content: string, attributes = '') => `<kml ${attributes}>${content}</kml>`;
  const prefixes = (count: number) => Array.from({ length: count }, (_, i) => `<a xmlns:p${i}="x">`).join('');
  t.match(await refusalOf(document(prefixes(201))), /^too-large: The file declares more than 200 prefixes .*"xmlns:p200"/);
  t.match(await refusalOf(document(`${prefixes(200)}${'</a>'.repeat(200)}`)), /^converted/);
  t.match(await refusalOf(document('<a xmlns:p="x"/>'.repeat(1000))), /^converted/, 'one prefix');
  t.match(await refusalOf(document('<a/>'.repeat(800_000))), /^too-large: The file has 800001 elements of XML/);
});

t.test('names of members of every object are no columns, units or classes of their own', async (t) => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
  const csv = await convertText(`${names.join(',')},lat,lng\n1,2,3,4,5,48.2,16.37`, {
    mapping: { name: '__proto__', key: 'constructor' },
  });
  t.match(bodiesOf(csv), [{ name: '1', key: '2' }]);
  const data = names.map((name) => `<Data name="${name}"><value>a ${name}</value></Data>`).join('');
  const placemark = `<Placemark><ExtendedData>${data}</ExtendedData><Point><coordinates>16.37,48.2</coordinates></Point></Placemark>`;
  const kml = await convertText(`<kml xmlns="http://www.opengis.net/kml/2.2">${placemark}</kml>`, {
    mapping: { name: 'constructor' },
  });
  t.match(bodiesOf(kml), [{ name: 'a constructor' }]);
  const rules = names.map((name) => `.${name}{fill:#ff0000;${name}:1}`).join('');
  const rects = names.map((name) => `<rect id="${name}" class="${name}" width="4constructor" height="4"/>`).join('');
  const whole = '<rect class="constructor" width="4" height="4" transform="scale(1)" transform-origin="4constructor 0"/>';
  const svg = await convertText(
    `<svg ${xmlns} width="9constructor" height="9" viewBox="0 0 9 9"><style>${rules}</style>${rects}${whole}</svg>`,
  );
  t.match(bodiesOf(svg), [{ color: '#ff0000', coords: [{ x: Number }] }]);
  t.equal(bodiesOf(svg).length, 1, 'a length of an unknown unit is none');
  t.strictSame(Object.keys(Object.prototype), []);
});

t.test('a report has at most 1,000 notes, and one that counts the others', async (t) => {
  const rows = Array.from({ length: 3000 }, () => 'A,,\n').join('');
  const { report } = await convertText(`name,lat,lng\nB,48.2,16.37\n${rows}`);
  t.equal(report.notes.length, 1001);
  t.match(report.notes.at(-1), { code: 'more', detail: /^2000 more notes; 2000 of them/, leftOut: true });
  t.match(report, { read: 3001, made: 1 });
});

t.test('a conversion reports progress from 0 to 1, lets other work run, and ends on an abort', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `n${i},48.2,16.37\n`).join('');
  const shares: number[] = [];
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await convertText(`name,lat,lng\n${rows}`, { onProgress: (share) => shares.push(share) });
  clearInterval(timer);
  t.equal(shares.at(-1), 1);
  t.same(
    [...shares].sort((a, b) => a - b),
    shares,
    'it never falls',
  );
  t.ok(turns > 3);
  const controller = new AbortController();
  const aborted = refusalOf(`name,lat,lng\n${rows}`, {
    signal: controller.signal,
    onProgress: (share) => share > 0.2 && controller.abort(),
  });
  t.match(await aborted, /^aborted: /);
});

t.test('the bytes of a file are not changed', async (t) => {
  const bytes = bytesOf('name,lat,lng\r\nA,48.2,16.37\r\n');
  const copy = bytes.slice();
  await convert(bytes, { artboard: sheet });
  await convert(bytes, { artboard: vienna });
  t.same(bytes, copy);
});

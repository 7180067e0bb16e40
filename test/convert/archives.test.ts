// tier: normal, process: shared
/** Archives: spreadsheets, KMZ with pictures, shapefiles, files that are packed, and archives that unpack to more than they should. */
import { strToU8, zipSync } from 'fflate';
import t from 'tap';
import { convert } from '../../src/web/convert/convert.ts';
import { withPictures } from '../../src/web/convert/plan/with-pictures.ts';
import { dbfOf, shpOf, xlsxFiles, zipOf } from './archives.ts';
import { bodiesOf, codesOf, refusalOf, spotsOf, vienna } from './support.ts';

const shops = [
  ['Shops of Vienna'],
  [],
  ['Name', 'Latitude', 'Longitude', 'Sales'],
  ['Opera', 48.198, 16.368, { formula: 'A1+1', value: 12.5 }],
  ['Prater & more', 48.2166, 16.3956, 3],
];

t.test('a spreadsheet is read like a CSV: its first sheet, or the one of a choice, with the values of formulas', async (t) => {
  const file = zipOf(
    xlsxFiles({
      Notes: [],
      Shops: shops,
      Other: [
        ['x', 'lat', 'lon'],
        ['A', '48,2', '16,37'],
      ],
    }),
  );
  const first = await convert(file, { artboard: vienna });
  t.equal(first.format, 'xlsx');
  t.same(spotsOf(first), ['Opera 394,309', 'Prater & more 475,227']);
  t.same(
    first.objects.map(({ at, row }) => [at, row]),
    [
      ['row 4', 4],
      ['row 5', 5],
    ],
  );
  t.match(bodiesOf(first)[0], { properties: { Sales: 12.5 } });
  t.same([first.layers, first.layer], [['Notes', 'Shops', 'Other'], 'Shops']);
  t.same(codesOf(first), ['layers', 'title at row 1', 'blank']);
  t.match(first.report.notes, [{ detail: 'Layer "Shops" was read; others are: "Other" (--layer).', leftOut: true }]);
  const other = await convert(file, { artboard: vienna, layer: 'Other' });
  t.same(spotsOf(other), ['A 400,300']);
  t.same(codesOf(other), [], 'a layer that was chosen');
  t.match(
    await refusalOf(file, { layer: 'none' }),
    /^unreadable: The file has no layer "none". It has: "Notes", "Shops", "Other"/,
  );
  t.match(
    await refusalOf(file, { layer: 'Notes' }),
    /^unreadable: The sheet "Notes" is empty. Other sheets are: "Shops", "Other"/,
  );
});

t.test('the first sheet with places is read; without any, the message names all sheets', async (t) => {
  const flowers = [
    ['petal', 'kind'],
    [1, 'a'],
  ];
  const places = [
    ['name', 'lat', 'long'],
    ['A', 48.2, 16.37],
  ];
  const found = await convert(zipOf(xlsxFiles({ iris: flowers, quakes: places })), { artboard: vienna });
  t.same([found.layer, ...spotsOf(found)], ['quakes', 'A 400,300']);
  const none = zipOf(xlsxFiles({ iris: flowers, more: flowers }));
  t.match(await refusalOf(none), /^columns: Sheet "iris": No columns for latitude .* Other sheets are: "more"/);
});

const kml = (description: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Café</name><description><![CDATA[${description}]]></description><Point><coordinates>16.37,48.2</coordinates></Point></Placemark></kml>`;

t.test('a KMZ is a KML with pictures, whose addresses are known after their upload', async (t) => {
  const picture = strToU8('picture');
  const file = zipOf({
    'doc.kml': kml('<b>Good</b><img src="files/a%20b.jpg"><img src="files/none.jpg"><img src="https://example.com/c.jpg">'),
    'files/a b.jpg': picture,
    'files/unused.png': picture,
    'linked.kml': kml('no'),
  });
  const conversion = await convert(file, { artboard: vienna });
  t.equal(conversion.format, 'kmz');
  t.same(spotsOf(conversion), ['Café 400,300']);
  t.same(
    conversion.pictures?.map(({ name, bytes }) => [name, bytes.length]),
    [['files/a b.jpg', 7]],
  );
  const content = (addresses: readonly (string | undefined)[]) => withPictures(conversion, addresses).popups[0]?.body['content'];
  t.match(content(['/f/p/a.jpg']), /<b>Good<\/b><img src="\/f\/p\/a.jpg">/);
  t.match(content(['/f/p/a.jpg']), /https:\/\/example.com\/c.jpg/);
  t.notMatch(content([undefined]), /mapwright-picture/);
  t.notMatch(content([undefined]), /none.jpg/);
  const codes = conversion.report.notes.map(({ code }) => code).sort();
  t.same(codes, ['layers', 'pictures']);
  t.match(JSON.stringify(conversion.report.notes), /no link leads to: .*linked.kml/);
});

t.test('files in a KMZ that its document links to are read, each once', async (t) => {
  const link = (address: string) => `<NetworkLink><name>x</name><Link><href>${address}</href></Link></NetworkLink>`;
  const place = (name: string, more = '') =>
    `<kml><Document>${more}<Placemark><name>${name}</name><description><![CDATA[<img src="../p/a.png">]]></description><Point><coordinates>16.37,48.2</coordinates></Point></Placemark></Document></kml>`;
  const file = zipOf({
    'doc.kml': `<kml><Document>${link('layers/a.kml')}${link('layers/a.kml')}${link('https://example.com/b.kml')}</Document></kml>`,
    'layers/a.kml': place('A', link('b.kml')),
    'layers/b.kml': place('B', link('../doc.kml')),
    'p/a.png': strToU8('x'),
  });
  const conversion = await convert(file, { artboard: vienna });
  t.same(spotsOf(conversion), ['A 400,300', 'B 400,300']);
  t.same(codesOf(conversion), ['unsupported at NetworkLink, x']);
  t.equal(conversion.pictures?.length, 1);
});

t.test('a shapefile is read with its projection and the encoding of its table', async (t) => {
  const utm33 =
    'PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
  const file = zipOf({
    'data/places.shp': shpOf([[601_799.146, 5_339_437.154]]),
    'data/places.DBF': dbfOf('NAME', [Uint8Array.from([0xcc, 0xee, 0xf1, 0xf2])]),
    'data/places.prj': utm33,
    'data/places.cpg': '1251',
    'data/other.shp': shpOf([[16.37, 48.2]]),
  });
  const conversion = await convert(file, { artboard: vienna });
  t.same([conversion.format, conversion.layers, conversion.layer], ['shapefile', ['data/places', 'data/other'], 'data/places']);
  t.same(spotsOf(conversion), ['Мост 400,300']);
  t.match(conversion.report.notes, [{ code: 'layers', detail: /^Layer "data\/places" was read; others are: "data\/other"/ }]);
  const other = await convert(file, { artboard: vienna, layer: 'data/other' });
  t.same(spotsOf(other), ['element 1 400,300']);
  t.same(codesOf(other), ['columns', 'projection']);
  t.match(await refusalOf(zipOf({ 'a.shp': 'short' })), /^unreadable: The .shp of the shapefile is broken/);
  const rows = dbfOf('NAME', []);
  new DataView(rows.buffer).setUint32(4, 4_000_000_000, true);
  const endless = zipOf({ 'a.shp': shpOf([[16.37, 48.2]]), 'a.dbf': rows });
  t.match(await refusalOf(endless), /^unreadable: The .dbf of the shapefile is broken/, 'rows that are not there');
});

t.test(
  'the table of a shapefile without a .cpg is read in the encoding of its bytes, with days and without numbers that are missing',
  async (t) => {
    const named = async (text: string, language: number, cpg?: string, encoding?: string) => {
      const dbf = dbfOf('NAME', [Uint8Array.from(text, (character) => character.charCodeAt(0))]);
      dbf[29] = language;
      const { objects } = await convert(
        zipOf({ 'a.shp': shpOf([[16.37, 48.2]]), 'a.dbf': dbf, ...(cpg === undefined ? {} : { 'a.cpg': cpg }) }),
        encoding === undefined ? {} : { encoding },
      );
      return objects[0]?.body['name'];
    };
    t.equal(await named('M\u00e9xico', 0x57), 'México', 'Windows');
    t.equal(await named('\u00cc\u00ee\u00f1\u00f2', 0xc9), 'Мост', 'its head says which one');
    t.equal(await named('M\u00c3\u00a9xico', 0x57), 'México', 'UTF-8 in spite of its head');
    t.equal(await named('12345678901\u00c3\u00a9 12345\u00c3\u00a9', 0x57), '12345678901é 12345\ufffd', 'UTF-8 that is cut');
    t.equal(await named('M\u00e9xico', 0, 'ISO 88591'), 'México', 'as ArcGIS writes a .cpg');
    t.equal(await named('\u008c\u00ae\u00e1\u00e2', 0, '866'), 'Мост', 'of DOS');
    t.equal(await named('M\u00e9xico', 0, '852'), 'México', 'a .cpg that no browser knows');
    t.equal(await named('M\u00e9xico', 0, 'UTF-8', 'latin1'), 'México', 'the given encoding is used before all');
    const cellOf = async (kind: string, text: string, gap = 0) => {
      const made = dbfOf('VALUE', [Uint8Array.from(text, (character) => character.charCodeAt(0))]);
      made[32 + 11] = kind.charCodeAt(0);
      const dbf = Uint8Array.from([...made.subarray(0, 65), ...new Uint8Array(gap), ...made.subarray(65)]);
      new DataView(dbf.buffer).setUint16(8, 65 + gap, true);
      const { rows } = await convert(zipOf({ 'a.shp': shpOf([[16.37, 48.2]]), 'a.dbf': dbf }), {});
      return rows[0];
    };
    t.same(await cellOf('D', '20130102'), ['2013-01-02']);
    t.same(await cellOf('N', '42'), ['42']);
    t.same(await cellOf('N', '12345678901234567890', 1), ['12345678901234567000'], 'a byte between columns and rows');
    t.same(await cellOf('N', '42', 263), ['42'], 'as FoxPro writes it');
    t.same([await cellOf('D', ''), await cellOf('N', '')], [[], []]);
  },
);

t.test('a projection that cannot be computed is refused, and a datum of unknown difference is noted', async (t) => {
  const geographic = (datum: string, meridian = '0') =>
    `GEOGCS["G",DATUM["${datum}",SPHEROID["S",6378137,298.257223563]],PRIMEM["M",${meridian}],UNIT["Degree",0.0174532925199433]]`;
  const packed = (prj: string) => zipOf({ 'a.shp': shpOf([[16.37, 48.2]]), 'a.prj': prj });
  const polar = `PROJCS["NSIDC",${geographic('D_WGS_1984')},PROJECTION["Stereographic_North_Pole"],UNIT["Meter",1]]`;
  t.match(
    await refusalOf(packed(polar)),
    /^coordinates: .*"NSIDC": its projection "Stereographic_North_Pole" cannot be computed/,
  );
  t.match(await refusalOf(packed(geographic('D_NTF', '2.33722917'))), /^coordinates: .*prime meridian, which is not Greenwich/);
  const tokyo = await convert(packed(geographic('D_Tokyo')), { artboard: vienna });
  t.match(tokyo.report.notes, [{ code: 'columns' }, { code: 'projection', detail: /datum "D_Tokyo".*up to 500 m off/ }]);
  t.same(codesOf(await convert(packed(geographic('D_ETRS_1989')), { artboard: vienna })), ['columns']);
});

t.test('one packed file is read as if it were alone, and other archives say what they are', async (t) => {
  const csv = 'name,lat,lng\nA,48.2,16.37\n';
  const packed = await convert(zipOf({ '__MACOSX/._a.csv': 'x', 'folder/': '', 'folder/a.csv': csv }), { artboard: vienna });
  t.same([packed.format, ...spotsOf(packed)], ['csv', 'A 400,300']);
  t.match(await refusalOf(zipOf({ 'a.csv': csv, 'b.csv': csv })), /^unreadable: The archive has several files: "a.csv", "b.csv"/);
  const beside = { 'readme.txt': 'x', LICENSE: 'x', 'a.geojson': '{"type":"Point","coordinates":[16.37,48.2]}' };
  t.same(codesOf(await convert(zipOf(beside), { artboard: vienna })), []);
  t.same(codesOf(await convert(zipOf({ ...beside, 'stops.txt': csv }), { artboard: vienna })), ['layers'], 'another text');
  t.match(await refusalOf(zipOf({ ...beside, 'b.gpx': 'x' })), /several files: "a.geojson", "b.gpx"\./);
  const text = await convert(zipOf({ 'README.txt': 'x', 'a.txt': csv }), { artboard: vienna });
  t.same([text.format, ...codesOf(text)], ['csv']);
  t.match(await refusalOf(zipOf({ 'stops.txt': csv, 'routes.txt': csv })), /several files: "stops.txt", "routes.txt"/);
  t.match(await refusalOf(zipOf({ 'word/document.xml': '' })), /^unreadable: The file is a document \(.docx\)/);
  t.match(await refusalOf(zipOf({ mimetype: 'x', 'content.xml': '' })), /OpenDocument/);
  t.match(await refusalOf(zipOf({ 'a.zip': 'x' })), /archive of archives/);
  t.match(await refusalOf(zipOf({ 'a.exe': 'x' })), /no file that can be imported. It has: "a.exe"/);
  t.match(await refusalOf(zipOf({})), /^unreadable: The archive has no file/);
  t.match(await refusalOf(zipOf({ 'a.csv': csv }).subarray(0, 60)), /^unreadable: The archive is broken/);
  t.match(await refusalOf(zipOf({ 'a.csv': '\u0000binary' })), /^unreadable: The file is not text/);
});

t.test('a spreadsheet with cells far apart, or nowhere, is refused before it is read', async (t) => {
  const far = xlsxFiles({
    A: [
      ['name', 'lat', 'lng'],
      ['A', 48.2, 16.37],
    ],
  });
  const sheet = 'xl/worksheets/sheet1.xml';
  const changed = (from: string, to: string) => zipOf({ ...far, [sheet]: (far[sheet] ?? '').replace(from, to) });
  t.match(await refusalOf(changed('r="C1"', 'r="XFD1048576"')), /^too-large: .* row 1048576 and column 16384/);
  t.match(await refusalOf(changed('r="C1"', '')), /^unreadable: .* has cells without addresses.*save it again, or as CSV/);
  t.match(await refusalOf(changed('r="C1"', 'r="1e999"')), /^unreadable: .* has a cell "1e999"/);
});

t.test('an archive that unpacks to much more than it has is refused before it is unpacked', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}.txt`, new Uint8Array()]));
  t.match(await refusalOf(zipSync(many, { level: 0 })), /^too-large: The archive has more than 10000 files/);
  const bomb = zipSync({ 'a.csv': new Uint8Array(40 * 1024 * 1024) }, { level: 9 });
  t.match(await refusalOf(bomb), /^too-large: "a.csv" in the archive unpacks to 41943040 bytes from \d+/);
  // An archive that says less than it unpacks to gives no more than that.
  const lying = zipOf({ 'a.csv': `name,lat,lng\nA,48.2,16.37\n${'B,48.2,16.37\n'.repeat(1000)}` });
  const view = new DataView(lying.buffer);
  for (let at = 0; at < lying.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 27, true);
  const cut = await convert(lying, { artboard: vienna });
  t.equal(cut.objects.length, 1);
});

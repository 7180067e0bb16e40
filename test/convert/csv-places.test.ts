// tier: normal, process: shared
/** Where the places of a table are, as people call and write them. */
import t from 'tap';
import { convert } from '../../src/web/convert/convert.ts';
import { planImport } from '../../src/web/convert/plan/plan-import.ts';
import { summaryOf } from './case-summary.ts';
import { bytesOf, codesOf, convertText, refusalOf } from './support.ts';

/** The places of a table, and codes of its notes. */
async function placesOf(file: string): Promise<string> {
  const conversion = await convert(bytesOf(file), {});
  const places = summaryOf(conversion).filter((line) => line.includes(': spot '));
  return [...places.map((line) => line.split('spot ')[1]), ...codesOf(conversion)].join(' ');
}

t.test('words for an axis decide, whatever stands around them and whichever comes first', async (t) => {
  const headers = [
    'lon [deg E],lat [deg N]',
    'Longitude (x),Latitude (y)',
    'LONGITUDINE_X,LATITUDINE_Y',
    'Länge (Ost),Breite (Nord)',
    'östliche Länge,nördliche Breite',
    'oosterlengte,noorderbreedte',
    'dł. geogr.,szer. geogr.',
    'Координата долготы,Координата широты',
    'intptlong,intptlat',
    'geom_x,geom_y',
    'E,N',
    'Ost,Nord',
    'coordinates[0],coordinates[1]',
    'geometry/coordinates/0,geometry/coordinates/1',
  ];
  for (const header of headers) t.equal(await placesOf(`name,${header}\nA,16.37,48.2\n`), '16.37,48.2', header);
  t.equal(await placesOf('n,geom_x,geom_y\nA,16.37,48.2\n'), '16.37,48.2', 'a column of texts is no axis');
});

t.test('directions and parts of a coordinate can be in the name or in columns of their own', async (t) => {
  t.equal(await placesOf('n,Lat (N),Lon (W)\nA,40.71,74.0\n'), '-74,40.71 direction');
  t.equal(await placesOf('n,lat,lat_dir,lon,lon_dir\nA,22.9,S,43.2,W\n'), '-43.2,-22.9');
  t.equal(await placesOf('n,lat_deg,lat_min,lat_sec,lon_deg,lon_min,lon_sec\nA,48,12,30,-16,22,12\n'), '-16.37,48.208');
});

t.test('degrees are read as people write them', async (t) => {
  for (const [row, place] of [
    ['48.2º N,16.3º E', '16.3,48.2'],
    ['"48º12\'30""N","16º22\'0""E"', '16.367,48.208'],
    ['48 12 30,-16 22 23', '-16.373,48.208'],
    ['48:12:30N,16:22:23E', '16.373,48.208'],
    ['481230N,0162223W', '-16.373,48.208'],
    ['48 12.5,16 22.2', '16.37,48.208'],
    ['"=""48.2""","=""16.3"""', '16.3,48.2'],
    ['\u200b48.2,16.3\u00a0', '16.3,48.2'],
  ] as const)
    t.equal(await placesOf(`name,lat,lon\nA,${row}\n`), place, row);
  t.equal(await placesOf("Ort;Breite;Länge\nWien;48°12'N;16°22'O\n"), '16.367,48.2', 'O is east in German');
  t.equal(await placesOf("lugar;latitud;longitud\nX;12°02'S;77°02' O\n"), '-77.033,-12.033', 'and west in Spanish');
});

t.test('one number with a decimal comma is no pair, and prices and dates are no places', async (t) => {
  for (const file of ['Name;Preis\nA;12,50\nB;13,90\n', 'Name;Datum\nA;12/05\n', 'a;Ergebnis\nA;2, 1\n'])
    t.match(await refusalOf(file), /^columns: /, file);
  t.equal(await placesOf('Name;LAT_N;LON_E\nA;48,21;16,37\n'), '16.37,48.21');
  t.equal(await placesOf('Fläche;N;E\n45,50;48,2085;16,3731\n'), '16.373,48.209');
  t.equal(await placesOf('Name;Koordinate 1;Koordinate 2\nA;48,2100;16,3700\n'), '16.37,48.21 guessed-columns');
});

t.test('a column with both says their order, or is noted as a guess', async (t) => {
  t.equal(await placesOf('n,coordinates\nA,"[16.3731, 48.2085]"\n'), '16.373,48.209', 'as GeoJSON');
  t.equal(await placesOf('n,lonlat\nA,16.3731 48.2085\n'), '16.373,48.209');
  t.equal(await placesOf('n,Ort\nA,"Ring 1, Wien (48.2, 16.3)"\n'), '16.3,48.2 guessed-columns');
  t.equal(await placesOf('n,pos\nA,"{""lat"":48.2,""lng"":16.3}"\n'), '16.3,48.2 guessed-columns');
});

t.test('a row without a geometry has the place beside it', async (t) => {
  const file = 'name,lat,lng,wkt\nA,48.2,16.3,\nC,48.5,16.5,"POLYGON((16 48,17 48,17 49,16 48))"\n';
  const first = await convertText(file);
  const again = await convertText(file, { mapping: first.mapping });
  for (const { objects } of [first, again])
    t.same(
      objects.map(({ body }) => `${body['name']} ${body['type']}`),
      ['C poly', 'A spot'],
    );
});

t.test('axes are doubted if some latitudes are none, or all are in Antarctica', async (t) => {
  const warned = async (rows: string) => (await convert(bytesOf(`name,lat,lon\n${rows}`), {})).report.warning;
  t.equal(await warned('NY,-74,40.7\nMia,-80.2,25.8\nLA,-118.2,34\n'), 'swapped-axes');
  t.equal(await warned('NY,-74,40.7\nMia,-80.2,25.8\n'), 'swapped-axes');
  t.equal(await warned('Ushuaia,-54.8,-68.3\nWien,48.2,16.4\n'), undefined);
});

t.test('letters that make columns unknown are named as a reason', async (t) => {
  const text = Uint8Array.from([0xf8, 0xe8, 0xf0, 0x3b, 0xe4, 0xee, 0xeb, 0x0a, 0x35, 0x3b, 0x36, 0x0a]);
  t.match(await refusalOf(text), /^columns: .*read as Windows-1252. If letters are wrong, name its encoding/);
});

t.test('an object whose row has no place is not missing in the file', async (t) => {
  const conversion = await convertText('id,name,lat,lon\n1,A,48.2,16.37\n2,B,,\n', { mapping: { key: 'id' } });
  const existing = ['1', '2', '3'].map((key) => ({ id: `o${key}`, key, name: key }));
  const { update, remove } = planImport(conversion, existing, 'delete');
  t.same([update.map(({ id }) => id), remove.map(({ id }) => id)], [['o1'], ['o3']]);
  const { notes } = planImport(conversion, [{ id: 'o', name: 'A' }], 'keep');
  t.match(notes, [{ code: 'no-key', detail: /have no keys: none was found again/ }], 'and without keys nothing is found');
});

t.test('rows that are in quotation marks as a whole are cut', async (t) => {
  t.equal(await placesOf('"name,lat,lon"\n"A,48.2,16.37"\n'), '16.37,48.2');
  t.equal(await placesOf('"name,lat,lon"\n"""A, B"",48.2,16.37"\n'), '16.37,48.2');
  t.match(await refusalOf('"name"\n"A"\n'), /^columns: /);
});

t.test('a row without a name has its title', async (t) => {
  const { objects } = await convertText('name,title,lat,lng\n,T1,48,16\nB,T2,48,16\n');
  t.same(
    objects.map(({ body }) => body['name']),
    ['T1', 'B'],
  );
});

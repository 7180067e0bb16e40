// tier: normal, process: shared
/** CSV: delimiters, encodings, numbers, and the columns that are places. */
import t from 'tap';
import { convert } from '../../src/web/convert/convert.ts';
import { codesOf, convertText, refusalOf, sheet, spotsOf, vienna } from './support.ts';

const inVienna = ['Opera 394,309', 'Prater 475,227'];

t.test('a CSV with any delimiter, quotes and a byte order mark becomes spots', async (t) => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const rows = [
      ['name', 'lat', 'lng'],
      ['"Opera"', '48.1980', '16.3680'],
      ['Prater', '48.2166', '16.3956'],
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `\ufeff${rows.map((row) => row.join(delimiter)).join(end)}${end}`;
      t.same(spotsOf(await convertText(text)), inVienna, JSON.stringify([delimiter, end]));
    }
  }
});

t.test('a short file with semicolons and decimal commas is not read with commas', async (t) => {
  const header = 'id;title;lat;lng;kind;hours;phone';
  const rows = ['1;Opera;48,1980;16,3680;Food;7–12;1', '2;Prater;48,2166;16,3956;Park;;2'];
  t.same(spotsOf(await convertText(`${[header, ...rows].join('\n')}\n`)), inVienna);
});

t.test('columns of places are recognized by names in four languages, and by values', async (t) => {
  const headers = [
    'name,Breitengrad,Längengrad',
    'Nom,LATITUDE,Longitude',
    'nombre,latitud,longitud',
    'name,geogr. Breite,geogr. Länge',
  ];
  for (const header of [...headers, 'name,a,b']) {
    const conversion = await convertText(`${header}\nOpera,48.1980,16.3680\nPrater,48.2166,16.3956\n`);
    t.same(
      spotsOf(conversion).map((spot) => spot.split(' ')[1]),
      ['394,309', '475,227'],
      header,
    );
  }
  const withoutHeader = await convertText('Opera,48.1980,16.3680\n7,48.2166,16.3956\n');
  t.same(
    withoutHeader.columns.map(({ name }) => name),
    ['Opera', '48.1980', '16.3680'].map((_, i) => `Column ${i + 1}`),
  );
});

t.test('two columns whose names differ in the axis only are the places', async (t) => {
  const rows = '1,48.2,16.37\n2,48.3,16.4\n';
  for (const header of ['stop_id,stop_lat,stop_lon', 'id,pickupLatitude,pickupLongitude', 'id,Shop-Latitude,Shop-Longitude']) {
    const { mapping, report } = await convertText(`${header}\n${rows}`);
    t.same([mapping.latitude, mapping.longitude, ...report.notes], header.split(',').slice(1), header);
  }
  t.match(await refusalOf('id,name_lat,name_long\n1,Vindobona,Vienna\n'), /^columns: /, 'names in Latin');
});

t.test('decimal commas and thousands are read per column', async (t) => {
  const text = 'name;lat;lon;Umsatz\nOpera;48,1980;16,3680;"1.234,50"\nPrater;48,2166;16,3956;12.000\n';
  const conversion = await convertText(text);
  t.same(spotsOf(conversion), inVienna);
  t.match(conversion.columns[3], { kind: 'number', least: 1234.5, most: 12000 });
  const mixed = await convertText('name;lat;lon;Umsatz\nOpera;48.198;16.368;1,5\nPrater;48.217;16.396;2,5\n');
  t.same(
    spotsOf(mixed).map((spot) => spot.split(' ')[0]),
    ['Opera', 'Prater'],
    'degrees with points among decimal commas',
  );
  t.match(mixed.columns[3], { least: 1.5, most: 2.5 });
});

t.test('Windows-1252 and UTF-16 are decoded, and a mix of encodings is reported', async (t) => {
  const latin = Buffer.from('name,lat,lng\nCaf\xe9 \x80uro,48.2,16.37\n', 'latin1');
  const one = await convert(latin, { artboard: vienna });
  t.match(one.objects[0]?.body, { name: 'Café €uro' });
  t.same(codesOf(one), ['encoding']);
  const wide = Buffer.from('\ufeffname,lat,lng\nCafé,48.2,16.37\n', 'utf16le');
  t.match((await convert(wide, { artboard: vienna })).objects[0]?.body, { name: 'Café' });
  const mixed = Buffer.concat([latin, Buffer.from('Größe,48.2,16.37\n', 'utf8')]);
  const both = await convert(mixed, { artboard: vienna });
  t.same(
    both.objects.map(({ body }) => body['name']),
    ['Café €uro', 'Größe'],
  );
  t.same(codesOf(both), ['mixed-encodings']);
});

t.test('rows without a place are left out by number, and others keep theirs', async (t) => {
  const text = 'name,lat,lng\nA,48.2,16.37\n\nB,,\n"C\nD",48.2,16.37\nE,NaN,16\nF,91,16\n';
  const conversion = await convertText(text);
  t.same(
    conversion.objects.map(({ at }) => at),
    ['row 2', 'row 5'],
  );
  t.same(codesOf(conversion), ['blank', 'no-place at row 4', 'no-place at row 6', 'latitude at row 7']);
  t.match(conversion.report, { read: 5, made: 2 });
});

t.test('columns x and y are pixels on a plain artboard, and degrees on a map', async (t) => {
  t.same(spotsOf(await convertText('name,x,y\nA,10,20\n', { artboard: sheet })), ['A 10,20']);
  t.same(spotsOf(await convertText('name,X,Y\nA,16.37,48.2\n')), ['A 400,300']);
});

t.test('a CSV without places is refused with its columns, and an address is named as not supported', async (t) => {
  t.match(await refusalOf('name\nA\nB\n'), /^columns: .*"name".*one column only/);
  t.match(await refusalOf('name,Adresse\nA,Ring 1\n'), /^columns: .*Addresses \("Adresse"\) are not supported/);
  t.match(await refusalOf('a,b\n1,2\n', { mapping: { latitude: 'c' } }), /^columns: The file has no column "c" for latitude/);
  t.same(codesOf(await convertText('name,Straße,lat,lng\nA,Ring 1,48.2,16.37\n')), ['address']);
});

// tier: normal, process: shared
/** KML: folders, columns, styles, coordinates, and what has no place. */
import t from 'tap';
import { Notes } from '../../src/web/convert/notes.ts';
import { coordinatesIn } from '../../src/web/convert/read/xml/kml-coordinates.ts';
import { readKmlOrGpx } from '../../src/web/convert/read/xml/read-kml-gpx.ts';
import { Slices } from '../../src/web/convert/slices.ts';
import { summaryOfCase } from './case-summary.ts';
import { bodiesOf, codesOf, convertText, spotsOf } from './support.ts';

const place = '<Point><coordinates>16.37,48.2</coordinates></Point>';
const line = '<LineString><coordinates>16.36,48.2 16.37,48.2</coordinates></LineString>';
const area =
  '<Polygon><outerBoundaryIs><LinearRing><coordinates>16.36,48.2 16.37,48.2 16.37,48.21</coordinates></LinearRing></outerBoundaryIs></Polygon>';
const kml = (content: string): string =>
  `<kml xmlns="http://earth.google.com/kml/2.1"><Document><name>D</name>${content}</Document></kml>`;
const placemark = (content: string): string => `<Placemark>${content}${content.includes('coord') ? '' : place}</Placemark>`;
const recordsOf = async (content: string): Promise<Record<string, string>[]> => {
  const { columns, rows } = await convertText(kml(content));
  return rows.map((row) => Object.fromEntries(row.flatMap((text, i) => (text === '' ? [] : [[columns[i]?.name, text]]))));
};
const read = (content: string) => readKmlOrGpx('kml', kml(content), new Notes(), new Slices({}));

t.test('folders are a column, and the category if there are several', async (t) => {
  const folder = (name: string, content: string): string => `<Folder><name>${name}</name>${content}</Folder>`;
  const a = placemark('<name>A</name>');
  const nested = folder('2023', folder('North', a) + folder('South', a)) + a;
  const data = await read(nested);
  t.same(
    data.items.map(({ values }) => values.get('folder')),
    ['2023 / North', '2023 / South', undefined],
  );
  t.equal(data.category, 'folder');
  t.equal((await read(folder('One', a + a))).category, undefined);
  t.notOk((await read(a)).columns.includes('folder'));
  t.same((await summaryOfCase('kml-nested-folders.kml')).slice(1), [
    'A: spot 16.36,48.2; category 2023 / North; color #1d6fd1',
    'A: spot 16.37,48.1; category 2023 / South; color #e8590c',
  ]);
});

t.test('extended data of each form are columns that hide no other one', async (t) => {
  const data = `<ExtendedData><Data name="x1"><displayName>Seats</displayName><value>3</value></Data><Data name="name"><value>B</value></Data>
    <SchemaData schemaUrl="#s"><SimpleData name="f">1</SimpleData><SimpleData name="g">2</SimpleData></SchemaData><camp:number>14</camp:number></ExtendedData>`;
  const schema = '<Schema id="s"><SimpleField name="f"><displayName>Field</displayName></SimpleField></Schema>';
  t.same(await recordsOf(schema + placemark(`<name>A</name>${data}`)), [
    { name: 'A', Seats: '3', 'name (data)': 'B', Field: '1', g: '2', number: '14' },
  ]);
  const others = `<name>A</name><address>Ring 1</address><phoneNumber>1</phoneNumber><Snippet>short</Snippet><atom:link href="https://x.at"/>
    <gx:media_links>https://x.at/a.jpg</gx:media_links><TimeSpan><begin>2020</begin><end>2021</end></TimeSpan><Metadata><a>1</a></Metadata>`;
  t.same(await recordsOf(placemark(others)), [
    {
      ...{ name: 'A', address: 'Ring 1', phoneNumber: '1', snippet: 'short', link: 'https://x.at' },
      ...{ gx_media_links: 'https://x.at/a.jpg', begin: '2020', end: '2021', a: '1' },
    },
  ]);
});

t.test('addresses that the description has are no fields', async (t) => {
  const photo = 'https://x.at/a?b=1&amp;c=2';
  const description = `<description><![CDATA[<img src="${photo}"> <a href="https://x.at/b">b</a>]]></description>`;
  const placed = '<Point><coordinates>16.36,48.2</coordinates></Point>';
  const fieldsOf = async (link: string): Promise<unknown> => {
    const data = `<ExtendedData><Data name="gx_media_links"><value>${link}</value></Data></ExtendedData>`;
    const text = kml(`<Placemark><name>A</name>${description}${data}${placed}</Placemark><Placemark>${placed}</Placemark>`);
    return (await convertText(text, { mapping: { fields: 'all' } })).mapping.fields?.map(({ column }) => column);
  };
  t.equal(await fieldsOf(`${photo} https://x.at/b`), undefined);
  t.same(await fieldsOf(`${photo} https://x.at/c`), ['gx_media_links']);
});

t.test('styles are shared, mapped, or in the placemark, which counts more', async (t) => {
  const styles = `<Style id="n"><LineStyle><color>8000ff00</color><width>8</width></LineStyle><PolyStyle><color>400000ff</color></PolyStyle><IconStyle><color>ffff0000</color></IconStyle></Style>
    <StyleMap id="m"><Pair><key>highlight</key><styleUrl>#h</styleUrl></Pair><Pair><key>normal</key><styleUrl>n</styleUrl></Pair></StyleMap>`;
  const bodyOf = async (content: string) => bodiesOf(await convertText(kml(styles + placemark(content))))[0];
  for (const url of ['#m', 'm', 'other.kml#n'])
    t.match(
      await bodyOf(`<styleUrl>${url}</styleUrl>${line}`),
      { stroke_color: '#00ff00', stroke_opacity: 0.5, stroke_width: 8 },
      url,
    );
  t.match(await bodyOf(`<styleUrl>#m</styleUrl>${area}`), {
    color: '#ff0000',
    opacity: 0.25,
    stroke_color: '#00ff00',
    stroke_width: 8,
  });
  const spot = await bodyOf('<styleUrl>#m</styleUrl>');
  t.match(spot, { color: '#0000ff', stroke_width: 1 }, 'a spot has no outline of lines');
  const own =
    '<Style><LineStyle><color>#ff0000ff</color></LineStyle><PolyStyle><fill>0</fill><outline>0</outline></PolyStyle></Style>';
  t.match(await bodyOf(`<styleUrl>#m</styleUrl>${own}${area}`), {
    color: '#ff0000',
    opacity: 0,
    stroke_color: '#ff0000',
    stroke_width: 0,
  });
  const pin = '<Style><IconStyle><Icon><href>http://maps.google.com/pushpin/grn-pushpin.png</href></Icon></IconStyle></Style>';
  t.match(await bodyOf(pin), { color: '#22c55e' });
});

t.test('coordinates are read as they are meant, or not at all', async (t) => {
  t.match(await summaryOfCase('kml2-commatuples.kml'), ['map', 'Fault: line 16.36,48.2 16.37,48.21 16.38,48.205']);
  t.match(await summaryOfCase('kml2-decimalcomma.kml'), ['map', 'A: spot 16.365,48.211']);
  const two = [
    [16.36, 48.2],
    [16.37, 48.21],
  ];
  for (const text of [
    '16.36,48.20,0,16.37,48.21,0',
    '16.36,48.20,16.37,48.21',
    '16.36, 48.20, 0 16.37, 48.21, 0',
    '16.36 ,48.20\n16.37 ,48.21',
    '16.36,48.20,0,\n16.37,48.21,0,',
    '16.36,48.20;16.37,48.21',
    '16.36 48.20 0 16.37 48.21 0',
    '16,36,48,20,0 16,37,48,21,0',
    '16,3600,48,2000 16,3700,48,2100',
  ])
    t.same(coordinatesIn(text, 'line'), two, text);
  for (const text of ['16,3654,48,2107,0', '16,3654 48,2107', '16,3654;48,2107', '16.3654 48.2107 171', ' 16.3654,48.2107,nan '])
    t.same(coordinatesIn(text, 'point'), [[16.3654, 48.2107]], text);
  t.same(coordinatesIn('16.36,98', 'point'), [[16.36, 98]], 'the placing step notes it');
  t.same(coordinatesIn('-16,5,-48,25', 'point'), [[-16.5, -48.25]]);
  for (const text of ['', 'x,y', '16.36', '1,2,3,4,5,6,7']) t.equal(coordinatesIn(text, 'line'), undefined, text);
  const conversion = await convertText(
    kml(placemark('<Point><coordinates>16</coordinates></Point>') + placemark('<name>B</name>')),
  );
  t.same(codesOf(conversion), ['bad-geometry at element 1']);
});

t.test('tracks, rings and geometries in each other are shapes, and holes stay', async (t) => {
  const track = (at: number): string =>
    `<gx:Track><when>x</when><gx:coord>16.36 48.${at} 1</gx:coord><gx:coord>16.37 48.${at}</gx:coord></gx:Track>`;
  const content = `${placemark(`<name>T</name>${track(2)}`)}${placemark(`<name>M</name><gx:MultiTrack>${track(3)}${track(4)}</gx:MultiTrack>`)}
    ${placemark('<name>R</name><LinearRing><coordinates>16.36,48.2 16.37,48.2 16.37,48.21 16.36,48.2</coordinates></LinearRing>')}
    ${placemark(`<name>G</name><MultiGeometry><MultiGeometry>${place}</MultiGeometry>${line}</MultiGeometry>`)}`;
  t.same(
    bodiesOf(await convertText(kml(content))).map(({ name, type, closed }) => `${name} ${type} ${closed}`),
    ['T poly false', 'M poly false', 'M poly false', 'R poly false', 'G poly false', 'G spot undefined'],
  );
  t.match((await summaryOfCase('kml-multigeom-holes.kml')).slice(1), [
    /without/,
    /^Park with lake: area/,
    /^Park with lake: spot/,
  ]);
});

t.test('a point beside a line has the colour of its icon', async (t) => {
  const style = '<Style><IconStyle><color>ff0000ff</color></IconStyle><LineStyle><color>ff00ff00</color></LineStyle></Style>';
  const bodies = bodiesOf(await convertText(kml(placemark(`${style}<MultiGeometry>${line}${place}</MultiGeometry>`))));
  t.match(
    bodies.find(({ type }) => type === 'poly'),
    { stroke_color: '#00ff00' },
  );
  t.match(
    bodies.find(({ type }) => type === 'spot'),
    { color: '#ff0000' },
  );
  const ring = bodiesOf(await convertText(kml(placemark(`${style}<MultiGeometry>${area}${place}</MultiGeometry>`))));
  t.not(ring[0]?.['color'], '#ff0000', 'areas have no icons');
});

t.test('what has no place is noted with its name', async (t) => {
  const content = `<NetworkLink><name>My map</name><Link><href>https://x.at/kml?mid=1</href></Link></NetworkLink>
    <GroundOverlay><name>Old map</name><LatLonBox/></GroundOverlay><Placemark><name>House</name><Model/></Placemark>${placemark('<name>A</name>')}`;
  const conversion = await convertText(kml(content));
  t.same(codesOf(conversion), [
    'unsupported at NetworkLink, My map',
    'unsupported at GroundOverlay, Old map',
    'unsupported at element 1, House',
  ]);
  t.match(conversion.report.notes[0]?.detail, /https:\/\/x\.at\/kml\?mid=1/);
  const notes = new Notes();
  const alone = await readKmlOrGpx('kml', kml('<NetworkLink/>'), notes, new Slices({}));
  t.same([alone.items.length, notes.list().length], [0, 1]);
});

t.test('elements that a schema of KML 2.0 names are placemarks', async (t) => {
  const point = '<Point><coordinates>16.37,48.2</coordinates></Point>';
  const old = `<kml><Document><Schema parent="Placemark" name="Stop"/><Stop><name>A</name>${point}</Stop></Document></kml>`;
  t.same(spotsOf(await convertText(old)), ['A 400,300']);
});

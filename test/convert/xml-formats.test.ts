// tier: normal, process: shared
/** KML, GPX and WKT. */
import t from 'tap';
import { bodiesOf, codesOf, convertText, cornersOf, refusalOf, ringsOf, spotsOf } from './support.ts';

const kml = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;

t.test('placemarks of KML become objects with their styles, names and descriptions', async (t) => {
  const conversion = await convertText(
    kml(`
      <Style id="s"><LineStyle><color>ff0000ff</color><width>3</width></LineStyle><PolyStyle><color>80ff0000</color></PolyStyle></Style>
      <Placemark><name>Opera</name><description><![CDATA[<b>State</b> &amp; opera<script>x</script>]]></description>
        <ExtendedData><Data name="seats"><value>1709</value></Data></ExtendedData>
        <Point><coordinates>16.368,48.198,0</coordinates></Point></Placemark>
      <Placemark><name>Park</name><styleUrl>#s</styleUrl><Polygon><outerBoundaryIs><LinearRing><coordinates>
        16.36,48.2 16.37,48.2 16.37,48.21 16.36,48.2</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
      <Placemark><name>Way</name><styleUrl>#s</styleUrl><LineString><coordinates>16.36,48.2 16.37,48.2</coordinates></LineString></Placemark>
      <Placemark><name>Nowhere</name></Placemark>
      <NetworkLink><Link><href>http://example.org/x.kml</href></Link></NetworkLink>`),
    { mapping: { color: { column: 'seats', by: 'category' } } },
  );
  const [park, way, opera] = bodiesOf(conversion);
  t.same(spotsOf(conversion)[2], 'Opera 394,309');
  t.match(park, { type: 'poly', stroke_color: '#ff0000', stroke_width: 3, name: 'Park' });
  t.match(way, { type: 'poly', closed: false, name: 'Way', pin: false, stroke_color: '#9ca3af', stroke_width: 3 });
  t.equal(conversion.hasLines, false, 'the file has a width for its line');
  t.equal(opera?.['name'], 'Opera');
  t.same(conversion.popups[0], { object: 2, body: { title: 'Opera', content: '<b>State</b> &amp; opera' } });
  t.same(
    conversion.columns.map(({ name }) => name),
    ['name', 'description', 'seats'],
  );
  t.same(codesOf(conversion), ['unsupported at NetworkLink', 'no-place at element 4, Nowhere']);
  const styled = await convertText(
    kml(
      '<Placemark><Style><IconStyle><color>ff00ff00</color></IconStyle></Style><Point><coordinates>16.37,48.2</coordinates></Point></Placemark>',
    ),
  );
  t.equal(bodiesOf(styled)[0]?.['color'], '#00ff00');
});

t.test('waypoints, routes and tracks of GPX become spots and lines', async (t) => {
  const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="48.198" lon="16.368"><ele>171</ele><name>Opera</name></wpt>
    <rte><name>Route</name><rtept lat="48.2" lon="16.36"/><rtept lat="48.2" lon="16.37"/></rte>
    <trk><name>Track</name><trkseg><trkpt lat="48.2" lon="16.36"><time>2024-01-01T00:00:00Z</time></trkpt><trkpt lat="48.2" lon="16.37"/></trkseg></trk></gpx>`;
  const conversion = await convertText(gpx, { lineWidth: 6 });
  t.same(
    bodiesOf(conversion).map(({ name, type }) => `${name} ${type}`),
    ['Track poly', 'Route poly', 'Opera spot'],
  );
  t.same(cornersOf({ ...conversion, objects: conversion.objects.slice(0, 2) }), Array(2).fill('371,300 400,300'));
  for (const body of bodiesOf(conversion).slice(0, 2)) t.match(body, { closed: false, stroke_width: 6, holes: [] });
  t.equal(conversion.hasLines, true);
  const without = await convertText(gpx, { lineWidth: 0 });
  t.same(
    bodiesOf(without).map(({ name }) => name),
    ['Opera'],
  );
  t.same(codesOf(without), ['line at element 1, Track', 'line at element 2, Route']);
});

t.test('well-known text has one geometry per line, or several lines per geometry', async (t) => {
  const conversion = await convertText(`SRID=4326;POINT (16.368 48.198)
POLYGON ((16.36 48.2,
  16.37 48.2, 16.37 48.21, 16.36 48.2), (16.365 48.202, 16.368 48.202, 16.368 48.206, 16.365 48.202))
LINESTRING (16.36 48.2, 16.37 48.2)
MULTIPOINT ((16.36 48.2), (16.37 48.2))
POINT Z (16.37 48.2 7)
POINT EMPTY
CIRCLE (1 2)`);
  t.same(
    spotsOf(conversion).filter((spot) => !spot.includes('NaN')),
    ['element 1 394,309', 'element 4 371,300', 'element 4 400,300', 'element 5 400,300'],
  );
  t.same(
    bodiesOf(conversion)
      .slice(0, 2)
      .map((body) => [body['closed'], ringsOf(body)]),
    [
      [true, ['371,300 400,300 400,256', '385,291 394,291 394,274']],
      [false, ['371,300 400,300']],
    ],
  );
  t.same(codesOf(conversion), ['bad-geometry at element 6', 'bad-geometry at element 7']);
  t.match(await refusalOf('SRID=31287;POINT (1 2)'), /^coordinates: .*SRID=31287.*WGS 84/);
});

// tier: normal, process: shared
/** GPX of several programs: routes, segments, styles and columns. */
import t from 'tap';
import { summaryOfCase } from './case-summary.ts';
import { bodiesOf, codesOf, convertText } from './support.ts';

const gpx = (content: string, creator = 'x'): string => `<gpx version="1.1" creator="${creator}">${content}</gpx>`;
const point = (name: string, lat: number, content = ''): string => `<${name} lat="${lat}" lon="16.36">${content}</${name}>`;
const track = (extensions: string): string =>
  `<trk><extensions>${extensions}</extensions><trkseg>${point('trkpt', 48.2)}${point('trkpt', 48.21)}</trkseg></trk>`;
const lineOf = async (extensions: string, creator?: string) => {
  const [{ stroke_color, stroke_width, stroke_opacity } = {}] = bodiesOf(await convertText(gpx(track(extensions), creator)));
  return [stroke_color, stroke_width, stroke_opacity];
};

t.test('the points between those of a route are its corners, and decimal commas are read', async (t) => {
  t.same((await summaryOfCase('gpx-basecamp-route.gpx')).slice(1), [
    'Tour: line 16.36,48.2 16.363,48.202 16.364,48.205 16.368,48.208 16.37,48.21; stroke_color #ff00ff',
  ]);
  t.same((await summaryOfCase('gpx-comma-decimals.gpx')).slice(1), ['A: spot 16.365,48.211']);
});

t.test('colours and widths of several programs are those of lines', async (t) => {
  t.same(await lineOf('<gpxx:TrackExtension><gpxx:DisplayColor>Magenta</gpxx:DisplayColor></gpxx:TrackExtension>'), [
    '#ff00ff',
    2,
    undefined,
  ]);
  t.same(
    (await lineOf('<gpxx:TrackExtension><gpxx:DisplayColor>DarkRed</gpxx:DisplayColor></gpxx:TrackExtension>'))[0],
    '#8b0000',
  );
  const style =
    '<gpx_style:line><gpx_style:color>00dc18</gpx_style:color><gpx_style:opacity>0.7</gpx_style:opacity><gpx_style:width>2</gpx_style:width></gpx_style:line>';
  t.same(await lineOf(style), ['#00dc18', 7.56, 0.7], 'millimetres');
  t.same(await lineOf(style, 'https://gpx.studio'), ['#00dc18', 2, 0.7], 'pixels');
  t.same(await lineOf('<osmand:color>#80eecc22</osmand:color><osmand:width>bold</osmand:width>'), ['#eecc22', 6, 0.5]);
});

t.test('segments are lines of one name; empty ones do no harm', async (t) => {
  const points = (from: number): string => point('trkpt', from, '<time>2024-02-02</time>') + point('trkpt', from + 0.01);
  const content = `<trk><name>T</name><trkseg/><trkseg>${points(48.2)}</trkseg><trkseg>${points(48.3)}</trkseg></trk><trk><name>E</name><trkseg></trkseg></trk>`;
  const conversion = await convertText(gpx(content));
  t.same(
    bodiesOf(conversion).map(({ name }) => name),
    ['T', 'T'],
  );
  t.same(codesOf(conversion), ['no-place at element 2, E']);
  t.same(conversion.rows[0], ['T', '2024-02-02']);
});

t.test('what programs say about waypoints are columns', async (t) => {
  const content = `<ele>171</ele><time>2024-01-01</time><name>W</name><cmt>c</cmt><desc>&lt;b&gt;d&lt;/b&gt;</desc><sym>Flag</sym><type>t</type>
    <link href="https://x.at"><text>Site</text></link><url>http://y.at</url><urlname>Y</urlname>
    <extensions><gpxx:WaypointExtension><gpxx:DisplayMode>S</gpxx:DisplayMode><gpxx:Categories><gpxx:Category>A</gpxx:Category><gpxx:Category>B</gpxx:Category></gpxx:Categories></gpxx:WaypointExtension></extensions>`;
  const { columns, rows, popups } = await convertText(gpx(point('wpt', 48.2, content)));
  t.same(Object.fromEntries(columns.map(({ name }, i) => [name, rows[0]?.[i]])), {
    ...{
      name: 'W',
      ele: '171',
      time: '2024-01-01',
      sym: 'Flag',
      type: 't',
      url: 'http://y.at',
      urlname: 'Y',
      cmt: 'c',
      desc: 'd',
    },
    ...{ link: 'https://x.at', 'link text': 'Site', Category: 'A, B' },
  });
  t.equal(popups[0]?.body['content'], '<b>d</b>');
});

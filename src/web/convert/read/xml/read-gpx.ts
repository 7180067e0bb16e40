/** The tracks, routes and waypoints of GPX. */
import type { Item, Position, Shape } from '../file-data.ts';
import { lineOf } from './kml-geometry.ts';
import { cssColour, widthOf } from './kml-styles.ts';
import { type XmlFeature, XmlTexts } from './xml-texts.ts';
import type { XmlElement } from './xml-tree.ts';

/** Pixels of a millimetre, the unit of line widths in GPX. */
const pixelsPerMillimetre = 96 / 25.4;

/** Elements of extensions that say how something is drawn, or how another program showed it. */
const hidden =
  /^(?:DisplayColor|DisplayMode|IsAutoNamed|color|colou?r_?\w*|opacity|width|line|background|lsColorBase|lsWidth|lsUnits|lsColoringType|style|show_\w+|split_\w+|line_3d\w*|vertical_\w+|rpt|Subclass|points_groups|\w*coloring_type)$/i;

/** Names of Garmin's colours that CSS does not know or has otherwise. */
const garminColours: Readonly<Record<string, string>> = { green: '#00ff00', darkyellow: '#808000', darkgray: '#808080' };

/** Widths of OsmAnd, in pixels. */
const namedWidths: Readonly<Record<string, number>> = { thin: 2, medium: 4, bold: 6 };

/** Tracks, then routes, then waypoints. */
export function* gpxFeatures(root: XmlElement): Generator<XmlFeature> {
  // Its widths are pixels, whatever the schema says.
  const scale = /gpx\.studio/i.test(root.attribute('creator')) ? 1 : pixelsPerMillimetre;
  for (const track of root.all('trk')) {
    const segments = track.all('trkseg').map((segment) => pointsOf(segment, 'trkpt'));
    yield lineFeature(track, 'Track', segments, scale);
  }
  for (const route of root.all('rte')) yield lineFeature(route, 'Route', [pointsOf(route, 'rtept')], scale);
  for (const waypoint of root.all('wpt')) {
    const at = positionOf(waypoint);
    const shapes: Shape[] = at === undefined ? [] : [{ kind: 'point', at }];
    const { hex, opacity } = styleOf(waypoint, scale);
    const style = hex === undefined ? undefined : { color: hex, ...(opacity === undefined ? {} : { opacity }) };
    yield { texts: textsOf(waypoint), shapes, bad: at === undefined ? 1 : 0, style };
  }
}

interface Points {
  readonly positions: readonly Position[];
  /** Points whose place cannot be read. */
  readonly bad: number;
  readonly time: string | undefined;
}

function lineFeature(element: XmlElement, kind: string, segments: readonly Points[], scale: number): XmlFeature {
  const texts = textsOf(element, kind);
  texts.add('time', texts.values.get('time') ?? segments.find(({ time }) => time !== undefined)?.time);
  const filled = segments.filter(({ positions, bad }) => positions.length + bad > 0);
  const lines = filled.map(({ positions }) => lineOf(positions));
  const shapes = lines.filter((line) => line !== undefined);
  const bad = filled.reduce((sum, each) => sum + each.bad, 0) + lines.length - shapes.length;
  const { hex, opacity, width } = styleOf(element, scale);
  const style: Item['style'] = {
    ...(hex === undefined ? {} : { stroke_color: hex }),
    ...(opacity === undefined ? {} : { stroke_opacity: opacity }),
    ...(width === undefined ? {} : { stroke_width: width }),
  };
  return { texts, shapes, bad, style: Object.keys(style).length === 0 ? undefined : style };
}

/** The points of a segment or route, with those between the points of a route that Garmin's programs calculated. */
function pointsOf(parent: XmlElement, name: string): Points {
  const positions: Position[] = [];
  let bad = 0;
  let time: string | undefined;
  for (const point of parent.children) {
    if (point.name !== name) continue;
    const at = positionOf(point);
    if (at === undefined) bad++;
    else positions.push(at);
    time ??= point.textOf('time');
    const extensions = name === 'rtept' ? point.child('extensions') : undefined;
    const calculated = extensions?.child('RoutePointExtension');
    if (calculated !== undefined)
      positions.push(
        ...calculated
          .all('rpt')
          .map(positionOf)
          .filter((each) => each !== undefined),
      );
  }
  return { positions, bad, time };
}

function positionOf(point: XmlElement): Position | undefined {
  const [lng, lat] = ['lon', 'lat'].map((name) => degrees(point.attribute(name)));
  return lng === undefined || lat === undefined ? undefined : [lng, lat];
}

/** Degrees, also with a decimal comma. */
function degrees(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** @param kind the name of a line without a name */
function textsOf(element: XmlElement, kind?: string): XmlTexts {
  const texts = new XmlTexts();
  texts.add('name', element.textOf('name') ?? kind);
  for (const column of ['ele', 'time', 'sym', 'type', 'src', 'number', 'keywords', 'url', 'urlname'])
    texts.add(column, element.textOf(column));
  for (const column of ['cmt', 'desc']) texts.addContent(column, element.child(column)?.content());
  const links = element.all('link');
  texts.add('link', joined(links.map((link) => link.attribute('href') || link.textOf('href'))));
  texts.add('link text', joined(links.map((link) => link.textOf('text'))));
  for (const extensions of element.all('extensions')) texts.addElements(extensions, (name) => hidden.test(name));
  return texts;
}

const joined = (texts: readonly (string | undefined)[]): string => texts.filter((text) => text !== undefined).join(', ');

interface GpxStyle {
  readonly hex?: string | undefined;
  /** Left out if it is opaque. */
  readonly opacity?: number | undefined;
  /** In pixels. */
  readonly width?: number | undefined;
}

/** Colour and width in the extensions of an element: of Garmin, of the style schema of GPX, of OsmAnd and of Locus. */
function styleOf(element: XmlElement, scale: number): GpxStyle {
  let style: GpxStyle = {};
  const visit = (parent: XmlElement, depth: number): void => {
    for (const child of parent.children) {
      const name = child.name;
      const text = child.children.length === 0 ? child.content() : undefined;
      if (text === undefined && depth < 3) visit(child, depth + 1);
      else if (text !== undefined) style = { ...style, ...styleMember(name, text, parent.name === 'line' ? scale : 1) };
    }
  };
  for (const extensions of element.all('extensions')) visit(extensions, 0);
  return style;
}

function styleMember(name: string, text: string, scale: number): GpxStyle {
  if (name === 'DisplayColor' || name === 'color' || name === 'lsColorBase') {
    const colour = gpxColour(text);
    return colour === undefined ? {} : { hex: colour.hex, ...(colour.opacity < 1 ? { opacity: colour.opacity } : {}) };
  }
  if (name === 'opacity') {
    const opacity = widthOf(text);
    return opacity === undefined || opacity >= 1 ? {} : { opacity };
  }
  if (name !== 'width' && name !== 'lsWidth') return {};
  const width = namedWidths[text] ?? widthOf(text);
  return width === undefined || width === 0 ? {} : { width: Math.round(width * scale * 100) / 100 };
}

/** `rrggbb` or `aarrggbb`, also with `#`, or a name. */
function gpxColour(text: string): ReturnType<typeof cssColour> {
  const [, alpha, rgb] = /^#?([\da-f]{2})?([\da-f]{6})$/i.exec(text) ?? [];
  if (rgb !== undefined) return cssColour(`#${rgb}${alpha ?? ''}`);
  const name = text.toLowerCase();
  return name === 'transparent' ? undefined : cssColour(garminColours[name] ?? name);
}

/** Reads KML and GPX, which togeojson makes features of. */

import { gpxGen, kmlGen } from '@tmcw/togeojson';
import type { Document } from '@xmldom/xmldom';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';
import { ColumnNames, type FileData, type Item } from '../file-data.ts';
import { styleOf } from '../json/geojson-style.ts';
import { nameAt, shapesIn } from '../read-geojson.ts';
import { childElements, parseXml } from './parse-xml.ts';

const featuresMax = 100_000;

/** Properties that togeojson adds for styles, and series of one value per point of a track. */
const hidden = new Set(
  'styleUrl styleHash styleMapHash @geometry-type coordinateProperties visibility fill fill-opacity stroke stroke-opacity stroke-width icon icon-color icon-opacity icon-scale icon-offset icon-offset-units icon-heading label-color label-opacity label-scale links _gpxType'.split(
    ' ',
  ),
);

/** Names of GPX's lines without a name. */
const gpxKinds: Readonly<Record<string, string>> = { rte: 'Route', trk: 'Track' };

/** Elements of KML that have no place of their own. */
const unsupported = {
  NetworkLink: 'Links to other files (NetworkLink) are not followed: import those files as well.',
  GroundOverlay: 'Pictures on the ground (GroundOverlay) are left out.',
  PhotoOverlay: 'Photographs (PhotoOverlay) are left out.',
  ScreenOverlay: 'Pictures on the screen (ScreenOverlay) are left out.',
  Model: 'Three-dimensional models are left out.',
} as const;

export async function readKmlOrGpx(format: 'kml' | 'gpx', text: string, notes: Notes, slices: Slices): Promise<FileData> {
  const document = parseXml(text);
  if (format === 'kml') removeUnsupported(document, notes);
  else removePointTexts(document);
  const columns = new ColumnNames(notes);
  const items: Item[] = [];
  try {
    for (const feature of (format === 'kml' ? kmlGen : gpxGen)(document)) {
      if (items.length === featuresMax)
        throw new ConvertError('too-large', `The file has more than ${featuresMax} elements. Split it.`);
      const { geometry, id } = feature;
      const properties = (feature.properties ?? {}) as Record<string, unknown>;
      const kind = gpxKinds[String(properties['_gpxType'])];
      const named = kind === undefined ? properties : { name: kind, ...properties };
      const shown = Object.entries(named).filter(([name]) => !hidden.has(name));
      const values = columns.valuesOf(Object.fromEntries([...shown, ...(id === undefined ? [] : [['id', id]])].map(plainEntry)));
      const at = nameAt(items.length + 1, values);
      if (geometry === null) notes.leaveOut('no-place', at, 'It has no coordinates.');
      const style = styleOf(properties, true);
      const shapes = geometry === null ? [] : shapesIn(geometry, at, notes);
      items.push({ at, values, shapes, ...(style === undefined ? {} : { style }) });
      await slices.next(Math.min(0.99, items.length / 10_000));
    }
  } catch (error) {
    if (error instanceof ConvertError) throw error;
    throw new ConvertError(
      'unreadable',
      `Element ${items.length + 1} of the file cannot be read: ${String(error).slice(0, 200)}`,
    );
  }
  const names = columns.list();
  const description = names.find((name) => name === 'description' || name === 'desc');
  return {
    ...{ unit: 'degrees', items, columns: names, read: items.length },
    ...(description === undefined ? {} : { description }),
  };
}

function removeUnsupported(document: Document, notes: Notes): void {
  for (const [name, detail] of Object.entries(unsupported)) {
    const elements = [...document.getElementsByTagName(name)];
    if (elements.length > 0) notes.leaveOut('unsupported', name, detail);
    for (const element of elements) element.parentNode?.removeChild(element);
  }
}

/** Texts of the points of routes and tracks: togeojson would take the name of the first point for that of the route. */
function removePointTexts(document: Document): void {
  for (const point of ['rtept', 'trkpt'])
    for (const element of [...document.getElementsByTagName(point)])
      for (const child of [...childElements(element)])
        if (!['ele', 'time', 'extensions'].includes(child.localName ?? '')) element.removeChild(child);
}

/** A description in HTML becomes text: popups escape the values of columns. */
function plainEntry([name, value]: readonly unknown[]): readonly [string, unknown] {
  const isHtml = typeof value === 'object' && value !== null && (value as Record<string, unknown>)['@type'] === 'html';
  const text = isHtml ? String((value as Record<string, unknown>)['value']) : value;
  return [String(name), name === 'description' && typeof text === 'string' ? textOfHtml(text) : text];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const textOfHtml = (html: string): string =>
  html
    .replace(/<(?:br|\/p|\/div|\/tr|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name] as string)
    .trim();

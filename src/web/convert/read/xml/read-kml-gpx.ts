/** Reads KML and GPX: the items and columns that both have in common. */
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';
import { ColumnNames, type FileData, type Item } from '../file-data.ts';
import { badParts, nameAt } from '../read-geojson.ts';
import { gpxFeatures } from './read-gpx.ts';
import { kmlFeatures } from './read-kml.ts';
import type { XmlFeature } from './xml-texts.ts';
import { parseTree } from './xml-tree.ts';

const featuresMax = 100_000;

/** Elements whose content may be HTML, also as elements of the document. */
const html = { kml: new Set(['description', 'Snippet', 'snippet', 'text']), gpx: new Set(['desc', 'cmt']) } as const;

/** Columns of which the first is what popups show. */
const descriptions = ['description', 'desc', 'cmt', 'snippet'];

/**
 * @param isRead whether the file behind a link of the document is read, too
 * @throws {ConvertError} "unreadable", "refused" or "too-large" for a document that cannot be read
 */
export async function readKmlOrGpx(
  format: 'kml' | 'gpx',
  text: string,
  notes: Notes,
  slices: Slices,
  isRead: (address: string) => boolean = () => false,
): Promise<FileData> {
  const root = parseTree(text, { html: html[format], notes });
  const columns = new ColumnNames(notes);
  const items: Item[] = [];
  const folders = new Set<string>();
  for (const feature of format === 'kml' ? kmlFeatures(root, isRead, notes) : gpxFeatures(root)) {
    if (items.length === featuresMax)
      throw new ConvertError('too-large', `The file has more than ${featuresMax} elements. Split it.`);
    const item = itemOf(feature, items.length + 1, columns, notes);
    items.push(item);
    const folder = format === 'kml' ? item.values.get('folder') : undefined;
    if (folder !== undefined) folders.add(folder);
    await slices.next(Math.min(0.99, items.length / 10_000));
  }
  const names = columns.list();
  const description = descriptions.find((name) => names.includes(name));
  return {
    ...{ unit: 'degrees', items, columns: names, read: items.length },
    ...(description === undefined ? {} : { description }),
    ...(folders.size > 1 ? { category: 'folder' } : {}),
  };
}

function itemOf({ texts, shapes, bad, style, why }: XmlFeature, element: number, columns: ColumnNames, notes: Notes): Item {
  const values = columns.valuesOf(Object.fromEntries(texts.values));
  const at = nameAt(element, values);
  if (bad > 0) notes.leaveOut('bad-geometry', at, badParts(bad));
  else if (why !== undefined) notes.leaveOut('unsupported', at, why);
  else if (shapes.length === 0) notes.leaveOut('no-place', at, 'It has no coordinates.');
  if (texts.isCut) notes.add('description', at, 'Its description is longer than a popup may be: the end is left out.');
  return {
    ...{ at, values, shapes },
    ...(texts.contents.size === 0 ? {} : { contents: texts.contents }),
    ...(style === undefined ? {} : { style }),
  };
}

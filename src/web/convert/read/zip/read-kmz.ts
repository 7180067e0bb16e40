/** Reads a KMZ: its KML, those in the archive that it links to, and the pictures that they show. */
import type { Notes } from '../../notes.ts';
import { quoted } from '../../short-text.ts';
import type { Slices } from '../../slices.ts';
import type { FileData, Item } from '../file-data.ts';
import { readKmlOrGpx } from '../xml/read-kml-gpx.ts';
import { ArchivePictures, pathIn } from './archive-pictures.ts';
import type { Archive } from './zip-archive.ts';

/** Files of one archive that are linked to each other. */
const filesMax = 200;

/** @param file of the archive to begin with @param decode bytes of a file */
export async function readKmz(
  archive: Archive,
  file: string,
  decode: (bytes: Uint8Array) => string,
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  const names = new Set(archive.names.filter((name) => /\.kml$/i.test(name)));
  const pictures = new ArchivePictures(archive);
  const files = new Set([file]);
  const items: Item[] = [];
  const columns = new Set<string>();
  const found: { description?: string; category?: string } = {};
  // A set grows while it is read.
  for (const each of files) {
    const isInside = (address: string): boolean => {
      const name = pathIn(address, each).find((path) => names.has(path));
      if (name !== undefined && files.size < filesMax) files.add(name);
      return name !== undefined && files.has(name);
    };
    const data = await readKmlOrGpx('kml', decode(archive.read(each)), notes, slices, isInside);
    items.push(...pictures.marked(data.items, each));
    for (const column of data.columns) columns.add(column);
    const { description, category } = data;
    Object.assign(found, description === undefined ? {} : { description }, category === undefined ? {} : { category });
  }
  const others = [...names].filter((name) => !files.has(name));
  const detail = `${quoted([file])} of the archive was read; no link leads to: ${quoted(others)}. Unpack it, and import them one by one.`;
  if (others.length > 0) notes.leaveOut('layers', '', detail);
  return { unit: 'degrees', items, columns: [...columns], read: items.length, ...found, ...pictures.members(notes) };
}

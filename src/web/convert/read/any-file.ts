/** Reads a file of any format: its content decides which one, and the reader of that is a part that is loaded for the first file. */
import type { ConvertOptions, Format, TargetArtboard } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import type { Slices } from '../slices.ts';
import { decodeText } from './decode-text.ts';
import type { FileData } from './file-data.ts';
import { recognizeBytes, recognizeText } from './recognize-format.ts';
import type { Opened } from './zip/open-archive.ts';

/** Facts that reading depends on, besides the options. */
export interface Reading {
  /** True if exported objects go to an equal artboard: then their pixels apply. */
  isTarget(artboard: TargetArtboard): boolean;
  /** Pixels of a picture of this size between a curve and the lines that it becomes, at most. */
  toleranceFor(size: FileData['size']): number;
}

export interface ReadFile {
  readonly format: Format;
  readonly data: FileData;
}

/** @throws {ConvertError} for a file that cannot be read */
export async function readAnyFile(
  bytes: Uint8Array,
  options: ConvertOptions,
  reading: Reading,
  notes: Notes,
  slices: Slices,
): Promise<ReadFile> {
  if (recognizeBytes(bytes, options.encoding) === 'zip') {
    const { openArchive } = await import('./zip/open-archive.ts');
    return await readArchive(bytes, openArchive(bytes, notes), options, reading, notes, slices);
  }
  const text = textOf(bytes, options, notes);
  const format = recognizeText(text);
  return { format, data: await readText(format, text, options, reading, notes, slices) };
}

const textOf = (bytes: Uint8Array, { encoding }: ConvertOptions, notes: Notes): string =>
  decodeText(bytes, encoding, notes).replace(/^\ufeff/, '');

async function readArchive(
  bytes: Uint8Array,
  opened: Opened,
  options: ConvertOptions,
  reading: Reading,
  notes: Notes,
  slices: Slices,
): Promise<ReadFile> {
  const { archive } = opened;
  if (opened.format === 'xlsx') {
    const { readXlsx } = await import('./zip/read-xlsx.ts');
    return {
      format: opened.format,
      data: await readXlsx(bytes, archive, options.layer, options.mapping ?? {}, takesOf(options), notes),
    };
  }
  if (opened.format === 'shapefile') {
    const [{ shapefileLayer }, { readFeatures }] = await Promise.all([
      import('./zip/read-shapefile.ts'),
      import('./read-geojson.ts'),
    ]);
    const layer = await shapefileLayer(archive, options.layer, options.encoding, notes);
    return { format: opened.format, data: await readFeatures(layer, reading.isTarget, notes, slices) };
  }
  const { file } = opened;
  const decode = (inner: Uint8Array): string => {
    recognizeBytes(inner, options.encoding);
    return textOf(inner, options, notes);
  };
  if (opened.format === 'kmz') {
    const { readKmz } = await import('./zip/read-kmz.ts');
    return { format: opened.format, data: await readKmz(archive, file, decode, notes, slices) };
  }
  const text = decode(archive.read(file));
  const found = recognizeText(text);
  return { format: found, data: await readText(found, text, options, reading, notes, slices) };
}

/** Where a table may have pixels, and degrees. */
const takesOf = ({ artboard }: ConvertOptions) => ({
  isMap: artboard === undefined || artboard.type === 'osm',
  takesPixels: artboard !== undefined && (artboard.type !== 'osm' || artboard.isNew === true),
});

async function readText(
  format: Format,
  text: string,
  options: ConvertOptions,
  { isTarget, toleranceFor }: Reading,
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  switch (format) {
    case 'csv': {
      const { readCsv } = await import('./csv/read-csv.ts');
      return await readCsv(text, options.mapping ?? {}, takesOf(options), notes, slices);
    }
    case 'json': {
      const [{ recordRows }, { readRows }] = await Promise.all([import('./json/json-records.ts'), import('./csv/read-csv.ts')]);
      return readRows(recordRows(text, notes), 'point', options.mapping ?? {}, takesOf(options), notes);
    }
    case 'wkt': {
      const { readWkt } = await import('./read-wkt.ts');
      return await readWkt(text, notes, slices);
    }
    case 'kml':
    case 'gpx': {
      const { readKmlOrGpx } = await import('./xml/read-kml-gpx.ts');
      return await readKmlOrGpx(format, text, notes, slices);
    }
    case 'svg': {
      const { readSvg } = await import('./svg/read-svg.ts');
      return await readSvg(text, toleranceFor, notes, slices);
    }
    default: {
      const [{ featuresIn }, { readFeatures }] = await Promise.all([
        import('./json/json-features.ts'),
        import('./read-geojson.ts'),
      ]);
      return await readFeatures(featuresIn(format, text, options.layer, notes), isTarget, notes, slices);
    }
  }
}

/** Which format a file has, by its content. */
import { ConvertError, type Format } from '../conversion.ts';

/** Beginnings of files that people try, with the remedy. */
const binaries: readonly (readonly [bytes: string, message: string])[] = [
  [
    'PK\u0003\u0004',
    'The file is a ZIP archive, such as a spreadsheet (.xlsx), a KMZ or a shapefile. Save the spreadsheet as CSV, or unpack the archive and import the KML in it.',
  ],
  ['\u001f\u008b', 'The file is compressed with gzip. Unpack it first.'],
  ['%PDF', 'The file is a PDF. Open it in a drawing program such as Inkscape and save it as SVG.'],
  ['\u0089PNG', 'The file is a picture (PNG). Use it as the background of an artboard instead.'],
  ['ÿØÿ', 'The file is a picture (JPEG). Use it as the background of an artboard instead.'],
  ['SQLite format 3', 'The file is a database, such as a GeoPackage. Export its layer as GeoJSON.'],
  ['ÐÏ\u0011à', 'The file is an old spreadsheet (.xls). Save it as CSV.'],
];

const wkt =
  /^\s*(?:SRID=\d+\s*;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)|^\s*(?:SRID=\d+\s*;\s*)?GEOMETRYCOLLECTION\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)/i;

/** @throws {ConvertError} "unreadable" for bytes that are no text */
export function refuseBinary(bytes: Uint8Array): void {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  const known = binaries.find(([start]) => head.startsWith(start));
  if (known !== undefined) throw new ConvertError('unreadable', known[1]);
  const isUtf16 = head.startsWith('ÿþ') || head.startsWith('þÿ');
  if (!isUtf16 && bytes.subarray(0, 4096).includes(0))
    throw new ConvertError('unreadable', 'The file is not text. Formats that can be imported: GeoJSON, WKT, KML, GPX, SVG, CSV.');
}

/** @throws {ConvertError} "unreadable" for a document of another kind */
export function recognizeFormat(text: string): Format {
  const start = text.slice(0, 4096).trimStart();
  if (start === '') throw new ConvertError('unreadable', 'The file is empty.');
  if (start.startsWith('{') || start.startsWith('[')) return 'geojson';
  if (start.startsWith('<')) return xmlFormat(text);
  if (wkt.test(start)) return 'wkt';
  return 'csv';
}

function xmlFormat(text: string): Format {
  // Declarations, comments and a document type may stand before the root element.
  const root = /<(?![?!])(?:[\w.-]+:)?([\w.-]+)/.exec(text.slice(0, 16_384).replace(/<!--[\s\S]*?-->/g, ''))?.[1];
  if (root === 'kml' || root === 'gpx' || root === 'svg') return root;
  const what = root === undefined ? 'no element' : `a document <${root.slice(0, 40)}>`;
  throw new ConvertError('unreadable', `The file has ${what}. XML can be imported as <kml>, <gpx> or <svg>.`);
}

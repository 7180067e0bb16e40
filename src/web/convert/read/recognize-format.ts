/** Recognizes what a file is: its content decides, in one place. */
import { ConvertError, type Format } from '../conversion.ts';
import { formatNames } from '../format-names.ts';
import { shortened } from '../short-text.ts';
import { utf16Of } from './decode-text.ts';
import { isObject, type Json, jsonText, parseJson } from './json/json-value.ts';
import { TopLevel } from './json/top-level.ts';

const asGeoJson = (file: string): string =>
  `Export its layer as GeoJSON, for example with: ogr2ogr -t_srs EPSG:4326 layer.geojson ${file}`;
const asDrawing = 'Open it in a CAD program, for example LibreCAD or QCAD, or in Inkscape, and save it as SVG.';
const asPicture = 'Use it as the background of an artboard instead.';

/** Bytes of files that people try, as Latin-1 from a place on, with what they are and the way out. */
const binaries: readonly (readonly [at: number, starts: readonly string[], what: string])[] = [
  [0, ['\u001f\u008b'], 'compressed with gzip. Unpack it first.'],
  [
    0,
    ['%PDF'],
    'a PDF. For a background, save its page as PNG, for example with: pdftoppm -png -r 150 plan.pdf plan. For shapes, open it in Inkscape and save it as SVG.',
  ],
  [0, ['\u0089PNG'], `a picture (PNG). ${asPicture}`],
  [0, ['ÿØÿ'], `a picture (JPEG). ${asPicture}`],
  [0, ['GIF8'], `a picture (GIF). ${asPicture}`],
  [8, ['WEBP'], `a picture (WebP). ${asPicture}`],
  [4, ['ftypavif', 'ftypavis'], `a picture (AVIF). ${asPicture}`],
  [
    4,
    ['ftyphei', 'ftyphev', 'ftypmif1', 'ftypmsf1'],
    'a picture (HEIC), which browsers do not show. Save it as JPEG, and use that as the background of an artboard.',
  ],
  [
    0,
    ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'],
    'a picture (TIFF), which browsers do not show. Save it as PNG, and use that as the background of an artboard.',
  ],
  [4, ['ftyp'], 'a film (MP4), which has no places.'],
  [0, ['8BPS'], 'a picture (PSD). Save it as PNG, and use that as the background of an artboard.'],
  [4, ['\n\tOSMHeader'], `data of OpenStreetMap (PBF). ${asGeoJson('map.osm.pbf points')}`],
  [0, ['{\\rtf'], 'a document (RTF). Copy its table into a spreadsheet, and save that as .xlsx or CSV.'],
  [0, ['%!PS'], 'a drawing (PostScript). Open it in Inkscape, and save it as SVG.'],
  [0, ['AC10'], `a drawing (DWG). ${asDrawing}`],
  [0, ['AutoCAD Binary DXF'], `a drawing (DXF). ${asDrawing}`],
  [0, ["\0\0'\n"], 'the .shp of a shapefile alone. Put its .shp, .shx, .dbf, .prj and .cpg into one ZIP file, and import that.'],
  [0, ['fgb\u0003fgb'], `a FlatGeobuf. ${asGeoJson('layer.fgb')}`],
  [0, ['SQLite format 3'], `a database, such as a GeoPackage. ${asGeoJson('file.gpkg LAYER')}`],
  [0, ['ÐÏ\u0011à'], 'an old spreadsheet (.xls). Save it as .xlsx or CSV.'],
  [0, ['Rar!', '7z¼¯'], 'an archive (RAR or 7z). Unpack it, and import the file in it.'],
  [0, ['PAR1', 'ARROW1'], `a table in columns (Parquet or Arrow). ${asGeoJson('layer.parquet')}`],
];

/** Files of text that are no format of the converter. @param head its first characters */
function refuseText(head: string): void {
  if (/^\s*0\s*\r?\n\s*SECTION\s*\r?\n/.test(head) || /^\s*999\s*\r?\n/.test(head)) throw cannot(`a drawing (DXF). ${asDrawing}`);
  if (/^\s*(?:<!DOCTYPE html|<html|<head|<body)/i.test(head))
    throw cannot('a web page (HTML), perhaps of a sign-in or an error: download the file itself.');
}

const cannot = (what: string): ConvertError => new ConvertError('unreadable', `The file is ${what}`);

const wkt =
  /^\s*(?:SRID=\d+\s*;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)|^\s*(?:SRID=\d+\s*;\s*)?GEOMETRYCOLLECTION\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)/i;

/** @param encoding of a text, if it is known @returns whether the file is a ZIP archive @throws {ConvertError} "unreadable" for other bytes that are no text */
export function recognizeBytes(bytes: Uint8Array, encoding: string | undefined): 'zip' | 'text' {
  const head = String.fromCharCode(...bytes.subarray(0, 64));
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')) return 'zip';
  const [, , what] = binaries.find(([at, starts]) => starts.some((start) => head.startsWith(start, at))) ?? [];
  if (head.startsWith('ÐÏ') && new TextDecoder('utf-16le').decode(bytes).includes('EncryptedPackage'))
    throw cannot('a document with a password. Save it without one, or as CSV.');
  if (what !== undefined) throw cannot(what);
  const isWide = ['ÿþ', 'þÿ'].some((start) => head.startsWith(start)) || utf16Of(bytes) !== undefined;
  const isBinary = encoding === undefined && !isWide && bytes.subarray(0, 4096).includes(0);
  if (isBinary && head.startsWith('BM'))
    throw cannot('a picture (BMP). Save it as PNG, and use that as the background of an artboard.');
  if (isBinary && isTable(bytes))
    throw cannot(
      'a table (.dbf), perhaps of a shapefile, whose places are in its .shp. Put its .shp, .shx, .dbf, .prj and .cpg into one ZIP file, and import that. A table with columns of places can be saved as CSV.',
    );
  if (isBinary)
    throw new ConvertError(
      'unreadable',
      `The file is not text. Formats that can be imported: ${Object.values(formatNames).join(', ')}.`,
    );
  return 'text';
}

/** Versions of dBASE, then a day, and the bytes before the rows: 32 per column, and the end. */
function isTable(bytes: Uint8Array): boolean {
  const [version = 0, , month = 0, day = 0] = bytes;
  const head = (bytes[8] ?? 0) + 256 * (bytes[9] ?? 0);
  return [0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5].includes(version) && month <= 12 && day <= 31 && head > 32 && head < bytes.length;
}

/** @throws {ConvertError} "unreadable" for a document of another kind */
export function recognizeText(whole: string): Format {
  const text = whole.trimStart();
  const start = text.slice(0, 4096);
  if (start === '') throw new ConvertError('unreadable', 'The file is empty.');
  if (['{', '[', '\u001e'].includes(start.charAt(0))) return jsonFormat(text);
  refuseText(start);
  // Some programs write a line before the document.
  if (start.startsWith('<') || /<\?xml\s/.test(start)) return xmlFormat(text);
  return wkt.test(start) ? 'wkt' : 'csv';
}

/** Characters of a JSON text that are looked at in one step. */
const pieceLength = 1 << 16;

const geoJsonTypes = /^(?:FeatureCollection|Feature|GeometryCollection)$/i;
const geometryTypes = /^(?:Multi)?(?:Point|LineString|Polygon)$/;

function jsonFormat(text: string): Format {
  const top = new TopLevel();
  const { members } = top;
  // The type of most files is at their beginning.
  for (let at = 0; at < text.length && members.get('type') !== 'FeatureCollection'; at += pieceLength)
    top.write(text.slice(at, at + pieceLength));
  const type = members.get('type') ?? '';
  const has = (...names: string[]): boolean => names.every((name) => members.has(name));
  if (top.isProject)
    throw new ConvertError(
      'unreadable',
      'The file is an exported project. Import it as a project: on the list of projects, or without --into.',
    );
  const isMany = top.isList || top.isSequence;
  const isGeo = geoJsonTypes.test(type) || geometryTypes.test(type) || has('geometry', 'properties');
  if (isGeo || isUntypedGeoJson(text, members)) return top.isSequence ? 'geojsonl' : 'geojson';
  if (isMany && members.size > 0) return 'json';
  if (type === 'Topology') return 'topojson';
  if (type === 'umap') return 'umap';
  if (has('elements')) return 'overpass';
  if (has('features') || has('attributes', 'geometry')) return 'esrijson';
  if ((has('layers') || has('featureCollection')) && /"featureSet"\s*:/.test(text)) return 'esrijson';
  refuseAnswer(text, members);
  const names = [...members.keys()].slice(0, 10).map((name) => `"${name.slice(0, 40)}"`);
  const what = type === '' ? `the members ${names.join(', ') || 'of no object'}` : `the type "${type.slice(0, 40)}"`;
  throw new ConvertError(
    'unreadable',
    `The file is JSON with ${what}: none of GeoJSON, TopoJSON, EsriJSON, Overpass, uMap and exported projects. Export it as GeoJSON.`,
  );
}

/** True for features of GeoJSON in an object without a type, or with one of its own: their beginning says it. */
function isUntypedGeoJson(text: string, members: ReadonlyMap<string, string>): boolean {
  if (!members.has('features') || members.has('spatialReference') || members.get('type') === 'umap') return false;
  const start = text.slice(text.indexOf('"features"'), text.indexOf('"features"') + 4096);
  return !start.includes('"attributes"') && /"type"\s*:\s*"Feature"|"coordinates"\s*:/i.test(start);
}

/** Characters of an answer that is an error. */
const answerMax = 100_000;

/** A service that has no data says why. */
function refuseAnswer(text: string, members: ReadonlyMap<string, string>): void {
  if (!members.has('error') || text.length > answerMax) return;
  const { error } = parseJson(text) as Json;
  const message = isObject(error) ? (jsonText(error['message']) ?? jsonText(error['details'])) : jsonText(error);
  if (message !== undefined)
    throw cannot(`an error of a service: "${shortened(message, 200)}" Correct the request, and save its answer.`);
}

/** Documents of XML that people try, by their root elements, with what they are and the way out. */
const documents = new Map([
  [
    'TrainingCenterDatabase',
    'a training of Garmin (TCX). Convert it to GPX, for example with: gpsbabel -i gtrnctr -f track.tcx -o gpx -F track.gpx',
  ],
  [
    'osm',
    'data of OpenStreetMap (OSM XML). Export it as GeoJSON on overpass-turbo.eu, or with: osmtogeojson map.osm > map.geojson',
  ],
  ['FeatureCollection', `a document of GML. ${asGeoJson('layer.gml')}`],
  ['rss', 'a feed (RSS). If it has places (GeoRSS), convert it: ogr2ogr layer.geojson feed.xml'],
  ['feed', 'a feed (Atom). If it has places (GeoRSS), convert it: ogr2ogr layer.geojson feed.xml'],
]);

function xmlFormat(text: string): Format {
  // Declarations, comments and a document type may stand before the root element.
  const root = /<(?![?!])(?:[\w.-]+:)?([\w.-]+)/.exec(text.slice(0, 16_384).replace(/<!--[\s\S]*?-->/g, ''))?.[1];
  if (root === 'kml' || root === 'gpx' || root === 'svg') return root;
  if (root === 'Document' || root === 'Folder' || root === 'Placemark') return 'kml';
  const known = documents.get(root ?? '');
  if (known !== undefined) throw cannot(known);
  const what = root === undefined ? 'no element' : `a document <${root.slice(0, 40)}>`;
  throw new ConvertError('unreadable', `The file has ${what}. XML can be imported as <kml>, <gpx> or <svg>.`);
}

/** Recognizes archives: a spreadsheet, a KMZ, a shapefile, or one file of another format. */
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { quoted } from '../../short-text.ts';
import { Archive } from './zip-archive.ts';

export type Opened =
  | { readonly format: 'xlsx'; readonly archive: Archive }
  | { readonly format: 'shapefile'; readonly archive: Archive }
  /** `file`: its content is recognized as that of a file alone. */
  | { readonly format: 'kmz' | undefined; readonly archive: Archive; readonly file: string };

/** Files of other formats, which are packed to send them. */
const readable = /\.(?:geojson|json|geojsonl|ndjson|topojson|umap|gpx|svg|csv|tsv|txt|wkt)$/i;

/** Archives that are something else, by a file in them. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^word\/document\.xml$/, 'a document (.docx). Copy its table into a spreadsheet, and save that as .xlsx or CSV.'],
  [/^ppt\/presentation\.xml$/, 'a presentation (.pptx). Export its page as SVG or PNG.'],
  [
    /\.gdb\/|\.gdbtable$/,
    'a file geodatabase. Export its layer as GeoJSON, for example with: ogr2ogr -t_srs EPSG:4326 layer.geojson folder.gdb LAYER',
  ],
  [/^(?:visio\/|.*\.vsdx$)/, 'a drawing of Visio (.vsdx). Save it as SVG.'],
  [/\.qgs$/, 'a project of QGIS, which has no data. Export its layer as GeoJSON.'],
  [/\.(?:zip|kmz|xlsx)$/i, 'an archive of archives. Unpack it, and import the files in it one by one.'],
];

/** Texts that people pack beside their data. */
const aboutData =
  /(?:^|\/)[^/]*(?:read.?me|licen[cs]e|lizenz|copy(?:ing|right)|notice|about|terms|metadata|liesmich|lisez)[^/]*$/i;

/** @throws {ConvertError} "unreadable" if nothing in it can be imported; notes texts beside the data */
export function openArchive(bytes: Uint8Array, notes: Notes): Opened {
  const archive = new Archive(bytes);
  const { names } = archive;
  if (names.includes('xl/workbook.xml') || names.some((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name)))
    return { format: 'xlsx', archive };
  if (names.some((name) => /\.shp$/i.test(name))) return { format: 'shapefile', archive };
  // Others are what its network links lead to.
  const kml = names.find((name) => /^doc\.kml$/i.test(name)) ?? names.find((name) => /\.kml$/i.test(name));
  if (kml !== undefined) return { format: 'kmz', archive, file: kml };
  if (names.includes('content.xml') && names.includes('mimetype'))
    throw new ConvertError(
      'unreadable',
      'The file is a document of OpenDocument (.ods, .odt). Save the spreadsheet as .xlsx or CSV.',
    );
  const found = names.filter((name) => readable.test(name));
  const files = dataOf(found);
  const [file] = files;
  const unread = found.filter((name) => name !== file && !aboutData.test(name));
  if (files.length === 1 && unread.length > 0)
    notes.leaveOut('layers', '', `"${file}" of the archive was read; texts beside it are not: ${quoted(unread)}.`);
  if (file !== undefined && files.length === 1) return { format: undefined, archive, file };
  if (files.length > 1)
    throw new ConvertError(
      'unreadable',
      `The archive has several files: ${quoted(files)}. Unpack it, and import them one by one.`,
    );
  const [, what] = others.find(([name]) => names.some((each) => name.test(each))) ?? [];
  if (what !== undefined) throw new ConvertError('unreadable', `The file is ${what}`);
  throw new ConvertError('unreadable', `The archive has no file that can be imported. It has: ${quoted(names) || 'nothing'}.`);
}

/** The files that are data: texts only if there is nothing else. */
function dataOf(files: readonly string[]): readonly string[] {
  const isText = (name: string): boolean => /\.txt$/i.test(name);
  const steps = [files.filter((name) => !isText(name)), files.filter((name) => !aboutData.test(name)), files];
  return steps.find(({ length }) => length > 0) ?? [];
}

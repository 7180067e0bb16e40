/**
 * `mapwright import`: creates projects on a running server from exported files, or objects of an artboard from files of other programs. With
 * --into, a file is always one of the latter; else its content decides.
 */
import fs from 'node:fs';
import type { GivenMapping } from '../../../web/convert/converter.ts';
import { TopLevel } from '../../../web/convert/read/json/top-level.ts';
import { ApiClient, clientOptions, needsKey } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { standardInput } from '../../arguments.ts';
import { command } from '../../command-declaration.ts';
import { commandOutlines } from '../../command-outlines.ts';
import { jsonOption, numberFrom, optionalText, UsageError } from '../../option-parsing.ts';
import { inputName, withInput } from '../../output/stdin.ts';
import { printJson } from '../../output/stdout.ts';
import { exportedFiles } from '../export/export-folder.ts';
import { importFiles } from './import-documents.ts';
import { type ImportPlacesOptions, importPlaces } from './import-places.ts';
import { isEmpty, printReport } from './import-report.ts';
import { categoryFrom, fieldsFrom, mappingFrom } from './map-option.ts';

/** For files of other programs. */
const placesOptions = {
  into: optionalText('into', 'The project that gets the objects: identifier or exact name; by default a new one'),
  artboard: optionalText('artboard', 'Its artboard: identifier or exact name; by default the only one'),
  map: optionalText('map', 'Columns: name=title,color=sales:viridis,radius=staff; or @FILE with a mapping of the console'),
  category: optionalText(
    'category',
    'The column whose values become categories with colours: Type, Type:pastel; auto finds it, none forgets it',
  ),
  fields: optionalText(
    'fields',
    'Columns that visitors see, with kind and places: "Opening hours,Website:link,Phone:telephone:popup+list"; all, none',
  ),
  match: optionalText('match', 'The column that finds the same objects again in the next import'),
  missing: {
    choices: ['keep', 'delete'],
    default: 'keep',
    describe: 'What happens to objects that the file no longer has, with --match',
  },
  'popup-title': optionalText('popup-title', 'Heading of the popups, with columns in braces: "{title}"'),
  'popup-content': optionalText('popup-content', 'HTML of the popups: "<b>{street}</b>, {city}"'),
  placement: {
    choices: ['keep', 'centre', 'fit', 'pixels'],
    defaultDescription: 'keep on a map, fit elsewhere, pixels for pictures',
    describe: 'Where the data goes; centre moves the map to it',
  },
  layer: optionalText(
    'layer',
    'The sheet of a spreadsheet, or the layer of a TopoJSON or of shapefiles; by default the first one',
  ),
  encoding: optionalText('encoding', 'The encoding of the text, such as windows-1251; by default it is recognized'),
  'swap-axes': { type: 'boolean', default: false, describe: 'Exchange latitude and longitude' },
  'line-width': {
    type: 'number',
    defaultDescription: '2',
    describe: 'Width of lines that have none in the file, in pixels; 0 leaves all lines out',
    coerce: (value: number | undefined) => (value === undefined ? undefined : numberFrom(0, 1000, 'line-width')(value)),
  },
  'dry-run': { type: 'boolean', default: false, describe: 'Say what an import would do, and write nothing' },
} as const;

export const importCommand = command({
  ...commandOutlines.import,
  positionals: {
    files: { type: 'string', array: true, describe: 'Files, or folders of export --all; - for standard input' },
  },
  options: { ...placesOptions, ...clientOptions, ...jsonOption },
  examples: [
    ['import harbour.mapwright.json', 'an exported project, as a new project'],
    ['import maps', 'all projects in an exported folder, in order'],
    ['import shops.csv --map name=title,color=sales:viridis', 'a spreadsheet as a new map'],
    ['import shops.csv --category Type --fields "Opening hours,Website:link,Phone"', 'with filters and details, without HTML'],
    ['import shops.xlsx --layer "Sheet 2" --dry-run', 'another sheet; says what would become of it'],
    ['import shops.csv --into Shops --match id --missing delete', 'the same shops again, with what has changed'],
    ['import - --url https://maps.example', 'the output of another program'],
  ],
  needs: needsKey,
  notes:
    'Formats of other programs: CSV, XLSX, GeoJSON, TopoJSON, EsriJSON, Overpass JSON, uMap, KML, KMZ, GPX, WKT, SVG, and shapefiles in a ZIP file. A row or element that cannot be imported is reported and left out.',
  async handler(args) {
    const { files: names = [], url, key, json, into } = args;
    if (names.length === 0)
      throw new UsageError('No file given. Run npx mapwright import FILE, or name a folder of export --all.');
    if (names.filter((name) => name === standardInput).length > 1)
      throw new UsageError('Standard input can be read only once: give - only once.');
    const client = new ApiClient({ url, key });
    const [first = '', ...others] = names;
    if (into === undefined && !(await isOfOtherProgram(first))) {
      // Finds missing files before the first one is sent.
      const files = names.flatMap((name) => (name === standardInput ? [name] : exportedFiles([name])));
      await importFiles(client, files, json);
      return;
    }
    if (others.length > 0)
      throw new UsageError('Import files of other programs one by one: each has columns, and perhaps an artboard, of its own.');
    const options = optionsFrom(args);
    const report = await importPlaces(client, first, options);
    if (json) printJson(report);
    else await printReport(report, options);
    if (isEmpty(report)) throw new ApiError(`${inputName(first)} has nothing that can be imported. Nothing was written.`);
  },
});

type PlacesArguments = Readonly<
  Record<'into' | 'artboard' | 'map' | 'category' | 'fields' | 'match' | 'popupTitle' | 'popupContent', string | undefined> &
    Record<'layer' | 'encoding', string | undefined> &
    Record<'swapAxes' | 'dryRun', boolean>
> & {
  readonly missing: string;
  readonly placement: string | undefined;
  readonly lineWidth: number | undefined;
};

function optionsFrom(args: PlacesArguments): ImportPlacesOptions {
  const {
    into,
    artboard,
    map,
    category,
    fields,
    match,
    missing,
    popupTitle,
    popupContent,
    placement,
    layer,
    encoding,
    swapAxes,
    lineWidth,
    dryRun,
  } = args;
  if (artboard !== undefined && into === undefined)
    throw new UsageError('--artboard needs --into PROJECT. Without it, the file becomes a new project.');
  const mapping: GivenMapping = {
    ...(map === undefined ? {} : mappingFrom(map)),
    ...(category === undefined ? {} : { category: categoryFrom(category) }),
    ...(fields === undefined ? {} : { fields: fieldsFrom(fields) }),
    ...(match === undefined ? {} : { key: match }),
    ...(popupTitle === undefined ? {} : { popupTitle }),
    ...(popupContent === undefined ? {} : { popupContent }),
  };
  if (missing === 'delete' && mapping.key === undefined)
    throw new UsageError('--missing delete needs --match COLUMN, which finds the objects of the last import.');
  return {
    ...{ into, artboard, mapping, dryRun, swapAxes, missing: missing as ImportPlacesOptions['missing'] },
    ...(placement === undefined ? {} : { placement: placement as NonNullable<ImportPlacesOptions['placement']> }),
    ...(lineWidth === undefined ? {} : { lineWidth }),
    ...(layer === undefined ? {} : { layer }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

/** Bytes that are read in one step. */
const pieceBytes = 256 * 1024;

/** True for a file that is no exported project, by its content. Folders and missing files are taken for one. */
async function isOfOtherProgram(file: string): Promise<boolean> {
  if (file !== standardInput && fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return await withInput(file, (fd) => {
    const top = new TopLevel();
    const piece = Buffer.alloc(pieceBytes);
    for (let at = 0; ; ) {
      const bytes = fs.readSync(fd, piece, 0, pieceBytes, at);
      const text = piece.toString('latin1', 0, bytes);
      if (bytes === 0 || (at === 0 && !/^(?:\u00ef\u00bb\u00bf)?\s*[{[]/.test(text))) return !top.isProject;
      top.write(text);
      if (top.isProject) return false;
      at += bytes;
    }
  });
}

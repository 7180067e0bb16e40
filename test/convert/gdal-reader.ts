/** Reads a file with GDAL (ogrinfo, ogr2ogr): how many features have a geometry, and the places of their corners. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Conversion, Format } from '../../src/web/convert/conversion.ts';

/** Longitude and latitude in degrees; other units if the file does not say which. */
export type Corner = readonly [lng: number, lat: number];

/** The findings of a reader in a file. */
export interface Found {
  /** Elements with a geometry. */
  readonly elements: number;
  readonly corners: readonly Corner[];
}

const mostBytes = 2 ** 30;
/** Names of columns, as far as GDAL does not know them: it guesses none. */
const columnOptions = [
  'X_POSSIBLE_NAMES=lon*,lng*,*longitude*,*_lon,*_lng,x',
  'Y_POSSIBLE_NAMES=lat*,*latitude*,*_lat,y',
  'GEOM_POSSIBLE_NAMES=wkt*,geom*,the_geom*',
].flatMap((option) => ['-oo', option]);

/** @throws {Error} if GDAL is not installed */
export function checkGdal(): void {
  const missing = ['ogrinfo', 'ogr2ogr'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} not found: install GDAL, for example the package gdal-bin.`);
}

/**
 * Reads the part of a file that the converter reads: all layers of KML and GPX, of other formats the one that the converter chose.
 *
 * @param conversion undefined: the converter refused the file
 * @throws {Error} with the words of GDAL, if it cannot read the file
 */
export function readWithGdal(file: string, conversion: Conversion | undefined): Found {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'against-gdal-'));
  try {
    const source = sourceOf(file, folder);
    const layers = chosenLayers(layersOf(source), conversion);
    const found = layers.map((layer) => readLayer(source, layer, conversion));
    return { elements: found.reduce((sum, { elements }) => sum + elements, 0), corners: found.flatMap(({ corners }) => corners) };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** The name under which GDAL opens a file. WKT, which GDAL reads in tables only, becomes a table in the folder. */
function sourceOf(file: string, folder: string): string {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.zip') return `/vsizip/${path.resolve(file)}`;
  if (ending !== '.wkt') return file;
  const geometries = fs
    .readFileSync(file, 'utf8')
    .trim()
    .split(/\r?\n(?=[A-Z])/);
  const table = path.join(folder, 'table.csv');
  fs.writeFileSync(
    table,
    ['number,WKT', ...geometries.map((text, i) => `${i},"${text.replaceAll(/\s+/g, ' ')}"`), ''].join('\n'),
  );
  return table;
}

/** The words of GDAL about a failure, without its names of programs. */
const failure = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);

function layersOf(source: string): string[] {
  const { status, stdout, stderr } = spawnSync('ogrinfo', ['-q', '-ro', source], { encoding: 'utf8', maxBuffer: mostBytes });
  const layers = [...stdout.matchAll(/^\d+: (.*?)(?: \([\w ,]+\))?$/gm)].map((match) => match[1] as string);
  if (status !== 0 || layers.length === 0) throw new Error(failure(stderr) || 'no layers');
  return layers;
}

/** Formats whose layers are all read: layers of GPX that repeat the points of lines are not. */
const readWhole: readonly Format[] = ['kml', 'kmz', 'gpx'];

function chosenLayers(layers: readonly string[], conversion: Conversion | undefined): readonly string[] {
  if (conversion === undefined) return layers.slice(0, 1);
  if (readWhole.includes(conversion.format)) return layers.filter((name) => !/^(?:route|track)_points$/.test(name));
  return [layers.find((name) => name === conversion.layer) ?? (layers[0] as string)];
}

/** Options of ogr2ogr that read a layer. A spreadsheet has no places for GDAL: it makes them of the columns of the conversion. */
function layerOptions(source: string, layer: string, conversion: Conversion | undefined): string[] {
  const { latitude, longitude } = conversion?.mapping ?? {};
  if (conversion?.format === 'xlsx' && latitude !== undefined && longitude !== undefined) {
    const number = (column: string): string => `CAST("${column.replaceAll('"', '""')}" AS REAL)`;
    const sql = `SELECT MakePoint(${number(longitude)}, ${number(latitude)}) FROM "${layer.replaceAll('"', '""')}"`;
    return [source, '-dialect', 'SQLite', '-sql', sql];
  }
  return [source, layer, ...(/\.(?:csv|tsv)$/.test(source) ? columnOptions : [])];
}

/** Features line by line, in degrees if the layer says what its coordinates are. */
function readLayer(source: string, layer: string, conversion: Conversion | undefined): Found {
  const options = [
    '-f',
    'GeoJSONSeq',
    '-lco',
    'RS=NO',
    '-skipfailures',
    '/vsistdout/',
    ...layerOptions(source, layer, conversion),
  ];
  const run = (system: string) =>
    spawnSync('ogr2ogr', [system, 'EPSG:4326', ...options], { encoding: 'utf8', maxBuffer: mostBytes });
  const transformed = run('-t_srs');
  const isUnknown = /source layer has no\s+coordinate system/i.test(transformed.stderr);
  const { stdout: text, stderr, status } = isUnknown ? run('-a_srs') : transformed;
  if (status !== 0) throw new Error(failure(stderr));
  const features = text.split('\n').filter((line) => line !== '');
  const corners = features.map((line) => cornersOf((JSON.parse(line) as { readonly geometry: unknown }).geometry));
  return { elements: corners.filter(({ length }) => length > 0).length, corners: corners.flat() };
}

/** The corners of a geometry, and of a collection with all its members. */
function cornersOf(geometry: unknown): Corner[] {
  if (geometry === null) return [];
  const { coordinates, geometries } = geometry as { readonly coordinates?: unknown; readonly geometries?: readonly unknown[] };
  return geometries === undefined ? positionsIn(coordinates) : geometries.flatMap(cornersOf);
}

function positionsIn(value: unknown): Corner[] {
  if (!Array.isArray(value) || value.length === 0) return [];
  return typeof value[0] === 'number' ? [[value[0], value[1] as number]] : value.flatMap(positionsIn);
}

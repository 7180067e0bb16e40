/**
 * Compares the converter with an independent reader, GDAL, for the files of a folder: `node dist/test/convert/against-gdal.js FOLDER`. Prints
 * for each file the elements with a geometry and their box in degrees, here and there, and at last how many files agree.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { latitudeMax, type MapArea, toPlace, worldPixels } from '../../src/lib/geo/geo.ts';
import type { Body, Conversion } from '../../src/web/convert/conversion.ts';
import { convert } from '../../src/web/convert/convert.ts';
import { type Corner, checkGdal, type Found, readWithGdal } from './gdal-reader.ts';

/** West, south, east, north. West is above east if the box crosses the antimeridian. */
type Box = readonly [number, number, number, number];

interface Outcome {
  readonly found?: Found;
  /** Why there is nothing. */
  readonly problem?: string;
}

interface Here extends Outcome {
  readonly conversion?: Conversion;
  /** Degrees by which places may differ, as a pixel; undefined if the artboard is no map. */
  readonly pixel?: number;
}

interface Compared {
  readonly file: string;
  readonly cells: readonly string[];
  readonly agrees: boolean;
  /** Neither reader finds a place. */
  readonly isEmpty: boolean;
}

/** Degrees without corners in between, at least, that are the outside of a box: a file with less of them is all around the world. */
const gapLeast = 20;

/** The smallest box around places. Longitudes are a circle: the outside of the box is the greatest gap. */
function boxOf(corners: readonly Corner[]): Box | undefined {
  if (corners.length === 0) return undefined;
  const turned = (lng: number): number => ((((lng + 180) % 360) + 360) % 360) - 180;
  const longitudes = [...new Set(corners.map(([lng]) => turned(lng)))].sort((a, b) => a - b);
  let gap = (longitudes[0] as number) + 360 - (longitudes.at(-1) as number);
  let [west, east] = [longitudes[0] as number, longitudes.at(-1) as number];
  for (let i = 1; i < longitudes.length; i++) {
    const [before, after] = [longitudes[i - 1] as number, longitudes[i] as number];
    if (after - before <= gap) continue;
    gap = after - before;
    [west, east] = [after, before];
  }
  let [south, north] = [latitudeMax, -latitudeMax];
  for (const [, lat] of corners) {
    const drawn = Math.max(-latitudeMax, Math.min(latitudeMax, lat));
    [south, north] = [Math.min(south, drawn), Math.max(north, drawn)];
  }
  return gap < gapLeast ? [-180, south, 180, north] : [west, south, east, north];
}

const widthOf = ([west, , east]: Box): number => (east < west ? east - west + 360 : east - west);

/** @param pixel degrees @returns whether all sides are at the same place */
function isSame(a: Box, b: Box, pixel: number, isSimplified: boolean): boolean {
  const share = isSimplified ? 0.01 : 1e-4;
  const around = (difference: number): number => Math.abs(((((difference + 180) % 360) + 360) % 360) - 180);
  const wide = Math.max(pixel, share * widthOf(a));
  const high = Math.max(pixel, share * (a[3] - a[1]));
  const isNear = (side: 0 | 1 | 2 | 3): boolean => Math.abs(a[side] - b[side]) <= high;
  return around(a[0] - b[0]) <= wide && around(a[2] - b[2]) <= wide && isNear(1) && isNear(3);
}

/** All corners of the objects, with those of holes, in degrees. */
function cornersOf(bodies: readonly Body[], area: MapArea): Corner[] {
  const placeOf = toPlace(area);
  type Pixel = { readonly x: number; readonly y: number };
  const pixelsOf = (body: Body): Pixel[] => {
    if (body['type'] === 'spot') return [body as unknown as Pixel];
    return [body['coords'] as Pixel[], ...((body['holes'] as Pixel[][] | undefined) ?? [])].flat();
  };
  return bodies.flatMap(pixelsOf).map((pixel) => {
    const { lng, lat } = placeOf(pixel);
    return [lng, lat];
  });
}

async function readHere(file: string): Promise<Here> {
  try {
    const conversion = await convert(fs.readFileSync(file), {});
    const area = conversion.artboard as MapArea & { readonly type: string };
    const bodies = conversion.objects.map(({ body }) => body);
    const isMap = area.type === 'osm';
    return {
      conversion,
      found: { elements: new Set(conversion.objects.map(({ at }) => at)).size, corners: isMap ? cornersOf(bodies, area) : [] },
      ...(isMap ? { pixel: 360 / worldPixels(area) } : {}),
    };
  } catch (error) {
    const { name, message } = error as Error;
    return { problem: name === 'ConvertError' ? message : `${name}: ${message}` };
  }
}

function readThere(file: string, conversion: Conversion | undefined): Outcome {
  try {
    return { found: readWithGdal(file, conversion) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Notes by code: `pole 3, line`. */
function noteCounts({ report }: Conversion): string {
  const counts = new Map<string, number>();
  for (const { code } of report.notes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => (count === 1 ? code : `${code} ${count}`)).join(', ');
}

/** @returns undefined if both readers found the same */
function difference(here: Here, there: Outcome): string | undefined {
  const [a, b] = [here.found?.elements ?? 0, there.found?.elements ?? 0];
  const reasons = [here.problem, there.problem === undefined ? undefined : `GDAL: ${there.problem}`];
  const why = reasons.filter((reason) => reason !== undefined).join(' | ');
  if (a !== b) return `${a - b > 0 ? '+' : ''}${a - b} elements${why === '' ? '' : `: ${why}`}`;
  const [mine, other] = [boxOf(here.found?.corners ?? []), boxOf(there.found?.corners ?? [])];
  if (a === 0 || mine === undefined || other === undefined) return a === 0 ? undefined : 'no map to compare boxes';
  return isSame(mine, other, here.pixel as number, here.conversion?.report.simplified !== undefined) ? undefined : 'other box';
}

const boxText = (box: Box | undefined): string => box?.map((side) => Math.round(side * 1000) / 1000).join(' ') ?? '';

async function compare(file: string): Promise<Compared> {
  const here = await readHere(file);
  const { conversion } = here;
  const there = readThere(file, conversion);
  const different = difference(here, there);
  const [mine, other] = [here, there].map(({ found }) => boxText(boxOf(found?.corners ?? []))) as [string, string];
  const isSameText = mine === other;
  const nothing = here.problem === undefined ? 'agrees' : `agrees: nothing (${here.problem})`;
  return {
    file: path.basename(file),
    cells: [
      conversion?.format ?? 'refused',
      `${here.found?.elements ?? '-'} ${there.found?.elements ?? '-'}`,
      isSameText ? mine : `${mine || '-'} | ${other || '-'}`,
      [different ?? nothing, conversion === undefined ? '' : noteCounts(conversion)]
        .filter((text) => text !== '')
        .join('; notes: '),
    ],
    agrees: different === undefined,
    isEmpty: [here, there].every(({ found }) => (found?.elements ?? 0) === 0),
  };
}

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) throw new Error('Usage: node dist/test/convert/against-gdal.js FOLDER');
  checkGdal();
  const files = fs.readdirSync(folder).sort();
  const compared: Compared[] = [];
  for (const name of files) {
    const result = await compare(path.join(folder, name));
    compared.push(result);
    console.log([result.file, ...result.cells].join('\t'));
  }
  const agreeing = compared.filter(({ agrees }) => agrees);
  console.log(`${agreeing.filter(({ isEmpty }) => isEmpty).length} files have no place for either reader`);
  console.log(`${agreeing.length} of ${files.length} agree`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv[2]).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });

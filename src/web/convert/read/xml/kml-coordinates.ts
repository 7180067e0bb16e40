/** Coordinates of KML: longitude, latitude and perhaps a height, as people and programs write them. */
import type { Position } from '../file-data.ts';

/** How many positions a text can have: a point one, a line two or more, a ring three or more. */
export type Use = 'point' | 'line' | 'ring';

/** Characters of a tuple. */
const tupleMost = 200;

const least = { point: 1, line: 2, ring: 3 } as const;

/**
 * The positions in a text, longitude first. Tuples may be separated by commas, blanks and semicolons in any way, and have decimal commas, as long
 * as this has one meaning.
 *
 * @returns `undefined` if the text has none, or more than one meaning; positions beyond the Earth if the text clearly says them
 */
export function coordinatesIn(text: string, use: Use): readonly Position[] | undefined {
  const usual = tuplesOf(text);
  if (usual !== undefined && fits(usual, use)) return usual;
  const plain = text.replace(/[\u2212\u2013]/g, '-').replace(/[\s;]+/g, ' ');
  const joined = plain.replace(/ ?, ?/g, ',');
  const written = [plain, joined].map(tuplesOf).filter((tuples) => tuples !== undefined);
  const asWritten = written.find((tuples) => fits(tuples, use));
  if (asWritten !== undefined) return asWritten;
  const guesses = [...(written.length === 0 ? [2, 3].map((size) => groupsOf(plain, size)) : []), ...withDecimalCommas(joined)];
  const possible = guesses.filter((positions) => positions !== undefined && fits(positions, use));
  const best = nearest(possible as (readonly Position[])[]);
  if (best !== undefined || possible.length > 0) return best;
  // A program takes the first tuple of a point.
  return use === 'point' ? written[0]?.slice(0, 1) : written[0];
}

const fits = (positions: readonly Position[], use: Use): boolean =>
  positions.length >= least[use] &&
  (use !== 'point' || positions.length === 1) &&
  positions.every(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90);

const numberOf = (text = ''): number => (text === '' ? Number.NaN : Number(text));

/** Tuples of two or three numbers, with blanks between them. */
function tuplesOf(text: string): Position[] | undefined {
  const positions: Position[] = [];
  for (const token of text.trim().split(/\s+/)) {
    if (token.length > tupleMost) return undefined;
    const parts = (token.startsWith(',') || token.endsWith(',') ? token.replace(/^,+|,+$/g, '') : token).split(',');
    const [lng, lat] = [numberOf(parts[0]), numberOf(parts[1])];
    if (parts.length > 3 || !Number.isFinite(lng + lat)) return undefined;
    positions.push([lng, lat]);
  }
  return positions;
}

/** All numbers, in groups of a size. */
function groupsOf(text: string, size: number): Position[] | undefined {
  const numbers = text.split(/[\s,]+/).filter((part) => part !== '');
  if (numbers.length % size !== 0 || !numbers.every((part) => Number.isFinite(numberOf(part)))) return undefined;
  return Array.from({ length: numbers.length / size }, (_, i) => [Number(numbers[i * size]), Number(numbers[i * size + 1])]);
}

/** The readings of a text without a decimal point. */
function withDecimalCommas(text: string): (Position[] | undefined)[] {
  if (!/\d,\d/.test(text) || !/^[-+\d\s,]+$/.test(text)) return [];
  const tokens = text.trim().split(/\s+/);
  const pieces = text.split(/[\s,]+/).filter((piece) => piece !== '');
  const flat = [4, 5, 6].map((size) =>
    pieces.length % size === 0 ? pieces.flatMap((_, i) => (i % size === 0 ? [pieces.slice(i, i + size)] : [])) : [],
  );
  const groups = [tokens.map((token) => token.split(',')), ...flat];
  return groups.map((tuples) => {
    if (tuples.length === 0) return undefined;
    const positions = tuples.map(decimalTuple);
    return positions.every((position) => position !== undefined) ? positions : undefined;
  });
}

/** `16 3654 48 2107`, and perhaps a height. */
function decimalTuple(pieces: readonly string[]): Position | undefined {
  const [lng = '', lngFraction = '', lat = '', latFraction = ''] = pieces;
  if (pieces.length < 4 || pieces.length > 6 || !/^\d+ \d+$/.test(`${lngFraction} ${latFraction}`)) return undefined;
  const [x, y] = [Number(`${lng}.${lngFraction}`), Number(`${lat}.${latFraction}`)];
  return Number.isFinite(x + y) ? [x, y] : undefined;
}

/** The reading whose positions are much nearer to each other than those of all others; `undefined` if there is none. */
function nearest(readings: readonly (readonly Position[])[]): readonly Position[] | undefined {
  const lengthOf = (positions: readonly Position[]): number =>
    positions.reduce((sum, [x, y], i) => sum + Math.hypot(x - (positions[i - 1]?.[0] ?? x), y - (positions[i - 1]?.[1] ?? y)), 0);
  const unique = new Map(readings.map((positions) => [JSON.stringify(positions), { positions, length: lengthOf(positions) }]));
  const [first, second] = [...unique.values()].sort((a, b) => a.length - b.length);
  return first !== undefined && (second === undefined || first.length * 10 < second.length) ? first.positions : undefined;
}

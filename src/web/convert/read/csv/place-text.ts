/** Coordinates as people write them: `48.2107`, `48,2107° N`, `48°12'30.5"N`, `16 22 23 E`, and both in one text. */
import { type Decimal, numberIn } from '../number-text.ts';

export type Axis = 'latitude' | 'longitude';

/** Characters of a text with coordinates; an address may stand before them. */
const lengthMax = 500;

/** Marks without width, which copied texts have: soft hyphen, joiners, directions, byte order mark. */
const invisible = /\p{Cf}/gu;

/** Directions in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. `O` is east in some, and west in others. */
const directions: Readonly<Record<string, readonly [axis: Axis, sign: 1 | -1]>> = Object.fromEntries(
  (
    [
      ['latitude', 1, 'n north nord norte noord'],
      ['latitude', -1, 's south sud sued sur sul zuid'],
      ['longitude', 1, 'e east ost est este leste oost'],
      ['longitude', -1, 'w west ouest oeste ovest'],
    ] as const
  ).flatMap(([axis, sign, words]) => words.split(' ').map((word) => [word, [axis, sign]])),
);

/** One coordinate: degrees, perhaps minutes and seconds, and a direction before or after them. */
const coordinate =
  /^([a-z]+)?[\s:.]*([+-]?)\s*(\d[\d.,]*)\s*(?:°|d(?:eg)?\.?|grad|[:-])?(?:\s*(\d{1,2}(?:[.,]\d+)?)\s*(?:'|m(?:in)?\.?|[:-])?)?(?:\s*(\d{1,2}(?:[.,]\d+)?)\s*(?:"|s(?:ec)?\.?)?)?\s*([a-z]+)?\.?$/;
/** Degrees, minutes and seconds without anything between them: `481230N`. */
const packed = /^(\d{2,3})(\d{2})(\d{2}(?:\.\d+)?)([nsew])$/;

/** One writing of signs for degrees, minutes and seconds. */
const plain = (text: string): string =>
  text
    .replace(invisible, '')
    .replace(/[º˚⁰]/g, '°')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[−–]/g, '-')
    .replace(/[’‘′´`ʹ]/g, "'")
    .replace(/[“”″ʺ]|''/g, '"')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();

export interface Degrees {
  readonly value: number;
  /** The axis that a direction says. */
  readonly axis?: Axis;
}

/**
 * The degrees in a text, written with one or the other decimal sign; `undefined` for another text.
 *
 * @param limit of the axis: `48.198` is not 48198 where commas are usual
 * @param o the direction that the letter O is, if it is known: 1 for east
 */
export function degreesIn(text: string, decimal: Decimal, limit: number, o?: 1 | -1): Degrees | undefined {
  if (text.length > 60) return undefined;
  const bare = text.replace(invisible, '').replace(/^="(.*)"$/, '$1');
  const number = numberWithin(bare, decimal, limit);
  if (number !== undefined && Math.abs(number) <= limit) return { value: number };
  return inParts(plain(bare), decimal, o) ?? (number === undefined ? undefined : { value: number });
}

/** A plain number, with the decimal sign with which it is a coordinate. */
function numberWithin(text: string, decimal: Decimal, limit: number): number | undefined {
  const first = numberIn(text, decimal);
  if (first !== undefined && Math.abs(first) <= limit) return first;
  const other = numberIn(text, decimal === 'point' ? 'comma' : 'point');
  return other !== undefined && Math.abs(other) <= limit ? other : (first ?? other);
}

function inParts(text: string, decimal: Decimal, o: 1 | -1 | undefined): Degrees | undefined {
  const spread = text.replace(packed, '$1 $2 $3 $4');
  const [, before, sign, degrees = '', minutes, seconds, after] = coordinate.exec(spread) ?? [];
  const word = before ?? after;
  const direction = word === 'o' && o !== undefined ? (['longitude', o] as const) : directions[word ?? ''];
  if (degrees === '' || (word !== undefined && direction === undefined) || (before !== undefined && after !== undefined))
    return undefined;
  const read = (part: string | undefined): number => (part === undefined ? 0 : (numberWithin(part, decimal, 180) ?? Number.NaN));
  const [whole, sixtieth, last] = [read(degrees), read(minutes), read(seconds)];
  if (!(sixtieth < 60 && last < 60) || (minutes !== undefined && !Number.isInteger(whole))) return undefined;
  const value = whole + sixtieth / 60 + last / 3600;
  const [axis, turn] = direction ?? [];
  // A sign and a direction are both there in some files: "-16.3 W" is west, too.
  const isNegative = sign === '-' || turn === -1;
  return Number.isFinite(value) ? { value: isNegative ? -value : value, ...(axis === undefined ? {} : { axis }) } : undefined;
}

export interface Pair {
  /** In the order of the text; a direction says which is which. */
  readonly first: Degrees;
  readonly second: Degrees;
}

/** Members of JSON, and of the dictionaries of Python. */
const members = /["']?\b(lat|lon|lng)\w*["']?\s*[:=]\s*["']?(-?\d+(?:\.\d+)?)/gi;

/** Both coordinates in a text: at its beginning, in brackets at its end, by names, or in the address of a map. */
export function pairIn(text: string): Pair | undefined {
  if (text.length > lengthMax || !/\d/.test(text)) return undefined;
  const bare = text.replace(invisible, '').trim();
  const inAddress = /^(?:geo:|https?:\/\/\S*?(?:@|[?&](?:q|ll|query|center)=))(-?\d[\d.]*)(?:,|%2C)\s*(-?\d[\d.]*)/i.exec(bare);
  if (inAddress !== null) return pairOf(inAddress[1] ?? '', inAddress[2] ?? '');
  const named = [...bare.matchAll(members)];
  if (named.length === 2) {
    const [one, other] = named.map(([, name = '', value]) =>
      degreesOf(Number(value), /^lat/i.test(name) ? 'latitude' : 'longitude'),
    );
    return one !== undefined && other !== undefined && one.axis !== other.axis ? { first: one, second: other } : undefined;
  }
  const [, bracket, inside] = /([([{])([^()[\]{}]*)[)\]}]\s*$/.exec(bare) ?? [];
  const pair = pairInPlain(plain(inside ?? bare));
  // A list is a position of GeoJSON: the longitude is first.
  if (pair === undefined || bracket !== '[' || pair.first.axis !== undefined) return pair;
  return { first: { ...pair.first, axis: 'longitude' }, second: { ...pair.second, axis: 'latitude' } };
}

const degreesOf = (value: number, axis: Axis): Degrees => ({ value, axis });

/** Separators of two coordinates; a comma alone may be the sign of a fraction. */
const separators = [
  /\s*[;|\t]\s*/,
  /(?<=[\d°'"][nsew])[\s,]+|[\s,]+(?=[nsew]\s?\d)/,
  /\s*,\s+/,
  /(?<=\.\d+°?)\s*,\s*(?=-?\d+\.\d)/,
  /\s+/,
];
/** A fraction, or a sign of degrees or a direction: two whole numbers are anything. */
const isPlace = /\d[.,]\d|[°'"]|[nsew]/;

function pairInPlain(text: string): Pair | undefined {
  for (const separator of separators) {
    const [first = '', second = '', ...more] = text.split(separator).filter(Boolean);
    // Some programs add an altitude and an accuracy.
    if (more.length > 2 || more.some((part) => !/^-?[\d.,]+$/.test(part))) continue;
    if (!isPlace.test(first) || !isPlace.test(second)) continue;
    const pair = pairOf(first, second);
    if (pair !== undefined) return pair;
  }
  return undefined;
}

function pairOf(first: string, second: string): Pair | undefined {
  const named = (text: string): string => text.replace(/^(?:lat|lon|lng|long)[a-z]*\s*[:=]?\s*/, '');
  const labelled = (text: string, degrees: Degrees): Degrees => {
    const axis = /^lat/.test(text) ? 'latitude' : /^(?:lon|lng)/.test(text) ? 'longitude' : undefined;
    return degrees.axis === undefined && axis !== undefined ? { ...degrees, axis } : degrees;
  };
  const decimal: Decimal = /\d,\d/.test(first) && !first.includes('.') ? 'comma' : 'point';
  const [one, other] = [degreesIn(named(first), decimal, 180), degreesIn(named(second), decimal, 180)];
  if (one === undefined || other === undefined || Math.abs(one.value) > 180 || Math.abs(other.value) > 180) return undefined;
  return { first: labelled(first, one), second: labelled(second, other) };
}

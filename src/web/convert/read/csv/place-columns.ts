/** Which columns of a table are the places: as the mapping says, by their names, or else by their values. */
import { ConvertError, type GivenMapping } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { quoted } from '../../short-text.ts';
import type { FileData, Position, Shape } from '../file-data.ts';
import type { Decimal } from '../number-text.ts';
import {
  directionOfO,
  isPairName,
  onlyAxes,
  orderByName,
  pairByNames,
  type Role,
  roleByName,
  signByName,
} from './column-words.ts';
import type { Table } from './csv-table.ts';
import { isGeometry, shapesOfText } from './geometry-text.ts';
import { type Axis, type Degrees, degreesIn, pairIn } from './place-text.ts';

/** Names of columns in a message. */
const namesShown = 20;
/** Share of the values of a column that must be places. */
const most = 0.8;
const limits = { latitude: 90, longitude: 180 } as const;

/** The places of a table. */
export interface Places {
  readonly unit: FileData['unit'];
  /** Columns by what they are: one that has both is there twice. */
  readonly recognized: NonNullable<FileData['recognized']>;
  /** The shapes of a row; what cannot be read is noted. */
  shapesOf(cells: readonly string[], at: string, notes: Notes): readonly Shape[];
}

/** Where pixels are possible, and degrees. */
export interface Takes {
  readonly isMap: boolean;
  readonly takesPixels: boolean;
}

/** @throws {ConvertError} "columns" if none are found, or the mapping names columns that the file does not have */
export function placesIn(table: Table, mapping: GivenMapping, takes: Takes, notes: Notes): Places {
  const geometry = byContent(table, isGeometry);
  const named = byNames(table, takes);
  const found = ofMapping(table, mapping) ?? geometry ?? named ?? pairByName(table) ?? byValues(table) ?? unnamedPair(table);
  if (found === undefined) throw withoutPlaces(table.names, takes.takesPixels);
  const places = placesOf(table, found, notes);
  if (found.isGuess) {
    const { latitude, longitude } = places.recognized;
    const what =
      latitude === longitude
        ? `"${latitude}" has latitude and longitude`
        : `"${latitude}" is the latitude and "${longitude}" the longitude`;
    notes.add('guessed-columns', '', `By their values, ${what}. Check the map.`);
  }
  const column = found.kind === 'one' && found.column === geometry?.column ? found.column : undefined;
  if (column === undefined || named === undefined) return places;
  // A row without a geometry may have coordinates beside it.
  const beside = placesOf(table, named, notes);
  const isFilled = (cells: readonly string[]): boolean => cells[column]?.trim() !== '';
  return { ...places, shapesOf: (cells, at, of) => (isFilled(cells) ? places : beside).shapesOf(cells, at, of) };
}

const placesOf = (table: Table, found: Found, notes: Notes): Places =>
  found.kind === 'two' ? placesOfTwo(table, found, notes) : placesOfOne(table, found);

type Found =
  | {
      readonly kind: 'two';
      readonly unit: FileData['unit'];
      readonly across: number;
      readonly down: number;
      readonly isGuess?: boolean;
    }
  | { readonly kind: 'one'; readonly column: number; readonly isGuess?: boolean };

/** Columns that the mapping names. One column for both coordinates has both in each cell. */
function ofMapping({ names }: Table, { latitude, longitude, x, y }: GivenMapping): Found | undefined {
  const indexOf = (column: string, role: string): number => {
    const index = names.indexOf(column);
    if (index === -1)
      throw new ConvertError(
        'columns',
        `The file has no column "${column}" for ${role}. Its columns are: ${quoted(names, namesShown)}.`,
        names,
      );
    return index;
  };
  const named = { latitude, longitude, x, y };
  const indices = new Map(Object.entries(named).flatMap(([role, column]) => (column ? [[role, indexOf(column, role)]] : [])));
  const pairs = [
    ['degrees', 'longitude', 'latitude'],
    ['pixels', 'x', 'y'],
  ] as const;
  for (const [unit, acrossRole, downRole] of pairs) {
    const other = (role: Role): number => names.findIndex((name) => roleByName(name) === role);
    if (!indices.has(acrossRole) && !indices.has(downRole)) continue;
    const [across, down] = [indices.get(acrossRole) ?? other(acrossRole), indices.get(downRole) ?? other(downRole)];
    if (across === -1 || down === -1) continue;
    return across === down ? { kind: 'one', column: across } : { kind: 'two', unit, across, down };
  }
  return undefined;
}

/** The first column of which most values are so, and those of no column before it. */
function byContent({ sample }: Table, is: (text: string) => boolean): (Found & { readonly kind: 'one' }) | undefined {
  const column = sample.findIndex((texts) => share(texts, is) >= most);
  return column === -1 ? undefined : { kind: 'one', column };
}

function share(texts: readonly string[], is: (text: string) => boolean): number {
  const filled = texts.filter((text) => text.trim() !== '');
  return filled.length === 0 ? 0 : filled.filter(is).length / filled.length;
}

/** Programs for maps name degrees x and y, too. */
function byNames({ names, sample, decimals }: Table, { isMap }: Takes): Found | undefined {
  const roles = names.map((name) => roleByName(name));
  const hasDegrees = (column: number, limit: number): boolean =>
    share(
      sample[column] ?? [],
      (text) =>
        Math.abs(degreesIn(text, decimals.get(names[column] ?? '') ?? 'point', limit)?.value ?? Number.POSITIVE_INFINITY) <=
        limit,
    ) >= most;
  // A column of texts may be called like an axis: "N" is a number of something.
  const find = (role: Role): number => {
    const found = roles.flatMap((each, i) => (each === role ? [i] : []));
    return found.find((column) => hasDegrees(column, Number.MAX_VALUE)) ?? found[0] ?? -1;
  };
  const [across, down] = [find('longitude'), find('latitude')];
  if (across !== -1 && down !== -1) return { kind: 'two', unit: 'degrees', across, down };
  const pair = pairByNames(names);
  if (pair !== undefined && hasDegrees(pair.down, limits.latitude) && hasDegrees(pair.across, limits.longitude))
    return { kind: 'two', unit: 'degrees', ...pair };
  const only = onlyAxes(names);
  if (only !== undefined && hasDegrees(only.down, limits.longitude) && hasDegrees(only.across, limits.longitude))
    return { kind: 'two', unit: 'degrees', ...only };
  const one = across === -1 ? down : across;
  // The other one of a known column is beside it.
  for (const other of one === -1 ? [] : [one + 1, one - 1]) {
    const decimal = decimals.get(names[other] ?? '') ?? 'point';
    const limit = across === -1 ? limits.longitude : limits.latitude;
    const isUnknown = names[other] !== undefined && roles[other] === undefined;
    if (!isUnknown || share(sample[other] ?? [], (text) => isFraction(text, decimal, limit)) < most) continue;
    const both = across === -1 ? { across: other, down: one } : { across: one, down: other };
    return { kind: 'two', unit: 'degrees', ...both, isGuess: true };
  }
  const [x, y] = [find('x'), find('y')];
  return x === -1 || y === -1 ? undefined : { kind: 'two', unit: isMap ? 'degrees' : 'pixels', across: x, down: y };
}

/** A column with both coordinates, by its name and in its cells. */
function pairByName({ names, sample }: Table): Found | undefined {
  const column = names.findIndex((name, i) => isPairName(name) && share(sample[i] ?? [], isPair) >= 0.5);
  return column === -1 ? undefined : { kind: 'one', column };
}

const isPair = (text: string): boolean => pairIn(text) !== undefined;

/** The first column with both coordinates in most cells. */
function unnamedPair(table: Table): Found | undefined {
  const found = byContent(table, isPair);
  return found && { ...found, isGuess: true };
}

/** Degrees with a fraction of three digits or more, as prices do not have, or in degrees and minutes. */
const isFraction = (text: string, decimal: Decimal, limit: number): boolean => {
  const degrees = degreesIn(text, decimal, limit);
  return degrees !== undefined && Math.abs(degrees.value) <= limit && (/[.,]\d{3,}/.test(text) || /\d\s*[°º'\s]\s*\d/.test(text));
};

/**
 * Two neighbouring columns whose values can only be degrees, one of them within ±90. The first is the latitude, unless it has values beyond
 * ±90.
 */
function byValues({ names, sample, decimals }: Table): Found | undefined {
  const ranges = sample.map((texts, i) => {
    const decimal = decimals.get(names[i] ?? '') ?? 'point';
    if (share(texts, (text) => isFraction(text, decimal, limits.longitude)) < most) return undefined;
    const values = texts.flatMap((text) => degreesIn(text, decimal, limits.longitude)?.value ?? []);
    return values.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  });
  for (const [i, first] of ranges.entries()) {
    const second = ranges[i + 1];
    if (first === undefined || second === undefined) continue;
    if (first <= limits.latitude) return { kind: 'two', unit: 'degrees', down: i, across: i + 1, isGuess: true };
    if (second <= limits.latitude) return { kind: 'two', unit: 'degrees', down: i + 1, across: i, isGuess: true };
  }
  return undefined;
}

/** A pair of columns. In one of degrees, directions in the texts win over the names of the columns. */
function placesOfTwo(table: Table, { unit, across, down }: Found & { readonly kind: 'two' }, notes: Notes): Places {
  const { names } = table;
  const [x, y] = [names[across] as string, names[down] as string];
  const areDegrees = unit === 'degrees';
  const limit = areDegrees ? limits : { latitude: Number.POSITIVE_INFINITY, longitude: Number.POSITIVE_INFINITY };
  const [readY, readX] = [reader(table, down, 'latitude', limit, notes), reader(table, across, 'longitude', limit, notes)];
  return {
    unit,
    recognized: areDegrees ? { latitude: y, longitude: x } : { x, y },
    shapesOf: (cells, at, of) => {
      const position = positionOf(readY(cells), readX(cells));
      if (position !== undefined) return [{ kind: 'point', at: position }];
      const isEmpty = !cells[down]?.trim() && !cells[across]?.trim();
      if (isEmpty) of.leaveOut('no-place', at, `"${y}" and "${x}" are empty.`);
      else
        of.leaveOut(
          'no-place',
          at,
          `"${y}" is "${short(cells[down])}" and "${x}" is "${short(cells[across])}": not two numbers.`,
        );
      return [];
    },
  };
}

/** Parts of a coordinate in columns of their own, by the words of their names. */
const parts = { minutes: /min/, seconds: /sec|sek|seg/ } as const;

/** Reads a coordinate of a row, with minutes, seconds and a direction that other columns or the name have. */
function reader(
  { names, sample, decimals }: Table,
  column: number,
  axis: Axis,
  limit: Readonly<Record<Axis, number>>,
  notes: Notes,
): (cells: readonly string[]) => Degrees | undefined {
  const name = names[column] as string;
  const o = directionOfO(names);
  const read = (at: number, cells: readonly string[], most: number) =>
    degreesIn(cells[at] ?? '', decimals.get(names[at] ?? '') ?? 'point', most, o);
  const readWhole = (cells: readonly string[]) => read(column, cells, limit[axis]);
  if (limit[axis] === Number.POSITIVE_INFINITY) return readWhole;
  const letters = axis === 'latitude' ? /^[ns]$/i : /^[eow]$/i;
  const direction = names.findIndex(
    (_, i) => i !== column && share(sample[i] ?? [], (text) => letters.test(text.trim())) >= most,
  );
  const [minutes, seconds] = Object.values(parts).map((word) => partOf(names, column, word));
  const isUnsigned = (sample[column] ?? []).every((text) => !/-|[a-z]/i.test(text));
  const sign = isUnsigned && direction === -1 ? signByName(name) : 1;
  if (sign === -1) notes.add('direction', '', `By the name of the column, all values of "${name}" are south or west.`);
  if (minutes === undefined && seconds === undefined && direction === -1 && sign === 1) return readWhole;
  return (cells) => {
    const whole = readWhole(cells);
    if (whole === undefined || whole.axis !== undefined) return whole;
    const added = [minutes, seconds].map((at) => (at === undefined ? 0 : (read(at, cells, 60)?.value ?? 0)));
    const size = Math.abs(whole.value) + (added[0] ?? 0) / 60 + (added[1] ?? 0) / 3600;
    const letter = direction === -1 ? '' : (cells[direction] ?? '').trim().toLowerCase();
    const isTurned = letter === 's' || letter === 'w' || (letter === 'o' && o === -1) || sign === -1;
    return { value: whole.value < 0 || isTurned ? -size : size };
  };
}

/** The column with minutes or seconds of a coordinate: `lat_min` beside `lat_deg`. */
function partOf(names: readonly string[], column: number, word: RegExp): number | undefined {
  const role = roleByName(names[column] ?? '');
  const beginning = (names[column] ?? '').toLowerCase().replace(/[\s_.-]*(?:deg|degrees?|grad|grados)$/, '');
  if (role === undefined || beginning === (names[column] ?? '').toLowerCase()) return undefined;
  const found = names.findIndex(
    (name) => name.toLowerCase().startsWith(beginning) && word.test(name.toLowerCase().slice(beginning.length)),
  );
  return found === -1 ? undefined : found;
}

/** The position of a latitude and a longitude, or of the other order if their directions say so. */
function positionOf(down: Degrees | undefined, across: Degrees | undefined): Position | undefined {
  if (down === undefined || across === undefined || (down.axis !== undefined && down.axis === across.axis)) return undefined;
  const isTurned = down.axis === 'longitude' || across.axis === 'latitude';
  return isTurned ? [down.value, across.value] : [across.value, down.value];
}

/** A column with a geometry or both coordinates in each cell. */
function placesOfOne({ names, sample }: Table, { column }: Found & { readonly kind: 'one' }): Places {
  const name = names[column] as string;
  const isLongitudeFirst = isOrderTurned(name, sample[column] ?? []);
  return {
    unit: 'degrees',
    recognized: { latitude: name, longitude: name },
    shapesOf: (cells, at, notes) => {
      const text = cells[column] ?? '';
      if (isGeometry(text)) return shapesOfText(text, at, notes);
      const { first, second } = pairIn(text) ?? {};
      const position = isLongitudeFirst ? positionOf(second, first) : positionOf(first, second);
      if (position !== undefined) return [{ kind: 'point', at: position }];
      notes.leaveOut('no-place', at, `"${name}" is "${short(text)}": neither two coordinates nor a geometry.`);
      return [];
    },
  };
}

/** True if the longitude is the first of two coordinates: as the name of the column says, or because others are no latitudes. */
function isOrderTurned(name: string, texts: readonly string[]): boolean {
  const order = orderByName(name);
  if (order !== undefined) return order === 'longitude first';
  const pairs = texts.flatMap((text) => pairIn(text) ?? []);
  const isBeyond = ({ value }: Degrees): boolean => Math.abs(value) > limits.latitude;
  return pairs.some(({ first }) => isBeyond(first)) && !pairs.some(({ second }) => isBeyond(second));
}

function withoutPlaces(names: readonly string[], takesPixels: boolean): ConvertError {
  const address = names.find((name) => roleByName(name) === 'address');
  const wanted = takesPixels ? 'latitude and longitude, or x and y' : 'latitude and longitude';
  const addresses =
    address === undefined ? '' : ` Addresses ("${address}") are not supported: add columns with the coordinates first.`;
  const one =
    names.length === 1 ? ' The file has one column only: perhaps its delimiter is none of comma, semicolon, tab and bar.' : '';
  return new ConvertError(
    'columns',
    `No columns for ${wanted} were found among: ${quoted(names, namesShown)}.${addresses}${one} Name them in the mapping.`,
    names,
  );
}

const short = (text = ''): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

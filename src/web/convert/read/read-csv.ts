/** Reads a CSV: one point per row, from columns of degrees or of pixels. */
import { ConvertError, type GivenMapping } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import type { Slices } from '../slices.ts';
import { columnNames, decimalsOf, degreesDecimal, isHeader, placesByValue, roleByName } from './csv-header.ts';
import { csvRows, delimiterOf, type NumberedRow } from './csv-rows.ts';
import { columnsMax, type FileData, type Item, type Position, type Values } from './file-data.ts';
import { type Decimal, numberIn } from './number-text.ts';

/** Rows of one file. More are no map that a person can read, nor one that a page can show. */
export const rowsMax = 100_000;
/** Rows that decide what a column is. */
const sampleMax = 1000;

interface Table {
  readonly names: readonly string[];
  readonly rows: readonly NumberedRow[];
  readonly decimals: Map<string, Decimal>;
  readonly sample: readonly (readonly string[])[];
}

type Axes = { readonly unit: 'degrees' | 'pixels'; readonly across: number; readonly down: number };

export async function readCsv(
  text: string,
  mapping: GivenMapping,
  { isMap, takesPixels }: { readonly isMap: boolean; readonly takesPixels: boolean },
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  const table = await readTable(text, notes, slices);
  const axes = axesOf(table, mapping, isMap);
  if (axes === undefined) throw withoutPlaces(table.names, takesPixels);
  const { names, rows, decimals } = table;
  const [x, y] = [names[axes.across] as string, names[axes.down] as string];
  if (axes.unit === 'degrees') {
    for (const [index, limit] of [
      [axes.down, 90],
      [axes.across, 180],
    ] as const) {
      const name = names[index] as string;
      const decimal = degreesDecimal(table.sample[index] ?? [], decimals.get(name) ?? 'point', limit);
      if (decimal !== undefined) decimals.set(name, decimal);
    }
  }
  for (const name of names)
    if (roleByName(name) === 'address')
      notes.add(
        'address',
        '',
        `Places come from the columns "${y}" and "${x}". "${name}" is kept as text: no address is looked up.`,
      );
  const indexOf = new Map(names.map((name, i) => [name, i]));
  const items = rows.map(({ number, cells }): Item => {
    const at = `row ${number}`;
    const values: Values = { get: (name) => cells[indexOf.get(name) ?? -1] };
    const position = positionIn(cells, axes, decimals, names);
    if (position === undefined) {
      const detail = `"${y}" is "${short(cells[axes.down])}" and "${x}" is "${short(cells[axes.across])}": not two numbers.`;
      notes.leaveOut('no-place', at, detail);
    }
    return { at, row: number, values, shapes: position === undefined ? [] : [{ kind: 'point', at: position }] };
  });
  const recognized = axes.unit === 'degrees' ? { latitude: y, longitude: x } : { x, y };
  return { unit: axes.unit, items, columns: names, decimals, read: rows.length, recognized };
}

async function readTable(text: string, notes: Notes, slices: Slices): Promise<Table> {
  const delimiter = delimiterOf(text);
  const rows: NumberedRow[] = [];
  for await (const window of csvRows(text, delimiter, slices)) {
    for (const row of window) rows.push(row);
    if (rows.length > rowsMax + 1)
      throw new ConvertError(
        'too-large',
        `The file has more than ${rowsMax} rows. Split it, or keep only the rows that the map shows.`,
      );
  }
  const first = rows[0];
  if (first === undefined) throw new ConvertError('unreadable', 'The file has no rows.');
  const header = isHeader(first.cells) ? first.cells : undefined;
  if (header !== undefined) rows.shift();
  const width = header?.length ?? first.cells.length;
  if (width > columnsMax)
    throw new ConvertError(
      'columns',
      `The file has ${width} columns, at most ${columnsMax} can be imported. Keep those that the map shows.`,
    );
  const names = columnNames(header, width);
  for (const { number, cells } of rows)
    if (cells.length !== names.length)
      notes.add('cells', `row ${number}`, `It has ${cells.length} cells, the header ${names.length}: check the quotation marks.`);
  const sample = names.map((_, i) => rows.slice(0, sampleMax).map(({ cells }) => cells[i] ?? ''));
  const decimals = decimalsOf(sample, delimiter);
  return { names, rows, sample, decimals: new Map(names.map((name, i) => [name, decimals[i] ?? 'point'])) };
}

/** The columns that are places: as the mapping says, by name, or by value. */
function axesOf({ names, sample, decimals }: Table, mapping: GivenMapping, isMap: boolean): Axes | undefined {
  const indexOf = (given: string | undefined, role: 'latitude' | 'longitude' | 'x' | 'y'): number => {
    if (given === undefined) return names.findIndex((name) => roleByName(name) === role);
    const index = names.indexOf(given);
    if (index === -1)
      throw new ConvertError(
        'columns',
        `The file has no column "${given}" for ${role}. Its columns are: ${listed(names)}.`,
        names,
      );
    return index;
  };
  const degrees = {
    unit: 'degrees',
    across: indexOf(mapping.longitude, 'longitude'),
    down: indexOf(mapping.latitude, 'latitude'),
  } as const;
  const pixels = { unit: 'pixels', across: indexOf(mapping.x, 'x'), down: indexOf(mapping.y, 'y') } as const;
  // Programs for maps name degrees x and y, too.
  const mapPixels = isMap && mapping.x === undefined ? ({ ...pixels, unit: 'degrees' } as const) : pixels;
  const found = [degrees, mapPixels].find(({ across, down }) => across !== -1 && down !== -1);
  if (found !== undefined) return found;
  const guessed = placesByValue(
    sample,
    names.map((name) => decimals.get(name) ?? 'point'),
  );
  return guessed && { unit: 'degrees', across: guessed.longitude, down: guessed.latitude };
}

function positionIn(
  cells: readonly string[],
  { across, down }: Axes,
  decimals: ReadonlyMap<string, Decimal>,
  names: readonly string[],
): Position | undefined {
  const read = (index: number) => numberIn(cells[index] ?? '', decimals.get(names[index] ?? '') ?? 'point');
  const [x, y] = [read(across), read(down)];
  return x === undefined || y === undefined ? undefined : [x, y];
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
    `No columns for ${wanted} were found among: ${listed(names)}.${addresses}${one} Name them in the mapping.`,
    names,
  );
}

const listed = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => `"${short(name)}"`)
    .join(', ') + (names.length > 20 ? ` and ${names.length - 20} more` : '');

const short = (text = ''): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

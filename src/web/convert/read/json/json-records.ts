/** Records of JSON as the rows of a table: `[{"name": "A", "lat": 48.2, "lng": 16.37}]`, or one record per line. */
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { NumberedRow } from '../csv/csv-rows.ts';
import { textOf } from '../file-data.ts';
import { documentsIn } from './json-features.ts';
import { isObject, type Json, parseJson } from './json-value.ts';

/** Objects in objects. */
const depthMax = 3;
/** Cells of the table. */
const cellsMax = 20_000_000;

/** A row with the names of all members, and one per record, the first of which is row 1. */
export function recordRows(text: string, notes: Notes): readonly NumberedRow[] {
  const parsed = text.startsWith('[') ? parseJson(text) : documentsIn(text, notes);
  const records = (Array.isArray(parsed) ? parsed : []).map((each: unknown) => cellsOf(isObject(each) ? each : {}));
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  if (names.length * records.length > cellsMax)
    throw new ConvertError(
      'too-large',
      `The file has ${records.length} records with ${names.length} members. Split it, or keep what the map shows.`,
    );
  const rows = records.map((record, i) => ({ number: i + 1, cells: names.map((name) => record.get(name) ?? '') }));
  return [{ number: 0, cells: names }, ...rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))];
}

/** Texts by name: `location.lat` for one in an object. A geometry stays one, and a short list is a text. */
function cellsOf(record: Json, prefix = '', depth = 0, cells = new Map<string, string>()): Map<string, string> {
  for (const [name, value] of Object.entries(record)) {
    const isGeometry = isObject(value) && Array.isArray(value['coordinates']);
    if (isObject(value) && !isGeometry && depth < depthMax) cellsOf(value, `${prefix}${name}.`, depth + 1, cells);
    else {
      const isPlain = Array.isArray(value) && !value.some((each) => typeof each === 'object');
      const text = textOf(isPlain ? value.join(', ') : value);
      if (text !== undefined) cells.set(prefix + name, text);
    }
  }
  return cells;
}

/** Records of JSON as the rows of a table: `[{"name": "A", "lat": 48.2, "lng": 16.37}]`, or one record per line. */
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { isBlank, type NumberedRow } from '../csv/csv-rows.ts';
import { cellsMax, textOf } from '../file-data.ts';
import { documentsIn } from './json-features.ts';
import { flatMembers, isObject, type Json, listOf, parseJson } from './json-value.ts';

/** A row with the names of all members, and one per record, the first of which is row 1. */
export function recordRows(text: string, notes: Notes): readonly NumberedRow[] {
  const parsed = text.startsWith('[') ? parseJson(text) : documentsIn(text, notes);
  const records = listOf(parsed).map((each) => cellsOf(isObject(each) ? each : {}));
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  if (names.length * records.length > cellsMax)
    throw new ConvertError(
      'too-large',
      `The file has ${records.length} records with ${names.length} members. Split it, or keep what the map shows.`,
    );
  const rows = records.map((record, i) => ({ number: i + 1, cells: names.map((name) => record.get(name) ?? '') }));
  return [{ number: 0, cells: names }, ...rows.filter(({ cells }) => !isBlank(cells))];
}

const isGeometry = (value: Json): boolean => Array.isArray(value['coordinates']);

/** Texts by name. A geometry stays one, and a short list is a text. */
function cellsOf(record: Json): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [name, value] of flatMembers(record, isGeometry)) {
    const isPlain = Array.isArray(value) && !value.some((each) => typeof each === 'object');
    const text = textOf(isPlain ? value.join(', ') : value);
    if (text !== undefined) cells.set(name, text);
  }
  return cells;
}

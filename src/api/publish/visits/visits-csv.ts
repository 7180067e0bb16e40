/** Visits as CSV (RFC 4180), a line for each count, for spreadsheets. Pure. */
import { type DayVisits, dateOf } from '../../../store/visits.ts';

/** A spreadsheet would take a text that begins so for a formula. */
const formula = /^[=+\-@\t\r]/;

function field(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Counts of 0 are left out. */
export function visitsCsv(days: readonly DayVisits[], names: Readonly<Record<string, string>>): string {
  const lines = ['date,what,id,name,count'];
  for (const { day, opened, searches, other, places } of days) {
    const date = dateOf(day);
    const add = (what: string, count: number, id = ''): void => {
      if (count > 0) lines.push(`${date},${what},${id},${field(names[id] ?? '')},${count}`);
    };
    add('opened', opened);
    add('searches', searches);
    for (const [id, count] of places) add('place', count, id);
    add('other', other);
  }
  return `${lines.join('\r\n')}\r\n`;
}

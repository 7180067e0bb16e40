/** The table as text for a terminal. */
import Table from 'cli-table3';
import type { Row } from '../row.ts';
import { cells, columns } from './cells.ts';

export function tableText(rows: readonly Row[]): string {
  const table = new Table({ head: [...columns], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(cells(row));
  const notes = rows.filter(({ note }) => note !== undefined).map(({ what, note }) => `${what}: ${note}`);
  return [table.toString(), ...notes].join('\n');
}

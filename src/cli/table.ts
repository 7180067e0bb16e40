/** A table for people: with lines on a terminal and in a pipe alike, its head in bold where there are colours. */
import { painter } from './colour.ts';

export async function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<void> {
  // Few commands print one: no start of a server waits for it.
  const { default: Table } = await import('cli-table3');
  const paint = painter();
  const table = new Table({ head: head.map((word) => paint('bold', word)), style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  process.stdout.write(`${table.toString()}\n`);
}

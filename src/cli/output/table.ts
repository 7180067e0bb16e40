/** A table for people, with lines on terminals and in pipes; its head is bold if colours are allowed. */
import { painter } from './colour.ts';

export async function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<void> {
  // Loaded only here, because few commands print tables.
  const { default: Table } = await import('cli-table3');
  const paint = painter();
  const table = new Table({ head: head.map((word) => paint('bold', word)), style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  process.stdout.write(`${table.toString()}\n`);
}

/** Names of several objects by a pattern, in the direction of reading. */
import type { Box } from '../../../lib/geo/polygon.ts';
import { centreOf } from './shape.ts';

export const directions = ['rows', 'columns', 'list'] as const;
/** Rows from left to right, columns from top to bottom, or the order of the list. */
export type Direction = (typeof directions)[number];

/** `Room {n}`: `Room 7`; `{nn}`: `07`. */
export const nameOf = (pattern: string, n: number): string =>
  pattern.replace(/\{(n+)\}/g, (_, digits: string) => (n < 0 ? '-' : '') + String(Math.abs(n)).padStart(digits.length, '0'));

/**
 * The names in a text: one in each line, or else between commas or semicolons; '' keeps the name of an object. A single one, and a text with `{n}`,
 * is a pattern.
 */
export function namesIn(text: string): string[] {
  if (/\{n+\}/.test(text)) return [text.trim()];
  const parts = text.trim().includes('\n') ? text.split('\n') : text.split(/[,;\t]/);
  const names = parts.map((name) => name.trim());
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

interface Placed {
  readonly id: string;
  readonly box: Box;
}

/** Identifiers in the direction of reading. What overlaps by half in height (or width) is in the same row (or column). */
export function inReadingOrder(placed: readonly Placed[], direction: Direction): string[] {
  if (direction === 'list') return placed.map(({ id }) => id);
  const [along, across] = direction === 'rows' ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const sizeOf = ({ left, right, top, bottom }: Box) => (across === 'y' ? bottom - top : right - left);
  const sorted = placed
    .map(({ id, box }) => ({ id, at: centreOf(box), size: sizeOf(box) }))
    .sort((a, b) => a.at[across] - b.at[across]);
  const lines: (typeof sorted)[] = [];
  for (const each of sorted) {
    const line = lines.at(-1);
    const [first] = line ?? [];
    if (line !== undefined && first !== undefined && each.at[across] - first.at[across] <= Math.max(first.size, each.size) / 2)
      line.push(each);
    else lines.push([each]);
  }
  return lines.flatMap((line) => line.sort((a, b) => a.at[along] - b.at[along]).map(({ id }) => id));
}

/** What stands in each column, the same in the terminal and in RESULTS.md. */
import { figure, goalText, verdict } from '../lib/rows.ts';
import type { Row } from '../row.ts';

export const columns = ['what', 'ours', 'other', 'ratio', 'goal', 'spread', ''] as const;

export function cells(row: Row): string[] {
  const { what, unit, ours, other, ratio, goal, spread } = row;
  return [
    what,
    `${figure(ours)} ${unit}`,
    other === undefined ? '' : `${figure(other.median)} ${unit}`,
    ratio === undefined ? '' : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2),
    goal === undefined ? '' : goalText(goal),
    `${Math.round(spread * 100)} %`,
    verdict(row),
  ];
}

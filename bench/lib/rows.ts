/** Rows, made of measurements, and as text. */
import type { Goal, Row } from '../row.ts';
import { median, spread } from './statistics.ts';

/** Round by round. */
export const ratios = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value / (b[i] as number));

/** A row of results that were taken in turn, round by round. */
export function rowOf(
  what: string,
  unit: string,
  ours: readonly number[],
  other: { readonly name: string; readonly results: readonly number[] },
  note?: string,
  goal?: Goal,
): Row {
  const each = ratios(ours, other.results);
  return {
    what,
    unit,
    ours: median(ours),
    other: { name: other.name, median: median(other.results) },
    ratio: median(each),
    spread: spread(each),
    ...(goal === undefined ? {} : { goal }),
    ...(note ? { note } : {}),
  };
}

/** A row without another side. */
export const rowOfOurs = (what: string, unit: string, results: readonly number[], note?: string, goal?: Goal): Row => ({
  what,
  unit,
  ours: median(results),
  spread: spread(results),
  ...(goal === undefined ? {} : { goal }),
  ...(note ? { note } : {}),
});

/** Whether the goal is reached; `undefined` where there is none. */
export function reached({ goal, ratio, ours }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  const value = ratio ?? ours;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The same in a word; a goal that is missed by less than the control is off was not measured. */
export function verdict(row: Row): 'ok' | 'missed' | 'unclear' | '' {
  const { goal, ratio, ours, control = 1 } = row;
  if (goal === undefined) return '';
  if (reached(row) === true) return 'ok';
  const missedBy = Math.abs(Math.log((ratio ?? ours) / ('atLeast' in goal ? goal.atLeast : goal.atMost)));
  return missedBy < Math.abs(Math.log(control)) ? 'unclear' : 'missed';
}

/** Three digits are as many as a measurement has. */
export const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

export const goalText = (goal: Goal): string => ('atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`);

/** One line of progress. */
export function said({ what, ours, unit, other, ratio }: Row): string {
  const measured = `${what}: ${figure(ours)} ${unit}`;
  if (other === undefined || ratio === undefined) return measured;
  return `${measured}, ${other.name} ${figure(other.median)} ${unit}, ratio ${figure(ratio)}`;
}

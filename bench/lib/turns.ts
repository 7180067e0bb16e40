/**
 * Measuring in turn: A B C A B C ..., since a machine's speed drifts and ratios of neighbours hold. What ours is held against is
 * measured twice in each round: the difference of its two measurements shows how precise a ratio of this run is.
 */
import type { Context, Goal, Row } from '../row.ts';
import { figure, ratios, rowOf, rowOfOurs, said } from './rows.ts';
import { median } from './statistics.ts';

/** One side of a comparison. */
export interface Side {
  /** As the table calls it. */
  readonly name: string;
  /** Measures for so many seconds, in the unit of the comparison. Rejects when an answer was wrong. */
  measure(seconds: number): Promise<number>;
  /** The server's processor time for one answer of the last measurement in microseconds, if it is known. */
  usPerAnswer?(): number | undefined;
}

/** What of ours is to be held against one side. */
export interface Other extends Side {
  /** What the row is called. */
  readonly what: string;
  readonly goal?: Goal;
  readonly note?: string | undefined;
}

export interface Comparison {
  readonly unit: string;
  readonly ours: Side;
  /** What the row is called when ours is measured alone. */
  readonly what: string;
  readonly others: readonly Other[];
}

/** Seconds for which each side is run before it is measured, at most: V8 compiles the paths of a request in the first ones. */
const warmUpSecondsMax = 4;

/** A row for each other side. */
export async function compare(context: Context, { unit, ours, what, others }: Comparison): Promise<Row[]> {
  const { rounds, seconds, alone } = context;
  const measured = alone ? [] : others;
  const [control] = measured;
  const sides: readonly Side[] = [ours, ...measured, ...(control === undefined ? [] : [control])];
  await warmUp(sides, Math.min(seconds, warmUpSecondsMax));
  const times = new Map<Side, number[]>();
  const results = await inTurn(rounds, sides, async (side) => {
    const result = await side.measure(seconds);
    const us = side.usPerAnswer?.();
    if (us !== undefined) times.set(side, [...(times.get(side) ?? []), us]);
    return result;
  });
  const [ourResults = []] = results;
  const ourTimes = times.get(ours);
  if (control === undefined) {
    const row = rowOfOurs(what, unit, ourResults);
    return ourTimes === undefined ? [row] : [row, rowOfOurs(timeRow(what), 'µs', ourTimes)];
  }
  const controlRatios = ratios(results.at(-1) ?? [], results[1] ?? []);
  return measured.map((other, i) => {
    const otherResults = results[i + 1] ?? [];
    const each = [other.note, i === 0 ? controlNote(controlRatios) : undefined, timeNote(ourTimes, times.get(other))];
    const notes = each.filter((note) => note !== undefined);
    const row = rowOf(other.what, unit, ourResults, { name: other.name, results: otherResults }, notes.join('; '), other.goal);
    context.say(said(row));
    return { ...row, control: median(controlRatios) };
  });
}

/** Runs each side before it is measured. */
export async function warmUp(sides: readonly Side[], seconds = warmUpSecondsMax): Promise<void> {
  for (const side of new Set(sides)) await side.measure(seconds);
}

/** The row of the processor time of another row. */
export const timeRow = (what: string): string => `${what}: processor time`;

/** The processor time of both sides for an answer, if it is known. */
function timeNote(ours: readonly number[] | undefined, other: readonly number[] | undefined): string | undefined {
  if (ours === undefined || other === undefined) return undefined;
  return `${figure(median(ours))} and ${figure(median(other))} µs of processor time`;
}

/** What each of the sides gave, round by round. */
export async function inTurn<Measured, Result>(
  rounds: number,
  sides: readonly Measured[],
  measure: (side: Measured) => Promise<Result>,
): Promise<Result[][]> {
  const results = sides.map((): Result[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, side] of sides.entries()) results[i]?.push(await measure(side));
  }
  return results;
}

/** What the two measurements of the same thing say of the noise. */
export const controlNote = (each: readonly number[]): string =>
  `control ${median(each).toFixed(2)} (${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)})`;

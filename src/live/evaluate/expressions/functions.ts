/** The functions of expressions: an allow-list. Nothing else can be called. */
import type { Compute, EvaluationRun } from '../evaluation-run.ts';
import { isTrue, kindOf, textIn, type Value } from '../values/live-value.ts';
import { numberIn } from '../values/number-form.ts';

interface LiveFunction {
  /** Least and most number of arguments. */
  readonly count: readonly [least: number, most: number];
  /** Makes the computation. */
  of(run: EvaluationRun, args: readonly Compute[], name: string): Compute;
}

const any = Number.POSITIVE_INFINITY;

/** A function of numbers; a result that is not finite is no value. */
const ofNumbers = (least: number, most: number, result: (numbers: readonly number[]) => number): LiveFunction => ({
  count: [least, most],
  of: (run, args, name) => (item) => {
    const numbers: number[] = [];
    for (const arg of args) {
      const value = arg(item);
      if (value === undefined) return undefined;
      const number = numberIn(value);
      if (number === undefined) return run.fail(`${name} needs numbers, not ${kindOf(value)}`);
      numbers.push(number);
    }
    const found = result(numbers);
    return Number.isFinite(found) ? found : run.fail(`${name}(${numbers.join(', ')}) is no finite number`);
  },
});

const ofNumber = (result: (number: number) => number): LiveFunction => ofNumbers(1, 1, ([number]) => result(number as number));

/** A function of one text. */
const ofText = (result: (text: string, run: EvaluationRun) => Value): LiveFunction => ({
  count: [1, 1],
  of:
    (run, [arg], name) =>
    (item) => {
      const value = (arg as Compute)(item);
      if (value === undefined) return undefined;
      const text = textIn(value);
      return text === undefined ? run.fail(`${name} needs a text, not ${kindOf(value)}`) : result(text, run);
    },
});

/** A coordinate of a place on the artboard. */
const ofPlace = (axis: 'x' | 'y'): LiveFunction => ({
  count: [2, 2],
  of: (run, args, name) => {
    const [latitude, longitude] = args as [Compute, Compute];
    return (item) => {
      if (run.place === undefined) return run.fail(`${name} has a value only on an OpenStreetMap artboard`);
      const [lat, lng] = [latitude(item), longitude(item)];
      if (lat === undefined || lng === undefined) return undefined;
      const [a, b] = [numberIn(lat), numberIn(lng)];
      if (a === undefined || b === undefined)
        return run.fail(`${name} needs a latitude and a longitude, not ${kindOf(lat)} and ${kindOf(lng)}`);
      return run.place(a, b)[axis];
    };
  },
});

/** Rounds half away from zero. The decimal form keeps 1.005 from becoming 1.00 with two digits. */
function rounded(number: number, digits = 0): number {
  const places = Math.max(-20, Math.min(20, Math.trunc(digits)));
  const size = Number(`${Math.round(Number(`${Math.abs(number)}e${places}`))}e${-places}`);
  // A number with an exponent of its own has no digits that could be rounded away, or is smaller than all of them.
  if (Number.isFinite(size)) return Math.sign(number) * size;
  return Math.abs(number) < 1 ? 0 : number;
}

export const liveFunctions: ReadonlyMap<string, LiveFunction> = new Map<string, LiveFunction>([
  ['abs', ofNumber(Math.abs)],
  ['ceil', ofNumber(Math.ceil)],
  ['floor', ofNumber(Math.floor)],
  ['sqrt', ofNumber(Math.sqrt)],
  ['round', ofNumbers(1, 2, ([number, digits]) => rounded(number as number, digits))],
  ['min', ofNumbers(1, any, (numbers) => numbers.reduce((a, b) => Math.min(a, b)))],
  ['max', ofNumbers(1, any, (numbers) => numbers.reduce((a, b) => Math.max(a, b)))],
  ['len', ofText((text) => Array.from(text).length)],
  ['lower', ofText((text, run) => run.made(text.toLowerCase()))],
  ['upper', ofText((text, run) => run.made(text.toUpperCase()))],
  ['text', ofText((text) => text)],
  ['number', ofText((text, run) => numberIn(text) ?? run.fail(`number needs a number, not ${kindOf(text)}`))],
  [
    'if',
    {
      count: [3, 3],
      of: (_, args) => {
        const [test, then, otherwise] = args as [Compute, Compute, Compute];
        return (item) => {
          const value = test(item);
          if (value === undefined) return undefined;
          return isTrue(value) ? then(item) : otherwise(item);
        };
      },
    },
  ],
  [
    'coalesce',
    {
      count: [1, any],
      of: (run, args) => (item) => {
        for (const arg of args) {
          const value = arg(item);
          if (value !== undefined && value !== null && value !== '') return value;
        }
        return run.isOutOfSteps ? undefined : run.fail('coalesce found no value');
      },
    },
  ],
  ['now', { count: [0, 0], of: (run) => () => run.nowMs ?? run.fail(`"${run.given.now}" is no time of RFC 3339`) }],
  ['px', ofPlace('x')],
  ['py', ofPlace('y')],
]);

/** Functions whose value depends on the artboard. */
export const placeFunctions: ReadonlySet<string> = new Set(['px', 'py']);

/** The operators of conditions and filters. */
import { isObject } from '../open-json.ts';
import { textIn, type Value } from './live-value.ts';
import { numberIn } from './number-form.ts';

/** Whether the operator holds; `undefined` if the values cannot be compared. */
export type Comparison = (left: Value, right: Value) => boolean | undefined;

/** Numbers, and texts in the form of numbers, are compared as numbers; everything else as texts. */
function order(left: Value, right: Value): number | undefined {
  const [a, b] = [numberIn(left), numberIn(right)];
  if (a !== undefined && b !== undefined) return a - b;
  const [c, d] = [textIn(left), textIn(right)];
  if (c === undefined || d === undefined) return undefined;
  return c === d ? 0 : c < d ? -1 : 1;
}

/** An empty value is equal to an empty text, and has no place in an order. */
const isMissing = (value: Value): boolean => value === null || value === undefined;

const equals: Comparison = (left, right) => {
  const found = order(left ?? null, right ?? null);
  return found === undefined ? undefined : found === 0;
};

const ordered =
  (holds: (order: number) => boolean): Comparison =>
  (left, right) => {
    const found = isMissing(left) || isMissing(right) ? undefined : order(left, right);
    return found === undefined ? undefined : holds(found);
  };

const texts =
  (holds: (left: string, right: string) => boolean): Comparison =>
  (left, right) => {
    const [a, b] = [textIn(left ?? null), textIn(right ?? null)];
    return a === undefined || b === undefined ? undefined : holds(a, b);
  };

const containsText = texts((left, right) => left.includes(right));
const contains: Comparison = (left, right) =>
  Array.isArray(left) ? left.some((item) => equals(item, right) === true) : containsText(left, right);

const isEmpty: Comparison = (value) => {
  if (isMissing(value) || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
};

const not =
  (comparison: Comparison): Comparison =>
  (left, right) => {
    const holds = comparison(left, right);
    return holds === undefined ? undefined : !holds;
  };

const notEquals = not(equals);
const greater = ordered((found) => found > 0);
const greaterOrEqual = ordered((found) => found >= 0);
const less = ordered((found) => found < 0);
const lessOrEqual = ordered((found) => found <= 0);

const byOperator = {
  equals,
  'not-equals': notEquals,
  'greater-than': greater,
  'greater-or-equal': greaterOrEqual,
  'less-than': less,
  'less-or-equal': lessOrEqual,
  contains,
  'not-contains': not(contains),
  'starts-with': texts((left, right) => left.startsWith(right)),
  'ends-with': texts((left, right) => left.endsWith(right)),
  'is-empty': isEmpty,
  'is-not-empty': not(isEmpty),
} satisfies Readonly<Record<string, Comparison>>;

export type Operator = keyof typeof byOperator;

/** In the order in which they are offered. */
export const operators = Object.keys(byOperator) as Operator[];

/** Other names of operators, which expressions have, too. */
const aliases: ReadonlyMap<string, Operator> = new Map([
  ['=', 'equals'],
  ['==', 'equals'],
  ['!=', 'not-equals'],
  ['>', 'greater-than'],
  ['>=', 'greater-or-equal'],
  ['<', 'less-than'],
  ['<=', 'less-or-equal'],
]);

/** The operator of a name or alias; `undefined` for one that has no effect. */
export const operatorOf = (name: string): Operator | undefined => operators.find((each) => each === name) ?? aliases.get(name);

/** By name and alias. */
export const comparisons: ReadonlyMap<unknown, Comparison> = new Map<unknown, Comparison>([
  ...Object.entries(byOperator),
  ...[...aliases].map(([alias, operator]) => [alias, byOperator[operator]] as const),
]);

/** The names of operators, for a message. */
export const operatorNames = operators.join(', ');

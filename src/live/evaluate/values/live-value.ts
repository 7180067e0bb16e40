/** Values of variables, their texts, and how messages show them. */
import { quoted } from '../evaluation-problems.ts';
import { numberIn } from './number-form.ts';
import { Vertices } from './vertices.ts';

/**
 * A text, number or boolean; `null` for an empty value of a response; vertices; an item or the list of an iterator, as JSON. `undefined` is
 * no value.
 */
export type Value = unknown;

/** The text of a text, a number, a boolean, or `null`, which is empty. */
export function textIn(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? '' : undefined;
}

export const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Whether a value counts as true: not `false`, 0, an empty text, or a text of one of them. */
export const isTrue = (value: Value): boolean =>
  value !== null && value !== false && value !== '' && value !== 'false' && numberIn(value) !== 0;

/** What a value is, for a message. */
export function kindOf(value: Value): string {
  if (value === undefined) return 'no value';
  if (value === null) return 'empty';
  if (value instanceof Vertices) return 'a list of points';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text "${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  return String(value);
}

/** Any JSON of the project in a message. It may be deep, so a structure is not written. */
export const shownJson = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : value === undefined ? 'nothing' : kindOf(value);

/** A value in the result of an evaluation. */
export const shownValue = (value: Value): unknown =>
  value === undefined ? null : value instanceof Vertices ? value.points : value;

/** Operators of filters and conditions. */

export const operators = [
  'equals',
  'not-equals',
  'greater-than',
  'greater-or-equal',
  'less-than',
  'less-or-equal',
  'contains',
  'not-contains',
  'starts-with',
  'ends-with',
  'is-empty',
  'is-not-empty',
] as const;

/** Operators that compare with nothing. */
export const hasNoValue = (operator: unknown): boolean => operator === 'is-empty' || operator === 'is-not-empty';

/** The value that a text in a cell stands for, in the type that the value had before, if it has this form. */
export function typedLike(before: unknown, text: string): unknown {
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** A value in a cell. */
export const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

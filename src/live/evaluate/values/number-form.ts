/** Numbers, and texts in the form of numbers. */

/** A number in the form of JSON. */
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const numberLengthMax = 400;

/** The finite number that a value is, or that it has the form of as a text. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > numberLengthMax || !numberForm.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

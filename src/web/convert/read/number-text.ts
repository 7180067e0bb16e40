/** Numbers as people write them: `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5 €`. */

/** The character before the fraction. */
export type Decimal = 'point' | 'comma';

const spaces = /[\s\u00a0\u202f'’]/g;
const around = /^[€$£¥]|[€$£¥%°]$/g;
const forms = {
  point: /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i,
  comma: /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?(?:e[+-]?\d{1,3})?$/i,
};

const plain = /^-?\d+(?:\.\d+)?$/;

/** Texts that need no more: digits with one sign for the fraction. */
const digitsOnly = /^-?\d+(?:[.,]\d+)?$/;

const bare = (text: string): string =>
  digitsOnly.test(text) ? text : text.trim().replace('−', '-').replace(spaces, '').replace(around, '');

/** The number that a text is, or `undefined`. */
export function numberIn(text: string, decimal: Decimal): number | undefined {
  if (text.length > 40) return undefined;
  // Most numbers are written as programs do it.
  if (decimal === 'point' && plain.test(text)) return Number(text);
  const digits = bare(text);
  if (!/\d/.test(digits) || !forms[decimal].test(digits)) return undefined;
  const written = decimal === 'point' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  const number = Number(written);
  return Number.isFinite(number) ? number : undefined;
}

/** Counts texts that are written in one way only: `1,5` has a decimal comma, `1,234` may have either. */
export function evidenceOf(texts: Iterable<string>): { readonly point: number; readonly comma: number } {
  let point = 0;
  let comma = 0;
  for (const text of texts) {
    if (text.length > 40) continue;
    const digits = bare(text);
    const asPoint = forms.point.test(digits);
    const asComma = forms.comma.test(digits);
    // A zero before a group of three digits is not the beginning of thousands.
    const startsWithZero = /^[+-]?0[.,]/.test(digits);
    if (asPoint && !asComma) point++;
    else if (asComma && !asPoint) comma++;
    else if (asPoint && startsWithZero) digits.includes('.') ? point++ : comma++;
  }
  return { point, comma };
}

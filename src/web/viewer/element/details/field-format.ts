/** Values of fields as visitors read them, in their language. */
import type { FieldKind, PropertyValue } from '../../../../lib/draw/public-map.ts';
import { knownLanguages } from '../texts.ts';
import { detailsTextsFor } from './details-texts.ts';

const isoTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/;

/** A text for a value. A value that does not fit its kind is shown as it is. */
export function shownValue(kind: FieldKind, value: PropertyValue, languages: readonly string[]): string {
  const { yes, no } = detailsTextsFor(languages);
  if (typeof value === 'boolean') return value ? yes : no;
  const known = knownLanguages(languages);
  // An identifier such as a postal code is a text: only numbers are numbers.
  if (typeof value === 'number') {
    const isLong = Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6);
    const options = isLong ? { notation: 'scientific' as const } : { maximumFractionDigits: 6 };
    return formatter('number', known, options).format(value);
  }
  const text = value.trim();
  if (kind === 'yes-no' && /^(?:true|false)$/.test(text)) return text === 'true' ? yes : no;
  if (kind === 'date' && isoTime.test(text)) return shownDate(text, known) ?? text;
  return text;
}

function shownDate(text: string, languages: string[]): string | undefined {
  const hasTime = text.length > 10;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  // A day is the same day everywhere.
  const options = hasTime ? { dateStyle: 'long', timeStyle: 'short' } : { dateStyle: 'long', timeZone: 'UTC' };
  return formatter('date', languages, options as Intl.DateTimeFormatOptions).format(time);
}

/** A list has thousands of values, and a browser takes a while to make a formatter. */
const formatters = new Map<string, { format(value: number): string }>();

function formatter(
  kind: 'number' | 'date',
  languages: string[],
  options: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions,
): { format(value: number): string } {
  const key = JSON.stringify([kind, languages, options]);
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = kind === 'number' ? new Intl.NumberFormat(languages, options) : new Intl.DateTimeFormat(languages, options);
  formatters.set(key, made);
  return made;
}

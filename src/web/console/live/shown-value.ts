/** Values of variables and of responses, in a few characters. */
import { texts } from '../console-texts.ts';

const charactersMax = 200;
const itemsMax = 5;

const cut = (text: string): string => (text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text);

/** Texts in quotation marks, everything else as JSON. */
export const shownValue = (value: unknown): string => cut(JSON.stringify(value) ?? texts.live.noValue);

/** The value of a variable as its user knows it: a text without quotation marks, the first items of a list. */
export function plainValue(value: unknown): string {
  if (typeof value === 'string') return cut(value);
  if (!Array.isArray(value)) return shownValue(value);
  const first = value.slice(0, itemsMax).map((item) => (item === null ? texts.live.noValue : shownValue(item)));
  return cut(
    `${texts.live.items(value.length)}${value.length === 0 ? '' : ': '}${first.join(', ')}${value.length > itemsMax ? ', …' : ''}`,
  );
}

export const isColour = (value: unknown): value is string =>
  typeof value === 'string' && /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value);

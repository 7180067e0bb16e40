/** Values of JSON documents. */
import { ConvertError } from '../../conversion.ts';
import { TopLevel } from './top-level.ts';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The elements of a list; none of another value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that says something; `undefined` for another value. */
export const jsonText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Objects in objects that are taken apart. */
const depthMax = 3;

/** Members with the names of columns: `location.name` for one in an object. @param isWhole true for a value that is not taken apart */
export function flatMembers(record: Json, isWhole: (value: Json) => boolean, prefix = '', depth = 0): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) && depth < depthMax && !isWhole(value)
      ? flatMembers(value, isWhole, `${prefix}${name}.`, depth + 1)
      : [[prefix + name, value]],
  );
}

/** Numbers that programs write as if they were values of JSON. */
const notJson = /[[:,]\s*(-?(?:NaN|Infinity))\b/;

/** @throws {ConvertError} "unreadable" with the place of the error */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const odd = notJson.exec(text);
    const line = text.slice(0, odd?.index ?? 0).split('\n').length;
    const python = `"${odd?.[1]}" in line ${line} is no value of JSON, although Python writes it. Write null instead.`;
    const detail = odd !== null ? python : error instanceof Error ? error.message : '';
    const top = new TopLevel();
    top.write(text);
    const cut = top.isOpen ? '; perhaps it was cut off' : '';
    throw new ConvertError('unreadable', `The file is not valid JSON${cut}: ${detail.slice(0, 200)}`);
  }
}

/** The properties of objects, as people type them. */
import { type PropertyValue, truthOf } from '../../../lib/draw/public-map.ts';

export type Properties = Readonly<Record<string, PropertyValue>>;

const numberOf = (text: string): number | undefined => (Number.isFinite(Number(text)) ? Number(text) : undefined);

/** A typed value: a number stays a number, and a flag a flag, if the text is one. `undefined` for no text. */
export function propertyOf(text: string, before: PropertyValue | undefined, kind: string | undefined): PropertyValue | undefined {
  if (text === '') return undefined;
  const number = typeof before === 'number' || kind === 'number' ? numberOf(text) : undefined;
  if (number !== undefined) return number;
  return (typeof before === 'boolean' || kind === 'yes-no' ? truthOf(text) : undefined) ?? text;
}

/** Properties with another value of one. Entries, because a name may be `__proto__`. */
export function withProperty(properties: Properties, name: string, value: PropertyValue | undefined): Properties {
  const entries = new Map(Object.entries(properties));
  if (value === undefined) entries.delete(name);
  else entries.set(name, value);
  return Object.fromEntries(entries);
}

/** The text of a property in a field; '' if there is none. */
export function textOfProperty(properties: Properties, name: string): string {
  const value = Object.hasOwn(properties, name) ? properties[name] : '';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** The properties of objects, as people type them. */
import type { PropertyValue } from '../../../lib/draw/public-map.ts';

export type Properties = Readonly<Record<string, PropertyValue>>;

/** A typed value: a number stays a number, and a flag a flag, if the text is one. `undefined` for no text. */
export function propertyOf(text: string, before: PropertyValue | undefined, kind: string | undefined): PropertyValue | undefined {
  if (text === '') return undefined;
  if ((typeof before === 'number' || kind === 'number') && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' || kind === 'yes-no') {
    if (/^(?:yes|true)$/i.test(text)) return true;
    if (/^(?:no|false)$/i.test(text)) return false;
  }
  return text;
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

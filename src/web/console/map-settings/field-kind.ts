/** The field that a property becomes, by its values. */
import type { FieldKind, FieldPlace } from '../../../lib/draw/public-map.ts';
import type { MapField } from '../kinds/map-fields.ts';

/** Values up to which a property is a choice, if most of them occur more than once. */
const choicesMax = 12;

/** The form of the values of each kind. The first one that fits all of them wins. */
const patterns: readonly (readonly [FieldKind, RegExp])[] = [
  ['yes-no', /^(?:true|false|yes|no|ja|nein)$/i],
  ['number', /^-?\d+(?:\.\d+)?$/],
  ['date', /^\d{4}-\d{2}-\d{2}(?:T[\d:.Z+-]+)?$/],
  ['picture', /^(?:https?:\/\/|\/f\/)\S+\.(?:png|jpe?g|webp|avif|gif|svg)$/i],
  ['link', /^https?:\/\/\S+$/i],
  ['mail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['telephone', /^\+?[\d\s()/-]{6,}$/],
];

/** Where visitors find a field of a kind at first. */
const placesOf: Readonly<Partial<Record<FieldKind, readonly FieldPlace[]>>> = {
  choice: ['popup', 'filter'],
  'yes-no': ['popup', 'filter'],
  text: ['popup', 'search'],
};

/** The kind of values. Those that are empty say nothing. */
export function kindOf(values: readonly unknown[]): FieldKind {
  const given = values.map(String).filter((text) => text.trim() !== '');
  if (given.length === 0) return 'text';
  const kind = patterns.find(([, pattern]) => given.every((text) => pattern.test(text.trim())))?.[0];
  if (kind !== undefined) return kind;
  const different = new Set(given).size;
  return different <= choicesMax && different * 2 <= given.length ? 'choice' : 'text';
}

export function fieldFor(name: string, values: readonly unknown[]): MapField {
  const kind = kindOf(values);
  return { name, label: '', kind, show: placesOf[kind] ?? ['popup'] };
}

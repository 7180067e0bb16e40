/** The field that a column or a property becomes: its kind by its values, and its values as that kind has them. */
import { type FieldKind, type FieldPlace, type PropertyValue, truthOf } from '../../../lib/draw/public-map.ts';

/** Values up to which a column is a choice, if most of them occur more than once. */
export const choicesMax = 12;

/** The form of the values of each kind. The first one that fits all of them wins. */
const patterns: readonly (readonly [FieldKind, RegExp])[] = [
  ['picture', /^(?:https?:\/\/|\/f\/)\S+\.(?:png|jpe?g|webp|avif|gif|svg)$/i],
  ['link', /^(?:https?:\/\/\S+|www\.[^\s/]+\.\S+)$/i],
  ['mail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['telephone', /^(?=\D*(?:\d\D*){6,15}$)(?=.*[\s()/+–-])[+(]?\d[\d\s()/.–-]*$/],
];

/** Names of columns whose digits are no quantity: they are neither compared nor written with separators. */
const identifier =
  /(?:^|[^\p{L}])(?:id|nr|no|plz|zip|year|jahr|année|año|code)\.?$|(?:postleitzahl|kennzahl|nummer|number|jahr|postcode|zipcode|code)$/iu;
const telephoneName = /(?:^|[^\p{L}])(?:tel|fax|mobil\w*)\.?$|telefon|telephone|téléphone|teléfono|phone$/iu;

/** Names of columns that say how an element is drawn, in simplestyle and in KML. */
export const styleNames =
  /^(?:fill|stroke|marker|icon|label)(?:[-_](?:color|opacity|width|size|symbol|scale|heading|offset(?:-units)?))?$|^(?:style(?:Url|Hash|MapHash)|visibility|tessellate|altitudeMode|extrude)$/;

/** Digits beyond 15 are not exact, and a zero at the beginning belongs to an identifier. */
const isQuantity = (text: string): boolean => !/^-?0\d|[€$£¥%°]/.test(text) && text.replace(/\D/g, '').length <= 15;

/** Where visitors find a field of a kind at first. */
const placesOf: Readonly<Partial<Record<FieldKind, readonly FieldPlace[]>>> = {
  choice: ['popup', 'filter'],
  'yes-no': ['popup', 'filter'],
  number: ['popup', 'filter'],
  date: ['popup', 'filter'],
  text: ['popup', 'search'],
};

export const usualPlaces = (kind: FieldKind): readonly FieldPlace[] => placesOf[kind] ?? ['popup'];

/** Reads a number as its column writes it; `undefined` for another text. */
export type NumberReader = (text: string) => number | undefined;

const plainNumber: NumberReader = (text) => (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined);

/**
 * The kind of values.
 *
 * @param different values, trimmed and not empty @param filled how many values are not empty
 */
export function kindOf(
  different: ReadonlySet<string>,
  filled: number,
  name: string,
  numberOf: NumberReader = plainNumber,
): FieldKind {
  const values = [...different];
  const are = (fits: (text: string) => boolean): boolean => values.length > 0 && values.every(fits);
  if (are((text) => truthOf(text) !== undefined)) return 'yes-no';
  if (are((text) => dayIn(text) !== undefined)) return 'date';
  const isNamed = telephoneName.test(name);
  if (isNamed && are((text) => /\d{3}/.test(text.replace(/[\s()/.–-]/g, '')))) return 'telephone';
  const numbers = values.map(numberOf);
  if (are(isQuantity) && numbers.every((number) => number !== undefined)) {
    const isIdentifier = identifier.test(name.trim()) && numbers.every((number) => Number.isInteger(number));
    if (!isIdentifier) return 'number';
  } else {
    const kind = patterns.find(([, pattern]) => are((text) => pattern.test(text)))?.[0];
    // Postal codes have digits alone, too.
    if (kind !== undefined && !(kind === 'telephone' && identifier.test(name.trim()))) return kind;
  }
  // One value alone is nothing to choose from.
  return values.length >= 2 && values.length <= choicesMax && values.length * 2 <= filled ? 'choice' : 'text';
}

/** A field as the settings have it. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly show: readonly FieldPlace[];
}

/** The field for a property with these values. */
export function fieldFor(name: string, values: readonly unknown[]): Field {
  const filled = values.map((value) => String(value).trim()).filter((text) => text !== '');
  const kind = kindOf(new Set(filled), filled.length, name);
  return { name, label: '', kind, show: usualPlaces(kind) };
}

/** A cell as a value of a property. A text that does not fit the kind stays as it is. */
export function valueFor(kind: FieldKind, text: string, numberOf: NumberReader): PropertyValue {
  if (kind === 'number') return numberOf(text) ?? text;
  if (kind === 'yes-no') return truthOf(text) ?? text;
  return kind === 'date' ? (dayIn(text) ?? text) : text;
}

const isoDay = /^\d{4}-\d\d-\d\d(?:[T ][\d:.Z+-]+)?$/;
const dottedDay = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/** A day, with or without a time, as ISO 8601 writes it; `undefined` for another text. */
function dayIn(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = dottedDay.exec(text) ?? [];
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [date = ''] = iso.split(/[T ]/);
  const time = isoDay.test(iso) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // The 31st of February is no day.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : iso;
}

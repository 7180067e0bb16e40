/** Values of fields as conditions compare them, and conditions as addresses have them. */
import type { FieldKind } from '../../../../lib/draw/public-map.ts';

type Value = string | number | boolean;

/** A visitor's condition on a field: one of some values, or a value in a range. */
export type FieldCondition =
  | { readonly kind: 'values'; readonly values: ReadonlySet<string> }
  /** `undefined`: without a limit on this side. */
  | { readonly kind: 'range'; readonly least: number | undefined; readonly most: number | undefined };

/** True if conditions on a field are ranges. */
export const isRanged = (kind: FieldKind): boolean => kind === 'number' || kind === 'date';

const isoDay = /^(\d{4}-\d\d-\d\d)(?:T|\s|$)/;

/** The number that a range compares: of a date, the milliseconds of its day; `undefined` for a value that is none. */
export function numberIn(kind: FieldKind, value: Value | undefined): number | undefined {
  if (kind === 'number' && typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const number = kind === 'date' ? Date.parse(isoDay.exec(text)?.[1] ?? '') : text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The text that conditions compare. */
export const keyOf = (value: Value): string => String(value).trim();

export function fits(kind: FieldKind, value: Value | undefined, condition: FieldCondition): boolean {
  if (value === undefined) return false;
  if (condition.kind === 'values') return condition.values.has(keyOf(value));
  return isInRange(numberIn(kind, value) ?? Number.NaN, condition);
}

/** Not for a number that is none. */
export const isInRange = (
  number: number,
  { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Extract<FieldCondition, { kind: 'range' }>,
): boolean => number >= least && number <= most;

/** A limit of a range as people write it. */
export const limitText = (kind: FieldKind, limit: number): string =>
  kind === 'date' ? new Date(limit).toISOString().slice(0, 10) : String(limit);

/** A condition on a field from the parts of an address, decoded; `undefined` if they are none. */
export function conditionIn(kind: FieldKind, parts: readonly string[]): FieldCondition | undefined {
  if (!isRanged(kind)) {
    const values = new Set(parts.filter((part) => part !== ''));
    return values.size === 0 ? undefined : { kind: 'values', values };
  }
  const [from = '', to = ''] = (parts[0] ?? '').split('..');
  const [least, most] = [numberIn(kind, from), numberIn(kind, to)];
  return least === undefined && most === undefined ? undefined : { kind: 'range', least, most };
}

/** The parts of an address for a condition; {@link conditionIn} reads them. */
export function partsOf(kind: FieldKind, condition: FieldCondition): string[] {
  if (condition.kind === 'values') return [...condition.values];
  const { least, most } = condition;
  return [[least, most].map((limit) => (limit === undefined ? '' : limitText(kind, limit))).join('..')];
}

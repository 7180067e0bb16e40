/**
 * How many JSON values one resource may hold in its own members. A resource is checked, compared, encoded, applied and answered in one
 * piece, during which no other request is answered. Collections are not, so they have other bounds.
 */
import { pointerTo } from '../../lib/field-error.ts';
import type { Resource } from '../resource.ts';
import type { Body } from '../value.ts';

/** Numbers, strings, words, objects and arrays in the open structures and lists of one resource, together. */
export const ownValuesMax = 100_000;
/** Each is two numbers. */
export const verticesMax = ownValuesMax / 2;

interface FieldErrors {
  add(pointer: string, detail: string): void;
}

/** Adds an error at the member with which a body holds more than {@link ownValuesMax}. */
export function checkOwnValues(
  { openFields, inputs }: Pick<Resource, 'openFields' | 'inputs'>,
  body: Body,
  at: () => string,
  fieldErrors: FieldErrors,
): void {
  for (const name of inputs) {
    const value = body[name];
    const corners = cornersIn(value);
    if (corners <= verticesMax) continue;
    fieldErrors.add(pointerTo(at(), name), tooManyCorners(corners));
    return;
  }
  let left = ownValuesMax;
  for (const { name, encoding, jsonBytesMax } of openFields) {
    const value = body[name];
    if (value === undefined) continue;
    if (jsonBytesMax !== undefined && !fits(value, jsonBytesMax)) {
      fieldErrors.add(pointerTo(at(), name), `must have at most ${jsonBytesMax} bytes as JSON: leave some of it out`);
      return;
    }
    if (encoding === 'vertices' || encoding === 'rings') {
      const corners = cornersIn(value);
      left -= 2 * corners;
      if (left >= 0) continue;
      fieldErrors.add(
        pointerTo(at(), name),
        tooManyCorners(corners + cornersIn(encoding === 'rings' ? body['coords'] : undefined)),
      );
      return;
    }
    left = countDown(value, left);
    if (left >= 0) continue;
    fieldErrors.add(
      pointerTo(at(), name),
      `brings the values in the open structures of one resource above ${ownValuesMax}: leave some out, or divide them between several resources`,
    );
    return;
  }
}

/** Number of corners in a list of them, or in a list of rings. */
export function cornersIn(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  return value.reduce<number>((sum, each) => sum + (Array.isArray(each) ? Math.max(1, each.length) : 1), 0);
}

/** True if a value is small enough as JSON, in bytes. The check of its schema refuses what has too many members. */
const fits = (value: unknown, bytesMax: number): boolean => Buffer.byteLength(JSON.stringify(value)) <= bytesMax;

export const tooManyCorners = (count: number): string =>
  `brings the corners of the polygon to ${count}: at most ${verticesMax} may be in one, with those of its holes. Simplify it, or send it as several objects`;

/** @returns what is left of so many when all values in this one are taken away; negative as soon as they are too many */
function countDown(value: unknown, allowed: number): number {
  let left = allowed - 1;
  if (typeof value !== 'object' || value === null) return left;
  for (const item of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    left = countDown(item, left);
    if (left < 0) return left;
  }
  return left;
}

/** Reads members of open JSON: only own properties, and a default for a value of another type. */

export type OpenObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is OpenObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member; `undefined` if the object does not have it itself. */
export const member = (object: OpenObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

export function textMember(object: OpenObject, name: string, fallback = ''): string {
  const value = member(object, name);
  return typeof value === 'string' ? value : fallback;
}

export function numberMember(object: OpenObject, name: string, fallback: number): number {
  const value = member(object, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

export function listMember(object: OpenObject, name: string): readonly unknown[] {
  const value = member(object, name);
  return Array.isArray(value) ? value : [];
}

/** An object for members of any name: it has no prototype, so that `__proto__` is a name as any other. */
export const openRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

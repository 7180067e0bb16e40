/** The three forms of a resource's content: as sent, in memory, and stored. */

/** A request's body, or an element of a collection in it, once it was checked. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * Where a value has the members that only the newer original knows, unless all of them have their defaults. Under a symbol, since neither
 * JSON nor a loop over members sees one: who speaks the contract need not look, and a value that has none of them is what it always was.
 */
export const newer: unique symbol = Symbol('newer');

/**
 * A resource's own members as they stand in memory and in answers by the contract; the collections it holds stand beside it. Immutable.
 */
export interface Value {
  readonly id: string;
  readonly [member: string]: unknown;
  readonly [newer]?: Body;
}

/** A member of a body, or of a value, where what only the newer original knows stands aside, if it is said at all. */
export function memberIn(value: Body & { readonly [newer]?: Body }, name: string): unknown {
  return value[name] ?? value[newer]?.[name];
}

/** A value as a positional array; see generate.ts. */
export type Row = readonly unknown[];

/** The three forms of a resource's content: as sent, in memory, and stored. */

/** A checked request body, or an element of a collection in it. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * Key of a value's extension: its members that only API version *latest* has, absent if all have their defaults. It is a symbol, since
 * JSON and loops over members skip symbols: code for the contract version need not know of it.
 */
export const extension: unique symbol = Symbol('extension');

/** A resource's own members, in memory and in responses of the contract version; nested collections are separate. Immutable. */
export interface Value {
  readonly id: string;
  readonly [member: string]: unknown;
  readonly [extension]?: Body;
}

/** A member of a body or a value, including its extension. */
export function memberIn(value: Body & { readonly [extension]?: Body }, name: string): unknown {
  return value[name] ?? value[extension]?.[name];
}

/** A value as a positional array; see generate.ts. */
export type Row = readonly unknown[];

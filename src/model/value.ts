/** The three forms of a resource's content: as sent, in memory, and stored. */

/** A request's body, or an element of a collection in it, once it was checked. */
export type Body = Readonly<Record<string, unknown>>;

/** A resource's own members as they stand in memory and in answers; the collections it holds stand beside it. Immutable. */
export interface Value {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** A value as a positional array; see generate.ts. */
export type Row = readonly unknown[];

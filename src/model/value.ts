/** The three forms of a resource's content: as sent, in memory, and stored. */

/** A checked request body, or an element of a collection in it. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * A resource's own members, in memory and in responses; nested collections are separate. An optional member is absent if it has its
 * default. Immutable.
 */
export interface Value {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** A value as a positional array; see generate.ts. */
export type Row = readonly unknown[];

/** An answer to the question if the conditions of an action hold now. `value`: what was compared, for the first condition. */
export type Truth =
  | { readonly is: 'unknown' }
  | { readonly is: 'holds' | 'fails'; readonly value: unknown }
  /** With one value per item: for how many of them. */
  | { readonly is: 'items'; readonly holds: number; readonly of: number }
  /** A variable has one value per item, and the action has no items. */
  | { readonly is: 'refused' };

/** Chance that can be repeated. */

/** Whole numbers from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** The mulberry32 generator. */
export function randomFrom(start: number): Random {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Least and greatest of numbers; [0, 0] of none. Not by `Math.min(...all)`: a call takes some hundred thousand arguments at most. */
export function extentOf(all: readonly number[]): readonly [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of all) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return all.length === 0 ? [0, 0] : [least, most];
}

/** Where a text can be cut. */

/** Characters before its end in which a text is cut between two words. */
const wordMost = 64;

/**
 * The largest place for a cut in a range of a text: between two words if possible, and never within a character or a reference to one.
 *
 * @returns an index from `from` to `to`
 */
export function textEnd(text: string, from: number, to: number): number {
  const least = Math.max(from, to - wordMost);
  const last = text.slice(least, to);
  const blank = last.search(/\s\S*$/);
  if (blank > 0) return least + blank;
  const reference = last.search(/&[#\w]*$/);
  if (reference !== -1 && least + reference > from) return least + reference;
  return to - 1 > from && /[\uD800-\uDBFF]$/.test(last) ? to - 1 : to;
}

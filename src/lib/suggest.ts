/**
 * Which of the names that exist was probably meant by one that does not. Made for answers to a person's mistake: it is asked after a
 * refusal, never on the way of a good request.
 */

/** Names longer than this are no slip of the keyboard, and the cost of a comparison grows with the square of the length. */
const nameLengthMax = 64;

/**
 * The candidate closest to `name`, or `undefined` when none is close enough to be worth saying.
 *
 * Case, `_`, `-` and spaces do not count (`osmLat` is `osm_lat`); beyond that a slip is an insertion, a deletion, a substitution or a
 * swap of neighbours, one of them in a short name and up to three in a long one. Of equally close candidates the first wins.
 */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > nameLengthMax) return undefined;
  const meant = normalised(name);
  if (meant === '') return undefined;
  let best: string | undefined;
  let bestSlips = slipsMax(meant.length) + 1;
  for (const candidate of candidates) {
    const slips = distance(meant, normalised(candidate), bestSlips);
    if (slips < bestSlips) {
      best = candidate;
      bestSlips = slips;
      if (slips === 0) break;
    }
  }
  return best;
}

function normalised(name: string): string {
  return name.replaceAll(/[_\-\s]/g, '').toLowerCase();
}

/** Slips that a name of this many characters may have and still be recognised. Two letters with one wrong could be anything. */
function slipsMax(length: number): number {
  if (length <= 2) return 0;
  if (length <= 5) return 1;
  return length <= 9 ? 2 : 3;
}

/** The same as the end of a sentence: `; did you mean "osm_lat"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = suggest(name, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** Optimal string alignment distance between `a` and `b`, or `enough` as soon as it cannot be less than that. */
function distance(a: string, b: string, enough: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) >= enough) return enough;
  // Three rows of the usual table: the one being filled and the two above it (a swap looks two rows up).
  let twoUp: number[] = [];
  let up: number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cell = Math.min(at(up, j) + 1, at(row, j - 1) + 1, at(up, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cell = Math.min(cell, at(twoUp, j - 2) + 1);
      row.push(cell);
      if (cell < least) least = cell;
    }
    // A swap may still take the row above as its start, hence the second bound.
    if (least >= enough && Math.min(...up) >= enough) return enough;
    twoUp = up;
    up = row;
  }
  return Math.min(at(up, b.length), enough);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

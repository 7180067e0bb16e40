/**
 * Suggests the existing name that an unknown name was probably meant to be. Used only for error messages, never for valid requests.
 */

/** Longer names are not typing errors, and the cost of a comparison grows with the square of the length. */
const nameLengthMax = 64;

/**
 * The candidate closest to `name`, or `undefined` if none is close enough.
 *
 * Case, `_`, `-` and spaces are ignored (`osmLat` is `osm_lat`). Otherwise an error is an insertion, a deletion, a substitution or a
 * swap of adjacent characters: one in a short name, up to three in a long one. Of equally close candidates the first wins.
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

/** Maximum number of errors in a name of this length. With two letters and one of them wrong, it could be anything. */
function slipsMax(length: number): number {
  if (length <= 2) return 0;
  if (length <= 5) return 1;
  return length <= 9 ? 2 : 3;
}

/** {@link suggest} as the end of a sentence: `; did you mean "osm_lat"?`, or ''. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = suggest(name, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** Optimal string alignment distance between `a` and `b`; `enough` if it is at least that. */
function distance(a: string, b: string, enough: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) >= enough) return enough;
  // Three rows of the usual table: the current one and the two above it (a swap needs two rows up).
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
    // A later swap may start from the previous row, hence the second bound.
    if (least >= enough && Math.min(...up) >= enough) return enough;
    twoUp = up;
    up = row;
  }
  return Math.min(at(up, b.length), enough);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

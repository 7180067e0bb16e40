/** What is wrong with a request's body, and where: one entry of a problem's `errors`. */
import { withoutKeys } from './secrets.ts';

export interface Fault {
  /** RFC 6901 pointer to the value at fault: `/objects/3/x`; `''` is the whole body. */
  readonly pointer: string;
  /** What is asked of that value, a predicate without a full stop: `must be a number`. */
  readonly detail: string;
}

/** At most this many faults are reported of one body: enough to mend it, too few to make the answer larger than the question. */
export const faultsMax = 100;

/** Characters of a member name that an answer shows: what was sent may be megabytes, and stand in every pointer below it. */
const nameShownMax = 256;

/** Characters beyond which a pointer goes no further down. */
const pointerMax = 1024;

const cutMark = '\u2026';

/**
 * The pointer to member or element `name` of what `parent` points to. A name longer than {@link nameShownMax} is cut and marked with an
 * ellipsis; so is a way down that has become too long.
 */
export function pointerTo(parent: string, name: string | number): string {
  if (parent.length > pointerMax) return parent.endsWith(`/${cutMark}`) ? parent : `${parent}/${cutMark}`;
  return `${parent}/${typeof name === 'number' ? name : escaped(name)}`;
}

/** The pointer made of member names and array indexes; `''` for none. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.reduce<string>(pointerTo, '');
}

/** A stranger's name as an answer shows it. */
export function shownName(name: string): string {
  if (name.length <= nameShownMax) return name;
  // Keys go first: half of one would not be recognised any more.
  const shown = withoutKeys(name.slice(0, 2 * nameShownMax));
  // Not through the middle of a surrogate pair.
  return `${shown.slice(0, nameShownMax).replace(/[\ud800-\udbff]$/, '')}${cutMark}`;
}

function escaped(long: string): string {
  const name = shownName(long);
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** What is wrong with a request's body, and where: one entry of a problem's `errors`. */

export interface Fault {
  /** RFC 6901 pointer to the value at fault: `/objects/3/x`; `''` is the whole body. */
  readonly pointer: string;
  /** What is asked of that value, a predicate without a full stop: `must be a number`. */
  readonly detail: string;
}

/** At most this many faults are reported of one body: enough to mend it, too few to make the answer larger than the question. */
export const faultsMax = 100;

/** The pointer to member or element `name` of what `parent` points to. */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${typeof name === 'number' ? name : escaped(name)}`;
}

/** The pointer made of member names and array indexes; `''` for none. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.reduce<string>(pointerTo, '');
}

function escaped(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

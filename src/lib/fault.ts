/** What is wrong with a request's body, and where: one entry of a problem's `errors`. */

export interface Fault {
  /** JSON Pointer (RFC 6901) to the member at fault; `''` is the body itself. */
  readonly pointer: string;
  /** What is wrong and what would be right, readable on its own. */
  readonly detail: string;
}

/** Faults reported together for one body. */
export const faultsMax = 100;

/** The pointer to member or element `name` of what `parent` points to. */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${typeof name === 'number' ? name : name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

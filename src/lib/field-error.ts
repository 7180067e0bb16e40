/** An error in a request and its location: one entry of a problem's `errors`. */
import { redactKeys } from './text/redact.ts';

export interface FieldError {
  /** RFC 6901 pointer to the invalid value: `/objects/3/x`; `''` is the whole body. */
  readonly pointer: string;
  /** The parameter of the query that is wrong, instead of the body; `pointer` is '' then. */
  readonly parameter?: string;
  /** The header that is wrong, instead of the body; `pointer` is '' then. */
  readonly header?: string;
  /** The requirement that the value violates, a predicate without a full stop: `must be a number`. */
  readonly detail: string;
}

/** Maximum number of reported errors per body: enough to correct it, and small enough to keep the response below the request's size. */
export const fieldErrorsMax = 100;

/** Length limit of a member name in a response, in characters: a name may be megabytes long, and is part of every pointer below it. */
const nameShownMax = 256;

/** Length above which a pointer is not extended, in characters. */
const pointerMax = 1024;

const cutMark = '\u2026';

/**
 * The pointer to member or element `name` of the value at `parent`. A name longer than {@link nameShownMax} is cut and marked with an
 * ellipsis; so is a path that is too long.
 */
export function pointerTo(parent: string, name: string | number): string {
  if (parent.length > pointerMax) return parent.endsWith(`/${cutMark}`) ? parent : `${parent}/${cutMark}`;
  return `${parent}/${typeof name === 'number' ? name : escaped(name)}`;
}

/** The pointer made of member names and array indexes; `''` for an empty list. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.reduce<string>(pointerTo, '');
}

/** The name in one part of a pointer: the inverse of what {@link pointerOf} does to it, unless it was cut. */
export const nameInPointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** A client's name in the form for responses: redacted and cut. */
export function shownName(name: string): string {
  if (name.length <= nameShownMax) return name;
  // Redact first: a cut key would not be recognised.
  const shown = redactKeys(name.slice(0, 2 * nameShownMax));
  // Do not split a surrogate pair.
  return `${shown.slice(0, nameShownMax).replace(/[\ud800-\udbff]$/, '')}${cutMark}`;
}

function escaped(long: string): string {
  const name = shownName(long);
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

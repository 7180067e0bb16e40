/** What a key may be asked to be, by a command or an embedding program, and the check of it; faults are told in words. */
import type { KeyTerms } from '../engine/keys.ts';
import { OperationError } from '../lib/errors.ts';
import { withoutKeys } from '../lib/secrets.ts';
import { didYouMean } from '../lib/suggest.ts';
import { durationMs, momentMs } from '../lib/time.ts';
import { checkRate } from './account-limits.ts';

export interface KeyOptions {
  /** When the key stops working: after `90d` (or `30m`, `24h`, `8w`), or at a moment (RFC 3339) or the first of a day in UTC. Default: never. */
  readonly expires?: string;
  /** Whether it may only read; default false. */
  readonly readOnly?: boolean;
  /** Identifiers of the projects it reaches; by default, and when empty, all of the account. */
  readonly projects?: readonly string[];
  /** Requests that may be made with it, beside what its account may make: `50/s`, `600/m`, `10000/h`. Default: `none`. */
  readonly rate?: string;
  /** To tell keys apart by: up to 100 printable characters. */
  readonly label?: string;
}

export interface RotateOptions {
  /** How long the old key goes on working: `24h`, which is the default, or `0` for not at all. */
  readonly overlap?: string;
  /** When the new key stops working, as in {@link KeyOptions}, or `never`. By default it lives as long as the old one was made to. */
  readonly expires?: string;
}

/** Projects that one key may be for. */
export const keyProjectsMax = 100;
const overlapDefault = '24h';
const printable = /^[^\p{C}]{1,100}$/u;

/** Names of accounts and labels: what fits on a line and in a list, and is not a key by mistake. Throws {@link OperationError}. */
export function checkName(what: string, name: unknown): string {
  if (typeof name !== 'string' || !printable.test(name) || name.trim() !== name)
    throw new OperationError(`${what} is 1 to 100 printable characters without a space at either end.`);
  if (withoutKeys(name) !== name) throw new OperationError(`${what} is shown and logged: it must not hold an API key.`);
  return name;
}

/**
 * The terms that the options name. Throws {@link OperationError}.
 *
 * @param now milliseconds since 1970
 */
export function keyTerms(options: KeyOptions, now: number): KeyTerms {
  refuseUnknown(options, ['expires', 'readOnly', 'projects', 'label', 'rate']);
  const { expires, readOnly = false, projects = [], label = '', rate = 'none' } = options;
  if (typeof readOnly !== 'boolean') throw new OperationError('Whether a key is read-only is true or false.');
  if (!Array.isArray(projects) || projects.some((id) => typeof id !== 'string') || projects.length > keyProjectsMax)
    throw new OperationError(`The projects of a key are a list of up to ${keyProjectsMax} identifiers.`);
  return {
    expires: expires === undefined ? '' : expiryFrom(expires, now),
    access: readOnly ? 'read' : 'write',
    projects: [...new Set(projects)],
    label: label === '' ? '' : checkName('A label', label),
    rate: keyRate(rate),
  };
}

/** The rate of a key; '' for `none`. Throws {@link OperationError}. */
export function keyRate(text: string): string {
  const rate = checkRate(text, ['none']);
  return rate === 'none' ? '' : rate;
}

/** How long the old key overlaps, in milliseconds, and when the new one expires; `undefined`: as long after this as the old one was made to. */
export function rotateTerms(options: RotateOptions, now: number): { overlapMs: number; expires: string | undefined } {
  refuseUnknown(options, ['overlap', 'expires']);
  const { overlap = overlapDefault, expires } = options;
  return { overlapMs: overlapFrom(overlap), expires: expires === undefined ? undefined : expiryFrom(expires, now) };
}

/** Any program of the folder's owner may have sent it: it is only text when it is. */
export function checkText(what: string, value: unknown): string {
  if (typeof value !== 'string') throw new OperationError(`${what} is text.`);
  return value;
}

/** RFC 3339 in UTC, or '' for `never`. Throws {@link OperationError}. */
export function expiryFrom(text: string, now: number): string {
  if (typeof text !== 'string')
    throw new OperationError('What is not text is no time for a key to expire: say "90d", or "2027-01-31".');
  if (text === 'never') return '';
  const after = durationMs(text);
  const ms = after === undefined ? momentMs(text) : now + after;
  if (ms === undefined)
    throw new OperationError(
      `"${withoutKeys(text)}" is no time for a key to expire: say 90d (or 30m, 24h, 8w), 2027-01-31, or 2027-01-31T12:00:00Z.`,
    );
  return new Date(ms).toISOString();
}

/** Milliseconds. Throws {@link OperationError}. */
export function overlapFrom(text: string): number {
  checkText('An overlap', text);
  const ms = durationMs(text);
  if (ms === undefined) throw new OperationError(`"${withoutKeys(text)}" is no overlap: say 24h (or 30m, 7d), or 0 for none.`);
  return ms;
}

function refuseUnknown(options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new OperationError('The options of a key are an object.');
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new OperationError(`A key has no option "${unknown}"${didYouMean(unknown, names)}`);
}

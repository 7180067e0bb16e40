/** Validates the options of keys, set by a command or an embedding program. */
import type { KeyTerms } from '../../engine/keys.ts';
import { OperationError } from '../../lib/errors.ts';
import { redactKeys } from '../../lib/text/redact.ts';
import { didYouMean } from '../../lib/text/suggest.ts';
import { durationMs, momentMs } from '../../lib/text/time.ts';
import { checkRate } from './account-limit-options.ts';

export interface KeyOptions {
  /** Expiry: after `90d` (or `30m`, `24h`, `8w`), or at a time (RFC 3339) or the start of a date in UTC. Default: never. */
  readonly expires?: string;
  /** Whether the key is read-only; default false. */
  readonly readOnly?: boolean;
  /** Identifiers of the projects that it can access; default (and if empty): all of the account. */
  readonly projects?: readonly string[];
  /** Rate limit of the key, in addition to its account's: `50/s`, `600/m`, `10000/h`. Default: `none`. */
  readonly rate?: string;
  /** A label to tell keys apart: up to 100 printable characters. */
  readonly label?: string;
}

export interface RotateOptions {
  /** How long the old key stays valid: `24h` (the default), or `0` for not at all. */
  readonly overlap?: string;
  /** Expiry of the new key, as in {@link KeyOptions}, or `never`. Default: the old key's original lifetime. */
  readonly expires?: string;
}

/** Maximum number of projects of one key. */
const keyProjectsMax = 100;
const overlapDefault = '24h';
const printable = /^[^\p{C}]{1,100}$/u;

/**
 * What is wrong with the name of an account or a label, which is a single printable line that contains no key: words that follow what it is,
 * without a full stop; `undefined` if it is valid.
 */
export function problemOfKeyName(name: unknown): string | undefined {
  if (typeof name !== 'string' || !printable.test(name) || name.trim() !== name)
    return 'must be 1 to 100 printable characters without a space at either end';
  return redactKeys(name) === name ? undefined : 'is shown and logged: it must not contain an API key';
}

/** Returns a name without a problem, see {@link problemOfKeyName}. Throws {@link OperationError}. */
export function checkKeyName(what: string, name: unknown): string {
  const problem = problemOfKeyName(name);
  if (problem !== undefined) throw new OperationError(`${what} ${problem}.`);
  return name as string;
}

/**
 * Validates the options of a new key. Throws {@link OperationError}.
 *
 * @param now Unix time in milliseconds
 */
export function keyTerms(options: KeyOptions, now: number): KeyTerms {
  refuseUnknown(options, ['expires', 'readOnly', 'projects', 'label', 'rate']);
  const { expires, readOnly = false, projects = [], label = '', rate = 'none' } = options;
  if (typeof readOnly !== 'boolean') throw new OperationError('The option readOnly of a key must be true or false.');
  if (!Array.isArray(projects) || projects.some((id) => typeof id !== 'string') || projects.length > keyProjectsMax)
    throw new OperationError(`The projects of a key must be a list of up to ${keyProjectsMax} identifiers.`);
  return {
    expires: expires === undefined ? '' : expiryFrom(expires, now),
    access: readOnly ? 'read' : 'write',
    projects: [...new Set(projects)],
    label: label === '' ? '' : checkKeyName('A label', label),
    rate: keyRate(rate),
  };
}

/** Validates the rate of a key; returns '' for `none`. Throws {@link OperationError}. */
export function keyRate(text: string): string {
  const rate = checkRate(text, ['none']);
  return rate === 'none' ? '' : rate;
}

/** The overlap of the old key, in milliseconds, and the expiry of the new one; `undefined`: keeps the old key's original lifetime. */
export function rotateTerms(options: RotateOptions, now: number): { overlapMs: number; expires: string | undefined } {
  refuseUnknown(options, ['overlap', 'expires']);
  const { overlap = overlapDefault, expires } = options;
  return { overlapMs: overlapFrom(overlap), expires: expires === undefined ? undefined : expiryFrom(expires, now) };
}

/** Checks that an argument is a string: any program of the folder's owner may have sent it. */
export function checkText(what: string, value: unknown): string {
  if (typeof value !== 'string') throw new OperationError(`${what} must be a string.`);
  return value;
}

/** Parses an expiry. Returns RFC 3339 in UTC, or '' for `never`. Throws {@link OperationError}. */
export function expiryFrom(text: string, now: number): string {
  if (typeof text !== 'string') throw new OperationError('The expiry of a key must be a string such as "90d" or "2027-01-31".');
  if (text === 'never') return '';
  const after = durationMs(text);
  const ms = after === undefined ? momentMs(text) : now + after;
  if (ms === undefined)
    throw new OperationError(
      `"${redactKeys(text)}" is not a valid expiry of a key. Use 90d (or 30m, 24h, 8w), 2027-01-31, or 2027-01-31T12:00:00Z.`,
    );
  return new Date(ms).toISOString();
}

/** Parses an overlap. Returns milliseconds. Throws {@link OperationError}. */
export function overlapFrom(text: string): number {
  checkText('An overlap', text);
  const ms = durationMs(text);
  if (ms === undefined)
    throw new OperationError(`"${redactKeys(text)}" is not a valid overlap. Use 24h (or 30m, 7d), or 0 for none.`);
  return ms;
}

function refuseUnknown(options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new OperationError('The options of a key must be an object.');
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new OperationError(`A key has no option "${unknown}"${didYouMean(unknown, names)}`);
}

/** Limits of an account or a key, stored with it. The server's options apply where none is set. */
import { rateFrom } from '../lib/text/rate.ts';
import { RecordFormatError, stored } from './stored.ts';

/** A maximum; `none`: unlimited, whatever the server's options say; `default`: as the server's options say. */
export type Limit = number | 'none' | 'default';

/** Limits on the contents of an account. */
export interface Quotas<T> {
  readonly projects: T;
  /** Members of all its collections together. */
  readonly members: T;
  /** Bytes of the rows of its projects and members, and of their published maps, as a snapshot stores them. */
  readonly bytes: T;
  /** Versions of all its projects together. */
  readonly versions: T;
}

export interface AccountLimits extends Quotas<Limit> {
  /** Request rate, such as `100/s`; or `none`, or `default`. */
  readonly rate: string;
}

/** Versions of an account, unless the options or its own limits say otherwise. */
export const versionsMaxDefault = 10_000;

export const defaultAccountLimits: AccountLimits = {
  ...{ rate: 'default', projects: 'default', members: 'default' },
  ...{ bytes: 'default', versions: 'default' },
};

/** Columns at the end of an account's row: none if all limits are defaults. */
export const limitsRow = (limits: AccountLimits | undefined): unknown[] =>
  limits === undefined ? [] : [[limits.rate, limits.projects, limits.members, limits.bytes, limits.versions]];

export function limitsFromRow(row: unknown): AccountLimits {
  const [rate, projects, members, bytes, versions = 'default'] = stored.list(row, 'the limits of an account');
  return {
    rate: storedRate(rate, ['none', 'default']),
    projects: storedLimit(projects),
    members: storedLimit(members),
    bytes: storedLimit(bytes),
    versions: storedLimit(versions),
  };
}

/** Whether a text is a rate or one of these words. */
export function isRate(text: string, words: readonly string[]): boolean {
  return words.includes(text) || rateFrom(text) !== undefined;
}

/** A stored rate, or one of these words. Throws {@link RecordFormatError} for anything else. */
export function storedRate(value: unknown, words: readonly string[]): string {
  const rate = stored.text(value, 'a rate');
  if (isRate(rate, words)) return rate;
  throw new RecordFormatError('a rate is invalid');
}

const storedLimit = (value: unknown): Limit =>
  value === 'none' || value === 'default' ? value : stored.count(value, 'a limit of an account');

/** The limits that are set for an account or a key, and stored with it. What none is set for is as the server's options say. */
import { rateFrom } from '../lib/rate.ts';
import { RecordFormatError, stored } from './stored.ts';

/** So many at most; `none`: as many as there are, whatever the server's options say; `default`: what these say. */
export type Limit = number | 'none' | 'default';

/** What an account may hold of what is counted. */
export interface Quotas<T> {
  readonly projects: T;
  /** Members of all its collections together. */
  readonly members: T;
  /** Bytes of the rows of its projects and members, as a snapshot holds them. */
  readonly bytes: T;
}

export interface AccountLimits extends Quotas<Limit> {
  /** Requests, as `100/s`; or `none`, or `default`. */
  readonly rate: string;
}

export const defaultAccountLimits: AccountLimits = { rate: 'default', projects: 'default', members: 'default', bytes: 'default' };

/** Columns at the end of a row: none where everything is as the options say. */
export const limitsRow = (limits: AccountLimits | undefined): unknown[] =>
  limits === undefined ? [] : [[limits.rate, limits.projects, limits.members, limits.bytes]];

export function limitsFromRow(row: unknown): AccountLimits {
  const [rate, projects, members, bytes] = stored.list(row, 'the limits of an account');
  return {
    rate: storedRate(rate, ['none', 'default']),
    projects: storedLimit(projects),
    members: storedLimit(members),
    bytes: storedLimit(bytes),
  };
}

/** Whether that is a rate, or one of these words. */
export function isRate(text: string, words: readonly string[]): boolean {
  return words.includes(text) || rateFrom(text) !== undefined;
}

/** A rate, or one of these words. */
export function storedRate(value: unknown, words: readonly string[]): string {
  const rate = stored.text(value, 'a rate');
  if (isRate(rate, words)) return rate;
  throw new RecordFormatError('what stands for a rate is none');
}

const storedLimit = (value: unknown): Limit =>
  value === 'none' || value === 'default' ? value : stored.count(value, 'a limit of an account');

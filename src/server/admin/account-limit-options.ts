/** Limits of an account, set by a command or an embedding program, and their validation. */
import { OperationError } from '../../lib/errors.ts';
import { didYouMean } from '../../lib/text/suggest.ts';
import { type AccountLimits, isRate, type Limit } from '../../model/account-limits.ts';

/** Omitted limits stay unchanged. `none`: no limit, whatever the server's options say; `default`: as the server's options say. */
export interface LimitOptions {
  /** Request rate: `50/s`, `600/m`, `10000/h`; `none`, `default`. */
  readonly rate?: string;
  /** Maximum number of projects. */
  readonly projects?: Limit;
  /** Maximum number of members in all collections of its projects. */
  readonly members?: Limit;
  /** Maximum size of the rows of its projects and members, as a snapshot stores them; in bytes. */
  readonly bytes?: Limit;
  /** Maximum number of versions of its projects; 10,000 unless the server's options say otherwise. */
  readonly versions?: Limit;
}

const quotas = ['projects', 'members', 'bytes', 'versions'] as const;

/** Validates the limits in the options. Throws {@link OperationError}. */
export function limitTerms(options: LimitOptions): Partial<AccountLimits> {
  if (typeof options !== 'object' || options === null) throw new OperationError('The limits of an account must be an object.');
  const names = ['rate', ...quotas];
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new OperationError(`An account has no limit "${unknown}"${didYouMean(unknown, names)}`);
  }
  const terms: { -readonly [Name in keyof AccountLimits]?: AccountLimits[Name] } = {};
  if (options.rate !== undefined) terms.rate = checkRate(options.rate, ['none', 'default']);
  for (const name of quotas) {
    const limit = options[name];
    if (limit !== undefined) terms[name] = checkLimit(name, limit);
  }
  if (Object.keys(terms).length === 0)
    throw new OperationError('No limit given. Give at least one of rate, projects, members, bytes, versions.');
  return terms;
}

/** Validates a rate, or one of these words. Throws {@link OperationError}. */
export function checkRate(text: string, words: readonly string[]): string {
  if (typeof text === 'string' && isRate(text, words)) return text;
  const others = words.map((word) => `, or ${word}`).join('');
  throw new OperationError(`A rate must be like 50/s, 600/m or 10000/h (up to 1000000)${others}.`);
}

function checkLimit(name: string, limit: Limit): Limit {
  if (limit === 'none' || limit === 'default' || (Number.isSafeInteger(limit) && limit >= 0)) return limit;
  throw new OperationError(`The limit of ${name} must be a non-negative integer, none or default.`);
}

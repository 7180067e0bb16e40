/** What an account may be held to, by a command or an embedding program, and the check of it; faults are told in words. */
import { type Bounds, boundsOf } from '../engine/quotas.ts';
import { OperationError } from '../lib/errors.ts';
import { didYouMean } from '../lib/suggest.ts';
import { type AccountLimits, isRate, type Limit } from '../model/limits.ts';

/** What is left out stays as it is. `none`: no limit, whatever the server's options say; `default`: what these say. */
export interface LimitOptions {
  /** Requests: `50/s`, `600/m`, `10000/h`; `none`, `default`. */
  readonly rate?: string;
  /** How many it may have. */
  readonly projects?: Limit;
  /** Members of all collections of its projects. */
  readonly members?: Limit;
  /** Bytes of the rows of its projects and members, as a snapshot holds them. */
  readonly bytes?: Limit;
}

const quotas = ['projects', 'members', 'bytes'] as const;

/** The limits that the options name. Throws {@link OperationError}. */
export function limitTerms(options: LimitOptions): Partial<AccountLimits> {
  if (typeof options !== 'object' || options === null) throw new OperationError('The limits of an account are an object.');
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
  if (Object.keys(terms).length === 0) throw new OperationError('Which limit? There are: rate, projects, members, bytes.');
  return terms;
}

/** What holds for an account: what is set for it, and where nothing is, what the server's options say. */
export function limitsInForce(set: AccountLimits, rateLimit: string, quotas: Bounds): AccountLimits {
  const { projects, members, bytes } = boundsOf(set, quotas);
  const limit = (most: number): Limit => (Number.isFinite(most) ? most : 'none');
  const rate = set.rate === 'default' ? rateLimit : set.rate;
  return { rate, projects: limit(projects), members: limit(members), bytes: limit(bytes) };
}

/** A rate, or one of these words. Throws {@link OperationError}. */
export function checkRate(text: string, words: readonly string[]): string {
  if (typeof text === 'string' && isRate(text, words)) return text;
  const others = words.map((word) => `, or ${word}`).join('');
  throw new OperationError(`A rate is written as 50/s, 600/m or 10000/h (up to 1000000)${others}.`);
}

function checkLimit(name: string, limit: Limit): Limit {
  if (limit === 'none' || limit === 'default' || (Number.isSafeInteger(limit) && limit >= 0)) return limit;
  throw new OperationError(`The limit of ${name} is a whole number, or none, or default.`);
}

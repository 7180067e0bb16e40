/** The rate limits of a key: that of its account (or the server's default), and its own. */
import { Allowance, type RateScope } from '../../http/guard/rate-limit.ts';
import { rateFrom } from '../../lib/text/rate.ts';
import type { Key } from '../../model/account.ts';
import type { State } from '../../store/state.ts';

export class RateLimiters {
  readonly #default: string;
  /** By account or key. All keys of an account share one; a changed limit starts a new one. */
  readonly #allowances = new WeakMap<object, { readonly text: string; readonly allowance: Allowance }>();

  /** @param rate default for accounts; '' for none */
  constructor(rate: string) {
    this.#default = rate;
  }

  /** The token buckets of a key's requests; `undefined` without limits. */
  tokenBucketsOf(state: State, key: Key): readonly Allowance[] | undefined {
    const account = state.accounts.get(key.accountId);
    const set = account?.limits?.rate ?? 'default';
    const allowances = [
      ...this.#allowance('account', account ?? key, set === 'default' ? this.#default : set),
      ...this.#allowance('key', key, key.rate),
    ];
    return allowances.length === 0 ? undefined : allowances;
  }

  #allowance(holder: RateScope, of: object, text: string): Allowance[] {
    const rate = rateFrom(text);
    if (rate === undefined) return [];
    const present = this.#allowances.get(of);
    if (present?.text === text) return [present.allowance];
    const allowance = new Allowance(holder, rate);
    this.#allowances.set(of, { text, allowance });
    return [allowance];
  }
}

/** Which rate limits hold for a key: that of its account, or what the server's options say of every account, and its own beside it. */
import { Allowance, type Holder } from '../http/rate-limit.ts';
import { rateFrom } from '../lib/rate.ts';
import type { Key } from '../model/change.ts';
import type { State } from '../store/state.ts';

export class Rates {
  readonly #default: string;
  /** Of accounts and keys in memory. An account's is one for all of its keys; it begins anew when its limit is changed. */
  readonly #allowances = new WeakMap<object, { readonly text: string; readonly allowance: Allowance }>();

  /** @param rate of an account for which nothing else is set; '' for none */
  constructor(rate: string) {
    this.#default = rate;
  }

  /** What requests with a key take from; `undefined` where there is no limit. */
  allowancesOf(state: State, key: Key): readonly Allowance[] | undefined {
    const account = state.accounts.get(key.accountId);
    const set = account?.limits?.rate ?? 'default';
    const allowances = [
      ...this.#allowance('account', account ?? key, set === 'default' ? this.#default : set),
      ...this.#allowance('key', key, key.rate),
    ];
    return allowances.length === 0 ? undefined : allowances;
  }

  #allowance(holder: Holder, of: object, text: string): Allowance[] {
    const rate = rateFrom(text);
    if (rate === undefined) return [];
    const present = this.#allowances.get(of);
    if (present?.text === text) return [present.allowance];
    const allowance = new Allowance(holder, rate);
    this.#allowances.set(of, { text, allowance });
    return [allowance];
  }
}

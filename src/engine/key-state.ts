/**
 * Whether a key works at a moment. A key that was made through a sign-in link works only as long as the key that made it, which may depend on
 * another one in the same way: nothing is written to end them together, and nothing can be missed.
 */
import type { Key } from '../model/account.ts';

/** Whether a key works, and if not, why: `revoked` also where it would have expired by now. */
export type KeyState = 'valid' | 'expired' | 'revoked';

/** All keys, by their public part. */
export type Keys = ReadonlyMap<string, Key>;

/** Makers that are followed at most: more cannot be made, and a ring of keys in a crafted record ends. */
const makersMax = 1000;

/** A key, its maker, the maker of that, and so on; `undefined` if one of them does not exist any more. */
export function withMakers(keys: Keys, key: Key): readonly Key[] | undefined {
  const line = [key];
  for (let { maker } = key; maker !== ''; ) {
    const next = keys.get(maker);
    if (next === undefined || line.length > makersMax) return undefined;
    line.push(next);
    ({ maker } = next);
  }
  return line;
}

export function keyState(keys: Keys, key: Key, now: number): KeyState {
  const line = withMakers(keys, key);
  if (line === undefined || line.some(({ revoked }) => revoked !== '')) return 'revoked';
  return now < Math.min(...line.map(expiryMs)) ? 'valid' : 'expired';
}

/** When a key stops working, or stopped: milliseconds since 1970; infinite for never, negative if one of its makers does not exist. */
export function endMs(keys: Keys, key: Key): number {
  const line = withMakers(keys, key);
  if (line === undefined) return Number.NEGATIVE_INFINITY;
  return Math.min(...line.map((each) => Math.min(expiryMs(each), each.revoked === '' ? Infinity : Date.parse(each.revoked))));
}

/** The first millisecond since 1970 at which a key itself has expired; infinite for never. */
export function expiryMs({ expires }: Pick<Key, 'expires'>): number {
  return expires === '' ? Number.POSITIVE_INFINITY : Date.parse(expires);
}

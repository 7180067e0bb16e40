/** Whether a key works at a moment. */
import type { Key } from '../model/change.ts';

/** Whether a key works, and if not, why: `revoked` also where it would have expired by now. */
export type KeyState = 'valid' | 'expired' | 'revoked';

export function keyState(key: Key, now: number): KeyState {
  if (key.revoked !== '') return 'revoked';
  return now < expiryMs(key) ? 'valid' : 'expired';
}

/** The first millisecond since 1970 at which a key has expired; infinite for never. */
export function expiryMs({ expires }: Pick<Key, 'expires'>): number {
  return expires === '' ? Number.POSITIVE_INFINITY : Date.parse(expires);
}

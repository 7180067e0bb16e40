/** Limits how many beacons of one address count. The addresses are only here, in memory, for about a minute. */
import { clientOf } from '../../../http/request/addresses.ts';

/** Beacons of one address that count in a minute. */
export const beaconsPerMinute = 60;
/** Addresses that are known at a time; the one that came first goes first. */
const addressesMax = 100_000;
const minuteMs = 60_000;

export class AddressLimit {
  /** Beacons in this minute, by IPv4 address, or the /64 of an IPv6 address. */
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /** Addresses that are known. */
  get size(): number {
    return this.#counts.size;
  }

  /** Counts a beacon; `false` if there were too many. @param now Unix time in milliseconds */
  admits(address: string, now: number): boolean {
    const minute = Math.floor(now / minuteMs);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const client = clientOf(address);
    const count = this.#counts.get(client) ?? 0;
    if (count >= beaconsPerMinute) return false;
    this.#counts.set(client, count + 1);
    if (this.#counts.size > addressesMax) this.#counts.delete(this.#counts.keys().next().value as string);
    return true;
  }
}

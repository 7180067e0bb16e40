/** Counts the wrong codes of each client, to save work: nobody guesses a code, so right ones are never refused. */
import { problems } from '../../http/problem.ts';
import { clientOf } from '../../http/request/addresses.ts';

interface Failures {
  count: number;
  /** Unix time in milliseconds of the last one. */
  lastMs: number;
}

const failuresMax = 10;
const blockedMs = 60_000;
/** Clients whose failures are counted at most; the oldest goes first. */
const clientsMax = 10_000;

export class WrongCodes {
  /** By client: an IPv4 address, or the /64 of an IPv6 address. */
  readonly #failures = new Map<string, Failures>();

  /**
   * Notes a wrong code. Throws a 429 problem instead if there were too many.
   *
   * @param now Unix time in milliseconds
   */
  note(address: string, now: number): void {
    const client = clientOf(address);
    const before = this.#failures.get(client);
    const recent = before !== undefined && isRecent(before, now) ? before : undefined;
    if (recent !== undefined && recent.count >= failuresMax) {
      const waitS = Math.ceil((recent.lastMs + blockedMs - now) / 1000);
      throw problems.tooManyRequests(`Too many wrong codes from your address. Retry in ${waitS} s.`, waitS, 'console_codes');
    }
    this.#failures.delete(client);
    this.#failures.set(client, { count: (recent?.count ?? 0) + 1, lastMs: now });
    if (this.#failures.size > clientsMax) this.#failures.delete(this.#failures.keys().next().value as string);
  }
}

/** Whether failures count; not after the clock was set back: clients would wait for as long. */
const isRecent = ({ lastMs }: Failures, now: number): boolean => now >= lastMs && now < lastMs + blockedMs;

/**
 * Decides when a fetch starts. Each limit holds nothing that another fetch needs while it waits for the next one:
 *
 *     of the account ──▶ of the account and host ──▶ pace of the account and host ──▶ of the account, the host, and all
 *     2,000 at a time    2 at a time                 200 in 10 s                      4, 8 and 16 at a time: all three together
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nextSlice } from '../../lib/async/cooperative.ts';
import { TokenBucket } from '../../lib/async/token-bucket.ts';
import { Turns } from '../../lib/async/turns.ts';
import { BusyError } from '../../lib/errors.ts';
import { SourceFailure } from './source-problem.ts';

export const fetchLimits = {
  total: 16,
  perAccount: 4,
  /** For all accounts together: a slow host leaves half of the fetches to others. */
  perHost: 8,
  perAccountAndHost: 2,
  /** Fetches of an account that run or wait. */
  admittedPerAccount: 2000,
  /** Requests of an account to one host: a burst of 200, and then as many as a project with 1,000 data sources needs in a minute. */
  pace: { requests: 200, seconds: 10 },
} as const;

const noLimit = Number.POSITIVE_INFINITY;

export interface FetchTurn {
  readonly accountId: string;
  /** Name or address, without a port. */
  readonly host: string;
  /** Longest wait for each limit, in milliseconds. */
  readonly waitMs: number;
  /** Once it is aborted, the work starts without a pause, to end itself. */
  readonly signal: AbortSignal;
}

export class FetchTurns {
  readonly #now: () => number;
  readonly #admitted = new Turns({ total: noLimit, perAccount: fetchLimits.admittedPerAccount, waitingPerAccount: 0 });
  /** By account and host. */
  readonly #toHosts = new Turns({ total: noLimit, perAccount: fetchLimits.perAccountAndHost });
  readonly #fetches = new Turns({
    total: fetchLimits.total,
    perAccount: fetchLimits.perAccount,
    perLane: fetchLimits.perHost,
  });
  /** By account and host: those whose burst is not full again, the newest last. */
  readonly #paces = new Map<string, TokenBucket>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of fetches that run. */
  get running(): number {
    return this.#fetches.running;
  }

  /** Does a fetch when its turn has come. Throws a SourceFailure `busy` if it does not come in time; rejects as the work does. */
  async run<T>(turn: FetchTurn, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#admitted.run(turn.accountId, () => this.#toHost(turn, work));
    } catch (error) {
      throw error instanceof BusyError ? tooMany() : error;
    }
  }

  async #toHost<T>(turn: FetchTurn, work: () => Promise<T>): Promise<T> {
    const { accountId, host, waitMs, signal } = turn;
    const started = this.#now();
    const leftMs = (): number => Math.max(0, waitMs - (this.#now() - started));
    const key = `${accountId} ${host}`;
    const toHost = async (): Promise<{ done: T }> => {
      await this.#paced(key, host, leftMs(), signal);
      const ran = await this.#fetches.runWithin(accountId, leftMs(), () => inLaterTurn(work, signal), host);
      if (ran === undefined) throw busy();
      return ran;
    };
    const ran = await this.#toHosts.runWithin(key, waitMs, toHost);
    if (ran === undefined) throw busyHost(host);
    return ran.done;
  }

  /** Resolves when a request of an account to a host is allowed by the pace. */
  async #paced(key: string, host: string, leftMs: number, signal: AbortSignal): Promise<void> {
    const now = Math.floor(this.#now());
    const bucket = this.#paces.get(key) ?? new TokenBucket(fetchLimits.pace);
    const waitMs = bucket.waitMs(now);
    if (signal.aborted) return;
    if (waitMs > leftMs) throw busyHost(host);
    bucket.take();
    this.#paces.delete(key);
    this.#paces.set(key, bucket);
    // The first ones have rested for the longest time.
    for (const [rested, other] of this.#paces) {
      other.waitMs(now);
      if (other.used > 0) break;
      this.#paces.delete(rested);
    }
    // A fetch that is cancelled meanwhile starts, and ends itself.
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Starts work in a later turn of the event loop, so that many starts do not block it. */
async function inLaterTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<{ done: T }> {
  if (!signal.aborted) await nextSlice();
  return { done: await work() };
}

const busy = (): SourceFailure =>
  new SourceFailure(
    'busy',
    `Too many other fetches were running (limit: ${fetchLimits.perAccount} per account, ${fetchLimits.total} in all, ${fetchLimits.perHost} per host). Fetch again later, and check the data sources that do not respond.`,
  );

const busyHost = (host: string): SourceFailure =>
  new SourceFailure(
    'busy',
    `Too many other fetches of ${host} were waiting (limit for an account and a host: ${fetchLimits.perAccountAndHost} at a time, ${fetchLimits.pace.requests} in ${fetchLimits.pace.seconds} s). The server tries again later. Use a longer refresh, or one data source with the values of several.`,
  );

const tooMany = (): SourceFailure =>
  new SourceFailure(
    'busy',
    `More than ${fetchLimits.admittedPerAccount} fetches of the account are running or waiting. The server tries again later. Use longer refreshes, or fewer data sources.`,
  );

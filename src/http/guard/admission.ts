/** What the requests in flight hold, all together and of each account, and the refusal of more. */
import { problems } from '../problem.ts';

export interface AdmissionLimits {
  readonly bodiesBytesMax: number;
  readonly requestsPerAccountMax: number;
  readonly streamsMax: number;
  readonly streamsPerAccountMax: number;
}

/** What one account has in flight. */
export interface AccountLoad {
  readonly accountId: string;
  requests: number;
  bodiesBytes: number;
  /** Streams of events, which are no requests any more. */
  streams: number;
}

/** The same for a stream of events, which goes on until somebody ends it. */
const streamRetryAfterS = 10;

/** Seconds after which a client that was refused may find room: what stands in the way is a matter of moments, or of a slow sender. */
const retryAfterS = 1;

export class AdmissionControl {
  /** Bytes of bodies that are held. */
  bodiesBytes = 0;
  /** Streams of events that are open. */
  streams = 0;
  readonly #limits: AdmissionLimits;
  /** Of accounts that have something in flight, and of no others. */
  readonly #accounts = new Map<string, AccountLoad>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Counts one more request of an account; to be undone by {@link end}. Throws a 429 problem when it has too many. */
  begin(accountId: string): AccountLoad {
    const account = this.#accounts.get(accountId) ?? { accountId, requests: 0, bodiesBytes: 0, streams: 0 };
    const { requestsPerAccountMax } = this.#limits;
    if (account.requests >= requestsPerAccountMax) {
      throw problems.tooManyRequests(
        `Your account has ${requestsPerAccountMax} requests under way, and may have no more at a time. Wait for some of them.`,
        retryAfterS,
      );
    }
    if (account.requests === 0 && account.streams === 0) this.#accounts.set(accountId, account);
    account.requests++;
    return account;
  }

  end(account: AccountLoad): void {
    account.requests--;
    this.#forgetIdle(account);
  }

  /** Counts a stream of events; to be undone by {@link endStream}. Throws a 429 or a 503 problem when there are too many. */
  beginStream(account: AccountLoad | undefined): void {
    const { streamsMax, streamsPerAccountMax } = this.#limits;
    if (account !== undefined && account.streams >= streamsPerAccountMax) {
      throw problems.tooManyRequests(
        `Your account has ${streamsPerAccountMax} streams of events open, and may have no more at a time. Close some of them.`,
        streamRetryAfterS,
      );
    }
    if (this.streams >= streamsMax) {
      throw problems.unavailable(
        'The server has as many streams of events open as it takes at a time. Try again later.',
        streamRetryAfterS,
        'streams_full',
      );
    }
    this.streams++;
    if (account !== undefined) account.streams++;
  }

  endStream(account: AccountLoad | undefined): void {
    this.streams--;
    if (account === undefined) return;
    account.streams--;
    this.#forgetIdle(account);
  }

  /** Accounts that have something in flight. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /** Bodies are held by requests, so there are none where there is no request. */
  #forgetIdle({ accountId, requests, streams }: AccountLoad): void {
    if (requests === 0 && streams === 0) this.#accounts.delete(accountId);
  }

  /**
   * Throws what {@link hold} would throw now, and holds nothing.
   *
   * @param heldBytes what the same request holds already
   */
  check(account: AccountLoad | undefined, bytes: number, heldBytes = 0): void {
    const { bodiesBytesMax } = this.#limits;
    const requestBytesMax = account === undefined ? bodiesBytesMax : Math.floor(bodiesBytesMax / 2);
    // A retry cannot help a request that is too large for an idle server.
    if (heldBytes + bytes > requestBytesMax) {
      throw problems.payloadTooLarge(
        `The server would have to hold more than ${requestBytesMax} bytes for this request, which is the limit of one account: nothing was changed. Send less in one request, or ask the operator for a larger limit: it is half of --bodies-mb, and at most a sixteenth of --memory-mb.`,
      );
    }
    if (account !== undefined && account.bodiesBytes + bytes > requestBytesMax) {
      throw problems.tooManyRequests(
        'The requests of your account that are under way have larger bodies than the server takes at a time. Wait for some of them.',
        retryAfterS,
      );
    }
    if (this.bodiesBytes + bytes > bodiesBytesMax) {
      throw problems.unavailable(
        'The server is receiving as much as it can hold: nothing was changed, try again.',
        retryAfterS,
        'bodies_full',
      );
    }
  }

  /**
   * Counts bytes of a body; to be undone by {@link release}. Throws a 429 or a 503 problem when there is no room for them now, and a 413
   * problem when there never will be.
   *
   * @param heldBytes what the same request holds already
   */
  hold(account: AccountLoad | undefined, bytes: number, heldBytes: number): void {
    this.check(account, bytes, heldBytes);
    this.bodiesBytes += bytes;
    if (account !== undefined) account.bodiesBytes += bytes;
  }

  release(account: AccountLoad | undefined, bytes: number): void {
    this.bodiesBytes -= bytes;
    if (account !== undefined) account.bodiesBytes -= bytes;
  }
}

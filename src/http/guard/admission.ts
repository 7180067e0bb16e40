/** Admission control: counts the requests, body bytes and event streams in flight, in total and per account, and refuses more. */
import { problems } from '../problem.ts';

interface AdmissionLimits {
  readonly bodiesBytesMax: number;
  readonly requestsPerAccountMax: number;
  readonly streamsMax: number;
  readonly streamsPerAccountMax: number;
}

/** Load of one account. */
export interface AccountLoad {
  readonly accountId: string;
  requests: number;
  bodiesBytes: number;
  /** Open event streams, which do not count as requests. */
  streams: number;
}

/** Seconds until the retry of a refused event stream, which another one may block for long. */
const streamRetryAfterS = 10;

/** Seconds until the retry of a refused request: most requests end within moments. */
const retryAfterS = 1;

export class AdmissionControl {
  /** Bytes of bodies held. */
  bodiesBytes = 0;
  /** Streams of events that are open. */
  streams = 0;
  readonly #limits: AdmissionLimits;
  /** Only accounts with something in flight. */
  readonly #accounts = new Map<string, AccountLoad>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Counts one more request of an account until {@link end}. Throws a 429 problem if it has too many. */
  begin(accountId: string): AccountLoad {
    const account = this.#accounts.get(accountId) ?? { accountId, requests: 0, bodiesBytes: 0, streams: 0 };
    const { requestsPerAccountMax } = this.#limits;
    if (account.requests >= requestsPerAccountMax) {
      throw problems.tooManyRequests(
        `Your account has ${requestsPerAccountMax} requests in flight, which is the limit. Wait for some of them.`,
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

  /** Counts an event stream until {@link endStream}. Throws a 429 or a 503 problem if too many are open. */
  beginStream(account: AccountLoad | undefined): void {
    const { streamsMax, streamsPerAccountMax } = this.#limits;
    if (account !== undefined && account.streams >= streamsPerAccountMax) {
      throw problems.tooManyRequests(
        `Your account has ${streamsPerAccountMax} event streams open, which is the limit. Close some of them.`,
        streamRetryAfterS,
      );
    }
    if (this.streams >= streamsMax) {
      throw problems.unavailable(
        'The server has reached its limit of open event streams. Try again later.',
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

  /** Only requests hold bodies, so an account without requests holds none. */
  #forgetIdle({ accountId, requests, streams }: AccountLoad): void {
    if (requests === 0 && streams === 0) this.#accounts.delete(accountId);
  }

  /** Bytes that one request may hold. */
  requestBytesMax(account: AccountLoad | undefined): number {
    const { bodiesBytesMax } = this.#limits;
    return account === undefined ? bodiesBytesMax : Math.floor(bodiesBytesMax / 2);
  }

  /**
   * Throws the problem that {@link hold} would throw now, without holding bytes.
   *
   * @param heldBytes bytes that the same request already holds
   */
  check(account: AccountLoad | undefined, bytes: number, heldBytes = 0): void {
    const { bodiesBytesMax } = this.#limits;
    const requestBytesMax = this.requestBytesMax(account);
    // A retry cannot help a request that is too large for an idle server.
    if (heldBytes + bytes > requestBytesMax) {
      throw problems.payloadTooLarge(
        `The server would have to hold more than ${requestBytesMax} bytes for this request, which is the limit of one account: nothing was changed. Send less in one request, or ask the operator for a larger limit: it is half of --bodies-mb, and at most a sixteenth of --memory-mb.`,
      );
    }
    if (account !== undefined && account.bodiesBytes + bytes > requestBytesMax) {
      throw problems.tooManyRequests(
        `The bodies of concurrent requests of your account exceed ${requestBytesMax} bytes. Nothing was changed. Wait until one of them has ended.`,
        retryAfterS,
      );
    }
    if (this.bodiesBytes + bytes > bodiesBytesMax) {
      throw problems.unavailable(
        'The bodies of all concurrent requests exceed the limit of the server. Nothing was changed. Retry.',
        retryAfterS,
        'bodies_full',
      );
    }
  }

  /**
   * Counts bytes of a body until {@link release}. Throws a 429 or a 503 problem if they do not fit now, and a 413 problem if they never
   * will.
   *
   * @param heldBytes bytes that the same request already holds
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

/** Limits on client requests: their meaning, their defaults, and the validation of configured values. */
import { didYouMean } from '../../lib/text/suggest.ts';

export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytesMax: number;
  /** Bytes of a body that is read while it arrives, of which only a part is held at a time. */
  readonly streamedBytesMax: number;
  /**
   * Bytes of all request bodies that are held at a time, from the first byte to the response. Above it, a request is refused with 503. One
   * account may hold half of it, and gets 429 above that. A single request that needs more than half gets 413.
   */
  readonly bodiesBytesMax: number;
  /** Bytes of all responses that wait for clients at a time. Above it, the client that has waited longest is disconnected. */
  readonly responsesBytesMax: number;
  /** Bytes of JSON of all results of one batch. Above it, the batch is refused with 413. */
  readonly batchResultsBytesMax: number;
  /** Characters of a request target. */
  readonly urlBytesMax: number;
  /** Header lines of a request. */
  readonly headersMax: number;
  /** Bytes of a request's first line and headers together. */
  readonly headerBytesMax: number;
  /** Milliseconds from a request's first byte to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** Milliseconds from a request's first byte to its last. */
  readonly requestTimeoutMs: number;
  /** Milliseconds without a byte after which an incomplete body fails. */
  readonly bodyStallTimeoutMs: number;
  /** Milliseconds that an idle connection stays open. More than the usual 60 s of proxies, so that they close first. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds in which a client must read some of a waiting response, and at least 64 KiB of it. */
  readonly responseTimeoutMs: number;
  /** Milliseconds that a request waits until its change, or the state it shows, is durable; then it gets 503 (`storage_stalled`). */
  readonly writeTimeoutMs: number;
  /** Milliseconds for which a refused body is still read and discarded, so that the response arrives before a reset. */
  readonly lingerMs: number;
  /** Maximum number of connections; others are closed immediately. Fewer if the process has too few file descriptors. */
  readonly connectionsMax: number;
  /** Maximum number of connections per client address (per /64 in IPv6); others are closed immediately. 0: no limit. */
  readonly connectionsPerAddressMax: number;
  /** Maximum number of requests in flight per account; others get 429. */
  readonly requestsPerAccountMax: number;
  /** Maximum number of open event streams; others get 503. */
  readonly streamsMax: number;
  /** Maximum number of open event streams per account; others get 429. */
  readonly streamsPerAccountMax: number;
  /** Milliseconds without an event after which a heartbeat is written, to detect disconnected clients. */
  readonly heartbeatMs: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: Limits = {
  bodyBytesMax: 5 * mebibyte,
  streamedBytesMax: 256 * mebibyte,
  // A parsed body may take several times its bytes: this fits a small machine.
  bodiesBytesMax: 256 * mebibyte,
  responsesBytesMax: 256 * mebibyte,
  batchResultsBytesMax: 16 * mebibyte,
  urlBytesMax: 8 * 1024,
  headersMax: 100,
  headerBytesMax: 16 * 1024,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  bodyStallTimeoutMs: 20_000,
  keepAliveTimeoutMs: 65_000,
  responseTimeoutMs: 60_000,
  writeTimeoutMs: 30_000,
  lingerMs: 1000,
  connectionsMax: 10_000,
  // Behind a proxy all clients have one address.
  connectionsPerAddressMax: 0,
  requestsPerAccountMax: 1000,
  // Half of the connections: requests need some as well.
  streamsMax: 5000,
  streamsPerAccountMax: 100,
  // Proxies close a connection that is idle for half a minute.
  heartbeatMs: 20_000,
};

const dayMs = 24 * 60 * 60 * 1000;

/** Minimum and maximum of each limit. For Node, a timeout of 0 would disable it. */
const ranges: Readonly<Record<keyof Limits, readonly [least: number, most: number]>> = {
  bodyBytesMax: [1, 1024 * mebibyte],
  streamedBytesMax: [1, Number.MAX_SAFE_INTEGER],
  bodiesBytesMax: [1, Number.MAX_SAFE_INTEGER],
  responsesBytesMax: [1, Number.MAX_SAFE_INTEGER],
  batchResultsBytesMax: [1, Number.MAX_SAFE_INTEGER],
  urlBytesMax: [1, mebibyte],
  headersMax: [1, 10_000],
  headerBytesMax: [256, mebibyte],
  headersTimeoutMs: [1, dayMs],
  requestTimeoutMs: [1, dayMs],
  bodyStallTimeoutMs: [1, dayMs],
  keepAliveTimeoutMs: [1, dayMs],
  responseTimeoutMs: [1, dayMs],
  writeTimeoutMs: [1, dayMs],
  lingerMs: [0, dayMs],
  connectionsMax: [1, 10_000_000],
  connectionsPerAddressMax: [0, 10_000_000],
  requestsPerAccountMax: [1, 10_000_000],
  streamsMax: [0, 10_000_000],
  streamsPerAccountMax: [0, 10_000_000],
  heartbeatMs: [1, dayMs],
};

/** The default limits, overridden by `given`. Throws a TypeError that names an invalid limit and its valid range. */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    const range = Object.hasOwn(ranges, name) ? ranges[name as keyof Limits] : undefined;
    if (range === undefined) {
      throw new TypeError(`unknown limit "${name}"${didYouMean(name, Object.keys(ranges))}`);
    }
    const [least, most] = range;
    if (!(Number.isInteger(value) && value >= least && value <= most)) {
      throw new TypeError(`the limit "${name}" must be a whole number from ${least} to ${most}`);
    }
  }
  const limits = { ...defaultLimits, ...given };
  if (limits.bodiesBytesMax < 2 * limits.bodyBytesMax) {
    throw new TypeError('the limit "bodiesBytesMax" must be at least twice "bodyBytesMax": one account may hold half of it');
  }
  return limits;
}

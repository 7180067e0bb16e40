/** Limits on client requests: their meaning, their defaults, and the validation of configured values. */
import { didYouMean } from '../../lib/text/suggest.ts';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;
const dayMs = 24 * 60 * 60 * 1000;

/** Default, minimum and maximum of each limit. The flags of `serve` have the same, in their units. For Node, a timeout of 0 disables it. */
export const limitRanges = {
  /** Bytes of a request body. */
  bodyBytesMax: [5 * mebibyte, 1, 64 * mebibyte],
  /** Bytes of a body that is read while it arrives, of which only a part is held at a time. */
  streamedBytesMax: [256 * mebibyte, 1, 64 * gibibyte],
  /** Bytes of an uploaded file. */
  fileBytesMax: [20 * mebibyte, 1, gibibyte],
  /**
   * Bytes of all request bodies that are held at a time, from the first byte to the response. Above it, a request is refused with 503. One
   * account may hold half of it, and gets 429 above that. A single request that needs more than half gets 413.
   */
  // A parsed body may take several times its bytes: this fits a small machine.
  bodiesBytesMax: [256 * mebibyte, 1, 64 * gibibyte],
  /** Bytes of all responses that wait for clients at a time. Above it, the client that has waited longest is disconnected. */
  responsesBytesMax: [256 * mebibyte, 1, 64 * gibibyte],
  /** Bytes of JSON of all results of one batch. Above it, the batch is refused with 413. */
  batchResultsBytesMax: [16 * mebibyte, 1, 64 * gibibyte],
  /** Characters of a request target. */
  urlBytesMax: [8 * 1024, 1, mebibyte],
  /** Header lines of a request. */
  headersMax: [100, 1, 10_000],
  /** Bytes of a request's first line and headers together. */
  headerBytesMax: [16 * 1024, 256, mebibyte],
  /** Milliseconds from a request's first byte to the end of its headers. */
  headersTimeoutMs: [15_000, 1, dayMs],
  /** Milliseconds from a request's first byte to its last. */
  requestTimeoutMs: [60_000, 1, dayMs],
  /** Milliseconds without a byte after which an incomplete body fails. */
  bodyStallTimeoutMs: [20_000, 1, dayMs],
  /** Milliseconds that an idle connection stays open. More than the usual 60 s of proxies, so that they close first. */
  keepAliveTimeoutMs: [65_000, 1, dayMs],
  /** Milliseconds in which a client must read some of a waiting response, and at least 64 KiB of it. */
  responseTimeoutMs: [60_000, 1, dayMs],
  /** Milliseconds that a request waits until its change, or the state it shows, is durable; then it gets 503 (`storage_stalled`). */
  writeTimeoutMs: [30_000, 1, dayMs],
  /** Milliseconds for which a refused body is still read and discarded, so that the response arrives before a reset. */
  lingerMs: [1000, 0, dayMs],
  /** Maximum number of connections; others are closed immediately. Fewer if the process has too few file descriptors. */
  connectionsMax: [10_000, 1, 10_000_000],
  /** Maximum number of connections per client address (per /64 in IPv6); others are closed immediately. 0: no limit. */
  // Behind a proxy all clients have one address.
  connectionsPerAddressMax: [0, 0, 10_000_000],
  /** Maximum number of requests in flight per account; others get 429. */
  requestsPerAccountMax: [1000, 1, 10_000_000],
  /** Maximum number of open event streams; others get 503. */
  // Half of the connections: requests need some as well.
  streamsMax: [5000, 0, 10_000_000],
  /** Maximum number of open event streams per account; others get 429. */
  streamsPerAccountMax: [100, 0, 10_000_000],
  /** Milliseconds without an event after which a heartbeat is written, to detect disconnected clients. */
  // Proxies close a connection that is idle for half a minute.
  heartbeatMs: [20_000, 1, dayMs],
} satisfies Readonly<Record<string, readonly [byDefault: number, least: number, most: number]>>;

export type Limits = { readonly [Name in keyof typeof limitRanges]: number };

export const defaultLimits = Object.fromEntries(
  Object.entries(limitRanges).map(([name, [byDefault]]) => [name, byDefault]),
) as Limits;

/** The default limits, overridden by `given`. Throws a TypeError that names an invalid limit and its valid range. */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limitRanges, name))
      throw new TypeError(`unknown limit "${name}"${didYouMean(name, Object.keys(limitRanges))}`);
    const [, least, most] = limitRanges[name as keyof Limits];
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

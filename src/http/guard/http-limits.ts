/** Bounds on what clients may ask of the server: what they are, what they are by default, and the check of what a program sets. */
import { didYouMean } from '../../lib/text/suggest.ts';

export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytesMax: number;
  /** Bytes of a body that is read while it comes, of which only a part is held at a time. */
  readonly streamedBytesMax: number;
  /**
   * Bytes of all request bodies that are held at a time, from the first byte to the answer; beyond them a request that brings more is
   * refused with 503. One account may hold half of them, and is refused with 429 beyond that; a single request that needs more than
   * half is refused with 413.
   */
  readonly bodiesBytesMax: number;
  /** Bytes of all answers that wait for their readers at a time; beyond them whoever has been reading longest is cut off. */
  readonly responsesBytesMax: number;
  /** Bytes of JSON that the results of one batch may have together; beyond them the batch is refused with 413. */
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
  /** Milliseconds without a byte after which a body that is awaited is given up. */
  readonly bodyStallTimeoutMs: number;
  /** Milliseconds that a connection may rest between requests. More than the usual 60 s of proxies, so that they close first. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds in which a client has to take some of an answer that waits for it, and 64 KiB of it at the least. */
  readonly responseTimeoutMs: number;
  /** Milliseconds that a request waits until what it changed, or shows, is durable; then it is answered with 503 (`storage_stalled`). */
  readonly writeTimeoutMs: number;
  /** Milliseconds for which a body that nobody wants is still taken off the wire, so that its refusal arrives before a reset can. */
  readonly lingerMs: number;
  /** Connections at a time; further ones are closed unheard. Fewer where the process may not have as many descriptors. */
  readonly connectionsMax: number;
  /** Connections of one client address at a time (of one /64 in IPv6); further ones are closed unheard. 0: as many as there are. */
  readonly connectionsPerAddressMax: number;
  /** Requests of one account in flight at a time; further ones are refused with 429. */
  readonly requestsPerAccountMax: number;
  /** Streams of events that are open at a time; further ones are refused with 503. */
  readonly streamsMax: number;
  /** The same of one account; refused with 429. */
  readonly streamsPerAccountMax: number;
  /** Milliseconds after which a stream of events on which nothing happens is written to, so that whoever is gone is found. */
  readonly heartbeatMs: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: Limits = {
  bodyBytesMax: 5 * mebibyte,
  streamedBytesMax: 256 * mebibyte,
  // Parsed, a body may take several times its bytes: this is what a small machine bears.
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
  // Proxies close what rests for half a minute.
  heartbeatMs: 20_000,
};

const dayMs = 24 * 60 * 60 * 1000;

/** The least and the most that each may be. A timeout of 0 would mean none to Node. */
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

/** The default limits with these in their places. Throws a TypeError that says which is wrong and what it may be. */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    const range = Object.hasOwn(ranges, name) ? ranges[name as keyof Limits] : undefined;
    if (range === undefined) {
      throw new TypeError(`there is no limit "${name}"${didYouMean(name, Object.keys(ranges))}`);
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

/** Limits on client requests: their meaning, their flags and defaults, and the validation of configured values. */
import {
  type Flag,
  gibibyte,
  kibibyte,
  mebibyte,
  type NumberOption,
  number,
  type OptionWords,
  optionWords,
  second,
} from '../../lib/option-declaration.ts';
import { didYouMean } from '../../lib/text/suggest.ts';

const dayMs = 24 * 60 * 60 * 1000;
const most = 10_000_000;
const group = 'Limits on clients';

type LimitFlag<Name extends string> = Omit<Flag<Name>, 'group'>;
type Range = NumberOption['range'];
const sized = <const Name extends string>(unit: number, range: Range, flag: LimitFlag<Name>) =>
  number({ ...flag, group, range, unit, multiple: 1 });
const counted = <const Name extends string>(range: Range, flag: LimitFlag<Name>) =>
  number({ ...flag, group, range, count: true });

/** All limits that have a flag. For Node, a timeout of 0 disables it. */
export const limitOptions = {
  /** Bytes of a request body. */
  bodyBytesMax: sized(mebibyte, [5 * mebibyte, 1, 64 * mebibyte], {
    flag: 'body-mb',
    help: 'Largest request body, in MiB',
    document: 'Largest request body, in MiB (413).',
  }),
  /** Bytes of a body that is read while it arrives, of which only a part is held at a time. */
  streamedBytesMax: sized(mebibyte, [256 * mebibyte, 1, 64 * gibibyte], {
    flag: 'import-mb',
    help: 'Largest document of an import, in MiB; the part that the server keeps in memory must also fit into half of --bodies-mb',
    document: 'Largest document of an [import](api.md#export-and-import), in MiB (413).',
  }),
  /** Bytes of an uploaded file. */
  fileBytesMax: sized(mebibyte, [20 * mebibyte, 1, gibibyte], {
    flag: 'file-mb',
    help: 'Largest file that can be uploaded to a project, in MiB',
    document: 'Largest [file](api.md#files) that is uploaded, in MiB (413).',
  }),
  /**
   * Bytes of all request bodies that are held at a time, from the first byte to the response. Above it, a request is refused with 503. One
   * account may hold half of it, and gets 429 above that. A single request that needs more than half gets 413.
   */
  // A parsed body may take several times its bytes: this fits a small machine.
  bodiesBytesMax: sized(mebibyte, [256 * mebibyte, 1, 64 * gibibyte], {
    flag: 'bodies-mb',
    help: 'Total size of request bodies in memory, in MiB; one account may use half of it',
    document:
      'Memory for request bodies, in MiB (503 beyond). One account may hold half of it (429), and so may one request (413).',
  }),
  /** Bytes of all responses that wait for clients at a time. Above it, the client that has waited longest is disconnected. */
  responsesBytesMax: sized(mebibyte, [256 * mebibyte, 1, 64 * gibibyte], {
    flag: 'responses-mb',
    help: 'Total size of responses that wait for slow clients, in MiB',
    document:
      'Memory for responses that wait for slow readers, in MiB (503 beyond); a client that reads a [published map](api.md#publishing) without gzip takes 176 KiB of it.',
  }),
  /** Bytes of JSON of all results of one batch. Above it, the batch is refused with 413. */
  batchResultsBytesMax: sized(mebibyte, [16 * mebibyte, 1, 64 * gibibyte], {
    flag: 'batch-results-mb',
    help: 'Largest results of one batch, in MiB; a batch with larger results is rejected and changes nothing',
    document: 'Largest results of one [batch](api.md#batches), in MiB (413).',
  }),
  /** Characters of a request target. */
  urlBytesMax: sized(kibibyte, [8 * kibibyte, 1, mebibyte], {
    flag: 'url-kb',
    help: 'Longest request target (path and query), in KiB',
    document: 'Longest request target (path and query), in KiB (414).',
  }),
  /** Header lines of a request. */
  headersMax: counted([100, 1, 10_000], {
    flag: 'headers-max',
    help: 'Number of headers in a request',
    document: 'Number of headers in a request (431).',
  }),
  /** Bytes of a request's first line and headers together. */
  headerBytesMax: sized(kibibyte, [16 * kibibyte, 256, mebibyte], {
    flag: 'headers-kb',
    help: 'Request line and headers of a request, in KiB',
    document: 'Request line and headers of a request, in KiB (431).',
  }),
  /** Milliseconds from a request's first byte to the end of its headers. */
  headersTimeoutMs: sized(second, [15_000, 1, dayMs], {
    flag: 'headers-timeout',
    help: 'Timeout for the headers of a request, in seconds',
    document: 'Seconds for the headers of a request (408).',
  }),
  /** Milliseconds from a request's first byte to its last. */
  requestTimeoutMs: sized(second, [60_000, 1, dayMs], {
    flag: 'request-timeout',
    help: 'Timeout for a whole request, in seconds',
    document: 'Seconds for a whole request (408).',
  }),
  /** Milliseconds without a byte after which an incomplete body fails. */
  bodyStallTimeoutMs: sized(second, [20_000, 1, dayMs], {
    flag: 'stall-timeout',
    help: 'Timeout for a request body that makes no progress, in seconds',
    document: 'Seconds without a byte of a body (408).',
  }),
  /** Milliseconds that an idle connection stays open. More than the usual 60 s of proxies, so that they close first. */
  keepAliveTimeoutMs: sized(second, [65_000, 1, dayMs], {
    flag: 'keep-alive-timeout',
    help: 'Timeout for idle connections, in seconds; must exceed that of a proxy in front',
  }),
  /** Milliseconds in which a client must read some of a waiting response, and at least 64 KiB of it. */
  responseTimeoutMs: sized(second, [60_000, 1, dayMs], {
    flag: 'response-timeout',
    help: 'Timeout for a client to read the first byte, and each 64 KiB, of a response, in seconds',
  }),
  /** Milliseconds that a request waits until its change, or the state it shows, is durable; then it gets 503 (`storage_stalled`). */
  writeTimeoutMs: sized(second, [30_000, 1, dayMs], {
    flag: 'write-timeout',
    help: 'Timeout for a write that waits for the disk, in seconds; it then gets 503',
    document: 'Seconds that a request waits for the disk. Then 503 `storage_stalled`; the write may still become durable.',
  }),
  /** Maximum number of connections; others are closed immediately. Fewer if the process has too few file descriptors. */
  connectionsMax: counted([10_000, 1, most], { flag: 'connections-max', help: 'Concurrent connections' }),
  /** Maximum number of connections per client address (per /64 in IPv6); others are closed immediately. 0: no limit. */
  // Behind a proxy all clients have one address.
  connectionsPerAddressMax: counted([0, 0, most], {
    flag: 'address-connections-max',
    help: 'Concurrent connections of one client address (IPv6: /64); 0 for no limit, as behind a proxy',
  }),
  /** Maximum number of requests in flight per account; others get 429. */
  requestsPerAccountMax: counted([1000, 1, most], {
    flag: 'account-requests-max',
    help: 'Concurrent requests of one account',
    document: 'Concurrent requests of one account (429).',
  }),
  /** Maximum number of open event streams; others get 503. */
  // Half of the connections: requests need some as well.
  streamsMax: counted([5000, 0, most], {
    flag: 'streams-max',
    help: 'Concurrent event streams',
    document: 'Concurrent event streams (503).',
  }),
  /** Maximum number of open event streams per account; others get 429. */
  streamsPerAccountMax: counted([100, 0, most], {
    flag: 'account-streams-max',
    help: 'Concurrent event streams of one account',
    document: 'Concurrent event streams of one account (429).',
  }),
  /** Milliseconds without an event after which a heartbeat is written, to detect disconnected clients. */
  // Proxies close a connection that is idle for half a minute.
  heartbeatMs: sized(second, [20_000, 1, dayMs], {
    flag: 'heartbeat',
    help: 'Interval of heartbeats on event streams, in seconds',
  }),
};

const limitRanges = {
  ...limitOptions,
  /** Milliseconds for which a refused body is still read and discarded, so that the response arrives before a reset. */
  lingerMs: { range: [1000, 0, dayMs] as const },
};

export type Limits = { readonly [Name in keyof typeof limitRanges]: number };

export const defaultLimits = Object.fromEntries(
  Object.entries(limitRanges).map(([name, { range }]) => [name, range[0]]),
) as Limits;

/** What contradicts each other in limits; `undefined`: nothing. */
export function contradictionOfLimits(
  { bodiesBytesMax: bodies, bodyBytesMax: body }: Limits,
  words: OptionWords,
): string | undefined {
  if (bodies >= 2 * body) return undefined;
  const value = words.value('bodiesBytesMax', bodies);
  return `${words.name('bodiesBytesMax')} is ${value}. It must be at least twice ${words.name('bodyBytesMax')}, because one account may use half of it`;
}

/** The default limits, overridden by `given`. Throws a TypeError that names an invalid limit and its valid range. */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limitRanges, name))
      throw new TypeError(`unknown limit "${name}"${didYouMean(name, Object.keys(limitRanges))}`);
    const [, least, greatest] = limitRanges[name as keyof Limits].range;
    if (!(Number.isInteger(value) && value >= least && value <= greatest)) {
      throw new TypeError(`the limit "${name}" must be a whole number from ${least} to ${greatest}`);
    }
  }
  const limits = { ...defaultLimits, ...given };
  const contradiction = contradictionOfLimits(limits, optionWords);
  if (contradiction !== undefined) throw new TypeError(`the limit ${contradiction}`);
  return limits;
}

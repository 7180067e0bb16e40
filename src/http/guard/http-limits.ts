/** Limits on client requests: their meaning, their flags and defaults, and the validation of configured values. */
import {
  type Contradiction,
  gibibyte,
  kibibyte,
  mebibyte,
  type NumberOption,
  number,
  type OptionWords,
  option,
  optionWords,
  second,
} from '../../lib/option-declaration.ts';
import { didYouMean } from '../../lib/text/suggest.ts';

const dayMs = 24 * 60 * 60 * 1000;
const most = 10_000_000;
const group = 'Limits on clients';

type Range = NumberOption['range'];
// The first versions had these limits, so nodes of a cluster compare all of them. A new one is declared with shared: 'if-set'.
const shared = 'always';
const sized = <const Name extends string>(flag: Name, unit: number, range: Range, help: string) =>
  number({ flag, group, help, shared, range, unit, multiple: 1 });
const counted = <const Name extends string>(flag: Name, range: Range, help: string) =>
  number({ flag, group, help, shared, range, count: true });

const lingerRange: Range = [1000, 0, dayMs];

/** All limits. For Node, a timeout of 0 disables it. */
export const limitOptions = {
  /** Bytes of a request body. */
  bodyBytesMax: sized('body-mb', mebibyte, [5 * mebibyte, 1, 64 * mebibyte], 'Largest request body, in MiB (413)'),
  /** Bytes of a body that is read while it arrives, of which only a part is held at a time. */
  streamedBytesMax: sized(
    'import-mb',
    mebibyte,
    [256 * mebibyte, 1, 64 * gibibyte],
    'Largest document of an [import](api.md#export-and-import), in MiB (413); the part that the server keeps in memory must also fit into half of `--bodies-mb`',
  ),
  /** Bytes of an uploaded file. */
  fileBytesMax: sized(
    'file-mb',
    mebibyte,
    [20 * mebibyte, 1, gibibyte],
    'Largest [file](api.md#files) that can be uploaded to a project, in MiB (413)',
  ),
  /**
   * Bytes of all request bodies that are held at a time, from the first byte to the response. Above it, a request is refused with 503. One
   * account may hold half of it, and gets 429 above that. A single request that needs more than half gets 413.
   */
  // A parsed body may take several times its bytes: this fits a small machine.
  bodiesBytesMax: sized(
    'bodies-mb',
    mebibyte,
    [256 * mebibyte, 1, 64 * gibibyte],
    'Total size of request bodies in memory, in MiB (503); one account may use half of it (429), and so may one request (413)',
  ),
  /** Bytes of all responses that wait for clients at a time. Above it, the client that has waited longest is disconnected. */
  responsesBytesMax: sized(
    'responses-mb',
    mebibyte,
    [256 * mebibyte, 1, 64 * gibibyte],
    'Total size of responses that wait for slow clients, in MiB (503); a client that reads a [published map](api.md#publishing) without gzip takes 176 KiB of it',
  ),
  /** Bytes of JSON of all results of one batch. Above it, the batch is refused with 413. */
  batchResultsBytesMax: sized(
    'batch-results-mb',
    mebibyte,
    [16 * mebibyte, 1, 64 * gibibyte],
    'Largest results of one [batch](api.md#batches), in MiB; a batch with larger results is rejected (413) and changes nothing',
  ),
  /** Characters of a request target. */
  urlBytesMax: sized('url-kb', kibibyte, [8 * kibibyte, 1, mebibyte], 'Longest request target (path and query), in KiB (414)'),
  /** Header lines of a request. */
  headersMax: counted('headers-max', [100, 1, 10_000], 'Number of headers in a request (431)'),
  /** Bytes of a request's first line and headers together. */
  headerBytesMax: sized(
    'headers-kb',
    kibibyte,
    [16 * kibibyte, 256, mebibyte],
    'Request line and headers of a request, in KiB (431)',
  ),
  /** Milliseconds from a request's first byte to the end of its headers. */
  headersTimeoutMs: sized(
    'headers-timeout',
    second,
    [15_000, 1, dayMs],
    'Timeout for the headers of a request, in seconds (408)',
  ),
  /** Milliseconds from a request's first byte to its last. */
  requestTimeoutMs: sized('request-timeout', second, [60_000, 1, dayMs], 'Timeout for a whole request, in seconds (408)'),
  /** Milliseconds without a byte after which an incomplete body fails. */
  bodyStallTimeoutMs: sized(
    'stall-timeout',
    second,
    [20_000, 1, dayMs],
    'Timeout for a request body that makes no progress, in seconds (408)',
  ),
  /** Milliseconds that an idle connection stays open. More than the usual 60 s of proxies, so that they close first. */
  keepAliveTimeoutMs: sized(
    'keep-alive-timeout',
    second,
    [65_000, 1, dayMs],
    'Timeout for idle connections, in seconds; must exceed that of a proxy in front',
  ),
  /** Milliseconds in which a client must read some of a waiting response, and at least 64 KiB of it. */
  responseTimeoutMs: sized(
    'response-timeout',
    second,
    [60_000, 1, dayMs],
    'Timeout for a client to read the first byte, and each 64 KiB, of a response, in seconds',
  ),
  /** Milliseconds that a request waits until its change, or the state it shows, is durable; then it gets 503 (`storage_stalled`). */
  writeTimeoutMs: sized(
    'write-timeout',
    second,
    [30_000, 1, dayMs],
    'Timeout for a write that waits for the disk, in seconds; it then gets 503 `storage_stalled`, and may still become durable',
  ),
  /** Maximum number of connections; others are closed immediately. Fewer if the process has too few file descriptors. */
  connectionsMax: counted('connections-max', [10_000, 1, most], 'Concurrent connections'),
  /** Maximum number of connections per client address (per /64 in IPv6); others are closed immediately. 0: no limit. */
  // Behind a proxy all clients have one address.
  connectionsPerAddressMax: counted(
    'address-connections-max',
    [0, 0, most],
    'Concurrent connections of one client address (IPv6: /64); 0 for no limit, as behind a proxy',
  ),
  /** Maximum number of requests in flight per account; others get 429. */
  requestsPerAccountMax: counted('account-requests-max', [1000, 1, most], 'Concurrent requests of one account (429)'),
  /** Maximum number of open event streams; others get 503. */
  // Half of the connections: requests need some as well.
  streamsMax: counted('streams-max', [5000, 0, most], 'Concurrent event streams (503)'),
  /** Maximum number of open event streams per account; others get 429. */
  streamsPerAccountMax: counted('account-streams-max', [100, 0, most], 'Concurrent event streams of one account (429)'),
  /** Milliseconds without an event after which a heartbeat is written, to detect disconnected clients. */
  // Proxies close a connection that is idle for half a minute.
  heartbeatMs: sized('heartbeat', second, [20_000, 1, dayMs], 'Interval of heartbeats on event streams, in seconds'),
  /** Milliseconds for which a refused body is still read and discarded, so that the response arrives before a reset. */
  lingerMs: { ...option<number>('number'), shared, range: lingerRange, omitted: lingerRange[0] },
} satisfies Readonly<Record<string, NumberOption>>;

export type Limits = { readonly [Name in keyof typeof limitOptions]: number };

export const defaultLimits = Object.fromEntries(
  Object.entries(limitOptions).map(([name, { range }]) => [name, range[0]]),
) as Limits;

/** What contradicts each other in limits; `undefined`: nothing. */
export function contradictionOfLimits(
  { bodiesBytesMax: bodies, bodyBytesMax: body }: Limits,
  words: OptionWords,
): Contradiction | undefined {
  if (bodies >= 2 * body) return undefined;
  const [option, value] = ['bodiesBytesMax', words.value('bodiesBytesMax', bodies)];
  return {
    option,
    problem: `is ${value}. It must be at least twice ${words.name('bodyBytesMax')}, because one account may use half of it`,
  };
}

/** The default limits, overridden by `given`. Throws a TypeError that names an invalid limit and its valid range. */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limitOptions, name))
      throw new TypeError(`unknown limit "${name}"${didYouMean(name, Object.keys(limitOptions))}`);
    const [, least, greatest] = limitOptions[name as keyof Limits].range;
    if (!(Number.isInteger(value) && value >= least && value <= greatest)) {
      throw new TypeError(`the limit "${name}" must be a whole number from ${least} to ${greatest}`);
    }
  }
  const limits = { ...defaultLimits, ...given };
  const contradiction = contradictionOfLimits(limits, optionWords);
  if (contradiction !== undefined) throw new TypeError(`the limit "${contradiction.option}" ${contradiction.problem}`);
  return limits;
}

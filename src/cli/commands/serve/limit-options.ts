/** The limits on clients as options of `serve`, in seconds, KiB and MiB. */
import { defaultLimits, type Limits } from '../../../http/guard/http-limits.ts';
import { rateFrom } from '../../../lib/text/rate.ts';
import type { ServerOptions } from '../../../server/server-options.ts';
import { asGiven, integerFrom, numberFrom, UsageError } from '../../option-parsing.ts';

const kibibyte = 1024;
const mebibyte = 1024 * 1024;
const second = 1000;
const group = 'Limits on clients:';

/** An option for a limit in a larger unit. */
function scaled(flag: string, limit: keyof Limits, unit: number, most: number, describe: string, least = 0.001) {
  const coerce = numberFrom(least, most, flag);
  return { group, type: 'number', default: defaultLimits[limit] / unit, describe, coerce } as const;
}

/** An option for a limit on a number of items. */
function counted(flag: string, limit: keyof Limits, least: number, most: number, describe: string) {
  return { group, type: 'number', default: defaultLimits[limit], describe, coerce: integerFrom(least, most, flag) } as const;
}

const secondsMax = 86_400;
const countMax = 10_000_000;

export const limitOptions = {
  'body-mb': scaled('body-mb', 'bodyBytesMax', mebibyte, 64, 'Largest request body, in MiB'),
  'import-mb': scaled(
    'import-mb',
    'streamedBytesMax',
    mebibyte,
    65_536,
    'Largest document of an import, in MiB; the part that the server keeps in memory must also fit into half of --bodies-mb',
  ),
  'bodies-mb': scaled(
    'bodies-mb',
    'bodiesBytesMax',
    mebibyte,
    65_536,
    'Total size of request bodies in memory, in MiB; one account may use half of it',
  ),
  'responses-mb': scaled(
    'responses-mb',
    'responsesBytesMax',
    mebibyte,
    65_536,
    'Total size of responses that wait for slow clients, in MiB',
  ),
  'batch-results-mb': scaled(
    'batch-results-mb',
    'batchResultsBytesMax',
    mebibyte,
    65_536,
    'Largest results of one batch, in MiB; a batch with larger results is rejected and changes nothing',
  ),
  'url-kb': scaled('url-kb', 'urlBytesMax', kibibyte, 1024, 'Longest request target (path and query), in KiB'),
  'headers-kb': scaled('headers-kb', 'headerBytesMax', kibibyte, 1024, 'Request line and headers of a request, in KiB', 0.25),
  'headers-max': counted('headers-max', 'headersMax', 1, 10_000, 'Number of headers in a request'),
  'headers-timeout': scaled(
    'headers-timeout',
    'headersTimeoutMs',
    second,
    secondsMax,
    'Timeout for the headers of a request, in seconds',
  ),
  'request-timeout': scaled('request-timeout', 'requestTimeoutMs', second, secondsMax, 'Timeout for a whole request, in seconds'),
  'stall-timeout': scaled(
    'stall-timeout',
    'bodyStallTimeoutMs',
    second,
    secondsMax,
    'Timeout for a request body that makes no progress, in seconds',
  ),
  'response-timeout': scaled(
    'response-timeout',
    'responseTimeoutMs',
    second,
    secondsMax,
    'Timeout for a client to read the first byte, and each 64 KiB, of a response, in seconds',
  ),
  'write-timeout': scaled(
    'write-timeout',
    'writeTimeoutMs',
    second,
    secondsMax,
    'Timeout for a write that waits for the disk, in seconds; it then gets 503',
  ),
  'keep-alive-timeout': scaled(
    'keep-alive-timeout',
    'keepAliveTimeoutMs',
    second,
    secondsMax,
    'Timeout for idle connections, in seconds; must exceed that of a proxy in front',
  ),
  'connections-max': counted('connections-max', 'connectionsMax', 1, countMax, 'Concurrent connections'),
  'address-connections-max': counted(
    'address-connections-max',
    'connectionsPerAddressMax',
    0,
    countMax,
    'Concurrent connections of one client address (IPv6: /64); 0 for no limit, as behind a proxy',
  ),
  'account-requests-max': counted(
    'account-requests-max',
    'requestsPerAccountMax',
    1,
    countMax,
    'Concurrent requests of one account',
  ),
  'streams-max': counted('streams-max', 'streamsMax', 0, countMax, 'Concurrent event streams'),
  'account-streams-max': counted(
    'account-streams-max',
    'streamsPerAccountMax',
    0,
    countMax,
    'Concurrent event streams of one account',
  ),
  heartbeat: scaled('heartbeat', 'heartbeatMs', second, secondsMax, 'Interval of heartbeats on event streams, in seconds'),
  'rate-limit': {
    group,
    type: 'string',
    default: 'none',
    describe: 'Request rate of one account: 100/s, 600/m, 10000/h',
    coerce: rateLimitFrom,
  },
  'account-projects-max': quota('account-projects-max', Number.MAX_SAFE_INTEGER, 'Number of projects of one account'),
  'account-members-max': quota(
    'account-members-max',
    Number.MAX_SAFE_INTEGER,
    'Number of members of one account, in all collections of its projects',
  ),
  'account-mb': quota('account-mb', 1_000_000_000, 'Stored size of one account, in MB'),
} as const;

function quota(flag: string, most: number, describe: string) {
  const coerce = (value: string | number): number => {
    if (value === 'none') return Number.POSITIVE_INFINITY;
    const count = value === '' ? Number.NaN : Number(value);
    if (Number.isInteger(count) && count >= 0 && count <= most) return count;
    throw new UsageError(`${asGiven(flag)} is "${value}". It must be a number from 0 to ${most}, without a fraction, or none.`);
  };
  return { group, type: 'string', default: 'none', describe, coerce } as const;
}

function rateLimitFrom(text: string): string {
  if (text === 'none' || rateFrom(text) !== undefined) return text;
  throw new UsageError(
    `${asGiven('rate-limit')} is "${text}". It must be a rate such as 100/s, 600/m or 10000/h (up to 1000000), or none.`,
  );
}

export interface LimitArguments {
  bodyMb: number;
  importMb: number;
  bodiesMb: number;
  responsesMb: number;
  batchResultsMb: number;
  urlKb: number;
  headersKb: number;
  headersMax: number;
  headersTimeout: number;
  requestTimeout: number;
  stallTimeout: number;
  responseTimeout: number;
  writeTimeout: number;
  keepAliveTimeout: number;
  connectionsMax: number;
  addressConnectionsMax: number;
  accountRequestsMax: number;
  streamsMax: number;
  accountStreamsMax: number;
  heartbeat: number;
  rateLimit: string;
  accountProjectsMax: number;
  accountMembersMax: number;
  accountMb: number;
}

/** The default limits of accounts. */
export function accountDefaultsOf(args: LimitArguments): Pick<ServerOptions, 'rateLimit' | 'quotas'> {
  const { rateLimit, accountProjectsMax: projects, accountMembersMax: members, accountMb } = args;
  const quotas = { projects, members, bytes: accountMb * 1_000_000 };
  const limited = Object.entries(quotas).filter(([, most]) => Number.isFinite(most));
  return {
    ...(rateLimit === 'none' ? {} : { rateLimit }),
    ...(limited.length === 0 ? {} : { quotas: Object.fromEntries(limited) }),
  };
}

/** The limits in the options. Throws a {@link UsageError} if two options contradict each other. */
export function limitsOf(args: LimitArguments): Partial<Limits> {
  if (args.bodiesMb < 2 * args.bodyMb) {
    throw new UsageError(
      `${asGiven('bodies-mb')} is ${args.bodiesMb}. It must be at least twice ${asGiven('body-mb')}, because one account may use half of it.`,
    );
  }
  return {
    bodyBytesMax: Math.round(args.bodyMb * mebibyte),
    streamedBytesMax: Math.round(args.importMb * mebibyte),
    bodiesBytesMax: Math.round(args.bodiesMb * mebibyte),
    responsesBytesMax: Math.round(args.responsesMb * mebibyte),
    batchResultsBytesMax: Math.round(args.batchResultsMb * mebibyte),
    urlBytesMax: Math.ceil(args.urlKb * kibibyte),
    headerBytesMax: Math.ceil(args.headersKb * kibibyte),
    headersMax: args.headersMax,
    headersTimeoutMs: Math.round(args.headersTimeout * second),
    requestTimeoutMs: Math.round(args.requestTimeout * second),
    bodyStallTimeoutMs: Math.round(args.stallTimeout * second),
    responseTimeoutMs: Math.round(args.responseTimeout * second),
    writeTimeoutMs: Math.round(args.writeTimeout * second),
    keepAliveTimeoutMs: Math.round(args.keepAliveTimeout * second),
    connectionsMax: args.connectionsMax,
    connectionsPerAddressMax: args.addressConnectionsMax,
    requestsPerAccountMax: args.accountRequestsMax,
    streamsMax: args.streamsMax,
    streamsPerAccountMax: args.accountStreamsMax,
    heartbeatMs: Math.round(args.heartbeat * second),
  };
}

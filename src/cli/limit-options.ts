/** The bounds on clients as options of `serve`: in seconds, KiB and MiB, as people think of them. */
import { defaultLimits, type Limits } from '../http/limits.ts';
import { rateFrom } from '../lib/rate.ts';
import type { ServerOptions } from '../server/options.ts';
import { asGiven, integerFrom, numberFrom, UsageError } from './options.ts';

const kibibyte = 1024;
const mebibyte = 1024 * 1024;
const second = 1000;
const group = 'Bounds on clients:';

/** An option that stands for a limit in a larger unit. */
function scaled(flag: string, limit: keyof Limits, unit: number, most: number, describe: string, least = 0.001) {
  const coerce = numberFrom(least, most, flag);
  return { group, type: 'number', default: defaultLimits[limit] / unit, describe, coerce } as const;
}

/** An option that stands for a limit in things. */
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
    'Largest document of an import, in MiB; what the server holds of it must also fit into half of --bodies-mb',
  ),
  'bodies-mb': scaled(
    'bodies-mb',
    'bodiesBytesMax',
    mebibyte,
    65_536,
    'Request bodies held at a time, in MiB; one account half of it',
  ),
  'answers-mb': scaled('answers-mb', 'answersBytesMax', mebibyte, 65_536, 'Answers that wait for slow readers, in MiB'),
  'batch-results-mb': scaled(
    'batch-results-mb',
    'batchResultsBytesMax',
    mebibyte,
    65_536,
    'Largest results of one batch, in MiB; a batch with larger ones is refused, and nothing is changed',
  ),
  'url-kb': scaled('url-kb', 'urlBytesMax', kibibyte, 1024, 'Longest address of a request, in KiB'),
  'headers-kb': scaled('headers-kb', 'headerBytesMax', kibibyte, 1024, 'First line and headers of a request, in KiB', 0.25),
  'headers-max': counted('headers-max', 'headersMax', 1, 10_000, 'Headers of a request'),
  'headers-timeout': scaled('headers-timeout', 'headersTimeoutMs', second, secondsMax, 'Seconds for the headers of a request'),
  'request-timeout': scaled('request-timeout', 'requestTimeoutMs', second, secondsMax, 'Seconds for a whole request'),
  'stall-timeout': scaled('stall-timeout', 'bodyStallTimeoutMs', second, secondsMax, 'Seconds without a byte of a request body'),
  'response-timeout': scaled(
    'response-timeout',
    'responseTimeoutMs',
    second,
    secondsMax,
    'Seconds for 64 KiB of an answer to be read, and for the first of them',
  ),
  'write-timeout': scaled(
    'write-timeout',
    'writeTimeoutMs',
    second,
    secondsMax,
    'Seconds that a request waits for the disk before it gets 503',
  ),
  'keep-alive-timeout': scaled(
    'keep-alive-timeout',
    'keepAliveTimeoutMs',
    second,
    secondsMax,
    'Seconds that a connection may rest; more than a proxy before the server has',
  ),
  'connections-max': counted('connections-max', 'connectionsMax', 1, countMax, 'Connections at a time'),
  'address-connections-max': counted(
    'address-connections-max',
    'connectionsPerAddressMax',
    0,
    countMax,
    'Connections of one client address (IPv6: /64); 0 for no bound, as behind a proxy',
  ),
  'account-requests-max': counted(
    'account-requests-max',
    'requestsPerAccountMax',
    1,
    countMax,
    'Requests of one account under way at a time',
  ),
  'streams-max': counted('streams-max', 'streamsMax', 0, countMax, 'Streams of events open at a time'),
  'account-streams-max': counted(
    'account-streams-max',
    'streamsPerAccountMax',
    0,
    countMax,
    'Streams of events of one account open at a time',
  ),
  heartbeat: scaled('heartbeat', 'heartbeatMs', second, secondsMax, 'Seconds between two signs of life on a stream of events'),
  'rate-limit': {
    group,
    type: 'string',
    default: 'none',
    describe: 'Requests of one account: 100/s, 600/m, 10000/h',
    coerce: rateLimitFrom,
  },
  'account-projects-max': quota('account-projects-max', Number.MAX_SAFE_INTEGER, 'Projects of one account'),
  'account-members-max': quota(
    'account-members-max',
    Number.MAX_SAFE_INTEGER,
    'Members of one account, of all collections of its projects',
  ),
  'account-mb': quota('account-mb', 1_000_000_000, 'What is stored of one account, in MB'),
} as const;

function quota(flag: string, most: number, describe: string) {
  const coerce = (value: string | number): number => {
    if (value === 'none') return Number.POSITIVE_INFINITY;
    const count = value === '' ? Number.NaN : Number(value);
    if (Number.isInteger(count) && count >= 0 && count <= most) return count;
    throw new UsageError(`${asGiven(flag)} must be a number from 0 to ${most}, without a fraction, or none.`);
  };
  return { group, type: 'string', default: 'none', describe, coerce } as const;
}

function rateLimitFrom(text: string): string {
  if (text === 'none' || rateFrom(text) !== undefined) return text;
  throw new UsageError(`${asGiven('rate-limit')} must be a rate such as 100/s, 600/m or 10000/h (up to 1000000), or none.`);
}

export interface LimitArguments {
  bodyMb: number;
  importMb: number;
  bodiesMb: number;
  answersMb: number;
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

/** What the options say of accounts for which nothing else is set. */
export function accountDefaultsOf(args: LimitArguments): Pick<ServerOptions, 'rateLimit' | 'quotas'> {
  const { rateLimit, accountProjectsMax: projects, accountMembersMax: members, accountMb } = args;
  const quotas = { projects, members, bytes: accountMb * 1_000_000 };
  const bounded = Object.entries(quotas).filter(([, most]) => Number.isFinite(most));
  return {
    ...(rateLimit === 'none' ? {} : { rateLimit }),
    ...(bounded.length === 0 ? {} : { quotas: Object.fromEntries(bounded) }),
  };
}

/** The limits that the options say. Throws a {@link UsageError} where two contradict each other. */
export function limitsOf(args: LimitArguments): Partial<Limits> {
  if (args.bodiesMb < 2 * args.bodyMb) {
    throw new UsageError(
      `${asGiven('bodies-mb')} must be at least twice ${asGiven('body-mb')}: one account may hold half of it.`,
    );
  }
  return {
    bodyBytesMax: Math.round(args.bodyMb * mebibyte),
    streamedBytesMax: Math.round(args.importMb * mebibyte),
    bodiesBytesMax: Math.round(args.bodiesMb * mebibyte),
    answersBytesMax: Math.round(args.answersMb * mebibyte),
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

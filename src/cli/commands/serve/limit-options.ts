/** The limits on clients as options of `serve`, in seconds, KiB and MiB. */
import { type Limits, limitRanges } from '../../../http/guard/http-limits.ts';
import { rateFrom } from '../../../lib/text/rate.ts';
import { versionsMaxDefault } from '../../../model/account-limits.ts';
import type { ServerOptions } from '../../../server/server-options.ts';
import { type ArgumentsOf, asGiven, rangedOption, UsageError } from '../../option-parsing.ts';

const kibibyte = 1024;
const mebibyte = 1024 * 1024;
const second = 1000;
const group = 'Limits on clients:';

/** By flag: the limit, the flag's unit, and the description. */
// biome-ignore format: a table
const flags = {
  'body-mb': ['bodyBytesMax', mebibyte,
    'Largest request body, in MiB'],
  'import-mb': ['streamedBytesMax', mebibyte,
    'Largest document of an import, in MiB; the part that the server keeps in memory must also fit into half of --bodies-mb'],
  'file-mb': ['fileBytesMax', mebibyte,
    'Largest file that can be uploaded to a project, in MiB'],
  'bodies-mb': ['bodiesBytesMax', mebibyte,
    'Total size of request bodies in memory, in MiB; one account may use half of it'],
  'responses-mb': ['responsesBytesMax', mebibyte,
    'Total size of responses that wait for slow clients, in MiB'],
  'batch-results-mb': ['batchResultsBytesMax', mebibyte,
    'Largest results of one batch, in MiB; a batch with larger results is rejected and changes nothing'],
  'url-kb': ['urlBytesMax', kibibyte,
    'Longest request target (path and query), in KiB'],
  'headers-kb': ['headerBytesMax', kibibyte,
    'Request line and headers of a request, in KiB'],
  'headers-max': ['headersMax', 'count',
    'Number of headers in a request'],
  'headers-timeout': ['headersTimeoutMs', second,
    'Timeout for the headers of a request, in seconds'],
  'request-timeout': ['requestTimeoutMs', second,
    'Timeout for a whole request, in seconds'],
  'stall-timeout': ['bodyStallTimeoutMs', second,
    'Timeout for a request body that makes no progress, in seconds'],
  'response-timeout': ['responseTimeoutMs', second,
    'Timeout for a client to read the first byte, and each 64 KiB, of a response, in seconds'],
  'write-timeout': ['writeTimeoutMs', second,
    'Timeout for a write that waits for the disk, in seconds; it then gets 503'],
  'keep-alive-timeout': ['keepAliveTimeoutMs', second,
    'Timeout for idle connections, in seconds; must exceed that of a proxy in front'],
  'connections-max': ['connectionsMax', 'count',
    'Concurrent connections'],
  'address-connections-max': ['connectionsPerAddressMax', 'count',
    'Concurrent connections of one client address (IPv6: /64); 0 for no limit, as behind a proxy'],
  'account-requests-max': ['requestsPerAccountMax', 'count',
    'Concurrent requests of one account'],
  'streams-max': ['streamsMax', 'count',
    'Concurrent event streams'],
  'account-streams-max': ['streamsPerAccountMax', 'count',
    'Concurrent event streams of one account'],
  heartbeat: ['heartbeatMs', second,
    'Interval of heartbeats on event streams, in seconds'],
} as const satisfies Readonly<Record<string, readonly [limit: keyof Limits, unit: number | 'count', describe: string]>>;
type LimitFlag = keyof typeof flags;

const optionOf = ([flag, [limit, unit, describe]]: [string, (typeof flags)[LimitFlag]]) =>
  [flag, { group, ...rangedOption(flag, limitRanges[limit], unit, describe) }] as const;

export const limitOptions = {
  ...(Object.fromEntries(Object.entries(flags).map(optionOf)) as Readonly<Record<LimitFlag, ReturnType<typeof optionOf>[1]>>),
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
  'account-mb': quota('account-mb', 1_000_000_000, 'Stored size of one account, in MiB'),
  'account-versions-max': quota(
    'account-versions-max',
    Number.MAX_SAFE_INTEGER,
    'Number of versions of one account, in all its projects',
    versionsMaxDefault,
  ),
} as const;

function quota(flag: string, most: number, describe: string, otherwise: number | 'none' = 'none') {
  const coerce = (value: string | number): number => {
    if (value === 'none') return Number.POSITIVE_INFINITY;
    const count = value === '' ? Number.NaN : Number(value);
    if (Number.isInteger(count) && count >= 0 && count <= most) return count;
    throw new UsageError(`${asGiven(flag)} is "${value}". It must be a number from 0 to ${most}, without a fraction, or none.`);
  };
  return { group, type: 'string', default: `${otherwise}`, describe, coerce } as const;
}

function rateLimitFrom(text: string): string {
  if (text === 'none' || rateFrom(text) !== undefined) return text;
  throw new UsageError(
    `${asGiven('rate-limit')} is "${text}". It must be a rate such as 100/s, 600/m or 10000/h (up to 1000000), or none.`,
  );
}

type LimitArguments = ArgumentsOf<typeof limitOptions>;

/** The default limits of accounts. */
export function accountDefaultsOf(args: LimitArguments): Pick<ServerOptions, 'rateLimit' | 'quotas'> {
  const { rateLimit, accountProjectsMax: projects, accountMembersMax: members, accountMb, accountVersionsMax } = args;
  // Without a limit, the server would use its default.
  const versions = Math.min(accountVersionsMax, Number.MAX_SAFE_INTEGER);
  const quotas = { projects, members, bytes: accountMb * mebibyte, versions };
  const limited = Object.entries(quotas).filter(
    ([name, most]) => Number.isFinite(most) && !(name === 'versions' && most === versionsMaxDefault),
  );
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
  const given = Object.entries(flags).map(([flag, [limit, unit]]) => {
    const value = args[flag as LimitFlag];
    return [limit, unit === 'count' ? value : Math.round(value * unit)];
  });
  return Object.fromEntries(given) as Partial<Limits>;
}

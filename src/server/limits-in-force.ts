/** The limits of a server, derived from those that its options request. */
import { type Limits, limitsWith } from '../http/guard/http-limits.ts';
import type { StallLimits } from '../storage/wal/write/stall-watch.ts';
import type { ServerOptions } from './server-options.ts';

/** Milliseconds after which a pending write of the log counts as stalled, unless requests time out earlier. */
const stallMsMax = 5_000;

export function stallLimitsOf({ limits }: Pick<ServerOptions, 'limits'>): StallLimits {
  const { writeTimeoutMs } = limitsWith(limits);
  return { stallMs: Math.min(stallMsMax, writeTimeoutMs), writeTimeoutMs };
}

/** Maximum shares of the memory budget for requests in flight. A parsed body may take ten times its bytes. */
const underWay = { bodies: 1 / 8, responses: 1 / 4 };

/** The requested limits, reduced to what the memory budget allows; one body and one response always fit. */
export function limitsWithin(budgetBytes: number, requested: Partial<Limits> | undefined): Limits {
  const limits = limitsWith(requested);
  const { bodyBytesMax, bodiesBytesMax, responsesBytesMax } = limits;
  const share = (part: number) => Math.floor(budgetBytes * part);
  return {
    ...limits,
    bodiesBytesMax: Math.max(2 * bodyBytesMax, Math.min(bodiesBytesMax, share(underWay.bodies))),
    responsesBytesMax: Math.max(bodyBytesMax, Math.min(responsesBytesMax, share(underWay.responses))),
  };
}

/**
 * Retries temporary failures after a pause, if a retry can do no harm.
 *
 * | outcome | retried |
 * |---|---|
 * | 429; 409 with `Retry-After` | always: nothing was done |
 * | no response, 502, 503, 504 | except a POST without an `Idempotency-Key`, which may have been carried out |
 * | everything else | never |
 *
 * If an earlier attempt was carried out, a retry may fail for that very reason: a DELETE with 404, a conditional write with 412. The 404
 * counts as success, because the resource is deleted. A 412 may have another cause, so the earlier failure is reported. (With an
 * `Idempotency-Key`, there is no such doubt: the server repeats its first response.)
 */
import { unlessAborted } from './abort.ts';
import { ConnectionError, type ProblemError } from './client-errors.ts';

export interface RetryOptions {
  /** Maximum number of attempts. By default 4. */
  readonly attempts?: number;
  /** First pause in milliseconds. It doubles with each attempt. By default 250. */
  readonly baseMs?: number;
  /** Longest pause in milliseconds. If `Retry-After` requests more, the request fails immediately. By default 20,000. */
  readonly maxMs?: number;
  /** Waits. When the signal is aborted, its promise is abandoned; it may then clear its timer. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Returns a random number from 0 up to 1. */
  readonly random?: () => number;
}

export type Retry = Required<RetryOptions>;

export const defaultRetry: Retry = { attempts: 4, baseMs: 250, maxMs: 20_000, sleep, random: Math.random };

/** Validates the options and adds defaults. Throws a TypeError. */
export function retryOf(options: RetryOptions | false = {}): Retry {
  if (options === false) return { ...defaultRetry, attempts: 1 };
  if (typeof options !== 'object' || options === null) throw new TypeError('retry must be an object, or false.');
  const retry = { ...defaultRetry, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) };
  checkNumber('retry.attempts', retry.attempts, 1, Number.MAX_SAFE_INTEGER);
  if (!Number.isInteger(retry.attempts)) throw new TypeError(`retry.attempts is ${retry.attempts}. It must be an integer.`);
  checkNumber('retry.baseMs', retry.baseMs, 0, timerMaxMs);
  checkNumber('retry.maxMs', retry.maxMs, 0, timerMaxMs);
  for (const name of ['sleep', 'random'] as const)
    if (typeof retry[name] !== 'function') throw new TypeError(`retry.${name} must be a function.`);
  return { ...retry, sleep: (ms, signal) => unlessAborted(retry.sleep(ms, signal), signal) };
}

/** Longer timers would fire immediately. */
export const timerMaxMs = 2 ** 31 - 1;

/** @param name of the option, for the message */
export function checkNumber(name: string, value: unknown, min: number, max: number): void {
  if (!(typeof value === 'number' && value >= min && value <= max))
    throw new TypeError(`${name} is ${String(value)}. It must be a number from ${min} to ${max}.`);
}

/** The outcome of one attempt. */
export type AttemptOutcome =
  | { readonly data: unknown; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: ProblemError; readonly response: Response }
  | { readonly data?: undefined; readonly error: ConnectionError; readonly response?: undefined };

/** The properties of a request that matter for retries. */
export interface Repeatable {
  readonly method: string;
  /** It has an `Idempotency-Key`, so retries do not repeat it. */
  readonly hasKey: boolean;
  readonly isConditional: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Makes attempts until the outcome is final. */
export async function withRetry(
  attempt: () => Promise<AttemptOutcome>,
  request: Repeatable,
  retry: Retry,
): Promise<AttemptOutcome> {
  /** The first outcome after which the request may have been carried out. */
  let doubt: AttemptOutcome | undefined;
  for (let count = 1; ; count++) {
    const outcome = await attempt();
    const { error } = outcome;
    if (error === undefined) return outcome;
    const mayBeDone = isTemporaryFailure(error);
    const isHarmless = mayBeDone ? request.method !== 'POST' || request.hasKey : isRefusalForNow(error);
    const waitMs = pauseMs(count, error.retryAfter, retry);
    if (!isHarmless || waitMs === undefined || count >= retry.attempts)
      return doubt === undefined ? outcome : finalOutcome(outcome, doubt, request);
    if (mayBeDone) doubt ??= outcome;
    await retry.sleep(waitMs, request.signal);
  }
}

/** A temporary failure; the request may have been carried out. */
export const isTemporaryFailure = (error: ProblemError | ConnectionError): boolean =>
  error instanceof ConnectionError || [502, 503, 504].includes(error.status);

/** A temporary rejection; nothing was done. */
export const isRefusalForNow = (error: ProblemError | ConnectionError): boolean =>
  !(error instanceof ConnectionError) && (error.status === 429 || (error.status === 409 && error.retryAfter !== undefined));

/** The meaning of an outcome after an attempt that may have been carried out. */
function finalOutcome(
  outcome: AttemptOutcome,
  doubt: AttemptOutcome,
  { method, hasKey, isConditional }: Repeatable,
): AttemptOutcome {
  const { response } = outcome;
  if (response?.status === 404 && method === 'DELETE') {
    return { data: undefined, response: new Response(null, { status: 204, headers: response.headers }) };
  }
  return response?.status === 412 && isConditional && !hasKey ? doubt : outcome;
}

/**
 * Milliseconds until the next attempt, randomized so that clients do not retry at the same time. `undefined` if it would be
 * too long.
 *
 * @param retryAfter seconds requested by the server
 */
export function pauseMs(count: number, retryAfter: number | undefined, { baseMs, maxMs, random }: Retry): number | undefined {
  if (retryAfter !== undefined)
    return retryAfter * 1000 > maxMs ? undefined : Math.min(timerMaxMs, retryAfter * 1000 + random() * baseMs);
  return Math.min(maxMs, baseMs * 2 ** (count - 1)) * (0.5 + random() / 2);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

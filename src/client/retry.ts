/**
 * Trying again: what may pass by itself is asked again after a while, if it can do no harm.
 *
 * | outcome | asked again |
 * |---|---|
 * | 429; 409 with `Retry-After` | always: nothing was done |
 * | no answer, 502, 503, 504 | unless it is a POST without an `Idempotency-Key`: it may have been done |
 * | everything else | never |
 *
 * Where an attempt may have been carried out, a later one can be refused for that very reason: a DELETE with 404, a conditional write with
 * 412. The former is what was asked for, and so a success. Of the latter nobody can say whose change it was; so the fault before it is told. (With
 * an `Idempotency-Key` there is no such doubt: what was done is answered as it was then.)
 */
import { unlessAborted } from './abort.ts';
import { ConnectionError, type ProblemError } from './errors.ts';

export interface RetryOptions {
  /** How often a request is sent at most. By default 4. */
  readonly attempts?: number;
  /** The first pause, in milliseconds; it doubles with every attempt. By default 250. */
  readonly baseMs?: number;
  /** The longest pause, in milliseconds. Where `Retry-After` asks for a longer one, the refusal is told at once. By default 20,000. */
  readonly maxMs?: number;
  /** Waits. It is left when the signal is aborted, which it may heed to let go of its timer. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

export type Retry = Required<RetryOptions>;

export const defaultRetry: Retry = { attempts: 4, baseMs: 250, maxMs: 20_000, sleep, random: Math.random };

/** What is said, and the defaults of what is not. */
export function retryOf(said: RetryOptions | false = {}): Retry {
  if (said === false) return { ...defaultRetry, attempts: 1 };
  if (typeof said !== 'object' || said === null) throw new TypeError('retry has to be an object, or false.');
  const retry = { ...defaultRetry, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
  checkNumber('retry.attempts', retry.attempts, 1, Number.MAX_SAFE_INTEGER);
  if (!Number.isInteger(retry.attempts)) throw new TypeError('retry.attempts has to be a whole number.');
  checkNumber('retry.baseMs', retry.baseMs, 0, timerMaxMs);
  checkNumber('retry.maxMs', retry.maxMs, 0, timerMaxMs);
  for (const name of ['sleep', 'random'] as const)
    if (typeof retry[name] !== 'function') throw new TypeError(`retry.${name} has to be a function.`);
  return { ...retry, sleep: (ms, signal) => unlessAborted(retry.sleep(ms, signal), signal) };
}

/** Timers that are to be longer end at once. */
export const timerMaxMs = 2 ** 31 - 1;

/** @param name what its user calls it */
export function checkNumber(name: string, value: unknown, min: number, max: number): void {
  if (!(typeof value === 'number' && value >= min && value <= max))
    throw new TypeError(`${name} is ${String(value)}. It has to be a number from ${min} to ${max}.`);
}

/** What came of an attempt. */
export type Outcome =
  | { readonly data: unknown; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: ProblemError; readonly response: Response }
  | { readonly data?: undefined; readonly error: ConnectionError; readonly response?: undefined };

/** What has to be known of a request. */
export interface Repeatable {
  readonly method: string;
  /** It is done once, however often it is sent. */
  readonly hasKey: boolean;
  readonly isConditional: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Makes attempts until one of them is an answer that stays. */
export async function persist(attempt: () => Promise<Outcome>, request: Repeatable, retry: Retry): Promise<Outcome> {
  /** The first outcome that leaves open whether the request was carried out. */
  let doubt: Outcome | undefined;
  for (let count = 1; ; count++) {
    const outcome = await attempt();
    const { error } = outcome;
    if (error === undefined) return outcome;
    const mayBeDone = isFault(error);
    const isHarmless = mayBeDone ? request.method !== 'POST' || request.hasKey : isRefusalForNow(error);
    const waitMs = pauseMs(count, error.retryAfter, retry);
    if (!isHarmless || waitMs === undefined || count >= retry.attempts)
      return doubt === undefined ? outcome : settled(outcome, doubt, request);
    if (mayBeDone) doubt ??= outcome;
    await retry.sleep(waitMs, request.signal);
  }
}

/** It may be over soon, and what was asked for may have been done. */
export const isFault = (error: ProblemError | ConnectionError): boolean =>
  error instanceof ConnectionError || [502, 503, 504].includes(error.status);

/** It may be over soon, and nothing was done. */
export const isRefusalForNow = (error: ProblemError | ConnectionError): boolean =>
  !(error instanceof ConnectionError) && (error.status === 429 || (error.status === 409 && error.retryAfter !== undefined));

/** What an outcome means after an attempt that may have been carried out. */
function settled(outcome: Outcome, doubt: Outcome, { method, hasKey, isConditional }: Repeatable): Outcome {
  const { response } = outcome;
  if (response?.status === 404 && method === 'DELETE') {
    return { data: undefined, response: new Response(null, { status: 204, headers: response.headers }) };
  }
  return response?.status === 412 && isConditional && !hasKey ? doubt : outcome;
}

/**
 * Milliseconds until the next attempt: at random, so that those who failed together do not come again together. `undefined` when it would be
 * too long.
 *
 * @param retryAfter seconds that the server asks for
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

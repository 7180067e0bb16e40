/** What goes wrong: the server refuses (`ProblemError`), or there is no answer at all (`ConnectionError`). */
import type { Problem } from './resources.ts';

/**
 * What happened, in a word that stays. All but two are the server's: `not_modified` answers an `If-None-Match`, and `unexpected_answer` is what
 * mapwright does not say: the page of a proxy, or another program at this address.
 */
export type ProblemCode = Problem['code'] | 'not_modified' | 'unexpected_answer';

/** One thing that is wrong. */
export interface Fault {
  /** Where: a JSON Pointer into the body; of a refused DELETE, into the project. */
  readonly pointer: string;
  readonly detail: string;
}

/** A refusal. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  /** The status of the answer. */
  readonly status: number;
  /** What happened and what to do about it, in a sentence. */
  readonly detail: string;
  /** Each thing that is wrong, with its place; empty where that is not the point. */
  readonly errors: readonly Fault[];
  /** What the log of the server calls the request. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** Of a batch: which operation it was, from 0. */
  readonly index: number | undefined;

  constructor(request: string, response: Response, { code, detail, errors = [], index }: ProblemMembers) {
    const { status, headers } = response;
    const requestId = headers.get('x-request-id') ?? undefined;
    super(`${request}: ${detail} (${status} ${code}${requestId === undefined ? '' : `, request ${requestId}`})`);
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = secondsIn(headers.get('retry-after'), Date.now());
    this.index = index;
  }
}

interface ProblemMembers {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly index?: number | undefined;
}

/** There was no answer, or it broke off: whether a write was carried out is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Nobody was there to ask for it. */
  readonly retryAfter: undefined;

  constructor(request: string, cause: unknown) {
    const ofPages = 'location' in globalThis ? ' It lets pages of other origins in with --cors.' : '';
    super(`${request}: no answer (${reasonOf(cause)}). Is the server running there?${ofPages}`, { cause });
  }
}

function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const { cause } = fault;
  return cause instanceof Error ? ((cause as { readonly code?: string }).code ?? cause.message) : fault.message;
}

/** The error that stands for an answer that is no success. */
export function problemIn(request: string, response: Response, said: unknown): ProblemError {
  // What a page cannot look at has the status 0.
  const isRedirect =
    response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400 && response.status !== 304);
  if (isRedirect) return unexpected(request, response, 'This redirects, which is not followed. Is baseUrl the address itself?');
  if (isProblem(said)) {
    const { errors, index } = said;
    return new ProblemError(request, response, {
      ...said,
      errors: Array.isArray(errors) ? errors.filter(isFaultIn) : [],
      ...(typeof index === 'number' ? { index } : { index: undefined }),
    });
  }
  if (response.status === 304) {
    return new ProblemError(request, response, {
      code: 'not_modified',
      detail: 'It is still the version that If-None-Match names.',
    });
  }
  return unexpected(request, response);
}

const foreign = 'This is no answer of mapwright. Is baseUrl the address of its server, and is a proxy before it in order?';

export const unexpected = (request: string, response: Response, detail = foreign): ProblemError =>
  new ProblemError(request, response, { code: 'unexpected_answer', detail });

const isProblem = (said: unknown): said is Problem =>
  typeof said === 'object' &&
  said !== null &&
  'code' in said &&
  typeof said.code === 'string' &&
  'detail' in said &&
  typeof said.detail === 'string';

const isFaultIn = (said: unknown): said is Fault =>
  typeof said === 'object' &&
  said !== null &&
  'pointer' in said &&
  'detail' in said &&
  typeof said.pointer === 'string' &&
  typeof said.detail === 'string';

/** `Retry-After` holds a number of seconds or a date. */
export function secondsIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Errors: the server rejects a request (`ProblemError`), or there is no response (`ConnectionError`). */
import type { Problem } from './resource-types.ts';

/**
 * A stable error code. Two are added by the client: `not_modified` is a 304 for `If-None-Match`; `unexpected_response` is a response that
 * does not come from mapwright, but from a proxy or another program at this address.
 */
export type ErrorCode = Problem['code'] | 'not_modified' | 'unexpected_response';

/** One error of a request. */
export interface FieldError {
  /** A JSON Pointer into the body; for a rejected DELETE, into the project. */
  readonly pointer: string;
  /** The query parameter that is wrong, instead of the body. */
  readonly parameter?: string;
  /** The header that is wrong, instead of the body. */
  readonly header?: string;
  readonly detail: string;
}

/** An error response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ErrorCode;
  /** Status of the response. */
  readonly status: number;
  /** What is wrong, and what to do next. */
  readonly detail: string;
  /** The invalid members, if any. */
  readonly errors: readonly FieldError[];
  /** Identifier of the request in the log of the server. */
  readonly requestId: string | undefined;
  /** Seconds after which to retry. */
  readonly retryAfter: number | undefined;
  /** For a batch: index of the failed operation, from 0. */
  readonly index: number | undefined;

  constructor(request: string, response: Response, { code, detail, errors = [], index }: ProblemOptions) {
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

interface ProblemOptions {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly index?: number | undefined;
}

/** There was no response, or it was cut off. A write may or may not have been carried out. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'no_response';
  /** Always undefined, because there is no response. */
  readonly retryAfter: undefined;

  constructor(request: string, cause: unknown) {
    const corsHint = 'location' in globalThis ? ' For pages of other origins it needs --cors.' : '';
    super(`${request}: no response (${reasonOf(cause)}). Check that the server is running.${corsHint}`, { cause });
  }
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { cause } = failure;
  return cause instanceof Error ? ((cause as { readonly code?: string }).code ?? cause.message) : failure.message;
}

/** The error for a response that is not a success. */
export function problemIn(request: string, response: Response, body: unknown): ProblemError {
  // Browsers show a redirect as an opaque response with status 0.
  const isRedirect =
    response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400 && response.status !== 304);
  if (isRedirect)
    return unexpected(
      request,
      response,
      'The server redirects, which the client does not follow. Set baseUrl to the final address.',
    );
  if (isProblem(body)) {
    const { errors, index } = body;
    return new ProblemError(request, response, {
      ...body,
      errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
      ...(typeof index === 'number' ? { index } : { index: undefined }),
    });
  }
  if (response.status === 304) {
    return new ProblemError(request, response, {
      code: 'not_modified',
      detail: 'The resource still has the version in If-None-Match.',
    });
  }
  return unexpected(request, response);
}

const foreign = 'The response is not from mapwright. Check baseUrl, and any proxy in front of the server.';

export const unexpected = (request: string, response: Response, detail = foreign): ProblemError =>
  new ProblemError(request, response, { code: 'unexpected_response', detail });

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'detail' in body &&
  typeof body.detail === 'string';

const isFieldError = (body: unknown): body is FieldError =>
  typeof body === 'object' &&
  body !== null &&
  'pointer' in body &&
  'detail' in body &&
  typeof body.pointer === 'string' &&
  typeof body.detail === 'string';

/** Parses `Retry-After`, which holds seconds or a date. Returns seconds. */
export function secondsIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

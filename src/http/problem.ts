/**
 * Refusals and failures as the client sees them: RFC 9457 documents. A problem is an `Error`, so that any layer may throw one, but
 * what it carries is only what may be shown: no stack, path, identifier or internal name.
 */
import {
  AnswersFullError,
  AnswerTooLargeError,
  BusyError,
  MemoryFullError,
  NoSpaceError,
  QuotaError,
  RecordTooLargeError,
  StalledError,
  StoppedError,
} from '../lib/errors.ts';
import { type FieldError, faultsMax } from '../lib/field-error.ts';
import { plural } from '../lib/text/plural.ts';
import { redactEncodedKeys } from '../lib/text/redact.ts';

/** Status and title of every code. The codes are part of the interface: stable words for programs to decide by. */
export const problemKinds = {
  bad_request: [400, 'Bad request'],
  validation_failed: [400, 'Validation failed'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  quota_exceeded: [403, 'Quota exceeded'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request timeout'],
  conflict: [409, 'Conflict'],
  precondition_failed: [412, 'Precondition failed'],
  payload_too_large: [413, 'Payload too large'],
  uri_too_long: [414, 'URI too long'],
  unsupported_media_type: [415, 'Unsupported media type'],
  expectation_failed: [417, 'Expectation failed'],
  unprocessable: [422, 'Unprocessable content'],
  too_many_requests: [429, 'Too many requests'],
  headers_too_large: [431, 'Request header fields too large'],
  internal_error: [500, 'Internal server error'],
  unavailable: [503, 'Service unavailable'],
  storage_stalled: [503, 'Storage stalled'],
  insufficient_storage: [507, 'Insufficient storage'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof problemKinds;

export interface ProblemExtras {
  /** What is wrong with the body, member by member; for a conflict, what stands against it. */
  readonly errors?: readonly FieldError[];
  /** Response headers that belong to the refusal (`Allow`, `WWW-Authenticate` ...). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds after which the same request may succeed; sent as `Retry-After`. */
  readonly retryAfterS?: number;
  /** Which of the things that were asked for together it was: a place in a list, from 0. */
  readonly index?: number | undefined;
  /** Which of several causes of one code it was, for the operator's metrics; not sent. By default the code. */
  readonly reason?: string;
}

/** A refusal with everything that the client is told of it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  /** One or more sentences, readable on their own. */
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  /** A word for the operator's metrics; not sent. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly index: number | undefined;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    // A refusal quotes what was sent, and a key may be anywhere in it.
    super(redactEncodedKeys(detail));
    this.code = code;
    [this.status, this.title] = problemKinds[code];
    this.detail = this.message;
    this.reason = extras.reason ?? code;
    this.index = extras.index;
    // Every 400 says where, if only "the document as a whole", so that a client can rely on the member.
    this.errors = extras.errors?.map(withoutKeysIn) ?? (this.status === 400 ? [{ pointer: '', detail: this.detail }] : undefined);
    this.headers =
      extras.retryAfterS === undefined ? (extras.headers ?? {}) : { ...extras.headers, 'Retry-After': `${extras.retryAfterS}` };
  }

  /** The document that answers the request `requestId`. */
  document(requestId: string): string {
    const { code, status, title, detail, index, errors } = this;
    return JSON.stringify({
      type: `urn:mapwright:problem:${code}`,
      title,
      status,
      detail,
      code,
      request_id: requestId,
      index,
      errors,
    });
  }
}

const withoutKeysIn = ({ pointer, detail }: FieldError): FieldError => ({
  pointer: redactEncodedKeys(pointer),
  detail: redactEncodedKeys(detail),
});

const nouns = { projects: 'project', members: 'member', bytes: 'byte' } as const;

/** The problems that more than one place has to state in the same words. */
export const problems = {
  badRequest: (detail: string) => new Problem('bad_request', detail),

  /** A body that was read but does not hold what it should; of the faults the first hundred are shown. */
  validationFailed(faults: readonly FieldError[]): Problem {
    const shown = faults.slice(0, faultsMax);
    return new Problem('validation_failed', sentence(shown), { errors: shown });
  },

  unauthorized: () =>
    new Problem('unauthorized', 'This needs a valid API key, sent as the header "Authorization: Bearer <key>".', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    }),

  /** A valid key that may not do this (RFC 6750, 3.1). */
  forbidden: (detail: string) =>
    new Problem('forbidden', detail, { headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } }),

  quotaExceeded: ({ quota, limit, used, growth }: QuotaError) =>
    new Problem(
      'quota_exceeded',
      `Your account may hold ${plural(limit, nouns[quota])}; it holds ${used}, and this would add ${growth}: nothing was changed. Deleting and changes that do not grow go on; delete what is not needed, or ask the operator for more.`,
      { reason: `quota_${quota}` },
    ),

  /** The same words for what never was, what is gone, and what is somebody else's: nobody can tell them apart. */
  notFound: () =>
    new Problem('not_found', 'Something that this address names does not exist, or does not belong to your account.'),
  unknownPath: () =>
    new Problem(
      'not_found',
      'There is nothing at this path. Paths are exact: letter case and slashes count. GET /openapi.json has them all, and /docs, unless it is switched off, shows them.',
    ),

  /** @param allow the methods that the path has: `GET, HEAD` */
  methodNotAllowed: (allow: string) =>
    new Problem('method_not_allowed', `This path does not have that method; it has ${allow}.`, { headers: { Allow: allow } }),
  requestTimeout: () => new Problem('request_timeout', 'The request did not arrive in full within the time the server waits.'),
  conflict: (detail: string, errors?: readonly FieldError[]) => new Problem('conflict', detail, errors && { errors }),
  preconditionFailed: (detail: string) => new Problem('precondition_failed', detail),
  payloadTooLarge: (detail: string) => new Problem('payload_too_large', detail),

  /** @param bytesMin of a chunk, on average */
  crumbs: (bytesMin: number) =>
    new Problem('bad_request', `The body comes in chunks of less than ${bytesMin} bytes. Send it in larger ones.`),
  uriTooLong: () => new Problem('uri_too_long', 'The address of the request is longer than the server reads.'),

  /** @param headers what would have been accepted: `{ Accept: 'application/json' }` */
  unsupportedMediaType: (detail: string, headers: Readonly<Record<string, string>>) =>
    new Problem('unsupported_media_type', detail, { headers }),
  expectationFailed: () => new Problem('expectation_failed', 'The only expectation that can be met is "100-continue".'),
  unprocessable: (detail: string) => new Problem('unprocessable', detail),

  /** @param reason for the metrics: why it is so */
  tooManyRequests: (detail: string, retryAfterS: number, reason = 'too_many_requests') =>
    new Problem('too_many_requests', detail, { retryAfterS, reason }),
  headersTooLarge: () =>
    new Problem('headers_too_large', 'The headers of the request are more, or longer, than the server reads.'),
  internalError: () =>
    new Problem('internal_error', 'The server failed to do this. The request id finds the reason in the server\u2019s log.'),

  /** @param reason for the metrics: why it is so */
  unavailable: (detail: string, retryAfterS: number, reason = 'unavailable') =>
    new Problem('unavailable', detail, { retryAfterS, reason }),
  storageStalled: ({ isRefusal, retryAfterS }: StalledError) =>
    new Problem(
      'storage_stalled',
      isRefusal
        ? 'The disk of the server has stopped answering: nothing was changed. Reading what is durable goes on, writing resumes when the disk answers.'
        : 'The disk of the server did not answer in time. A read may be repeated later. A change may still become durable: repeat it with its Idempotency-Key, or read whether it is there before you repeat it without one.',
      { retryAfterS },
    ),
  insufficientStorage: () =>
    new Problem(
      'insufficient_storage',
      'The server has no room on its disk: nothing was changed. Reading goes on, writing resumes when there is room.',
      { reason: 'disk_full' },
    ),
  insufficientMemory: () =>
    new Problem(
      'insufficient_storage',
      'The server has no memory left for this to grow into: nothing was changed. Reading, deleting and changes that do not grow go on; delete what is not needed, or ask the operator for more memory.',
      { reason: 'memory_full' },
    ),
};

/**
 * The problem that stands for anything thrown; `undefined` when it is no refusal but a fault of this program, which is then logged
 * and answered with 500.
 */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof NoSpaceError) return problems.insufficientStorage();
  if (error instanceof MemoryFullError) return problems.insufficientMemory();
  if (error instanceof QuotaError) return problems.quotaExceeded(error);
  if (error instanceof StalledError) return problems.storageStalled(error);
  if (error instanceof BusyError)
    return problems.unavailable('The server is busy: nothing was changed, try again.', error.retryAfterS, 'busy');
  if (error instanceof AnswersFullError) {
    return problems.tooManyRequests(
      'The account has used as many Idempotency-Keys in 24 hours as the server remembers: nothing was changed. Send this without one, or later.',
      error.retryAfterS,
    );
  }
  if (error instanceof AnswerTooLargeError) {
    return problems.payloadTooLarge(
      'The answer is longer than what is remembered for an Idempotency-Key: nothing was changed. Send it without one.',
    );
  }
  if (error instanceof RecordTooLargeError) {
    return problems.payloadTooLarge('The change is too large to be made as one: nothing was changed. Send it in parts.');
  }
  // Whether the change had become durable is not known to anyone at this point.
  if (error instanceof StoppedError)
    return problems.unavailable('The server is stopping; the change may or may not have been made.', 1, 'stopping');
  return undefined;
}

function sentence(faults: readonly FieldError[]): string {
  const [first] = faults;
  if (first === undefined) return 'The body is not valid.';
  const more = faults.length - 1;
  const said = `${first.pointer === '' ? 'The body' : first.pointer} ${first.detail}`;
  // A question ("did you mean ...?") ends its sentence itself.
  if (said.endsWith('?')) return more === 0 ? said : `${said} And ${more} more, see errors.`;
  return `${said}${more === 0 ? '' : ` (and ${more} more, see errors)`}.`;
}

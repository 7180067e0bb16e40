/**
 * Errors as the client sees them: problem documents (RFC 9457). A problem is an `Error`, so any layer may throw one. It contains only
 * what the client may see: no stack, path, identifier or internal name.
 */
import {
  BusyError,
  MemoryFullError,
  NoSpaceError,
  NotOwnerError,
  OverrunError,
  QuotaError,
  RecordTooLargeError,
  ResponsesFullError,
  ResponseTooLargeError,
  StalledError,
  StoppedError,
  UnprovenError,
} from '../lib/errors.ts';
import { type FieldError, fieldErrorsMax } from '../lib/field-error.ts';
import { plural } from '../lib/text/plural.ts';
import { redactEncodedKeys } from '../lib/text/redact.ts';

/** Status and title of every problem code. The codes are part of the API: clients branch on them. */
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
  identifier_in_use: [409, 'Identifier in use'],
  not_in_collection: [409, 'Not in the collection'],
  precondition_failed: [412, 'Precondition failed'],
  payload_too_large: [413, 'Payload too large'],
  uri_too_long: [414, 'URI too long'],
  unsupported_media_type: [415, 'Unsupported media type'],
  range_not_satisfiable: [416, 'Range not satisfiable'],
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

/** The part of a request, other than its body, that is wrong. */
type RequestPart = { readonly parameter: string } | { readonly header: string };

interface ProblemExtras {
  /** The parameter of the query or the header that is wrong; becomes the only entry of `errors`. */
  readonly about?: RequestPart;
  /** Errors in the body, by member; for a conflict, the conflicting values. */
  readonly errors?: readonly FieldError[];
  /** Response headers of this problem (`Allow`, `WWW-Authenticate` ...). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds after which the same request may succeed; sent as `Retry-After`. */
  readonly retryAfterS?: number;
  /** Which element of a batch failed, from 0. */
  readonly index?: number | undefined;
  /** Label for the operator's metrics, where one code has several causes; not sent. Default: the code. */
  readonly reason?: string;
}

/** An error with everything that the client may see of it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  /** One or more sentences, readable on their own. */
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  /** Label for the operator's metrics; not sent. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly index: number | undefined;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    // The detail quotes the request, which may contain a key anywhere.
    super(redactEncodedKeys(detail));
    this.code = code;
    [this.status, this.title] = problemKinds[code];
    this.detail = this.message;
    this.reason = extras.reason ?? code;
    this.index = extras.index;
    this.errors = extras.errors?.map(withoutKeysIn) ?? this.#onlyError(extras.about);
    this.headers =
      extras.retryAfterS === undefined ? (extras.headers ?? {}) : { ...extras.headers, 'Retry-After': `${extras.retryAfterS}` };
  }

  /** Every 400 has `errors`, if only for the whole request, so that clients can rely on the member. */
  #onlyError(about: RequestPart | undefined): readonly FieldError[] | undefined {
    if (about === undefined && this.status !== 400) return undefined;
    return [{ pointer: '', ...about, detail: this.detail }];
  }

  /** The problem document, as JSON, for the request `requestId`. */
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

/** RFC 6750, 3.1: a request without credentials gets no error code. */
const challenge = (credential: CredentialProblem): string =>
  credential === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"';

/** Seconds after which a write that found no room may be repeated: room comes from a person, or from a cleanup. */
const roomRetryS = 30;

const nouns = { projects: 'project', members: 'member', bytes: 'byte', versions: 'version', deleted_bytes: 'byte' } as const;

/** What makes room in a quota. */
const remedies = {
  projects: 'Delete projects',
  members: 'Delete data',
  bytes: 'Delete data (pictures that versions still have count until those versions are deleted, too)',
  versions: 'Delete versions',
  deleted_bytes:
    'This is what deleted pictures, versions and maps take on the disk, which they leave about a day after their deletion: retry then',
} as const;

/** Why a request has no principal. Only the form of the header is judged: all well-formed keys that are refused get the same text. */
export type CredentialProblem = 'missing' | 'malformed' | 'refused' | 'ended';

const credentialProblems: Readonly<Record<CredentialProblem, string>> = {
  missing: 'This needs an API key. Send it in the header "Authorization: Bearer <key>".',
  malformed: 'The header Authorization must be "Bearer <key>", and be sent once.',
  refused: 'This API key is not valid here: it is incomplete, expired, revoked, or belongs to another data folder.',
  ended: 'This session has ended, or its cookie is missing. Sign in again.',
};

/** Problems that more than one caller creates. */
export const problems = {
  badRequest: (detail: string) => new Problem('bad_request', detail),
  badParameter: (parameter: string, detail: string) => new Problem('bad_request', detail, { about: { parameter } }),

  /** @param header as it is written: `If-Match` */
  badHeader: (header: string, detail: string) => new Problem('bad_request', detail, { about: { header } }),

  /** A body that does not match its schema; the response shows the first hundred errors. */
  validationFailed(fieldErrors: readonly FieldError[]): Problem {
    const shown = fieldErrors.slice(0, fieldErrorsMax);
    return new Problem('validation_failed', sentence(shown), { errors: shown });
  },

  unauthorized: (credential: CredentialProblem) =>
    new Problem('unauthorized', credentialProblems[credential], { headers: { 'WWW-Authenticate': challenge(credential) } }),

  /** The account that a request of this process names. */
  unknownAccount: (name: string) =>
    new Problem('unauthorized', `There is no account "${name}". Create it with createAccount, or correct the name.`),

  /** A one-time code that is not valid. */
  refusedCode: (detail: string) => new Problem('unauthorized', detail, { headers: { 'WWW-Authenticate': 'Bearer' } }),

  /** A valid key that may not do this (RFC 6750, 3.1). */
  forbidden: (detail: string) =>
    new Problem('forbidden', detail, { headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } }),

  quotaExceeded: ({ quota, limit, used, growth }: QuotaError) =>
    new Problem(
      'quota_exceeded',
      `Quota exceeded: your account may have ${plural(limit, nouns[quota])}; it has ${used}, and this request would add ${growth}: nothing was changed. Deletes and changes without growth still work. ${remedies[quota]}, or ask the operator for a higher quota.`,
      { reason: `quota_${quota}` },
    ),

  /** One text for a resource that never existed, a deleted one and a foreign one: a client cannot distinguish them. */
  notFound: () => new Problem('not_found', 'A resource in this URL does not exist, or does not belong to your account.'),
  unknownPath: () =>
    new Problem(
      'not_found',
      'Unknown path. Paths are exact: letter case and slashes count. GET /openapi.json lists all paths. /docs shows them, unless it is disabled.',
    ),

  /** @param allow the methods that the path supports: `GET, HEAD` */
  methodNotAllowed: (allow: string) =>
    new Problem('method_not_allowed', `This path does not support the method of the request. It supports ${allow}.`, {
      headers: { Allow: allow },
    }),
  requestTimeout: () => new Problem('request_timeout', 'The request did not arrive completely before the timeout.'),
  conflict: (detail: string, errors?: readonly FieldError[]) => new Problem('conflict', detail, errors && { errors }),
  preconditionFailed: (detail: string) => new Problem('precondition_failed', detail),
  payloadTooLarge: (detail: string) => new Problem('payload_too_large', detail),

  /** @param bytesMin minimum average size of a chunk, in bytes */
  tinyChunks: (bytesMin: number) =>
    new Problem('bad_request', `The body has too many chunks of less than ${bytesMin} bytes. Send larger chunks.`),
  uriTooLong: () => new Problem('uri_too_long', 'The URL of the request is longer than the server accepts.'),

  /** @param accept the accepted types */
  unsupportedMediaType: (detail: string, accept: string) =>
    new Problem('unsupported_media_type', detail, { about: { header: 'Content-Type' }, headers: { Accept: accept } }),

  /** @param accept the accepted codings */
  unsupportedCoding: (detail: string, accept: string) =>
    new Problem('unsupported_media_type', detail, {
      about: { header: 'Content-Encoding' },
      headers: { 'Accept-Encoding': accept },
    }),
  expectationFailed: () =>
    new Problem('expectation_failed', 'The only supported Expect header is "100-continue".', { about: { header: 'Expect' } }),
  unprocessable: (detail: string) => new Problem('unprocessable', detail),

  /** @param reason label for the metrics */
  tooManyRequests: (detail: string, retryAfterS: number, reason = 'too_many_requests') =>
    new Problem('too_many_requests', detail, { retryAfterS, reason }),
  headersTooLarge: () =>
    new Problem('headers_too_large', 'The request has more headers, or longer headers, than the server accepts.'),
  bodyLost: () =>
    new Problem(
      'internal_error',
      'The program in which this server runs read the body of the request before it passed the request on, and kept neither req.rawBody nor req.body. Pass the request on before a body parser, or let the parser keep one of them.',
    ),
  internalError: () =>
    new Problem(
      'internal_error',
      'The request failed because of an internal error. The server\u2019s log has the cause, with the request id.',
    ),

  /** @param reason label for the metrics */
  unavailable: (detail: string, retryAfterS: number, reason = 'unavailable') =>
    new Problem('unavailable', detail, { retryAfterS, reason }),
  storageStalled: ({ isRefusal, medium, retryAfterS }: StalledError) =>
    new Problem(
      'storage_stalled',
      isRefusal
        ? `The ${medium} of the server does not respond: nothing was changed. Durable data can be read. Writes resume when the ${medium} responds.`
        : `The ${medium} of the server did not respond in time. Retry a read later. A change may still become durable: retry it with its Idempotency-Key, or read the resource before you retry without one.`,
      { retryAfterS },
    ),
  insufficientStorage: () =>
    new Problem(
      'insufficient_storage',
      'The disk of the server has no free space: nothing was changed. Reads still work. Writes resume when the disk has room.',
      { reason: 'disk_full', retryAfterS: roomRetryS },
    ),
  insufficientMemory: () =>
    new Problem(
      'insufficient_storage',
      'The server has no memory left for more data: nothing was changed. Reads, deletes and changes without growth still work. Delete data, or ask the operator for more memory.',
      { reason: 'memory_full', retryAfterS: roomRetryS },
    ),
};

/** Converts a thrown value to a problem; `undefined` if it is an internal error, which is logged and becomes a 500. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof NoSpaceError) return problems.insufficientStorage();
  if (error instanceof MemoryFullError) return problems.insufficientMemory();
  if (error instanceof QuotaError) return problems.quotaExceeded(error);
  if (error instanceof StalledError) return problems.storageStalled(error);
  if (error instanceof BusyError)
    return problems.unavailable('The server is busy: nothing was changed, try again.', error.retryAfterS, 'busy');
  if (error instanceof OverrunError) {
    return problems.unavailable(
      `The map was not evaluated: ${error.message}. Use fewer items, shorter expressions or smaller responses.`,
      error.retryAfterS,
      'evaluation_overrun',
    );
  }
  if (error instanceof ResponsesFullError) {
    return problems.tooManyRequests(
      'Your account has used as many Idempotency-Keys in 24 hours as the server stores: nothing was changed. Send the request later, or without an Idempotency-Key.',
      error.retryAfterS,
    );
  }
  if (error instanceof ResponseTooLargeError) {
    return problems.payloadTooLarge(
      'The response is larger than the server stores for an Idempotency-Key: nothing was changed. Send the request without one.',
    );
  }
  if (error instanceof RecordTooLargeError) {
    return problems.payloadTooLarge('The change is too large for one transaction: nothing was changed. Send it in parts.');
  }
  // It is unknown whether the change became durable.
  if (error instanceof StoppedError)
    return problems.unavailable(
      'The server is stopping. The change may have been made: read the resource, or repeat the request with the same Idempotency-Key.',
      1,
      'stopping',
    );
  if (error instanceof NotOwnerError || error instanceof UnprovenError)
    return problems.unavailable(
      'This node of the cluster cannot confirm that its data is current. Retry a read. A change may have been made: read the resource, or repeat the request with the same Idempotency-Key.',
      1,
      'not_owner',
    );
  return undefined;
}

function sentence(fieldErrors: readonly FieldError[]): string {
  const [first] = fieldErrors;
  if (first === undefined) return 'The body is not valid.';
  const more = fieldErrors.length - 1;
  const said = `${first.pointer === '' ? 'The body' : first.pointer} ${first.detail}`;
  // A question ("did you mean ...?") has its own punctuation mark.
  if (said.endsWith('?')) return more === 0 ? said : `${said} And ${more} more, see errors.`;
  return `${said}${more === 0 ? '' : ` (and ${more} more, see errors)`}.`;
}

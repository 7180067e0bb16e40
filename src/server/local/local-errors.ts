/**
 * The errors of calls without HTTP: the problems of the API, with one class each. Their `code` and `status` are the same as over HTTP, so
 * that a host can forward them.
 */
import { type Problem, type ProblemCode, problemOf } from '../../http/problem.ts';
import { StoppedError } from '../../lib/errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { redactEncodedKeys } from '../../lib/text/redact.ts';

/** A rejected call. Nothing was changed, unless its class says otherwise. Most kinds have a subclass below. */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError';
  /** A stable code: `not_found`, `validation_failed`. */
  readonly code: ProblemCode;
  /** The HTTP status. */
  readonly status: number;
  /** The errors in the body, or the conflicts, each with a JSON Pointer. */
  readonly errors: readonly FieldError[];
  /** Index of the failed operation of a batch. */
  readonly index: number | undefined;
  /** Recommended delay before a retry, in seconds; `undefined` if a retry does not help. */
  readonly retryAfterS: number | undefined;

  constructor(problem: Problem, message = problem.detail, cause?: unknown) {
    super(redactEncodedKeys(message), cause === undefined ? undefined : { cause });
    const { code, status, errors = [], index, headers } = problem;
    const { 'Retry-After': retryAfter } = headers;
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.index = index;
    this.retryAfterS = retryAfter === undefined ? undefined : Number(retryAfter);
  }
}

/** The body or a parameter is invalid: `errors` lists the locations (400). */
export class ValidationError extends RefusedError {
  override readonly name = 'ValidationError';
}

/** The account, project or member does not exist (404). */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError';
}

/** The write conflicts with the current state: `errors` lists the conflicts (409). */
export class ConflictError extends RefusedError {
  override readonly name = 'ConflictError';
}

/** The resource has changed since the version in `ifMatch` (412). */
export class PreconditionFailedError extends RefusedError {
  override readonly name = 'PreconditionFailedError';
}

/** The write would exceed a quota of the account (403). */
export class QuotaExceededError extends RefusedError {
  override readonly name = 'QuotaExceededError';
}

/** The disk does not respond (503). A write may still become durable: the message says whether it may. */
export class StorageStalledError extends RefusedError {
  override readonly name = 'StorageStalledError';
}

const classes: Readonly<Partial<Record<ProblemCode, typeof RefusedError>>> = {
  bad_request: ValidationError,
  validation_failed: ValidationError,
  not_found: NotFoundError,
  conflict: ConflictError,
  precondition_failed: PreconditionFailedError,
  quota_exceeded: QuotaExceededError,
  storage_stalled: StorageStalledError,
};

/** @param message replaces the problem's own message */
export function refusalOf(problem: Problem, message?: string, cause?: unknown): RefusedError {
  return new (classes[problem.code] ?? RefusedError)(problem, message, cause);
}

/**
 * Converts an error thrown in a call. Errors of a stopped server, and programming errors, are not problems of the API: both stay unchanged.
 *
 * @param place the target of the call, for the message
 */
export function thrownAs(error: unknown, place: string): unknown {
  const problem = error instanceof StoppedError ? undefined : problemOf(error);
  if (problem === undefined) return error;
  const message = problem.code === 'not_found' && problem.index === undefined ? `${place} does not exist.` : undefined;
  return refusalOf(problem, message, error === problem ? undefined : error);
}

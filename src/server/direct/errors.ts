/**
 * What a call without HTTP may be refused with: the refusals of the API, as errors of a class each. Their `code` and `status` are those that
 * a client is answered with, so that a host may hand them on.
 */
import { type Problem, type ProblemCode, problemOf } from '../../http/problem.ts';
import { StoppedError } from '../../lib/errors.ts';
import type { Fault } from '../../lib/fault.ts';
import { withoutEncodedKeys } from '../../lib/secrets.ts';

/** A refusal; nothing was changed, unless its class says otherwise. Of most kinds there is a class below. */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError';
  /** A stable word: `not_found`, `validation_failed`. */
  readonly code: ProblemCode;
  /** As of the answer over HTTP. */
  readonly status: number;
  /** What is wrong with the body, or stands against the change, each with a JSON Pointer. */
  readonly errors: readonly Fault[];
  /** Of a batch: the operation that it is about. */
  readonly index: number | undefined;
  /** After how many seconds the same call may succeed; `undefined` where waiting does not help. */
  readonly retryAfterS: number | undefined;

  constructor(problem: Problem, message = problem.detail, cause?: unknown) {
    super(withoutEncodedKeys(message), cause === undefined ? undefined : { cause });
    const { code, status, errors = [], index, headers } = problem;
    const { 'Retry-After': retryAfter } = headers;
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.index = index;
    this.retryAfterS = retryAfter === undefined ? undefined : Number(retryAfter);
  }
}

/** What was given is not what it must be: `errors` says where (400). */
export class ValidationError extends RefusedError {
  override readonly name = 'ValidationError';
}

/** There is no such account, project or member (404). */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError';
}

/** Something stands against it as things are: `errors` says what (409). */
export class ConflictError extends RefusedError {
  override readonly name = 'ConflictError';
}

/** It is not in the version that `ifMatch` names (412). */
export class PreconditionFailedError extends RefusedError {
  override readonly name = 'PreconditionFailedError';
}

/** The account may not hold as much as it would then (403). */
export class QuotaExceededError extends RefusedError {
  override readonly name = 'QuotaExceededError';
}

/** The disk does not answer (503). What was asked for may still become durable: the message says whether it may. */
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

/** @param message in place of the problem's own words */
export function refusalOf(problem: Problem, message?: string, cause?: unknown): RefusedError {
  return new (classes[problem.code] ?? RefusedError)(problem, message, cause);
}

/**
 * What a call rejects with, of what was thrown in it. A server that has stopped refuses nothing, it is at its end, and a fault of a program
 * is no refusal either: both stay what they are.
 *
 * @param place what was asked for, in words
 */
export function thrownAs(error: unknown, place: string): unknown {
  const problem = error instanceof StoppedError ? undefined : problemOf(error);
  if (problem === undefined) return error;
  const message = problem.code === 'not_found' && problem.index === undefined ? `There is nothing at ${place}.` : undefined;
  return refusalOf(problem, message, error === problem ? undefined : error);
}

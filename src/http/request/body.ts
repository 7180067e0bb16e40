/**
 * Request bodies: one JSON object, without content coding, in UTF-8, of bounded length. A body that the headers already disqualify is
 * refused before a byte is read. `receive.ts` reads the bytes.
 */

import { runToEnd } from '../../lib/async/run-to-end.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { type JsonOptions, type ParsedJson, parseJson, parsingJson } from '../../lib/json/json.ts';
import { mebibyte } from '../../lib/option-declaration.ts';
import { type Problem, problems } from '../problem.ts';
import type { HttpRequest } from '../transport/transport.ts';

/** The client disconnected before its request was complete: no response is possible. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** The JSON object of a body, with the errors found in it. */
export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>;
  readonly fieldErrors: readonly FieldError[];
}

const mediaTypes = { json: /^application\/json[ \t]*(;|$)/i, patch: /^application\/merge-patch\+json[ \t]*(;|$)/i };
const charset = /;[ \t]*charset=("[^"]*"|[^;\s]*)/gi;

interface AcceptedBody {
  /** The command-line option that limits its length. */
  readonly flag?: string;
  readonly isJson?: boolean;
  /** The endpoint also takes a JSON Merge Patch. */
  readonly isPatch?: boolean;
}

/** Checks a body by its headers alone: 415 for its type, 413 for its declared length; `undefined` if it is acceptable. */
export function refusedByHeaders(
  req: HttpRequest,
  bytesMax: number,
  { flag, isJson = true, isPatch = false }: AcceptedBody = {},
): Problem | undefined {
  const { headers } = req;
  const type = headers['content-type'];
  if (isJson && type !== undefined && type !== 'application/json' && !isJsonType(type, isPatch)) {
    const orPatch = isPatch ? ', or as "application/merge-patch+json"' : '';
    return problems.unsupportedMediaType(
      `The body must be JSON in UTF-8, sent as "Content-Type: application/json"${orPatch}.`,
      isPatch ? 'application/json, application/merge-patch+json' : 'application/json',
    );
  }
  return declaredLength(req) > bytesMax ? tooLarge(bytesMax, flag) : undefined;
}

/** The value of `Content-Length`, in bytes; 0 without one. Node has already refused values that are not numbers. */
export function declaredLength(req: HttpRequest): number {
  const length = req.headers['content-length'];
  return length === undefined ? 0 : Number(length);
}

/** Bodies of more bytes are large: they are parsed in slices, and each account has one of them at a time. */
export const largeBodyBytes = 64 * 1024;

/** Called before a large body is parsed; throws if memory is short. */
export type AdmitBody = Required<JsonOptions>['admit'];

/** Parses the JSON object of a body. Throws a 400 problem if it is not one. */
export function parseJsonBody(bytes: Buffer, admit?: AdmitBody): JsonBody {
  return bytes.length > largeBodyBytes ? runToEnd(parsingBody(bytes, admit)) : bodyOf(bytes, parseJson(bytes));
}

/** Like {@link parseJsonBody}, in slices. */
export function* parsingBody(bytes: Buffer, admit?: AdmitBody): Generator<void, JsonBody> {
  return bodyOf(bytes, yield* parsingJson(bytes, admit && { admit }));
}

function bodyOf(bytes: Buffer, parsed: ParsedJson): JsonBody {
  if (bytes.length === 0) throw problems.badRequest('The body is empty: send a JSON object, at least "{}".');
  if (parsed.failure !== undefined)
    throw parsed.tooLarge ? problems.payloadTooLarge(parsed.failure) : problems.badRequest(parsed.failure);
  const { value, fieldErrors } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw problems.validationFailed([{ pointer: '', detail: 'must be a JSON object' }]);
  }
  return { value: value as Record<string, unknown>, fieldErrors };
}

/** The type of a JSON Merge Patch (RFC 7396). */
export const isPatchType = (type: string | undefined): boolean => type !== undefined && mediaTypes.patch.test(type);

function isJsonType(type: string, isPatch: boolean): boolean {
  if (!mediaTypes.json.test(type) && !(isPatch && isPatchType(type))) return false;
  for (const [, value = ''] of type.matchAll(charset)) {
    const name = value.replaceAll('"', '').toLowerCase();
    if (name !== 'utf-8' && name !== 'utf8') return false;
  }
  return true;
}

/** @param flag the command-line option that sets the limit */
export function tooLarge(bytesMax: number, flag = '--body-mb'): Problem {
  return problems.payloadTooLarge(`The body is larger than ${sizeOf(bytesMax)}, which is the limit of this request (${flag}).`);
}

const sizeOf = (bytes: number): string => (bytes > 0 && bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`);

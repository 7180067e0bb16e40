/**
 * Request bodies: one JSON object, as itself (no content coding), in UTF-8, of bounded length. What can be refused by the headers is
 * refused before a byte is read. How the bytes come in is the business of `receive.ts`.
 */
import type { IncomingMessage } from 'node:http';
import { runToEnd } from '../../lib/async/run-to-end.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { type JsonOptions, type ParsedJson, parseJson, parsingJson } from '../../lib/json/json.ts';
import { type Problem, problems } from '../problem.ts';

/** The client went away before its request was complete: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** A body that is a JSON object, with what is wrong inside it. */
export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly FieldError[];
}

const mediaType = /^application\/json[ \t]*(;|$)/i;
const charset = /;[ \t]*charset=("[^"]*"|[^;\s]*)/gi;

/** What the headers alone say against a body: 415 for what it is, 413 for how long it claims to be. */
export function refusedByHeaders(req: IncomingMessage, bytesMax: number, flag?: string): Problem | undefined {
  const { headers } = req;
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJsonType(type)) {
    return problems.unsupportedMediaType('The body must be JSON in UTF-8, sent as "Content-Type: application/json".', {
      Accept: 'application/json',
    });
  }
  if (headers['content-encoding'] !== undefined) {
    return problems.unsupportedMediaType('The body must be sent as it is, without a Content-Encoding.', {
      'Accept-Encoding': 'identity',
    });
  }
  return declaredLength(req) > bytesMax ? tooLarge(bytesMax, flag) : undefined;
}

/** The bytes that `Content-Length` announces; 0 without one. Node has refused what is not a number. */
export function declaredLength(req: IncomingMessage): number {
  const length = req.headers['content-length'];
  return length === undefined ? 0 : Number(length);
}

/** Bytes beyond which a body is large: it is parsed in slices, and an account has one of them at a time. */
export const largeBodyBytes = 64 * 1024;

/** Asked, before a large body is parsed, whether there is memory for it; throws when there is none. */
export type AdmitBody = Required<JsonOptions>['admit'];

/** Reads the object that the bytes of a body spell. Throws a 400 problem when they spell none. */
export function parseBody(bytes: Buffer, admit?: AdmitBody): JsonBody {
  return bytes.length > largeBodyBytes ? runToEnd(parsingBody(bytes, admit)) : bodyOf(bytes, parseJson(bytes));
}

/** As {@link parseBody}, in slices. */
export function* parsingBody(bytes: Buffer, admit?: AdmitBody): Generator<void, JsonBody> {
  return bodyOf(bytes, yield* parsingJson(bytes, admit && { admit }));
}

function bodyOf(bytes: Buffer, parsed: ParsedJson): JsonBody {
  if (bytes.length === 0) throw problems.badRequest('The body is empty: a JSON object is needed, "{}" at the least.');
  if (parsed.failure !== undefined)
    throw parsed.tooLarge ? problems.payloadTooLarge(parsed.failure) : problems.badRequest(parsed.failure);
  const { value, faults } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw problems.validationFailed([{ pointer: '', detail: 'must be a JSON object' }]);
  }
  return { value: value as Record<string, unknown>, faults };
}

function isJsonType(type: string): boolean {
  if (!mediaType.test(type)) return false;
  for (const [, value = ''] of type.matchAll(charset)) {
    const name = value.replaceAll('"', '').toLowerCase();
    if (name !== 'utf-8' && name !== 'utf8') return false;
  }
  return true;
}

/** @param flag that sets the limit */
export function tooLarge(bytesMax: number, flag = '--body-mb'): Problem {
  return problems.payloadTooLarge(`The body is larger than ${bytesMax} bytes, which is the limit of this request (${flag}).`);
}

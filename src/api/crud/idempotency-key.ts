/**
 * `Idempotency-Key` (IETF draft, httpapi): a retried POST whose outcome the client does not know is executed once. For a day, the same key
 * with the same request gets the stored response, marked as replayed. Refusals are not stored, because they change nothing.
 */
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { IdempotentRequest } from '../../engine/command.ts';
import { Problem, problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { LoggedResponse } from '../../store/idempotency-store.ts';
import { type Api, pathBelow, type Request } from '../declaration.ts';
import { etagWritten } from './etag.ts';
import { prefersMinimal, replyMinimal } from './preference.ts';

/** Maximum length of a key, in characters. */
const keyLengthMax = 255;

/** A key as a string of RFC 8941, or without its quotation marks, which is what most clients send. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const bare = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Executes a POST, or replays its stored response.
 *
 * @param carryOut executes the request; receives `undefined` for a request without a key, which is executed each time
 * @param content replaces the body in the digest, if the body was read in another way
 */
export function respondOnce(
  api: Api,
  request: Request,
  carryOut: (once: IdempotentRequest | undefined) => Promise<Reply>,
  content?: string,
): Promise<Reply> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return carryOut(undefined);
  return respondWithKey(api, request, { key: keyIn(String(header)), digest: digestOf(api, request, content) }, carryOut);
}

/** A handler of a POST that supports `Idempotency-Key`. */
export function repeatable(carryOut: (api: Api, request: Request, once: IdempotentRequest | undefined) => Promise<Reply>) {
  return (api: Api, request: Request): Promise<Reply> => respondOnce(api, request, (once) => carryOut(api, request, once));
}

async function respondWithKey(
  api: Api,
  request: Request,
  once: IdempotentRequest,
  carryOut: (once: IdempotentRequest) => Promise<Reply>,
): Promise<Reply> {
  const repeated = await api.engine.idempotency.run(request.scope.accountId, once, () => carryOut(once));
  switch (repeated.outcome) {
    case 'first':
      return repeated.result;
    case 'again':
      return again(api, request, repeated.response);
    case 'other':
      throw problems.unprocessable(
        'This Idempotency-Key was used for another request in the last 24 hours: nothing was done. Use a new key for a new request.',
      );
    case 'in flight':
      throw new Problem('conflict', 'The first request with this Idempotency-Key is still in progress: retry later.', {
        retryAfterS: 1,
      });
  }
}

function keyIn(header: string): string {
  const key = quoted.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? (bare.test(header) ? header : '');
  if (key === '' || key.length > keyLengthMax) {
    throw problems.badHeader(
      'Idempotency-Key',
      `The header Idempotency-Key must be 1 to ${keyLengthMax} printable ASCII characters, best a UUID, with or without quotation marks.`,
    );
  }
  return key;
}

/** Identifies a request: its path, its query, and its parsed body. */
function digestOf(api: Api, request: Request, content = JSON.stringify(request.body)): string {
  return createHash('sha256')
    .update(`${pathBelow(api, request)}\n${new URLSearchParams(request.query)}\n`)
    .update(content)
    .digest('base64url');
}

function again(api: Api, request: Request, { status, body, lsn, version = lsn }: LoggedResponse): Reply {
  const replayed = { 'Idempotency-Replayed': 'true' };
  const etag = etagWritten(api, request, version);
  if (!prefersMinimal(request)) return { kind: 'stream', status, etag, headers: replayed, stream: inflated(body) };
  const reply = replyMinimal(api, request, etag, idIn(body));
  return { ...reply, headers: { ...reply.headers, ...replayed } };
}

/** The identifier with which the JSON of a resource begins; `undefined` for other JSON. */
function idIn(body: readonly Uint8Array[]): string | undefined {
  for (const piece of inflated(body)) return /^\{"id":"([\w-]+)"/.exec(piece.toString('latin1', 0, 64))?.[1];
  return undefined;
}

function* inflated(body: readonly Uint8Array[]): Generator<Buffer, void> {
  for (const piece of body) yield inflateRawSync(piece);
}

/** Stored responses: the response to the first request with an `Idempotency-Key`, for its retries. */
import { stored } from './stored.ts';
import type { Row } from './value.ts';

/** How long a stored response is kept, in milliseconds. */
export const responseLifetimeMs = 24 * 60 * 60 * 1000;

export interface StoredResponse {
  readonly key: string;
  /** SHA-256 of the request, in base64url: a different request must not get this response. */
  readonly digest: string;
  /** When it was made: Unix time in milliseconds. */
  readonly time: number;
  readonly status: number;
  /** Its JSON, in pieces that are deflated separately (RFC 1951). */
  readonly body: readonly Uint8Array[];
  /** LSN of the version in the response, if nothing was changed and it is not its record's. */
  readonly version?: number;
}

/** Estimated memory of a stored response besides its bytes. */
const overheadBytes = 300;
const pieceOverheadBytes = 100;

/** Estimated memory of a stored response, in bytes. */
export function weighResponse({ key, body }: StoredResponse): number {
  return body.reduce((bytes, piece) => bytes + piece.byteLength + pieceOverheadBytes, overheadBytes + 2 * key.length);
}

export function responseRow({ key, digest, time, status, body, version }: StoredResponse): Row {
  return [key, digest, time, status, body, ...(version === undefined ? [] : [version])];
}

export function responseFromRow(item: unknown): StoredResponse {
  const [key, digest, time, status, body, version] = stored.list(item, 'a stored response');
  return {
    key: stored.text(key, 'the key of a stored response'),
    digest: stored.text(digest, 'the digest of a stored response'),
    time: stored.number(time, 'the time of a stored response'),
    status: stored.count(status, 'the status of a stored response', 999),
    body: stored.list(body, 'the body of a stored response').map((piece) => stored.bytes(piece, 'a piece of a stored response')),
    ...(version === undefined
      ? {}
      : { version: stored.count(version, 'the version of a stored response', Number.MAX_SAFE_INTEGER) }),
  };
}

/** A stored response: the response to the first request with an `Idempotency-Key`, which later requests with the key get. */
import { stored } from './stored.ts';
import type { Row } from './value.ts';

/** How long the same key gets the same answer, in milliseconds. */
export const responseLifetimeMs = 24 * 60 * 60 * 1000;

export interface StoredResponse {
  readonly key: string;
  /** SHA-256 of what was asked, in base64url: another request must not get this answer. */
  readonly digest: string;
  /** When it was given: milliseconds since 1970, UTC. */
  readonly time: number;
  readonly status: number;
  /** The JSON of it, in pieces that are deflated one by one (RFC 1951). */
  readonly body: readonly Uint8Array[];
  /** The version that it showed, an LSN, where that is not its record's: nothing was changed. */
  readonly version?: number;
}

/** What an answer takes in memory beside its bytes. */
const overheadBytes = 300;
const pieceOverheadBytes = 100;

/** What an answer takes in memory, about. */
export function weighResponse({ key, body }: StoredResponse): number {
  return body.reduce((bytes, piece) => bytes + piece.byteLength + pieceOverheadBytes, overheadBytes + 2 * key.length);
}

export function responseRow({ key, digest, time, status, body, version }: StoredResponse): Row {
  return [key, digest, time, status, body, ...(version === undefined ? [] : [version])];
}

export function responseFromRow(item: unknown): StoredResponse {
  const [key, digest, time, status, body, version] = stored.list(item, 'an answer');
  return {
    key: stored.text(key, 'the key of an answer'),
    digest: stored.text(digest, 'the digest of an answer'),
    time: stored.number(time, 'the time of an answer'),
    status: stored.count(status, 'the status of an answer', 999),
    body: stored.list(body, 'the body of an answer').map((piece) => stored.bytes(piece, 'a piece of an answer')),
    ...(version === undefined ? {} : { version: stored.count(version, 'the version of an answer', Number.MAX_SAFE_INTEGER) }),
  };
}

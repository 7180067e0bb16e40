/**
 * Idempotency: a request with an `Idempotency-Key` is executed once, however often it is sent. {@link Idempotency.run} wraps the request.
 * The response to the first one goes into the log with the change that it shows, in the same record. So it is sent again whatever
 * happened in between, a crash included.
 */
import { deflateRawSync } from 'node:zlib';
import { ResponsesFullError, ResponseTooLargeError } from '../../lib/errors.ts';
import { type StoredResponse, weighResponse } from '../../model/stored-response.ts';
import type { Journal } from '../../storage/wal/journal.ts';
import type { LoggedResponse } from '../../store/idempotency-store.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { State } from '../../store/state.ts';
import type { Context, IdempotentRequest } from '../command.ts';

/** The result of a request with an `Idempotency-Key`. */
type Repeated<T> =
  | { readonly outcome: 'first'; readonly result: T }
  | { readonly outcome: 'again'; readonly response: LoggedResponse }
  /** The key was used for another request. */
  | { readonly outcome: 'other' }
  /** The first request has no response yet. */
  | { readonly outcome: 'in flight' };

/** Milliseconds between two removals of expired responses. */
const removeEveryMs = 60_000;

export class Idempotency {
  readonly #state: State;
  readonly #journal: Journal;
  readonly #writer: { refuseWhenFailed(): void };
  readonly #clock: () => number;
  /** Requests without a response yet: account and key. */
  readonly #inFlight = new Set<string>();
  /** When expired responses were last removed, in milliseconds since 1970. */
  #removedAt = 0;

  /** @param clock milliseconds since 1970 */
  constructor(state: State, journal: Journal, writer: { refuseWhenFailed(): void }, clock: () => number) {
    this.#state = state;
    this.#journal = journal;
    this.#writer = writer;
    this.#clock = clock;
  }

  /**
   * Executes a request, unless its key is in use or has a response. The first request's commands must have `remember` set.
   *
   * @param execute resolves when everything is durable
   */
  async run<T>(accountId: string, { key, digest }: IdempotentRequest, execute: () => Promise<T>): Promise<Repeated<T>> {
    this.#writer.refuseWhenFailed();
    const now = this.#clock();
    this.#removeExpired(now);
    const name = `${accountId}/${key}`;
    if (this.#inFlight.has(name)) return { outcome: 'in flight' };
    const response = this.#state.accounts.get(accountId)?.storedResponses.find(key, now);
    if (response !== undefined) {
      await this.#journal.durable(response.lsn);
      return response.digest === digest ? { outcome: 'again', response } : { outcome: 'other' };
    }
    this.#inFlight.add(name);
    try {
      return { outcome: 'first', result: await execute() };
    } finally {
      this.#inFlight.delete(name);
    }
  }

  /** Removes expired responses, also those of accounts that send no more requests. */
  #removeExpired(now: number): void {
    if (Math.abs(now - this.#removedAt) < removeEveryMs) return;
    this.#removedAt = now;
    for (const { storedResponses: responses } of this.#state.accounts.values()) responses.removeExpired(now);
  }
}

/** Bytes of JSON that are deflated in one piece. */
const pieceBytes = 64 * 1024;
/** The longest response that is stored, in bytes of JSON. */
const jsonBytesMax = 64 * 1024 * 1024;

/**
 * The change that stores a response. Throws {@link ResponsesFullError} and {@link ResponseTooLargeError}.
 *
 * @param version that the response shows, if the record changes nothing else
 */
export function* responseChange(
  state: State,
  accountId: string,
  { key, digest }: IdempotentRequest,
  json: Iterable<string | Buffer>,
  { now, responsesBytesMax }: Context,
  version?: number,
): Generator<void, Change> {
  const body = yield* deflated(json);
  const response: StoredResponse = { key, digest, time: now, status: 200, body, ...(version === undefined ? {} : { version }) };
  const waitMs = state.accounts.get(accountId)?.storedResponses.waitMs(weighResponse(response), responsesBytesMax, now) ?? 0;
  if (waitMs > 0) throw new ResponsesFullError(Math.ceil(waitMs / 1000));
  return { op: 'put-response', accountId, response };
}

function* deflated(json: Iterable<string | Buffer>): Generator<void, Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  const end = (): void => {
    pieces.push(deflateRawSync(Buffer.concat(waiting), { level: 1 }));
    waiting = [];
    waitingBytes = 0;
  };
  for (const part of json) {
    const buffer = Buffer.from(part);
    for (let at = 0; at < buffer.byteLength; at += pieceBytes) {
      const piece = buffer.subarray(at, at + pieceBytes);
      waiting.push(piece);
      waitingBytes += piece.byteLength;
      bytes += piece.byteLength;
      if (waitingBytes < pieceBytes) continue;
      end();
      if (bytes > jsonBytesMax)
        throw new ResponseTooLargeError(`the response is longer than ${jsonBytesMax} bytes, the most that is stored`);
      yield;
    }
  }
  if (waiting.length > 0) end();
  return pieces;
}

/**
 * What a listener's fallback gets: a request that matches no endpoint and passed the framing checks, and the parts of the listener that
 * count bodies and waiting output. The fallback writes the response itself; a node that forwards requests uses it.
 */
import type { Limits } from './guard/http-limits.ts';
import type { ProgressTimer } from './guard/progress-timer.ts';
import type { OutputBuffers } from './response/output-buffers.ts';
import type { HttpRequest, HttpResponse } from './transport/transport.ts';

export interface FallbackExchange {
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  /** The `Expect` header; the listener has refused unknown values. */
  readonly expectation: 'nothing' | 'continue' | 'unknown';
  /** The id that the client sent, or a new one. */
  readonly requestId: string;
  readonly headOnly: boolean;
  /** Whether the connection closes after this response. */
  readonly close: boolean;
  /** Whether the response is sent, or the client has disconnected. */
  readonly over: boolean;
  /** Whether an unread body remains that is too long, or of unknown length, to be read only to keep the connection. */
  readonly leavesBodyOpen: boolean;
  readonly context: {
    readonly limits: Limits;
    readonly outputBuffers: OutputBuffers;
    /** Fails bodies that stall. */
    readonly bodyWatch: ProgressTimer;
  };
  /** Counts the body for this account from now on. Throws a problem if the account has too many requests. */
  countFor(accountId: string): void;
  /** Prepares for reading the body; sends `100 Continue` if the client waits for it. */
  expectBody(): void;
  /** Counts `more` bytes of the body as held, until {@link beginReply}. Throws a problem if they exceed a limit. */
  holdBody(more: number): void;
  /** The whole body has arrived. */
  bodyReceived(bytes: undefined): void;
  /** Must be called before the first byte of the response. Afterwards {@link close} is final. */
  beginReply(): void;
  /** Counts the exchange as an open stream instead of a request in flight. Throws a problem if too many are open. */
  becomeStream(status: number): void;
  /** Sends the problem for a thrown value; breaks the response off if a part of it was sent. Never throws. */
  fail(error: unknown): void;
}

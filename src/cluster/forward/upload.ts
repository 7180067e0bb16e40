/**
 * A request whose body is not kept: it is too long, or its client waits for `100 Continue`. The owner gets the head with
 * `Expect: 100-continue`, and the body only after it agreed. undici refuses that header, so this uses `node:http`. Each upload has its own
 * connection, so no byte is written to a connection that the owner is just closing.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { FallbackExchange } from '../../http/fallback.ts';
import { pauseBody, pipeBody, resumeBody } from '../../http/request/receive.ts';
import type { BodySink } from '../../http/transport/incoming.ts';
import { type Transitions, transition } from '../../lib/invariant.ts';

/** Receives the outcome of one attempt. Either `response` or `failed` is called, once. */
export interface UploadEvents {
  response(response: IncomingMessage): void;
  /** @param untouched whether the owner cannot have done anything: no byte of the body was sent */
  failed(error: Error, untouched: boolean): void;
}

/** Milliseconds for a TCP connection. */
const connectMs = 1500;

type BodyState =
  /** The client sends nothing yet: it waits for `100 Continue`. */
  | 'unread'
  /** Its beginning was read; the rest waits for an owner that agrees. */
  | 'held'
  /** It ended before an owner agreed. */
  | 'whole'
  | 'sending'
  | 'sent'
  /** The client left. */
  | 'aborted';

type BodyEvent = 'read' | 'send' | 'end' | 'abort';

// biome-ignore format: a table
export const bodyTransitions: Transitions<BodyState, BodyEvent> = {
  unread:  { read: 'held', send: 'sending' },
  held:    { send: 'sending', end: 'whole', abort: 'aborted' },
  whole:   { send: 'sent', abort: 'whole' },
  sending: { end: 'sent', abort: 'aborted' },
  sent:    { abort: 'sent' },
  aborted: { send: 'aborted', end: 'aborted', abort: 'aborted' },
};

/** The body of the client. It is read when the owner agreed, or at most into a small buffer before. */
export class UploadBody implements BodySink {
  readonly #exchange: FallbackExchange;
  #early: Buffer[] = [];
  #out: ClientRequest | undefined;
  #state: BodyState = 'unread';

  /** @param begun the part of the body that was already read; `undefined` if none was */
  constructor(exchange: FallbackExchange, begun: Buffer | undefined) {
    this.#exchange = exchange;
    if (begun === undefined) return;
    this.#early.push(begun);
    this.#on('read');
    pipeBody(exchange.req, this);
    pauseBody(exchange.req);
  }

  /** Whether a byte of it was sent to an owner: then it cannot be sent again. */
  get isStarted(): boolean {
    return this.#out !== undefined;
  }

  sendTo(out: ClientRequest): void {
    const { req } = this.#exchange;
    const state = this.#state;
    this.#on('send');
    this.#out = out;
    if (state === 'aborted') return void out.destroy();
    out.on('drain', () => resumeBody(req));
    for (const piece of this.#early.splice(0)) out.write(piece);
    if (state === 'whole') out.end();
    else if (state === 'held') resumeBody(req);
    else {
      this.#exchange.expectBody();
      pipeBody(req, this);
    }
  }

  onData(piece: Buffer): void {
    if (this.#out === undefined) {
      this.#early.push(piece);
      pauseBody(this.#exchange.req);
    } else if (!this.#out.destroyed && !this.#out.write(piece)) pauseBody(this.#exchange.req);
  }

  end(): void {
    this.#on('end');
    if (this.#state === 'aborted') return;
    this.#exchange.bodyReceived(undefined);
    this.#out?.end();
  }

  onAbort(): void {
    this.#on('abort');
    if (this.#state === 'aborted') this.#out?.destroy();
  }

  #on(event: BodyEvent): void {
    this.#state = transition(bodyTransitions, this.#state, event);
  }
}

/**
 * Sends the head, and the body when the owner agrees. Returns a function that breaks the attempt off.
 *
 * @param uploads holds the request until its connection is closed
 */
export function upload(
  url: URL,
  head: { readonly method: string; readonly path: string; readonly headers: string[] },
  body: UploadBody,
  events: UploadEvents,
  uploads: Set<ClientRequest>,
): () => void {
  let isOver = false;
  const out = request({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : url.port,
    method: head.method,
    path: head.path,
    headers: [...head.headers, 'Expect', '100-continue'],
    agent: false,
  });
  const failed = (error: Error): void => {
    clearTimeout(timer);
    if (isOver) return;
    isOver = true;
    events.failed(error, !body.isStarted);
  };
  const timer = setTimeout(() => out.destroy(new Error(`no connection within ${connectMs} ms`)), connectMs);
  out.on('socket', (socket) => socket.once('connect', () => clearTimeout(timer)));
  out.on('continue', () => {
    if (!isOver) body.sendTo(out);
  });
  out.on('response', (response) => {
    if (isOver) return;
    isOver = true;
    events.response(response);
  });
  out.on('error', failed);
  uploads.add(out);
  out.on('close', () => {
    uploads.delete(out);
    failed(new Error('the connection closed without a response'));
  });
  return () => out.destroy();
}

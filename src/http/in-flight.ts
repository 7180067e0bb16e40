/**
 * A request from its first byte until its response is sent or its client has disconnected: its phase, and what it holds meanwhile. It
 * holds a place among the requests of its account or an event stream, bytes of its body, and a turn among the large bodies.
 *
 *     deciding -> reading -> deciding -> answering -> over       a client may disconnect, and an error may be the reply, in each of them
 */
import { performance } from 'node:perf_hooks';
import { hasRequestSubscribers, type RequestMessage } from '../lib/observability/diagnostics.ts';
import { type TraceContext, traceContextOf } from '../lib/observability/trace-context.ts';
import type { HttpContext } from './context.ts';
import type { AccountLoad } from './guard/admission.ts';
import type { RouteStats } from './http-metrics.ts';
import { ClientGoneError, declaredLength } from './request/body.ts';
import type { BodySlot } from './request/body-queue.ts';
import { isResponded } from './response/outgoing.ts';
import type { HttpRequest, HttpResponse } from './transport/transport.ts';

/** The `Expect` header of the request; `unknown` for a value that no server supports. */
export type Expectation = 'nothing' | 'continue' | 'unknown';

/** The connection of a request. Each request calls it once when it ends. */
export interface RequestOwner {
  /** The response is an event stream, which stays open: the request is no longer in flight. */
  onStream(): void;
  /** The response is sent, or the client has disconnected. */
  onOver(wasStream: boolean): void;
}

/** Property of a response that refers to its request, so that all responses share one listener function. */
const ofResponse = Symbol('request');

interface Owned {
  [ofResponse]?: { end(): void };
}

function endRequest(this: Owned): void {
  this[ofResponse]?.end();
}

export class InFlight<Principal> {
  readonly context: HttpContext<Principal>;
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  readonly expectation: Expectation;
  readonly requestId: string;
  readonly trace: TraceContext | undefined;
  /** For subscribers of the diagnostics channels; `undefined` when there are none. */
  readonly message: RequestMessage | undefined;
  routeStats: RouteStats;
  principal: Principal | undefined = undefined;
  account: AccountLoad | undefined = undefined;
  /** Whether the whole body has arrived. */
  bodyRead = false;
  /** The position of its body in the queue of large bodies of its account. */
  bodySlot: BodySlot | undefined = undefined;
  /** Whether the handler, or the parser of a large body, is running, even if the client has disconnected. */
  working = false;

  readonly #owner: RequestOwner;
  #phase: 'deciding' | 'reading' | 'answering' | 'over' = 'deciding';
  #lastOfConnection: boolean;
  readonly #startedMs = performance.now();
  /** The body until it is parsed. */
  #bytes: Buffer | undefined = undefined;
  /** Bytes of the body that count as held. */
  #heldBytes = 0;
  #isStream = false;
  /** The account of an event stream. */
  #streamer: AccountLoad | undefined = undefined;

  /** @param isLast whether the connection ends with this response */
  constructor(
    context: HttpContext<Principal>,
    owner: RequestOwner,
    req: HttpRequest,
    res: HttpResponse,
    expectation: Expectation,
    isLast: boolean,
  ) {
    this.context = context;
    this.#owner = owner;
    this.req = req;
    this.res = res;
    this.expectation = expectation;
    this.#lastOfConnection = isLast;
    this.requestId = context.nameRequest(req.headers['x-request-id']);
    const { traceparent } = req.headers;
    this.trace = traceparent === undefined ? undefined : traceContextOf(traceparent, req.headers['tracestate']);
    this.message = hasRequestSubscribers() ? context.observer.begin(this.requestId, req, this.trace) : undefined;
    this.routeStats = context.metrics.other;
    (res as Owned)[ofResponse] = this;
    res.on('close', endRequest);
    // A pipelined request of a foreign server has no socket yet. If its turn never comes, its response never closes either.
    if (res.socket === null) {
      const end = (): void => this.end();
      req.socket?.once('close', end);
      res.once('close', () => req.socket?.off('close', end));
    }
  }

  // Phase

  /** Whether the body is still arriving: an error in it also ends the request. */
  get reading(): boolean {
    return this.#phase === 'reading' && !this.req.complete;
  }

  get over(): boolean {
    return this.#phase === 'over';
  }

  /** Whether the response was sent before the whole request arrived: bytes that arrive now belong to this request. */
  get respondedEarly(): boolean {
    return this.#phase === 'over' && !this.req.complete;
  }

  /** Whether the response is an event stream: no later request of the connection gets a response. */
  get isStream(): boolean {
    return this.#isStream;
  }

  get port(): number | undefined {
    return this.req.socket?.localPort;
  }

  get localAddress(): string | undefined {
    return this.req.socket?.localAddress;
  }

  get address(): string {
    return this.context.addresses.of(this.req);
  }

  get headOnly(): boolean {
    return this.req.method === 'HEAD';
  }

  /** Whether the connection closes after this response. */
  get close(): boolean {
    return this.#lastOfConnection || this.context.draining;
  }

  /** Closes the connection after the response. */
  closeAfterReply(): void {
    this.#lastOfConnection = true;
  }

  /** The response has begun: no other one replaces it. */
  answering(): void {
    if (this.#phase !== 'over') this.#phase = 'answering';
  }

  // The body

  /** Prepares for reading the body. */
  expectBody(): void {
    // Without `100 Continue`, Node closes the connection after the response: the client may or may not send its body.
    if (this.expectation === 'continue') this.res.writeContinue();
    this.#phase = 'reading';
  }

  /** The whole body has arrived; `bytes` is `undefined` if the endpoint has read it. */
  bodyReceived(bytes: Buffer | undefined): void {
    this.#bytes = bytes;
    this.bodyRead = true;
    if (this.#phase === 'reading') this.#phase = 'deciding';
  }

  /** Hands over the unparsed body; `undefined` if the request has none. */
  takeBytes(): Buffer | undefined {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    return bytes;
  }

  /** Whether an unread body remains that is too long, or of unknown length, to be read only to keep the connection. */
  get leavesBodyOpen(): boolean {
    if (this.bodyRead) return false;
    const { headers } = this.req;
    if (headers['transfer-encoding'] !== undefined) return true;
    return headers['content-length'] !== undefined && declaredLength(this.req) > this.context.limits.bodyBytesMax;
  }

  // What is counted

  /** Counts the request for this account, as the step `admit` does. Throws a problem if it has too many. */
  countFor(accountId: string): void {
    this.account = this.context.admission.begin(accountId);
  }

  /** Counts `more` bytes of the body as held, until the response. Throws a problem if they exceed a limit. */
  holdBody(more: number): void {
    if (this.over) throw new ClientGoneError('the client disconnected before its request was complete');
    this.context.admission.hold(this.account, more, this.#heldBytes);
    this.#heldBytes += more;
  }

  /** Sets the number of bytes held for the body, which may also decrease. Throws a problem if they exceed a limit. */
  holdBodyInAll(bytes: number): void {
    const more = bytes - this.#heldBytes;
    if (more > 0) this.holdBody(more);
    else {
      this.context.admission.release(this.account, -more);
      this.#heldBytes = bytes;
    }
  }

  /** Releases the counted bytes, at the response: until then, the values parsed from them may wait for a lock. */
  releaseBody(): void {
    if (this.#heldBytes === 0) return;
    this.context.admission.release(this.account, this.#heldBytes);
    this.#heldBytes = 0;
  }

  /** Counts as an event stream instead of a request in flight. Throws a problem if too many are open. */
  becomeStream(status: number): void {
    this.context.admission.beginStream(this.account);
    this.#isStream = true;
    this.#streamer = this.account;
    this.#lastOfConnection = true;
    this.#releaseSlot();
    this.routeStats.ended(status, (performance.now() - this.#startedMs) / 1000);
    this.#owner.onStream();
  }

  // The end

  /** Ends the request: the response is sent, or the client has disconnected. */
  end(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    if (!this.working) {
      this.#releaseSlot();
      this.#leaveTurn();
    }
    const { observer, admission } = this.context;
    const durationMs = performance.now() - this.#startedMs;
    if (this.#isStream) admission.endStream(this.#streamer);
    else this.routeStats.ended(isResponded(this.res) ? this.res.statusCode : 0, durationMs / 1000);
    if (observer.logs || this.message !== undefined) observer.end(this.message, this, this.routeStats.route, durationMs);
    this.#owner.onOver(this.#isStream);
  }

  /** The handler, or the parser of a large body, has finished. Until then, a disconnected client keeps its slot. */
  workDone(): void {
    this.working = false;
    this.#leaveTurn();
    if (this.#phase === 'over') this.#releaseSlot();
  }

  #leaveTurn(): void {
    this.bodySlot?.leave();
    this.bodySlot = undefined;
  }

  #releaseSlot(): void {
    this.releaseBody();
    if (this.account !== undefined) this.context.admission.end(this.account);
    this.account = undefined;
  }
}

/**
 * One request and its response: the state that the steps collect, the reply, and the cleanup. `pipeline.ts` lists the steps in their
 * order. This file turns any exception of a step into a response.
 */
import { performance } from 'node:perf_hooks';
import { hasRequestSubscribers, type RequestMessage } from '../lib/observability/diagnostics.ts';
import { type TraceContext, traceContextOf, traceField } from '../lib/observability/trace-context.ts';
import type { HttpContext } from './context.ts';
import type { FallbackExchange } from './fallback.ts';
import type { AccountLoad } from './guard/admission.ts';
import type { RouteStats } from './http-metrics.ts';
import { type Problem, problemOf, problems } from './problem.ts';
import { ClientGoneError, declaredLength } from './request/body.ts';
import type { BodySlot } from './request/body-queue.ts';
import type { QueryValues } from './request/query.ts';
import { discard } from './request/receive.ts';
import { isResponded } from './response/outgoing.ts';
import { discardReply, type Reply, type Sending, send, sendUnended, type TextReply } from './response/reply.ts';
import type { ApiRequest, BodyPieces, Caller, Endpoint } from './route.ts';
import type { Match } from './router.ts';
import type { HttpRequest, HttpResponse, Identity } from './transport.ts';

/** The `Expect` header of the request; `unknown` for a value that no server supports. */
export type Expectation = 'nothing' | 'continue' | 'unknown';

/** `stop`: the step has replied, or continues later with {@link Exchange.proceed}. */
export type Flow = 'next' | 'stop';

/** One step of a request. Throws to refuse it. */
export type Step = <Principal>(exchange: Exchange<Principal>) => Flow;

/** The connection of an exchange. Each exchange calls it once when it ends. */
export interface RequestOwner {
  /** The response is an event stream, which stays open: the request is no longer in flight. */
  onStream(): void;
  /** The response is sent, or the client has disconnected. */
  onOver(wasStream: boolean): void;
}

export const noBody: ApiRequest<unknown>['body'] = Object.freeze({});
export const noFieldErrors: ApiRequest<unknown>['fieldErrors'] = Object.freeze([]);

/** Property of a response that refers to its exchange, so that all responses share one listener function. */
const ofResponse = Symbol('exchange');

interface Owned {
  [ofResponse]?: { end(): void };
}

function endExchange(this: Owned): void {
  this[ofResponse]?.end();
}

export class Exchange<Principal> implements Sending, Caller, FallbackExchange {
  readonly context: HttpContext<Principal>;
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  readonly expectation: Expectation;
  readonly requestId: string;
  readonly trace: TraceContext | undefined;
  /** For subscribers of the diagnostics channels; `undefined` when there are none. */
  readonly message: RequestMessage | undefined;
  extraHeaders = '';

  // Results of the steps, in their order.
  /** Set by the step `matchRoute`: no later step runs without it. */
  route!: Match<Principal>;
  endpoint: Endpoint<Principal, unknown> | undefined = undefined;
  routeStats: RouteStats;
  principal: Principal | undefined = undefined;
  account: AccountLoad | undefined = undefined;
  scope: unknown = undefined;
  query: QueryValues | undefined = undefined;
  body = noBody;
  fieldErrors = noFieldErrors;
  pieces: BodyPieces | undefined = undefined;
  /** Whether the whole body has arrived. */
  bodyRead = false;
  /** The position of its body in the queue of large bodies of its account. */
  bodySlot: BodySlot | undefined = undefined;
  /** Whether the handler, or the parser of a large body, is running, even if the client has disconnected. */
  working = false;

  readonly #owner: RequestOwner;
  readonly #steps: readonly Step[];
  readonly #identity: Identity<Principal> | undefined;
  #step = 0;
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

  /**
   * @param isLast whether the connection ends with this response
   * @param identity of the client, for a request of this process; by default its key in the headers
   */
  constructor(
    context: HttpContext<Principal>,
    steps: readonly Step[],
    owner: RequestOwner,
    req: HttpRequest,
    res: HttpResponse,
    expectation: Expectation,
    isLast: boolean,
    identity?: Identity<Principal>,
  ) {
    this.context = context;
    this.#steps = steps;
    this.#owner = owner;
    this.req = req;
    this.res = res;
    this.expectation = expectation;
    this.#lastOfConnection = isLast;
    this.#identity = identity;
    this.requestId = context.nameRequest(req.headers['x-request-id']);
    const { traceparent } = req.headers;
    this.trace = traceparent === undefined ? undefined : traceContextOf(traceparent, req.headers['tracestate']);
    if (this.trace !== undefined) this.extraHeaders = traceField(this.trace);
    this.message = hasRequestSubscribers() ? context.observer.begin(this.requestId, req, this.trace) : undefined;
    this.routeStats = context.metrics.other;
    (res as Owned)[ofResponse] = this;
    res.on('close', endExchange);
    // A pipelined request of a foreign server has no socket yet. If its turn never comes, its response never closes either.
    if (res.socket === null) {
      const end = (): void => this.end();
      req.socket?.once('close', end);
      res.once('close', () => req.socket?.off('close', end));
    }
  }

  /** Runs the remaining steps until one waits or replies. Never throws. */
  proceed(): void {
    try {
      while (this.#step < this.#steps.length) {
        const step = this.#steps[this.#step++] as Step;
        if (step(this) === 'stop') return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  // State

  /** Whether the body is still arriving: an error in it also ends the exchange. */
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

  /** Whether the request needs no key. */
  get isPublic(): boolean {
    return this.endpoint === undefined ? this.route.table.public : this.endpoint.public === true;
  }

  get address(): string {
    return this.context.addresses.of(this.req);
  }

  get headOnly(): boolean {
    return this.req.method === 'HEAD';
  }

  get close(): boolean {
    return this.#lastOfConnection || this.context.draining;
  }

  get contentKey(): string | undefined {
    const { method } = this.req;
    return method === 'GET' || method === 'HEAD' ? contentKey(this) : undefined;
  }

  /** The client: by its key, or as the caller in this process named it. Throws a 401 problem. */
  identify(): Principal {
    return this.#identity === undefined ? this.context.authenticator.principalOf(this.req, this) : this.#identity.principal();
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

  // The reply

  /** Closes the connection after the response. */
  closeAfterReply(): void {
    this.#lastOfConnection = true;
  }

  /** The fallback writes the response itself. */
  beginReply(): void {
    if (this.leavesBodyOpen) this.#lastOfConnection = true;
    this.#releaseBody();
    if (this.#phase !== 'over') this.#phase = 'answering';
  }

  /** Replies with the result of the handler's promise. */
  replyLater(promise: Promise<Reply>): void {
    this.working = true;
    promise.then(
      (reply) => {
        this.workDone();
        this.reply(reply);
      },
      (error: unknown) => {
        this.workDone();
        this.fail(error);
      },
    );
  }

  /** Sends a reply, once this process may answer. Never throws. */
  reply(reply: Reply): void {
    const gate = this.#gate();
    if (gate === undefined) this.#reply(reply);
    else {
      gate.then(
        () => this.#reply(reply),
        (error: unknown) => {
          discardReply(reply);
          this.#refuseNow(problemOf(error) ?? problems.internalError());
        },
      );
    }
  }

  /** Whether a response to a request with a key may be sent; see {@link ListenerOptions.responseGate}. */
  #gate(): Promise<void> | undefined {
    return this.principal === undefined ? undefined : this.context.options.responseGate?.();
  }

  #rejectionGate(): Promise<void> | undefined {
    return this.#identity === undefined ? this.context.options.rejectionGate?.() : this.#identity.rejectionGate();
  }

  #reply(reply: Reply): void {
    try {
      if (this.leavesBodyOpen) this.#lastOfConnection = true;
      this.#releaseBody();
      if (reply.kind === 'events' && !this.headOnly && !this.res.destroyed) this.becomeStream(reply.status);
      send(this.res, reply, this);
      // Only now: making the first piece of a stream may throw, and the error then becomes the response.
      if (this.#phase !== 'over') this.#phase = 'answering';
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends the problem for a thrown value. Never throws. */
  fail(error: unknown): void {
    if (error instanceof ClientGoneError) return;
    const problem = problemOf(error);
    if (problem === undefined) this.context.observer.internalError(this.message, this, error, 'a request failed');
    // A 401 shows that a key is not valid, so its revocation must be durable first.
    const gate = problem?.code === 'unauthorized' ? this.#rejectionGate() : this.#gate();
    if (gate === undefined) this.#refuseNow(problem ?? problems.internalError());
    else {
      gate.then(
        () => this.#refuseNow(problem ?? problems.internalError()),
        (failure: unknown) => this.#refuseNow(problemOf(failure) ?? problems.internalError()),
      );
    }
  }

  #refuseNow(problem: Problem): void {
    try {
      if (isResponded(this.res)) this.res.destroy();
      else this.#refuse(problem);
    } catch (broken) {
      // The headers of the problem are invalid: a bug, which the log shows.
      this.onBroken(broken);
      this.res.destroy();
    }
  }

  onBroken(error: unknown): void {
    this.context.observer.internalError(this.message, this, error, 'a response broke off');
  }

  onUnsent(error: unknown): void {
    this.fail(error);
  }

  #refuse(problem: Problem): void {
    if (this.#phase === 'over' || this.res.destroyed) return;
    this.#phase = 'answering';
    this.#releaseBody();
    this.context.metrics.refused(problem);
    const reply: TextReply = {
      kind: 'text',
      status: problem.status,
      text: problem.document(this.requestId),
      contentType: 'application/problem+json',
      headers: problem.headers,
    };
    // After a body timeout, the next bytes may belong to the body or to the next request: they cannot be distinguished.
    if (this.req.socket === undefined || (!this.leavesBodyOpen && problem.code !== 'request_timeout')) {
      send(this.res, reply, this);
      return;
    }
    // Closing a connection with unread bytes resets it, and the reset may overtake the response. So all bytes of the response are sent
    // without its end, incoming bytes are discarded for a while, and then the connection is closed.
    this.#lastOfConnection = true;
    sendUnended(this.res, reply, this);
    discard(this.req, this.context.limits.lingerMs, () => this.res.end());
  }

  /** Whether an unread body remains that is too long, or of unknown length, to be read only to keep the connection. */
  get leavesBodyOpen(): boolean {
    if (this.bodyRead) return false;
    const { headers } = this.req;
    if (headers['transfer-encoding'] !== undefined) return true;
    return headers['content-length'] !== undefined && declaredLength(this.req) > this.context.limits.bodyBytesMax;
  }

  /** Counts the exchange as an event stream instead of a request in flight. Throws a problem if too many are open. */
  becomeStream(status: number): void {
    this.context.admission.beginStream(this.account);
    this.#isStream = true;
    this.#streamer = this.account;
    this.#lastOfConnection = true;
    this.#releaseSlot();
    this.routeStats.ended(status, (performance.now() - this.#startedMs) / 1000);
    this.#owner.onStream();
  }

  // Cleanup

  /** Ends the exchange: the response is sent, or the client has disconnected. */
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
    this.#releaseBody();
    if (this.account !== undefined) this.context.admission.end(this.account);
    this.account = undefined;
  }

  /** Releases the counted bytes, at the response: until then, the values parsed from them may wait for a lock. */
  #releaseBody(): void {
    if (this.#heldBytes === 0) return;
    this.context.admission.release(this.account, this.#heldBytes);
    this.#heldBytes = 0;
  }
}

/**
 * The content that a GET requests, in a canonical form: the spelling of path, query and key makes no difference. `undefined` if the key
 * is unknown. No part contains a space.
 */
function contentKey<Principal>({ endpoint, route, query, principal, context }: Exchange<Principal>): string | undefined {
  if (endpoint === undefined || query === undefined) return undefined;
  const keyId = endpoint.public === true ? '' : context.options.keyIdOf?.(principal as Principal);
  if (keyId === undefined) return undefined;
  const names = Object.values(route.params).map(encodeURIComponent).join('/');
  const values = new URLSearchParams(query);
  values.sort();
  return `${keyId} ${route.table.path} ${names} ${values}`;
}

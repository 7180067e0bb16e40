/**
 * One request and its answer: what is known of the request, the reply, and the cleanup. The order of the steps that work on it is in
 * `pipeline.ts`; whatever a step throws becomes an answer here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { hasRequestSubscribers, type RequestMessage } from '../lib/observability/diagnostics.ts';
import { type TraceContext, traceContextOf, traceField } from '../lib/observability/trace-context.ts';
import type { HttpContext } from './context.ts';
import type { AccountLoad } from './guard/admission.ts';
import type { RouteStats } from './http-metrics.ts';
import { type Problem, problemOf, problems } from './problem.ts';
import { ClientGoneError, declaredLength } from './request/body.ts';
import type { BodyTurn } from './request/body-turns.ts';
import type { QueryValues } from './request/query.ts';
import { discard } from './request/receive.ts';
import { isAnswered } from './response/outgoing.ts';
import { type Reply, type Sending, send, sendUnended, type TextReply } from './response/reply.ts';
import type { ApiRequest, BodyPieces, Caller, Endpoint } from './route.ts';
import type { Match } from './router.ts';

/** What the client expects before it sends its body (`Expect`); `unknown`: something that no server gives. */
export type Expectation = 'nothing' | 'continue' | 'unknown';

/** `stop`: the step has answered, or goes on later with {@link Exchange.proceed}. */
export type Flow = 'next' | 'stop';

/** One step of a request. Refuses by throwing. */
export type Step = <Principal>(exchange: Exchange<Principal>) => Flow;

/** Is called as a request ends, once for each: by the bookkeeping of its connection. */
export interface RequestOwner {
  /** The answer is a stream of events, which goes on: the request is not in flight any more. */
  onStream(): void;
  /** The answer is out, or the client is gone. */
  onOver(wasStream: boolean): void;
}

export const noBody: ApiRequest<unknown>['body'] = Object.freeze({});
export const noFaults: ApiRequest<unknown>['faults'] = Object.freeze([]);

/** The exchange of a response, as a property of it: one listener function then serves all responses. */
const ofResponse = Symbol('exchange');

interface Response extends ServerResponse {
  [ofResponse]?: { end(): void };
}

function endExchange(this: Response): void {
  this[ofResponse]?.end();
}

export class Exchange<Principal> implements Sending, Caller {
  readonly context: HttpContext<Principal>;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly expectation: Expectation;
  readonly requestId: string;
  readonly trace: TraceContext | undefined;
  /** For subscribers of the diagnostics channels; `undefined` when there are none. */
  readonly message: RequestMessage | undefined;
  extraHeaders = '';

  // What the steps find out, in their order.
  /** Set by the step `matchRoute`: no later step runs without it. */
  route!: Match<Principal>;
  endpoint: Endpoint<Principal, unknown> | undefined = undefined;
  tally: RouteStats;
  principal: Principal | undefined = undefined;
  account: AccountLoad | undefined = undefined;
  scope: unknown = undefined;
  query: QueryValues | undefined = undefined;
  body = noBody;
  faults = noFaults;
  pieces: BodyPieces | undefined = undefined;
  /** All of the body is in. */
  bodyRead = false;
  /** The place of its body among the large bodies of its account. */
  turn: BodyTurn | undefined = undefined;
  /** The handler, or the parser of a large body, is at work, whether the client is still there or not. */
  working = false;

  readonly #owner: RequestOwner;
  readonly #steps: readonly Step[];
  #step = 0;
  #phase: 'deciding' | 'reading' | 'answering' | 'over' = 'deciding';
  #lastOfConnection: boolean;
  readonly #startedMs = performance.now();
  /** The body until it is parsed. */
  #bytes: Buffer | undefined = undefined;
  /** Bytes of the body that are counted as held. */
  #heldBytes = 0;
  #isStream = false;
  /** The account whose stream it is. */
  #streamer: AccountLoad | undefined = undefined;

  /** @param isLast whether the connection ends with this answer */
  constructor(
    context: HttpContext<Principal>,
    steps: readonly Step[],
    owner: RequestOwner,
    req: IncomingMessage,
    res: ServerResponse,
    expectation: Expectation,
    isLast: boolean,
  ) {
    this.context = context;
    this.#steps = steps;
    this.#owner = owner;
    this.req = req;
    this.res = res;
    this.expectation = expectation;
    this.#lastOfConnection = isLast;
    this.requestId = context.nameRequest(req.headers['x-request-id']);
    const { traceparent } = req.headers;
    this.trace = traceparent === undefined ? undefined : traceContextOf(traceparent, req.headers['tracestate']);
    if (this.trace !== undefined) this.extraHeaders = traceField(this.trace);
    this.message = hasRequestSubscribers() ? context.observer.begin(this.requestId, req, this.trace) : undefined;
    this.tally = context.traffic.other;
    (res as Response)[ofResponse] = this;
    res.on('close', endExchange);
    // It waits for a response of another program on the connection: one that never gets its turn does not close either.
    if (res.socket === null) {
      const end = (): void => this.end();
      req.socket.once('close', end);
      res.once('close', () => req.socket.off('close', end));
    }
  }

  /** Runs the steps that are left, up to one that waits or answers. Never throws. */
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

  /** The body is still arriving: an error in it also ends the exchange. */
  get reading(): boolean {
    return this.#phase === 'reading' && !this.req.complete;
  }

  get over(): boolean {
    return this.#phase === 'over';
  }

  /** The answer is out before all of the request was in: bytes that arrive now belong to the answered request. */
  get answeredEarly(): boolean {
    return this.#phase === 'over' && !this.req.complete;
  }

  /** Its answer is a stream of events: no request behind it on its connection is ever answered. */
  get isStream(): boolean {
    return this.#isStream;
  }

  /** Whether the path answers without a key. */
  get isPublic(): boolean {
    return this.route.table.public;
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

  // The body

  /** The body is about to be read. */
  expectBody(): void {
    // Node ends the connection of a client that was answered without being told to continue: it may or may not send its body.
    if (this.expectation === 'continue') this.res.writeContinue();
    this.#phase = 'reading';
  }

  /** All of the body is in; `bytes` is `undefined` where the endpoint has read them. */
  bodyReceived(bytes: Buffer | undefined): void {
    this.#bytes = bytes;
    this.bodyRead = true;
    if (this.#phase === 'reading') this.#phase = 'deciding';
  }

  /** The body that waits to be parsed, which is then the caller's alone; `undefined` where there is none. */
  takeBytes(): Buffer | undefined {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    return bytes;
  }

  /** Counts so many more bytes of the body as held, until the answer. Throws a problem when there is no room for them. */
  holdBody(more: number): void {
    if (this.over) throw new ClientGoneError('the client went away before its request was complete');
    this.context.admission.hold(this.account, more, this.#heldBytes);
    this.#heldBytes += more;
  }

  /** The same, with the bytes that are held in all, which may also become fewer. */
  holdBodyInAll(bytes: number): void {
    const more = bytes - this.#heldBytes;
    if (more > 0) this.holdBody(more);
    else {
      this.context.admission.release(this.account, -more);
      this.#heldBytes = bytes;
    }
  }

  // The reply

  /** The connection ends with the answer. */
  closeAfterReply(): void {
    this.#lastOfConnection = true;
  }

  /** Answers with what the handler promises. */
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

  /** Never throws. */
  reply(reply: Reply): void {
    try {
      if (this.#leavesBodyOpen()) this.#lastOfConnection = true;
      this.#releaseBody();
      if ('events' in reply && !this.headOnly && !this.res.destroyed) this.#becomeStream(reply.status);
      send(this.res, reply, this);
      // Only now: making the first piece of a stream may have thrown, and that is then answered.
      if (this.#phase !== 'over') this.#phase = 'answering';
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers with whatever was thrown. Never throws. */
  fail(error: unknown): void {
    if (error instanceof ClientGoneError) return;
    const problem = problemOf(error);
    if (problem === undefined) this.context.observer.fault(this.message, this, error, 'a request failed');
    try {
      if (isAnswered(this.res)) this.res.destroy();
      else this.#refuse(problem ?? problems.internalError());
    } catch (broken) {
      // The headers of the problem cannot be sent: a mistake in the program, which the log shows.
      this.onBroken(broken);
      this.res.destroy();
    }
  }

  /** Never rejects. */
  async refuseUnauthorized(): Promise<void> {
    try {
      // The answer says that a key is no longer valid, so a crash must not undo that.
      await this.context.options.rejectionGate?.();
      this.#refuse(problems.unauthorized());
    } catch (error) {
      this.fail(error);
    }
  }

  onBroken(error: unknown): void {
    this.context.observer.fault(this.message, this, error, 'an answer broke off');
  }

  onUnsent(error: unknown): void {
    this.fail(error);
  }

  #refuse(problem: Problem): void {
    if (this.#phase === 'over' || this.res.destroyed) return;
    this.#phase = 'answering';
    this.#releaseBody();
    this.context.traffic.refused(problem);
    const reply: TextReply = {
      status: problem.status,
      text: problem.document(this.requestId),
      contentType: 'application/problem+json',
      headers: problem.headers,
    };
    // After a body that did not arrive in time, the rest of it may still come, or the next request: they cannot be told apart.
    if (!this.#leavesBodyOpen() && problem.code !== 'request_timeout') {
      send(this.res, reply, this);
      return;
    }
    // Closing a connection with unread bytes resets it, and the reset may overtake the answer. So the answer is sent whole but not
    // ended, the bytes are discarded for a moment, and then the connection closes.
    this.#lastOfConnection = true;
    sendUnended(this.res, reply, this);
    discard(this.req, this.context.limits.lingerMs, () => this.res.end());
  }

  /** Whether an unread body is left that is too long, or of unknown length, to be read only to keep the connection. */
  #leavesBodyOpen(): boolean {
    if (this.bodyRead) return false;
    const { headers } = this.req;
    if (headers['transfer-encoding'] !== undefined) return true;
    return headers['content-length'] !== undefined && declaredLength(this.req) > this.context.limits.bodyBytesMax;
  }

  /** From now on it counts as a stream of events, and not as a request in flight. Throws a problem where there are too many. */
  #becomeStream(status: number): void {
    this.context.admission.beginStream(this.account);
    this.#isStream = true;
    this.#streamer = this.account;
    this.#lastOfConnection = true;
    this.#releaseSlot();
    this.tally.ended(status, (performance.now() - this.#startedMs) / 1000);
    this.#owner.onStream();
  }

  // Cleanup

  /** The answer is out, or its client gone. */
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
    else this.tally.ended(isAnswered(this.res) ? this.res.statusCode : 0, durationMs / 1000);
    if (observer.logs || this.message !== undefined) observer.end(this.message, this, this.tally.route, durationMs);
    this.#owner.onOver(this.#isStream);
  }

  /** The handler, or the parser of a large body, is done. A client that hangs up does not get room for its next request before that. */
  workDone(): void {
    this.working = false;
    this.#leaveTurn();
    if (this.#phase === 'over') this.#releaseSlot();
  }

  #leaveTurn(): void {
    this.turn?.leave();
    this.turn = undefined;
  }

  #releaseSlot(): void {
    this.#releaseBody();
    if (this.account !== undefined) this.context.admission.end(this.account);
    this.account = undefined;
  }

  /** The bytes count until the answer: what was parsed from them may wait for a lock until then. */
  #releaseBody(): void {
    if (this.#heldBytes === 0) return;
    this.context.admission.release(this.account, this.#heldBytes);
    this.#heldBytes = 0;
  }
}

/**
 * Names the content that a GET asks for, in one way however the request spells its path, its query and its key; `undefined` when the key
 * is not known. No part has a space in it.
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

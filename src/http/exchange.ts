/**
 * One request and its answer: the order in which everything is asked, and the one place where whatever goes wrong becomes an answer.
 *
 * form of the request -> path (404) -> a browser's preflight (204) -> may this server answer now (503) -> who asks (401) -> may they ask
 * so often, and has the account room for it (429) -> method (405) -> may this key do that (403) -> query (400) -> body (415, 413, 429, 503,
 * 408, 400) -> who asks, once more, where a body was waited for (401) -> the endpoint.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type RequestMessage, requestsAreHeard } from '../lib/diagnostics.ts';
import { inSlices, nextSlice } from '../lib/slices.ts';
import { type TraceContext, traceContextOf, traceField } from '../lib/trace-context.ts';
import {
  ClientGoneError,
  declaredLength,
  type JsonBody,
  largeBodyBytes,
  parseBody,
  parsingBody,
  refusedByHeaders,
} from './body.ts';
import { BodyStream, streamedFlag } from './body-stream.ts';
import type { BodyTurn } from './body-turns.ts';
import type { ApiRequest, BodyPieces, Caller, Endpoint, PrivateEndpoint } from './endpoint.ts';
import { type Asked, contentKey, type ExchangeContext, type Expectation } from './exchange-context.ts';
import { malformed } from './framing.ts';
import type { AccountLoad } from './load.ts';
import { isAnswered } from './outgoing.ts';
import { type Problem, problemOf, problems } from './problem.ts';
import { queryOf } from './query.ts';
import { discard, ignoreChunks, receive } from './receive.ts';
import { type Reply, type Sending, type SendingContext, send, sendUnended, type TextReply } from './reply.ts';
import type { Tally } from './traffic.ts';

const noBody: ApiRequest<unknown>['body'] = Object.freeze({});
const noFaults: ApiRequest<unknown>['faults'] = Object.freeze([]);
const leftOut = { value: noBody, faults: noFaults };

/** The exchange of a response is noted on it: one listener then serves all. */
const ofResponse = Symbol('exchange');

interface Response extends ServerResponse {
  [ofResponse]?: { end(): void };
}

function endExchange(this: Response): void {
  this[ofResponse]?.end();
}

export class Exchange<Principal> implements Sending, Caller {
  readonly requestId: string;
  readonly #context: ExchangeContext<Principal>;
  readonly #req: IncomingMessage;
  readonly res: ServerResponse;
  readonly trace: TraceContext | undefined;
  principal: Principal | undefined;
  callerFields = '';
  /** What whoever traces is told; `undefined` when nobody listens. */
  readonly #message: RequestMessage | undefined;
  #state: 'deciding' | 'reading' | 'answering' | 'over' = 'deciding';
  /** The client waits for "100 Continue" before it sends its body. */
  #expectant = false;
  #bodyRead = false;
  #lastOfConnection: boolean;
  readonly #startedMs = performance.now();
  #tally: Tally;
  #asked: Asked<Principal> | undefined;
  #account: AccountLoad | undefined;
  /** Bytes of the body that are held. */
  #bodyBytes = 0;
  #isStream = false;
  /** Whose stream it is. */
  #streamer: AccountLoad | undefined;
  /** Its place among the large bodies of its account. */
  #turn: BodyTurn | undefined;
  /** The endpoint has not answered yet, whether there is still somebody to answer or not. */
  #working = false;

  /** @param isLast whether the connection ends with this answer */
  constructor(context: ExchangeContext<Principal>, req: IncomingMessage, res: ServerResponse, isLast: boolean) {
    this.#lastOfConnection = isLast;
    this.#context = context;
    this.#req = req;
    this.res = res;
    this.requestId = context.nameRequest(req.headers['x-request-id']);
    const { traceparent } = req.headers;
    this.trace = traceparent === undefined ? undefined : traceContextOf(traceparent, req.headers['tracestate']);
    if (this.trace !== undefined) this.callerFields = traceField(this.trace);
    this.#message = requestsAreHeard() ? context.observer.begin(this.requestId, req, this.trace) : undefined;
    this.#tally = context.traffic.other;
    (res as Response)[ofResponse] = this;
    res.on('close', endExchange);
    // It waits behind an answer that is not one of ours; a response that never gets its turn does not close either.
    if (res.socket === null) {
      const end = (): void => this.end();
      req.socket.once('close', end);
      res.once('close', () => req.socket.off('close', end));
    }
  }

  /** The body is still coming: what ends its coming also ends the exchange. */
  get reading(): boolean {
    return this.#state === 'reading' && !this.#req.complete;
  }

  get over(): boolean {
    return this.#state === 'over';
  }

  /** Its answer is out, but not all of the request was in: what comes now belongs to it, and has been answered. */
  get answeredEarly(): boolean {
    return this.#state === 'over' && !this.#req.complete;
  }

  get address(): string {
    return this.#context.addresses.of(this.#req);
  }

  get headOnly(): boolean {
    return this.#req.method === 'HEAD';
  }

  get contentKey(): string | undefined {
    const { method } = this.#req;
    if (this.#asked === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined;
    return contentKey(this.#asked, (principal) => this.#context.keyIdOf(principal));
  }

  get context(): SendingContext {
    return this.#context;
  }

  /** Its answer is a stream of events: nothing behind it on its connection is ever answered. */
  get isStream(): boolean {
    return this.#isStream;
  }

  get close(): boolean {
    return this.#lastOfConnection || this.#context.draining;
  }

  /** Answers the request. Never throws. */
  run(expectation: Expectation): void {
    try {
      this.#expectant = expectation === 'continue';
      const refusal =
        malformed(this.#req, this.#context.limits) ?? (expectation === 'unknown' ? problems.expectationFailed() : undefined);
      if (refusal === undefined) this.#route();
      else {
        this.#lastOfConnection = true;
        this.#refuse(refusal);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  onBroken(error: unknown): void {
    this.#context.observer.fault(this.#message, this, error, 'an answer broke off');
  }

  onUnsent(error: unknown): void {
    this.#fail(error);
  }

  #route(): void {
    const match = this.#context.router.find(this.#req.url ?? '');
    if (match === undefined) throw problems.unknownPath();
    const preflight = this.#context.cors?.preflight(this.#req, match.table.allow);
    if (preflight !== undefined) {
      this.#answer(preflight);
      return;
    }
    const endpoint = match.table.endpoints.get(this.#req.method ?? '');
    if (endpoint !== undefined) this.#tally = this.#context.traffic.at(endpoint);
    if (!match.table.public) {
      const unavailable = this.#context.unavailable?.();
      if (unavailable !== undefined) throw unavailable;
      this.principal = this.#context.accounts.principalOf(this.#req, this);
      if (this.principal === undefined) {
        void this.#unauthorized();
        return;
      }
      this.#account = this.#context.countIn(this.principal, this);
    }
    if (endpoint === undefined) throw problems.methodNotAllowed(match.table.allow);
    if (endpoint.public !== true) {
      const forbidden = endpoint.forbids?.(this.principal as Principal, match.params, this);
      if (forbidden !== undefined) throw forbidden;
    }
    // The router keeps endpoints with and without a key apart: a principal is missing only where none is asked for.
    const principal = this.principal as Principal;
    const { table, params } = match;
    const asked = { endpoint, path: table.path, params, query: queryOf(endpoint, match.query), principal };
    this.#asked = asked;
    if (endpoint.acceptsBody === true) this.#receive(asked);
    else if (endpoint.streamsBody === true) this.#stream(asked);
    else {
      if (this.#req.headers['transfer-encoding'] !== undefined) ignoreChunks(this.#req);
      this.#handle(asked, noBody, noFaults);
    }
  }

  async #unauthorized(): Promise<void> {
    try {
      // The answer tells that a key is no longer valid, so that must not be taken back by a crash.
      await this.#context.rejectionGate?.();
      this.#refuse(problems.unauthorized());
    } catch (error) {
      this.#fail(error);
    }
  }

  #receive(asked: Asked<Principal>): void {
    const { load, bodies, limits } = this.#context;
    const { bodyBytesMax } = limits;
    const refusal = refusedByHeaders(this.#req, bodyBytesMax);
    if (refusal !== undefined) throw refusal;
    const bytesExpected = declaredLength(this.#req);
    // Better now than when most of it is there. Nothing is reserved: who announces much and sends little takes no room from others.
    load.check(this.#account, bytesExpected);
    // Node ends the connection of a client that was answered without being told to continue: it may or may not send its body.
    if (this.#expectant) this.res.writeContinue();
    this.#state = 'reading';
    receive(this.#req, {
      bytesMax: bodyBytesMax,
      bytesExpected,
      watch: bodies,
      hold: (more) => {
        if (this.#state === 'over') throw new ClientGoneError('the client went away before its request was complete');
        load.hold(this.#account, more, this.#bodyBytes);
        this.#bodyBytes += more;
      },
      received: (bytes) => this.#received(bytes, asked),
      failed: (error) => this.#fail(error),
    });
  }

  /** The endpoint gets the body while it comes. */
  #stream(asked: Asked<Principal>): void {
    const { bodies, limits } = this.#context;
    const refusal = refusedByHeaders(this.#req, limits.streamedBytesMax, streamedFlag);
    if (refusal !== undefined) throw refusal;
    if (this.#expectant) this.res.writeContinue();
    this.#state = 'reading';
    const pieces = new BodyStream(this.#req, {
      bytesMax: limits.streamedBytesMax,
      watch: bodies,
      holds: (bytes) => this.#holds(bytes),
      complete: () => this.#streamed(asked.endpoint),
    });
    this.#handle(asked, noBody, noFaults, pieces);
  }

  #holds(bytes: number): void {
    const more = bytes - this.#bodyBytes;
    if (more > 0) {
      if (this.#state === 'over') throw new ClientGoneError('the client went away before its request was complete');
      this.#context.load.hold(this.#account, more, this.#bodyBytes);
    } else this.#context.load.release(this.#account, -more);
    this.#bodyBytes = bytes;
  }

  async #streamed(endpoint: Endpoint<Principal>): Promise<void> {
    this.#bodyRead = true;
    if (this.#state === 'reading') this.#state = 'deciding';
    if (endpoint.public === true || this.#context.accounts.principalOf(this.#req, this) !== undefined) return;
    await this.#context.rejectionGate?.();
    throw problems.unauthorized();
  }

  /** Never throws. */
  #received(bytes: Buffer, asked: Asked<Principal>): void {
    const { endpoint } = asked;
    try {
      this.#bodyRead = true;
      this.#state = 'deciding';
      // A body may take a minute to arrive, and the key may expire or be revoked meanwhile.
      if (endpoint.public !== true && this.#context.accounts.principalOf(this.#req, this) === undefined) {
        void this.#unauthorized();
        return;
      }
      const isLeftOut = bytes.length === 0 && endpoint.bodyIsOptional === true;
      if (bytes.length > largeBodyBytes && this.#account !== undefined) {
        this.#turn = this.#context.bodyTurns.enter(this.#account, () => void this.#parseLarge(bytes, asked));
        return;
      }
      this.#parsed(isLeftOut ? leftOut : parseBody(bytes, this.#context.admitBody), asked);
    } catch (error) {
      this.#fail(error);
    }
  }

  #parsed({ value, faults }: JsonBody, asked: Asked<Principal>): void {
    if (faults.length > 0 && asked.endpoint.reportsFaults !== true) throw problems.validationFailed(faults);
    this.#handle(asked, value, faults);
  }

  /** Its turn has come. Never throws. */
  async #parseLarge(bytes: Buffer, asked: Asked<Principal>): Promise<void> {
    this.#working = true;
    try {
      await nextSlice();
      const parsed = await inSlices(parsingBody(bytes, this.#context.admitBody));
      // A client that went away meanwhile has changed nothing, and gets no answer.
      if (this.#state === 'over') throw new ClientGoneError('the client went away before its request was carried out');
      // What is made of it is work for more than a slice, too.
      await nextSlice();
      this.#working = false;
      this.#parsed(parsed, asked);
    } catch (error) {
      this.#working = false;
      if (this.#state === 'over') this.#giveBack();
      this.#fail(error);
    }
    // Where the endpoint is at work still, the turn is over when that is done.
    if (!this.#working) this.#leaveTurn();
  }

  #leaveTurn(): void {
    this.#turn?.leave();
    this.#turn = undefined;
  }

  #handle(
    { endpoint, params, query, principal }: Asked<Principal>,
    body: ApiRequest<Principal>['body'],
    faults: ApiRequest<Principal>['faults'],
    pieces?: BodyPieces,
  ): void {
    const { method = '', url = '', headers } = this.#req;
    const { requestId } = this;
    const request = { principal, method, url, params, query, headers, body, faults, pieces, requestId };
    const asks = endpoint as PrivateEndpoint<Principal>;
    const message = this.#message;
    const reply = message === undefined ? asks.handle(request) : this.#context.observer.handle(message, asks, request);
    if (reply instanceof Promise) {
      this.#working = true;
      reply.then(
        (settled) => {
          this.#worked();
          this.#answer(settled);
        },
        (error: unknown) => {
          this.#worked();
          this.#fail(error);
        },
      );
    } else {
      this.#answer(reply);
    }
  }

  /** Never throws. */
  #answer(reply: Reply): void {
    try {
      if (this.#leavesBodyOpen()) this.#lastOfConnection = true;
      this.#letGoOfBody();
      if ('events' in reply && !this.headOnly && !this.res.destroyed) this.#becomeStream(reply.status);
      send(this.res, reply, this);
      // Only now: making the first piece of a stream may have thrown, and that is then answered.
      if (this.#state !== 'over') this.#state = 'answering';
    } catch (error) {
      this.#fail(error);
    }
  }

  /** From now on it counts as a stream of events, and not as a request in flight. Throws a problem where there are too many. */
  #becomeStream(status: number): void {
    this.#context.load.beginStream(this.#account);
    this.#isStream = true;
    this.#streamer = this.#account;
    this.#lastOfConnection = true;
    this.#giveBack();
    this.#tally.ended(status, (performance.now() - this.#startedMs) / 1000);
    this.#context.onStream(this.#req.socket);
  }

  /** Whatever was thrown, as an answer. Never throws. */
  #fail(error: unknown): void {
    if (error instanceof ClientGoneError) return;
    const problem = problemOf(error);
    if (problem === undefined) this.#context.observer.fault(this.#message, this, error, 'a request failed');
    try {
      if (isAnswered(this.res)) this.res.destroy();
      else this.#refuse(problem ?? problems.internalError());
    } catch (broken) {
      // A problem whose headers cannot be sent: whoever made it finds this in the log.
      this.onBroken(broken);
      this.res.destroy();
    }
  }

  #refuse(problem: Problem): void {
    if (this.#state === 'over' || this.res.destroyed) return;
    this.#state = 'answering';
    this.#letGoOfBody();
    this.#context.onRefused(problem);
    const reply: TextReply = {
      status: problem.status,
      text: problem.document(this.requestId),
      contentType: 'application/problem+json',
      headers: problem.headers,
    };
    // What is missing of a body that was given up may still come, or the next request: nobody could tell the one from the other.
    if (!this.#leavesBodyOpen() && problem.code !== 'request_timeout') {
      send(this.res, reply, this);
      return;
    }
    // Closing a connection with unread bytes resets it, and the reset may overtake the answer. So the answer is made complete but
    // not ended, the bytes are thrown away for a moment, and then the connection closes.
    this.#lastOfConnection = true;
    sendUnended(this.res, reply, this);
    discard(this.#req, this.#context.limits.lingerMs, () => this.res.end());
  }

  #worked(): void {
    this.#working = false;
    this.#leaveTurn();
    if (this.#state === 'over') this.#giveBack();
  }

  /** Who hangs up does not get room for the next request by it: what is under way counts until it is done. */
  #giveBack(): void {
    this.#letGoOfBody();
    if (this.#account !== undefined) this.#context.load.end(this.#account);
    this.#account = undefined;
  }

  /** What was made of the body may still wait for its turn: the bytes count until the answer, and so bound how much of that there is. */
  #letGoOfBody(): void {
    if (this.#bodyBytes === 0) return;
    this.#context.load.release(this.#account, this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  /** Whether a body is left that is too long, or of a length nobody knows, to be read just to keep the connection. */
  #leavesBodyOpen(): boolean {
    if (this.#bodyRead) return false;
    if (this.#req.headers['transfer-encoding'] !== undefined) return true;
    return declaredLength(this.#req) > this.#context.limits.bodyBytesMax;
  }

  /** The answer is out, or its client gone. */
  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (!this.#working) {
      this.#giveBack();
      this.#leaveTurn();
    }
    const { observer } = this.#context;
    const durationMs = performance.now() - this.#startedMs;
    if (this.#isStream) this.#context.load.endStream(this.#streamer);
    else this.#tally.ended(isAnswered(this.res) ? this.res.statusCode : 0, durationMs / 1000);
    if (observer.logs || this.#message !== undefined) observer.end(this.#message, this, this.#tally.route, durationMs);
    this.#context.onOver(this.#req.socket, this.#isStream);
  }
}

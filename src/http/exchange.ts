/**
 * One request and its answer: the order in which everything is asked, and the one place where whatever goes wrong becomes an answer.
 *
 * form of the request -> path (404) -> may this server answer now (503) -> who asks (401) -> may they ask so often, and has the account
 * room for it (429) -> method (405) -> may this key do that (403) -> query (400) -> body (415, 413, 429, 503, 408, 400) -> who asks, once
 * more, where a body was waited for (401) -> the endpoint.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Log } from '../lib/log.ts';
import { withoutEncodedKeys } from '../lib/secrets.ts';
import type { Answers } from './answers.ts';
import type { Accounts } from './auth.ts';
import { ClientGoneError, declaredLength, parseBody, refusedByHeaders } from './body.ts';
import type { ApiRequest, Caller, Endpoint, PrivateEndpoint } from './endpoint.ts';
import { type FramingLimits, malformed } from './framing.ts';
import type { AccountLoad, Load } from './load.ts';
import { isAnswered } from './outgoing.ts';
import { type Problem, problemOf, problems } from './problem.ts';
import { parseQuery, type QueryValues } from './query.ts';
import { discard, ignoreChunks, receive } from './receive.ts';
import { type Reply, type Sending, send, sendUnended, type TextReply } from './reply.ts';
import { type Match, pathOf, type Router } from './router.ts';
import type { Tally, Traffic } from './traffic.ts';
import type { Watch } from './watch.ts';

/** What all exchanges of a listener share. */
export interface ExchangeContext<Principal> {
  readonly router: Router<Principal>;
  readonly accounts: Accounts<Principal>;
  readonly traffic: Traffic;
  readonly limits: FramingLimits & {
    readonly bodyBytesMax: number;
    readonly lingerMs: number;
    readonly keepAliveTimeoutMs: number;
  };
  readonly load: Load;
  readonly answers: Answers;
  /** Gives up bodies that stall. */
  readonly bodies: Watch;
  readonly log: Log;
  readonly logRequests: boolean;
  /** Whether connections are to end with their next answer. */
  readonly draining: boolean;
  unavailable?(): Problem | undefined;
  rejectionGate?(): Promise<void> | undefined;
  /** Counts a request, and what is left of its limits; throws a 429. What it returns ends with `load.end`; `undefined` where nobody is counted. */
  countIn(principal: Principal, exchange: { callerFields: string }): AccountLoad | undefined;
  nameRequest(sent: unknown): string;
  /** A request is answered with a refusal. */
  onRefused(problem: Problem): void;
  /** The exchange of a request that came over `socket` is over: its answer is out, or its client gone. */
  onOver(socket: Socket): void;
}

/** What the client expects before it sends its body (`Expect`); `continue`: a word from us; `unknown`: what nobody can give. */
export type Expectation = 'nothing' | 'continue' | 'unknown';

const noBody: ApiRequest<unknown>['body'] = Object.freeze({});
const noQuery: QueryValues = Object.freeze({});
const noFaults: ApiRequest<unknown>['faults'] = Object.freeze([]);

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
  callerFields = '';
  #state: 'deciding' | 'reading' | 'answering' | 'over' = 'deciding';
  /** The client waits for "100 Continue" before it sends its body. */
  #expectant = false;
  #bodyRead = false;
  #lastOfConnection = false;
  readonly #startedMs = performance.now();
  #tally: Tally;
  #account: AccountLoad | undefined;
  /** Bytes of the body that are held. */
  #bodyBytes = 0;
  /** The endpoint has not answered yet, whether there is still somebody to answer or not. */
  #working = false;

  constructor(context: ExchangeContext<Principal>, req: IncomingMessage, res: ServerResponse) {
    this.#context = context;
    this.#req = req;
    this.res = res;
    this.requestId = context.nameRequest(req.headers['x-request-id']);
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
    return this.#req.socket.remoteAddress ?? '';
  }

  get headOnly(): boolean {
    return this.#req.method === 'HEAD';
  }

  get answers(): Answers {
    return this.#context.answers;
  }

  get close(): boolean {
    return this.#lastOfConnection || this.#context.draining;
  }

  get keepAliveMs(): number {
    return this.#context.limits.keepAliveTimeoutMs;
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
    this.#context.log.error({ requestId: this.requestId, err: error }, 'an answer broke off');
  }

  #route(): void {
    const match = this.#context.router.find(this.#req.url ?? '');
    if (match === undefined) throw problems.unknownPath();
    let principal: Principal | undefined;
    if (!match.table.public) {
      const unavailable = this.#context.unavailable?.();
      if (unavailable !== undefined) throw unavailable;
      principal = this.#context.accounts.principalOf(this.#req, this);
      if (principal === undefined) {
        void this.#unauthorized();
        return;
      }
      this.#account = this.#context.countIn(principal, this);
    }
    const endpoint = match.table.endpoints.get(this.#req.method ?? '');
    if (endpoint === undefined) throw problems.methodNotAllowed(match.table.allow);
    this.#tally = this.#context.traffic.at(endpoint);
    if (endpoint.public !== true) {
      const forbidden = endpoint.forbids?.(principal as Principal, match.params, this);
      if (forbidden !== undefined) throw forbidden;
    }
    const query = queryOf(endpoint, match);
    if (endpoint.acceptsBody === true) this.#receive(endpoint, match, query, principal);
    else {
      if (this.#req.headers['transfer-encoding'] !== undefined) ignoreChunks(this.#req);
      this.#handle(endpoint, match, query, principal, noBody, noFaults);
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

  #receive(endpoint: Endpoint<Principal>, match: Match<Principal>, query: QueryValues, principal: Principal | undefined): void {
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
        load.hold(this.#account, more);
        this.#bodyBytes += more;
      },
      received: (bytes) => this.#received(bytes, endpoint, match, query, principal),
      failed: (error) => this.#fail(error),
    });
  }

  /** Never throws. */
  #received(
    bytes: Buffer,
    endpoint: Endpoint<Principal>,
    match: Match<Principal>,
    query: QueryValues,
    principal: Principal | undefined,
  ): void {
    try {
      this.#bodyRead = true;
      this.#state = 'deciding';
      // A body may take a minute to arrive, and the key may expire or be revoked meanwhile.
      if (endpoint.public !== true && this.#context.accounts.principalOf(this.#req, this) === undefined) {
        void this.#unauthorized();
        return;
      }
      const { value, faults } = parseBody(bytes);
      if (faults.length > 0 && endpoint.reportsFaults !== true) throw problems.validationFailed(faults);
      this.#handle(endpoint, match, query, principal, value, faults);
    } catch (error) {
      this.#fail(error);
    }
  }

  #handle(
    endpoint: Endpoint<Principal>,
    match: Match<Principal>,
    query: QueryValues,
    principal: Principal | undefined,
    body: ApiRequest<Principal>['body'],
    faults: ApiRequest<Principal>['faults'],
  ): void {
    const { method = '', url = '', headers } = this.#req;
    const { params } = match;
    // The router keeps endpoints with and without a key apart: here a principal is missing only where none is asked for.
    const request = {
      principal: principal as Principal,
      method,
      url,
      params,
      query,
      headers,
      body,
      faults,
      requestId: this.requestId,
    };
    const reply = (endpoint as PrivateEndpoint<Principal>).handle(request);
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
      send(this.res, reply, this);
      // Only now: making the first piece of a stream may have thrown, and that is then answered.
      if (this.#state !== 'over') this.#state = 'answering';
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Whatever was thrown, as an answer. Never throws. */
  #fail(error: unknown): void {
    if (error instanceof ClientGoneError) return;
    const problem = problemOf(error);
    if (problem === undefined) this.#context.log.error({ requestId: this.requestId, err: error }, 'a request failed');
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
    if (!this.#working) this.#giveBack();
    const { log, logRequests } = this.#context;
    const durationMs = performance.now() - this.#startedMs;
    this.#tally.ended(isAnswered(this.res) ? this.res.statusCode : 0, durationMs / 1000);
    if (logRequests) {
      const { method, url = '' } = this.#req;
      const fields = {
        requestId: this.requestId,
        method,
        path: withoutEncodedKeys(pathOf(url)),
        status: this.res.statusCode,
        complete: this.res.writableFinished,
      };
      log.info({ ...fields, durationMs: Math.round(durationMs * 1000) / 1000 }, 'request');
    }
    this.#context.onOver(this.#req.socket);
  }
}

function queryOf<Principal>(endpoint: Endpoint<Principal>, match: Match<Principal>): QueryValues {
  const known = endpoint.query ?? (endpoint.public === true ? 'any' : []);
  return known === 'any' ? noQuery : parseQuery(match.query, known);
}

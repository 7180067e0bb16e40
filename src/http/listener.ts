/**
 * The HTTP side of the server: a request handler that any `node:http` server can be given, and a server set up as it should be.
 *
 * What a foreign server does with broken requests, timeouts and `Expect` is its own affair; everything else holds in both cases.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Addresses } from './addresses.ts';
import { Answers } from './answers.ts';
import { Accounts } from './auth.ts';
import type { AdmitBody } from './body.ts';
import { BodyTurns } from './body-turns.ts';
import { Compression } from './compression.ts';
import { Cors } from './cors.ts';
import { affordableConnections } from './descriptors.ts';
import { EventStreams } from './event-stream.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeContext, Expectation } from './exchange-context.ts';
import { asksForUpgrade } from './framing.ts';
import { Incoming, joinPieces } from './incoming.ts';
import { type Limits, limitsWith } from './limits.ts';
import type { ListenerOptions } from './listener-options.ts';
import { type AccountLoad, Load } from './load.ts';
import { Observer } from './observer.ts';
import { Outgoing } from './outgoing.ts';
import { type Problem, problems } from './problem.ts';
import { rateFields, takeFrom } from './rate-limit.ts';
import { answerRaw, closeGently, isSilent, type ParseError, problemOfParseError } from './raw-answer.ts';
import { requestIds } from './request-id.ts';
import { Router } from './router.ts';
import { type ListenerStats, Traffic } from './traffic.ts';
import { Watch } from './watch.ts';

export interface Listener {
  /** Answers a request: for `http.createServer(handler)`. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  /** A new server with this handler and the timeouts and refusals described here; not listening yet. */
  server(): Server;
  /** To be called, in the same turn, whenever a key is revoked or changed. */
  forget(): void;
  /** From now on every answer is the last of its connection, and streams of events end. */
  drain(): void;
  /** Requests whose answer is not out yet. */
  readonly inFlight: number;
  stats(): ListenerStats;
  /** What became of the others. */
  readonly traffic: Traffic;
  /** Resolves once there are none: at once, or after the last of them. */
  idle(): Promise<void>;
}

/** A request that waits for the answers to those before it on its connection. */
interface Waiting {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly expectation: Expectation;
}

/** Waiting requests beyond which a connection is not read any further; what has been read already is parsed all the same. */
const waitingMax = 16;

/** Waiting requests with which a connection is cut: more than fit into what is read at once. */
const waitingCut = 4096;

/**
 * What is noted on a connection itself, where it costs one property: the last exchange begun (unless it is over, and all of its request
 * was in), the requests behind it, whether they have stopped its being read, whether the parser has given up, and the request with which it
 * ends, whatever comes after that.
 */
const newest = Symbol('newest exchange');
const queue = Symbol('waiting requests');
const held = Symbol('held back');
const givenUp = Symbol('given up');
const lastRequest = Symbol('last request');

interface Connection extends Duplex {
  [newest]?: Exchange<unknown> | undefined;
  [queue]?: Waiting[];
  [held]?: boolean;
  [givenUp]?: boolean;
  [lastRequest]?: IncomingMessage;
}

/** Sets up everything; throws where two endpoints contradict each other. Starts nothing. */
export function createListener<Principal>(options: ListenerOptions<Principal>): Listener {
  return new HttpListener(options);
}

class HttpListener<Principal> implements Listener, ExchangeContext<Principal> {
  readonly router: Router<Principal>;
  readonly accounts: Accounts<Principal>;
  readonly traffic = new Traffic();
  readonly limits: Limits;
  readonly load: Load;
  readonly bodyTurns = new BodyTurns();
  readonly admitBody: AdmitBody | undefined;
  readonly answers: Answers;
  readonly compression: Compression | undefined;
  readonly cors: Cors | undefined;
  readonly streams: EventStreams;
  readonly bodies: Watch;
  readonly observer: Observer<Principal>;
  readonly nameRequest = requestIds();
  readonly handler = (req: IncomingMessage, res: ServerResponse): void => this.#begin(req, res, 'nothing');
  draining = false;
  inFlight = 0;
  #connections = 0;
  readonly #connectionsRefused = { tooMany: 0, tooManyOfAddress: 0 };
  readonly addresses: Addresses;
  readonly #clock: () => number;
  readonly #options: ListenerOptions<Principal>;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ListenerOptions<Principal>) {
    this.#options = options;
    this.router = new Router(options.endpoints, options.front?.basePath);
    this.accounts = new Accounts(options);
    this.limits = limitsWith(options.limits);
    this.load = new Load(this.limits);
    this.admitBody = options.admitBody;
    this.answers = new Answers(this.limits);
    this.compression = options.compression === false ? undefined : new Compression(options.kept);
    this.cors = options.cors === undefined || options.cors.length === 0 ? undefined : new Cors(options.cors);
    this.streams = new EventStreams(this.limits);
    this.bodies = new Watch(this.limits.bodyStallTimeoutMs);
    this.addresses = new Addresses(this.limits.connectionsPerAddressMax, options.front?.proxies);
    this.#clock = options.clock ?? Date.now;
    this.observer = new Observer(options);
  }

  unavailable(): Problem | undefined {
    return this.#options.unavailable?.();
  }

  rejectionGate(): Promise<void> | undefined {
    return this.#options.rejectionGate?.();
  }

  countIn(principal: Principal, exchange: { callerFields: string }): AccountLoad | undefined {
    const allowances = this.#options.allowancesOf?.(principal);
    if (allowances !== undefined) {
      const refusal = takeFrom(allowances, this.#clock());
      exchange.callerFields += rateFields(allowances);
      if (refusal !== undefined) throw refusal;
    }
    const accountId = this.#options.accountOf?.(principal);
    return accountId === undefined ? undefined : this.load.begin(accountId);
  }

  keyIdOf(principal: Principal): string | undefined {
    return this.#options.keyIdOf?.(principal);
  }

  onRefused(problem: Problem): void {
    this.traffic.refused(problem);
  }

  stats(): ListenerStats {
    return {
      connections: this.#connections,
      requestsInFlight: this.inFlight,
      streams: this.load.streams,
      bodiesBytes: this.load.bodiesBytes,
      answersBytes: this.answers.bytes,
      refused: this.traffic.refusedByCode,
      connectionsRefused: { ...this.#connectionsRefused },
      readersCutOff: { ...this.answers.cutOff },
    };
  }

  onStream(socket: Socket): void {
    this.#settle(1);
    // What was sent behind it never gets its turn.
    this.#forsake((socket as Connection)[queue] ?? []);
  }

  onOver(socket: Socket, wasStream: boolean): void {
    if (!wasStream) this.#settle(1);
    const connection: Connection = socket;
    // Or all that belongs to a request would stay in memory, and be moved about in it, until the next one comes.
    if (connection[newest]?.answeredEarly === false) connection[newest] = undefined;
    const waiting = connection[queue];
    if (waiting === undefined || waiting.length === 0) return;
    if (socket.writable) {
      // A turn for everybody else between two requests of one connection.
      setImmediate(() => this.#next(socket, waiting));
    } else this.#forsake(waiting);
  }

  /** So many requests are not in flight any more. */
  #settle(count: number): void {
    this.inFlight -= count;
    if (this.inFlight === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The client is gone, or has been told that no more answers come. */
  #forsake(waiting: Waiting[]): void {
    this.#settle(waiting.splice(0).length);
  }

  #next(socket: Connection, waiting: Waiting[]): void {
    const next = socket.writable ? waiting.shift() : undefined;
    if (next === undefined) {
      this.#forsake(waiting);
      return;
    }
    if (socket[held] === true && waiting.length <= waitingMax / 2) {
      socket[held] = false;
      socket.resume();
    }
    this.#run(next.req, next.res, next.expectation);
  }

  forget(): void {
    this.accounts.forget();
  }

  drain(): void {
    this.draining = true;
    this.streams.drain();
  }

  idle(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  server(): Server {
    const { limits } = this;
    const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
    const server = createServer({
      IncomingMessage: Incoming,
      ServerResponse: Outgoing,
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout,
      requestTimeout: limits.requestTimeoutMs,
      // How often Node looks for requests that are late: by default so rarely that 15 s could become 45.
      connectionsCheckingInterval: Math.min(5000, Math.ceil(headersTimeout / 2)),
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      // Refused here instead, with a document.
      requireHostHeader: false,
      // Whatever the environment's NODE_OPTIONS say: two readings of one request are how requests are smuggled.
      insecureHTTPParser: false,
    });
    // A client may close its side with its last request and still be owed the answers (RFC 9112, 9.6).
    Object.assign(server, { httpAllowHalfOpen: true });
    // Node drops headers beyond this count without a word: one more than is allowed is what the count can be checked by.
    server.maxHeadersCount = limits.headersMax + 1;
    server.maxConnections = affordableConnections(limits.connectionsMax);
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('drop', () => this.#connectionsRefused.tooMany++);
    server.on('request', this.handler);
    server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => this.#begin(req, res, 'continue'));
    server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => this.#begin(req, res, 'unknown'));
    server.on('connect', (_req: IncomingMessage, socket: Connection) => {
      socket.on('error', () => socket.destroy());
      if (socket[lastRequest] !== undefined || this.#endsAfterAnswers(socket)) return;
      this.#answerRaw(socket, problems.methodNotAllowed('GET, HEAD, POST, PUT, PATCH, DELETE'), this.nameRequest(undefined));
    });
    server.on('clientError', (error: ParseError, socket: Duplex) => this.#onClientError(error, socket));
    return server;
  }

  #admit(socket: Socket): void {
    if (!this.addresses.admits(socket)) {
      this.#connectionsRefused.tooManyOfAddress++;
      socket.destroy();
      return;
    }
    this.#connections++;
    socket.once('close', () => {
      this.#connections--;
    });
  }

  #begin(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    const socket: Connection = req.socket;
    // Nobody who means it sends a request behind an answer without an end.
    if (socket[newest]?.isStream === true) {
      socket.destroy();
      return;
    }
    if (socket[lastRequest] !== undefined) return;
    if (asksForUpgrade(req)) endWith(req, socket);
    this.inFlight++;
    const waiting = socket[queue];
    if (socket[newest]?.over !== false && (waiting === undefined || waiting.length === 0)) {
      this.#run(req, res, expectation);
      return;
    }
    const entry = { req, res, expectation };
    const count = waiting === undefined ? 1 : waiting.push(entry);
    if (waiting === undefined) socket[queue] = [entry];
    const chunked = req.headers['transfer-encoding'] !== undefined;
    if (count > waitingCut) socket.destroy();
    else if (count > waitingMax || chunked) {
      // Node resumes a connection whenever a request is complete, a tick later: a microtask comes after that, and after all that was
      // read has been parsed.
      queueMicrotask(() => {
        if (chunked) joinPieces(req);
        if (chunked && !req.complete) socket[held] = true;
        if (socket[held] === true) socket.pause();
      });
      if (count > waitingMax) socket[held] = true;
    }
  }

  #run(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    const socket: Connection = req.socket;
    const exchange = new Exchange(this, req, res, socket[lastRequest] === req);
    socket[newest] = exchange as Exchange<unknown>;
    exchange.run(expectation);
  }

  /** The parser gave up on a connection, perhaps while answers to sound requests are still under way on it. */
  #onClientError(error: ParseError, socket: Connection): void {
    const problem = problemOfParseError(error);
    if (problem === undefined || isSilent(socket)) {
      socket.destroy();
      return;
    }
    // What follows the fault is parsed too, and fails again. What follows the last request is no request.
    if (socket[givenUp] === true || socket[lastRequest]?.complete === true) return;
    socket[givenUp] = true;
    if (this.#endsAfterAnswers(socket)) return;
    const exchange = socket[newest];
    if (exchange === undefined || (exchange.over && !exchange.answeredEarly)) {
      this.#answerRaw(socket, problem, this.nameRequest(undefined));
    } else if (exchange.over) {
      // A second answer would be taken for that of the next request.
      closeGently(socket, this.limits.lingerMs);
    } else {
      this.#answerRaw(socket, problem, exchange.requestId);
    }
  }

  #answerRaw(socket: Duplex, problem: Problem, requestId: string): void {
    this.onRefused(problem);
    this.observer.unreadable(requestId, problem);
    answerRaw(socket, problem, requestId, this.limits.lingerMs);
  }

  /**
   * Lets the answers to the sound requests of a connection go out and then closes it without a word about the rest; `false`, and
   * nothing done, when there are none to wait for.
   */
  #endsAfterAnswers(socket: Connection): boolean {
    const waiting = socket[queue] ?? [];
    const newestWaiting = waiting.at(-1);
    if (newestWaiting !== undefined && !newestWaiting.req.complete) this.#forsake(waiting.splice(-1));
    const exchange = socket[newest];
    const last = waiting.at(-1)?.res ?? (exchange === undefined || exchange.over || exchange.reading ? undefined : exchange.res);
    if (last === undefined) return false;
    last.once('close', () => closeGently(socket, this.limits.lingerMs));
    if (!last.headersSent) last.shouldKeepAlive = false;
    return true;
  }
}

/** Has a connection end with the answer to this request: once all of the request is in, what comes after it is thrown away unparsed. */
function endWith(req: IncomingMessage, socket: Connection): void {
  socket[lastRequest] = req;
  const stopParsing = (): void => {
    // The parser reads by a listener for `data`, and has none left.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    socket.resume();
  };
  // A microtask comes after all that was read has been parsed: the parser must not lose its listener while it is at work.
  queueMicrotask(() => {
    if (req.complete) stopParsing();
    else req.once('end', () => queueMicrotask(stopParsing));
  });
}

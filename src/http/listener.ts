/**
 * The HTTP side of the server: a request handler that any `node:http` server can be given, and a server set up as it should be.
 *
 * What a foreign server does with broken requests, timeouts and `Expect` is its own affair; everything else holds in both cases.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../lib/log.ts';
import { Accounts } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { Exchange, type ExchangeContext, type Expectation } from './exchange.ts';
import { type Problem, problems } from './problem.ts';
import { answerRaw, closeGently, isSilent, type ParseError, problemOfParseError } from './raw-answer.ts';
import { requestIds } from './request-id.ts';
import { Router } from './router.ts';

/** Bounds on what one client may ask of the server. */
export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytesMax: number;
  /** Characters of a request target. */
  readonly urlBytesMax: number;
  /** Header lines of a request. */
  readonly headersMax: number;
  /** Bytes of a request's first line and headers together. */
  readonly headerBytesMax: number;
  /** Milliseconds from a request's first byte to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** Milliseconds from a request's first byte to its last. */
  readonly requestTimeoutMs: number;
  /** Milliseconds that a connection may rest between requests. More than the usual 60 s of proxies, so that they close first. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds without progress after which a client that does not read its answer is cut off. */
  readonly responseTimeoutMs: number;
  /** Milliseconds for which a body that nobody wants is still taken off the wire, so that its refusal arrives before a reset can. */
  readonly lingerMs: number;
  /** Connections at a time; further ones are closed unheard. */
  readonly connectionsMax: number;
}

export const defaultLimits: Limits = {
  bodyBytesMax: 5 * 1024 * 1024,
  urlBytesMax: 8 * 1024,
  headersMax: 100,
  headerBytesMax: 16 * 1024,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
  responseTimeoutMs: 60_000,
  lingerMs: 1000,
  connectionsMax: 10_000,
};

export interface ListenerOptions<Principal> {
  readonly endpoints: readonly Endpoint<Principal>[];
  /** The account behind a key. Asked once per key and then remembered until {@link Listener.forget}. */
  authenticate(token: string): Principal | undefined;
  /** Awaited before a 401 is sent: the revocation it may tell of must be durable first. */
  rejectionGate?(): Promise<void> | undefined;
  /** Why nothing but the public endpoints can be answered at the moment; asked for every other request. */
  unavailable?(): Problem | undefined;
  readonly log: Log;
  /** Whether every request gets a line in the log. */
  readonly logRequests?: boolean;
  readonly limits?: Partial<Limits>;
}

export interface Listener {
  /** Answers a request: for `http.createServer(handler)`. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  /** A new server with this handler and the timeouts and refusals described here; not listening yet. */
  server(): Server;
  /** To be called, in the same turn, whenever a key is revoked or changed. */
  forget(): void;
  /** From now on every answer is the last of its connection. */
  drain(): void;
  /** Requests whose answer is not out yet. */
  readonly inFlight: number;
  /** Resolves once there are none: at once, or after the last of them. */
  idle(): Promise<void>;
}

/** What is noted on a connection itself, where it costs one property: the last exchange begun, and whether the parser has given up. */
const newest = Symbol('newest exchange');
const givenUp = Symbol('given up');

interface Connection extends Duplex {
  [newest]?: Exchange<unknown>;
  [givenUp]?: boolean;
}

/** Sets up everything; throws where two endpoints contradict each other. Starts nothing. */
export function createListener<Principal>(options: ListenerOptions<Principal>): Listener {
  return new HttpListener(options);
}

class HttpListener<Principal> implements Listener, ExchangeContext<Principal> {
  readonly router: Router<Principal>;
  readonly accounts: Accounts<Principal>;
  readonly limits: Limits;
  readonly log: Log;
  readonly logRequests: boolean;
  readonly nameRequest = requestIds();
  readonly handler = (req: IncomingMessage, res: ServerResponse): void => this.#begin(req, res, 'nothing');
  draining = false;
  inFlight = 0;
  readonly #options: ListenerOptions<Principal>;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ListenerOptions<Principal>) {
    this.#options = options;
    this.router = new Router(options.endpoints);
    this.accounts = new Accounts((token) => options.authenticate(token));
    this.limits = { ...defaultLimits, ...options.limits };
    this.log = options.log;
    this.logRequests = options.logRequests ?? false;
  }

  unavailable(): Problem | undefined {
    return this.#options.unavailable?.();
  }

  rejectionGate(): Promise<void> | undefined {
    return this.#options.rejectionGate?.();
  }

  onOver(): void {
    this.inFlight--;
    if (this.inFlight === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  forget(): void {
    this.accounts.forget();
  }

  drain(): void {
    this.draining = true;
  }

  idle(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  server(): Server {
    const { limits } = this;
    const headersTimeout = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
    const server = createServer({
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout,
      requestTimeout: limits.requestTimeoutMs,
      // How often Node looks for requests that are late: by default so rarely that 15 s could become 45.
      connectionsCheckingInterval: Math.min(5000, Math.ceil(headersTimeout / 2)),
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      // Refused here instead, with a document.
      requireHostHeader: false,
    });
    // Node drops headers beyond this count without a word: one more than is allowed is what the count can be checked by.
    server.maxHeadersCount = limits.headersMax + 1;
    server.maxConnections = limits.connectionsMax;
    server.on('request', this.handler);
    server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => this.#begin(req, res, 'continue'));
    server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => this.#begin(req, res, 'unknown'));
    // `Upgrade` needs no refusal: without a listener for it Node answers the request as if the header were not there.
    server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => socket.destroy());
      answerRaw(
        socket,
        problems.methodNotAllowed('GET, HEAD, POST, PUT, PATCH, DELETE'),
        this.nameRequest(undefined),
        this.limits.lingerMs,
      );
    });
    server.on('clientError', (error: ParseError, socket: Duplex) => this.#onClientError(error, socket));
    return server;
  }

  #begin(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    this.inFlight++;
    const exchange = new Exchange(this, req, res);
    (req.socket as Connection)[newest] = exchange as Exchange<unknown>;
    exchange.run(expectation);
  }

  /** The parser gave up on a connection, perhaps while answers to sound requests are still under way on it. */
  #onClientError(error: ParseError, socket: Connection): void {
    const problem = problemOfParseError(error);
    if (problem === undefined || isSilent(socket)) {
      socket.destroy();
      return;
    }
    // What follows the fault is parsed too, and fails again.
    if (socket[givenUp] === true) return;
    socket[givenUp] = true;
    const exchange = socket[newest];
    if (exchange === undefined || exchange.over) {
      answerRaw(socket, problem, this.nameRequest(undefined), this.limits.lingerMs);
    } else if (!exchange.reading) {
      // Those answers are sound too: they go out, and then the connection closes without a word about the rest.
      exchange.res.once('close', () => closeGently(socket, this.limits.lingerMs));
      if (!exchange.res.headersSent) exchange.res.shouldKeepAlive = false;
    } else if (exchange.res.socket === null) {
      // It waits behind the answer to an earlier request, whose place a refusal would take.
      socket.destroy();
    } else {
      answerRaw(socket, problem, exchange.requestId, this.limits.lingerMs);
    }
  }
}

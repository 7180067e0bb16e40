/**
 * The HTTP side of the server: a request handler for any `node:http` server, and a server of our own with its sockets, limits and timeouts.
 *
 * Another program's server handles malformed requests, timeouts and `Expect` itself; everything else applies in both cases.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Connections, type Handler } from './connection.ts';
import { HttpContext } from './context.ts';
import { affordableConnections } from './descriptors.ts';
import type { HttpMetrics, ListenerStats } from './http-metrics.ts';
import type { Expectation } from './in-flight.ts';
import { InProcessRequests } from './in-process-requests.ts';
import type { ListenerOptions } from './listener-options.ts';
import { Outgoing } from './response/outgoing.ts';
import type { ParseError } from './response/raw-response.ts';
import { Incoming } from './transport/incoming.ts';
import type { Identity } from './transport/transport.ts';

/** Headers that another node of the cluster adds to a request; it removes them before they are counted. */
const nodeHeaders = 4;

export interface Listener<Principal = unknown> {
  readonly handler: Handler;
  /** See {@link Router.paths}. */
  readonly paths: readonly string[];
  /** As {@link handler}, for a server that leaves `Expect` to it. */
  readonly begin: (req: IncomingMessage, res: ServerResponse, expectation: Expectation) => void;
  /**
   * Handles a request of this process, by the same steps. Resolves with a response also to a request that is refused. Rejects with the
   * reason of the request's signal, with the error of its body, and with that of {@link abort}.
   *
   * @param identity the client; by default it is authenticated by its key, as on a connection
   */
  fetch(request: Request, identity?: Identity<Principal>): Promise<Response>;
  /** Breaks off the requests of this process: their callers get this error. */
  abort(reason: Error): void;
  /**
   * A new server with the timeouts and refusals described here. It does not listen yet.
   *
   * @param begin gets each request; by default that of this listener. It may pass a request to another listener's `begin`.
   */
  server(begin?: Listener['begin']): Server;
  /** From now on every response is the last of its connection, and event streams end. */
  drain(): void;
  /** Requests whose response is not yet sent. */
  readonly inFlight: number;
  stats(): ListenerStats;
  /** Counts of the requests that ended, by route. */
  readonly metrics: HttpMetrics;
  /** Resolves when no request is in flight: immediately, or after the last of them. */
  idle(): Promise<void>;
}

/** Throws if two endpoints declare the same method and path. Does not listen yet. */
export function createListener<Principal>(options: ListenerOptions<Principal>): Listener<Principal> {
  return new HttpListener(options);
}

class HttpListener<Principal> implements Listener<Principal> {
  readonly #context: HttpContext<Principal>;
  readonly #requests: Connections<Principal>;
  readonly #inProcess: InProcessRequests<Principal>;
  #connections = 0;
  readonly #connectionsRefused = { tooMany: 0, tooManyOfAddress: 0 };

  constructor(options: ListenerOptions<Principal>) {
    this.#context = new HttpContext(options);
    this.#requests = new Connections(this.#context);
    this.#inProcess = new InProcessRequests(this.#requests);
  }

  get handler(): Listener<Principal>['handler'] {
    return this.#requests.handler;
  }

  get paths(): readonly string[] {
    return this.#context.router.paths;
  }

  readonly begin: Listener['begin'] = (req, res, expectation) => this.#requests.begin(req, res, expectation);

  fetch(request: Request, identity?: Identity<Principal>): Promise<Response> {
    return this.#inProcess.fetch(request, identity);
  }

  abort(reason: Error): void {
    this.#inProcess.abort(reason);
  }

  get metrics(): HttpMetrics {
    return this.#context.metrics;
  }

  get inFlight(): number {
    return this.#requests.inFlight;
  }

  stats(): ListenerStats {
    const { admission, outputBuffers: responses, metrics } = this.#context;
    return {
      connections: this.#connections,
      requestsInFlight: this.inFlight,
      streams: admission.streams,
      bodiesBytes: admission.bodiesBytes,
      outputBytes: responses.bytes,
      refused: metrics.refusedByCode,
      connectionsRefused: { ...this.#connectionsRefused },
      readersCutOff: { ...responses.cutOff },
    };
  }

  drain(): void {
    this.#context.draining = true;
    this.#context.streams.drain();
  }

  idle(): Promise<void> {
    return this.#requests.idle();
  }

  server(begin = this.begin): Server {
    const { limits } = this.#context;
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
      // Also against NODE_OPTIONS: two readings of one request are how requests are smuggled.
      insecureHTTPParser: false,
    });
    // A client may half-close its connection after its last request and still get the responses (RFC 9112, 9.6).
    Object.assign(server, { httpAllowHalfOpen: true });
    // Node silently drops headers beyond this count: one more than allowed makes the excess visible.
    server.maxHeadersCount = limits.headersMax + 1 + nodeHeaders;
    server.maxConnections = affordableConnections(limits.connectionsMax);
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('drop', () => this.#connectionsRefused.tooMany++);
    server.on('request', (req: IncomingMessage, res: ServerResponse) => begin(req, res, 'nothing'));
    server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => begin(req, res, 'continue'));
    server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => begin(req, res, 'unknown'));
    server.on('connect', (_req: IncomingMessage, socket: Duplex) => this.#requests.at(socket).onConnectMethod());
    server.on('clientError', (error: ParseError, socket: Duplex) => this.#requests.at(socket).onParseError(error));
    return server;
  }

  #admit(socket: Socket): void {
    if (!this.#context.addresses.admits(socket)) {
      this.#connectionsRefused.tooManyOfAddress++;
      socket.destroy();
      return;
    }
    this.#connections++;
    socket.once('close', () => {
      this.#connections--;
    });
  }
}

/**
 * Runs the requests of a connection one after another: each starts when the response before it is sent. A connection closes after the
 * last response that its client expects.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpContext } from './context.ts';
import { Exchange } from './exchange.ts';
import type { Expectation, RequestOwner } from './in-flight.ts';
import { steps } from './pipeline.ts';
import { type Problem, problems } from './problem.ts';
import { asksForUpgrade } from './request/framing.ts';
import { joinPieces } from './request/receive.ts';
import { closeGracefully, isSilent, type ParseError, problemOfParseError, sendRaw } from './response/raw-response.ts';
import { Incoming } from './transport/incoming.ts';

/** A pipelined request that waits for the responses before it. */
interface QueuedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly expectation: Expectation;
}

/** With more queued requests than this, the connection is no longer read. Bytes that were already read are still parsed. */
const waitingMax = 16;

/** With more queued requests than this, the connection is closed: more than one read of a connection can contain. */
const waitingCut = 4096;

/**
 * Handles a request: for `http.createServer(handler)`, and as middleware.
 *
 * @param next gets the requests whose path is not one of the server; without it, they get a 404
 */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

/** Property of a socket that refers to its {@link Connection}. */
const ofSocket = Symbol('connection');

interface NotedSocket extends Duplex {
  [ofSocket]?: Connection<unknown>;
}

/** The requests of a listener: finds the connection of each, and counts the requests in flight. */
export class Connections<Principal> {
  readonly context: HttpContext<Principal>;
  /** Requests whose response is not yet sent. */
  inFlight = 0;
  /** Handles a request: see `Listener.handler`. */
  readonly handler: Handler = (req, res, next) => {
    if (typeof next !== 'function' || this.#isOwn(req)) this.begin(req, res, 'nothing');
    else next();
  };
  readonly #waiting: (() => void)[] = [];

  constructor(context: HttpContext<Principal>) {
    this.context = context;
  }

  begin(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    const socket: NotedSocket = req.socket;
    const known = socket[ofSocket] as Connection<Principal> | undefined;
    // Another listener passed this connection on: it gets new state here.
    (known?.connections === this ? known : this.#note(socket)).begin(req, res, expectation);
  }

  /** The connection of a socket, of whichever listener has used it. */
  at(socket: NotedSocket): Connection<unknown> {
    return socket[ofSocket] ?? (this.#note(socket) as Connection<unknown>);
  }

  /** Removes `count` requests from those in flight. */
  ended(count: number): void {
    this.inFlight -= count;
    if (this.inFlight === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Looks the path of a request up: below the path of a middleware, then as the client sent it. Leaves the one that the server has in `url`. */
  #isOwn(req: IncomingMessage & { readonly originalUrl?: unknown }): boolean {
    const { router } = this.context;
    const { url = '', originalUrl } = req;
    if (router.find(url) !== undefined) return true;
    if (typeof originalUrl !== 'string' || router.find(originalUrl) === undefined) return false;
    req.url = originalUrl;
    return true;
  }

  #note(socket: NotedSocket): Connection<Principal> {
    const connection = new Connection(this, socket);
    socket[ofSocket] = connection as Connection<unknown>;
    return connection;
  }
}

/** A server of another program has received the request. */
const isForeign = (req: IncomingMessage): boolean => !(req instanceof Incoming);

/**
 * The program around this server may have passed on later requests of the connection before this one: a GET, behind a body parser, before
 * the POST that was sent before it. Node keeps the response of the GET back, so the POST must not wait for it in turn.
 */
const isLate = ({ req, res }: Pick<QueuedRequest, 'req' | 'res'>): boolean =>
  isForeign(req) && (req.readableEnded || res.socket !== null);

class Connection<Principal> implements RequestOwner {
  readonly connections: Connections<Principal>;
  readonly #socket: Duplex;
  /** The last started exchange, until its response is sent and its whole request has arrived. */
  #newest: Exchange<Principal> | undefined = undefined;
  /** The requests after it. */
  #waiting: QueuedRequest[] | undefined = undefined;
  /** Whether queued requests have paused the connection. */
  #isPaused = false;
  #parserGaveUp = false;
  /** The last request of the connection, whatever follows it. */
  #last: IncomingMessage | undefined = undefined;

  constructor(connections: Connections<Principal>, socket: Duplex) {
    this.connections = connections;
    this.#socket = socket;
  }

  begin(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    // No correct client sends a request after one whose response has no end.
    if (this.#newest?.isStream === true) {
      this.#socket.destroy();
      return;
    }
    if (this.#last !== undefined && !isLate({ req, res })) return;
    if (asksForUpgrade(req)) this.#endWith(req);
    this.connections.inFlight++;
    const isFree = this.#newest?.over !== false && (this.#waiting?.length ?? 0) === 0;
    if (isFree || (this.#isHeldBack && isLate({ req, res }))) this.#run(req, res, expectation);
    else this.#enqueue({ req, res, expectation });
  }

  onStream(): void {
    this.connections.ended(1);
    // Requests sent after it never get a response.
    this.#dropWaiting();
  }

  onOver(wasStream: boolean): void {
    if (!wasStream) this.connections.ended(1);
    // Otherwise the state of a request would stay in memory until the next one arrives.
    if (this.#newest?.respondedEarly === false) this.#newest = undefined;
    if (this.#waiting === undefined || this.#waiting.length === 0) return;
    // Other connections run between two requests of one connection.
    if (this.#socket.writable) setImmediate(() => this.#next());
    else this.#dropWaiting();
  }

  #run(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    const exchange = new Exchange(this.connections.context, steps, this, req, res, expectation, this.#last === req);
    this.#newest = exchange;
    exchange.proceed();
  }

  #enqueue(entry: QueuedRequest): void {
    this.#waiting ??= [];
    const count = this.#waiting.push(entry);
    const { req } = entry;
    const chunked = req.headers['transfer-encoding'] !== undefined;
    if (count > waitingCut) this.#socket.destroy();
    else if (count > waitingMax || chunked) {
      // Node resumes a connection when a request is complete, a tick later. A microtask runs after that, and after all bytes that were
      // read have been parsed.
      queueMicrotask(() => {
        if (chunked) joinPieces(req);
        if (chunked && !req.complete) this.#isPaused = true;
        if (this.#isPaused) this.#socket.pause();
      });
      if (count > waitingMax) this.#isPaused = true;
    }
  }

  #next(): void {
    const next = this.#socket.writable ? this.#waiting?.shift() : undefined;
    if (next === undefined) {
      this.#dropWaiting();
      return;
    }
    if (this.#isPaused && (this.#waiting?.length ?? 0) <= waitingMax / 2) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    this.#run(next.req, next.res, next.expectation);
    if (!this.#isHeldBack) return;
    for (const late of this.#waiting?.filter(isLate) ?? []) {
      this.#waiting?.splice(this.#waiting.indexOf(late), 1);
      this.#run(late.req, late.res, late.expectation);
    }
  }

  /** The response to the running request waits for those of requests that were sent before it. */
  get #isHeldBack(): boolean {
    return this.#newest?.over === false && this.#newest.res.socket === null;
  }

  /** Drops the queued requests: the client has disconnected, or knows that no more responses follow. */
  #dropWaiting(): void {
    this.connections.ended(this.#waiting?.splice(0).length ?? 0);
  }

  /** Closes the connection after the response to this request. Bytes after the complete request are discarded unparsed. */
  #endWith(req: IncomingMessage): void {
    const socket = this.#socket;
    this.#last = req;
    const stopParsing = (): void => {
      // The parser reads through a `data` listener, which is removed here.
      socket.removeAllListeners('data');
      socket.on('data', () => undefined);
      socket.resume();
    };
    // A microtask runs after all bytes that were read have been parsed: the parser must not lose its listener while it runs.
    queueMicrotask(() => {
      if (req.complete) stopParsing();
      else req.once('end', () => queueMicrotask(stopParsing));
    });
  }

  /** Handles `CONNECT`, after which Node's parser leaves the connection to us. */
  onConnectMethod(): void {
    const socket = this.#socket;
    socket.on('error', () => socket.destroy());
    if (this.#last !== undefined || this.#endsAfterResponses()) return;
    this.#sendProblem(problems.methodNotAllowed('GET, HEAD, POST, PUT, PATCH, DELETE'));
  }

  /** Handles an error of the parser, perhaps while responses to earlier requests are still in progress. */
  onParseError(error: ParseError): void {
    const socket = this.#socket;
    const problem = problemOfParseError(error);
    if (problem === undefined || isSilent(socket)) {
      socket.destroy();
      return;
    }
    // Bytes after the error are parsed too, and fail again. Bytes after the last request are not a request.
    if (this.#parserGaveUp || this.#last?.complete === true) return;
    this.#parserGaveUp = true;
    if (this.#endsAfterResponses()) return;
    const exchange = this.#newest;
    if (exchange === undefined || (exchange.over && !exchange.respondedEarly)) this.#sendProblem(problem);
    // The client would take a second response for that of its next request.
    else if (exchange.over) closeGracefully(socket, this.connections.context.limits.lingerMs);
    else this.#sendProblem(problem, exchange.requestId);
  }

  #sendProblem(problem: Problem, requestId = this.connections.context.nameRequest(undefined)): void {
    const { metrics, observer, limits } = this.connections.context;
    metrics.refused(problem);
    observer.unreadable(requestId, problem);
    sendRaw(this.#socket, problem, requestId, limits.lingerMs);
  }

  /**
   * Lets the responses to the valid requests of the connection finish, and then closes it without a response to the rest. Returns
   * `false`, with nothing changed, if no response is pending.
   */
  #endsAfterResponses(): boolean {
    const waiting = this.#waiting ?? [];
    const newestWaiting = waiting.at(-1);
    if (newestWaiting !== undefined && !newestWaiting.req.complete) this.connections.ended(waiting.splice(-1).length);
    const exchange = this.#newest;
    const last = waiting.at(-1)?.res ?? (exchange === undefined || exchange.over || exchange.reading ? undefined : exchange.res);
    if (last === undefined) return false;
    last.once('close', () => closeGracefully(this.#socket, this.connections.context.limits.lingerMs));
    if (!last.headersSent && last.socket !== undefined) last.shouldKeepAlive = false;
    return true;
  }
}

/**
 * The requests of a connection: carried out one after the other, each begun when the answer before it is out. A connection ends with the last
 * answer that its client is owed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpContext } from './context.ts';
import { Exchange, type Expectation, type RequestOwner } from './exchange.ts';
import { steps } from './pipeline.ts';
import { type Problem, problems } from './problem.ts';
import { asksForUpgrade } from './request/framing.ts';
import { joinPieces } from './request/incoming.ts';
import { closeGracefully, isSilent, type ParseError, problemOfParseError, sendRaw } from './response/raw-response.ts';

/** A request that waits for the answers to those before it on its connection. */
interface Waiting {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly expectation: Expectation;
}

/** Waiting requests beyond which a connection is no longer read; bytes that were read before are parsed all the same. */
const waitingMax = 16;

/** Waiting requests with which a connection is cut: more than one read of a connection can hold. */
const waitingCut = 4096;

/** The requests of a connection, as a property of its socket. */
const ofSocket = Symbol('connection');

interface NotedSocket extends Duplex {
  [ofSocket]?: Connection<unknown>;
}

/** The requests of a listener: finds the connection of each, and counts those in flight. */
export class Connections<Principal> {
  readonly context: HttpContext<Principal>;
  /** Requests whose answer is not out yet. */
  inFlight = 0;
  /** Answers a request: see `Listener.handler`. */
  readonly handler = (req: IncomingMessage, res: ServerResponse): void => this.begin(req, res, 'nothing');
  readonly #waiting: (() => void)[] = [];

  constructor(context: HttpContext<Principal>) {
    this.context = context;
  }

  begin(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    const socket: NotedSocket = req.socket;
    const known = socket[ofSocket] as Connection<Principal> | undefined;
    // A connection of another listener, which is given to this one, begins anew here.
    (known?.connections === this ? known : this.#note(socket)).begin(req, res, expectation);
  }

  /** The connection of a socket, whichever listener has answered on it. */
  at(socket: NotedSocket): Connection<unknown> {
    return socket[ofSocket] ?? (this.#note(socket) as Connection<unknown>);
  }

  /** So many requests are not in flight any more. */
  ended(count: number): void {
    this.inFlight -= count;
    if (this.inFlight === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when no request is in flight: immediately, or after the last of them. */
  idle(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #note(socket: NotedSocket): Connection<Principal> {
    const connection = new Connection(this, socket);
    socket[ofSocket] = connection as Connection<unknown>;
    return connection;
  }
}

class Connection<Principal> implements RequestOwner {
  readonly connections: Connections<Principal>;
  readonly #socket: Duplex;
  /** The last exchange begun, unless it is over and all of its request was in. */
  #newest: Exchange<Principal> | undefined = undefined;
  /** The requests behind it. */
  #waiting: Waiting[] | undefined = undefined;
  /** The waiting requests have stopped the reading of the connection. */
  #isPaused = false;
  #parserGaveUp = false;
  /** The request with which the connection ends, whatever comes after it. */
  #last: IncomingMessage | undefined = undefined;

  constructor(connections: Connections<Principal>, socket: Duplex) {
    this.connections = connections;
    this.#socket = socket;
  }

  begin(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    // No sound client sends a request behind an answer without an end.
    if (this.#newest?.isStream === true) {
      this.#socket.destroy();
      return;
    }
    if (this.#last !== undefined) return;
    if (asksForUpgrade(req)) this.#endWith(req);
    this.connections.inFlight++;
    const waiting = this.#waiting;
    if (this.#newest?.over !== false && (waiting === undefined || waiting.length === 0)) this.#run(req, res, expectation);
    else this.#enqueue({ req, res, expectation });
  }

  onStream(): void {
    this.connections.ended(1);
    // Requests that were sent after it are never answered.
    this.#dropWaiting();
  }

  onOver(wasStream: boolean): void {
    if (!wasStream) this.connections.ended(1);
    // Otherwise everything that belongs to a request would stay in memory until the next one comes.
    if (this.#newest?.answeredEarly === false) this.#newest = undefined;
    if (this.#waiting === undefined || this.#waiting.length === 0) return;
    // Other connections have their turn between two requests of one.
    if (this.#socket.writable) setImmediate(() => this.#next());
    else this.#dropWaiting();
  }

  #run(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void {
    const exchange = new Exchange(this.connections.context, steps, this, req, res, expectation, this.#last === req);
    this.#newest = exchange;
    exchange.proceed();
  }

  #enqueue(entry: Waiting): void {
    this.#waiting ??= [];
    const count = this.#waiting.push(entry);
    const { req } = entry;
    const chunked = req.headers['transfer-encoding'] !== undefined;
    if (count > waitingCut) this.#socket.destroy();
    else if (count > waitingMax || chunked) {
      // Node resumes a connection whenever a request is complete, a tick later: a microtask comes after that, and after all that was
      // read has been parsed.
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
  }

  /** The client is gone, or knows that no more answers come. */
  #dropWaiting(): void {
    this.connections.ended(this.#waiting?.splice(0).length ?? 0);
  }

  /** The connection ends with the answer to this request: once all of the request is in, what comes after it is thrown away unparsed. */
  #endWith(req: IncomingMessage): void {
    const socket = this.#socket;
    this.#last = req;
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

  /** `CONNECT`, after which Node's parser leaves the connection to us. */
  onConnectMethod(): void {
    const socket = this.#socket;
    socket.on('error', () => socket.destroy());
    if (this.#last !== undefined || this.#endsAfterAnswers()) return;
    this.#answerRaw(problems.methodNotAllowed('GET, HEAD, POST, PUT, PATCH, DELETE'));
  }

  /** The parser gave up on the connection, perhaps while answers to sound requests are still under way on it. */
  onParseError(error: ParseError): void {
    const socket = this.#socket;
    const problem = problemOfParseError(error);
    if (problem === undefined || isSilent(socket)) {
      socket.destroy();
      return;
    }
    // What follows the fault is parsed too, and fails again. What follows the last request is no request.
    if (this.#parserGaveUp || this.#last?.complete === true) return;
    this.#parserGaveUp = true;
    if (this.#endsAfterAnswers()) return;
    const exchange = this.#newest;
    if (exchange === undefined || (exchange.over && !exchange.answeredEarly)) this.#answerRaw(problem);
    // A second answer would be taken for that of the next request.
    else if (exchange.over) closeGracefully(socket, this.connections.context.limits.lingerMs);
    else this.#answerRaw(problem, exchange.requestId);
  }

  #answerRaw(problem: Problem, requestId = this.connections.context.nameRequest(undefined)): void {
    const { traffic, observer, limits } = this.connections.context;
    traffic.refused(problem);
    observer.unreadable(requestId, problem);
    sendRaw(this.#socket, problem, requestId, limits.lingerMs);
  }

  /**
   * Lets the answers to the sound requests of the connection go out, and then closes it without an answer to the rest. Returns `false`, and
   * does nothing, when there are none to wait for.
   */
  #endsAfterAnswers(): boolean {
    const waiting = this.#waiting ?? [];
    const newestWaiting = waiting.at(-1);
    if (newestWaiting !== undefined && !newestWaiting.req.complete) this.connections.ended(waiting.splice(-1).length);
    const exchange = this.#newest;
    const last = waiting.at(-1)?.res ?? (exchange === undefined || exchange.over || exchange.reading ? undefined : exchange.res);
    if (last === undefined) return false;
    last.once('close', () => closeGracefully(this.#socket, this.connections.context.limits.lingerMs));
    if (!last.headersSent) last.shouldKeepAlive = false;
    return true;
  }
}

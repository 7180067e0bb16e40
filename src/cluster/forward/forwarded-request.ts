/**
 * One request of a client that is sent to the owner of its shard, perhaps several times (`forward-state.ts` has its states).
 *
 * | outcome of an attempt | next |
 * |---|---|
 * | no byte was sent; 421 of a node | sent again within {@link holdMs}, then 503: nothing was done |
 * | 503 `not_owner`, or the connection broke, GET or HEAD | the same |
 * | the connection broke, another method | 503: the change may have been made |
 * | anything else | the client gets it |
 *
 * A body is kept until the response. A body that is too long, or whose client waits for `100 Continue`, is not kept: the owner is asked
 * before it is read (`upload.ts`).
 */
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Dispatcher } from 'undici';
import type { FallbackExchange } from '../../http/fallback.ts';
import { problems } from '../../http/problem.ts';
import { declaredLength } from '../../http/request/body.ts';
import { transition } from '../../lib/invariant.ts';
import type { Peer } from '../peers/peer.ts';
import type { SignedParts } from '../peers/peer-signature.ts';
import { type ForwardFailure, noOwner, noShard, type Route, unconfirmed } from './forward-route.ts';
import { type ForwardEvent, type ForwardState, forwardTransitions } from './forward-state.ts';
import { ForwardedHead } from './forwarded-head.ts';
import { keepBody } from './keep-body.ts';
import { OwnerHead, ResponseRelay, sendWhole } from './owner-response.ts';
import { UploadBody, type UploadEvents, upload } from './upload.ts';

/** Milliseconds for which a request waits for an owner, after its first failure. */
export const holdMs = 2000;

/** Milliseconds before the same owner is asked again: doubled each time, up to the maximum. */
const pauseMs = { first: 20, most: 250 };

export class ForwardedRequest implements Dispatcher.DispatchHandler {
  readonly #exchange: FallbackExchange;
  readonly #route: Route;
  readonly #client: ForwardedHead;
  #state: ForwardState = 'reading';
  /** Known with the shard. */
  #parts: SignedParts | undefined;
  #body: Buffer | undefined;
  #upload: UploadBody | undefined;
  #peer: Peer | undefined;
  #deadline: number | undefined;
  #pauseMs = pauseMs.first;
  /** Whether it was sent again with the nonce of another process. */
  #isRenewed = false;

  // The attempt in progress.
  #abort: ((error?: Error) => void) | undefined;
  #nonce = '';
  #head: OwnerHead | undefined;
  #chunks: Buffer[] = [];
  #relay: ResponseRelay | undefined;

  constructor(exchange: FallbackExchange, route: Route) {
    this.#exchange = exchange;
    this.#route = route;
    this.#client = new ForwardedHead(exchange);
    exchange.res.on('close', () => this.#end());
  }

  // Read through a method: calls change the state.
  get #isOver(): boolean {
    return this.#state === 'over';
  }

  #on(event: ForwardEvent): void {
    this.#state = transition(forwardTransitions, this.#state, event);
  }

  /** Whether the response is a stream of events. */
  get isEvents(): boolean {
    return this.#relay !== undefined && this.#head?.isEvents === true;
  }

  start(): void {
    const { req, expectation, context } = this.#exchange;
    const isChunked = req.headers['transfer-encoding'] !== undefined;
    const length = declaredLength(req);
    if (!this.#client.mayHaveBody || (!isChunked && length === 0)) this.#attempt();
    else if (expectation === 'continue' || length > context.limits.bodyBytesMax) this.#startUpload(undefined);
    else this.#keepBody(length);
  }

  /** Ends a stream of events, so that its client asks again. */
  endEvents(): void {
    this.#relay?.end();
    this.#end();
  }

  // The body

  #keepBody(length: number): void {
    keepBody(this.#exchange, this.#client.credentials, length, {
      received: (bytes) => {
        this.#body = bytes;
        this.#attempt();
      },
      overflowed: (begun) => this.#startUpload(begun),
      failed: (error) => this.#fail(error),
    });
  }

  #startUpload(begun: Buffer | undefined): void {
    this.#upload = new UploadBody(this.#exchange, begun);
    this.#client.declareBody(this.#exchange.req.headers['content-length']);
    this.#attempt();
  }

  // Attempts

  #attempt(): void {
    if (this.#isOver) return;
    this.#on('attempt');
    this.#head = undefined;
    this.#chunks = [];
    if (this.#parts === undefined) {
      const shard = this.#route.shardOf(this.#exchange.req);
      if (typeof shard !== 'number') {
        shard.then(
          (found) => {
            this.#parts = this.#client.signedParts(found);
            this.#attempt();
          },
          () => {
            if (!this.#isOver) this.#fail(noShard(), 'no_owner');
          },
        );
        return;
      }
      this.#parts = this.#client.signedParts(shard);
    }
    const { shard } = this.#parts;
    const peer = this.#route.peer(shard);
    this.#peer = peer;
    if (peer === undefined) this.#holdOn(shard);
    else if (peer.nonce === undefined)
      peer.introduce().then(
        () => this.#send(peer),
        (error: Error) => this.#untouched(error),
      );
    else this.#send(peer);
  }

  #send(peer: Peer): void {
    if (this.#isOver) return;
    const { nonce } = peer;
    // Refused meanwhile by another request.
    if (nonce === undefined) {
      this.#attempt();
      return;
    }
    this.#on('send');
    this.#nonce = nonce;
    const { method, target, asksForEvents } = this.#client;
    const headers = this.#client.headers.concat('Mapwright-Peer', this.#route.signature.sign(nonce, this.#parts as SignedParts));
    if (this.#upload !== undefined) {
      this.#sendUpload(peer, this.#upload, headers);
      return;
    }
    const pool = asksForEvents ? peer.streams : peer.requests;
    const options = { path: target, method: method as Dispatcher.HttpMethod, headers, body: this.#body ?? null };
    // undici closes the connection after a HEAD by default, for servers that send a body.
    pool.dispatch(method === 'HEAD' ? { ...options, reset: false } : options, this);
  }

  #sendUpload(peer: Peer, body: UploadBody, headers: string[]): void {
    const { url } = peer;
    const { method, target } = this.#client;
    const sent = this.#client.headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
    if (!sent) headers.push('Host', url.host);
    const events: UploadEvents = {
      response: (response) => {
        if (!this.#isOver) this.#on('connect');
        this.#onUploadResponse(response);
      },
      failed: (error, untouched) => {
        if (!untouched && !this.#isOver) this.#on('connect');
        this.onError(error);
      },
    };
    this.#abort = upload(url, { method, path: target, headers }, body, events, peer.uploads);
  }

  #onUploadResponse(response: IncomingMessage): void {
    const { statusCode = 0, rawHeaders } = response;
    const resume = (): void => void response.resume();
    if (!this.onHeaders(statusCode, rawHeaders, resume)) response.pause();
    response.on('data', (chunk: Buffer) => {
      if (!this.onData(chunk)) response.pause();
    });
    response.on('end', () => this.onComplete());
    response.on('error', (error) => this.onError(error));
  }

  // The answer; these are the methods that undici calls.

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.#isOver) abort();
    else this.#on('connect');
  }

  onHeaders(status: number, raw: readonly (Buffer | string)[], resume: () => void): boolean {
    if (status < 200 || this.#isOver) return true;
    const exchange = this.#exchange;
    const head = new OwnerHead(status, raw);
    this.#head = head;
    if (head.peer !== undefined) this.#on('refuse');
    else if (head.isShort(exchange.headOnly)) this.#on('buffer');
    else {
      this.#on('relay');
      try {
        this.#relay = new ResponseRelay(exchange, head, resume);
      } catch (problem) {
        this.#fail(problem);
        return false;
      }
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#state === 'relayed') return (this.#relay as ResponseRelay).write(chunk);
    if (!this.#isOver) this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    const head = this.#head;
    const peer = this.#peer;
    // The owner answered without the whole body.
    if (this.#upload !== undefined) this.#abort?.();
    this.#abort = undefined;
    if (this.#isOver || head === undefined || peer === undefined) return;
    if (this.#state === 'relayed') {
      this.#relay?.end();
      return;
    }
    if (this.#state === 'whole') peer.isLost = false;
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    if (this.#state === 'refused') this.#onRefused(peer, head, body);
    // An owner that lost its lease while a change waited says the same: the change may have been made.
    else if (head.status === 503 && this.#client.isRead && codeIn(body) === 'not_owner') this.#untouched();
    else {
      this.#chunks = [];
      sendWhole(this.#exchange, head, body);
    }
  }

  onError(error: Error): void {
    this.#abort = undefined;
    if (this.#isOver) return;
    if (this.#state === 'relayed') this.#fail(error, 'broken');
    else if ((error as NodeJS.ErrnoException).code === 'UND_ERR_INVALID_ARG')
      this.#fail(problems.badRequest('The request cannot be forwarded: its target or one of its headers is not valid.'));
    else if (this.#state === 'sending' || this.#client.isRead) this.#untouched(error);
    else {
      this.#lost(error);
      this.#fail(unconfirmed(), 'owner_lost');
    }
  }

  /** The process refused the request before it read it. */
  #onRefused(peer: Peer, head: OwnerHead, body: Buffer): void {
    if (head.status !== 421) this.#untouched(new Error(`the owner refused the signature: ${body}`));
    else if (codeIn(body) !== 'unknown_nonce') this.#untouched();
    else {
      // Another process has its address now: it introduces itself first.
      if (peer.nonce === this.#nonce) peer.nonce = undefined;
      if (this.#isRenewed) this.#untouched();
      else {
        this.#isRenewed = true;
        this.#attempt();
      }
    }
  }

  // Failures

  /** Nothing was done. @param error for the log; `undefined` if the owner said so */
  #untouched(error?: Error): void {
    if (this.#isOver) return;
    if (error !== undefined) this.#lost(error);
    if (this.#upload?.isStarted === true) this.#fail(noOwner(), 'no_owner');
    else this.#holdOn((this.#parts as SignedParts).shard);
  }

  #lost(error: Error): void {
    if (this.#peer !== undefined) this.#route.lost(this.#peer, error);
  }

  /** Waits for another owner, or for a moment. */
  #holdOn(shard: number): void {
    const now = performance.now();
    this.#deadline ??= now + holdMs;
    const leftMs = this.#deadline - now;
    if (leftMs <= 0 || this.#route.isClosed) {
      this.#fail(noOwner(), 'no_owner');
      return;
    }
    this.#on('hold');
    const not = this.#peer?.address;
    // Without an owner there is no node to ask again.
    const ms = not === undefined ? leftMs : Math.min(leftMs, this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMs.most);
    void this.#route.nextOwner(shard, not, ms).then(() => this.#attempt());
  }

  #fail(error: unknown, reason?: ForwardFailure): void {
    if (reason !== undefined) this.#route.failed(reason);
    this.#end();
    this.#exchange.fail(error);
  }

  // The end

  /** Breaks the attempt in progress off. */
  #end(): void {
    if (this.#isOver) return;
    this.#on('end');
    const abort = this.#abort;
    this.#abort = undefined;
    abort?.();
    this.#route.ended(this);
  }
}

/** The `code` of a problem document; `undefined` for anything else. */
function codeIn(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString()) as { readonly code?: unknown }).code;
  } catch {
    return undefined;
  }
}

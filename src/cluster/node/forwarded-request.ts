/**
 * One request of a client that is sent to the owner of its shard, perhaps several times.
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
import { receive } from '../../http/request/receive.ts';
import { pathOf } from '../../http/router.ts';
import type { HttpRequest } from '../../http/transport.ts';
import { OwnerHead, ResponseRelay, sendWhole } from './owner-response.ts';
import type { OwnerAddress, Peer } from './peer.ts';
import { credentialsOf, type PeerSignature, peerHeader, type SignedParts } from './peer-signature.ts';
import { UploadBody, type UploadEvents, upload } from './upload.ts';

/**
 * Why a request could not be forwarded: `no_owner`: nothing was done; `owner_lost`: a change may have been made; `broken`: the response broke off.
 */
export type ForwardFailure = 'no_owner' | 'owner_lost' | 'broken';

/** What a request needs of its forwarder. */
export interface Route {
  readonly signature: PeerSignature;
  /** Whether this node stops. */
  readonly isClosed: boolean;
  /** See `ForwarderOptions.shardOf`. */
  shardOf(req: HttpRequest): number | Promise<number>;
  /** The connections to the owner of a shard; `undefined` if this node knows none. */
  peer(shard: number): Peer | undefined;
  /** See `ForwarderOptions.nextOwner`. Never rejects. */
  nextOwner(shard: number, not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined>;
  /** Logs the first of several failures. */
  lost(peer: Peer, error: Error): void;
  /** Counts a request that this node could not forward. */
  failed(reason: ForwardFailure): void;
  /** Called once. */
  ended(request: ForwardedRequest): void;
}

/** Milliseconds for which a request waits for an owner, after its first failure. */
export const holdMs = 2000;

/** Milliseconds before the same owner is asked again: doubled each time, up to the maximum. */
const pauseMs = { first: 20, most: 250 };

/** Recommended delay before a retry of the client, in seconds. */
const retryAfterS = 1;

/** Methods whose body the API reads. The body of any other request is ignored, here as on the owner. */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Headers of the client that are not passed on. Others that its `Connection` header names are: the owner reads them if they are sent to it
 * directly, and the result must not depend on the node.
 */
const notPassedOn: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
  ...['content-length', 'expect', 'x-forwarded-for', 'x-request-id', peerHeader],
]);

const noOwner = () =>
  problems.unavailable('No server owns the data at the moment: nothing was changed. Retry.', retryAfterS, 'no_owner');

const noShard = () =>
  problems.unavailable('The key cannot be looked up at the moment: nothing was changed. Retry.', retryAfterS, 'no_owner');

const unconfirmed = () =>
  problems.unavailable(
    'The connection to the server that owns the data broke. The change may have been made: read the resource, or repeat the request with the same Idempotency-Key.',
    retryAfterS,
    'owner_lost',
  );

type Mode = 'waiting' | 'refused' | 'whole' | 'relayed' | 'over';

export class ForwardedRequest implements Dispatcher.DispatchHandler {
  readonly #exchange: FallbackExchange;
  readonly #route: Route;
  readonly #method: string;
  readonly #target: string;
  readonly #headers: string[] = [];
  readonly #forwardedFor: string;
  readonly #credentials: string;
  /** Known with the shard. */
  #parts: SignedParts | undefined;
  #body: Buffer | undefined;
  #upload: UploadBody | undefined;
  #peer: Peer | undefined;
  #deadline: number | undefined;
  #pauseMs = pauseMs.first;
  /** Whether it was sent again with the nonce of another process. */
  #isRenewed = false;
  #isEnded = false;

  // The attempt in progress.
  #mode: Mode = 'waiting';
  #abort: ((error?: Error) => void) | undefined;
  #isSent = false;
  #nonce = '';
  #head: OwnerHead | undefined;
  #chunks: Buffer[] = [];
  #relay: ResponseRelay | undefined;

  constructor(exchange: FallbackExchange, route: Route) {
    this.#exchange = exchange;
    this.#route = route;
    const { req } = exchange;
    const { method = '', url = '', rawHeaders, headers } = req;
    this.#method = method;
    this.#target = url.startsWith('/') ? url : originForm(url);
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      if (!notPassedOn.has(name.toLowerCase())) this.#headers.push(name, rawHeaders[i + 1] as string);
    }
    const sentFor = headers['x-forwarded-for'];
    const address = req.socket?.remoteAddress ?? '';
    this.#forwardedFor = sentFor === undefined ? address : `${sentFor}, ${address}`;
    this.#headers.push('X-Request-Id', exchange.requestId, 'X-Forwarded-For', this.#forwardedFor);
    this.#credentials = credentialsOf(req);
    exchange.res.on('close', () => this.#end());
  }

  get #isRead(): boolean {
    return this.#method === 'GET' || this.#method === 'HEAD';
  }

  /** Whether the response is a stream of events. */
  get isEvents(): boolean {
    return this.#relay !== undefined && this.#head?.isEvents === true;
  }

  start(): void {
    const { req, expectation, context } = this.#exchange;
    const isChunked = req.headers['transfer-encoding'] !== undefined;
    const length = declaredLength(req);
    if (!withBody.has(this.#method) || (!isChunked && length === 0)) this.#attempt();
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
    const exchange = this.#exchange;
    const { limits, bodyWatch } = exchange.context;
    try {
      // The account of a key is known to the owner only.
      if (this.#credentials !== '') exchange.countFor(this.#credentials);
      exchange.expectBody();
    } catch (problem) {
      this.#fail(problem);
      return;
    }
    receive(exchange.req, {
      bytesMax: limits.bodyBytesMax,
      bytesExpected: length,
      watch: bodyWatch,
      hold: (more) => exchange.holdBody(more),
      received: (bytes) => {
        exchange.bodyReceived(undefined);
        this.#body = bytes;
        this.#attempt();
      },
      overflowed: (bytes) => this.#startUpload(bytes),
      failed: (error) => this.#fail(error),
    });
  }

  #startUpload(begun: Buffer | undefined): void {
    const length = this.#exchange.req.headers['content-length'];
    this.#upload = new UploadBody(this.#exchange, begun);
    this.#headers.push(...(length === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', length]));
    this.#attempt();
  }

  // Attempts

  #attempt(): void {
    if (this.#mode === 'over') return;
    this.#mode = 'waiting';
    this.#isSent = false;
    this.#head = undefined;
    this.#chunks = [];
    if (this.#parts === undefined) {
      const shard = this.#route.shardOf(this.#exchange.req);
      if (typeof shard !== 'number') {
        shard.then(
          (found) => {
            this.#setShard(found);
            this.#attempt();
          },
          () => {
            if (this.#mode !== 'over') this.#fail(noShard(), 'no_owner');
          },
        );
        return;
      }
      this.#setShard(shard);
    }
    const { shard } = this.#parts as SignedParts;
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

  #setShard(shard: number): void {
    const credentials = this.#credentials;
    this.#parts = { shard, method: this.#method, target: this.#target, credentials, forwardedFor: this.#forwardedFor };
  }

  #send(peer: Peer): void {
    if (this.#mode === 'over') return;
    const { nonce } = peer;
    // Refused meanwhile by another request.
    if (nonce === undefined) {
      this.#attempt();
      return;
    }
    this.#nonce = nonce;
    const headers = this.#headers.concat('Mapwright-Peer', this.#route.signature.sign(nonce, this.#parts as SignedParts));
    if (this.#upload !== undefined) {
      this.#sendUpload(peer, this.#upload, headers);
      return;
    }
    const pool = this.#method === 'GET' && pathOf(this.#target).endsWith('/events') ? peer.streams : peer.requests;
    const options = { path: this.#target, method: this.#method as Dispatcher.HttpMethod, headers, body: this.#body ?? null };
    // undici closes the connection after a HEAD by default, for servers that send a body.
    pool.dispatch(this.#method === 'HEAD' ? { ...options, reset: false } : options, this);
  }

  #sendUpload(peer: Peer, body: UploadBody, headers: string[]): void {
    const { url } = peer;
    const sent = this.#headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
    if (!sent) headers.push('Host', url.host);
    const events: UploadEvents = {
      response: (response) => this.#onUploadResponse(response),
      failed: (error, untouched) => {
        this.#isSent = !untouched;
        this.onError(error);
      },
    };
    this.#abort = upload(url, { method: this.#method, path: this.#target, headers }, body, events, peer.uploads);
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
    // From now on bytes may be on their way.
    this.#isSent = true;
    if (this.#mode === 'over') abort();
  }

  onHeaders(status: number, raw: readonly (Buffer | string)[], resume: () => void): boolean {
    if (status < 200 || this.#mode === 'over') return true;
    const exchange = this.#exchange;
    const head = new OwnerHead(status, raw);
    this.#head = head;
    if (head.peer !== undefined) this.#mode = 'refused';
    else if (head.isShort(exchange.headOnly)) this.#mode = 'whole';
    else {
      this.#mode = 'relayed';
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
    if (this.#mode === 'relayed') return (this.#relay as ResponseRelay).write(chunk);
    if (this.#mode !== 'over') this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    const head = this.#head;
    const peer = this.#peer;
    // The owner answered without the whole body.
    if (this.#upload !== undefined) this.#abort?.();
    this.#abort = undefined;
    if (this.#mode === 'over' || head === undefined || peer === undefined) return;
    if (this.#mode === 'relayed') {
      this.#relay?.end();
      return;
    }
    if (this.#mode === 'whole') peer.isLost = false;
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    if (this.#mode === 'refused') this.#onRefused(peer, head, body);
    // An owner that lost its lease while a change waited says the same: the change may have been made.
    else if (head.status === 503 && this.#isRead && codeIn(body) === 'not_owner') this.#untouched();
    else {
      this.#chunks = [];
      sendWhole(this.#exchange, head, body);
    }
  }

  onError(error: Error): void {
    this.#abort = undefined;
    if (this.#mode === 'over') return;
    if (this.#mode === 'relayed') this.#fail(error, 'broken');
    else if ((error as NodeJS.ErrnoException).code === 'UND_ERR_INVALID_ARG')
      this.#fail(problems.badRequest('The request cannot be forwarded: its target or one of its headers is not valid.'));
    else if (!this.#isSent || this.#isRead) this.#untouched(error);
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
    if (error !== undefined) this.#lost(error);
    if (this.#upload?.isStarted === true) this.#fail(noOwner(), 'no_owner');
    else this.#holdOn((this.#parts as SignedParts).shard);
  }

  #lost(error: Error): void {
    if (this.#peer !== undefined && this.#mode !== 'over') this.#route.lost(this.#peer, error);
  }

  /** Waits for another owner, or for a moment. */
  #holdOn(shard: number): void {
    if (this.#mode === 'over') return;
    const now = performance.now();
    this.#deadline ??= now + holdMs;
    const leftMs = this.#deadline - now;
    if (leftMs <= 0 || this.#route.isClosed) {
      this.#fail(noOwner(), 'no_owner');
      return;
    }
    const not = this.#peer?.address;
    // Without an owner there is no node to ask again.
    const ms = not === undefined ? leftMs : Math.min(leftMs, this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMs.most);
    void this.#route.nextOwner(shard, not, ms).then(() => this.#attempt());
  }

  #fail(error: unknown, reason?: ForwardFailure): void {
    if (reason !== undefined) this.#route.failed(reason);
    this.#stop();
    this.#exchange.fail(error);
    this.#end();
  }

  // The end

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stop();
    this.#route.ended(this);
  }

  /** Breaks the attempt in progress off. */
  #stop(): void {
    this.#mode = 'over';
    const abort = this.#abort;
    this.#abort = undefined;
    abort?.();
  }
}

/** The path and query of a target with scheme and host. */
function originForm(url: string): string {
  const query = url.indexOf('?');
  return pathOf(url) + (query === -1 ? '' : url.slice(query));
}

/** The `code` of a problem document; `undefined` for anything else. */
function codeIn(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString()) as { readonly code?: unknown }).code;
  } catch {
    return undefined;
  }
}

/** State that all requests of a listener share, made once from its options. Nothing here belongs to one request or one connection. */
import { randomBytes } from 'node:crypto';
import { redactKeys } from '../lib/text/redact.ts';
import { AdmissionControl } from './guard/admission.ts';
import { Authenticator } from './guard/authentication.ts';
import { Cors } from './guard/cors.ts';
import { type Limits, limitsWith } from './guard/http-limits.ts';
import { ProgressTimer } from './guard/progress-timer.ts';
import { HttpMetrics } from './http-metrics.ts';
import type { ListenerOptions } from './listener-options.ts';
import { Observer } from './observer.ts';
import { Addresses } from './request/addresses.ts';
import { BodyQueue } from './request/body-queue.ts';
import { Compression } from './response/compression.ts';
import { EventStreams } from './response/event-stream.ts';
import { GunzipSteps } from './response/gunzip-source.ts';
import { OutputBuffers } from './response/output-buffers.ts';
import type { SendingContext } from './response/reply.ts';
import { Router } from './router.ts';

export class HttpContext<Principal> implements SendingContext {
  readonly options: ListenerOptions<Principal>;
  readonly limits: Limits;
  readonly router: Router<Principal>;
  readonly authenticator: Authenticator<Principal>;
  readonly admission: AdmissionControl;
  /** Queues of large bodies. */
  readonly bodyQueue = new BodyQueue();
  /** Fails bodies that stall. */
  readonly bodyWatch: ProgressTimer;
  readonly outputBuffers: OutputBuffers;
  readonly compression: Compression | undefined;
  readonly gunzipSteps = new GunzipSteps();
  readonly cors: Cors | undefined;
  readonly streams: EventStreams;
  readonly addresses: Addresses;
  readonly metrics = new HttpMetrics();
  readonly observer: Observer<Principal>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Generates the ID of a request; see {@link requestIds}. */
  readonly nameRequest = requestIds();
  /** Whether each connection is closed after its next response. */
  draining = false;

  /** Throws if two endpoints declare the same method and path. */
  constructor(options: ListenerOptions<Principal>) {
    this.options = options;
    this.limits = limitsWith(options.limits);
    this.router = new Router(options.endpoints, options.proxy?.basePath);
    this.authenticator = new Authenticator(options);
    this.admission = new AdmissionControl(this.limits);
    this.bodyWatch = new ProgressTimer(this.limits.bodyStallTimeoutMs);
    this.outputBuffers = new OutputBuffers(this.limits);
    this.compression = options.compression === false ? undefined : new Compression(options.compressedCache);
    this.cors = options.cors === undefined || options.cors.length === 0 ? undefined : new Cors(options.cors);
    this.streams = new EventStreams(this.limits, () => options.responseGate?.());
    this.addresses = new Addresses(this.limits.connectionsPerAddressMax, options.proxy?.proxies);
    this.observer = new Observer(options);
    this.clock = options.clock ?? Date.now;
  }
}

/** A usable `X-Request-Id` of a client: it cannot break a log line, a header or a shell. A key that was sent by mistake is refused too. */
const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Digits of the counter: every id has the same length, so two refusals of one kind have one length. */
const countDigits = 7;

/**
 * A source of request ids for one process: the id that the client sent if it is usable, else a random prefix, so that two processes do not
 * collide, and a counter, so that making one costs no randomness. An id is a name, not a secret.
 */
function requestIds(): (sent: unknown) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (sent) =>
    typeof sent === 'string' && acceptable.test(sent) && redactKeys(sent) === sent
      ? sent
      : `${prefix}-${(++count).toString(36).padStart(countDigits, '0')}`;
}

/**
 * Fetches a data source once. The source, its name server and everything between may be hostile: whatever they do, the result is an
 * outcome within the time limit, and memory stays within the size limit.
 *
 *     request → check URL → resolve, check addresses → connect, compare → send → status
 *        ▲                                                                       │ GET, 3xx, at most 3 times
 *        └───────────────────────────────────────────────────────────────────────┘
 */
import http from 'node:http';
import { packageVersion } from '../../lib/package.ts';
import { type GuardOptions, guardedAddresses } from './address-guard.ts';
import { maxAgeOf } from './max-age.ts';
import { acceptedEncodings, jsonText, readBody } from './response-body.ts';
import { type Connect, connectPinned, reasonOf } from './source-connection.ts';
import { SourceFailure, type SourceProblem } from './source-problem.ts';
import { isRedirect, redirectTarget } from './source-redirect.ts';
import type { SourceRequest } from './source-request.ts';

export interface FetchOptions extends GuardOptions {
  /** For the whole fetch, with redirects and body. */
  readonly timeoutMs: number;
  /** Limit of the body, after decompression. */
  readonly bytesMax: number;
  /** That of the last response, for a conditional request. */
  readonly validator?: Validator | undefined;
  /** Ends the fetch with the problem `cancelled`. */
  readonly signal?: AbortSignal;
  /** Default: `net.connect`. */
  readonly connect?: Connect;
}

/** An entity tag, and the URL that it is valid for: the one at the end of the redirects. */
export interface Validator {
  readonly url: string;
  readonly etag: string;
}

/**
 * `ms` is the duration. `status` is that of the last response, or `null` without one. `maxAge` is how long it may be used, in seconds, or
 * `null` if the source does not say.
 */
export type FetchOutcome =
  | {
      readonly kind: 'body';
      readonly status: number;
      readonly ms: number;
      readonly json: string;
      readonly bytes: number;
      readonly validator: Validator | undefined;
      readonly maxAge: number | null;
    }
  /** The response that the validator belongs to is still current. */
  | { readonly kind: 'unchanged'; readonly status: number; readonly ms: number; readonly maxAge: number | null }
  | { readonly kind: 'failed'; readonly status: number | null; readonly ms: number; readonly problem: SourceProblem };

/** Fetches a data source. Never rejects, whatever the source does. */
export async function fetchSource(request: SourceRequest, options: FetchOptions): Promise<FetchOutcome> {
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  const ended = new AbortController();
  const cancel = (): void => ended.abort(new SourceFailure('cancelled', 'The fetch was cancelled. Fetch again.'));
  const { signal, timeoutMs } = options;
  const timer = setTimeout(() => ended.abort(timedOut(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();
  try {
    return { ...(await new Fetch(request, options, ended.signal).run()), ms: ms() };
  } catch (error) {
    const { problem, status } = failureOf(ended.signal.aborted ? ended.signal.reason : error);
    return { kind: 'failed', status, ms: ms(), problem };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

type Untimed<T> = T extends unknown ? Omit<T, 'ms'> : never;
type Header = readonly [name: string, value: string];

class Fetch {
  readonly #request: SourceRequest;
  readonly #options: FetchOptions;
  readonly #signal: AbortSignal;
  #url: URL;
  /** Whether all URLs so far have the origin of the data source: the other ones never get its headers. */
  #isAtOrigin = true;

  constructor(request: SourceRequest, options: FetchOptions, signal: AbortSignal) {
    this.#request = request;
    this.#options = options;
    this.#signal = signal;
    this.#url = request.url;
  }

  async run(): Promise<Untimed<FetchOutcome>> {
    for (let followed = 0; ; followed++) {
      const response = await this.#send();
      try {
        const status = response.statusCode ?? 0;
        if (!isRedirect(status)) return await this.#outcome(response, status);
        const { location } = response.headers;
        this.#url = redirectTarget({ method: this.#request.method, url: this.#url, status, location, followed });
        if (this.#url.origin !== this.#request.url.origin) this.#isAtOrigin = false;
      } finally {
        response.destroy();
      }
    }
  }

  /** The response to one request, its body unread. */
  async #send(): Promise<http.IncomingMessage> {
    const url = this.#url;
    const addresses = await guardedAddresses(url, this.#options, this.#signal);
    const socket = await connectPinned(url, addresses, this.#signal, this.#options.connect);
    const { method, body } = this.#request;
    const sent = http.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: this.#headers().flat(),
      createConnection: () => socket,
    });
    return new Promise((resolve, reject) => {
      const abort = (): void => void sent.destroy(this.#signal.reason as Error);
      this.#signal.addEventListener('abort', abort, { once: true });
      sent.on('error', (error) => reject(this.#signal.aborted ? this.#signal.reason : responseFailure(url, error)));
      sent.once('response', resolve);
      sent.once('close', () => {
        this.#signal.removeEventListener('abort', abort);
        // After a response this has no effect. Node closes the connection without an error when the source switches protocols.
        reject(responseFailure(url, new Error('it sent no response')));
      });
      if (this.#signal.aborted) abort();
      // Of a text Node would make one with the headers, and send these in UTF-8, too.
      else sent.end(body === undefined ? undefined : Buffer.from(body));
    });
  }

  #headers(): Header[] {
    const { headers, body } = this.#request;
    const own = this.#isAtOrigin ? headers : [];
    const named = new Set(own.map(([name]) => name.toLowerCase()));
    const { validator } = this.#options;
    const defaults: Header[] = [
      ['Accept', 'application/json'],
      ['Accept-Encoding', acceptedEncodings],
      ['User-Agent', `mapwright/${packageVersion()}`],
    ];
    if (validator?.url === this.#url.href) defaults.push(['If-None-Match', validator.etag]);
    return [
      ['Host', this.#url.host],
      ...own,
      ...defaults.filter(([name]) => !named.has(name.toLowerCase())),
      ...(body === undefined ? [] : ([['Content-Length', `${Buffer.byteLength(body)}`]] as const)),
      ['Connection', 'close'],
    ];
  }

  async #outcome(response: http.IncomingMessage, status: number): Promise<Untimed<FetchOutcome>> {
    const maxAge = maxAgeOf(response.headers['cache-control']);
    if (status === 304 && this.#options.validator?.url === this.#url.href) return { kind: 'unchanged', status, maxAge };
    if (status < 200 || status > 299) throw statusFailure(this.#url, response);
    let body: Buffer;
    try {
      body = await readBody(response, this.#options.bytesMax, this.#signal);
    } catch (error) {
      throw error instanceof SourceFailure || this.#signal.aborted ? error : responseFailure(this.#url, error, status);
    }
    const json = await jsonText(body, status);
    const { etag } = response.headers;
    const validator = etag === undefined ? undefined : { url: this.#url.href, etag };
    return { kind: 'body', status, json, bytes: Buffer.byteLength(json), validator, maxAge };
  }
}

/** An error that is none of the source is one of this program: it is reported, not thrown, since a fetch never rejects. */
function failureOf(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  return new SourceFailure('invalid_response', `The response cannot be read: ${reasonOf(error)}. Check the source.`);
}

const timedOut = (timeoutMs: number): SourceFailure =>
  new SourceFailure(
    'timeout',
    `The source did not send a complete response within ${timeoutMs / 1000} s (--data-timeout). Check that it runs, or ask it for less.`,
  );

/** A request that failed after the connection was open. */
function responseFailure(url: URL, error: unknown, status: number | null = null): SourceFailure {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_'))
    return new SourceFailure(
      'invalid_response',
      `${url.host} does not answer in valid HTTP/1.1 (${code}). Check host and port of the URL.`,
      status,
    );
  return new SourceFailure(
    'connection_failed',
    `${url.host} ended the connection before the response was complete (${reasonOf(error)}). Check the source, and whether its port expects https.`,
    status,
  );
}

function statusFailure(url: URL, { statusCode = 0 }: http.IncomingMessage): SourceFailure {
  const status = `${statusCode} ${http.STATUS_CODES[statusCode] ?? ''}`.trimEnd();
  return new SourceFailure('http_status', `${url.host} answered ${status}. ${adviceOf(statusCode)}`, statusCode);
}

function adviceOf(status: number): string {
  if (status === 401 || status === 403) return 'Check the headers of the data source, such as Authorization.';
  if (status === 404 || status === 410) return 'Check the URL of the data source.';
  if (status === 405) return 'Check the method of the data source.';
  if (status === 429) return 'The source limits requests: use a longer refresh.';
  if (status >= 500) return 'The source failed: check it, or wait.';
  return 'Check URL, method and headers of the data source.';
}

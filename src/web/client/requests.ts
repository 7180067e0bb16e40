/** Sends requests: openapi-fetch builds the request and reads the response; this file adds retries, timeouts and errors. */
import createFetcher, { type ParseAs } from 'openapi-fetch';
import { bodyOf, LinkedSignal, unlessAborted } from './abort.ts';
import { isStream, sendingOf } from './byte-bodies.ts';
import { ConnectionError, problemIn, unexpected } from './client-errors.ts';
import { checkNames } from './path-names.ts';
import { type AttemptOutcome, pauseMs, type Retry, withRetry } from './retry.ts';

/** The arguments of any request. The types of the client have checked them. */
export interface AnyInit {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, string>>;
  };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly parseAs?: ParseAs;
}

/** The result of a request that got a response. */
export type RequestResult = Exclude<AttemptOutcome, { readonly error: ConnectionError }>;

/** openapi-fetch's `request`. */
type Send = (method: string, path: string, init: object) => Promise<FetchResult>;

interface FetchResult {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** Like the global `fetch`. The signal is also that of the request, because Node may lose that one. */
export type Fetch = (request: Request, init?: { readonly signal: AbortSignal }) => Promise<Response>;

/** Mapwright never redirects. Following a redirect would send the request body to the target. */
const redirect = 'manual';

/** Imports get no key: they and their responses may be hundreds of megabytes, too much to keep on either side. */
const importPath = '/projects/import';

export class Requests {
  readonly retry: Retry;
  readonly #root: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: Fetch;
  readonly #send: Send;

  /** @param root prefix of all paths, without a slash at its end */
  constructor(root: string, headers: Readonly<Record<string, string>>, fetch: Fetch, retry: Retry) {
    this.retry = retry;
    this.#root = root;
    this.#headers = headers;
    this.#fetch = fetch;
    this.#send = createFetcher({ baseUrl: root, headers }).request as unknown as Send;
  }

  /** The result after retries. Throws {@link ConnectionError}, or the reason of the signal. */
  async ask(method: string, path: string, init: AnyInit = {}): Promise<RequestResult> {
    checkNames(path, init.params?.path);
    const bytes = sendingOf(init.body);
    const retry = isStream(init.body) ? { ...this.retry, attempts: 1 } : this.retry;
    const header = { ...(bytes && { 'Content-Type': bytes.type }), ...init.headers, ...init.params?.header };
    const names = new Set(Object.keys(header).map((name) => name.toLowerCase()));
    const isOwnKey = method === 'POST' && path !== importPath && retry.attempts > 1 && !names.has('idempotency-key');
    let attempts = 0;
    const attempt = (key?: string) => () => {
      attempts++;
      return this.#attempt(method, path, {
        ...init,
        ...bytes?.init,
        headers: key === undefined ? header : { ...header, 'Idempotency-Key': key },
      });
    };
    const repeatable = {
      method,
      hasKey: isOwnKey || names.has('idempotency-key'),
      isConditional: names.has('if-match') || names.has('if-none-match'),
      signal: init.signal,
    };
    let outcome = await withRetry(attempt(isOwnKey ? newKey() : undefined), repeatable, retry);
    // The server cannot store this response, and did nothing. So send it once more, without the key.
    if (isOwnKey && attempts === 1 && this.#isForKey(outcome)) outcome = await attempt()();
    if (outcome.response === undefined) throw outcome.error;
    return outcome;
  }

  /** Whether the request may have been rejected only because of its `Idempotency-Key`. */
  #isForKey({ error, response }: AttemptOutcome): boolean {
    if (response?.status === 413) return true;
    return response?.status === 429 && pauseMs(1, error?.retryAfter, this.retry) === undefined;
  }

  /** The data of a successful response. Throws {@link ProblemError} for an error response. */
  async must(method: string, path: string, init?: AnyInit): Promise<{ readonly data: unknown; readonly response: Response }> {
    const answer = await this.ask(method, path, init);
    if (answer.error !== undefined) throw answer.error;
    return answer;
  }

  async #attempt(
    method: string,
    path: string,
    { parseAs, params = {}, signal: callerSignal, ...init }: AnyInit,
  ): Promise<AttemptOutcome> {
    callerSignal?.throwIfAborted();
    const following = callerSignal ? new LinkedSignal(callerSignal) : undefined;
    const signal = following?.signal;
    let response: Response | undefined;
    let name = `${method} ${this.#root}${path}`;
    const fetch = async (request: Request): Promise<Response> => {
      name = `${method} ${request.url.split('?', 1)[0]}`;
      response = await this.#fetchResponse(name, request, signal);
      return response;
    };
    const { header: _, ...rest } = params;
    try {
      const sent = this.#send(method, path, { ...init, signal, params: rest, parseAs: parseAs ?? 'text', redirect, fetch });
      const answer = await unlessAborted(sent, signal);
      response = answer.response;
      if (!response.ok) return { error: problemIn(name, response, answer.error), response };
      const isEmpty = answer.data === undefined && (method === 'DELETE' || (method === 'PUT' && response.status === 204));
      if (parseAs === 'stream' && !isEmpty)
        return { data: bodyOf(response, callerSignal, (cause) => new ConnectionError(name, cause)), response };
      const isTable = response.headers.get('content-type')?.startsWith('text/csv');
      if (parseAs !== undefined || isEmpty || isTable) return { data: answer.data, response };
      const data: unknown = JSON.parse((answer.data as string | undefined) ?? '');
      // All other responses are objects, or lists of objects.
      return typeof data === 'object' && data !== null ? { data, response } : { error: unexpected(name, response), response };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ConnectionError) return { error };
      if (response === undefined) throw error;
      if (error instanceof SyntaxError) return { error: unexpected(name, response), response };
      // The response had started.
      return { error: new ConnectionError(name, error) };
    } finally {
      following?.letGo();
    }
  }

  async #fetchResponse(name: string, request: Request, signal: AbortSignal | undefined): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(request, signal && { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : new ConnectionError(name, error);
    }
    // The caller no longer waits, so the connection would stay open.
    if (signal?.aborted) discard(response);
    signal?.throwIfAborted();
    return response;
  }

  /** Opens an endless response. Throws {@link ConnectionError}, or {@link ProblemError} for an error response. */
  async open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const url = this.#root + path;
    const name = `GET ${url}`;
    const request = new Request(url, { headers: { ...this.#headers, ...headers }, redirect, signal });
    const response = await this.#fetchResponse(name, request, signal);
    const { body, ok } = response;
    const type = response.headers.get('content-type') ?? '';
    if (ok && body !== null && type.startsWith('text/event-stream')) return body;
    // Only a problem is read. Another response may be endless.
    const isProblem = type.includes('json');
    if (!isProblem) discard(response);
    throw problemIn(name, response, isProblem ? await response.json().catch(() => undefined) : undefined);
  }
}

/** Cancels a body. Does not wait, because a cloned response finishes only after its clone is cancelled too. */
const discard = ({ body }: Response): void => void body?.cancel().catch(() => {});

/** A random key. `crypto.randomUUID` is missing in pages loaded over plain HTTP. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

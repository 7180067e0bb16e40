/** One request and what comes of it: openapi-fetch puts it together and reads the answer; here it is sent again where that helps. */
import createFetcher, { type ParseAs } from 'openapi-fetch';
import { bodyOf, Following, unlessAborted } from './abort.ts';
import { ConnectionError, problemIn, unexpected } from './errors.ts';
import { checkNames } from './names.ts';
import { type Outcome, pauseMs, persist, type Retry } from './retry.ts';

/** A request, whatever it is. The types of the client have looked at it. */
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

/** An answer: what was asked for, or why not. */
export type Answer = Exclude<Outcome, { readonly error: ConnectionError }>;

/** openapi-fetch's `request`. */
type Send = (method: string, path: string, init: object) => Promise<Sent>;

interface Sent {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** As the global one. The signal is that of the request, said twice because Node may lose sight of it. */
export type Fetch = (request: Request, init?: { readonly signal: AbortSignal }) => Promise<Response>;

/** Mapwright never redirects. Whoever does, in its place, would have the body of the request, and say where to. */
const redirect = 'manual';

/** An import may be hundreds of megabytes, and its answer as well, which is too much to be kept on either side. */
const importPath = '/projects/import';

export class Requests {
  readonly retry: Retry;
  readonly #root: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: Fetch;
  readonly #send: Send;

  /** @param root below which the paths are, without a slash at its end */
  constructor(root: string, headers: Readonly<Record<string, string>>, fetch: Fetch, retry: Retry) {
    this.retry = retry;
    this.#root = root;
    this.#headers = headers;
    this.#fetch = fetch;
    this.#send = createFetcher({ baseUrl: root, headers }).request as unknown as Send;
  }

  /** The answer, after as many attempts as it takes. Throws {@link ConnectionError}, and what the signal was aborted with. */
  async ask(method: string, path: string, init: AnyInit = {}): Promise<Answer> {
    checkNames(path, init.params?.path);
    const header = { ...init.headers, ...init.params?.header };
    const names = new Set(Object.keys(header).map((name) => name.toLowerCase()));
    const isOurKey = method === 'POST' && path !== importPath && this.retry.attempts > 1 && !names.has('idempotency-key');
    let attempts = 0;
    const attempt = (key?: string) => () => {
      attempts++;
      return this.#attempt(method, path, {
        ...init,
        headers: key === undefined ? header : { ...header, 'Idempotency-Key': key },
      });
    };
    const repeatable = {
      method,
      hasKey: isOurKey || names.has('idempotency-key'),
      isConditional: names.has('if-match') || names.has('if-none-match'),
      signal: init.signal,
    };
    let outcome = await persist(attempt(isOurKey ? newKey() : undefined), repeatable, this.retry);
    // The server has no room to remember this answer, and did nothing. So it is sent without our key, and once.
    if (isOurKey && attempts === 1 && this.#isForKey(outcome)) outcome = await attempt()();
    if (outcome.response === undefined) throw outcome.error;
    return outcome;
  }

  /** Whether it may have been refused for its `Idempotency-Key` alone. */
  #isForKey({ error, response }: Outcome): boolean {
    if (response?.status === 413) return true;
    return response?.status === 429 && pauseMs(1, error?.retryAfter, this.retry) === undefined;
  }

  /** The success. Throws {@link ProblemError} for a refusal. */
  async must(method: string, path: string, init?: AnyInit): Promise<{ readonly data: unknown; readonly response: Response }> {
    const answer = await this.ask(method, path, init);
    if (answer.error !== undefined) throw answer.error;
    return answer;
  }

  async #attempt(method: string, path: string, { parseAs, params = {}, signal: asked, ...init }: AnyInit): Promise<Outcome> {
    asked?.throwIfAborted();
    const following = asked ? new Following(asked) : undefined;
    const signal = following?.signal;
    let response: Response | undefined;
    let name = `${method} ${this.#root}${path}`;
    const fetch = async (request: Request): Promise<Response> => {
      name = `${method} ${request.url.split('?', 1)[0]}`;
      response = await this.#fetched(name, request, signal);
      return response;
    };
    const { header: _, ...rest } = params;
    try {
      const sent = this.#send(method, path, { ...init, signal, params: rest, parseAs: parseAs ?? 'text', redirect, fetch });
      const answer = await unlessAborted(sent, signal);
      response = answer.response;
      if (!response.ok) return { error: problemIn(name, response, answer.error), response };
      const isNothing = answer.data === undefined && method === 'DELETE';
      if (parseAs === 'stream' && !isNothing)
        return { data: bodyOf(response, asked, (cause) => new ConnectionError(name, cause)), response };
      if (parseAs !== undefined || isNothing) return { data: answer.data, response };
      const data: unknown = JSON.parse((answer.data as string | undefined) ?? '');
      // Whatever is answered is an object, or a list of them.
      return typeof data === 'object' && data !== null ? { data, response } : { error: unexpected(name, response), response };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ConnectionError) return { error };
      if (response === undefined) throw error;
      if (error instanceof SyntaxError) return { error: unexpected(name, response), response };
      // The answer had begun.
      return { error: new ConnectionError(name, error) };
    } finally {
      following?.letGo();
    }
  }

  async #fetched(name: string, request: Request, signal: AbortSignal | undefined): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(request, signal && { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : new ConnectionError(name, error);
    }
    // Nobody waits for it any more, and it would stay open.
    if (signal?.aborted) leave(response);
    signal?.throwIfAborted();
    return response;
  }

  /** Opens what has no end. Throws {@link ConnectionError}, and {@link ProblemError} where that is refused. */
  async open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const url = this.#root + path;
    const name = `GET ${url}`;
    const request = new Request(url, { headers: { ...this.#headers, ...headers }, redirect, signal });
    const response = await this.#fetched(name, request, signal);
    const { body, ok } = response;
    const type = response.headers.get('content-type') ?? '';
    if (ok && body !== null && type.startsWith('text/event-stream')) return body;
    // What is no refusal of ours is not read: it may have no end.
    const isProblem = type.includes('json');
    if (!isProblem) leave(response);
    throw problemIn(name, response, isProblem ? await response.json().catch(() => undefined) : undefined);
  }
}

/** What is in it is not read. Nor is the end of that waited for: where the response was cloned, the clone has to be left first. */
const leave = ({ body }: Response): void => void body?.cancel().catch(() => {});

/** A UUID would do as well, but on pages that came over plain HTTP there is no `crypto.randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

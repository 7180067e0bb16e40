/** The HTTP client of the commands. It streams request and response bodies, because they may be larger than the memory. */
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { secondsIn } from '../web/client/client-errors.ts';
import { rootOf } from '../web/client/client-root.ts';
import { ApiError, type BodyError } from './api-error.ts';
import { asGiven, sourceOf, UsageError } from './option-parsing.ts';

/** Options of every command that calls a server. */
export const clientOptions = {
  url: { type: 'string', default: 'http://127.0.0.1:8070', describe: 'Address of the server' },
  key: {
    type: 'string',
    demandOption: true,
    describe: 'An API key; safer in MAPWRIGHT_KEY, because lists of processes show flags',
  },
} as const;

const keyAdvice =
  'Create one with: npx mapwright keys create NAME. NAME is the name of your account ("default", unless it was renamed)';

/** The message for a missing key. */
export const needsKey = () => `This command needs an API key, in MAPWRIGHT_KEY or as --key mw_... ${keyAdvice}`;

/** The message for a missing key, or for a missing project of a command. */
export const needsProject = (command: string) => () =>
  sourceOf('key').from === 'default' ? needsKey() : `Name a project: npx mapwright ${command} ID`;

/** A request body. Each attempt opens it again. */
interface RequestBody {
  readonly bytes: number;
  /** Its media type; default: JSON. */
  readonly type?: string;
  open(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

const jsonType = 'application/json';
/** Timeout for a connection without traffic, in milliseconds. */
const idleMs = 120_000;
const waitsMax = 10;
const longestWaitS = 60;
const errorsShown = 5;
/** Bytes of an error response that are read. */
const errorBytesMax = 1024 * 1024;

interface ApiClientHooks {
  /** Receives the reason for a delay; prints to standard error by default. */
  readonly say?: (line: string) => void;
  /** Waits for a number of milliseconds. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

const printToStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** The root of the API at a given server address. */
export function apiRoot(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${asGiven('url')} is "${url}". It must be the address of a server, such as http://127.0.0.1:8070`);
  return rootOf(url);
}

/** Seconds to wait according to a `Retry-After` header, at most a minute; 1 without the header. */
export const retryAfter = (header: string | null, now: number = Date.now()): number =>
  Math.min(longestWaitS, Math.ceil(secondsIn(header, now) ?? 1));

/** A body of JSON that is in memory. */
export function jsonBody(value: unknown): RequestBody {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes: bytes.byteLength, open: () => [bytes] };
}

export class ApiClient {
  /** Root of the API. */
  readonly url: string;
  readonly #key: string;
  readonly #hooks: Required<ApiClientHooks>;
  /** The last reason that was printed. */
  #lastReason = '';

  constructor({ url, key }: { url: string; key: string }, { say = printToStderr, sleep = delay }: ApiClientHooks = {}) {
    if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError(`${asGiven('key')} is not an API key. ${keyAdvice}`);
    this.url = apiRoot(url);
    this.#key = key;
    this.#hooks = { say, sleep };
  }

  /** Sends a request and returns the successful response, unread. Retries while the server is busy and did nothing (429, 503). */
  ask(method: string, route: string, body?: RequestBody): Promise<IncomingMessage> {
    return this.#ask(method, route, this.url + route, body);
  }

  /** As {@link ask}, for a path of the server outside of the API: `/f/…`. */
  askPath(path: string): Promise<IncomingMessage> {
    return this.#ask('GET', path, this.url.replace(/(?:\/api)?\/v1$/, '') + path, undefined);
  }

  async #ask(method: string, route: string, url: string, body: RequestBody | undefined): Promise<IncomingMessage> {
    for (let waits = 0; ; waits++) {
      const res = await this.#send(method, url, body);
      const { statusCode: status = 0 } = res;
      if (status === 200 || status === 204) return res;
      const text = await errorTextOf(res);
      if ((status !== 429 && status !== 503) || waits === waitsMax) throw this.#errorFor(method, route, status, text);
      const seconds = retryAfter(res.headers['retry-after'] ?? null);
      const why = problemIn(text)?.detail ?? `The server is busy (${status}).`;
      if (why !== this.#lastReason) this.#hooks.say(`${why} Retrying in ${seconds} s.`);
      this.#lastReason = why;
      await this.#hooks.sleep(seconds * 1000);
    }
  }

  #send(method: string, url: string, body: RequestBody | undefined): Promise<IncomingMessage> {
    const { request } = this.url.startsWith('https:') ? https : http;
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}`, accept: jsonType };
    if (body !== undefined)
      Object.assign(headers, { 'content-type': body.type ?? jsonType, 'content-length': String(body.bytes) });
    return new Promise((resolve, reject) => {
      const req = request(url, { method, headers, agent: false, timeout: idleMs });
      const stop = new AbortController();
      req.once('socket', keepReadable);
      req.once('response', (res) => {
        stop.abort();
        // After an early error response, the rest of the request body is not sent.
        if (!req.writableEnded) res.once('end', () => req.destroy());
        resolve(res);
      });
      req.once('timeout', () => req.destroy(new Error(`no traffic for ${idleMs / 1000} s`)));
      req.on('error', (error) => {
        stop.abort();
        reject(this.#connectionError(error));
      });
      if (body === undefined) req.end();
      else {
        write(req, body, stop.signal).catch((error: Error) => {
          reject(error);
          req.destroy();
        });
      }
    });
  }

  #connectionError(error: NodeJS.ErrnoException): ApiError {
    const reason = error.code ?? error.message;
    if (error.syscall !== 'connect' && isClosed(error)) {
      return new ApiError(
        `The server at ${this.url} closed the connection without a response (${reason}). It may have carried out the request. Check before you retry.`,
      );
    }
    return new ApiError(
      `Cannot reach a server at ${this.url} (${reason}). Start one with: npx mapwright serve, or give its address with --url`,
    );
  }

  #errorFor(method: string, route: string, status: number, text: string): ApiError {
    const problem = problemIn(text);
    const { detail = '', errors = [] } = problem ?? {};
    // The detail describes the first error only.
    const found = errors.length < 2 ? detail : describeErrors(errors);
    const summary = `${method} ${route} returned ${status}${found === '' ? '' : `: ${found}`}`;
    if (status === 401) return new ApiError(`The server at ${this.url} rejected the key. ${keyAdvice}`, status);
    if (status === 429 || status === 503)
      return new ApiError(`The server was still busy after ${waitsMax} attempts. ${summary}`, status);
    // Other 404 answers are about what a project has, or about the server.
    const [, project, isVersion] = /^\/projects\/([^/?]+)(\/versions\/)?/.exec(route) ?? [];
    if (status === 404 && isVersion !== undefined)
      return new ApiError(`${summary} List the versions of the project with: npx mapwright versions ${project}`, status);
    if (status === 404 && detail.includes('does not exist') && project !== undefined)
      return new ApiError(
        `${summary} List your projects with: curl -s -H "Authorization: Bearer $MAPWRIGHT_KEY" '${this.url}/projects?fields=name'`,
        status,
      );
    const message = problem === undefined ? `${this.url} is not a mapwright API: ${summary}. Check --url.` : summary;
    return new ApiError(message, status, errors);
  }
}

/** The number of errors, and the first of them. */
function describeErrors(errors: readonly BodyError[]): string {
  const lines = errors.slice(0, errorsShown).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`);
  const left = errors.length - lines.length;
  return `${errors.length} errors in the document.${lines.join('')}${left === 0 ? '' : `\n  and ${left} more. To see them, add --json.`}`;
}

/**
 * Keeps a connection readable after the server stopped reading. A server that rejects a request early may close the connection; its
 * response can still be read after the next write has failed.
 */
function keepReadable(socket: Socket): void {
  const unlessClosed = (done: WriteDone) => (error?: NodeJS.ErrnoException | null) => done(isClosed(error) ? null : error);
  const { _write, _writev } = socket;
  socket._write = (chunk, encoding, done) => _write.call(socket, chunk, encoding, unlessClosed(done));
  if (_writev !== undefined) socket._writev = (chunks, done) => _writev.call(socket, chunks, unlessClosed(done));
}

type WriteDone = (error?: Error | null) => void;

const isClosed = (error: NodeJS.ErrnoException | null | undefined): boolean =>
  error?.code === 'EPIPE' || error?.code === 'ECONNRESET';

/** Sends a body until `stop` is aborted, by a response or an error. Rejects with an error of the body. */
async function write(req: ClientRequest, body: RequestBody, stop: AbortSignal): Promise<void> {
  for await (const piece of body.open()) {
    if (!req.write(piece)) await once(req, 'drain', { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
  }
  req.end();
}

interface ProblemBody {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly BodyError[];
}

function problemIn(text: string): ProblemBody | undefined {
  try {
    const problem: unknown = JSON.parse(text);
    return typeof problem === 'object' && problem !== null && 'detail' in problem ? (problem as ProblemBody) : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a response, up to a limit. */
async function textOf(res: IncomingMessage, bytesMax: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of res as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** The JSON in a response. */
export async function jsonOf(res: IncomingMessage, bytesMax: number): Promise<unknown> {
  const text = await textOf(res, bytesMax);
  if (!res.complete) throw new ApiError('The response was cut off. Try again.');
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('The response is not JSON, so this is not a mapwright server. Check --url.');
  }
}

/** The members of a list. @param bytesMax of the response */
export async function listOf<T>(client: ApiClient, route: string, bytesMax: number): Promise<readonly T[]> {
  return (await jsonOf(await client.ask('GET', route), bytesMax)) as readonly T[];
}

/** The text of an error response, or as much of it as can be read. */
function errorTextOf(res: IncomingMessage): Promise<string> {
  return textOf(res, errorBytesMax).catch(() => '');
}

/** Asks a running server through its API, for every command that does. Bodies and answers are streamed: they may be more than fits into memory. */
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { secondsIn } from '../client/errors.ts';
import { rootOf } from '../client/root.ts';
import { asGiven, UsageError } from './options.ts';

/** Options of every command that asks a server. */
export const clientOptions = {
  url: { type: 'string', default: 'http://127.0.0.1:8070', describe: 'Where the server listens' },
  key: {
    type: 'string',
    demandOption: true,
    describe: 'An API key; better in MAPWRIGHT_KEY, where no list of processes shows it',
  },
} as const;

/** How to get a key. */
const makeOne =
  'Make one with: npx mapwright keys create NAME, where NAME is the account\u2019s: default, unless it was given another';

/** Said when there is none. */
export const needsKey = () => `This needs an API key: in MAPWRIGHT_KEY, or --key mw_... ${makeOne}`;

/** What can be put right by whoever reads the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Of the answer; `undefined` where there was none. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** What is sent: opened anew for each attempt. */
export interface Sent {
  readonly bytes: number;
  open(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

const jsonType = 'application/json';
/** Milliseconds in which something must come or go. */
const idleMs = 120_000;
const waitsMax = 10;
const longestWaitS = 60;
const faultsShown = 5;
/** Bytes of a refusal that are read. */
const refusalBytesMax = 1024 * 1024;

interface Hooks {
  /** Told why it takes longer; standard error by default. */
  readonly say?: (line: string) => void;
  /** Sleeps; milliseconds. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

const sayAloud = (line: string): void => void process.stderr.write(`${line}\n`);

/** Root of the API for an address as people type it. */
export function apiRoot(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${asGiven('url')} is "${url}", not the address of a server. One looks like http://127.0.0.1:8070`);
  return rootOf(url);
}

/** Seconds to wait for, by a `Retry-After`; without one, a second. */
export const retryAfter = (header: string | null, now: number = Date.now()): number =>
  Math.min(longestWaitS, Math.ceil(secondsIn(header, now) ?? 1));

/** Something that is held already, as it is sent. */
export function sentJson(value: unknown): Sent {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes: bytes.byteLength, open: () => [bytes] };
}

export class ApiClient {
  /** Root of the API. */
  readonly url: string;
  readonly #key: string;
  readonly #hooks: Required<Hooks>;
  /** Why it takes longer, said already. */
  #said = '';

  constructor({ url, key }: { url: string; key: string }, { say = sayAloud, sleep = delay }: Hooks = {}) {
    if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError(`${asGiven('key')} is no key. ${makeOne}`);
    this.url = apiRoot(url);
    this.#key = key;
    this.#hooks = { say, sleep };
  }

  /** The answer to a request that succeeds, still to be read; repeated while the server is busy and did nothing (429, 503). */
  async ask(method: string, route: string, sent?: Sent): Promise<IncomingMessage> {
    for (let waits = 0; ; waits++) {
      const res = await this.#send(method, route, sent);
      const { statusCode: status = 0 } = res;
      if (status === 200) return res;
      const text = await refusalIn(res);
      if ((status !== 429 && status !== 503) || waits === waitsMax) throw this.#refusal(method, route, status, text);
      const seconds = retryAfter(res.headers['retry-after'] ?? null);
      const why = problemIn(text)?.detail ?? `The server is busy (${status}).`;
      if (why !== this.#said) this.#hooks.say(`${why} Trying again in ${seconds} s.`);
      this.#said = why;
      await this.#hooks.sleep(seconds * 1000);
    }
  }

  #send(method: string, route: string, sent: Sent | undefined): Promise<IncomingMessage> {
    const { request } = this.url.startsWith('https:') ? https : http;
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}`, accept: jsonType };
    if (sent !== undefined) Object.assign(headers, { 'content-type': jsonType, 'content-length': String(sent.bytes) });
    return new Promise((resolve, reject) => {
      const req = request(this.url + route, { method, headers, agent: false, timeout: idleMs });
      const over = new AbortController();
      req.once('socket', readsOnWhenClosed);
      req.once('response', (res) => {
        over.abort();
        // What was refused before all of it was sent is not sent to its end.
        if (!req.writableEnded) res.once('end', () => req.destroy());
        resolve(res);
      });
      req.once('timeout', () => req.destroy(new Error(`nothing for ${idleMs / 1000} s`)));
      req.on('error', (error) => {
        over.abort();
        reject(this.#unreachable(error));
      });
      if (sent === undefined) req.end();
      else {
        write(req, sent, over.signal).catch((error: Error) => {
          reject(error);
          req.destroy();
        });
      }
    });
  }

  #unreachable(error: NodeJS.ErrnoException): ApiError {
    const reason = error.code ?? error.message;
    if (error.syscall !== 'connect' && isClosed(error)) {
      return new ApiError(
        `The server at ${this.url} closed the connection before it answered (${reason}). It may have carried out the request: see what is there, and try again.`,
      );
    }
    return new ApiError(
      `No server answers at ${this.url} (${reason}). Start one with: npx mapwright serve, or say where it listens, with --url`,
    );
  }

  #refusal(method: string, route: string, status: number, text: string): ApiError {
    const problem = problemIn(text);
    const { detail = '', errors = [] } = problem ?? {};
    // A single fault is what the detail says.
    const faults = errors.length < 2 ? [] : errors.slice(0, faultsShown).map((fault) => `\n  ${fault.pointer}: ${fault.detail}`);
    const said = `${method} ${route} answered ${status}${detail === '' ? '' : `: ${detail}`}${faults.join('')}`;
    if (status === 401) return new ApiError(`The server at ${this.url} refused the key. ${makeOne}`, status);
    if (status === 429 || status === 503) return new ApiError(`The server stayed busy for ${waitsMax} attempts. ${said}`, status);
    if (status === 404 && problem !== undefined && route.startsWith('/projects/'))
      return new ApiError(
        `${said} See which there are: curl -s -H "Authorization: Bearer $MAPWRIGHT_KEY" '${this.url}/projects?fields=name'`,
        status,
      );
    return new ApiError(problem === undefined ? `There is no API of mapwright at ${this.url}: ${said}` : said, status);
  }
}

/**
 * Lets a connection be read to its end when the server does not take any more. A server that refuses a request before all of it has come
 * may close the connection, and the refusal is still there to be read when the next write fails.
 */
function readsOnWhenClosed(socket: Socket): void {
  const unlessClosed = (done: WriteDone) => (error?: NodeJS.ErrnoException | null) => done(isClosed(error) ? null : error);
  const { _write, _writev } = socket;
  socket._write = (chunk, encoding, done) => _write.call(socket, chunk, encoding, unlessClosed(done));
  if (_writev !== undefined) socket._writev = (chunks, done) => _writev.call(socket, chunks, unlessClosed(done));
}

type WriteDone = (error?: Error | null) => void;

const isClosed = (error: NodeJS.ErrnoException | null | undefined): boolean =>
  error?.code === 'EPIPE' || error?.code === 'ECONNRESET';

/** Sends a body, until `over`: the server has answered, or is gone. Rejects with what reading the body throws. */
async function write(req: ClientRequest, sent: Sent, over: AbortSignal): Promise<void> {
  for await (const piece of sent.open()) {
    if (!req.write(piece)) await once(req, 'drain', { signal: over }).catch(() => undefined);
    if (over.aborted) return;
  }
  req.end();
}

interface ProblemShown {
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

function problemIn(text: string): ProblemShown | undefined {
  try {
    const problem: unknown = JSON.parse(text);
    return typeof problem === 'object' && problem !== null && 'detail' in problem ? (problem as ProblemShown) : undefined;
  } catch {
    return undefined;
  }
}

/** All of a short answer. */
export async function textOf(res: IncomingMessage, bytesMax: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of res as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** All of an answer that is JSON. */
export async function jsonOf(res: IncomingMessage, bytesMax: number): Promise<unknown> {
  const text = await textOf(res, bytesMax);
  if (!res.complete) throw new ApiError('The answer broke off before it was complete. Try again.');
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('What answers there is no server of mapwright: its answer is no JSON. Look at --url.');
  }
}

/** What a refusal says, as far as it can be read. */
function refusalIn(res: IncomingMessage): Promise<string> {
  return textOf(res, refusalBytesMax).catch(() => '');
}

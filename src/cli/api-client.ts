/** Asks a running server through its API, for commands that send or receive more than fits into memory: bodies and answers are streamed. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoot, retryAfter } from './demo.ts';
import { UsageError } from './options.ts';

/** Options of every command that asks a server. */
export const clientOptions = {
  url: { type: 'string', default: 'http://127.0.0.1:8070', describe: 'Where the server listens' },
  key: {
    type: 'string',
    demandOption: 'An API key: --key mw_..., or in MAPWRIGHT_KEY',
    describe: 'An API key (also from MAPWRIGHT_KEY)',
  },
} as const;

/** What is sent: opened anew for each attempt. */
export interface Sent {
  readonly bytes: number;
  open(): Readable;
}

const jsonType = 'application/json';
/** Milliseconds in which something must come or go. */
const idleMs = 120_000;
const waitsMax = 10;
const faultsShown = 5;
/** Bytes of a refusal that are read. */
const refusalBytesMax = 1024 * 1024;

export class ApiClient {
  /** Root of the API. */
  readonly url: string;
  readonly #key: string;
  readonly #say: (line: string) => void;
  /** Why it takes longer, said already. */
  #said = '';

  /** @param say is told why it takes longer */
  constructor({ url, key }: { url: string; key: string }, say: (line: string) => void) {
    if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('That is no key. Make one with: npx mapwright keys create NAME');
    this.url = apiRoot(url);
    this.#key = key;
    this.#say = say;
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
      if (why !== this.#said) this.#say(`${why} Trying again in ${seconds} s.`);
      this.#said = why;
      await delay(seconds * 1000);
    }
  }

  #send(method: string, route: string, sent: Sent | undefined): Promise<IncomingMessage> {
    const { request } = this.url.startsWith('https:') ? https : http;
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}`, accept: jsonType };
    if (sent !== undefined) Object.assign(headers, { 'content-type': jsonType, 'content-length': String(sent.bytes) });
    return new Promise((resolve, reject) => {
      const req = request(this.url + route, { method, headers, agent: false, timeout: idleMs });
      const body = sent?.open();
      req.once('response', (res) => {
        // Who is refused in the middle need not send the rest.
        res.once('end', () => body?.destroy());
        resolve(res);
      });
      req.once('timeout', () => req.destroy(new Error(`nothing for ${idleMs / 1000} s`)));
      req.on('error', (error) => reject(this.#unreachable(error)));
      if (body === undefined) req.end();
      else pipeline(body, req, (error) => void (error && req.destroy(error)));
    });
  }

  #unreachable(error: NodeJS.ErrnoException): Error {
    const reason = error.code ?? error.message;
    return new Error(`No server answers at ${this.url} (${reason}). Start one with: npx mapwright serve`);
  }

  #refusal(method: string, route: string, status: number, text: string): Error {
    const problem = problemIn(text);
    const { detail = '', errors = [] } = problem ?? {};
    // A single fault is what the detail says.
    const faults = errors.length < 2 ? [] : errors.slice(0, faultsShown).map((fault) => `\n  ${fault.pointer}: ${fault.detail}`);
    const said = `${method} ${route} answered ${status}${detail === '' ? '' : `: ${detail}`}${faults.join('')}`;
    if (status === 401)
      return new Error(`The server at ${this.url} refused the key. Make one with: npx mapwright keys create NAME`);
    return new Error(problem === undefined ? `There is no API of mapwright at ${this.url}: ${said}` : said);
  }
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

/** What a refusal says, as far as it can be read. */
function refusalIn(res: IncomingMessage): Promise<string> {
  return textOf(res, refusalBytesMax).catch(() => '');
}

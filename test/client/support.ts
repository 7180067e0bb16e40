/** Clients for tests: of a real server, and of a made-up one with given responses. */
import { type Client, type ClientOptions, createClient } from '../../src/web/client/client.ts';
import { fetchDescribed } from '../support/fetch.ts';
import type { Mapwright } from '../support/mapwright.ts';
import { systemError } from '../support/system-error.ts';

/** A client of a server under test. It does not wait: pauses end in the next turn. What it asks is held against the description. */
export const clientOf = (mapwright: Mapwright, options: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: `http://127.0.0.1:${mapwright.port}`,
    key: mapwright.key,
    retry: { sleep: nextTurn },
    fetch: fetchDescribed,
    ...options,
  });

const nextTurn = (): Promise<void> => new Promise(setImmediate);

/** What a made-up server was sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Said = Response | Error | ((request: Request) => Response | Promise<Response>);

/** A server that answers with these, in turn, and with the last of them from then on; an error breaks the connection. */
export class MadeUp {
  readonly sent: SentRequest[] = [];
  /** How long was waited between attempts, in milliseconds. */
  readonly pauses: number[] = [];
  readonly client: Client;
  readonly #said: Said[];

  constructor(said: readonly Said[], options: Partial<ClientOptions> = {}) {
    this.#said = [...said];
    this.client = createClient({
      baseUrl: 'http://maps.test',
      key: 'mw_test',
      fetch: (request) => this.#answer(request),
      ...options,
      retry:
        options.retry === false
          ? false
          : {
              random: () => 0,
              sleep: async (ms) => {
                this.pauses.push(ms);
              },
              ...options.retry,
            },
    });
  }

  async #answer(request: Request): Promise<Response> {
    const { method, url, headers } = request;
    this.sent.push({ method, url, headers: Object.fromEntries(headers), body: await request.text() });
    const said = this.#said.length > 1 ? this.#said.shift() : this.#said[0];
    if (said instanceof Error) throw said;
    return typeof said === 'function' ? said(request) : (said as Response).clone();
  }
}

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(value, { headers: { ...headers } });

export const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify({ type: '', title: '', status, code, detail: `It is ${code}.`, request_id: 'r' }), {
    status,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r', ...headers },
  });

/** As a connection breaks in Node. */
export const broken = (): Error => new TypeError('fetch failed', { cause: systemError('ECONNRESET', 'read') });

/** What a promise is rejected with. */
export const refusalOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`not refused: ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );

/**
 * The admin API as tools use it: with the key of the agent, so that a tool can do nothing that the key may not do. In the server the requests
 * need no socket; `mapwright mcp` sends them over HTTP.
 */
import { mebibyte } from '../lib/option-declaration.ts';

/** Sends a request below `/v1` of a server. */
export type Send = (request: Request) => Promise<Response>;

/** Why something was refused. Sentences that may quote what a map or a file contains are apart from those that cannot. */
export interface Refusal {
  readonly status: number;
  /** A sentence of ours. */
  readonly detail?: string;
  /** Seconds to wait before the request is repeated. */
  readonly retry_after?: number;
  /** The words of the API (RFC 9457) or of the converter: they may quote texts of maps. */
  readonly said?: {
    readonly detail: string;
    readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
    /** Which operation of a batch was refused, from 0. */
    readonly index?: number;
  };
  /** Changes that were made before the refusal, and how to undo them. */
  readonly left?: Readonly<Record<string, unknown>>;
}

/** The server refused a request, or an argument of a tool fits nothing in the project. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail ?? refusal.said?.detail ?? `refused with ${refusal.status}`);
    this.refusal = refusal;
  }
}

/** An argument that is of the right form, and wrong. */
export const wrongArgument = (name: string, detail: string): RefusedError =>
  new RefusedError({ status: 400, detail: `The argument "${name}" ${detail}` });

type Query = Readonly<Record<string, string | undefined>>;

interface Asked {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Longest answer that is read, in bytes: a batch answers with 16 MiB at most, and longer JSON would delay other requests. */
const answerBytesMax = 17 * mebibyte;
/** Into how many parts a page is cut that is too long. */
const pageParts = 8;

export class MapsApi {
  /** Names the key among those of the server; '' if there is only one. */
  readonly caller: string;
  readonly #send: Send;
  readonly #root: string;
  readonly #authorization: string;

  /** @param root `http://127.0.0.1:8070/v1`; the server itself takes any origin */
  constructor(send: Send, root: string, { caller, authorization }: { readonly caller: string; readonly authorization: string }) {
    this.caller = caller;
    this.#send = send;
    this.#root = root;
    this.#authorization = authorization;
  }

  /** @throws {RefusedError} */
  async get<T>(path: string, query: Query = {}): Promise<T> {
    return jsonOf<T>(await this.ask('GET', path, { query }));
  }

  /** The same as {@link get}; `undefined` if there is nothing. */
  async find<T>(path: string, query: Query = {}): Promise<T | undefined> {
    try {
      return await this.get<T>(path, query);
    } catch (error) {
      if (error instanceof RefusedError && error.refusal.status === 404) return undefined;
      throw error;
    }
  }

  /** Sends a body. @throws {RefusedError} */
  async send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown, asked: Omit<Asked, 'body'> = {}): Promise<T> {
    return jsonOf<T>(await this.ask(method, path, { ...asked, body }));
  }

  /** A page of a list, with the cursor of the next one. A page that is too long comes in parts. */
  async page<T>(path: string, query: Query): Promise<{ readonly items: readonly T[]; readonly next: string | undefined }> {
    try {
      const answer = await this.ask('GET', path, { query });
      const link = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      const next = link === undefined ? undefined : (new URL(link, 'http://any').searchParams.get('cursor') ?? undefined);
      const items = jsonOf<T[]>(answer);
      if (!Array.isArray(items)) throw notTheApi(200);
      return { items, next };
    } catch (error) {
      const limit = Number(query['limit'] ?? 1);
      if (!(error instanceof RefusedError) || error.refusal.status !== 413 || limit <= 1) throw error;
      return await this.page(path, { ...query, limit: `${Math.ceil(limit / pageParts)}` });
    }
  }

  /** How many members a list has. */
  async count(path: string): Promise<number> {
    const { headers } = await this.ask('GET', path, { query: { fields: 'id', limit: '1', count: 'true' } });
    return Number(headers.get('x-total-count'));
  }

  /** @throws {RefusedError} */
  async ask(method: string, path: string, { query = {}, body, headers = {} }: Asked): Promise<Answer> {
    const url = new URL(this.#root + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const request = new Request(url, {
      method,
      headers: {
        authorization: this.#authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await this.#send(request);
    const bytes = await bytesOf(response);
    if (response.ok) return { headers: response.headers, bytes };
    throw new RefusedError(refusalIn(response, bytes));
  }
}

function jsonOf<T>({ bytes }: Answer): T {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    throw notTheApi(200);
  }
}

/** Another program answers at the address. */
const notTheApi = (status: number): RefusedError =>
  new RefusedError({
    status: 502,
    detail: `Something else than the API of mapwright answered, with ${status}. Check the address.`,
  });

async function bytesOf({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > answerBytesMax)
      throw new RefusedError({
        status: 413,
        detail: `The answer of the server has more than ${answerBytesMax / mebibyte} MiB. Ask for less of it.`,
      });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function refusalIn({ status, headers }: Response, bytes: Buffer): Refusal {
  const wait = Number(headers.get('retry-after') ?? Number.NaN);
  try {
    const { detail, errors, index } = JSON.parse(bytes.toString()) as NonNullable<Refusal['said']>;
    if (typeof detail !== 'string') return notTheApi(status).refusal;
    return {
      status,
      ...(Number.isFinite(wait) ? { retry_after: wait } : {}),
      said: { detail, ...(errors === undefined ? {} : { errors }), ...(index === undefined ? {} : { index }) },
    };
  } catch {
    return notTheApi(status).refusal;
  }
}

/** Path of a project, or of what is in it. */
export const projectPath = (project: string, rest = ''): string => `/projects/${encodeURIComponent(project)}${rest}`;

/**
 * The admin API as tools use it: with the key of the agent, so that a tool can do nothing that the key may not do. In the server the requests
 * need no socket; `mapwright mcp` sends them over HTTP.
 */
import { mebibyte } from '../lib/option-declaration.ts';

/** Sends a request below `/v1` of a server. */
export type Send = (request: Request) => Promise<Response>;

/** Why the server refused a request, as agents see it (RFC 9457). */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** Which operation of a batch was refused, from 0. */
  readonly index?: number;
  /** Seconds to wait before the request is repeated. */
  readonly retry_after?: number;
}

/** The server refused a request, or an argument of a tool fits nothing in the project. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** An argument that is of the right form, and wrong. */
export const wrongArgument = (name: string, detail: string): RefusedError =>
  new RefusedError({ status: 400, detail: `The argument "${name}" ${detail}`, errors: [{ pointer: `/${name}`, detail }] });

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

  /** As {@link get}; `undefined` if there is nothing. */
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

  /** A page of a list, with the cursor of the next one. */
  async page<T>(path: string, query: Query): Promise<{ readonly items: readonly T[]; readonly next: string | undefined }> {
    const answer = await this.ask('GET', path, { query });
    const link = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    const next = link === undefined ? undefined : (new URL(link, 'http://any').searchParams.get('cursor') ?? undefined);
    return { items: jsonOf<T[]>(answer), next };
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

const jsonOf = <T>({ bytes }: Answer): T => JSON.parse(bytes.toString()) as T;

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
  const known = { status, ...(Number.isFinite(wait) ? { retry_after: wait } : {}) };
  try {
    const { detail, errors, index } = JSON.parse(bytes.toString()) as Partial<Refusal>;
    return {
      ...{ ...known, detail: detail ?? `The server answered ${status}.` },
      ...(errors === undefined ? {} : { errors }),
      ...(index === undefined ? {} : { index }),
    };
  } catch {
    return { ...known, detail: `The server answered ${status}, with something else than JSON. Check its address.` };
  }
}

/** Path of a project, or of what is in it. */
export const projectPath = (project: string, rest = ''): string => `/projects/${encodeURIComponent(project)}${rest}`;

/**
 * Calls without HTTP. A call is a request to a declared endpoint that was never sent over a network. The same code looks up, checks, locks,
 * logs and waits, so a call has the same effect and the same result as the request.
 */
import { setImmediate } from 'node:timers/promises';
import { noProject } from '../../api/authorize.ts';
import type { Api, Declaration, Request } from '../../api/declaration.ts';
import { problems } from '../../http/problem.ts';
import { type AdmitBody, parseJsonBody } from '../../http/request/body.ts';
import { parseQuery } from '../../http/request/query.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { BodyPieces } from '../../http/route.ts';
import { runCooperatively, sliceMs } from '../../lib/async/cooperative.ts';
import { Deferred } from '../../lib/async/deferred.ts';
import { bodyBounds, jsonText } from './json-text.ts';
import { refusalOf, thrownAs } from './local-errors.ts';

/** The input of a call. */
export interface Input {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The body, as for {@link jsonText}. */
  readonly body?: unknown;
  /** The body of an endpoint that reads it as a stream. Called once; if it throws, the call rejects with that error. */
  readonly pieces?: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The result of a call. */
interface Called<T> {
  readonly value: T;
  /** Cursor of the next page of a list; `undefined` on the last. */
  readonly next: string | undefined;
}

/** Entity tags of returned objects, by the object itself. */
const tags = new WeakMap<object, string>();

/**
 * The entity tag of an object that a server returned: a resource, a list or the results of a batch. It is the same as over HTTP, and valid
 * for `ifMatch`. `undefined` for anything else, including copies.
 */
export function localEtag(given: object): string | undefined {
  return tags.get(given);
}

/** Gives a part of a returned object the entity tag of the whole. */
export function tagAs<Part extends object>(whole: object, part: Part): Part {
  const tag = tags.get(whole);
  if (tag !== undefined) tags.set(part, tag);
  return part;
}

interface LocalApiOptions {
  readonly api: Api;
  readonly declarations: readonly Declaration[];
  /** Throws when the server accepts no more requests. */
  refuseWhenClosed(): void;
}

export class LocalApi {
  readonly #parts: LocalApiOptions;
  readonly #declarations: ReadonlyMap<string, Declaration>;
  #inFlight = 0;
  #idle: Deferred<void> | undefined;

  constructor(parts: LocalApiOptions) {
    this.#parts = parts;
    this.#declarations = new Map(parts.declarations.map((declaration) => [declaration.id, declaration]));
  }

  /** Resolves when no call is in flight. */
  async idle(): Promise<void> {
    if (this.#inFlight === 0) return;
    this.#idle ??= new Deferred<void>();
    await this.#idle.promise;
  }

  /**
   * Executes an operation in an account.
   *
   * Rejects with a {@link RefusedError}, with StoppedError when the server has stopped, and with a TypeError for arguments that no request
   * could contain.
   *
   * @param operation its name in the API description: `createPopup`
   */
  async call<T>(operation: string, account: string, input: Input): Promise<Called<T>> {
    this.#parts.refuseWhenClosed();
    const declaration = this.#declarations.get(operation) as Declaration;
    this.#inFlight++;
    try {
      return await this.#carryOut<T>(declaration, account, input);
    } finally {
      if (--this.#inFlight === 0) {
        this.#idle?.resolve();
        this.#idle = undefined;
      }
    }
  }

  async #carryOut<T>(declaration: Declaration, account: string, input: Input): Promise<Called<T>> {
    const { api } = this.#parts;
    const path = pathOf(declaration, input.params ?? {});
    const place = `${path} in the account "${localText(account, 'the account')}"`;
    try {
      // Before the first await: changes that the caller makes to the input after the call have no effect.
      const request = requestOf(declaration, path, input, (bytes) => api.engine.memory.refuseUnlessFits(bytes));
      const accountId = await this.#accountId(account);
      if (Object.values(input.params ?? {}).includes('')) throw problems.notFound();
      const projectId = input.params?.['project_id'] ?? noProject;
      const scope = { accountId, keyId: '', projectId, projects: undefined };
      const reply = await declaration.handle(api, { ...request, scope });
      return { value: (await contentOf(reply)) as T, next: nextOf(reply) };
    } catch (error) {
      throw thrownAs(error, place);
    }
  }

  /** @returns the identifier of the account of that name */
  async #accountId(name: string): Promise<string> {
    const { state, journal } = this.#parts.api.engine;
    const account = state.accountNamed(name);
    // The account's existence (or absence) under this name must be durable before it is reported.
    await journal.durable(account?.version ?? state.lsn);
    if (account === undefined)
      throw refusalOf(problems.notFound(), `There is no account "${name}": create it with createAccount.`);
    return account.id;
  }
}

/** Checks that an argument is a string: the caller may be plain JavaScript without type checks. */
export function localText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string`);
  return value;
}

function pathOf({ path }: Declaration, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(localText(params[name], `the ${name.replaceAll('_', ' ')}`)),
  );
}

/** The request for a call, without its scope. */
function requestOf(declaration: Declaration, path: string, input: Input, admit: AdmitBody): Omit<Request, 'scope'> {
  const { query: declared = {}, absentQuery, method, body: takesBody, streamsBody } = declaration;
  const raw = new URLSearchParams(given(input.query)).toString();
  const isRead = takesBody === undefined || streamsBody === true;
  const { value: body, fieldErrors } = isRead ? { value: {}, fieldErrors: [] } : bodyOf(input.body, admit);
  return {
    method,
    url: `/v1${path}${raw === '' ? '' : `?${raw}`}`,
    params: input.params ?? {},
    query: parseQuery(raw, Object.keys(declared), absentQuery),
    headers: given(input.headers),
    body,
    fieldErrors,
    pieces: input.pieces && piecesOf(input.pieces()),
    caller: { requestId: '', address: '' },
  };
}

/** The values that are not undefined. */
function given(values: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A body as if it had been parsed: a copy, so that later changes by the caller do not affect stored data. */
function bodyOf(body: unknown, admit: AdmitBody): ReturnType<typeof parseJsonBody> {
  const json = jsonText(body, bodyBounds);
  if (json === undefined) throw problems.validationFailed([{ pointer: '', detail: 'must be a JSON object' }]);
  return parseJsonBody(Buffer.from(json), admit);
}

/** Size of the pieces that are read in one step, in bytes. */
const pieceBytes = 64 * 1024;

/** A body in pieces, so that other work can run in between. The caller has all of it in memory anyway. */
function piecesOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): BodyPieces {
  return {
    holds: () => undefined,
    async *[Symbol.asyncIterator]() {
      let started = performance.now();
      for await (const chunk of source as AsyncIterable<unknown>) {
        if (!(chunk instanceof Uint8Array))
          throw new TypeError('the pieces of a document must be bytes (Uint8Array): use a stream without an encoding');
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        for (let at = 0; at < bytes.length; at += pieceBytes) {
          if (performance.now() - started > sliceMs) {
            await setImmediate();
            started = performance.now();
          }
          yield bytes.subarray(at, at + pieceBytes);
        }
      }
    },
  };
}

/** The content of a response, with its entity tag; `undefined` for a response without content. */
async function contentOf(reply: Reply): Promise<unknown> {
  const json = await jsonOf(reply);
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json.toString());
  if (reply.etag !== undefined && typeof value === 'object' && value !== null) tags.set(value, reply.etag);
  return value;
}

async function jsonOf(reply: Reply): Promise<Buffer | string | undefined> {
  if (reply.kind === 'json') return reply.json;
  return reply.kind === 'stream' ? runCooperatively(gathered(reply.stream)) : undefined;
}

function* gathered(stream: Iterable<Buffer | string>): Generator<void, Buffer> {
  const parts: Buffer[] = [];
  for (const part of stream) {
    parts.push(Buffer.from(part));
    yield;
  }
  return Buffer.concat(parts);
}

function nextOf({ headers }: Reply): string | undefined {
  const [, address] = /^<(.*)>; rel="next"$/.exec(headers?.['Link'] ?? '') ?? [];
  return address === undefined ? undefined : (new URL(address, 'http://localhost').searchParams.get('cursor') ?? undefined);
}

/**
 * Calls without HTTP. A call is a request to one of the declared endpoints that was never on a wire: what it names is looked up, checked,
 * locked, logged and waited for by the same code, so that it means what the request means, and gives what that is answered with.
 */
import { setImmediate } from 'node:timers/promises';
import { noProject } from '../../api/authorize.ts';
import type { Api, Declaration, Request } from '../../api/endpoint.ts';
import { type AdmitBody, parseBody } from '../../http/body.ts';
import type { BodyPieces } from '../../http/endpoint.ts';
import { problems } from '../../http/problem.ts';
import { parseQuery } from '../../http/query.ts';
import type { Reply } from '../../http/reply.ts';
import { Deferred } from '../../lib/deferred.ts';
import { inSlices, sliceMs } from '../../lib/slices.ts';
import { refusalOf, thrownAs } from './errors.ts';
import { bodyBounds, jsonText } from './json-text.ts';

/** What a call brings. */
export interface Input {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** As {@link jsonText} has it. */
  readonly body?: unknown;
  /** The body of an endpoint that reads it as it comes. Called once; what it throws is what the call rejects with. */
  readonly pieces?: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** What came of it. */
export interface Called<T> {
  readonly value: T;
  /** Cursor of the next page of a list; `undefined` on the last. */
  readonly next: string | undefined;
}

/** Entity tags of what was given out, by the objects themselves. */
const tags = new WeakMap<object, string>();

/**
 * The entity tag of something that a server gave out: of a resource, a list or the results of a batch. It is what HTTP answers with, and
 * what `ifMatch` takes. `undefined` for anything else, a copy included.
 */
export function etagOf(given: object): string | undefined {
  return tags.get(given);
}

/** Lets a part of what was given out stand for all of it. */
export function tagAs<Part extends object>(whole: object, part: Part): Part {
  const tag = tags.get(whole);
  if (tag !== undefined) tags.set(part, tag);
  return part;
}

export interface CallsParts {
  readonly api: Api;
  readonly declarations: readonly Declaration[];
  /** Throws when nothing is answered any more. */
  refuseWhenClosed(): void;
}

export class Calls {
  readonly #parts: CallsParts;
  readonly #declarations: ReadonlyMap<string, Declaration>;
  #inFlight = 0;
  #idle: Deferred<void> | undefined;

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#declarations = new Map(parts.declarations.map((declaration) => [declaration.id, declaration]));
  }

  /** Resolves once no call is under way: at once, or after the last of them. */
  async idle(): Promise<void> {
    if (this.#inFlight === 0) return;
    this.#idle ??= new Deferred<void>();
    await this.#idle.promise;
  }

  /**
   * Carries out an operation in an account.
   *
   * Rejects with a {@link RefusedError}, with StoppedError when the server has stopped, and with a TypeError for what no request could be
   * made of.
   *
   * @param operation its name in the description: `createPopup`
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
    const place = `${path} in the account "${text(account, 'the account')}"`;
    try {
      // Before anything is waited for: what its owner does to it after the call does not count.
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
    // That it is there, under this name, or that it is not, must not be taken back by a crash either.
    await journal.durable(account?.version ?? state.lsn);
    if (account === undefined) throw refusalOf(problems.notFound(), `There is no account "${name}": createAccount makes one.`);
    return account.id;
  }
}

/** What must be a string; a program may not have had a compiler to say so. */
export function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string`);
  return value;
}

function pathOf({ path }: Declaration, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(text(params[name], `the ${name.replaceAll('_', ' ')}`)),
  );
}

/** The request that a call is, but for whose it is. */
function requestOf(declaration: Declaration, path: string, input: Input, admit: AdmitBody): Omit<Request, 'scope'> {
  const { query: declared = {}, absentQuery, method, body: takesBody, streamsBody } = declaration;
  const raw = new URLSearchParams(given(input.query)).toString();
  const isRead = takesBody === undefined || streamsBody === true;
  const { value: body, faults } = isRead ? { value: {}, faults: [] } : bodyOf(input.body, admit);
  return {
    method,
    url: `/v1${path}${raw === '' ? '' : `?${raw}`}`,
    params: input.params ?? {},
    query: parseQuery(raw, Object.keys(declared), absentQuery),
    headers: given(input.headers),
    body,
    faults,
    pieces: input.pieces && piecesOf(input.pieces()),
    requestId: '',
  };
}

/** What stands there, without what was left out. */
function given(values: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A body as it would have been read: nothing that its owner does to it later shows in what is stored. */
function bodyOf(body: unknown, admit: AdmitBody): ReturnType<typeof parseBody> {
  const json = jsonText(body, bodyBounds);
  if (json === undefined) throw problems.validationFailed([{ pointer: '', detail: 'must be a JSON object' }]);
  return parseBody(Buffer.from(json), admit);
}

/** Bytes that are read in one go. */
const pieceBytes = 64 * 1024;

/** A body in pieces, between which others have their turns. Its owner holds all of it anyhow. */
function piecesOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): BodyPieces {
  return {
    holds: () => undefined,
    async *[Symbol.asyncIterator]() {
      let started = performance.now();
      for await (const chunk of source as AsyncIterable<unknown>) {
        if (!(chunk instanceof Uint8Array))
          throw new TypeError('the pieces of a document must be bytes (Uint8Array): a stream gives them without an encoding');
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

/** What an answer holds, with its tag; `undefined` for one without content. */
async function contentOf(reply: Reply): Promise<unknown> {
  const json = await jsonOf(reply);
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json.toString());
  if (reply.etag !== undefined && typeof value === 'object' && value !== null) tags.set(value, reply.etag);
  return value;
}

async function jsonOf(reply: Reply): Promise<Buffer | string | undefined> {
  if ('json' in reply && reply.json !== undefined) return reply.json;
  return 'stream' in reply && reply.stream !== undefined ? inSlices(gathered(reply.stream)) : undefined;
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

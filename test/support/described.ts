/**
 * Holds what goes over the wire in tests against the description of the API: what was carried out must have been asked as it says, and
 * whatever is answered must be among the answers that it knows. The checks are made by another validator than the program's.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import type { JsonObject } from '../../src/api/openapi/openapi-schemas.ts';

/** A request, and what came of it. */
export interface Exchange {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Headers of the request that say what its body is; default: JSON as it is. */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** What was sent; `undefined` for nothing. */
  readonly body: string | Buffer | undefined;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Described {
  readonly operation: JsonObject;
  /** The same, from the root of the document. */
  readonly pointer: string;
}

/** Statuses that are refusals of what is no operation at all. */
const anywhere: ReadonlySet<number> = new Set([400, 401, 404, 405, 408, 413, 414, 415, 417, 429, 431, 500, 503]);

const patchType = 'application/merge-patch+json';

let described: Description | undefined;

/** The description of the API. */
export function description(): Description {
  described ??= new Description();
  return described;
}

/** What is wrong with an exchange by the description; `undefined` when nothing is. */
export const undescribed = (exchange: Exchange): string | undefined => description().faultIn(exchange);

export class Description {
  readonly document: JsonObject;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  readonly #routes: { readonly parts: readonly string[]; readonly path: string }[];
  readonly #checks = new Map<string, ValidateFunction>();

  constructor() {
    this.document = openapiOf({ version: '0.0.0' });
    this.#ajv.addSchema({ ...this.document, $id: 'openapi' });
    // What is named stands before what is a parameter.
    const paths = Object.keys(this.document['paths'] as JsonObject).sort(
      (a, b) => Number(a.includes('{')) - Number(b.includes('{')),
    );
    this.#routes = paths.map((path) => ({ path, parts: path.split('/') }));
  }

  faultIn(exchange: Exchange): string | undefined {
    const fault = this.#faultIn(exchange);
    const { method, target, status } = exchange;
    return fault && `${method} ${target.slice(0, 200)} answered ${status}, and by its description ${fault}`;
  }

  #faultIn({ method, target, body, sent, status, headers, text }: Exchange): string | undefined {
    const [path = '', query = ''] = target.split('?');
    const found = this.#operation(method, path);
    if (found === undefined) {
      if (!anywhere.has(status)) return 'there is no such operation';
      return method === 'HEAD' ? undefined : this.#mismatch('/components/schemas/Problem', text);
    }
    const { operation, pointer } = found;
    if (status < 300) {
      const fault = this.#faultInQuery(operation, query) ?? this.#faultInBody(operation, pointer, body, sent);
      if (fault !== undefined) return fault;
    }
    // A path that has not this method, or one that cannot be read.
    if (status === 405 || status === 431) return undefined;
    const response = (operation['responses'] as JsonObject)[status] as JsonObject | undefined;
    if (response === undefined) return 'there is no such answer';
    const at = typeof response['$ref'] === 'string' ? response['$ref'].slice(1) : `${pointer}/responses/${status}`;
    const answer = this.#at(at);
    const [type = ''] = String(headers['content-type'] ?? '').split(';');
    const content = answer['content'] as JsonObject | undefined;
    if (content === undefined) return text === '' ? undefined : 'there is no content';
    if (method === 'HEAD') return undefined;
    if (!(type in content) && !(type.replace(/[^/]*$/, '*') in content)) return `there is no content of the type "${type}"`;
    for (const name of Object.keys((answer['headers'] ?? {}) as JsonObject)) {
      if (alwaysThere.has(name) && headers[name.toLowerCase()] === undefined) return `there is a header ${name}`;
    }
    if (!type.endsWith('json')) return undefined;
    const schema = `${at}/content/${type.replace('/', '~1')}/schema`;
    return this.#mismatch(schema, text) ?? (new URLSearchParams(query).has('fields') ? undefined : this.#missing(schema, text));
  }

  #operation(method: string, path: string): Described | undefined {
    const inside = path.replace(/^(?:\/api)?\/v1(?=\/)/, '');
    const parts = inside.split('/');
    const prefixed = inside !== path;
    for (const route of this.#routes) {
      if (route.parts.length !== parts.length || !route.parts.every((part, i) => part.startsWith('{') || part === parts[i]))
        continue;
      const item = (this.document['paths'] as JsonObject)[route.path] as JsonObject;
      if (prefixed === 'servers' in item) continue;
      const name = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = item[name] as JsonObject | undefined;
      if (operation !== undefined)
        return {
          operation,
          pointer: `/paths/${route.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${name}`,
        };
    }
    return undefined;
  }

  #faultInQuery(operation: JsonObject, query: string): string | undefined {
    const known = ((operation['parameters'] ?? []) as JsonObject[]).filter((parameter) => parameter['in'] === 'query');
    for (const name of new URLSearchParams(query).keys()) {
      if (!known.some((parameter) => parameter['name'] === name)) return `there is no query parameter "${name}"`;
    }
    return undefined;
  }

  #faultInBody(
    operation: JsonObject,
    pointer: string,
    body: string | Buffer | undefined,
    sent: Exchange['sent'],
  ): string | undefined {
    if (operation['requestBody'] === undefined) return undefined;
    if (body === undefined || body.length === 0)
      return (operation['requestBody'] as JsonObject)['required'] === true ? 'there is a body' : undefined;
    // The bytes of a file have no schema.
    const { content } = operation['requestBody'] as { readonly content: JsonObject };
    if (content['application/json'] === undefined || sent?.['content-encoding'] !== undefined) return undefined;
    // In the text of the description: a body of two types breaks some generated clients.
    if (sent?.['content-type'] === patchType)
      return String(operation['description']).includes(patchType) ? undefined : 'there is no merge patch';
    return this.#mismatch(`${pointer}/requestBody/content/application~1json/schema`, String(body));
  }

  #mismatch(pointer: string, text: string): string | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return `it is JSON: ${text.slice(0, 200)}`;
    }
    let check = this.#checks.get(pointer);
    if (check === undefined) {
      check = this.#ajv.compile({ $ref: `openapi#${pointer}` });
      this.#checks.set(pointer, check);
    }
    for (const part of piecesOf(value)) {
      if (check(part)) continue;
      const [error] = check.errors ?? [];
      return error === undefined
        ? 'it has this schema'
        : `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`;
    }
    return undefined;
  }

  /** The members that a response without `?fields=` lacks: its schema is also that of the parts that `?fields=` names. */
  #missing(pointer: string, text: string): string | undefined {
    const schema = this.#at(pointer);
    const items = schema['items'] as JsonObject | undefined;
    if (items?.['anyOf'] === undefined)
      return schema['anyOf'] === undefined ? undefined : this.#mismatch(`${pointer}/anyOf/0`, text);
    for (const item of (JSON.parse(text) as unknown[]).slice(0, pieceMax)) {
      const fault = this.#mismatch(`${pointer}/items/anyOf/0`, JSON.stringify(item));
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** What stands at a pointer. */
  #at(pointer: string): JsonObject {
    let value: unknown = this.document;
    for (const part of pointer.split('/').slice(1)) {
      value = (value as JsonObject)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    return value as JsonObject;
  }
}

/** Elements of a list that are checked at once: the checker copies all errors so far for each further one. */
const pieceMax = 1000;

/** A long list in pieces, which are lists too; anything else as it is. */
function* piecesOf(value: unknown): Generator<unknown> {
  if (!Array.isArray(value) || value.length <= pieceMax) yield value;
  else for (let at = 0; at < value.length; at += pieceMax) yield value.slice(at, at + pieceMax);
}

/** Headers that no answer of their kind is without. */
const alwaysThere: ReadonlySet<string> = new Set(['X-Request-Id', 'ETag']);

/**
 * The request of a data source, from its stored members. The contract leaves headers open, so everything is checked here, when the source
 * is used, and not when it is stored.
 */
import { createHash } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { shownName } from '../../lib/field-error.ts';
import type { SourceProblem, SourceProblemCode } from './source-problem.ts';

/** A data source as it is stored; nothing in it is trusted. */
export type StoredSource = Readonly<Record<string, unknown>>;

export interface SourceRequest {
  readonly url: URL;
  readonly method: string;
  /** As stored, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `undefined` for methods without a body. */
  readonly body: string | undefined;
}

/** A problem of the stored members. `pointer` leads to the wrong member of the data source: `/headers/1/name`. */
export interface RequestProblem extends SourceProblem {
  readonly pointer: string;
}

export type ParsedRequest = { readonly request: SourceRequest } | { readonly problem: RequestProblem };

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** Headers that belong to the connection: one that a client chooses could end the request early or begin another one. */
const connectionHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|http2-settings|proxy-.*)$/i;

/** Whether a data source has a URL: without one it is never fetched. */
export const hasUrl = (source: StoredSource): boolean => textOf(source['url']).trim() !== '';

/** Turns a data source into a request, or says which member is wrong. */
export function parseSource(source: StoredSource): ParsedRequest {
  try {
    const url = parseUrl(textOf(source['url']).trim());
    const method = parseMethod(source['method']);
    const headers = parseHeaders(source['headers'] ?? []);
    return { request: { url, method, headers, body: methodsWithBody.has(method) ? textOf(source['body']) : undefined } };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem };
    throw error;
  }
}

/** The host of a data source, without a port; empty if its URL is invalid. */
export function hostOf(source: StoredSource): string {
  const url = textOf(source['url']).trim();
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
}

const settingsKeys = new WeakMap<StoredSource, string>();

/**
 * Identifies the fetch settings of a data source (URL, method, headers, body): two sources with the same settings get the same response.
 * Computed once for each object.
 */
export function settingsKey(source: StoredSource): string {
  const known = settingsKeys.get(source);
  if (known !== undefined) return known;
  // Members may be left out when they have their defaults.
  const { url = '', method = 'GET', headers = [], body = '' } = source;
  const key = createHash('sha256')
    .update(JSON.stringify([url, method, headers, body]))
    .digest('base64url');
  settingsKeys.set(source, key);
  return key;
}

/**
 * Checks the scheme and the credentials of a URL; the error message says what to write instead, `undefined` if it is valid. Also used for
 * the targets of redirects.
 */
export function urlFault(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `the scheme is "${shownName(url.protocol)}", and only http: and https: are fetched`;
  if (url.username !== '' || url.password !== '')
    return 'it contains a user name or a password, which are not sent; remove them and use a header Authorization instead';
  return undefined;
}

class Refusal extends Error {
  readonly problem: RequestProblem;

  constructor(code: SourceProblemCode, pointer: string, detail: string) {
    super(detail);
    this.problem = { code, pointer, detail: `${pointer}: ${detail}` };
  }
}

function parseUrl(text: string): URL {
  if (text === '')
    throw new Refusal(
      'no_url',
      '/url',
      'the data source has no URL, so it is not fetched. Set a URL, or push a response with PUT.',
    );
  if (!URL.canParse(text))
    throw new Refusal('invalid_url', '/url', 'not an absolute URL. Write one such as https://example.com/data.json.');
  const url = new URL(text);
  const fault = urlFault(url);
  if (fault !== undefined) throw new Refusal('invalid_url', '/url', `${fault}.`);
  url.hash = '';
  return url;
}

function parseMethod(value: unknown): string {
  const method = value === undefined ? 'GET' : textOf(value);
  if (methods.has(method)) return method;
  throw new Refusal('invalid_method', '/method', `"${shownName(method)}" is not one of ${[...methods].join(', ')}.`);
}

function parseHeaders(value: unknown): [string, string][] {
  if (!Array.isArray(value)) throw new Refusal('invalid_header', '/headers', 'must be an array of { name, value }.');
  return value.map((header: unknown, i) => parseHeader(header, `/headers/${i}`));
}

function parseHeader(header: unknown, pointer: string): [string, string] {
  const { name, value } = (header ?? {}) as StoredSource;
  if (typeof name !== 'string' || name === '')
    throw new Refusal('invalid_header', `${pointer}/name`, 'must be a text that is not empty. Set it, or remove the header.');
  const shown = shownName(name);
  // Node leaves out the latter without a word.
  if (isInvalid(() => validateHeaderName(name)) || name === '__proto__')
    throw new Refusal('invalid_header', `${pointer}/name`, `${nameFault(name)}. Write letters, digits and hyphens.`);
  if (connectionHeaders.test(name))
    throw new Refusal(
      'invalid_header',
      `${pointer}/name`,
      `"${shown}" belongs to the connection; the server sets it. Remove it.`,
    );
  if (typeof value !== 'string')
    throw new Refusal('invalid_header', `${pointer}/value`, `the value of "${shown}" must be a text. Write it in quotes.`);
  if (isInvalid(() => validateHeaderValue(name, value)))
    throw new Refusal('invalid_header', `${pointer}/value`, `the value of "${shown}" ${valueFault(value)}. Remove it.`);
  return [name, value];
}

function isInvalid(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch {
    return true;
  }
}

/** Does not repeat the name, which may be a whole header: problems are shown to keys for reading, headers are not. */
const nameFault = (name: string): string =>
  /[\r\n]/.test(name) ? 'the name contains a line break' : 'the name is not one that a header can have';

const valueFault = (value: string): string =>
  /[\r\n]/.test(value)
    ? 'contains a line break'
    : 'contains a character that a header cannot have (control character, or beyond Latin-1)';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

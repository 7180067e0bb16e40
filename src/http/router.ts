/**
 * Finds the methods of a path. The method is not part of the search: the methods of a path are known before the client is authorized.
 *
 * A literal path inherits the methods of a matching path with parameters, except those that it declares: `POST /projects/import` does
 * not change `GET /projects/import`, which reads the project with the id "import".
 *
 * Paths are exact. A trailing or doubled slash, another letter case, or a fragment makes a different, unknown path. Percent signs that
 * encode nothing (`%ZZ`, `%ff`) are literal: such a parameter is an id that no resource has, so the response is a 404.
 */
import findMyWay from 'find-my-way';
import { keepLast } from '../lib/keep-last.ts';
import type { Endpoint } from './route.ts';

/** The endpoints of one path. */
interface PathTable<Principal> {
  /** The path's pattern, prefix included: `/api/v1/projects/:project_id`. */
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint<Principal, unknown>>;
  /** Whether all endpoints work without a key. Where only some do, a method that the path does not have needs one. */
  readonly public: boolean;
  /** The value of `Allow`: `GET, HEAD, POST`. */
  readonly allow: string;
  /** Parameters of the inherited endpoints. */
  readonly params: Readonly<Record<string, string>> | undefined;
}

export interface Match<Principal> {
  readonly table: PathTable<Principal>;
  readonly params: Readonly<Record<string, string>>;
  /** The query after the first `?`, as sent. */
  readonly query: string;
}

/** Start of a target with scheme and host before its path. */
const absolute = /^https?:\/\/[^/?]+\//i;

/** Finds a path; `store` holds its index. */
type Search = ReturnType<typeof searchOf>;

/** A search is compiled after it was used so many times: that takes 20 ms, a tenth of a server's start, and makes it twice as fast. */
export const compiledAfter = 1000;

/** Makes a search. The last one is kept: all servers of a process have the same paths. */
const searchOf = keepLast((paths: readonly string[]) => {
  // The length of the target is checked before, and a long parameter is only an id that no resource has: no extra limit is needed.
  const search = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER, querystringParser: (query) => query });
  for (const [index, path] of paths.entries()) search.on('GET', path, unreachable, { index });
  return search;
}, String);

export class Router<Principal> {
  /**
   * What a proxy or another program passes on: whole paths, and beginnings of paths, which end with `/`. Below the base path, if there is
   * one: `/maps/v1/`, `/maps/healthz`.
   */
  readonly paths: readonly string[];
  readonly #search: Search;
  #uses = 0;
  /** In the order of the paths of the search. */
  readonly #tables: readonly PathTable<Principal>[];

  /**
   * Throws if two endpoints declare the same method of a path.
   *
   * @param basePath a path that may precede each prefix: `/maps`
   */
  constructor(endpoints: readonly Endpoint<Principal, unknown>[], basePath = '') {
    const byPath = new Map<string, Endpoint<Principal, unknown>[]>();
    for (const endpoint of endpoints) {
      // A set, because `/api` before `/v1` is a prefix that exists already.
      for (const prefix of new Set([...endpoint.prefixes, ...endpoint.prefixes.map((prefix) => basePath + prefix)])) {
        const path = prefix + endpoint.path;
        const here = byPath.get(path);
        if (here === undefined) byPath.set(path, [endpoint]);
        else here.push(endpoint);
      }
    }
    this.paths = [...new Set(endpoints.flatMap((endpoint) => begins(endpoint, basePath)))].sort();
    this.#tables = [...byPath].map(([path, here]) => tableOf(path, here, inheritedAt(path, byPath)));
    this.#search = searchOf([...byPath.keys()]);
  }

  /** Finds the endpoints of a request target (a path or a full URL, each with or without a query); `undefined` if no path matches. */
  find(url: string): Match<Principal> | undefined {
    if (!hasPath(url)) return undefined;
    if (this.#uses < compiledAfter && ++this.#uses === compiledAfter) this.#search.compile();
    const found = this.#search.find('GET', url) ?? (url.includes('%') ? this.#search.find('GET', undecoded(url)) : null);
    if (found === null) return undefined;
    const { index } = found.store as { readonly index: number };
    const table = this.#tables[index] as PathTable<Principal>;
    const params = table.params ?? (found.params as Record<string, string>);
    // An empty parameter is a trailing or doubled slash.
    for (const name in params) if (params[name] === '') return undefined;
    return { table, params, query: found.searchParams as unknown as string };
  }
}

/** Whether a request target names a path: no other can belong to an endpoint. */
export function hasPath(url: string): boolean {
  // The search would take a fragment for a query; no valid target has one (RFC 9112, 3.2). It also ignores the first character.
  return !url.includes('#') && (url.startsWith('/') || absolute.test(url));
}

/** The path of a request target, as sent: without query, scheme and host. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const address = query === -1 ? url : url.slice(0, query);
  if (address.startsWith('/')) return address;
  const authority = address.indexOf('://');
  const path = authority === -1 ? -1 : address.indexOf('/', authority + 3);
  return path === -1 ? '/' : address.slice(path);
}

/** The decoded path of a request target; as sent if it does not decode, which names nothing that exists. */
export function decodedPathOf(url: string): string {
  const path = pathOf(url);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The endpoints that a literal path inherits from a path with parameters. */
interface Inherited<Principal> {
  readonly endpoints: readonly Endpoint<Principal, unknown>[];
  readonly params: Readonly<Record<string, string>>;
}

/** The path with parameters that matches a literal path, if one exists. */
function inheritedAt<Principal>(
  path: string,
  byPath: ReadonlyMap<string, readonly Endpoint<Principal, unknown>[]>,
): Inherited<Principal> | undefined {
  const parts = path.split('/');
  if (parts.some(isParameter)) return undefined;
  for (const [other, endpoints] of byPath) {
    const pattern = other.split('/');
    if (other === path || pattern.length !== parts.length) continue;
    if (!pattern.every((part, i) => isParameter(part) || part === parts[i])) continue;
    const params = pattern.flatMap((part, i) => (isParameter(part) ? [[part.slice(1), parts[i] as string]] : []));
    return { endpoints, params: Object.fromEntries(params) };
  }
  return undefined;
}

/** The paths of an endpoint: all of them if they have more than one part, or a prefix, below the first part or the prefix. */
function begins({ path, prefixes }: Endpoint<never, unknown>, basePath: string): string[] {
  const [, first = '', ...rest] = path.split('/');
  const own = rest.length === 0 ? `/${first}` : `/${first}/`;
  return prefixes.map((prefix) => basePath + (prefix === '' ? own : `${prefix}/`));
}

const isParameter = (part: string): boolean => part.startsWith(':');

function tableOf<Principal>(
  path: string,
  here: readonly Endpoint<Principal, unknown>[],
  inherited: Inherited<Principal> | undefined,
): PathTable<Principal> {
  const endpoints = new Map<string, Endpoint<Principal, unknown>>();
  for (const endpoint of here) {
    if (endpoints.has(endpoint.method)) throw new Error(`${endpoint.method} ${path} is declared twice`);
    endpoints.set(endpoint.method, endpoint);
  }
  for (const endpoint of inherited?.endpoints ?? [])
    if (!endpoints.has(endpoint.method)) endpoints.set(endpoint.method, endpoint);
  const methods = [...endpoints.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const get = endpoints.get('GET');
  if (get !== undefined) endpoints.set('HEAD', get);
  return {
    path,
    endpoints,
    public: here.every((endpoint) => endpoint.public === true),
    allow: methods.join(', '),
    params: inherited?.params,
  };
}

/** The target with every percent sign of its path escaped, for a path that does not decode. */
function undecoded(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

function unreachable(): never {
  throw new Error('routes are looked up, not run');
}

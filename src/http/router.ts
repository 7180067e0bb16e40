/**
 * From a request target to the table of methods at that path. The method is no part of the search: what a path answers to is known
 * before it is decided whether the caller may know.
 *
 * A path without parameters has what a path with parameters has for such a name, too, but for the methods that it has itself: beside
 * `POST /projects/import`, `GET /projects/import` is what it was before, that of a project which is called "import".
 *
 * Paths are exact. A trailing or doubled slash, another letter case, or a fragment is another path, hence an unknown one. Percent
 * signs that encode nothing (`%ZZ`, `%ff`) stand for themselves: such a parameter is a name that nothing has, and is answered so.
 */
import findMyWay from 'find-my-way';
import type { Endpoint } from './route.ts';

/** What is at one path. */
export interface PathTable<Principal> {
  /** The path's pattern, prefix included: `/api/v1/projects/:project_id`. */
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint<Principal, unknown>>;
  /** Whether all of them answer without a key. */
  readonly public: boolean;
  /** The value of `Allow`: `GET, HEAD, POST`. */
  readonly allow: string;
  /** Parameters of the other path of which some of the endpoints are. */
  readonly params: Readonly<Record<string, string>> | undefined;
}

export interface Match<Principal> {
  readonly table: PathTable<Principal>;
  readonly params: Readonly<Record<string, string>>;
  /** Everything behind the first `?`, as sent. */
  readonly query: string;
}

/** How a target begins that has scheme and host before its path. */
const absolute = /^https?:\/\/[^/?]+\//i;

export class Router<Principal> {
  // A parameter is as long as the target lets it be: that limit is checked before, and a long name is merely one that nothing has.
  readonly #paths = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER, querystringParser: (query) => query });

  /**
   * Throws where two endpoints claim the same method of a path, or a path mixes endpoints with and without a key.
   *
   * @param basePath what may stand before each prefix: `/maps`
   */
  constructor(endpoints: readonly Endpoint<Principal, unknown>[], basePath = '') {
    const byPath = new Map<string, Endpoint<Principal, unknown>[]>();
    for (const endpoint of endpoints) {
      // A set: with `/api` before it, `/v1` is a prefix that there is already.
      for (const prefix of new Set([...endpoint.prefixes, ...endpoint.prefixes.map((prefix) => basePath + prefix)])) {
        const path = prefix + endpoint.path;
        const here = byPath.get(path);
        if (here === undefined) byPath.set(path, [endpoint]);
        else here.push(endpoint);
      }
    }
    for (const [path, here] of byPath) this.#paths.on('GET', path, unreachable, tableOf(path, here, othersAt(path, byPath)));
    this.#paths.compile();
  }

  /** What is at a request target (a path, or an address with scheme and host, either with a query); `undefined` for nothing. */
  find(url: string): Match<Principal> | undefined {
    // The search would take a fragment for a query; no target has one (RFC 9112, 3.2). Nor does it look at the first character.
    if (url.includes('#') || !(url.startsWith('/') || absolute.test(url))) return undefined;
    const found = this.#paths.find('GET', url) ?? (url.includes('%') ? this.#paths.find('GET', undecoded(url)) : null);
    if (found === null) return undefined;
    const table = found.store as PathTable<Principal>;
    const params = table.params ?? (found.params as Record<string, string>);
    // An empty parameter is a trailing or doubled slash.
    for (const name in params) if (params[name] === '') return undefined;
    return { table, params, query: found.searchParams as unknown as string };
  }
}

/** The path of a request target, as sent: without query, and without scheme and host where it has them. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const address = query === -1 ? url : url.slice(0, query);
  if (address.startsWith('/')) return address;
  const authority = address.indexOf('://');
  const path = authority === -1 ? -1 : address.indexOf('/', authority + 3);
  return path === -1 ? '/' : address.slice(path);
}

/** The same, decoded; one that does not decode, and so names nothing that there is, as it was sent. */
export function decodedPathOf(url: string): string {
  const path = pathOf(url);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What a path with parameters has for a name that is a path of its own. */
interface Others<Principal> {
  readonly endpoints: readonly Endpoint<Principal, unknown>[];
  readonly params: Readonly<Record<string, string>>;
}

/** The path with parameters that a path without any is an instance of, if there is one. */
function othersAt<Principal>(
  path: string,
  byPath: ReadonlyMap<string, readonly Endpoint<Principal, unknown>[]>,
): Others<Principal> | undefined {
  const parts = path.split('/');
  if (parts.some(isParameter)) return undefined;
  for (const [other, endpoints] of byPath) {
    const wanted = other.split('/');
    if (other === path || wanted.length !== parts.length) continue;
    if (!wanted.every((part, i) => isParameter(part) || part === parts[i])) continue;
    const params = wanted.flatMap((part, i) => (isParameter(part) ? [[part.slice(1), parts[i] as string]] : []));
    return { endpoints, params: Object.fromEntries(params) };
  }
  return undefined;
}

const isParameter = (part: string): boolean => part.startsWith(':');

function tableOf<Principal>(
  path: string,
  here: readonly Endpoint<Principal, unknown>[],
  others: Others<Principal> | undefined,
): PathTable<Principal> {
  const endpoints = new Map<string, Endpoint<Principal, unknown>>();
  for (const endpoint of here) {
    if (endpoints.has(endpoint.method)) throw new Error(`${endpoint.method} ${path} is declared twice`);
    endpoints.set(endpoint.method, endpoint);
  }
  for (const endpoint of others?.endpoints ?? []) if (!endpoints.has(endpoint.method)) endpoints.set(endpoint.method, endpoint);
  const open = here.filter((endpoint) => endpoint.public === true).length;
  if (open !== 0 && open !== here.length) throw new Error(`${path} has endpoints that need a key and endpoints that do not`);
  const methods = [...endpoints.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const get = endpoints.get('GET');
  if (get !== undefined) endpoints.set('HEAD', get);
  return { path, endpoints, public: open !== 0, allow: methods.join(', '), params: others?.params };
}

/** The target with every percent sign of its path made literal, for one that does not decode. */
function undecoded(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

function unreachable(): never {
  throw new Error('routes are looked up, not run');
}

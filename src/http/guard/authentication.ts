/**
 * Authentication by the key in `Authorization: Bearer <key>` (RFC 6750, 2.1), or by the two secrets of a browser's session: one in
 * `Mapwright-Session`, one in a cookie. A request with a key is not one of the session.
 *
 * Hashing a key for every request would cost more than many a response, so accepted tokens are cached with their principal until the time
 * that the lookup returned, or until an account or a key changes: a request costs two comparisons, and no timer is needed. The cache key is the usual header value,
 * `Bearer <token>`, so that it is looked up unchanged. Each accepted token has one entry, however the scheme was spelled, and each session
 * has one: the map is no larger than the number of valid keys and sessions.
 */
import type { IncomingMessage } from 'node:http';
import { type Problem, problems } from '../problem.ts';
import type { Caller } from '../transport/transport.ts';
import { type SessionCookie, sessionHeader } from './session-cookie.ts';

/** The characters of a b64token, after a scheme in any letter case and exactly one space. */
const bearer = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** The token in the value of the header `Authorization`; `undefined` if it has another form. */
export const tokenIn = (value: string): string | undefined => bearer.exec(value)?.[1];

/** Maximum number of cached tokens; the oldest is evicted. */
const cachedKeysMax = 4096;

/** How keys are looked up; see {@link ListenerOptions} for what each member means. */
export interface KeyLookup<Principal> {
  authenticate(token: string, caller: Caller): Principal | undefined;
  onMalformedCredential?(caller: Caller): void;
  validUntilMs?(principal: Principal): number;
  accessVersion?(): number;
  readonly clock?: () => number;
  readonly sessions?: SessionLookup<Principal> | undefined;
}

/** How sessions of browsers are looked up. */
export interface SessionLookup<Principal> {
  readonly cookie: SessionCookie;
  /**
   * @param text the secret of the page
   * @param secrets of cookies, of which one may belong to it
   */
  authenticate(text: string, secrets: readonly string[], caller: Caller): SessionFound<Principal> | undefined;
}

interface SessionFound<Principal> {
  readonly principal: Principal;
  /** The one of the secrets that belongs to the session. */
  readonly secret: string;
}

interface CacheEntry<Principal> {
  readonly principal: Principal;
  /** Milliseconds since 1970. */
  readonly untilMs: number;
}

export class Authenticator<Principal> {
  readonly #lookup: KeyLookup<Principal>;
  readonly #clock: () => number;
  /** By `Bearer <token>`. */
  readonly #entries = new Map<string, CacheEntry<Principal>>();
  /** By `<secret of a page> <secret of a cookie>`: no value of a header leads here. */
  readonly #sessions = new Map<string, CacheEntry<Principal>>();
  /** The version of accounts and keys that the entries are of. */
  #version = 0;

  constructor(lookup: KeyLookup<Principal>) {
    this.#lookup = lookup;
    this.#clock = lookup.clock ?? Date.now;
  }

  /** The principal of a request. Throws a 401 problem if it has no valid credential, or more than one. */
  principalOf(req: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, caller: Caller): Principal {
    const value = req.headers.authorization;
    if (value === undefined) return this.#ofSession(req.headers, caller);
    // Of repeated headers Node shows the first: a proxy may have meant the other.
    if (countHeader(req.rawHeaders, 'authorization') !== 1) throw this.#malformed(caller);
    this.#forgetFormer();
    const known = this.#cached(value);
    if (known !== undefined) return known;
    const token = tokenIn(value);
    if (token === undefined) throw this.#malformed(caller);
    const canonical = `Bearer ${token}`;
    const respelled = canonical === value ? undefined : this.#cached(canonical);
    if (respelled !== undefined) return respelled;
    const principal = this.#lookup.authenticate(token, caller);
    if (principal === undefined) throw problems.unauthorized('refused');
    this.#cache(canonical, principal);
    return principal;
  }

  #ofSession(headers: IncomingMessage['headers'], caller: Caller): Principal {
    const { sessions } = this.#lookup;
    const text = headers[sessionHeader];
    if (sessions === undefined || typeof text !== 'string') throw problems.unauthorized('missing');
    this.#forgetFormer();
    const secrets = sessions.cookie.valuesIn(headers.cookie);
    for (const secret of secrets) {
      const known = this.#cached(`${text} ${secret}`, this.#sessions);
      if (known !== undefined) return known;
    }
    const found = sessions.authenticate(text, secrets, caller);
    if (found === undefined) throw problems.unauthorized('ended');
    this.#cache(`${text} ${found.secret}`, found.principal, this.#sessions);
    return found.principal;
  }

  #forgetFormer(): void {
    const version = this.#lookup.accessVersion?.() ?? 0;
    if (version === this.#version) return;
    this.#version = version;
    this.#entries.clear();
    this.#sessions.clear();
  }

  #cached(value: string, entries = this.#entries): Principal | undefined {
    const entry = entries.get(value);
    if (entry === undefined) return undefined;
    if (this.#clock() < entry.untilMs) return entry.principal;
    entries.delete(value);
    return undefined;
  }

  #malformed(caller: Caller): Problem {
    this.#lookup.onMalformedCredential?.(caller);
    return problems.unauthorized('malformed');
  }

  #cache(value: string, principal: Principal, entries = this.#entries): void {
    const untilMs = this.#lookup.validUntilMs?.(principal) ?? Number.POSITIVE_INFINITY;
    if (entries.size >= cachedKeysMax) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    entries.set(value, { principal, untilMs });
  }
}

/** How often a header was sent. `rawHeaders` alternates names and values; `name` is in lower case. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i];
    if (sent !== undefined && sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

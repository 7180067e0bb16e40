/**
 * Who asks: the holder of the key in `Authorization: Bearer <key>` (RFC 6750, 2.1). Nothing else is a credential.
 *
 * Hashing a key for every request would cost more than many an answer, so the header's whole value leads straight to its principal
 * once it has been accepted. Only accepted values are kept, so that guessing fills nothing; and the map is bounded, because one key
 * can be written with the scheme in many spellings.
 */
import type { IncomingMessage } from 'node:http';

/** The characters of a b64token, after a scheme in any letter case. */
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Header values whose principal is remembered; the oldest gives way. */
const rememberedMax = 4096;

export class Accounts<Principal> {
  readonly #authenticate: (token: string) => Principal | undefined;
  readonly #remembered = new Map<string, Principal>();

  /** @param authenticate the principal of a key, `undefined` for a key that is not valid (any more) */
  constructor(authenticate: (token: string) => Principal | undefined) {
    this.#authenticate = authenticate;
  }

  /** Who sent the request; `undefined` when it carries no valid credential, or more than one. */
  principalOf(req: IncomingMessage): Principal | undefined {
    const value = req.headers.authorization;
    // Of repeated headers Node shows the first: a proxy may have meant the other.
    if (value === undefined || countHeader(req.rawHeaders, 'authorization') !== 1) return undefined;
    const remembered = this.#remembered.get(value);
    if (remembered !== undefined) return remembered;
    const token = bearer.exec(value)?.[1];
    if (token === undefined) return undefined;
    const principal = this.#authenticate(token);
    if (principal !== undefined) this.#remember(value, principal);
    return principal;
  }

  /** To be called whenever a key changes or is revoked, in the same turn: from then on every key is looked up again. */
  forget(): void {
    this.#remembered.clear();
  }

  #remember(value: string, principal: Principal): void {
    if (this.#remembered.size >= rememberedMax) {
      const oldest = this.#remembered.keys().next().value;
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(value, principal);
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

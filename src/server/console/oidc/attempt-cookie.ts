/**
 * The cookie of one attempt to sign in at a provider: what the browser brings back with the answer, sealed (AES-256-GCM), so that this server
 * keeps nothing and believes nothing that it did not write. Another one of the same server replaces it: the newest attempt counts.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { cookiesIn, portOf } from '../../../http/guard/cookies.ts';

/** How long people have at the provider, in milliseconds. */
export const attemptMs = 10 * 60_000;

export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
  /** Identifier of the project to show after it; '' for the first screen. */
  readonly project: string;
  /** Identifier of the session of a person who connects the provider; '' to sign in. */
  readonly session: string;
  /** Unix time in milliseconds. */
  readonly until: number;
}

/** The attempt of a request, or why there is none: `sealed` by a server with another key, which was perhaps this one before a restart. */
export type AttemptFound = { readonly attempt: Attempt } | { readonly missing: 'none' | 'sealed' | 'over' };

const [ivBytes, tagBytes, keyBytes] = [12, 16, 32];
/** An attempt has about 350 characters. */
const lengthMax = 1500;
/** Cookies of other programs on the host may have the same name. */
const cookiesMax = 4;

export class AttemptCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #key: Uint8Array;

  /**
   * @param callback whole URL of the callback
   * @param secret that all nodes of a cluster share; `undefined`: one of this process
   */
  constructor(callback: URL, secret: Uint8Array | undefined) {
    const isSecure = callback.protocol === 'https:';
    // Cookies ignore ports.
    this.#name = `${isSecure ? '__Secure-' : ''}mapwright-oidc-${portOf(callback)}`;
    this.#attributes = `; Path=${callback.pathname}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
    this.#key = new Uint8Array(
      hkdfSync('sha256', secret ?? randomBytes(keyBytes), '', `mapwright sign-in ${callback.href}`, keyBytes),
    );
  }

  /** The value of `Set-Cookie`. */
  setting(attempt: Attempt): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(attempt), 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    return `${this.#name}=${sealed}; Max-Age=${attemptMs / 1000}${this.#attributes}`;
  }

  /** The value of `Set-Cookie` that deletes the cookie. */
  get clearing(): string {
    return `${this.#name}=; Max-Age=0${this.#attributes}`;
  }

  /**
   * @param header `Cookie` of a request
   * @param now Unix time in milliseconds
   */
  find(header: string | undefined, now: number): AttemptFound {
    const values = [...cookiesIn(header)]
      .flatMap(([name, value]) => (name === this.#name && value !== '' ? [value] : []))
      .slice(0, cookiesMax);
    if (values.length === 0) return { missing: 'none' };
    const attempt = values.map((value) => this.#open(value)).find((each) => each !== undefined);
    if (attempt === undefined) return { missing: 'sealed' };
    return now < attempt.until ? { attempt } : { missing: 'over' };
  }

  #open(sealed: string): Attempt | undefined {
    const bytes = Buffer.from(sealed.slice(0, lengthMax), 'base64url');
    if (bytes.length <= ivBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as Attempt;
    } catch {
      return undefined;
    }
  }
}

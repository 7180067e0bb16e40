/**
 * The cookie of a session (RFC 6265): one of its two secrets, of which the page sends the other in `Mapwright-Session`. Cookies ignore ports,
 * so every program on the same host gets it; without the other secret, which belongs to one origin, it opens nothing.
 */

import { cookiesIn, portOf } from './cookies.ts';

/** The header with the secret that the page keeps. */
export const sessionHeader = 'mapwright-session';

/** Cookies of sessions that are tried, those of other servers on the same host among them: more than a browser sends. */
const cookiesMax = 200;

const ending = /^mapwright-session-\d{1,5}$/;
const value = /^[\w-]{43}$/;

export class SessionCookie {
  /** `__Host-`, `__Secure-` or '': browsers keep the promises of these words, which no other program on the host can break. */
  readonly #prefix: string;
  readonly #path: string;
  /** That of the public URL; `undefined`: that of the connection. */
  readonly #port: number | undefined;

  /** @param publicUrl where browsers reach the server, or only its path; `undefined` if they reach it directly */
  constructor(publicUrl: string | undefined) {
    const url = publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
    const path = (url?.pathname ?? publicUrl ?? '').replace(/\/$/, '');
    const isSecure = url?.protocol === 'https:';
    this.#path = path === '' ? '/' : path;
    this.#prefix = !isSecure ? '' : path === '' ? '__Host-' : '__Secure-';
    this.#port = url === undefined ? undefined : portOf(url);
  }

  /** The secrets in the `Cookie` header of a request. */
  valuesIn(header: string | undefined): readonly string[] {
    const values: string[] = [];
    for (const [name, text] of cookiesIn(header)) {
      if (name.startsWith(this.#prefix) && ending.test(name.slice(this.#prefix.length)) && value.test(text)) values.push(text);
    }
    return values.slice(0, cookiesMax);
  }

  /**
   * The value of `Set-Cookie`.
   *
   * @param secret '' deletes the cookie
   * @param port of the connection, on this side
   */
  setting(secret: string, ageS: number, port: number | undefined): string {
    const name = `${this.#prefix}mapwright-session-${this.#port ?? port ?? 0}`;
    const secure = this.#prefix === '' ? '' : '; Secure';
    return `${name}=${secret}; Path=${this.#path}; Max-Age=${secret === '' ? 0 : ageS}; HttpOnly; SameSite=Strict${secure}`;
  }
}

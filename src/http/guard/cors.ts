/**
 * CORS headers (Fetch, 3.2): which origins may use the API from a browser, and which headers their scripts may see.
 *
 * The browser enforces this; the server answers every request. Scripts send keys in `Authorization`, and browsers never add them, so
 * credentials are not allowed here, and a page can do only what its script has a key for.
 */
import type { IncomingMessage } from 'node:http';

/** Any origin. */
const any = '*';

/** Response headers that scripts may read, besides those that they always may. */
const exposed = [
  'ETag',
  'Link',
  'Retry-After',
  'X-Request-Id',
  'WWW-Authenticate',
  'Allow',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Content-Disposition',
  'Location',
  'Preference-Applied',
  'X-Total-Count',
  'traceparent',
].join(', ');

/** Request headers that scripts may send, besides those that they always may. */
const allowed = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Prefer',
  'X-Request-Id',
  'traceparent',
  'tracestate',
].join(', ');

/** Seconds for which a browser may cache a preflight response: the maximum of Chromium, the lowest of all browsers. */
const rememberedS = 7200;

/** An answer without content. */
interface Preflight {
  readonly kind: 'empty';
  readonly status: 204;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Cors {
  /** Whether responses differ by origin. */
  readonly varies: boolean;
  readonly #linesByOrigin: ReadonlyMap<string, string>;
  readonly #linesOfOthers: string;

  /** @param origins at least one, as {@link validateOrigins} accepts them */
  constructor(origins: readonly string[]) {
    this.varies = !origins.includes(any);
    this.#linesByOrigin = new Map(origins.map((origin) => [origin, linesWith(origin)]));
    this.#linesOfOthers = this.#linesByOrigin.get(any) ?? '';
  }

  /** Headers for a response, each with its end of line; none for an origin that is not allowed. */
  linesFor({ headers: { origin } }: Pick<IncomingMessage, 'headers'>): string {
    return (origin === undefined ? undefined : this.#linesByOrigin.get(origin)) ?? this.#linesOfOthers;
  }

  /**
   * The response to a preflight request; `undefined` for any other request. For a disallowed origin it has no headers, which the browser
   * takes as a refusal: an error status could be taken for that of the request itself.
   *
   * @param allow the methods that the path has: `GET, HEAD`
   */
  preflight(req: Pick<IncomingMessage, 'method' | 'headers'>, allow: string): Preflight | undefined {
    const { method, headers } = req;
    if (method !== 'OPTIONS' || headers.origin === undefined) return undefined;
    if (headers['access-control-request-method'] === undefined || headers['transfer-encoding'] !== undefined) return undefined;
    if (this.linesFor(req) === '') return { kind: 'empty', status: 204 };
    return {
      kind: 'empty',
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': allow,
        'Access-Control-Allow-Headers': allowed,
        'Access-Control-Max-Age': `${rememberedS}`,
      },
    };
  }
}

function linesWith(origin: string): string {
  return `Access-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${exposed}\r\n`;
}

/** Scheme, host and port as browsers write them in `Origin`; apps and extensions have schemes of their own. */
const written = /^[a-z][a-z\d+.-]*:\/\/(?:[a-z\d._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/** Checks a list of origins: an error message with valid examples, or `undefined` if it is valid. */
export function validateOrigins(origins: readonly unknown[]): string | undefined {
  if (origins.length > 1 && origins.includes(any)) return '"*" allows all origins: remove either "*" or the other origins';
  const at = origins.findIndex((origin) => origin !== any && !isOrigin(origin));
  if (at === -1) return undefined;
  const wrong = origins[at];
  const meant = originOf(wrong);
  const example = meant !== undefined && isOrigin(meant) ? meant : 'https://editor.example, http://localhost:5173, or * for all';
  return `${JSON.stringify(wrong)} is not an origin (scheme://host[:port], no path): for example ${example}`;
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && written.test(text) && (!/^https?:/.test(text) || originOf(text) === text);
}

/** The origin of a URL; `undefined` if it has none. */
function originOf(address: unknown): string | undefined {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : undefined;
}

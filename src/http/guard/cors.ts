/**
 * What a browser must be told before it lets the scripts of another origin use the API (Fetch, 3.2): who may, and what they may see.
 *
 * It is the browser that keeps others out; whoever asks is answered. Keys are sent by scripts, in `Authorization`, and never by the
 * browser of its own accord, so there is no word of credentials here, and a page can do no more than its script has a key for.
 */
import type { IncomingMessage } from 'node:http';

/** Any origin. */
const any = '*';

/** Headers of answers that scripts may read, beside those that they always may. */
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
  'traceparent',
].join(', ');

/** Headers that scripts may send, beside those that they always may. */
const allowed = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
  'tracestate',
].join(', ');

/** Seconds for which a browser may remember what it was told before a request: the most that Chromium takes; others would take more. */
const rememberedS = 7200;

/** An answer without content. */
export interface Preflight {
  readonly status: 204;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Cors {
  /** Whether answers differ from origin to origin. */
  readonly varies: boolean;
  readonly #linesByOrigin: ReadonlyMap<string, string>;
  readonly #linesOfOthers: string;

  /** @param origins as {@link validateOrigins} lets them pass, one at the least */
  constructor(origins: readonly string[]) {
    this.varies = !origins.includes(any);
    this.#linesByOrigin = new Map(origins.map((origin) => [origin, linesWith(origin)]));
    this.#linesOfOthers = this.#linesByOrigin.get(any) ?? '';
  }

  /** Headers for the answer to a request, each with its end of line; none for an origin that is not allowed. */
  linesFor({ headers: { origin } }: IncomingMessage): string {
    return (origin === undefined ? undefined : this.#linesByOrigin.get(origin)) ?? this.#linesOfOthers;
  }

  /**
   * The answer to a browser's question whether it may send a request; `undefined` when a request is none. Where it may not, the answer
   * says nothing, which is what the browser goes by: a refusal would be taken for one of the request itself.
   *
   * @param allow the methods that the path has: `GET, HEAD`
   */
  preflight(req: IncomingMessage, allow: string): Preflight | undefined {
    const { method, headers } = req;
    if (method !== 'OPTIONS' || headers.origin === undefined) return undefined;
    if (headers['access-control-request-method'] === undefined || headers['transfer-encoding'] !== undefined) return undefined;
    if (this.linesFor(req) === '') return { status: 204 };
    return {
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

/** What is wrong with a list of origins, and what to write; `undefined` when nothing is. */
export function validateOrigins(origins: readonly unknown[]): string | undefined {
  if (origins.length > 1 && origins.includes(any)) return '"*" is every origin: leave the others out, or the "*"';
  const at = origins.findIndex((origin) => origin !== any && !isOrigin(origin));
  if (at === -1) return undefined;
  const wrong = origins[at];
  const meant = originOf(wrong);
  const example = meant !== undefined && isOrigin(meant) ? meant : 'https://editor.example, http://localhost:5173, or * for any';
  return `${JSON.stringify(wrong)} is no origin as browsers send it: write ${example}`;
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && written.test(text) && (!/^https?:/.test(text) || originOf(text) === text);
}

/** The origin of an address; `undefined` where it has none. */
function originOf(address: unknown): string | undefined {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** The head of a forwarded request: what the owner gets of the head that the client sent. */
import type { FallbackExchange } from '../../http/fallback.ts';
import { wasReadBefore } from '../../http/request/kept-body.ts';
import { pathOf } from '../../http/router.ts';
import { credentialsOf, peerHeader, type SignedParts } from '../peers/peer-signature.ts';

/** Methods whose body the API reads. The body of any other request is ignored, here as on the owner. */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Headers of the client that are not passed on. Others that its `Connection` header names are: the owner reads them if they are sent to it
 * directly, and the result must not depend on the node.
 */
const notPassedOn: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
  ...['content-length', 'expect', 'x-forwarded-for', 'x-request-id', peerHeader],
]);

export class ForwardedHead {
  readonly method: string;
  readonly target: string;
  /** Names and values alternating. */
  readonly headers: string[] = [];
  readonly credentials: string;
  readonly #forwardedFor: string;

  constructor({ req, requestId }: Pick<FallbackExchange, 'req' | 'requestId'>) {
    const { method = '', url = '', rawHeaders, headers } = req;
    this.method = method;
    this.target = url.startsWith('/') ? url : originForm(url);
    // A body parser has decoded the body that it kept.
    const isDecoded = wasReadBefore(req);
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      const isCoding = isDecoded && name.toLowerCase() === 'content-encoding';
      if (!isCoding && !notPassedOn.has(name.toLowerCase())) this.headers.push(name, rawHeaders[i + 1] as string);
    }
    const sentFor = headers['x-forwarded-for'];
    const address = req.socket?.remoteAddress ?? '';
    this.#forwardedFor = sentFor === undefined ? address : `${sentFor}, ${address}`;
    this.headers.push('X-Request-Id', requestId, 'X-Forwarded-For', this.#forwardedFor);
    this.credentials = credentialsOf(req);
  }

  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD';
  }

  /** Whether the client asks for a stream of events. */
  get asksForEvents(): boolean {
    return this.method === 'GET' && pathOf(this.target).endsWith('/events');
  }

  get mayHaveBody(): boolean {
    return withBody.has(this.method);
  }

  /** The headers of a body that is not kept. */
  declareBody(length: string | undefined): void {
    this.headers.push(...(length === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', length]));
  }

  signedParts(shard: number): SignedParts {
    const { method, target, credentials } = this;
    return { shard, method, target, credentials, forwardedFor: this.#forwardedFor };
  }
}

/** The path and query of a target with scheme and host. */
function originForm(url: string): string {
  const query = url.indexOf('?');
  return pathOf(url) + (query === -1 ? '' : url.slice(query));
}

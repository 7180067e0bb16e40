/**
 * Requests that are not sound HTTP, in the ways that Node's parser lets through: they are refused before anything is made of them,
 * because two programs on the way may read them differently (RFC 9112, 3.2 and 6.1).
 */
import type { IncomingMessage } from 'node:http';
import { countHeader } from './auth.ts';
import { type Problem, problems } from './problem.ts';

/** What a host may be written with (RFC 3986, 3.2.2), a port included; none at all where a target has no authority. */
const soundHost = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

export interface FramingLimits {
  /** Characters of a request target. */
  readonly urlBytesMax: number;
  /** Header lines of a request. */
  readonly headersMax: number;
}

/** What is wrong with the form of a request; `undefined` when nothing is. The connection cannot be trusted after a refusal. */
export function malformed(req: IncomingMessage, limits: FramingLimits): Problem | undefined {
  const { headers, rawHeaders, httpVersionMajor, httpVersionMinor } = req;
  if (httpVersionMajor !== 1) return problems.badRequest('The request must be HTTP/1.0 or HTTP/1.1.');
  if ((req.url?.length ?? 0) > limits.urlBytesMax) return problems.uriTooLong();
  if (rawHeaders.length > 2 * limits.headersMax) return problems.headersTooLarge();
  const hosts = countHeader(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersionMinor === 1)) return problems.badRequest('The request must have one Host header.');
  if (hosts === 1 && !soundHost.test(headers.host as string))
    return problems.badRequest('The Host header is not the name of a host.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0)) {
    return problems.badRequest('The only transfer coding that is read is "chunked", in HTTP/1.1.');
  }
  return undefined;
}

/** `upgrade` among the options of a `Connection` header, in any letter case. */
const upgradeOption = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;

/**
 * Whether a request asks for another protocol on its connection (RFC 9110, 7.8). Nobody has to agree, and here it is answered as any other.
 * But what comes after it may be in that protocol: Node's parser drops the rest of the packet, and reads the next one as a request.
 */
export function asksForUpgrade({ headers: { connection, upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined || (connection !== undefined && connection !== 'keep-alive' && upgradeOption.test(connection));
}

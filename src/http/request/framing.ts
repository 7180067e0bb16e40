/**
 * Checks for malformed requests that Node's parser accepts. They are refused before anything else, because two programs on the way may
 * read them differently (RFC 9112, 3.2 and 6.1).
 */
import type { IncomingMessage } from 'node:http';
import { countHeader } from '../guard/authentication.ts';
import { type Problem, problems } from '../problem.ts';
import type { HttpRequest } from '../transport/transport.ts';

/** Characters of a host (RFC 3986, 3.2.2) and port; empty if the target has no authority. */
const soundHost = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

interface FramingLimits {
  /** Characters of a request target. */
  readonly urlBytesMax: number;
  /** Header lines of a request. */
  readonly headersMax: number;
}

/** Checks the form of a request; `undefined` if it is valid. After a refusal the connection must be closed. */
export function validateFraming(req: HttpRequest, limits: FramingLimits): Problem | undefined {
  // A request of this process was never parsed from bytes.
  if (req.socket === undefined) return validateSizes(req, limits);
  const { headers, rawHeaders, httpVersionMajor, httpVersionMinor } = req;
  if (httpVersionMajor !== 1) {
    return problems.badRequest(
      'The request must be HTTP/1.0 or HTTP/1.1. For HTTP/2, put a proxy in front, or pass requests to the fetch of the server.',
    );
  }
  if (isOfOtherProtocol(req)) {
    return problems.badRequest('The request must be HTTP/1.0 or HTTP/1.1: this port does not speak RTSP or ICE.');
  }
  const tooLong = validateSizes(req, limits);
  if (tooLong !== undefined) return tooLong;
  const hosts = countHeader(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersionMinor === 1))
    return problems.badHeader('Host', 'The request must have one Host header.');
  if (hosts === 1 && !soundHost.test(headers.host as string))
    return problems.badHeader('Host', 'The Host header is not a valid host name.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0)) {
    return problems.badHeader('Transfer-Encoding', 'The only supported transfer coding is "chunked", in HTTP/1.1.');
  }
  return undefined;
}

function validateSizes({ url = '', rawHeaders }: HttpRequest, { urlBytesMax, headersMax }: FramingLimits): Problem | undefined {
  if (url.length > urlBytesMax) return problems.uriTooLong();
  return rawHeaders.length > 2 * headersMax ? problems.headersTooLarge() : undefined;
}

/** `upgrade` among the options of a `Connection` header, in any letter case. */
const upgradeOption = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;

/**
 * Whether a request asks for another protocol on its connection (RFC 9110, 7.8). A server may ignore it, and this
 * server ignores it. But the bytes after it may be in that protocol: Node's parser drops the rest of the packet, and reads the next one as a
 * request.
 */
export function asksForUpgrade({ headers: { connection, upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined || (connection !== undefined && connection !== 'keep-alive' && upgradeOption.test(connection));
}

/** Methods that Node's parser accepts and HTTP does not have: of RTSP (RFC 7826 and before), and of Icecast. */
const foreignMethods: ReadonlySet<string | undefined> = new Set([
  'DESCRIBE',
  'ANNOUNCE',
  'SETUP',
  'PLAY',
  'PAUSE',
  'TEARDOWN',
  'GET_PARAMETER',
  'SET_PARAMETER',
  'REDIRECT',
  'RECORD',
  'FLUSH',
  'SOURCE',
]);

/** Marks a connection whose first request was checked. */
const looked = Symbol('looked at');

interface Connection {
  [looked]?: true;
  /** Node's parser, which is not documented. */
  readonly parser?: { getCurrentBuffer?(): Buffer } | null;
}

/**
 * Whether the request line names RTSP or ICE. Node's parser accepts these as HTTP and drops the name, so the line is read again from the
 * current packet. The packet is a copy, so this is done only for the first request of a connection.
 *
 * So `GET`, `POST` and `OPTIONS` with `RTSP/1.1` pass on a later request, or where the line comes in several packets. That is harmless: the
 * parser frames such a request exactly as HTTP, so what comes after it is read the same way. All other combinations are refused.
 */
function isOfOtherProtocol({ method, url, socket }: IncomingMessage): boolean {
  if (foreignMethods.has(method)) return true;
  const connection = socket as Connection;
  if (connection[looked]) return false;
  connection[looked] = true;
  const line = `${method} ${url} RTSP/`;
  const packet = connection.parser?.getCurrentBuffer?.();
  // Line breaks may precede the first request.
  return (
    packet
      ?.toString('latin1', 0, line.length + 16)
      .trimStart()
      .startsWith(line) === true
  );
}

/**
 * Answers on a bare socket, for what never became a request: bytes that the parser refused, or that came too slowly. The parser is
 * past use then, so the answer is written by hand and the connection closed.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Problem, problems } from '../problem.ts';

/** What Node's parser and its timer report. */
export interface ParseError extends Error {
  readonly code?: string;
  /** The packet in which the parser stopped. */
  readonly rawPacket?: Buffer;
}

/** The refusal that fits what went wrong in the parser; `undefined` when there is nobody to tell. */
export function problemOfParseError(error: ParseError): Problem | undefined {
  switch (error.code) {
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ETIMEDOUT':
      return undefined;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problems.requestTimeout();
    case 'HPE_HEADER_OVERFLOW':
      return endsInRequestLine(error.rawPacket) ? problems.uriTooLong() : problems.headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problems.payloadTooLarge('The chunk extensions of the body are longer than the server reads.');
    default:
      return problems.badRequest(`The request is not valid HTTP/1.1.${otherProtocol(error.rawPacket)}`);
  }
}

/** What a client probably meant to speak, by how it began: the other side of a wrong setting sees no more than this answer. */
function otherProtocol(packet: Buffer | undefined): string {
  if (packet === undefined) return '';
  if (packet[0] === 0x16 && packet[1] === 0x03) return ' This port speaks HTTP without TLS.';
  if (packet.toString('latin1', 0, 14) === 'PRI * HTTP/2.0') return ' This port does not speak HTTP/2.';
  return '';
}

/** Writes a problem as the last answer of a connection and {@link closeGracefully | closes} it; a socket that cannot be written is cut. */
export function sendRaw(socket: Duplex, problem: Problem, requestId: string, lingerMs: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = problem.document(requestId);
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  closeGracefully(socket, lingerMs, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Ends a connection, after `last` if given, but goes on reading for `lingerMs` before it is cut, so that no reset overtakes the answer. */
export function closeGracefully(socket: Duplex, lingerMs: number, last = ''): void {
  socket.end(last);
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
}

/**
 * Whether the headers overflowed before the first line ended. Exact when the line came in one packet; of one that came in several,
 * the last looks like a long header and is called that.
 */
function endsInRequestLine(packet: Buffer | undefined): boolean {
  return (
    packet !== undefined &&
    /^[A-Z-]+ \S*$/.test(packet.toString('latin1', 0, 4096)) &&
    !packet.subarray(0, 16 * 1024).includes(0x0a)
  );
}

/** Whether anything at all has come over a connection. */
export function isSilent(socket: Duplex): boolean {
  return (socket as Socket).bytesRead === 0;
}

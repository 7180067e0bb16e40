/**
 * Responses on a bare socket, for bytes that never became a request: the parser refused them, or they came too slowly. The parser no
 * longer works then, so the response is written without it and the connection is closed.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Problem, problems } from '../problem.ts';
import { documentPolicy } from './reply.ts';

/** An error of Node's parser or of its timer. */
export interface ParseError extends Error {
  readonly code?: string;
  /** The packet in which the parser stopped. */
  readonly rawPacket?: Buffer;
}

/** The problem for a parse error; `undefined` if the connection is already gone. */
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

/** Names the protocol that the client probably speaks. A misconfigured client sees only this response. */
function otherProtocol(packet: Buffer | undefined): string {
  if (packet === undefined) return '';
  if (packet[0] === 0x16 && packet[1] === 0x03) return ' This port speaks HTTP without TLS.';
  if (packet.toString('latin1', 0, 14) === 'PRI * HTTP/2.0') return ' This port does not speak HTTP/2.';
  return '';
}

/** Sends a problem as the last response of a connection and {@link closeGracefully | closes} it; an unwritable socket is destroyed. */
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
    `Content-Security-Policy: ${documentPolicy}`,
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  closeGracefully(socket, lingerMs, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Ends a connection, after `last` if given, but reads on for `lingerMs` before closing it: a reset could overtake the response. */
export function closeGracefully(socket: Duplex, lingerMs: number, last = ''): void {
  socket.end(last);
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
}

/**
 * Whether the headers overflowed before the first line ended. Exact if the line came in one packet. If it came in several, the last one
 * looks like a long header, and the result is `false`.
 */
function endsInRequestLine(packet: Buffer | undefined): boolean {
  return (
    packet !== undefined &&
    /^[A-Z-]+ \S*$/.test(packet.toString('latin1', 0, 4096)) &&
    !packet.subarray(0, 16 * 1024).includes(0x0a)
  );
}

/** Whether no byte has arrived on a connection. */
export function isSilent(socket: Duplex): boolean {
  return (socket as Socket).bytesRead === 0;
}
